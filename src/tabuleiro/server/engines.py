"""Who thinks: processes of their own, so that thinking never holds up a move of anybody else. Computer players do, and
so does other work that takes long or reads what strangers sent (`jobs.py`).

A worker answers one question at a time. It is told when the answer is no longer wanted, or wanted at once; one that
takes far too long, or dies, is replaced. Questions about one game go to the worker that keeps its engine, with the tree
or the table that earlier moves have filled, unless that one is busy and another idle.
"""

import asyncio
import contextlib
import errno
import math
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from tabuleiro.core import Move, TabuleiroError
from tabuleiro.language import Text
from tabuleiro.players import TOP, make_engine
from tabuleiro.record import Game, Line
from tabuleiro.search import Engine, Limit
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
#: Engines that a worker keeps from move to move, and the memory of each in MiB.
KEPT, KEPT_MEMORY = 16, 24
#: Games of which it is remembered which worker keeps their engine.
MAX_PLACES = 10_000

_SPAWN = multiprocessing.get_context("spawn")
_STOP = "stop"
_READY = "ready"


class WorkerLostError(TabuleiroError):
    """A computer player gave no answer."""


class OutOfTimeError(WorkerLostError):
    """A worker took more seconds than it may, and was ended."""


class OutOfMemoryError(WorkerLostError):
    """A worker needed more memory, or a longer file, than it may have."""


LOST = Text("o computador perdeu-se nas contas", "the computer lost its way")
#: Seconds until it is known how a worker ended that has closed its connection.
ENDING_S = 5.0


class WorkerLimits(NamedTuple):
    """What a worker process may have."""

    #: Of address space.
    memory_bytes: int = MEMORY
    #: Of any file that it writes; None: as the system allows.
    file_bytes: int | None = None
    #: A worker that has ever had so much in memory leaves after its answer, so that its memory goes back to the system.
    recycle_bytes: int | None = None


THINKERS_LIMITS = WorkerLimits()


class _Failure(NamedTuple):
    """What a worker says when it could not answer. Exceptions themselves do not travel well."""

    reason: str
    #: When the question itself was wrong.
    refusal: Refusal | None = None
    #: When it needed more memory, or a longer file, than it may have.
    is_too_much: bool = False


class _Last(NamedTuple):
    """The answer of a worker that leaves after it."""

    answer: Any


class Question(Protocol):
    """What a worker can be asked. Questions travel to another process."""

    @property
    def game(self) -> str: ...

    @property
    def patience(self) -> float:
        """The seconds after which a worker that has not answered is lost."""

    def answer(self, stop: Callable[[], bool]) -> Any:
        """In the worker: the answer, or any one soon when `stop()` says that nobody wants it any more."""


class NobodyAnswersError(Exception):
    """No worker of another machine answers in time."""


class Elsewhere(Protocol):
    """Workers on other machines, who are asked first (`remote.py`)."""

    @property
    def threads(self) -> int:
        """How many questions they think about at the same time."""

    def takes(self, question: Question) -> bool:
        """Whether one of them is free for it."""

    async def ask(self, question: Question, place: str | None, asker: str) -> Any:
        """Raises `NobodyAnswersError`."""

    def hurry(self, place: str) -> None: ...


class NextMove(NamedTuple):
    """The move of a computer player."""

    line: Line
    #: The name of an engine, as `level:3`.
    engine: str
    seconds: float
    #: Of which game it is a move: its engine is kept for the next one.
    place: str | None = None

    @property
    def game(self) -> str:
        return self.line.game

    @property
    def patience(self) -> float:
        return self.seconds + GRACE

    def answer(self, stop: Callable[[], bool]) -> str:
        if self.place is None:
            game = self.line.replay()
            return game.position.move_str(move_for(self.engine, game, self.seconds, stop))
        kept = _kept.take(self.place, self.engine, self.line)
        return kept.game.position.move_str(_think(kept.engine, kept.game, self.seconds, stop))


# ------------------------------------------------------------------------------------------------ the player of a name


def move_for(name: str, game: Game, seconds: float, stop: Callable[[], bool]) -> Move:
    """The move of a computer player; chance differs from move to move, so that no two games need be alike."""
    return _think(_new_engine(name, game.position.id), game, seconds, stop)


