"""Connections come in a few at a time: where a whole hall comes in the same moment, as after a break of the Wi-Fi,
those who are in already are answered meanwhile."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: To let somebody in takes some milliseconds: asking who they are, and what they may see.
AT_ONCE = 8
#: Seconds after which somebody no longer keeps others waiting: the database may hang, or who comes may not read.
PATIENCE = 0.25


class Turnstile:
    def __init__(self, app: ASGIApp, at_once: int = AT_ONCE, patience: float = PATIENCE) -> None:
        self._app = app
        self._patience = patience
        self._free = asyncio.Semaphore(at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        await self._free.acquire()
        asked, is_in = 0, False

        def come_in() -> None:
            nonlocal is_in
            if not is_in:
                is_in = True
                self._free.release()

        async def received() -> Message:
            # First that somebody comes, then what they say: who is listened to is in.
            nonlocal asked
            asked += 1
            if asked > 1:
                come_in()
            return await receive()

        at_the_latest = asyncio.get_running_loop().call_later(self._patience, come_in)
        try:
            await self._app(scope, received, send)
        finally:
            at_the_latest.cancel()
            come_in()
