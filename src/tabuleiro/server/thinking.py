"""What engines are asked for game sessions: the moves of computer players, and hints for people.

Nobody waits long for a reply: the more questions there are, the less time each of them has. An address has its share of
the time, and so has every question from there; a question that is being thought about ends sooner when others come.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial

from tabuleiro.players import TOP
from tabuleiro.server.coaching import COACHING, Coached, CoachQuestion
from tabuleiro.server.engines import THINKING, Engines, WorkerLostError
from tabuleiro.server.fairness import FairQueue, Level
from tabuleiro.server.log import Decision, Guest, Json, OpenStream
from tabuleiro.server.moves import find_move
from tabuleiro.server.sessions import GameSession
from tabuleiro.server.tasks import Tasks

#: Questions of one guest that engines have at the same time, whether or not others wait.
MAX_QUESTIONS = 2
#: Questions of one address that are being answered or wait: more than a school has at any moment. Beyond that the games
#: that somebody looks at are asked about, and the others later, when they are due.
MAX_ASKED = 200
#: Guests whose address is remembered; those not heard of for longest go first.
MAX_REMEMBERED = 50_000
#: A computer player with a clock thinks for this part of what it has left.
PART_OF_CLOCK = 1 / 20
#: Within these seconds all questions of the moment are answered, by giving each as little time as that takes. The rest
#: of the three seconds in which a reply is promised is for everything else that a reply needs.
ROUND = 1.9
#: The seconds after which a question no longer waits for the worker that keeps the engine of its game, nor for those
#: who have moved already: where one worker keeps more games than the others do, some find another.
PATIENCE = ROUND
#: The least time that a move gets, in seconds.
LEAST = 0.02
#: Many questions need less than the time they may take: a position that is solved, a move there is no choice about. The
#: part that they need, on average of about so many, leaves the rest of it to the others; but no part below this counts.
REMEMBERED_THOUGHTS, LEAST_USED = 50, 0.65
#: How often a move is asked for when workers are lost.
MOST_TRIES = 3
#: Seconds between two looks whether a computer player may think again.
SILENCE = 3.0

OpenSession = OpenStream[GameSession]
Act = Callable[[OpenSession, Callable[[GameSession], Decision | None]], Awaitable[int]]


class _Thought:
    """A question that is being thought about: since when, for how long, and what ends it if that became shorter."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._begun = time.monotonic()
        self._ending: asyncio.TimerHandle | None = None

    @property
    def used(self) -> float:
        """The part of its time that is over."""
        return min((time.monotonic() - self._begun) / self.seconds, 1.0)

    def shall_end(self, end: Callable[[], None] | None) -> None:
        """When its seconds are over, by this; by itself, if None."""
        if self._ending is not None:
            self._ending.cancel()
        if end is not None:
            left = max(self._begun + self.seconds - time.monotonic(), 0.0)
            self._ending = asyncio.get_running_loop().call_later(left, end)


