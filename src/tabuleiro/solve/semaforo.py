"""Semáforo, solved: for every position the number of plies to the end of the game.

A position is a number in base four, cell 0 the lowest digit: empty 0, green 1, yellow 2, red 3. The table has a byte
for each; an odd number of plies is a win for the player to move, an even one a loss.
"""

import mmap
import random
from collections.abc import Callable, Iterator

from tabuleiro import _native
from tabuleiro.core import EMPTY, Options, Position
from tabuleiro.games.semaforo import GREEN, RED, YELLOW, Semaforo, SemaforoOptions
from tabuleiro.language import Text
from tabuleiro.search.base import Score
from tabuleiro.solve import files, verify
from tabuleiro.solve.base import Progress, silent
from tabuleiro.solve.tables import Checked, GameTables

BOARDS = ("3x3", "3x4", "3x5", "4x4")
#: The boards whose tables are made when they are first needed, because it takes no time; the others by a command.
AT_ONCE = ("3x3", "3x4")
DIGIT = {EMPTY: 0, GREEN: 1, YELLOW: 2, RED: 3}


def table_of(options: SemaforoOptions) -> files.Table:
    return files.Table("semaforo", options.board, 4 ** len(Semaforo.start(options).board))


def build(options: SemaforoOptions, progress: Progress = silent) -> mmap.mmap:
    """Compute the table of a board."""
    size = table_of(options).size
    distances = files.room_for(size)
    tell: Callable[[float], object] = lambda part: progress(part, round(part * size))  # noqa: E731
    _native.semaforo_distances(options.encode(), distances, tell)
    return distances


def number_of(position: Semaforo) -> int:
    return sum(DIGIT[light] << 2 * cell for cell, light in enumerate(position.board))


class SemaforoTables(GameTables):
    """One table for a board."""

    pace = 0.025
    most = usual = 1

    def __init__(self, options: Options) -> None:
        assert isinstance(options, SemaforoOptions)
        self._options = options
        self.at_once = self.listed = int(options.board in AT_ONCE)
        self._distances: memoryview[int] | None = None

    @classmethod
    def offered(cls) -> "Iterator[SemaforoTables]":
        return (cls(SemaforoOptions(board=board)) for board in BOARDS)

    def table(self, number: int) -> files.Table:
        return table_of(self._options)

    def label(self, number: int) -> Text:
        return Text(self._options.board, self._options.board)

    def command(self, number: int) -> str:
        return f"tabuleiro tables build semaforo --option board={self._options.board}"

    def needed(self, position: Position) -> int:
        return 1

    def build(self, threads: int = 1, progress: Progress = silent) -> mmap.mmap:
        return build(self._options, progress)

    def _take(self, content: "memoryview[int]") -> None:
        self._distances = content

    def _plies(self, position: Position) -> int:
        assert isinstance(position, Semaforo) and self._distances is not None
        return self._distances[number_of(position)]

    def score(self, position: Position) -> Score | None:
        return None if self._distances is None else score_of(self._plies(position))

    def summary(self) -> Text:
        plies, board = self._plies(Semaforo.start(self._options)), self._options.board
        winner = 1 if plies % 2 else 2
        return Text(
            f"{board}: ganha o jogador {winner}, em {plies} jogadas", f"{board}: player {winner} wins, in {plies} plies"
        )

    def verify(self, positions: int, chance: random.Random) -> Iterator[Checked]:
        return verify.semaforo(self._options, self._plies, positions, chance)


def score_of(plies: int) -> Score:
    return Score.win(plies) if plies % 2 else Score.loss(plies)
