"""What a solver is: it says what perfect play leads to, or that it does not know; it never guesses.

>>> from tabuleiro import get
>>> from tabuleiro.search import Limit
>>> from tabuleiro.solve import solver_for
>>> position = get("rastros").from_str("7/1##4/##1##2/2##3/3#3/2O#3/3#3 1")
>>> solution = solver_for(position).solve(position, Limit(seconds=10))
>>> solution.exact, str(solution.score)
(True, '#3')
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from tabuleiro import _native
from tabuleiro.core import Move, TabuleiroError
from tabuleiro.language import Text
from tabuleiro.record import Node
from tabuleiro.search.base import Analysis, Engine, Flag, Limit, Score, Subject, node_of


class SolveError(TabuleiroError):
    """A solver was asked for what it cannot do, or a table or proof is damaged."""


@dataclass(frozen=True)
class Solution:
    """What is proven of a position, for the player to move there."""

    #: The value, or None where the limit came first.
    score: Score | None
    #: The value of each legal move for the player who makes it; None where it is not known. When only the value of the
    #: position was asked for, the moves looked at on the way are here and no others.
    moves: Mapping[Move, Score | None]
    nodes: int
    seconds: float
    #: Whether everything that was asked for is proven.
    exact: bool

    @property
    def best(self) -> Move | None:
        """A move that keeps the value: the quickest win, the longest loss; None where that is not known."""
        if self.score is None:
            return None
        known = {move: score for move, score in self.moves.items() if score is not None}
        best = max(known, key=lambda move: known[move], default=None)
        return best if best is not None and known[best].worth == self.score.worth else None


#: Told now and then how far the work is, from 0 to 1, or None where nobody can know; and the positions seen so far.
Progress = Callable[[float | None, int], object]


def silent(part: float | None, nodes: int) -> None:
    """The progress of work that nobody watches."""


class SearchBudget:
    """What is left of a limit while a solver or a player asks one question after another."""

    def __init__(self, limit: Limit, stop: Flag) -> None:
        self._limit = limit
        self.stop = stop
        self._begin = time.monotonic()
        #: Positions looked at so far.
        self.nodes = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begin

    @property
    def spent(self) -> bool:
        limit = self._limit
        return (
            self.stop.is_set()
            or (limit.nodes is not None and self.nodes >= limit.nodes)
            or (limit.seconds is not None and self.seconds >= limit.seconds)
        )

    def left(self, questions: int = 1) -> Limit:
        """For the next of that many questions; a little is left even when all is spent."""
        limit = self._limit
        return replace(
            limit,
            seconds=None if limit.seconds is None else max((limit.seconds - self.seconds) / questions, 0.001),
            nodes=None if limit.nodes is None else max((limit.nodes - self.nodes) // questions, 1),
        )

    def ask(self, engine: Engine, node: Node, *, lines: int = 1, depth: int | None = None) -> Analysis:
        """Search within what is left, to a depth at most, and count the positions."""
        left = self.left()
        depths = [most for most in (left.depth, depth) if most is not None]
        own = replace(left, depth=min(depths, default=None))
        found = engine.search(node, own, lines, self.stop, lambda _: None)
        self.nodes += found.nodes
        return found


class Solver(ABC):
    """Solves positions of one game under one set of options."""

    #: How many bytes its search may take, at most, beside the tables on the disk.
    memory: ClassVar[int] = 0

    @abstractmethod
    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        """Solve a game that goes on, until a limit is met or the flag is set."""

    def solve(
        self,
        subject: Subject,
        limit: Limit = Limit(),  # noqa: B008
        *,
        every_move: bool = True,
        stop: _native.StopFlag | None = None,
        progress: Progress = silent,
    ) -> Solution:
        """The value of a position and, unless only that is wanted, of every move in it."""
        return self._solve(node_of(subject), limit, every_move, stop or _native.StopFlag(), progress)

    def within_reach(self, node: Node, seconds: float) -> bool:
        """Whether it is worth asking in so little time: an engine that plays asks only then."""
        return True

    def resume(self, file: Path, memory: int, node: Node, stop: _native.StopFlag, progress: Progress) -> Solution:
        """Solve in a run that may take days: what is known is kept in the file, from which the run goes on after it was
        ended in whatever way. `memory` is how many bytes it may use."""
        raise SolveError(
            Text(
                "este jogo não tem um cálculo longo que se possa retomar",
                "this game has no long run that can be resumed",
            )
        )
