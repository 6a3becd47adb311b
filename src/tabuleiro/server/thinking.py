"""What engines are asked for game sessions: the moves of computer players, and hints for people."""

import asyncio
from collections.abc import Awaitable, Callable

from tabuleiro.language import Text
from tabuleiro.server.engines import THINKING, Engines, WorkerLostError
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.fairness import FairQueue, Level
from tabuleiro.server.log import Decision, Guest, Json, OpenStream
from tabuleiro.server.sessions import GameSession, find_move
from tabuleiro.server.tasks import Tasks

#: Questions of one guest that engines have at the same time: who plays a hundred games against the computer has two
#: places in the queue, as everybody else.
MAX_QUESTIONS = 2
#: A computer player with a clock thinks for this part of what it has left.
PART_OF_CLOCK = 1 / 20
#: How often a move is asked for when workers are lost.
MOST_TRIES = 3

OpenSession = OpenStream[GameSession]
Act = Callable[[OpenSession, Callable[[GameSession], Decision | None]], Awaitable[int]]


class Thinking:
    def __init__(self, engines: Engines, act: Act, tasks: Tasks) -> None:
        """`act` makes the move that was found."""
        self.engines = engines
        self._act = act
        self._tasks = tasks
        self._queue = FairQueue([Level(at_once=MAX_QUESTIONS)])
        #: By session.
        self._thinking: dict[str, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        """The sessions in which a computer player thinks."""
        return len(self._thinking)

    def is_thinking(self, opened: OpenSession) -> bool:
        return opened.stream.id in self._thinking

    def go_on(self, opened: OpenSession) -> None:
        """After something has happened: a computer player whose turn it is begins to think."""
        self.stop(opened)
        if (level := opened.stream.engine_level) is not None:
            self._thinking[opened.stream.id] = self._tasks.spawn(self._think(opened, level))

    def stop(self, opened: OpenSession) -> None:
        if (thinking := self._thinking.pop(opened.stream.id, None)) is not None:
            thinking.cancel()

    async def _think(self, opened: OpenSession, level: int) -> None:
        session = opened.stream
        ply = len(session.history)
        seconds = THINKING
        if session.clock is not None:
            seconds = min(THINKING, session.clock.left[session.turn - 1] * PART_OF_CLOCK)
        try:
            async with self._queue.turn(_asker(session), cost=seconds):
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
        async with self._queue.turn(guest or 0, cost=THINKING):
            move = await self.engines.hint(line)
        async with opened.held() as session:
            if session.number != number:
                raise RefusedError(
                    "stale", Text("entretanto a partida mudou", "the game has changed in the meantime"), 409
                )
            return {"move": move, "clicks": session.last.position.clicks(find_move(session.last, move))}


def _asker(session: GameSession) -> Guest:
    """For whom a computer player thinks: the person in the other seat."""
    return next(iter(session.members().values()), 0)
