"""The door to the native kernels: the same rules, for loops that visit millions of positions.

    >>> from tabuleiro import get, native
    >>> native.perft(get("avanco").start(), 3)
    7220

A kernel speaks integers: a position is the words of `Position.encode()`, a move is a move. Its outcomes are numbers
too: 0 while the game goes on, 1 or 2 for the player who won, 3 for a draw.
"""

import hashlib
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tabuleiro.core import Move, Options, Outcome, Position, TabuleiroError
from tabuleiro.language import Text

ONGOING, DRAW = 0, 3


class NativeModuleError(TabuleiroError):
    """The native module is missing, or was built from other sources than those that stand here."""


class NoKernelError(TabuleiroError):
    """The game exists in Python alone."""


try:
    from tabuleiro import _native
    from tabuleiro._native import Kernel
except ImportError as error:
    raise NativeModuleError(
        Text(
            "falta o módulo nativo; instala-o com «make install»",
            "the native module is missing; install it with “make install”",
        )
    ) from error


def _stamp_of_sources(root: Path) -> str | None:
    """The stamp that CMakeLists.txt computes, or None where the sources are not at hand (an ordinary installation)."""
    if not (root / "CMakeLists.txt").is_file() or not (root / "native").is_dir():
        return None
    sources = [*root.glob("native/**/*.hpp"), *root.glob("native/**/*.cpp"), root / "CMakeLists.txt"]
    digests = {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in sources}
    listing = "".join(f"{name} {digests[name]}\n" for name in sorted(digests))
    return hashlib.sha256(listing.encode()).hexdigest()


def _require_fresh(root: Path) -> None:
    if _stamp_of_sources(root) not in (None, _native.STAMP):
        raise NativeModuleError(
            Text(
                "o módulo nativo é de outra versão do código; atualiza-o com «make install»",
                "the native module was built from other sources; bring it up to date with “make install”",
            )
        )


_require_fresh(Path(__file__).resolve().parents[2])


@cache
def _kernel(game: str, options: Options) -> Kernel | None:
    make = _native.KERNELS.get(game)
    return None if make is None else make(options.encode())


def kernel(position: Position) -> Kernel | None:
    """The kernel for a position's game and options, or None when the game has none."""
    return _kernel(position.id, position.options)


def _require_kernel(position: Position) -> Kernel:
    if (found := kernel(position)) is None:
        raise NoKernelError(
            Text(f"{position.name.pt} não tem regras nativas", f"{position.name.en} has no native rules")
        )
    return found


def outcome_number(outcome: Outcome | None) -> int:
    """An outcome as the kernels number it."""
    if outcome is None:
        return ONGOING
    return DRAW if outcome.winner is None else int(outcome.winner)


def list_moves(games: Mapping[str, type[Position]]) -> None:
    """Let the kernels list the legal moves in this process: several times quicker than the rules in Python, encoding
    included, for who plays thousands of games. Whether both list the same is for the tests to say, which never call
    this."""
    for name, game in games.items():
        if name in _native.KERNELS:
            game.quick_moves = staticmethod(_moves)


def _moves(position: Position) -> tuple[Move, ...]:
    return tuple(_require_kernel(position).moves(position.encode()))


def perft(position: Position, depth: int, *, bulk: bool = True) -> int:
    """How many sequences of `depth` moves there are; in bulk, the moves of the last ply are counted, not played."""
    return _require_kernel(position).perft(position.encode(), depth, bulk)


@dataclass(frozen=True)
class RandomGames:
    """Random games, ended as `record.Game` ends them."""

    #: The outcome of each game, by number.
    results: bytes
    #: How many plies each game has.
    lengths: "memoryview[int]"
    #: The moves of all games, one after another; empty unless records were asked for.
    moves: "memoryview[int]"

    def records(self) -> Iterator[list[Move]]:
        """The moves of each game."""
        begin = 0
        for length in self.lengths:
            yield self.moves[begin : begin + length].tolist()
            begin += length


def random_games(
    start: Position, games: int, *, seed: int, records: bool = False, max_plies: int = 100_000
) -> RandomGames:
    """Play many games of random moves. A game depends on the seed and on its number alone, not on how many follow.

    Under options without rules that look back, some games would never end: one of `max_plies` is left unfinished.
    """
    results, lengths, moves = _require_kernel(start).random_games(start.encode(), games, seed, records, max_plies)
    return RandomGames(results, memoryview(lengths).cast("I"), memoryview(moves).cast("I"))


@dataclass(frozen=True)
class ReplayedGames:
    """Recorded games that were played again."""

    #: How many moves of each could be played: fewer than it has where one is illegal or comes after the end.
    played: "memoryview[int]"
    #: How each stands after them, by number.
    results: bytes
    #: `hash64` of the first positions of each game, the start and `depth` more; 0 after the end of a game.
    keys: "memoryview[int]"


def replay_games(start: Position, lengths: "array[int]", moves: "array[int]", depth: int = 0) -> ReplayedGames:
    """Play many games again, from one start: the plies of each, and the moves of all, one after another (both arrays of
    type `I`)."""
    _require_kernel(start)
    played, results, keys = _native.REPLAYS[start.id](start.options.encode(), start.encode(), lengths, moves, depth)
    return ReplayedGames(memoryview(played).cast("I"), results, memoryview(keys).cast("Q"))
