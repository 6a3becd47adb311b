"""What surrounds every request: where it comes from, how large it is, who sends it, and what browsers are told."""

import hashlib
import re
import secrets
import time
from http.cookies import CookieError, SimpleCookie

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabuleiro.core import MAX_MOVE_LENGTH
from tabuleiro.record import MAX_MOVES
from tabuleiro.server.errors import BROKEN, FOREIGN_ORIGIN, TOO_LARGE, Refusal, RefusedError
from tabuleiro.server.limits import Limits
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.metrics import Metrics

COOKIE = "tabuleiro"
COOKIE_AGE = 400 * 24 * 3600
BOT_HASH = "bot-"
#: Bytes.
MAX_BODY = 64 * 1024
#: What is asked about a line of moves, which may be as long as the longest game of a session; each move has its quotes,
#: a comma and a space.
LINE_PATHS = ("/api/v1/positions", "/api/v1/positions/why", "/api/v1/analyses", "/api/v1/reports", "/api/v1/pictures")
MAX_LINE_BODY = MAX_BODY + MAX_MOVES * (MAX_MOVE_LENGTH + 4)
SAFE_METHODS = ("GET", "OPTIONS")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}

#: 256 random bits.
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")


def refusal_response(refusal: Refusal) -> Response:
    return json_response(orjson.dumps({"error": refusal.as_json()}), refusal.status)


def json_response(body: bytes, status: int = 200) -> Response:
    return Response(body, status, {"Cache-Control": "no-store"}, "application/json")


def same_origin(headers: Headers) -> bool:
    """Browsers say on which page a request was made: it must be one of ours. Other programs say nothing."""
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def address_of(scope: Scope, lan_address: str | None) -> str:
    """How the one who asks reaches this server; who asks from this very machine is told the address others can use."""
    host = Headers(scope=scope).get("host", "")
    name = re.sub(r":\d+$", "", host)
    if not _HOST.fullmatch(host) or (lan_address and name in ("localhost", "127.0.0.1", "[::1]")):
        return lan_address or ""
    scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
    return f"{scheme}://{host}"


def token_of(headers: Headers) -> str | None:
    """The guest's token, if there is a sound one."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel is not None and _TOKEN.fullmatch(morsel.value) else None


def new_token() -> str:
    """What a browser is known by: 256 random bits."""
    return secrets.token_urlsafe(32)


def cookie(token: str, scheme: str) -> str:
    """The header that gives a browser its token."""
    secure = "; Secure" if scheme == "https" else ""
    return f"{COOKIE}={token}; Path=/; Max-Age={COOKIE_AGE}; HttpOnly; SameSite=Lax{secure}"


def new_bot_token() -> str:
    """256 random bits; no hyphen comes first, which the command line of a program would take for an option."""
    while (token := secrets.token_urlsafe(32)).startswith("-"):
        pass
    return token


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def bot_hash_of(token: str) -> str:
    """What is kept of the token of a bot. It looks different, so that no cookie ever counts as one."""
    return BOT_HASH + hash_of(token)[: 64 - len(BOT_HASH)]


def caller_hash(headers: Headers) -> str | None:
    """What we know the one who asks by: the token of a bot in a header, or that of a guest in a cookie."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return bot_hash_of(token)
    cookie = token_of(headers)
    return None if cookie is None else hash_of(cookie)


class Guard:
    """Refuses what is foreign or too large, gives every guest a token, and puts safety headers on every answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.limits = Limits()
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            client = self.limits.connect(scope)
        except RefusedError as error:
            self.metrics.count("refused", code=error.refusal.code)
            await send({"type": "websocket.close", "code": 1013})
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self.limits.disconnect(client)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # the connection knows that the body must not be sent
        headers = Headers(scope=scope)
        unsafe = scope["method"] not in SAFE_METHODS
        known = caller_hash(headers)
        minted = None if known else new_token()
        scope.setdefault("state", {})["token_hash"] = known or hash_of(minted or "")
        begun = False
        asked = time.perf_counter()

        async def guarded_send(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                answer = MutableHeaders(scope=message)
                route = getattr(scope.get("route"), "path", "other")
                self.metrics.count("requests", method=_method(scope), route=route, status=str(message["status"]))
                self.metrics.measure("request", time.perf_counter() - asked, route=route)
                if message["status"] == 429:
                    answer["Retry-After"] = "5"
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                # Pictures and lists are asked for side by side and must not hand out a token each.
                page = answer.get("content-type", "").startswith("text/html")
                wanted = unsafe or page or scope["path"] == "/api/v1/me"
                if minted and wanted and "set-cookie" not in answer:
                    answer["Set-Cookie"] = cookie(minted, scope["scheme"])
            await send(message)

        try:
            length = _length(headers)
            self.limits.admit(scope, known, length)
            if unsafe and not same_origin(headers):
                raise RefusedError(*FOREIGN_ORIGIN)
            most = MAX_LINE_BODY if scope["path"] in LINE_PATHS else MAX_BODY
            if length > most:
                raise RefusedError(*TOO_LARGE)
            await self.app(scope, await _read_body(receive, most) if unsafe else receive, guarded_send)
        except RefusedError as error:
            await refusal_response(error.refusal)(scope, receive, guarded_send)
        except Exception as error:
            route = getattr(scope.get("route"), "path", None)
            log_failure("request_failed", error, method=scope["method"], route=route)
            if begun:
                raise
            await refusal_response(BROKEN)(scope, receive, guarded_send)


def _method(scope: Scope) -> str:
    """Methods are counted by name, and nobody makes up names without end."""
    method: str = scope["method"]
    return method if method in ("GET", "POST", "PUT", "DELETE") else "other"


def _length(headers: Headers) -> int:
    """The bytes of a body; one that does not say how long it is counts as a long one."""
    if "transfer-encoding" in headers:
        return MAX_BODY
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() and len(length) < 12 else MAX_LINE_BODY + 1


async def _read_body(receive: Receive, most: int) -> Receive:
    """Read the body, so that one that does not say how long it is ends here when it has more bytes than `most`; give it
    back."""
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise RefusedError(*TOO_LARGE)
    waiting: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again
