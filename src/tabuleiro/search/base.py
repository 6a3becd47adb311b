"""What an engine is: what it is asked (`Limit`), what it answers (`ScoredLine`, `Analysis`), and `Engine`.

    >>> from tabuleiro import get
    >>> from tabuleiro.search import AlphaBetaEngine, Limit
    >>> position = get("rastros").from_str("7/1##4/##1##2/2##3/3#3/2O#3/3#3 1")
    >>> analysis = AlphaBetaEngine().analyse(position, Limit(seconds=5))
    >>> analysis.exact, str(analysis.score), [position.move_str(analysis.move)]
    (True, '#3', ['c1'])

First the data; then `Engine`, whose searches block or, once started, run in a thread of their own and are read while
they run (`Running`).

An engine is asked about a `Game`, a `Node` of one, or a bare `Position`, which has no past. What it finds is always for
the player to move there.
"""

import math
import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import total_ordering
from typing import ClassVar, Protocol, Self

from tabuleiro.core import Move, Outcome, Player, Position, TabuleiroError
from tabuleiro.language import Text
from tabuleiro.record import GAME_OVER, Game, Node

Subject = Game | Node | Position


class EngineError(TabuleiroError):
    """An engine was asked for what it cannot do, or did what the rules forbid."""


# ------------------------------------------------------------------------------------------------------------ the data


