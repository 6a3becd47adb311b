"""Engine workers in processes of their own, to be killed and frozen."""

import os
import signal
import subprocess
import sys
from types import TracebackType
from typing import IO, Self


class WorkerProcess:
    """`tabuleiro worker`."""

    def __init__(self, redis: str, threads: int = 1, log: "IO[bytes] | int" = subprocess.DEVNULL) -> None:
        command = [sys.executable, "-m", "tabuleiro", "worker", "--redis", redis, "--threads", str(threads)]
        # A group of its own, which is killed and frozen as one: as if the machine were.
        self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self.signal(signal.SIGCONT)
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()

    def signal(self, number: signal.Signals) -> None:
        os.killpg(self._process.pid, number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self._process.wait(20)

    def freeze(self) -> None:
        self.signal(signal.SIGSTOP)
