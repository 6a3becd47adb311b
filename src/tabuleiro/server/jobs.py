"""Work that takes long, or reads what strangers sent, in processes with limits of time, memory and file size.

Whatever a job does, the server goes on: one that exceeds a limit is refused with a sentence and has changed nothing,
and its process is replaced. Everybody who asks has one job running at a time, and of those who wait the one comes next
who has had the least so far. A process is started by the first job that finds none free and ended once it has been idle
for a while, so that a server without championships has none.

Jobs are questions of `engines.Pool`. What they import is imported in the worker, so their modules are light.
"""

import asyncio
import contextlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from tabuleiro.language import Text
from tabuleiro.server.engines import OutOfMemoryError, OutOfTimeError, Pool, WorkerLimits, WorkerLostError
from tabuleiro.server.errors import BROKEN, Refusal, RefusedError
from tabuleiro.server.fairness import FairQueue, Level

T_co = TypeVar("T_co", covariant=True)

#: Worker processes of one server process, at most, and how far they give way to it.
JOB_WORKERS, JOBS_GIVE_WAY = 2, 10
#: Bytes. A Swiss round of 600 needs 100 MiB, one of 1,000 needs 200, a table of 10,000 rows 60.
JOB_LIMITS = WorkerLimits(memory_bytes=512 << 20, file_bytes=32 << 20, recycle_bytes=256 << 20)
#: Jobs of one asker: one at a time, and so many that run or wait.
JOB_LEVELS = (Level(at_once=1, asked=20),)
#: Seconds of the processor that reading a file may take, and that a decision or a table may.
READ_CPU_S, WORK_CPU_S = 10.0, 30.0
#: Seconds on the clock for each second of the processor: a busy machine has little left for those who give way.
WALL_PER_CPU = 4.0
#: Seconds that a worker may take to start, on a machine with much to do.
START_TIMEOUT_S = 60.0
#: Seconds after which an idle worker is ended, and between two looks.
IDLE_TIMEOUT_S, IDLE_CHECK_S = 300.0, 60.0

TOO_LONG = Refusal(
    "too_long",
    Text(
        "isto demora demasiado tempo a calcular e foi interrompido; nada mudou",
        "this takes too long to work out and was stopped; nothing has changed",
    ),
    422,
)
TOO_MUCH_MEMORY = Refusal(
    "too_much_memory",
    Text("isto precisa de demasiada memória; nada mudou", "this needs too much memory; nothing has changed"),
    413,
)
NO_WORKER = Refusal(
    "no_worker",
    Text("o servidor está muito ocupado; tenta daqui a pouco", "the server is very busy; try again soon"),
    503,
)


class LimitError(RefusedError):
    """A job was not done, whatever it is about: it exceeded a limit, or there was nobody to do it."""


class Job(ABC, Generic[T_co]):
    """Work for another process, to which it travels. Refusals that it raises are told as they are."""

    @abstractmethod
    def answer(self, stop: Callable[[], bool]) -> T_co:
        """In the worker: do it."""

    @property
    def cpu_s(self) -> float:
        """Seconds of the processor after which the system ends it."""
        return WORK_CPU_S

    @property
    def game(self) -> str:
        """What the log calls it: jobs are of no game."""
        return type(self).__name__

    @property
    def patience(self) -> float:
        return WALL_PER_CPU * self.cpu_s


def _prepare() -> None:
    """In a worker: NumPy, which comes with openpyxl and rustworkx, reserves address space for every thread."""
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"


def asker_of(guest: int | None) -> Hashable:
    """On whose behalf a job of somebody is done; those who are nobody yet are one."""
    return "guest", guest


class Jobs:
    """The jobs of one server process."""

    def __init__(self, workers: int = JOB_WORKERS, limits: WorkerLimits = JOB_LIMITS) -> None:
        self._workers = workers
        self._limits = limits
        self._queue = FairQueue(JOB_LEVELS, slots=lambda: workers)
        self._pool: Pool | None = None
        self._releasing: asyncio.Task[None] | None = None

    @property
    def pids(self) -> list[int]:
        """The processes that run."""
        return [] if self._pool is None else self._pool.pids

    async def close(self) -> None:
        """End all workers at once, whatever they do."""
        if self._releasing is not None:
            self._releasing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._releasing
        if self._pool is not None:
            await self._pool.close()

    async def run(self, asker: Hashable, job: Job[T_co], place: str | None = None) -> T_co:
        """Return what a job answers, on behalf of somebody. Raise its refusal, or one that says which limit it broke.

        Jobs of one place go to the same worker where it is free, which may remember something of them.
        """
        async with self._queue.turn(asker):
            try:
                answer: T_co = await asyncio.wait_for(
                    self._open().ask(job, place), START_TIMEOUT_S + WALL_PER_CPU * job.cpu_s
                )
            except OutOfTimeError as error:
                raise LimitError(*TOO_LONG) from error
            except OutOfMemoryError as error:
                raise LimitError(*TOO_MUCH_MEMORY) from error
            except WorkerLostError as error:
                raise LimitError(*BROKEN) from error
            except TimeoutError as error:
                raise LimitError(*NO_WORKER) from error
            return answer

    def _open(self) -> Pool:
        if self._pool is None:
            self._pool = Pool(self._workers, JOBS_GIVE_WAY, prepare=_prepare, limits=self._limits, on_demand=True)
            self._releasing = asyncio.create_task(self._release(self._pool))
        return self._pool

    async def _release(self, pool: Pool) -> None:
        while True:
            await asyncio.sleep(IDLE_CHECK_S)
            await pool.release_idle(IDLE_TIMEOUT_S)
