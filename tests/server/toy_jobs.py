"""Jobs that misbehave in every way, for the tests. Light: workers import this."""

import contextlib
import os
import signal
import sqlite3
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

from tabuleiro.language import Text
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.jobs import Job

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"


@dataclass(frozen=True)
class Toy(Job[object]):
    """Does what its name says, for as many seconds of the processor as it may have."""

    does: str
    amount: int = 0
    seconds: float = 20.0

    @property
    def cpu_s(self) -> float:
        return self.seconds

    def answer(self, stop: Callable[[], bool]) -> object:
        if self.does == "echo":
            return self.amount
        if self.does == "pid":
            return os.getpid()
        if self.does == "loop":
            while True:
                pass
        if self.does == "query":  # in C, where no exception comes through
            with contextlib.closing(sqlite3.connect(":memory:")) as connection:
                return connection.execute(ENDLESS).fetchall()
        if self.does == "work":
            until = time.process_time() + self.amount / 1000
            while time.process_time() < until:
                pass
            return self.amount
        if self.does == "fill":
            return len(bytearray(self.amount))
        if self.does == "write":
            with tempfile.TemporaryFile() as file:
                file.write(bytes(self.amount))
                file.flush()
                return self.amount
        if self.does == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.does == "refuse":
            raise RefusedError("odd", Text("estranho", "odd"), 409)
        raise ValueError(self.does)