def _new_engine(name: str, game: str) -> Engine:
    engine = make_engine(name, game, table=KEPT_MEMORY)
    engine.begin(random.getrandbits(32))
    return engine


def _think(engine: Engine, game: Game, seconds: float, stop: Callable[[], bool]) -> Move:
    running = engine.start(game, Limit(seconds=seconds))
    while not running.wait(GLANCE):
        if stop():
            running.stop()
    return running.result().move


class _Player(NamedTuple):
    """A computer player of one game, as it stands."""

    name: str
    engine: Engine
    line: Line
    game: Game


class _Players:
    """The computer players that a worker keeps."""

    def __init__(self) -> None:
        self._players: OrderedDict[str, _Player] = OrderedDict()

    def take(self, place: str, name: str, line: Line) -> _Player:
        """The player of a game, who has seen all its moves; a new one, if there was none."""
        before = self._players.pop(place, None)
        if before is None or before.name != name or replace(before.line, moves=()) != replace(line, moves=()):
            game = line.replay()
            player = _Player(name, _new_engine(name, line.game), line, game)
        elif before.line.moves == line.moves[: len(before.line.moves)]:
            for move in line.moves[len(before.line.moves) :]:
                before.game.play(move)
            player = _Player(name, before.engine, line, before.game)
        else:  # moves were taken back
            player = _Player(name, before.engine, line, line.replay())
        self._players[place] = player
        if len(self._players) > KEPT:
            self._players.popitem(last=False)[1].engine.close()
        return player


_kept = _Players()


# ------------------------------------------------------------------------------------------------------ in the worker


def _work(connection: Connection, give_way: int, prepare: Callable[[], None], limits: WorkerLimits) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then tells us
    log_libraries()
    _take_limits(give_way, limits)
    prepare()
    connection.send(_READY)
    while True:
        try:
            asked = connection.recv()
        except (EOFError, OSError):
            return
        if asked == _STOP:
            continue
        question, cpu_s = asked
        _limit_cpu(cpu_s)
        try:
            answer = question.answer(connection.poll)
        except TabuleiroError as error:
            answer = _Failure(str(error), refusal_of(error))
        except Exception as error:
            much = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.EFBIG)
            answer = _Failure(f"{type(error).__name__}: {error}", is_too_much=much)
        _limit_cpu(None)
        leaves = limits.recycle_bytes is not None and _peak_bytes() > limits.recycle_bytes
        with contextlib.suppress(BrokenPipeError):
            connection.send(_Last(answer) if leaves else answer)
        if leaves:
            return


def _nothing_to_prepare() -> None:
    pass


def _take_limits(give_way: int, limits: WorkerLimits) -> None:
    """Give way to the server, and do not eat the machine."""
    if sys.platform != "win32":
        import resource

        os.nice(give_way)
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # who is ended for its time leaves nothing on the disk
        if limits.file_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limits.file_bytes, limits.file_bytes))


def _limit_cpu(seconds: float | None) -> None:
    """Let the system end this process once it has used so many seconds of the processor from now on; None: never. It is
    ended wherever it is, in SQLite or in a loop that no exception leaves."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        soft = most if seconds is None else math.ceil(time.process_time() + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (soft if most == resource.RLIM_INFINITY else min(soft, most), most))


def _peak_bytes() -> int:
    """The most that this process has had in memory; 0 where the system does not tell. `getrusage` does not: what the
    process had that started this one counts there, too."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


# ------------------------------------------------------------------------------------------------------- in the server


