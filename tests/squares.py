"""Work for crews to be tried with. Light: every process of a crew reads it."""

import os
import signal
from pathlib import Path

from tabuleiro.crew import Job


class Squares(Job[int, int]):
    """A square each; the worker that first does the unit named is killed under it."""

    def __init__(self, folder: Path, killed_at: int = -1, always: bool = False) -> None:
        self._folder, self._killed_at, self._always = folder, killed_at, always

    def begin(self) -> None:
        self._mark = self._folder / f"{os.getpid()}.begun"
        self._mark.touch()

    def do(self, unit: int) -> int:
        killed = self._folder / "killed"
        if unit == self._killed_at and (self._always or not killed.exists()):
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if unit == 13:
            raise ValueError("thirteen")
        return unit * unit

    def close(self) -> None:
        self._mark.rename(self._mark.with_suffix(".closed"))
