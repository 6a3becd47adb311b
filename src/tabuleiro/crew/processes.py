"""Several processes of this machine.

Not the executor of the standard library: it gives up all its processes, and what they are at, when one of them dies.
"""

import contextlib
import multiprocessing
import signal
import sys
from collections.abc import Sequence
from multiprocessing import connection
from multiprocessing.connection import Connection
from typing import Any

from tabuleiro.crew.base import Answer, Crew, Hand, Job, Workplace

_SPAWN = multiprocessing.get_context("spawn")
#: Seconds that a process which is asked to leave may take to close what it has opened.
LEAVING = 5.0


class Processes(Crew):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def hire(self, job: Job[Any, Any]) -> Hand:
        return _Process(job)

    def wait(self, busy: Sequence[Hand]) -> list[tuple[Hand, Answer | None]]:
        by_connection = {hand.connection: hand for hand in busy if isinstance(hand, _Process)}
        ready = connection.wait([*by_connection])
        return [(hand, hand.heard()) for one, hand in by_connection.items() if one in ready]


class _Process(Hand):
    def __init__(self, job: Job[Any, Any]) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(theirs, job), daemon=True)
        self._process.start()
        theirs.close()
        self._place = f"{Workplace.place().rpartition(':')[0]}:{self._process.pid}"
        self._works = False

    def begin(self, unit: Any) -> None:
        self._works = True
        with contextlib.suppress(OSError):  # it is gone, and heard no more
            self.connection.send(unit)

    def heard(self) -> Answer | None:
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            return None
        self._works = False
        assert isinstance(answer, Answer)
        return answer

    @property
    def place(self) -> str:
        return self._place

    def dismiss(self) -> None:
        if self._works:
            self._process.terminate()
        self.connection.close()

    def end(self) -> None:
        self._process.join(LEAVING)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


def _work(ours: Connection, job: Job[Any, Any]) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that leads, which then tells us
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # by way of `close`
    workplace = Workplace(job)
    try:
        while True:
            ours.send(workplace.do(ours.recv()))
    except (EOFError, OSError):
        pass  # nobody gives us units any more
    finally:
        workplace.close()