class _Worker:
    def __init__(self, give_way: int, prepare: Callable[[], None], limits: WorkerLimits) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_work, args=(theirs, give_way, prepare, limits), daemon=True)
        self.process.start()
        theirs.close()
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="engine")
        #: A question is sent and answered in the thread, and stopped from outside: never before it was sent.
        self._lock = threading.Lock()
        self._has_question = False
        self._stops = False
        #: Whether it ends by itself after its last answer.
        self.leaves = False
        #: When it had nothing to do any more, by `time.monotonic`.
        self.rested = math.inf

    def begin(self) -> None:
        """A question is about to be exchanged."""
        self._stops = False

    def exchange(self, question: Question) -> Any:
        with self._lock:
            # The seconds of the processor that it may use, where a question has a limit of its own.
            self.connection.send((question, getattr(question, "cpu_s", None)))
            self._has_question = True
            if self._stops:
                self.connection.send(_STOP)
        answer = self.connection.recv()
        with self._lock:
            self._has_question = False
        if isinstance(answer, _Last):
            self.leaves, answer = True, answer.answer
        if isinstance(answer, _Failure):
            if answer.refusal is not None:
                raise RefusedError(*answer.refusal)
            log("engine_failed", level="error", error=answer.reason, game=question.game)
            raise OutOfMemoryError(LOST) if answer.is_too_much else WorkerLostError(LOST)
        return answer

    def stop(self) -> None:
        """The answer to the question that is being exchanged is wanted at once, or not at all."""
        with self._lock, contextlib.suppress(OSError):
            self._stops = True
            if self._has_question:
                self.connection.send(_STOP)

    def ran_out_of_time(self) -> bool:
        """Wait until it has ended; return True if the system ended it for the time of the processor that it used."""
        self.process.join(ENDING_S)
        return sys.platform != "win32" and self.process.exitcode == -signal.SIGXCPU

    def end(self) -> None:
        self.process.kill()
        self.connection.close()
        self.thread.shutdown(wait=False)