class Thinking:
    def __init__(self, engines: Engines, act: Act, is_followed: Callable[[OpenSession], bool], tasks: Tasks) -> None:
        """`act` makes the move that was found; a session that nobody follows waits for all those that somebody
        does."""
        self.engines = engines
        self._act = act
        self._is_followed = is_followed
        self._tasks = tasks
        #: Whether a computer player may think about a session now.
        self.may_think: Callable[[OpenSession], Awaitable[bool]] = _always
        #: By address, then guest, then session.
        self._queue = FairQueue(
            [Level(asked=MAX_ASKED), Level(at_once=MAX_QUESTIONS), Level()], slots=lambda: engines.workers
        )
        #: Whence each guest was last heard of. Those of whom nothing was heard since the server started share the
        #: address None.
        self._addresses: OrderedDict[Guest, str] = OrderedDict()
        #: By session.
        self._thinking: dict[str, asyncio.Task[None]] = {}
        #: Sessions whose question waits for its turn, or was one too many.
        self._unasked: set[str] = set()
        #: The sessions about which engines are asked now, waiting or not, and from which address each is.
        self._asked: dict[str, tuple[OpenSession, str | None]] = {}
        #: Those of them that are being thought about.
        self._thoughts: dict[str, _Thought] = {}
        #: The part of the time that thoughts could have which they took, of late.
        self._used = 1.0

    def __len__(self) -> int:
        """The sessions in which a computer player thinks."""
        return len(self._thinking)

    def heard_of(self, guest: Guest | None, address: str) -> None:
        """A guest asks for something, from an address: what engines are asked for them counts towards its share."""
        if guest is not None:
            self._addresses[guest] = address
            self._addresses.move_to_end(guest)
            if len(self._addresses) > MAX_REMEMBERED:
                self._addresses.popitem(last=False)

    def _path(self, session: GameSession, guest: Guest) -> tuple[str | None, Guest, str]:
        return self._addresses.get(guest), guest, session.id

    def is_thinking(self, opened: OpenSession) -> bool:
        return opened.stream.id in self._thinking

    def go_on(self, opened: OpenSession) -> None:
        """After something has happened: a computer player whose turn it is begins to think. A question too many is
        not asked; the session is due again."""
        if opened.stream.id in self._thinking or self._unasked or self._asked:
            self.stop(opened)
        if (level := opened.stream.engine_level) is not None:
            self._unasked.add(opened.stream.id)
            self._thinking[opened.stream.id] = self._tasks.spawn(self._think(opened, level))

    def ask_again(self, opened: OpenSession) -> None:
        """Somebody looks at a session: ask what was not asked while nobody did."""
        if opened.stream.id in self._unasked and not self.is_thinking(opened):
            self.go_on(opened)

    def stop(self, opened: OpenSession) -> None:
        self._unasked.discard(opened.stream.id)
        self._asked.pop(opened.stream.id, None)
        if (thinking := self._thinking.pop(opened.stream.id, None)) is not None:
            thinking.cancel()

    async def _think(self, opened: OpenSession, level: int) -> None:
        session = opened.stream
        ply = len(session.history)
        try:
            while not await self.may_think(opened):
                await asyncio.sleep(SILENCE)
            seconds = THINKING
            if session.clock is not None:
                seconds = min(THINKING, session.clock.left[session.turn - 1] * PART_OF_CLOCK)
            # A weaker level thinks less.
            path, cost = self._path(session, _asker(session)), seconds * level / TOP
            self._asked[session.id] = (opened, path[0])
            self._shorten()
            asked = time.monotonic()

            def has_waited_long() -> bool:
                return time.monotonic() - asked > PATIENCE

            async with self._queue.turn(
                *path,
                cost=cost,
                yields=lambda: not self._is_followed(opened),
                last=lambda: not _has_moved(session) and not has_waited_long(),
                fits=lambda: self.engines.is_placed_well(session.id) or has_waited_long(),
                # How long it may think is shared out already.
                charge=level / TOP,
            ):
                self._unasked.discard(session.id)
                move = await self._choose(session, level, seconds)
        finally:
            if self._thinking.get(session.id) is asyncio.current_task():
                del self._thinking[session.id]
                self._asked.pop(session.id, None)
        await self._act(opened, lambda session: session.decide_engine_move(ply, move))

    async def _choose(self, session: GameSession, level: int, seconds: float) -> str:
        line, place = session.line(), session.id
        for tries in range(MOST_TRIES, 0, -1):
            seconds = min(seconds, self._share(place))
            thought = self._thoughts[place] = _Thought(seconds)
            try:
                move = await self.engines.choose(line, level, seconds, place, str(_asker(session)))
                self._used += (thought.used - self._used) / REMEMBERED_THOUGHTS
                return move
            except WorkerLostError:
                if tries == 1:
                    raise
            finally:
                thought.shall_end(None)
                if self._thoughts.get(place) is thought:
                    del self._thoughts[place]
        raise AssertionError

    # -- how long ---------------------------------------------------------------------------------------------------

    def _share(self, place: str) -> float:
        """The seconds that a question may take, so that everybody is answered within a round: every address has the
        same part of it, and so has every question of an address. What nobody follows waits, and takes nobody's time."""
        addresses = Counter(
            address for other, (opened, address) in self._asked.items() if other == place or self._is_followed(opened)
        )
        _, mine = self._asked[place]
        questions = len(addresses) * addresses[mine] * max(self._used, LEAST_USED)
        return max(LEAST, min(THINKING, ROUND * self.engines.workers / questions))

    def _shorten(self) -> None:
        """A question has come: those that are being thought about have less time now."""
        for place, thought in self._thoughts.items():
            if place in self._asked and (seconds := self._share(place)) < thought.seconds:
                thought.seconds = seconds
                thought.shall_end(partial(self.engines.hurry, place))

    async def hint(self, opened: OpenSession, guest: Guest | None) -> Json:
        """A good move for the player to move."""
        async with opened.held() as session:
            session.require_hint(guest)
            line, number, node = session.line(), session.number, session.last
        async with self._queue.turn(*self._path(session, guest or 0), cost=THINKING, charge=1.0):
            seconds = min(THINKING, ROUND * self.engines.workers / self._queue.asked)
            move = await self.engines.hint(line, seconds, str(guest))
        await self._act(opened, lambda session: session.decide_hint(guest, number))
        return {"move": move, "clicks": node.position.clicks(find_move(node.position, move))}

    async def coach(self, opened: OpenSession, guest: Guest | None, question: CoachQuestion) -> Coached | None:
        """What the coach has to say to the player to move."""
        async with self._queue.turn(*self._path(opened.stream, guest or 0), cost=COACHING, charge=COACHING):
            said: Coached | None = await self.engines.ask(question, opened.stream.id, str(guest))
            return said


async def _always(opened: OpenSession) -> bool:
    return True


def _has_moved(session: GameSession) -> bool:
    """Whether a person has moved. A guest earns their share by that: games in which only the computer has moved, which
    a program begins by the hundred, wait for the others behind the same address, for a while."""
    members = session.members()
    return any(entry["player"] in members for entry in session.history)


def _asker(session: GameSession) -> Guest:
    """For whom a computer player thinks: the person in the other seat."""
    return next(iter(session.members().values()), 0)
