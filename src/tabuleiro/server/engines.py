"""Computer players: processes of their own, so that thinking never holds up a move of anybody else.

A worker answers one question at a time. It is told when the answer is no longer wanted; one that takes far too long, or
dies, is replaced.
"""

import asyncio
import contextlib
import multiprocessing
import os
import random
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import NamedTuple

from tabuleiro import games
from tabuleiro.core import Move, TabuleiroError
from tabuleiro.language import Text
from tabuleiro.record import Game
from tabuleiro.search import Limit, level_engine
from tabuleiro.server.logs import log

LEVELS = range(1, 11)
#: The longest a computer player thinks about a move.
THINKING = 1.0
#: How often a worker that thinks looks whether the answer is still wanted.
GLANCE = 0.01
#: A worker that answers so much too late is lost.
GRACE = 3.0
#: Questions that may wait for a worker.
MAX_WAITING = 200
MEMORY = 2 << 30

_SPAWN = multiprocessing.get_context("spawn")
_STOP = "stop"


class EngineError(TabuleiroError):
    """A computer player gave no answer."""


LOST = Text("o computador perdeu-se nas contas", "the computer lost its way")


class _Failure(NamedTuple):
    """What a worker says when it could not answer. Exceptions themselves do not travel well."""

    reason: str


class Question(NamedTuple):
    game: str
    options: dict[str, str]
    #: A position string, or None for the standard start.
    start: str | None
    moves: tuple[str, ...]
    level: int
    seconds: float


# --------------------------------------------------------------------------------------------- the player of each level


def move_for(level: int, game: Game, seconds: float, stop: Callable[[], bool]) -> Move:
    """The move of a computer player; chance differs from move to move, so that no two games need be alike."""
    engine = level_engine(game.position.id, level, seed=random.getrandbits(32))
    running = engine.start(game, Limit(seconds=seconds))
    while not running.wait(GLANCE):
        if stop():
            running.stop()
    return running.result().move


# ------------------------------------------------------------------------------------------------------ in the worker


def _work(connection: Connection) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then tells us
    _take_limits()
    while True:
        try:
            question = connection.recv()
        except (EOFError, OSError):
            return
        if question == _STOP:
            continue
        try:
            answer: str | _Failure = _answer(question, connection.poll)
        except Exception as error:
            answer = _Failure(f"{type(error).__name__}: {error}")
        with contextlib.suppress(BrokenPipeError):
            connection.send(answer)


def _answer(question: Question, stop: Callable[[], bool]) -> str:
    options = games.get(question.game).options_type.parse(question.options)
    game = Game.new(question.game, options, question.start)
    for move in question.moves:
        game.play(move)
    return game.position.move_str(move_for(question.level, game, question.seconds, stop))


def _take_limits() -> None:
    """Give way to the server, and do not eat the machine."""
    if sys.platform != "win32":
        import resource

        os.nice(5)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


# ------------------------------------------------------------------------------------------------------- in the server


class _Worker:
    def __init__(self) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_work, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="engine")

    def exchange(self, question: Question) -> str:
        self.connection.send(question)
        answer: str | _Failure = self.connection.recv()
        if isinstance(answer, _Failure):
            log("engine_failed", level="error", error=answer.reason, game=question.game)
            raise EngineError(LOST)
        return answer

    def end(self) -> None:
        self.process.kill()
        self.connection.close()
        self.thread.shutdown(wait=False)


class Engines:
    """The workers of one server process."""

    def __init__(self, workers: int) -> None:
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._all: set[_Worker] = set()
        self._returning: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._closed = False
        for _ in range(workers):
            self._hire()

    async def choose(
        self,
        game: str,
        options: dict[str, str],
        start: str | None,
        moves: tuple[str, ...],
        level: int,
        seconds: float = THINKING,
    ) -> str:
        """The move of a computer player of that level. Cancelling the wait stops the thinking."""
        return await self._ask(Question(game, options, start, moves, level, min(seconds, THINKING)))

    async def hint(self, game: str, options: dict[str, str], start: str | None, moves: tuple[str, ...]) -> str:
        """A good move, for a person who asks."""
        return await self._ask(Question(game, options, start, moves, LEVELS[-1], THINKING))

    async def close(self) -> None:
        self._closed = True
        for worker in self._all:
            worker.end()
        await asyncio.gather(*self._returning, return_exceptions=True)

    def _hire(self) -> None:
        worker = _Worker()
        self._all.add(worker)
        self._idle.put_nowait(worker)

    async def _ask(self, question: Question) -> str:
        if self._waiting >= MAX_WAITING:
            raise EngineError(
                Text(
                    "o computador tem muito em que pensar; tenta daqui a pouco", "the computer is busy; try again soon"
                )
            )
        self._waiting += 1
        try:
            worker = await self._idle.get()
        finally:
            self._waiting -= 1
        loop = asyncio.get_running_loop()
        answer = loop.run_in_executor(worker.thread, worker.exchange, question)
        try:
            return await asyncio.wait_for(asyncio.shield(answer), question.seconds + GRACE)
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):
                worker.connection.send(_STOP)
            raise
        except (TimeoutError, EOFError, OSError) as error:
            # The worker is killed under the question, whose end nobody hears.
            answer.add_done_callback(asyncio.Future.exception)
            log("engine_lost", level="warning", game=question.game, game_level=question.level)
            self._dismiss(worker)
            raise EngineError(LOST) from error
        finally:
            if worker in self._all:
                returning = loop.create_task(self._welcome_back(worker, answer))
                self._returning.add(returning)
                returning.add_done_callback(self._returning.discard)

    async def _welcome_back(self, worker: _Worker, answer: "asyncio.Future[str]") -> None:
        """A worker is idle again once it has answered, whether or not anybody still wants to know."""
        done, _ = await asyncio.wait([answer], timeout=THINKING + GRACE)
        if not done or isinstance(answer.exception(), EOFError | OSError):
            self._dismiss(worker)
        elif not self._closed:
            self._idle.put_nowait(worker)

    def _dismiss(self, worker: _Worker) -> None:
        if worker in self._all:
            self._all.discard(worker)
            worker.end()
            if not self._closed:
                self._hire()
