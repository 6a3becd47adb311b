"""The log: one JSON object a line on standard error. It holds no names, cookies or addresses of people."""

import json
import logging
import sys
import time
import traceback
from typing import Any


def log(event: str, *, level: str = "info", **fields: Any) -> None:
    entry = {"at": round(time.time(), 3), "level": level, "event": event, **fields}
    print(json.dumps(entry, default=str), file=sys.stderr, flush=True)


def log_failure(event: str, error: BaseException, **fields: Any) -> None:
    """Something that should not happen, with the place where it did."""
    log(event, level="error", trace="".join(traceback.format_exception(error)), **fields)


class _Lines(logging.Handler):
    """What libraries have to say, in the same form."""

    def emit(self, record: logging.LogRecord) -> None:
        trace = {"trace": logging.Formatter().formatException(record.exc_info)} if record.exc_info else {}
        log(record.name, level=record.levelname.lower(), message=record.getMessage(), **trace)


def log_libraries() -> None:
    logging.basicConfig(level=logging.WARNING, handlers=[_Lines()], force=True)
    # It warns of every request that is none: a flood of them must not fill the disk.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
