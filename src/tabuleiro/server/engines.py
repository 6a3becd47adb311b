"""Who thinks: processes of their own, so that thinking never holds up a move of anybody else. Computer players do.

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
from typing import Any, NamedTuple, Protocol

from tabuleiro.core import Move, TabuleiroError
from tabuleiro.language import Text
from tabuleiro.players import TOP, make_engine
from tabuleiro.record import Game, Line
from tabuleiro.search import Limit
from tabuleiro.server.errors import Refusal, RefusedError, refusal_of
from tabuleiro.server.loglines import log, log_libraries

LEVELS = range(1, TOP + 1)
#: The seconds for which a computer player thinks about a move, at most.
THINKING = 1.0
#: Seconds between two looks of a worker that thinks whether the answer is still wanted.
GLANCE = 0.01
#: A worker that answers this many seconds too late is lost.
GRACE = 20.0
#: A worker that has not even started after this many seconds is lost. On a crowded machine that takes its time, and to
#: begin again takes longer still.
STARTING = 120.0
#: How far computer players give way to the server: moves are promised in time.
PLAYERS_GIVE_WAY = 5
#: The bytes that a worker may use.
MEMORY = 2 << 30

_SPAWN = multiprocessing.get_context("spawn")
_STOP = "stop"
_READY = "ready"


class WorkerLostError(TabuleiroError):
    """A computer player gave no answer."""


LOST = Text("o computador perdeu-se nas contas", "the computer lost its way")


class _Failure(NamedTuple):
    """What a worker says when it could not answer. Exceptions themselves do not travel well."""

    reason: str
    #: When the question itself was wrong.
    refusal: Refusal | None = None


class Question(Protocol):
    """What a worker can be asked. Questions travel to another process."""

    @property
    def game(self) -> str: ...

    @property
    def patience(self) -> float:
        """The seconds after which a worker that has not answered is lost."""

    def answer(self, stop: Callable[[], bool]) -> Any:
        """In the worker: the answer, or any one soon when `stop()` says that nobody wants it any more."""


class NextMove(NamedTuple):
    """The move of a computer player."""

    line: Line
    #: The name of an engine, as `level:3`.
    engine: str
    seconds: float

    @property
    def game(self) -> str:
        return self.line.game

    @property
    def patience(self) -> float:
        return self.seconds + GRACE

    def answer(self, stop: Callable[[], bool]) -> str:
        game = self.line.replay()
        return game.position.move_str(move_for(self.engine, game, self.seconds, stop))


# ------------------------------------------------------------------------------------------------ the player of a name


def move_for(name: str, game: Game, seconds: float, stop: Callable[[], bool]) -> Move:
    """The move of a computer player; chance differs from move to move, so that no two games need be alike."""
    engine = make_engine(name, game.position.id)
    engine.begin(random.getrandbits(32))
    running = engine.start(game, Limit(seconds=seconds))
    while not running.wait(GLANCE):
        if stop():
            running.stop()
    return running.result().move


# ------------------------------------------------------------------------------------------------------ in the worker


def _work(connection: Connection, give_way: int) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then tells us
    log_libraries()
    _take_limits(give_way)
    connection.send(_READY)
    while True:
        try:
            question = connection.recv()
        except (EOFError, OSError):
            return
        if question == _STOP:
            continue
        try:
            answer = question.answer(connection.poll)
        except TabuleiroError as error:
            answer = _Failure(str(error), refusal_of(error))
        except Exception as error:
            answer = _Failure(f"{type(error).__name__}: {error}")
        with contextlib.suppress(BrokenPipeError):
            connection.send(answer)


def _take_limits(give_way: int) -> None:
    """Give way to the server, and do not eat the machine."""
    if sys.platform != "win32":
        import resource

        os.nice(give_way)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


# ------------------------------------------------------------------------------------------------------- in the server


class _Worker:
    def __init__(self, give_way: int) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_work, args=(theirs, give_way), daemon=True)
        self.process.start()
        theirs.close()
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="engine")

    def exchange(self, question: Question) -> Any:
        self.connection.send(question)
        answer = self.connection.recv()
        if isinstance(answer, _Failure):
            if answer.refusal is not None:
                raise RefusedError(*answer.refusal)
            log("engine_failed", level="error", error=answer.reason, game=question.game)
            raise WorkerLostError(LOST)
        return answer

    def end(self) -> None:
        self.process.kill()
        self.connection.close()
        self.thread.shutdown(wait=False)


class Pool:
    """Workers of one server process. Who asks waits for one that is idle; whose turn it is, `FairQueue` says."""

    def __init__(self, workers: int, give_way: int) -> None:
        self._give_way = give_way
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._all: set[_Worker] = set()
        self._returning: set[asyncio.Task[None]] = set()
        self._closed = False
        self.workers = workers
        for _ in range(workers):
            self._hire()

    @property
    def alive(self) -> int:
        """How many workers run."""
        return sum(worker.process.is_alive() for worker in self._all)

    async def close(self) -> None:
        self._closed = True
        for worker in self._all:
            worker.end()
        await asyncio.gather(*self._returning, return_exceptions=True)

    def _hire(self) -> None:
        worker = _Worker(self._give_way)
        self._all.add(worker)
        ready = asyncio.get_running_loop().run_in_executor(worker.thread, worker.connection.recv)
        self._expect_back(worker, ready, STARTING)

    async def ask(self, question: Question) -> Any:
        """The answer to a question. Cancelling the wait stops the thinking."""
        worker = await self._idle.get()
        loop = asyncio.get_running_loop()
        answer = loop.run_in_executor(worker.thread, worker.exchange, question)
        try:
            return await asyncio.wait_for(asyncio.shield(answer), question.patience)
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):
                worker.connection.send(_STOP)
            raise
        except (TimeoutError, EOFError, OSError) as error:
            # The worker is killed under the question, whose end nobody hears.
            answer.add_done_callback(asyncio.Future.exception)
            log("engine_lost", level="warning", game=question.game)
            self._dismiss(worker)
            raise WorkerLostError(LOST) from error
        finally:
            if worker in self._all:
                self._expect_back(worker, answer, question.patience)

    def _expect_back(self, worker: _Worker, answer: "asyncio.Future[Any]", patience: float) -> None:
        returning = asyncio.get_running_loop().create_task(self._welcome_back(worker, answer, patience))
        self._returning.add(returning)
        returning.add_done_callback(self._returning.discard)

    async def _welcome_back(self, worker: _Worker, answer: "asyncio.Future[Any]", patience: float) -> None:
        """A worker is idle once it has started, and again once it has answered, whether or not anybody still wants to
        know."""
        done, _ = await asyncio.wait([answer], timeout=patience)
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


class Engines(Pool):
    """The computer players of one server process."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers, PLAYERS_GIVE_WAY)

    async def choose(self, line: Line, level: int, seconds: float = THINKING) -> str:
        """The move of a computer player of that level."""
        move: str = await self.ask(NextMove(line, f"level:{level}", min(seconds, THINKING)))
        return move

    async def hint(self, line: Line) -> str:
        """A good move, for a person who asks."""
        move: str = await self.ask(NextMove(line, f"level:{LEVELS[-1]}", THINKING))
        return move
