"""Work for all cores: tasks one after another, each in whichever process is free."""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def shared(
    work: Callable[[Task], Result], tasks: Iterable[Task], processes: int
) -> Iterator[tuple[Task, Result | Exception]]:
    """What came of every task, as soon as it is known. A task is taken from the row when a process is free for it."""
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"))
    running: dict[Future[Result], Task] = {}
    rest = iter(tasks)
    try:
        while True:
            running |= {pool.submit(work, task): task for task in islice(rest, processes - len(running))}
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                error = done.exception()
                if error is not None and not isinstance(error, Exception):
                    raise error
                yield running.pop(done), done.result() if error is None else error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
