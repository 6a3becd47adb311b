"""The log: one JSON object a line on standard error, or in a file. It holds no names, cookies or addresses of people.

A line is short enough to be written in one piece, so that those of several processes never mix. What happens again and
again is told a few times a minute, and how often it was not told: nobody can fill a disk by it.
"""

import contextlib
import json
import logging
import os
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

#: Bytes of a line with its end: as much as the system passes on in one piece.
MAX_LINE = 4096
#: Characters of a trace; its end says most.
MAX_TRACE = 3000
#: The seconds in which so many lines of one cause are told: ordinary ones, and failures, which have a trace.
MINUTE, MOST_LINES, MOST_FAILURES = 60.0, 600, 10
#: Bytes after which a file is put aside and another one begun, and how many of those are kept.
MAX_FILE, KEPT_FILES = 10 * 1024 * 1024, 4
#: Causes that are told apart; those beyond are one.
MAX_CAUSES = 200


class _Causes:
    """How often each cause was told of late, and how often not."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        #: When its minute began, how many lines were told in it, how many were not.
        self._told: dict[str, tuple[float, int, int]] = {}

    def admit(self, cause: str, most: int) -> int | None:
        """How many lines of a cause were left out before this one; None: leave this one out too."""
        with self._lock:
            if cause not in self._told and len(self._told) >= MAX_CAUSES:
                cause = ""
            now = time.monotonic()
            begun, told, left_out = self._told.get(cause, (now, 0, 0))
            if now - begun >= MINUTE:
                begun, told = now, 0
            if told >= most:
                self._told[cause] = (begun, told, left_out + 1)
                return None
            self._told[cause] = (begun, told + 1, 0)
            return left_out


class LogFile:
    """A file to which several processes add lines, each whole. When it is long it is put aside, by whoever notices
    first; the others find that theirs is not the file of that name any more."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open()

    def _open(self) -> None:
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def write(self, line: str) -> None:
        if os.fstat(self._file).st_size >= MAX_FILE:
            self._put_aside()
        os.write(self._file, line.encode())

    def _put_aside(self) -> None:
        claim = self._path.with_name(f"{self._path.name}.lock")
        with contextlib.suppress(FileExistsError):
            os.close(os.open(claim, os.O_CREAT | os.O_EXCL))  # nobody else does it meanwhile
            try:
                if self._path.exists() and self._path.stat().st_ino == os.fstat(self._file).st_ino:
                    for number in range(KEPT_FILES, 0, -1):
                        older = self._path.with_name(f"{self._path.name}.{number}")
                        newer = self._path.with_name(f"{self._path.name}.{number - 1}") if number > 1 else self._path
                        if newer.exists():
                            newer.replace(older)
            finally:
                claim.unlink()
        os.close(self._file)
        self._open()


_causes = _Causes()
_writing = threading.Lock()
_file: LogFile | None = None


def log_to(path: Path) -> None:
    """Write the lines of this process to a file from now on."""
    global _file
    _file = LogFile(path)


def log(event: str, *, level: str = "info", **fields: Any) -> None:
    trace = fields.get("trace")
    cause = event if trace is None else f"{event} {trace[-200:]}"
    left_out = _causes.admit(cause, MOST_LINES if trace is None else MOST_FAILURES)
    if left_out is None:
        return
    entry = {"at": round(time.time(), 3), "level": level, "event": event, **fields}
    if left_out:
        entry["left_out"] = left_out
    line = json.dumps(entry, default=str)
    if len(line) >= MAX_LINE:
        cut = {name: value for name, value in entry.items() if not isinstance(value, str) or len(value) < 200}
        line = json.dumps({**cut, "cut": line[: MAX_LINE // 3]}, default=str)[: MAX_LINE - 1]
    # A full disk is no reason to stop: nobody who logs expects that to fail, least of all the event loop itself.
    with _writing, contextlib.suppress(OSError):
        if _file is not None:
            _file.write(f"{line}\n")
        else:
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()


def log_failure(event: str, error: BaseException, **fields: Any) -> None:
    """Something that should not happen, with the place where it did."""
    log(event, level="error", trace=_trace("".join(traceback.format_exception(error))), **fields)


def _trace(text: str) -> str:
    return text if len(text) <= MAX_TRACE else f"…{text[-MAX_TRACE:]}"


class _Lines(logging.Handler):
    """What libraries have to say, in the same form."""

    def emit(self, record: logging.LogRecord) -> None:
        trace = {"trace": _trace(logging.Formatter().formatException(record.exc_info))} if record.exc_info else {}
        log(record.name, level=record.levelname.lower(), message=record.getMessage(), **trace)


def log_libraries() -> None:
    logging.basicConfig(level=logging.WARNING, handlers=[_Lines()], force=True)
    # It warns of every request that is none: a flood of them must not fill the disk.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
