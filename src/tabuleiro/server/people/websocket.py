"""The WebSocket of a person: one for each page that is open, whatever the page shows."""

import asyncio
import contextlib
from typing import Any

import orjson
from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from tabuleiro.core import TabuleiroError
from tabuleiro.server.errors import FOREIGN_ORIGIN, SIGN_IN_FIRST, UNREADABLE, Refusal, RefusedError, refusal_of
from tabuleiro.server.guard import same_origin
from tabuleiro.server.guests import Guests
from tabuleiro.server.hub import Hub
from tabuleiro.server.identity import Who
from tabuleiro.server.listening import heard
from tabuleiro.server.log import Json
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.people.circle import circle_of
from tabuleiro.server.people.lobby import Line, Lobby
from tabuleiro.server.people.matchmaker import Matchmaker
from tabuleiro.server.people.office import Office
from tabuleiro.server.people.store import touch
from tabuleiro.server.token_bucket import Rate

#: Characters.
MAX_MESSAGE = 2000
#: The messages that a connection may send.
RATE = Rate(30, 5)

router = APIRouter()


@router.websocket("/ws/v1/me")
async def me(websocket: WebSocket) -> None:
    hub: Hub = websocket.app.state.hub
    guests: Guests = websocket.app.state.guests
    matchmaker: Matchmaker = websocket.app.state.matchmaker
    await websocket.accept()
    try:
        if not same_origin(websocket.headers):
            raise RefusedError(*FOREIGN_ORIGIN)
        who = await guests.who(websocket.state.token_hash)
        if who.sign_in is None or who.guest is None:
            raise RefusedError(*SIGN_IN_FIRST)
    except TabuleiroError as error:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await _refuse(websocket, refusal_of(error))
        return
    guest, sign_in = who.guest, who.sign_in
    await hub.store.write(lambda connection: touch(connection, guest, sign_in, hub.now()))
    line = Line(guest, sign_in)
    sending = asyncio.create_task(_send_all(websocket, line))
    hub.extension(Lobby).come(line)
    try:
        await hub.extension(Lobby).call(line, hub.now())
        await matchmaker.call(line)
        async for text in heard(websocket, RATE):
            if line.closed:
                break
            await _hear(hub, websocket.app.state.office, who, line, text)
    finally:
        hub.extension(Lobby).leave(line)
        line.close()
        await sending


async def _send_all(websocket: WebSocket, line: Line) -> None:
    """Pass on what is for this connection, at the pace at which it reads."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while (message := await line.unread.get()) is not None:
            await websocket.send_text(message)
        if line.refusal is not None:
            await _refuse(websocket, line.refusal)
        else:
            await websocket.close(1013)


async def _refuse(websocket: WebSocket, refusal: Refusal) -> None:
    """Say why, and end the connection; the code of its end is 4000 and the status."""
    await websocket.send_text(_error(None, refusal))
    await websocket.close(4000 + refusal.status, refusal.code)


def _error(ref: Any, refusal: Refusal) -> str:
    return orjson.dumps({"type": "error", "ref": ref, **refusal.as_json()}).decode()


async def _hear(hub: Hub, office: Office, who: Who, line: Line, text: str | None) -> None:
    try:
        data = _read(text)
        kind = data["type"]
        if kind == "ping":
            line.send('{"type":"pong"}')
        elif kind == "follow" and isinstance(data.get("class"), str):
            hub.extension(Lobby).follow(line, await office.open(who, data["class"], "see_class"))
        elif kind == "unfollow":
            hub.extension(Lobby).unfollow(line)
        elif kind == "lobby":
            circle = await hub.store.read(lambda connection: circle_of(connection, who))
            await hub.extension(Lobby).hall.follow(line, circle)
        elif kind == "leave_lobby":
            hub.extension(Lobby).hall.unfollow(line)
        elif kind == "away" and isinstance(data.get("away"), bool):
            hub.extension(Lobby).set_away(line, data["away"])
        else:
            raise RefusedError(*UNREADABLE)
    except TabuleiroError as error:
        line.send(_error(None, refusal_of(error)))
    except Exception as error:
        log_failure("message_failed", error)
        line.close()


def _read(text: str | None) -> Json:
    """A message that is a message: an object with a type."""
    if text is None or len(text) > MAX_MESSAGE:
        raise RefusedError(*UNREADABLE)
    try:
        data = orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError):
        raise RefusedError(*UNREADABLE) from None
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise RefusedError(*UNREADABLE)
    return data
