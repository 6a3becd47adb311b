"""What engines are asked for game sessions: the moves of computer players, and hints for people."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from tabuleiro.language import Text
from tabuleiro.players import TOP
from tabuleiro.server.engines import THINKING, Engines, WorkerLostError
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.fairness import FairQueue, Level
from tabuleiro.server.log import Decision, Guest, Json, OpenStream
from tabuleiro.server.sessions import GameSession, find_move
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
#: How often a move is asked for when workers are lost.
MOST_TRIES = 3

OpenSession = OpenStream[GameSession]
Act = Callable[[OpenSession, Callable[[GameSession], Decision | None]], Awaitable[int]]


class Thinking:
    def __init__(self, engines: Engines, act: Act, is_followed: Callable[[OpenSession], bool], tasks: Tasks) -> None:
        """`act` makes the move that was found; a session that nobody follows waits for all those that somebody
        does."""
        self.engines = engines
        self._act = act
        self._is_followed = is_followed
        self._tasks = tasks
        #: By address, then guest, then session.
        self._queue = FairQueue([Level(asked=MAX_ASKED), Level(at_once=MAX_QUESTIONS), Level()], slots=engines.workers)
        #: Whence each guest was last heard of. Those of whom nothing was heard since the server started share the
        #: address None.
        self._addresses: OrderedDict[Guest, str] = OrderedDict()
        #: By session.
        self._thinking: dict[str, asyncio.Task[None]] = {}
        #: Sessions whose question waits for its turn, or was one too many.
        self._unasked: set[str] = set()

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
        if (thinking := self._thinking.pop(opened.stream.id, None)) is not None:
            thinking.cancel()

    async def _think(self, opened: OpenSession, level: int) -> None:
        session = opened.stream
        ply = len(session.history)
        seconds = THINKING
        if session.clock is not None:
            seconds = min(THINKING, session.clock.left[session.turn - 1] * PART_OF_CLOCK)
        # A weaker level thinks less.
        path, cost = self._path(session, _asker(session)), seconds * level / TOP
        try:
            async with self._queue.turn(
                *path, cost=cost, yields=lambda: not self._is_followed(opened), last=not _has_moved(session)
            ):
                self._unasked.discard(session.id)
                move = await self._choose(session, level, seconds)
        finally:
            if self._thinking.get(session.id) is asyncio.current_task():
                del self._thinking[session.id]
        await self._act(opened, lambda session: session.decide_engine_move(ply, move))

    async def _choose(self, session: GameSession, level: int, seconds: float) -> str:
        line = session.line()
        for _ in range(MOST_TRIES - 1):
            try:
                return await self.engines.choose(line, level, seconds)
            except WorkerLostError:
                continue
        return await self.engines.choose(line, level, seconds)

    async def hint(self, opened: OpenSession, guest: Guest | None) -> Json:
        """A good move for the player to move."""
        async with opened.held() as session:
            session.require_hint(guest)
            line, number = session.line(), session.number
        async with self._queue.turn(*self._path(session, guest or 0), cost=THINKING):
            move = await self.engines.hint(line)
        async with opened.held() as session:
            if session.number != number:
                raise RefusedError(
                    "stale", Text("entretanto a partida mudou", "the game has changed in the meantime"), 409
                )
            return {"move": move, "clicks": session.last.position.clicks(find_move(session.last, move))}


def _has_moved(session: GameSession) -> bool:
    """Whether a person has moved. A guest earns their share by that: games in which only the computer has moved, which
    a program begins by the hundred, wait for the others behind the same address."""
    members = session.members()
    return any(entry["player"] in members for entry in session.history)


def _asker(session: GameSession) -> Guest:
    """For whom a computer player thinks: the person in the other seat."""
    return next(iter(session.members().values()), 0)
