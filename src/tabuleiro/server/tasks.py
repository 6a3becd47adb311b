"""Work that goes on by itself; what goes wrong in it is logged, and all of it ends with the server."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from tabuleiro.core import TabuleiroError
from tabuleiro.server.loglines import log_failure

T = TypeVar("T")


class Tasks:
    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        # Again, until there are none: a task may begin another while it ends, and a wait that is over at the moment of
        # the cancelling hears nothing of it.
        while self._running:
            for task in self._running:
                task.cancel()
            await asyncio.wait(self._running, timeout=1)

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, TabuleiroError):
            log_failure("task_failed", error)
