"""Work that goes on by itself ends with the server, also when it is hard of hearing."""

import asyncio
import contextlib

from tabuleiro.server.tasks import Tasks


async def _hear_the_second_call() -> None:
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.sleep(60)
    await asyncio.sleep(60)


def test_work_ends_that_missed_a_call_or_was_begun_at_the_end() -> None:
    async def begin_another(tasks: Tasks) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            tasks.spawn(asyncio.sleep(60))

    async def close() -> set["asyncio.Task[None]"]:
        tasks = Tasks()
        tasks.spawn(_hear_the_second_call())
        tasks.spawn(begin_another(tasks))
        await asyncio.sleep(0)
        async with asyncio.timeout(30):
            await tasks.close()
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(close()) == set()
