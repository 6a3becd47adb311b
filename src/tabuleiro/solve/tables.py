"""What the tables of a game are: what must be said of them so that they are listed, made, checked and looked up.

A game's tables are added with one file, `<id>.py` with a class `<Id>Tables`, and one line in `registry.TABLES`. Where
the game has no solver of its own, `TableSolver` then answers from them.
"""

import mmap
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from tabuleiro import _native
from tabuleiro.core import Options, Position
from tabuleiro.crew import Crew
from tabuleiro.language import Text
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Score, ended, one_ply_on
from tabuleiro.solve import files
from tabuleiro.solve.base import Progress, Solution, Solver, silent
from tabuleiro.solve.search import SearchSolver


@dataclass(frozen=True)
class Checked:
    """What was checked, and how many positions."""

    what: Text
    positions: int


@dataclass(frozen=True)
class Statistics:
    """What is in some tables, counted."""

    titles: Sequence[Text]
    rows: Sequence[Sequence[Text]]


class GameTables(ABC):
    """The tables of a game under one set of options, numbered from 0; each may be made from those before it.

    They are `add`ed in order. Whatever is asked of their content is asked of those that were added.
    """

    #: Seconds that one core takes to make a million bytes, as measured.
    pace: ClassVar[float]
    #: Whether several cores make a table sooner than one.
    parallel: ClassVar[bool] = False
    #: How many times its own size the memory is that making a table takes.
    memory: ClassVar[int] = 1
    #: How many bytes a position has.
    width: ClassVar[int] = 1

    @abstractmethod
    def __init__(self, options: Options) -> None:
        """Raises `SolveError` for options under which the game has no tables."""

    @classmethod
    @abstractmethod
    def offered(cls) -> "Iterable[Self]":
        """The tables under every set of options that has any."""

    #: How many tables there can be.
    most: int
    #: How many of them are made when nobody says.
    usual: int
    #: How many of them are made when they are first needed, because it takes no time; the others by a command.
    at_once: int
    #: How many of them are listed even where nobody has made them yet.
    listed: int
    #: How many were added.
    added: int = 0

    @abstractmethod
    def table(self, number: int) -> files.Table:
        """The file of a table."""

    @abstractmethod
    def label(self, number: int) -> Text:
        """What a table is of, in a few words."""

    @abstractmethod
    def command(self, number: int) -> str:
        """How a person makes the tables up to a number."""

    @abstractmethod
    def needed(self, position: Position) -> int:
        """How many tables it takes to look a position up."""

    @abstractmethod
    def build(self, threads: int = 1, progress: Progress = silent) -> mmap.mmap:
        """Compute the table after those that were added."""

    def build_by(self, crew: Crew, threads: int = 1, progress: Progress = silent) -> mmap.mmap:
        """The same, what can be done apart by a crew."""
        return self.build(threads, progress)

    def add(self, content: "memoryview[int]") -> None:
        """Take in the next table."""
        self._take(content)
        self.added += 1

    @abstractmethod
    def _take(self, content: "memoryview[int]") -> None: ...

    @abstractmethod
    def verify(self, positions: int, chance: random.Random) -> Iterator[Checked]:
        """Check the tables by the Python rules alone, some positions at random. Raises `SolveError` at a wrong one."""

    def score(self, position: Position) -> Score | None:
        """What the tables say of a position of a game that goes on, or None where they do not."""
        return None

    def summary(self) -> Text | None:
        """What the tables say of the game as a whole, where they do."""
        return None

    def statistics(self) -> Statistics | None:
        """What is in the tables, where that is worth counting."""
        return None

    @classmethod
    def for_search(cls, position: Position) -> _native.Tables | None:
        """What the native search of the game looks positions up in, or None where it has no such."""
        return None


def load(tables: GameTables) -> None:
    """Add the tables that can be had without asking anybody to wait: those that are quickly made, and the others up to
    the first that is missing or damaged."""
    for number in range(tables.added, tables.most):
        table = tables.table(number)
        if number < tables.at_once:
            content: memoryview[int] | None = files.obtain(table, tables.build)
        else:
            content = files.read_or_say(table, tables.command(number))
        if content is None:
            break
        tables.add(content)


class TableSolver(Solver):
    """Reads answers off tables. What is in none of them, or in a damaged one, is searched."""

    def __init__(self, tables: GameTables) -> None:
        self._tables = tables
        self._search = SearchSolver()

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        begin = time.monotonic()
        load(self._tables)
        position = node.position
        score = self._tables.score(position)
        moves = {move: self._before(position, position.play(move)) for move in position.legal_moves()}
        if score is None or None in moves.values():
            return self._search.solve(node, limit, every_move=every_move, stop=stop, progress=progress)
        return Solution(score, moves, 1 + len(moves), time.monotonic() - begin, True)

    def _before(self, position: Position, after: Position) -> Score | None:
        """What a move is worth to the player who makes it."""
        outcome = after.outcome()
        score = self._tables.score(after) if outcome is None else ended(outcome, after.turn)
        if score is None:
            return None
        return one_ply_on(score if after.turn is position.turn else -score)