class Pool:
    """Workers of one server process. Who asks waits for one that is idle; whose turn it is, `FairQueue` says."""

    def __init__(
        self,
        workers: int,
        give_way: int,
        elsewhere: Elsewhere | None = None,
        prepare: Callable[[], None] = _nothing_to_prepare,
        limits: WorkerLimits = THINKERS_LIMITS,
        *,
        on_demand: bool = False,
    ) -> None:
        """`prepare` is done in each worker before it is asked anything. `on_demand`: a worker is started when a
        question finds none idle and not before, and `release_idle` ends those that nobody needs."""
        self._give_way = give_way
        self._prepare = prepare
        self._limits = limits
        self._on_demand = on_demand
        self._elsewhere = elsewhere
        self._idle: list[_Worker] = []
        self._n_idle = asyncio.Semaphore(0)
        #: Questions that wait for a worker to be idle.
        self._waiting = 0
        #: Which worker keeps the engine of a game, and which one thinks about it now.
        self._places: OrderedDict[str, _Worker] = OrderedDict()
        self._busy_with: dict[str, _Worker] = {}
        self._all: set[_Worker] = set()
        self._returning: set[asyncio.Task[None]] = set()
        self._closed = False
        self._own = workers
        for _ in range(0 if on_demand else workers):
            self._hire()

    @property
    def workers(self) -> int:
        """How many questions are thought about at the same time, here and elsewhere."""
        return self._own + (0 if self._elsewhere is None else self._elsewhere.threads)

    async def ready(self) -> None:
        """Wait until a worker is idle."""
        await self._n_idle.acquire()
        self._n_idle.release()

    @property
    def alive(self) -> int:
        """How many workers run."""
        return sum(worker.process.is_alive() for worker in self._all)

    @property
    def pids(self) -> list[int]:
        """The processes of the workers."""
        return [worker.process.pid for worker in self._all if worker.process.pid is not None]

    async def close(self) -> None:
        self._closed = True
        for worker in self._all:
            worker.end()
        await asyncio.gather(*self._returning, return_exceptions=True)

    async def replace_dead(self) -> None:
        """Hire others for workers that died while nobody asked them anything."""
        while not self._n_idle.locked() and not all(worker.process.is_alive() for worker in self._idle):
            await self._n_idle.acquire()
            dead = next(worker for worker in self._idle if not worker.process.is_alive())
            self._idle.remove(dead)
            self._dismiss(dead)

    async def release_idle(self, seconds: float) -> None:
        """End the workers that have had nothing to do for so long."""
        longest = time.monotonic() - seconds
        while not self._n_idle.locked() and any(worker.rested < longest for worker in self._idle):
            await self._n_idle.acquire()
            worker = min(self._idle, key=lambda worker: worker.rested)
            self._idle.remove(worker)
            self._all.discard(worker)
            worker.end()

    def _hire(self) -> None:
        worker = _Worker(self._give_way, self._prepare, self._limits)
        self._all.add(worker)
        ready = asyncio.get_running_loop().run_in_executor(worker.thread, worker.connection.recv)
        self._expect_back(worker, ready, STARTING)

    def is_placed_well(self, place: str) -> bool:
        """Whether a question about a game would find its engine, or there is none to be found."""
        worker = self._places.get(place)
        return worker is None or worker in self._idle or (self._elsewhere is not None and self._elsewhere.threads > 0)

    def hurry(self, place: str) -> None:
        """Whoever thinks about a game shall answer at once."""
        if (worker := self._busy_with.get(place)) is not None:
            worker.stop()
        elif self._elsewhere is not None:
            self._elsewhere.hurry(place)

    async def _take(self, place: str | None) -> _Worker:
        """An idle worker, the one that keeps the engine of a game if it is idle."""
        if self._on_demand and self._n_idle.locked() and len(self._all) < self._own:
            self._hire()
        self._waiting += 1
        try:
            await self._n_idle.acquire()
        finally:
            self._waiting -= 1
        worker = self._idle[0] if place is None else self._places.pop(place, self._idle[0])
        if worker not in self._idle:
            worker = self._idle[0]
        self._idle.remove(worker)
        if not worker.process.is_alive():
            self._dismiss(worker)
            return await self._take(place)
        if place is not None:
            self._places[place] = worker
            if len(self._places) > MAX_PLACES:
                self._places.popitem(last=False)
        return worker

    def _rest(self, worker: _Worker) -> None:
        if worker.leaves:
            self._dismiss(worker)
            return
        worker.rested = time.monotonic()
        self._idle.append(worker)
        self._n_idle.release()

    async def ask(self, question: Question, place: str | None = None, asker: str = "") -> Any:
        """The answer to a question, perhaps about a game that was asked about before, on somebody's behalf: that of a
        worker elsewhere, where one is free and answers in time. Cancelling the wait stops the thinking."""
        if self._elsewhere is not None and self._elsewhere.takes(question):
            with contextlib.suppress(NobodyAnswersError):
                return await self._elsewhere.ask(question, place, asker)
        return await self._ask_here(question, place)

    async def _ask_here(self, question: Question, place: str | None) -> Any:
        worker = await self._take(place)
        if place is not None:
            self._busy_with[place] = worker
        worker.begin()
        loop = asyncio.get_running_loop()
        answer = loop.run_in_executor(worker.thread, worker.exchange, question)
        try:
            return await asyncio.wait_for(asyncio.shield(answer), question.patience)
        except asyncio.CancelledError:
            worker.stop()
            raise
        except (TimeoutError, EOFError, OSError) as error:
            # The worker is killed under the question, whose end nobody hears.
            answer.add_done_callback(asyncio.Future.exception)
            log("engine_lost", level="warning", game=question.game)
            late = isinstance(error, TimeoutError) or await loop.run_in_executor(None, worker.ran_out_of_time)
            self._dismiss(worker)
            raise (OutOfTimeError if late else WorkerLostError)(LOST) from error
        finally:
            if place is not None and self._busy_with.get(place) is worker:
                del self._busy_with[place]
            if worker in self._all:
                if answer.done() and not isinstance(answer.exception(), EOFError | OSError):
                    self._rest(worker)
                else:
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
            self._rest(worker)

    def _dismiss(self, worker: _Worker) -> None:
        if worker in self._all:
            self._all.discard(worker)
            worker.end()
            if not self._closed and (not self._on_demand or self._waiting):
                self._hire()


class Engines(Pool):
    """The computer players of one server process."""

    def __init__(self, workers: int, elsewhere: Elsewhere | None = None) -> None:
        super().__init__(workers, PLAYERS_GIVE_WAY, elsewhere)

    async def choose(
        self, line: Line, level: int, seconds: float = THINKING, place: str | None = None, asker: str = ""
    ) -> str:
        """The move of a computer player of that level, who remembers the game from move to move if it has a place."""
        move: str = await self.ask(NextMove(line, f"level:{level}", min(seconds, THINKING), place), place, asker)
        return move

    async def hint(self, line: Line, seconds: float = THINKING, asker: str = "") -> str:
        """A good move, for a person who asks."""
        move: str = await self.ask(NextMove(line, f"level:{LEVELS[-1]}", seconds), asker=asker)
        return move
