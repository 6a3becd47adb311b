"""Where tasks are done: every act of a pupil is judged in a process of its own, because what is true of a position may
take a while to find out.

Nothing is kept between two acts but what was worked out: a page sends all that its pupil did, and what is not
remembered is done again, an act at a time, in turns that are shared out fairly.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from tabuleiro.diagrams import Overlay
from tabuleiro.games import get
from tabuleiro.learn import Attempt, Step, Task, Verdict, act, live_overlay, truth
from tabuleiro.learn.live import drawn
from tabuleiro.learn.points import Point, themes_of_point
from tabuleiro.record import Line, Node
from tabuleiro.server.engines import Pool, Question, WorkerLostError
from tabuleiro.server.fairness import FairQueue, Level
from tabuleiro.server.learning.asked import AboutLine, Unhurried

#: How far those who judge give way: a pupil waits for them, but moves of games come first.
JUDGES_GIVE_WAY = 8
#: Acts that may have been asked for: of all who share an address, and of one guest, of whom two at a time are judged. A
#: class that makes its first move all at once is one guest: nothing is known of anybody before that.
LEVELS = (Level(asked=500), Level(at_once=2, asked=60))
#: Attempts that are remembered.
REMEMBERED = 20_000


class Came(NamedTuple):
    """What came of an act, and what is drawn on the board then."""

    attempt: Attempt
    verdict: Verdict | None
    hint: Step | None
    overlay: Overlay


@dataclass(frozen=True)
class Acted(Unhurried):
    """An act to be judged; None: how it stands is wanted."""

    attempt: Attempt
    said: str | None

    @property
    def game(self) -> str:
        return self.attempt.task.line.game

    def answer(self, _: Callable[[], bool]) -> Came:
        attempt, found = (self.attempt, None) if self.said is None else act(self.attempt, self.said)
        verdict = found if isinstance(found, Verdict) else None
        hint = found if isinstance(found, Step) else None
        return Came(attempt, verdict, hint, live_overlay(attempt.node(), attempt.task.diagram))


@dataclass(frozen=True)
class Drawn(AboutLine):
    """What is to be drawn over the last position of a line."""

    live: tuple[str, ...]

    def answer(self, _: Callable[[], bool]) -> Overlay:
        return drawn(self.line.replay().last, self.live)


@dataclass(frozen=True)
class Themes(Unhurried):
    """What a mistake is about, in the themes of puzzles."""

    point: Point

    @property
    def game(self) -> str:
        return self.point.game

    def answer(self, _: Callable[[], bool]) -> tuple[str, ...]:
        return themes_of_point(self.point)


class Asker(NamedTuple):
    """Who does a task."""

    address: str
    #: Who has done something before is known; those behind one address of whom nothing is known are one.
    guest: Hashable


def read_what_takes_long() -> None:
    """In a worker: the proof and the book of Rastros, half a second, before the first pupil waits for them."""
    truth.value(get("rastros").start())


class TaskRoom:
    """The tasks that are being done in this process."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._queue = FairQueue(LEVELS, slots=lambda: workers)
        #: Started when somebody first comes: a server where nobody learns costs less.
        self._pool: Pool | None = None
        self._known: OrderedDict[Hashable, Attempt] = OrderedDict()

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()

    def open(self) -> Pool:
        """Those who judge. They take a while to come: whoever looks at a task lets them."""
        if self._pool is None:
            self._pool = Pool(self._workers, JUDGES_GIVE_WAY, prepare=read_what_takes_long)
        return self._pool

    async def attempt(
        self,
        asker: Asker,
        ref: str,
        task: Task,
        seed: int,
        acts: Sequence[str],
        require_free: Callable[[Line], Awaitable[None]],
    ) -> tuple[Came, Attempt]:
        """What comes of the last of these acts, and how it stood before it. `require_free` refuses lines about which
        nothing may be said now."""
        key = (ref, task.goal, task.line, task.answer, seed)
        done, attempt = self._furthest(key, Attempt(task, seed=seed), acts)
        if not acts:
            await require_free(line_of(attempt.node()))
            still = Came(attempt, None, None, task.diagram.overlay)
            return await self._judged(asker, Acted(attempt, None)) if task.diagram.live else still, attempt
        while True:
            said = acts[done]
            moved = [said.removeprefix("move ").strip()] if said.startswith("move ") else []
            await require_free(line_of(attempt.node(), *moved))
            came = await self._judged(asker, Acted(attempt, said))
            done += 1
            self._remember((key, tuple(acts[:done])), came.attempt)
            if done == len(acts):
                return came, attempt
            attempt = came.attempt

    async def overlay(self, asker: Asker, line: Line, live: tuple[str, ...]) -> Overlay:
        """What is drawn over the last position of a line."""
        found: Overlay = await self.ask(asker, Drawn(line, live))
        return found

    async def _judged(self, asker: Asker, acted: Acted) -> Came:
        came: Came = await self.ask(asker, acted)
        return came._replace(attempt=replace(came.attempt, task=acted.attempt.task))

    async def ask(self, asker: Asker, question: Question) -> Any:
        """The answer to a question about a task or a position, in turn."""
        async with self._queue.turn(*asker):
            try:
                return await self.open().ask(question)
            except WorkerLostError:
                return await self.open().ask(question)  # a worker was lost; another one may have better luck

    def _furthest(self, key: Hashable, begin: Attempt, acts: Sequence[str]) -> tuple[int, Attempt]:
        """How many acts need not be judged again, the last one always, and the attempt after them."""
        for done in range(len(acts) - 1, 0, -1):
            found = self._known.get((key, tuple(acts[:done])))
            if found is not None:
                return done, replace(found, task=begin.task)
        return 0, begin

    def _remember(self, key: Hashable, attempt: Attempt) -> None:
        self._known[key] = attempt
        self._known.move_to_end(key)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def line_of(node: Node, *moves: str) -> Line:
    """The line that leads to a point of a game, and goes on with these moves."""
    line = Line.of(node)
    return replace(line, moves=(*line.moves, *moves))
