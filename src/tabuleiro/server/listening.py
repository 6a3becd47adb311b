"""What a connection says, and how fast it may; connections that only listen."""

from collections.abc import AsyncIterator, Awaitable, Callable

from fastapi import WebSocket

from tabuleiro.core import TabuleiroError
from tabuleiro.server.connections import WIRE
from tabuleiro.server.errors import BROKEN, FOREIGN_ORIGIN, RefusedError, refusal_of
from tabuleiro.server.guard import same_origin
from tabuleiro.server.guests import Guests
from tabuleiro.server.hub import Hub
from tabuleiro.server.identity import Who
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.presence import Watcher
from tabuleiro.server.token_bucket import Rate, TokenBucket

#: The messages that a connection may send which only listens: signs of life.
LISTENER = Rate(20, 1)

#: Lets a connection in, or raises what speaks against it; returns what is to be done when it ends.
Come = Callable[[Watcher, Who], Awaitable[Callable[[], None]]]


async def heard(websocket: WebSocket, rate: Rate) -> AsyncIterator[str | None]:
    """What a connection says, until it ends or says too much; None for what is no text."""
    bucket = TokenBucket(rate)
    while (message := await websocket.receive())["type"] != "websocket.disconnect" and bucket.take():
        yield message.get("text")


async def listen(websocket: WebSocket, come: Come) -> None:
    """A connection that is told things for as long as it lasts, and says nothing but signs of life. It ends when its
    person is signed out."""
    guests: Guests = websocket.app.state.guests
    hub: Hub = websocket.app.state.hub
    await websocket.accept()
    watcher = Watcher(None, "", websocket.scope["extensions"][WIRE])
    try:
        if not same_origin(websocket.headers):
            raise RefusedError(*FOREIGN_ORIGIN)
        who = await guests.who(websocket.state.token_hash)
        watcher.guest, watcher.sign_in = who.guest, who.sign_in
        leave = await come(watcher, who)
    except TabuleiroError as error:
        watcher.close(refusal_of(error))
        return
    except Exception as error:
        log_failure("listen_failed", error)
        watcher.close(BROKEN)
        return
    hub.listeners.add(watcher)
    try:
        async for _ in heard(websocket, LISTENER):
            if watcher.closed:
                break
            watcher.say({"type": "pong"})
    finally:
        hub.listeners.discard(watcher)
        leave()
        watcher.close()
