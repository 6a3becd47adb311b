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
from tabuleiro.server.errors import BROKEN, FOREIGN_ORIGIN, TOO_LARGE, UNKNOWN_HOST, Refusal, RefusedError
from tabuleiro.server.hosts import HostNames
from tabuleiro.server.limits import Limits
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.metrics import Metrics

#: Over https browsers keep a cookie of this name only if this very host set it, for itself alone.
COOKIE, SECURE_COOKIE = "tabuleiro", "__Host-tabuleiro"
COOKIE_AGE = 400 * 24 * 3600
BOT_HASH = "bot-"
#: Of a token that came over https in a cookie of the plain name, as those of before all did.
PLAIN_HASH = "plain-"
#: Bytes.
MAX_BODY = 64 * 1024
#: What is asked about a line of moves, which may be as long as the longest game of a session; each move has its quotes,
#: a comma and a space.
LINE_PATHS = ("/api/v1/positions", "/api/v1/positions/why", "/api/v1/analyses", "/api/v1/reports", "/api/v1/pictures")
MAX_LINE_BODY = MAX_BODY + MAX_MOVES * (MAX_MOVE_LENGTH + 4)
#: What files are sent to: registrations of a whole country, championships to be taken in.
FILE_PATHS = re.compile(r"/api/v1/championships/(?:[^/]+/entries|import)")
MAX_FILE_BODY = 4 * 1024 * 1024
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
#: Most browsers send no cookie but ours.
_OUR_COOKIE = re.compile(rf"({COOKIE}|{SECURE_COOKIE})=([A-Za-z0-9_-]{{43}})")
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


def _cookie(headers: Headers, name: str) -> str | None:
    """The token in a cookie, if there is a sound one."""
    sent = headers.get("cookie", "")
    if (ours := _OUR_COOKIE.fullmatch(sent)) is not None:
        return ours[2] if ours[1] == name else None
    try:
        morsel = SimpleCookie(sent).get(name)
    except CookieError:
        return None
    return morsel.value if morsel is not None and _TOKEN.fullmatch(morsel.value) else None


def new_token() -> str:
    """256 random bits; no hyphen comes first, which the command line of a program would take for an option."""
    while (token := secrets.token_urlsafe(32)).startswith("-"):
        pass
    return token


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def bot_hash_of(token: str) -> str:
    """What is kept of the token of a bot. It looks different, so that no cookie ever counts as one."""
    return BOT_HASH + hash_of(token)[: 64 - len(BOT_HASH)]


def caller_hash(scope: Scope) -> str | None:
    """What we know the one who asks by: the token of a bot in a header, or that of a guest in a cookie."""
    headers = Headers(scope=scope)
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return bot_hash_of(token)
    if _is_secure(scope):
        if (cookie := _cookie(headers, SECURE_COOKIE)) is not None:
            return hash_of(cookie)
        cookie = _cookie(headers, COOKIE)
        return None if cookie is None else PLAIN_HASH + hash_of(cookie)
    cookie = _cookie(headers, COOKIE)
    return None if cookie is None else hash_of(cookie)


def _is_secure(scope: Scope) -> bool:
    return scope["scheme"] in ("https", "wss")


def _give_token(scope: Scope, answer: MutableHeaders) -> None:
    """The cookie of a guest who is new, or whose token is renewed."""
    if (token := scope["state"].get("new_token")) is None:
        return
    kept = f"Path=/; Max-Age={COOKIE_AGE}; HttpOnly; SameSite=Lax"
    if _is_secure(scope):
        answer.append("Set-Cookie", f"{SECURE_COOKIE}={token}; {kept}; Secure")
        answer.append("Set-Cookie", f"{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure")
    else:
        answer.append("Set-Cookie", f"{COOKIE}={token}; {kept}")


class Guard:
    """Refuses what is foreign or too large, says who asks, and puts safety headers on every answer.

    In the state of a request stand `token_hash`, by which we know who asks, and `new_token`, which a route puts there
    for a guest who gets one.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, hosts: HostNames) -> None:
        self.app = app
        self.hosts = hosts
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
        scope.setdefault("state", {})["token_hash"] = caller_hash(scope)
        try:
            if not self.hosts.has(Headers(scope=scope).get("host", "")):
                self.metrics.count("refused", code=UNKNOWN_HOST.code)
                await send({"type": "websocket.close", "code": 1008})
                return
            await self.app(scope, receive, send)
        finally:
            self.limits.disconnect(client)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # the connection knows that the body must not be sent
        headers = Headers(scope=scope)
        unsafe = scope["method"] not in SAFE_METHODS
        scope.setdefault("state", {})["token_hash"] = known = caller_hash(scope)
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
                if message["status"] in (429, 503):
                    answer["Retry-After"] = "5"
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                _give_token(scope, answer)
            await send(message)

        try:
            length = _length(headers)
            self.limits.admit(scope, known, length)
            if not self.hosts.has(headers.get("host", "")):
                raise RefusedError(*UNKNOWN_HOST)
            if unsafe and not same_origin(headers):
                raise RefusedError(*FOREIGN_ORIGIN)
            most = _most(scope["path"])
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


def _most(path: str) -> int:
    """The bytes that may be sent to an address."""
    if FILE_PATHS.fullmatch(path):
        return MAX_FILE_BODY
    return MAX_LINE_BODY if path in LINE_PATHS else MAX_BODY


def _length(headers: Headers) -> int:
    """The bytes of a body; one that does not say how long it is counts as a long one."""
    if "transfer-encoding" in headers:
        return MAX_BODY
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() and len(length) < 12 else MAX_FILE_BODY + 1


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