@dataclass(frozen=True)
class Limit:
    """When a search ends, at the latest. Without any limit it ends when it is stopped or everything is proven."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "nodes", "depth"):
            value = getattr(self, name)
            if value is not None and not (0 < value < math.inf and value <= _LARGEST[name]):
                raise EngineError(
                    Text(
                        f"o limite «{name}» tem de ser um número positivo, até {_LARGEST[name]}",
                        f"the limit “{name}” must be a positive number, up to {_LARGEST[name]}",
                    )
                )


_LARGEST = {"seconds": 10**9, "nodes": 10**18, "depth": 10**6}


class Worth(IntEnum):
    """The value of a position, once it is proven."""

    LOSS = -1
    DRAW = 0
    WIN = 1


@total_ordering
@dataclass(frozen=True, eq=False)
class Score:
    """How good a position or move is for the player to move: proven, or an estimate. Better scores are greater.

    A win in 3 plies is better than one in 5, a loss in 6 better than one in 4. Estimates lie between losses and wins.
    """

    #: What is proven, or None for an estimate.
    worth: Worth | None
    #: In how many plies a win or loss is reached at the latest, if that is known: the winner needs no more of them
    #: whatever the other does. An engine that searches full width says the fewest.
    plies: int | None = None
    #: The estimate in the engine's own points; 0 where something is proven.
    points: int = 0
    #: The chance to win, a draw being half a win.
    chance: float = 0.5

    @classmethod
    def win(cls, plies: int | None = None) -> Self:
        return cls(Worth.WIN, plies, chance=1.0)

    @classmethod
    def loss(cls, plies: int | None = None) -> Self:
        return cls(Worth.LOSS, plies, chance=0.0)

    @classmethod
    def draw(cls) -> Self:
        return cls(Worth.DRAW)

    @classmethod
    def estimate(cls, points: int, chance: float) -> Self:
        return cls(None, points=points, chance=chance)

    @property
    def exact(self) -> bool:
        return self.worth is not None

    def __neg__(self) -> "Score":
        worth = None if self.worth is None else Worth(-self.worth)
        return Score(worth, self.plies, -self.points, 1.0 - self.chance)

    def _key(self) -> tuple[int, float, float]:
        if self.worth in (Worth.WIN, Worth.LOSS):
            # A win of unknown length may be the longest.
            length = math.inf if self.plies is None else self.plies
            return (self.worth, -length * self.worth, 0.0)
        return (0, self.points, self.chance)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return (self.worth is None) == (other.worth is None) and self._key() == other._key()

    def __lt__(self, other: "Score") -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash((self.worth is None, self._key()))

    def __str__(self) -> str:
        """`#3` a win in three plies, `-#4` a loss in four, `=` a draw, `+25` an estimate in points."""
        if self.worth is None:
            return f"{self.points:+d}"
        if self.worth is Worth.DRAW:
            return "="
        return f"{'-' if self.worth is Worth.LOSS else ''}#{'' if self.plies is None else self.plies}"


def ended(outcome: Outcome, player: Player) -> Score:
    """What the end of a game is worth to a player."""
    if outcome.winner is None:
        return Score.draw()
    return Score.win(0) if outcome.winner is player else Score.loss(0)


def one_ply_on(score: Score) -> Score:
    """The score a ply before it."""
    if score.plies is None:
        return score
    return Score(score.worth, score.plies + 1, score.points, score.chance)


@dataclass(frozen=True)
class ScoredLine:
    """Moves that an engine expects, and how good the first of them is for the player who makes it."""

    score: Score
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class RootMove:
    """How a tree search came to see one of the moves it could make."""

    move: Move
    #: How many simulations began with it.
    visits: int
    #: Their mean, from -1 (lost) to 1 (won) for the player to move; 0 where there were none.
    value: float
    #: How much the move was trusted beforehand; those of all moves add up to 1.
    prior: float


@dataclass(frozen=True)
class Analysis:
    """What an engine knows of a position, at the end of a search or on the way: the best lines first."""

    lines: tuple[ScoredLine, ...]
    #: Plies searched, where the engine goes by depth.
    depth: int
    nodes: int
    seconds: float
    #: Whether the value of the position is proven: then no search will ever say anything else.
    exact: bool
    #: Where the engine grows a tree, every move that it considered, the best first: not only those that have lines.
    root: tuple[RootMove, ...] = ()

    @property
    def score(self) -> Score:
        return self.lines[0].score

    @property
    def move(self) -> Move:
        return self.lines[0].moves[0]

    def prior(self, line: ScoredLine) -> float | None:
        """How much the first move of a line was trusted before any search, as by a net; None where nothing tells."""
        return next((seen.prior for seen in self.root if seen.move == line.moves[0]), None)


# ---------------------------------------------------------------------------------------------------------- the engine


class Flag(Protocol):
    """Set from outside to stop a search: a `threading.Event`, or its native like."""

    def set(self) -> object: ...

    def is_set(self) -> bool: ...


Listener = Callable[[Analysis], object]


class Engine(ABC):
    """Finds moves: `play`, `analyse` and `start` are for everybody. One engine does one search at a time; a second one
    waits. Lines are checked by the rules of the game before anybody sees them: an engine that breaks the rules raises
    `EngineError`.

    A kind of engine defines `search`, and `new_stop_flag` if it needs a flag of its own. An engine that wraps another
    calls these two of it, as nothing else does.
    """

    #: Whether it ends a search by itself, soon, when no limit is set.
    stops_by_itself: ClassVar[bool] = False

    def __init__(self) -> None:
        self._busy = threading.Lock()

    @abstractmethod
    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        """Search from a game that goes on, telling the listener what is known now and then, until a limit is met or
        the flag is set. There is a move to play however early that is. Nobody else uses the engine meanwhile."""

    def new_stop_flag(self) -> Flag:
        return threading.Event()

    @abstractmethod
    def forget(self) -> None:
        """Forget earlier searches: the next one depends on nothing but what it is asked."""

    def begin(self, seed: int) -> None:
        """Another game begins. What an engine does by chance depends on the seed from now on."""
        self.forget()

    def close(self) -> None:  # noqa: B027  # most engines hold nothing
        """Let go of whatever the engine holds besides memory."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, subject: Subject, limit: Limit) -> Move:
        """The move that the engine would make."""
        return self.analyse(subject, limit).move

    def analyse(
        self,
        subject: Subject,
        limit: Limit,
        *,
        lines: int = 1,
        stop: Flag | None = None,
        listener: Listener = lambda _: None,
    ) -> Analysis:
        """Search, and say what was found: as many of the best moves as wanted, or as there are. `stop`, a flag of
        `new_stop_flag`, ends the search when it is set; `listener` is told what is known on the way."""
        node = _asked(subject, lines)
        checker = _Checker(node.position)

        def tell(analysis: Analysis) -> None:
            listener(checker.checked(analysis))

        with self._busy:
            found = self.search(node, limit, lines, self.new_stop_flag() if stop is None else stop, tell)
            return checker.checked(found)

    def start(self, subject: Subject, limit: Limit, *, lines: int = 1) -> "Running":
        """Begin a search in a thread of its own."""
        return Running(self, _asked(subject, lines), limit, lines)


