"""What surrounds every request: where it comes from, how large it is, who sends it, and what browsers are told."""

import hashlib
import re
import secrets
from http.cookies import CookieError, SimpleCookie

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabuleiro.core import TabuleiroError
from tabuleiro.server.errors import BROKEN, FOREIGN_ORIGIN, TOO_LARGE, RefusedError, as_json, status_of
from tabuleiro.server.logs import log_failure

COOKIE = "tabuleiro"
COOKIE_AGE = 400 * 24 * 3600
MAX_BODY = 64 * 1024
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
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


def error_response(error: TabuleiroError) -> Response:
    return json_response(orjson.dumps({"error": as_json(error)}), status_of(error))


def json_response(body: bytes, status: int = 200) -> Response:
    return Response(body, status, {"Cache-Control": "no-store"}, "application/json")


def same_origin(headers: Headers) -> bool:
    """Browsers say on which page a request was made: it must be one of ours. Other programs say nothing."""
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def address_of(scope: Scope, lan_address: str | None) -> str:
    """How whoever asks reaches this server; who asks from this very machine is told the address others can use."""
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


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Guard:
    """Refuses what is foreign or too large, gives every guest a token, and puts safety headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        unsafe = scope["method"] not in SAFE_METHODS
        token = token_of(headers)
        minted = None if token else secrets.token_urlsafe(32)
        scope.setdefault("state", {})["token_hash"] = hash_of(token or minted or "")
        begun = False

        async def guarded_send(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                # Pictures and lists are asked for side by side and must not hand out a token each.
                page = answer.get("content-type", "").startswith("text/html")
                if minted and (unsafe or page or scope["path"] == "/api/me"):
                    secure = "; Secure" if scope["scheme"] == "https" else ""
                    cookie = f"{COOKIE}={minted}; Path=/; Max-Age={COOKIE_AGE}; HttpOnly; SameSite=Lax{secure}"
                    answer.append("Set-Cookie", cookie)
            await send(message)

        try:
            if unsafe and not same_origin(headers):
                raise FOREIGN_ORIGIN
            if _length(headers) > MAX_BODY:
                raise TOO_LARGE
            await self.app(scope, await _read_body(receive) if unsafe else receive, guarded_send)
        except RefusedError as refusal:
            await error_response(refusal)(scope, receive, guarded_send)
        except Exception as error:
            route = getattr(scope.get("route"), "path", None)
            log_failure("request_failed", error, method=scope["method"], route=route)
            if begun:
                raise
            await error_response(BROKEN)(scope, receive, guarded_send)


def _length(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() and len(length) < 12 else MAX_BODY + 1


async def _read_body(receive: Receive) -> Receive:
    """Read the body, so that one that does not say how long it is ends here when it grows too long; give it back."""
    body = b""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            raise TOO_LARGE
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again
