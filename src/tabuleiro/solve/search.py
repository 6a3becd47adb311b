"""The solver of games that have none of their own: search until everything is proven."""

from functools import cached_property

from tabuleiro import _native
from tabuleiro.core import Move
from tabuleiro.record import Node
from tabuleiro.search.base import Engine, Limit, Score, Worth, ended, one_ply_on
from tabuleiro.search.native import AlphaBetaEngine, ProofEngine
from tabuleiro.search.reference import ReferenceEngine, detached
from tabuleiro.solve.base import Progress, SearchBudget, Solution, Solver

#: Each move is searched with this number of positions, then with `GROWTH` times as many, until it is proven.
FIRST_NODES = 10_000
GROWTH = 4
#: The memory of each search in MiB.
TABLE = 64


class SearchSolver(Solver):
    """Each move is searched by alpha-beta, which says how long a win takes, and by df-pn, which often proves it sooner;
    both with ever more positions."""

    memory = 2 * TABLE << 20

    @cached_property
    def _fast(self) -> tuple[Engine, ...]:
        return AlphaBetaEngine(table=TABLE, full_width=True), ProofEngine(table=TABLE)

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        native = node.position.id in _native.SEARCHERS
        return _Work(self._fast if native else (ReferenceEngine(),), node, limit, every_move, stop, progress).run()


class _Work:
    def __init__(
        self,
        engines: tuple[Engine, ...],
        node: Node,
        limit: Limit,
        every_move: bool,
        stop: _native.StopFlag,
        progress: Progress,
    ) -> None:
        self.engines = engines
        self.root = detached(node)
        self.every_move = every_move
        self.stop = stop
        self.progress = progress
        self.budget = SearchBudget(limit, stop)
        self.scores: dict[Move, Score | None] = dict.fromkeys(node.position.legal_moves())

    def run(self) -> Solution:
        nodes = FIRST_NODES
        while not self._settled() and not self.budget.spent:
            for move in [move for move, score in self.scores.items() if score is None]:
                self.scores[move] = self._look(move, nodes)
                known = sum(score is not None for score in self.scores.values())
                self.progress(known / len(self.scores), self.budget.nodes)
                if self._settled() or self.budget.spent:
                    break
            nodes *= GROWTH
        return Solution(self._value(), self.scores, self.budget.nodes, self.budget.seconds, self._settled())

    def _look(self, move: Move, nodes: int) -> Score | None:
        """The value of a move, if that many positions are enough to prove it."""
        child = self.root.play(move)
        score: Score | None = None
        if child.outcome is not None:
            score = ended(child.outcome, child.position.turn)
        for engine in self.engines:
            if score is not None or self.budget.spent:
                break
            left = self.budget.left()
            limit = Limit(left.seconds, min(nodes, left.nodes or nodes))
            found = engine.analyse(child, limit, stop=self.stop)
            self.budget.nodes += found.nodes
            if found.exact:
                score = found.score
        if score is None:
            return None
        return one_ply_on(score if child.position.turn is self.root.position.turn else -score)

    def _value(self) -> Score | None:
        known = [score for score in self.scores.values() if score is not None]
        best = max(known, default=None)
        if best is not None and (best.worth is Worth.WIN or len(known) == len(self.scores)):
            return best
        return None

    def _settled(self) -> bool:
        if self.every_move:
            return None not in self.scores.values()
        return self._value() is not None
