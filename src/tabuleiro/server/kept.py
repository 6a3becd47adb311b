"""JSON that is kept."""

from typing import Any

import orjson


def kept_json(value: Any) -> bytes:
    """A value as JSON. What orjson returns keeps the 4 KiB in which it was written, however short it is; this does not,
    and is for what stays in memory."""
    return bytes(memoryview(orjson.dumps(value)))
