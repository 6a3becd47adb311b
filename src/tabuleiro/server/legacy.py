"""The addresses and words of before version 1, which answer as they did until 1.0. Nothing else knows of them.

`OldAddresses` stands before everything, so that an old address is counted, limited and answered as the new one is.
`OldWords` stands next to the routes and translates what is said: bodies, answers, messages of the WebSocket.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import orjson
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabuleiro.server.connections import WIRE
from tabuleiro.server.guard import LINE_PATHS
from tabuleiro.server.presence import Wire
from tabuleiro.server.shares import Share

Json = Any

#: The first part of an old path, and what it is called now. What is not named here never was an address.
_FAMILIES = {
    "analyses": "analyses",
    "bots": "bots",
    "games": "games",
    "me": "me",
    "openapi.json": "openapi.json",
    "pictures": "pictures",
    "plays": "sessions",
    "positions": "positions",
    "records": "records",
    "reports": "reports",
    "setups": "editor",
}
_MARK = "tabuleiro.old_words"
_OLD_CODES = {"no_such_session": "no_such_play"}
#: How errors name a field of the body: «moves.3», “moves.3”.
_LINE_NAMED = re.compile("([«“])(moves|play)(?=[.»”])")


class OldAddresses:
    """Leads an old address to the new one, and remembers that it was old."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and (path := _new_path(scope["path"])) is not None:
            scope = {**scope, "path": path, "raw_path": path.encode(), _MARK: True}
        await self.app(scope, receive, send)


def _new_path(path: str) -> str | None:
    """The address that an old one has now; None for one that is not old."""
    if path.startswith("/ws/plays/"):
        return "/ws/v1/sessions/" + path.removeprefix("/ws/plays/")
    if not path.startswith("/api/"):
        return None
    family, slash, rest = path.removeprefix("/api/").partition("/")
    return f"/api/v1/{_FAMILIES[family]}{slash}{rest}" if family in _FAMILIES else None


class OldWords:
    """Speaks the old words with who came by an old address."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _MARK not in scope:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            extensions = scope["extensions"]
            await self.app({**scope, "extensions": {**extensions, WIRE: _OldWire(extensions[WIRE])}}, receive, send)
        else:
            if scope["method"] == "POST" and scope["path"] in LINE_PATHS:
                receive = await _new_body(receive)
            await self.app(scope, receive, _OldAnswer(scope, send))


# ------------------------------------------------------------------------------------------------------------- bodies


async def _new_body(receive: Receive) -> Receive:
    """The body with its line, which was called `play`, as `moves`; what cannot be read is left to be refused."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return _first(message, receive)
        body += message.get("body", b"")
        more = message.get("more_body", False)
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        said = None
    if isinstance(said, dict):
        # `moves` was no field: called `play` it is refused now as it was then.
        body = json.dumps({_SWAPPED.get(name, name): value for name, value in said.items()}).encode()
    return _first({"type": "http.request", "body": body, "more_body": False}, receive)


_SWAPPED = {"play": "moves", "moves": "play"}


def _first(message: Message, receive: Receive) -> Receive:
    waiting = [message]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


# ------------------------------------------------------------------------------------------------------------ answers


class _OldAnswer:
    """Passes an answer on, in the old words where they differ; such an answer is kept until it is whole."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._start: Message | None = None
        self._words: Callable[[Json], Json] | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._words = _translation(self._scope, message["status"])
            if self._words is not None:
                self._start = message
                return
        elif self._words is not None and self._start is not None and message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            if message.get("more_body", False):
                return
            body = orjson.dumps(self._words(orjson.loads(self._body)))
            MutableHeaders(scope=self._start)["content-length"] = str(len(body))
            await self._send(self._start)
            message = {**message, "body": body}
        await self._send(message)


def _translation(scope: Scope, status: int) -> Callable[[Json], Json] | None:
    if status >= 400:
        return _old_line_refusal if scope["path"] in LINE_PATHS else _old_refusal
    if scope["path"] == "/api/v1/sessions" and scope["method"] == "GET":
        return _old_list
    if scope["path"].startswith("/api/v1/games/"):
        return _old_rules
    return None


def _old_refusal(answer: Json) -> Json:
    return {"error": _old_problem(answer["error"])}


def _old_problem(problem: Json) -> Json:
    return {**problem, "code": _OLD_CODES.get(problem["code"], problem["code"])}


def _old_line_refusal(answer: Json) -> Json:
    """The refusal of a body with a line: it names the fields as they were called."""
    problem = answer["error"]
    text = {language: _LINE_NAMED.sub(_swap, said) for language, said in problem["text"].items()}
    return {"error": {**problem, "text": text}}


def _swap(named: "re.Match[str]") -> str:
    return named[1] + _SWAPPED[named[2]]


def _old_list(answer: Json) -> Json:
    return [
        {
            **{name: value for name, value in session.items() if name not in ("seats", "plies")},
            "players": {
                player: {name: value for name, value in seat.items() if name != "connected"}
                for player, seat in session["seats"].items()
            },
            "moves": session["plies"],
        }
        for session in answer["sessions"]
    ]


def _old_rules(answer: Json) -> Json:
    return {**answer, "blocks": [_renamed(block, "moves", "play") for block in answer["blocks"]]}


def _renamed(entry: Json, new: str, old: str) -> Json:
    return {old if name == new else name: value for name, value in entry.items()}


# ------------------------------------------------------------------------------------------------------------ messages


class _OldWire:
    """Says over a connection what is said over it, in the old words."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    @property
    def when_read(self) -> Callable[[], None] | None:
        return self._wire.when_read

    @when_read.setter
    def when_read(self, call: Callable[[], None] | None) -> None:
        self._wire.when_read = call

    @property
    def hear(self) -> Callable[[str], None] | None:
        return self._wire.hear

    @hear.setter
    def hear(self, call: Callable[[str], None] | None) -> None:
        self._wire.hear = call

    @property
    def share(self) -> Share:
        return self._wire.share

    def heed(self, willing: bool) -> None:
        self._wire.heed(willing)

    @property
    def is_full(self) -> bool:
        return self._wire.is_full

    def tell(self, *parts: bytes) -> None:
        message = orjson.loads(b"".join(parts))
        if message["type"] == "event" and message["kind"] == "hint":
            return  # that somebody asked for one was not told
        if message["type"] == "session":
            message["type"] = "play"
        elif message["type"] == "error":
            message = _old_problem(message)
        self._wire.tell(orjson.dumps(_renamed(message, "session", "play")))

    def end(self, code: int, reason: str = "") -> None:
        self._wire.end(code, _OLD_CODES.get(reason, reason))
