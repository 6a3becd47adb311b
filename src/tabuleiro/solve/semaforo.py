"""Semáforo, solved: for every position the number of plies to the end of the game.

A position is a number in base four, cell 0 the lowest digit: empty 0, green 1, yellow 2, red 3. The table has a byte
for each; an odd number of plies is a win for the player to move, an even one a loss.
"""

import mmap
import time
from collections.abc import Callable

from tabuleiro import _native
from tabuleiro.core import EMPTY, Options, Position
from tabuleiro.games.semaforo import GREEN, RED, YELLOW, Semaforo, SemaforoOptions
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Score
from tabuleiro.solve import files
from tabuleiro.solve.base import Progress, Solution, Solver, silent
from tabuleiro.solve.search import SearchSolver

#: The boards whose tables are made when they are first needed, because it takes no time; the others by a command.
AT_ONCE = ("3x3", "3x4")
DIGIT = {EMPTY: 0, GREEN: 1, YELLOW: 2, RED: 3}


def table_of(options: SemaforoOptions) -> files.Table:
    return files.Table("semaforo", options.board, 4 ** len(Semaforo.start(options).board))


def build_command(options: SemaforoOptions) -> str:
    """How a person makes a table."""
    return f"tabuleiro tables build semaforo --option board={options.board}"


def build(options: SemaforoOptions, progress: Progress = silent) -> mmap.mmap:
    """Compute the table of a board."""
    size = table_of(options).size
    distances = files.room_for(size)
    tell: Callable[[float], object] = lambda part: progress(part, round(part * size))  # noqa: E731
    _native.semaforo_distances(options.encode(), distances, tell)
    return distances


def number_of(position: Semaforo) -> int:
    return sum(DIGIT[light] << 2 * cell for cell, light in enumerate(position.board))


def solver(options: Options) -> Solver:
    assert isinstance(options, SemaforoOptions)
    return SemaforoSolver(options)


class SemaforoSolver(Solver):
    """Reads the answer off the table. A board whose table nobody has made yet, or is damaged, is searched."""

    def __init__(self, options: SemaforoOptions) -> None:
        self._options = options
        self._distances: memoryview[int] | None = None

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        begin = time.monotonic()
        if self._distances is None:
            table = table_of(self._options)
            if self._options.board in AT_ONCE:
                self._distances = files.obtain(table, lambda: build(self._options))
            else:
                self._distances = files.read_or_say(table, build_command(self._options))
            if self._distances is None:
                return SearchSolver()._solve(node, limit, every_move, stop, progress)
        position = node.position
        moves = {move: score_of(1 + self._plies(position.play(move))) for move in position.legal_moves()}
        score = score_of(self._plies(position))
        return Solution(score, moves, 1 + len(moves), time.monotonic() - begin, True)

    def _plies(self, position: Position) -> int:
        assert isinstance(position, Semaforo) and self._distances is not None
        return self._distances[number_of(position)]


def score_of(plies: int) -> Score:
    return Score.win(plies) if plies % 2 else Score.loss(plies)
