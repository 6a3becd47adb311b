"""What a connection says, and how fast it may."""

import time
from collections.abc import AsyncIterator

from fastapi import WebSocket

from tabuleiro.server.limits import Rate


class Pace:
    """Whether one connection says no more than it may."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._allowance = float(rate.burst)
        self._spoke = time.monotonic()

    def keeps(self) -> bool:
        """Count a message; False for one too many."""
        now = time.monotonic()
        self._allowance = min(self._rate.burst, self._allowance + (now - self._spoke) * self._rate.pace) - 1
        self._spoke = now
        return self._allowance > 0


async def heard(websocket: WebSocket, rate: Rate) -> AsyncIterator[str | None]:
    """What a connection says, until it ends or says too much; None for what is no text."""
    pace = Pace(rate)
    while (message := await websocket.receive())["type"] != "websocket.disconnect" and pace.keeps():
        yield message.get("text")
