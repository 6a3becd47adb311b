"""A program that runs beside us, with lines going in and coming out."""

import contextlib
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import IO

from tabuleiro.core import shorten
from tabuleiro.language import Text
from tabuleiro.search.base import EngineError

#: Characters: longer lines are nothing an engine would say.
MAX_LINE = 100_000


class Process:
    """A program with lines going in and coming out."""

    def __init__(self, command: Sequence[str]) -> None:
        self.name = command[0] if command else ""
        self._complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # closed by `end`
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except (OSError, ValueError, IndexError) as error:
            shown = shorten(self.name)
            raise EngineError(Text(f"não é possível executar «{shown}»", f"“{shown}” cannot be run")) from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def processor_seconds(self) -> float:
        """The processor time that the program has taken, where the system tells of other processes' (Linux)."""
        # The clock of a process, by its number (clock_getcpuclockid).
        return time.clock_gettime(~self._process.pid << 3 | 2)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            while line := self._process.stdout.readline(MAX_LINE):
                self._lines.put(line.strip())
        self._lines.put(None)

    def send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._crashed() from error

    def read(self, seconds: float) -> str | None:
        """The next line, or None when none comes in time."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            raise self._crashed()
        return line

    def _crashed(self) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._complaints.seek(0)
        last = self._complaints.read()[-1000:].decode(errors="replace").strip().splitlines()[-1:]
        why = f": {shorten(last[0], 200)}" if last else ""
        code = self._process.returncode
        return EngineError(
            Text(f"«{self.name}» acabou sem aviso ({code}){why}", f"“{self.name}” ended without warning ({code}){why}")
        )

    def late(self) -> EngineError:
        return EngineError(Text(f"«{self.name}» não responde", f"“{self.name}” does not answer"))

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._complaints):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
