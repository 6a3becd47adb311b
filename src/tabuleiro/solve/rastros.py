"""Rastros, solved: on 7x7 with the championship rules the first player wins.

The package has two files, both made by `training/rastros_book.py`: the proof of that (`rastros_proof` replays it with
the Python rules), and the values of all positions some plies after the start. With both in its table, the native solver
(`native/solve/rastros.hpp`) answers the opening at once and later positions after a short search. Other sizes are
searched from nothing.
"""

import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from tabuleiro import _native
from tabuleiro.core import Move, Options, Position
from tabuleiro.games.rastros import Rastros, RastrosOptions
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Score, Worth
from tabuleiro.search.native import AlphaBetaEngine
from tabuleiro.solve import runs
from tabuleiro.solve.base import Progress, SearchBudget, Solution, Solver
from tabuleiro.solve.rastros_proof import PROOF, Verified, damaged, read_data, verify

__all__ = ["BOOK_PLIES", "RastrosSolver", "Verified", "solver", "verify"]

BOOK = "rastros-book.xz"
#: The book has the values of all positions after this number of plies.
BOOK_PLIES = 7
#: Bytes: a checkpoint has a state of the first number for every piece of memory of the second, and so a file of a
#: 64th of its size.
STATE, KEPT_PART = 16, 1024

#: What the native solver says of the player to move.
UNKNOWN, WIN, LOSS = 0, 1, 2
SCORES = {UNKNOWN: None, WIN: Score.win(), LOSS: Score.loss()}


def solver(options: Options) -> Solver | None:
    """The solver for these rules; None where a player without a move draws, or the marker may not be cut off."""
    assert isinstance(options, RastrosOptions)
    if options != RastrosOptions(size=options.size):
        return None
    return RastrosSolver(options)


class RastrosSolver(Solver):
    """Solves the championship rules on any board."""

    #: The memory of its table in MiB.
    TABLE = 128
    memory = TABLE << 20
    #: For how many seconds it searches before it says how far it is.
    SLICE = 0.25
    #: How many nodes it spends on how soon moves win or lose.
    LENGTH_NODES = 20_000
    #: How many seconds pass between two checkpoints of a long run.
    PAUSE = 300.0

    def __init__(self, options: RastrosOptions) -> None:
        self._options = options
        # Several threads may ask; the table serves one at a time.
        self.busy = threading.Lock()

    @cached_property
    def table(self) -> _native.RastrosSolver:
        table = _native.RastrosSolver(self._options.encode(), self.TABLE)
        if self._options == RastrosOptions():
            start = Rastros.start(self._options).encode()
            try:
                table.learn_proof(start, read_data(PROOF))
                table.learn_opening(start, BOOK_PLIES, read_data(BOOK))
            except ValueError as error:
                raise damaged(BOOK) from error
        return table

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        question = _Question(self, limit, stop, progress)
        return self._every_move(node, question) if every_move else self._value(node.position, question)

    def _every_move(self, node: Node, question: "_Question") -> Solution:
        legal = node.position.legal_moves()
        # What is known without search comes first: it is exact even where the time ends early.
        moves = {move: question.move(node.position, move, search=False) for move in legal}
        for move in legal:
            if moves[move] is None:
                moves[move] = question.move(node.position, move)
        self._say_lengths(node, moves, question)
        known = [score for score in moves.values() if score is not None]
        best = max(known, default=None)
        if len(known) < len(moves) and (best is None or best.worth is not Worth.WIN):
            best = None
        return Solution(best, moves, question.budget.nodes, question.budget.seconds, len(known) == len(moves))

    def _value(self, position: Position, question: "_Question") -> Solution:
        value = question.value(position)
        moves: dict[Move, Score | None] = {}
        if value == WIN:
            legal = position.legal_moves()
            known = question.winning_move(position)
            # The table may know that there is a winning move, but have forgotten which.
            for move in [known] if known in legal else legal:
                moves[move] = score = question.move(position, move)
                if score is not None and score.worth is Worth.WIN:
                    break
        return Solution(SCORES[value], moves, question.budget.nodes, question.budget.seconds, value != UNKNOWN)

    def _say_lengths(self, node: Node, moves: dict[Move, Score | None], question: "_Question") -> None:
        """How soon moves win or lose, where a short search sees the end."""
        engine = AlphaBetaEngine(table=8, full_width=True)
        left = question.budget.left()
        limit = Limit(left.seconds, min(self.LENGTH_NODES, left.nodes or self.LENGTH_NODES))
        found = engine.analyse(node, limit, lines=len(moves), stop=question.stop)
        for line in found.lines:
            if line.score.exact and moves[line.moves[0]] is not None:
                moves[line.moves[0]] = line.score

    def resume(self, file: Path, memory: int, node: Node, stop: _native.StopFlag, progress: Progress) -> Solution:
        """The value of a position by a run of hours. The file holds what cost most to find out."""
        words = node.position.encode()
        # What is kept lies in memory three times while it is saved.
        room = runs.room(memory)
        kept = max(room // KEPT_PART, 1)
        try:
            table = _native.RastrosSolver(node.position.options.encode(), max((room - 3 * STATE * kept) >> 20, 1))
        except (ValueError, MemoryError) as error:
            raise runs.no_memory(memory) from error
        value = UNKNOWN

        def step(tell: Callable[[int], object]) -> tuple[bool, int]:
            nonlocal value
            value = table.value(words, 0, self.SLICE, stop)
            return value != UNKNOWN, table.nodes

        run = runs.Run(table.remember, step, lambda: [table.costly(kept)], self.PAUSE)
        taken = runs.go_on(file, node.position, run, stop, progress)
        return Solution(SCORES[value], {}, taken.nodes, taken.seconds, value != UNKNOWN)


class _Question:
    """One call of a solver: its limits, and what it has taken so far."""

    def __init__(self, solver: RastrosSolver, limit: Limit, stop: _native.StopFlag, progress: Progress) -> None:
        self._solver, self.stop, self._progress = solver, stop, progress
        self.budget = SearchBudget(limit, stop)

    def value(self, position: Position, *, search: bool = True) -> int:
        """The value for the player to move; unknown where a limit comes first."""
        table, words = self._solver.table, position.encode()
        with self._solver.busy:
            value = table.known(words)
        while value == UNKNOWN and search and not self.budget.spent:
            left = self.budget.left()
            seconds = min(self._solver.SLICE, left.seconds or self._solver.SLICE)
            with self._solver.busy:
                before = table.nodes
                value = table.value(words, left.nodes or 0, seconds, self.stop)
                self.budget.nodes += table.nodes - before
            self._progress(None, self.budget.nodes)
        return value

    def move(self, position: Position, move: Move, *, search: bool = True) -> Score | None:
        """The value of a move for the player who makes it."""
        reached = position.play(move)
        over = reached.outcome()
        if over is not None:
            return Score.win(1) if over.winner == position.turn else Score.loss(1)
        score = SCORES[self.value(reached, search=search)]
        return None if score is None else -score

    def winning_move(self, position: Position) -> Move:
        """A move that wins, if one is known without search."""
        with self._solver.busy:
            return self._solver.table.winning_move(position.encode())
