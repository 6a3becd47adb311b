"""The solver of games that have none of their own: search until everything is proven."""

import time

from tabuleiro import _native
from tabuleiro.core import Move
from tabuleiro.record import Node
from tabuleiro.search.base import Analysis, Engine, Limit, Score
from tabuleiro.search.native import AlphaBetaEngine
from tabuleiro.search.reference import ReferenceEngine
from tabuleiro.solve.base import Progress, Solution, Solver


class SearchSolver(Solver):
    """Alpha-beta to ever greater depth finds short wins and says how long they take; what it leaves open in a part of
    the time, df-pn proves without a length."""

    #: The part of the time that alpha-beta has.
    SHARE = 0.5
    #: The memory of each search in MiB.
    TABLE = 256
    #: How long alpha-beta searches when nobody sets a limit.
    USUAL_SECONDS = 60.0

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        begin = time.monotonic()
        legal = node.position.legal_moves()
        deep: Engine = ReferenceEngine()
        if node.position.id in _native.SEARCHERS:
            deep = AlphaBetaEngine(table=self.TABLE, full_width=True)
        first = Limit(
            self.USUAL_SECONDS if limit.seconds is None else limit.seconds * self.SHARE, limit.nodes, limit.depth
        )

        def listen(found: Analysis) -> None:
            progress(None, found.nodes)

        found = deep._search(node, first, len(legal) if every_move else 1, stop, listen)
        scores: dict[Move, Score | None] = dict.fromkeys(legal)
        for line in found.lines:
            if line.score.exact:
                scores[line.moves[0]] = line.score
        value = found.score if found.exact else None
        nodes = found.nodes
        return Solution(value, scores, nodes, time.monotonic() - begin, value is not None)