def _asked(subject: Subject, lines: int) -> Node:
    """What the engine is asked about: no more than the player to move may know."""
    if lines < 1:
        raise EngineError(Text("pede pelo menos uma linha", "ask for at least one line"))
    node = node_of(subject)
    return node.seen_by(node.position.turn)


def node_of(subject: Subject) -> Node:
    """The point of a game that a search is asked about; the game must go on there."""
    if isinstance(subject, Game):
        node, over = subject.last, subject.outcome is not None
    else:
        node = Node(subject) if isinstance(subject, Position) else subject
        over = node.outcome is not None
    if over:
        raise EngineError(GAME_OVER)
    return node


class _Checker:
    """Checks the lines of one search by the rules. It remembers the positions of the last lines: those that a search
    that is stopped ends with are most often the same, and checking many takes longer than stopping may."""

    def __init__(self, start: Position) -> None:
        self._start = start
        #: The positions reached by the beginnings of lines.
        self._reached: dict[tuple[Move, ...], Position] = {}

    def checked(self, analysis: Analysis) -> Analysis:
        reached: dict[tuple[Move, ...], Position] = {}
        for line in analysis.lines:
            position = self._start
            for ply, move in enumerate(line.moves, 1):
                beginning = line.moves[:ply]
                known = reached.get(beginning) or self._reached.get(beginning)
                position = reached[beginning] = known or self._play(position, move)
        self._reached = reached
        if len({line.moves[0] for line in analysis.lines}) != max(len(analysis.lines), 1):
            raise EngineError(Text("o motor não deu linhas diferentes", "the engine did not give lines that differ"))
        return analysis

    @staticmethod
    def _play(position: Position, move: Move) -> Position:
        if move not in position.legal_moves():
            raise EngineError(
                Text(
                    f"o motor quis jogar {move}, que não é legal em {position}",
                    f"the engine wanted to play {move}, which is not legal in {position}",
                )
            )
        return position.play(move)


class Running:
    """A search that runs. Iterating gives what it finds as it finds it; `result` waits for the end.

    As a context manager it ends the search on the way out.
    """

    def __init__(self, engine: Engine, node: Node, limit: Limit, lines: int) -> None:
        self._stop = engine.new_stop_flag()
        self._found: queue.SimpleQueue[Analysis | None] = queue.SimpleQueue()
        self._result: Analysis | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, args=(engine, node, limit, lines), daemon=True)
        self._thread.start()

    def _work(self, engine: Engine, node: Node, limit: Limit, lines: int) -> None:
        try:
            self._result = engine.analyse(node, limit, lines=lines, stop=self._stop, listener=self._found.put)
        except BaseException as error:
            self._error = error
        finally:
            self._found.put(None)

    def stop(self) -> None:
        """End the search soon; what it has found so far is its result."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait that many seconds at most; whether the search has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def result(self) -> Analysis:
        """Wait until the search ends."""
        self._thread.join()
        if self._result is None:
            assert self._error is not None
            raise self._error
        return self._result

    def __iter__(self) -> Iterator[Analysis]:
        """Each analysis as it is found, and the result last."""
        while (analysis := self._found.get()) is not None:
            yield analysis
        self._found.put(None)  # a second iteration sees the end too
        yield self.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._thread.join()
