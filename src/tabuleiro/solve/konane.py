"""Konane: depth-first search for late positions and small boards; df-pn above it for work that takes hours.

Long work can be left and taken up again at any moment (`runs.py`): what df-pn has proven or weighed is all it needs to
go on. Both searches have a table that does not grow, and forgets what took least work.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from tabuleiro import _native
from tabuleiro.core import Options
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Score
from tabuleiro.solve import runs
from tabuleiro.solve.base import Progress, Solution, Solver

#: The part of the memory of long work that df-pn has; depth-first search has the rest.
PROOFS = 1 / 8
#: Places of the table of df-pn that are saved at once.
PLACES = 1 << 16


class KonaneSolver(Solver):
    """Values without lengths: they are not needed to prove who makes the last move."""

    #: The memory of the table of everyday questions, in bytes; the system gives it only as it is used.
    memory = 128 << 20
    #: Positions of a leaf of df-pn.
    LEAF = 200_000
    #: Threads of long work.
    THREADS = 2
    #: For how many seconds long work goes on before it may be saved, and how often at most it is saved.
    SLICE = 10.0
    SAVE_EVERY = 30.0

    def __init__(self, options: Options) -> None:
        self._options = options
        self._native = _native.KonaneSolver(options.encode(), self.memory, 0)

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        words, nodes, seconds = node.position.encode(), limit.nodes or 0, limit.seconds or 0.0
        found = self._native.solve(words, every_move, nodes, seconds, stop, lambda nodes: progress(None, int(nodes)))
        solution = _solution(found)
        if every_move and None in solution.moves.values():
            return replace(solution, exact=False)
        return solution

    def within_reach(self, node: Node, seconds: float) -> bool:
        """Four stones more take some twenty times as long, and a fifth of a second is enough for the easy half of the
        positions with that many."""
        return len(node.position.pieces()) <= 38 + 4 * math.log(seconds / 0.2, 20)

    def resume(self, file: Path, memory: int, node: Node, stop: _native.StopFlag, progress: Progress) -> Solution:
        room = runs.room(memory)
        proofs = int(room * PROOFS)
        try:
            native = _native.KonaneSolver(self._options.encode(), room - proofs, proofs)
        except (ValueError, MemoryError) as error:
            raise runs.no_memory(memory) from error
        words = node.position.encode()
        solution = Solution(None, {}, 0, 0.0, exact=False)

        def step(tell: Callable[[int], object]) -> tuple[bool, int]:
            nonlocal solution
            before = solution.nodes
            seen: Callable[[float], object] = lambda nodes: tell(before + int(nodes))  # noqa: E731
            solution = _solution(native.prove(words, self.THREADS, self.LEAF, self.SLICE, stop, seen))
            solution = replace(solution, nodes=before + solution.nodes)
            return solution.exact, solution.nodes

        def content() -> Iterator[bytes]:
            for first in range(0, native.places, PLACES):
                yield native.proofs(first, first + PLACES)

        run = runs.Run(native.restore, step, content, self.SAVE_EVERY)
        taken = runs.go_on(file, node.position, run, stop, progress)
        return replace(solution, nodes=taken.nodes, seconds=taken.seconds)


def _solution(found: "_native.KonaneSolved") -> Solution:
    value, moves, nodes, seconds = found
    scores = {-1: Score.loss(), 0: None, 1: Score.win()}
    return Solution(scores[value], {move: scores[each] for move, each in moves.items()}, nodes, seconds, value != 0)
