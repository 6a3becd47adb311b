"""Avanço 5x5, solved: any position by df-pn with exact keys, races and runners seen at once (native/solve/avanco.hpp).

The start takes some twenty seconds of one core; what follows it in the same process, next to nothing.
"""

import threading

from tabuleiro import _native
from tabuleiro.core import Move, Options, Position
from tabuleiro.games.avanco import AvancoOptions
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Score
from tabuleiro.solve.base import Progress, SearchBudget, Solution, Solver


def solver(options: Options) -> Solver | None:
    assert isinstance(options, AvancoOptions)
    return AvancoSolver(options) if options.size == 5 else None


class _GivenUp(Exception):  # noqa: N818
    """The limit came first."""


class AvancoSolver(Solver):
    """Says who wins, without a length."""

    #: The memory of the search in MiB; to look at few positions takes little of it, since clearing it takes a while.
    TABLE, SMALL = 512, 32
    FEW = 1_000_000
    memory = TABLE << 20

    def __init__(self, options: AvancoOptions) -> None:
        self._options = options
        self._small: _native.AvancoSolver | None = None
        self._large: _native.AvancoSolver | None = None
        self._busy = threading.Lock()

    def within_reach(self, node: Node, seconds: float) -> bool:
        return seconds >= 1.0  # less would go on the memory alone

    def _search(self, limit: Limit) -> _native.AvancoSolver:
        """The large one where there is one: it knows what was proven before."""
        if self._large is None and limit.nodes is not None and limit.nodes <= self.FEW:
            if self._small is None:
                self._small = _native.AvancoSolver(self._options.encode(), self.SMALL)
            return self._small
        if self._large is None:
            self._large, self._small = _native.AvancoSolver(self._options.encode(), self.TABLE), None
        return self._large

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        budget = SearchBudget(limit, stop)
        with self._busy:
            search = self._search(limit)
            before = search.nodes

            def tell(nodes: int) -> None:
                budget.nodes = nodes - before
                progress(None, budget.nodes)
                if budget.spent:
                    raise _GivenUp

            def wins(position: Position) -> bool:
                if position.outcome() is not None:
                    return False
                budget.nodes = search.nodes - before
                if budget.spent:
                    raise _GivenUp
                left = budget.left()
                return search.wins(position.encode(), left.nodes or 0, left.seconds or 0.0, stop, tell)

            position = node.position
            scores: dict[Move, Score | None] = dict.fromkeys(position.legal_moves())
            score: Score | None = None
            try:
                if not every_move:
                    score = Score.win() if wins(position) else Score.loss()
                for move in scores:
                    scores[move] = Score.loss() if wins(position.play(move)) else Score.win()
                    if not every_move and scores[move] == score:
                        break
            except _GivenUp:
                pass
            if score is None and (Score.win() in scores.values() or None not in scores.values()):
                score = Score.win() if Score.win() in scores.values() else Score.loss()
            budget.nodes = search.nodes - before
        known = {move: value for move, value in scores.items() if every_move or value is not None}
        exact = score is not None and None not in known.values()
        return Solution(score, known, budget.nodes, budget.seconds, exact)
