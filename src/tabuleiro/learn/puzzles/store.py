"""The puzzles that come with the package, one file a game, read when somebody asks for them.

A file is text, compressed by xz, in columns, which compress better than lines: the number of puzzles, then for each of
the fields a line a puzzle. Puzzles are only ever added at the end, so that their numbers stay.
"""

import lzma
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path

from tabuleiro.core import TabuleiroError
from tabuleiro.games import get
from tabuleiro.language import Text
from tabuleiro.learn.puzzles.puzzle import Puzzle
from tabuleiro.learn.puzzles.themes import THEMES

#: The first line of a file: the form of what follows.
HEAD = "tabuleiro puzzles 1"
#: Ratings are kept in steps of so many points.
STEP = 10
SUFFIX = ".xz"

_LETTERS = {theme.letter: name for name, theme in THEMES.items()}


@cache
def puzzles_of(game: str) -> tuple[Puzzle, ...]:
    """All puzzles of a game, in the order of their numbers."""
    file = resources.files(__package__).joinpath("data", f"{get(game).id}{SUFFIX}")
    return decoded(game, file.read_bytes()) if file.is_file() else ()


def find_puzzle(game: str, number: int) -> Puzzle:
    puzzles = puzzles_of(game)
    if not 1 <= number <= len(puzzles):
        raise TabuleiroError(
            Text(f"os problemas vão de 1 a {len(puzzles)}", f"the puzzles go from 1 to {len(puzzles)}")
        )
    return puzzles[number - 1]


def load(game: str, path: Path) -> list[Puzzle]:
    """The puzzles of a file; none where there is no such file."""
    return list(decoded(game, path.read_bytes())) if path.exists() else []


def save(path: Path, puzzles: Sequence[Puzzle]) -> None:
    """Write a file, whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(encoded(puzzles))
    new.replace(path)


def encoded(puzzles: Sequence[Puzzle]) -> bytes:
    columns: list[Iterable[str]] = [
        (puzzle.options for puzzle in puzzles),
        (puzzle.fen for puzzle in puzzles),
        (puzzle.goal for puzzle in puzzles),
        (puzzle.answer for puzzle in puzzles),
        (str(puzzle.rating // STEP) for puzzle in puzzles),
        ("".join(THEMES[theme].letter for theme in puzzle.themes) for puzzle in puzzles),
    ]
    lines = [HEAD, str(len(puzzles)), *(line for column in columns for line in column), ""]
    # No more of xz than its bare stream needs: a check of 4 bytes, and what serves short texts best.
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
    return lzma.compress("\n".join(lines).encode("ascii"), check=lzma.CHECK_CRC32, filters=filters)


def decoded(game: str, content: bytes) -> tuple[Puzzle, ...]:
    lines = lzma.decompress(content).decode("ascii").split("\n")
    if lines[0] != HEAD:
        raise TabuleiroError(Text("isto não são problemas", "these are no puzzles"))
    count = int(lines[1])
    columns = [lines[2 + count * number : 2 + count * (number + 1)] for number in range(6)]
    return tuple(
        Puzzle(
            game, options, fen, goal, answer, int(rating) * STEP, tuple(_LETTERS[letter] for letter in letters), number
        )
        for number, (options, fen, goal, answer, rating, letters) in enumerate(zip(*columns, strict=True), start=1)
    )
