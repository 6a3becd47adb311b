"""Jobs: work in processes with limits. Whatever one does, it is refused with a sentence and the next one is done."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.people import wait_for
from server.toy_jobs import Toy
from tabuleiro.server import jobs as jobs_module
from tabuleiro.server.engines import WorkerLimits
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.jobs import JOB_LIMITS, Jobs


def run(work: Callable[[Jobs], Awaitable[None]], workers: int = 1, limits: WorkerLimits = JOB_LIMITS) -> None:
    async def go() -> None:
        jobs = Jobs(workers, limits)
        try:
            await work(jobs)
        finally:
            await jobs.close()

    asyncio.run(go())


async def refused(jobs: Jobs, job: Toy) -> tuple[str, int]:
    with pytest.raises(RefusedError) as caught:
        await jobs.run("ana", job)
    return caught.value.refusal.code, caught.value.refusal.status


def is_alive(pid: int) -> bool:
    """Whether a process runs, and is not only waiting to be buried."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_no_process_runs_before_the_first_job_and_refusals_come_as_they_are() -> None:
    async def work(jobs: Jobs) -> None:
        assert jobs.pids == []
        assert await jobs.run("ana", Toy("echo", 3)) == 3
        assert len(jobs.pids) == 1
        assert await refused(jobs, Toy("refuse")) == ("odd", 409)
        assert await refused(jobs, Toy("nonsense")) == ("broken", 500)
        assert await jobs.run("ana", Toy("pid")) == jobs.pids[0], "the worker stays"

    run(work)


@pytest.mark.parametrize(
    ("job", "answer"),
    [
        (Toy("loop", seconds=1.0), ("too_long", 422)),
        (Toy("query", seconds=1.0), ("too_long", 422)),
        (Toy("fill", 2 << 30), ("too_much_memory", 413)),
        (Toy("write", 64 << 20), ("too_much_memory", 413)),
        (Toy("die"), ("broken", 500)),
    ],
)
def test_a_job_that_exceeds_a_limit_is_refused_and_the_next_one_is_done(job: Toy, answer: tuple[str, int]) -> None:
    async def work(jobs: Jobs) -> None:
        assert await refused(jobs, job) == answer
        assert await jobs.run("ana", Toy("echo", 5)) == 5

    run(work)


def test_a_job_that_waits_for_ever_is_ended_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(jobs: Jobs) -> None:
        assert await jobs.run("ana", Toy("echo", 1)) == 1
        (before,) = jobs.pids
        os.kill(before, signal.SIGSTOP)
        monkeypatch.setattr(jobs_module, "WALL_PER_CPU", 0.01)
        assert await refused(jobs, Toy("echo", 1)) == ("too_long", 422)
        monkeypatch.undo()
        assert await jobs.run("ana", Toy("pid")) != before and not is_alive(before)

    run(work)


def test_a_worker_that_had_much_memory_is_replaced_after_its_answer() -> None:
    async def work(jobs: Jobs) -> None:
        ballast = bytearray(300 << 20)  # what the server has is not what its workers have
        before = await jobs.run("ana", Toy("pid"))
        assert await jobs.run("ana", Toy("pid")) == before
        del ballast
        assert await jobs.run("ana", Toy("fill", 200 << 20)) == 200 << 20
        assert await jobs.run("ana", Toy("pid")) != before

    run(work, limits=JOB_LIMITS._replace(recycle_bytes=128 << 20))


def test_idle_workers_are_ended_and_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "IDLE_CHECK_S", 0.05)
    monkeypatch.setattr(jobs_module, "IDLE_TIMEOUT_S", 0.2)

    async def work(jobs: Jobs) -> None:
        before = await jobs.run("ana", Toy("pid"))
        async with asyncio.timeout(30):
            while jobs.pids:
                await asyncio.sleep(0.05)
        assert await jobs.run("ana", Toy("pid")) != before

    run(work)


def test_who_asks_for_much_does_not_keep_others_waiting() -> None:
    async def work(jobs: Jobs) -> None:
        order: list[str] = []

        async def ask(who: str, amount: int) -> None:
            await jobs.run(who, Toy("work", amount))
            order.append(who)

        await jobs.run("eva", Toy("echo"))
        greedy = [asyncio.create_task(ask("ana", 300)) for _ in range(6)]
        await asyncio.sleep(0)
        await asyncio.gather(ask("rui", 10), *greedy)
        assert order.index("rui") <= 1, order

    run(work)


def test_one_asker_has_one_job_at_a_time_and_twenty_that_wait() -> None:
    async def work(jobs: Jobs) -> None:
        answers = await asyncio.gather(*(jobs.run("ana", Toy("pid")) for _ in range(22)), return_exceptions=True)
        turned_away = [each for each in answers if isinstance(each, RefusedError)]
        assert [each.refusal.status for each in turned_away] == [429, 429]
        assert len({each for each in answers if isinstance(each, int)}) == 1 == len(jobs.pids)

    run(work, workers=2)


def test_closing_ends_a_job_at_once() -> None:
    pids: list[int] = []

    async def work(jobs: Jobs) -> None:
        await jobs.run("ana", Toy("echo"))
        pids.extend(jobs.pids)
        asyncio.create_task(jobs.run("ana", Toy("query", seconds=600.0)))  # noqa: RUF006 - it is ended below
        await asyncio.sleep(0.3)

    begun = time.monotonic()
    run(work)
    assert time.monotonic() - begun < 60
    wait_for(lambda: not any(is_alive(pid) for pid in pids))
