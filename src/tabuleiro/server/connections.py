"""Connections, before what is said over them is looked at: nobody may hold one for nothing or fill the memory by one.

uvicorn reads requests and answers them; here is added what it leaves to a web server in front, because a classroom has
none: a request must come whole in good time, its head must be short, few may come at once, answers must be fetched, an
address may hold `MAX_CONNECTIONS`, and a WebSocket may send the bytes of `SOCKET_RATE`. One that does otherwise is
dropped; nobody else notices.

WebSockets are read and written here, in as few steps as there can be: a thousand games are two thousand of them.
"""

import asyncio
import base64
import binascii
import hashlib
import logging
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, MutableMapping
from http import HTTPStatus
from typing import Any, ClassVar, Protocol, cast
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.server import ServerState

from tabuleiro.server import frames
from tabuleiro.server.frames import BrokenError
from tabuleiro.server.limits import client_of, house_of, proxies_of
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.shares import Share, Shares
from tabuleiro.server.token_bucket import Rate, TokenBucket

#: Connections from one address over which requests are made.
MAX_CONNECTIONS = 500
#: The seconds in which a request must have arrived whole.
REQUEST_SECONDS = 20.0
#: The seconds in which something of what is written for somebody must be fetched.
FETCH_SECONDS = 30.0
#: The first line of a request and its headers, in bytes.
MAX_HEAD = 32 * 1024
#: How often all connections are looked at, in seconds.
ROUND = 2.0
#: The bytes that a WebSocket may send: far more than its messages at the pace that they are allowed.
SOCKET_RATE = Rate(256 * 1024, 32 * 1024)
#: The messages that a WebSocket may have sent before those before them were heard; no more are read until then.
MAX_UNHEARD = 32
#: The bytes that may wait for one who does not read. One message more may be on its way; what happens after that is not
#: written for them, but how things stand once they have read.
UNREAD = 64 * 1024
#: The bytes that the system keeps for a WebSocket besides.
SEND_BUFFER = 64 * 1024
#: The bytes that may wait for all who share an address. Beyond that those for whom most waits are dropped.
MAX_UNREAD = 32 * 1024 * 1024
#: The seconds in which who was asked to close must have closed.
CLOSE_SECONDS = 10.0
#: What makes the answer to a request for a WebSocket out of its key.
ACCEPTING = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
#: Where an ASGI scope tells of the connection itself.
WIRE = "tabuleiro.wire"


class Connection(Protocol):
    """A connection as the door sees it."""

    transport: asyncio.Transport

    @property
    def house(self) -> str:
        """The address for which it is counted."""

    def is_late(self, now: float) -> bool:
        """Whether it keeps us waiting for something that should have come. Asked every `ROUND`."""


class ConnectionLimits:
    """All connections of one server."""

    _of: ClassVar[WeakKeyDictionary[ServerState, "ConnectionLimits"]] = WeakKeyDictionary()

    def __init__(self) -> None:
        self._inside: set[Connection] = set()
        #: Those that have not fetched all that was written for them: how much, and when that last became less.
        self._unfetched: dict[Connection, tuple[int, float]] = {}
        self._addresses: Counter[str] = Counter()
        self.shares = Shares()
        self.post = _Post()
        self._round: asyncio.TimerHandle | None = None

    @classmethod
    def of(cls, server: ServerState) -> "ConnectionLimits":
        if server not in cls._of:
            cls._of[server] = cls()
        return cls._of[server]

    def enter(self, visitor: Connection, loop: asyncio.AbstractEventLoop) -> None:
        self._inside.add(visitor)
        if self._round is None:
            self._round = loop.call_later(ROUND, self._look_round, loop)

    def leave(self, visitor: Connection) -> None:
        self._inside.discard(visitor)
        self._unfetched.pop(visitor, None)

    def has_room_for(self, address: str) -> bool:
        return self._addresses[address] < MAX_CONNECTIONS

    def count(self, address: str, change: int) -> None:
        self._addresses[address] += change
        if not self._addresses[address]:
            del self._addresses[address]

    def _look_round(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        waiting: dict[str, list[tuple[int, Connection]]] = {}
        for visitor in [*self._inside]:
            if left := visitor.transport.get_write_buffer_size():
                waiting.setdefault(visitor.house, []).append((left, visitor))
                unfetched, since = self._unfetched.get(visitor, (left, now))
                self._unfetched[visitor] = left, now if left < unfetched else since
                if now - since > FETCH_SECONDS and left >= unfetched:
                    visitor.transport.abort()
            elif self._unfetched:
                self._unfetched.pop(visitor, None)
            if visitor.is_late(now):
                visitor.transport.abort()
        for unread in waiting.values():
            _drop_greediest(unread)
        self._round = loop.call_later(ROUND, self._look_round, loop) if self._inside else None


class TooManyAtOnceError(Exception):
    """A request comes while another one waits for the answer to one before, or over a connection too many."""


def _drop_greediest(unread: list[tuple[int, Connection]]) -> None:
    """Drop those of one house for whom most waits, until no more than `MAX_UNREAD` bytes wait for all of them."""
    total = sum(left for left, _ in unread)
    for left, visitor in sorted(unread, key=lambda each: -each[0]):
        if total <= MAX_UNREAD:
            return
        visitor.transport.abort()
        total -= left


class HttpConnection(HttpToolsProtocol):
    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._limits = ConnectionLimits.of(self.server_state)
        self._address: str | None = None
        #: How much of a head was read, while one is.
        self._head: int | None = 0
        #: Since when a request is on its way; None while none is.
        self._coming: float | None = None
        #: It said more than it should, and is not listened to any more.
        self._ignored = False
        self._answering: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # A proxy of ours says with each request for whom it asks; before that its connection is nobody's.
        if not self._is_of_proxy() and not self._is_counted_for(client_of({"client": self.client})):
            return
        self._coming = time.monotonic()
        self._limits.enter(self, self.loop)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        # Gone for the request that waits, and for the one being answered.
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answering = cycle
        share = self._limits.shares[self.house]

        def answer() -> None:
            if not cycle.disconnected:
                metered: Any = share.metered(app)
                super(HttpConnection, self)._start_asgi_task(cycle, metered)

        share.begin(answer)

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        self.connections.discard(self)
        self.parser = None  # type: ignore[assignment]  # each holds the other
        wire = WebSocketConnection(self.config, self.server_state)
        self.transport.set_protocol(wire)
        wire.connection_made(self.transport)
        wire.begin(self.url, self.scope)

    def data_received(self, data: bytes) -> None:
        if self._ignored:
            return
        super().data_received(data)
        if self._head is not None:
            self._head += len(data)
            if self._head > MAX_HEAD and not self.transport.is_closing():
                self._turn_away(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        if self.pipeline:
            # One may come a moment too soon; a thousand in one packet would keep everybody waiting.
            self._ignored = True
            self.cycle.keep_alive = False
            raise TooManyAtOnceError
        super().on_message_begin()
        self._head, self._coming = 0, time.monotonic()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._head is not None:  # headers after the body mean nothing to us
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._head = None
        self._count_for_visitor()
        super().on_headers_complete()

    def _is_of_proxy(self) -> bool:
        return self.client is not None and self.client[0] in proxies_of(str(self.config.forwarded_allow_ips))

    def _count_for_visitor(self) -> None:
        """A connection of a proxy of ours is counted for whom it asks."""
        if self.client is None or not self._is_of_proxy():
            return
        forwarded = ",".join(value.decode("latin-1") for name, value in self.headers if name == b"x-forwarded-for")
        proxies = proxies_of(str(self.config.forwarded_allow_ips))
        if not self._is_counted_for(house_of(proxies.visitor(self.client[0], forwarded))):
            raise TooManyAtOnceError

    def _is_counted_for(self, address: str) -> bool:
        """Count the connection for an address, and no other; or turn it away, if that one has too many."""
        if address == self._address:
            return True
        if self._address is not None:
            self._limits.count(self._address, -1)
            self._address = None
        if not self._limits.has_room_for(address):
            self._turn_away(b"429 Too Many Requests")
            return False
        self._address = address
        self._limits.count(address, 1)
        return True

    def send_400_response(self, msg: str) -> None:
        if not self._ignored:
            super().send_400_response(msg)

    def on_message_complete(self) -> None:
        self._coming = None
        super().on_message_complete()

    def is_late(self, now: float) -> bool:
        return self._coming is not None and now - self._coming > REQUEST_SECONDS

    @property
    def house(self) -> str:
        return self._address or ""

    def _turn_away(self, status: bytes) -> None:
        self._ignored = True
        self.transport.write(b"HTTP/1.1 " + status + b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()

    def _leave(self) -> None:
        self._limits.leave(self)
        if self._address is not None:
            self._limits.count(self._address, -1)
            self._address = None


class _Post:
    """What is said in one turn of the event loop is sent at its end: to each connection together, and to all of them by
    one call. Each sending costs as much as a long message does, and each call a part of that."""

    def __init__(self) -> None:
        self._waiting: list[WebSocketConnection] = []

    def send_for(self, wire: "WebSocketConnection") -> None:
        if not self._waiting:
            wire.loop.call_soon(self._send_all)
        self._waiting.append(wire)

    def _send_all(self) -> None:
        waiting, self._waiting = self._waiting, []
        for wire in waiting:
            try:
                wire.send_unsent()
            except Exception as error:
                log_failure("sending_failed", error)  # the others are told all the same


class WebSocketConnection(asyncio.Protocol):
    """A WebSocket, from the request for one until it is closed; the application knows it by ASGI and as a `Wire`."""

    transport: asyncio.Transport

    def __init__(self, config: Any, server_state: ServerState) -> None:
        self.loop = asyncio.get_running_loop()
        self._config = config
        self._server = server_state
        self._limits = ConnectionLimits.of(server_state)
        self._post = self._limits.post
        self._reader = frames.Reader(config.ws_max_size)
        self._bytes = TokenBucket(SOCKET_RATE)
        self._heard = time.monotonic()
        #: When they were asked whether they are there, if nothing was heard of them since.
        self._asked: float | None = None
        #: Called when what waited has been read.
        self.when_read: Callable[[], None] | None = None
        #: Called with each text message, by who would rather not be woken for it.
        self.hear: Callable[[str], None] | None = None
        #: Whether so much waits to be read that only how things stand may follow.
        self.is_full = False
        #: The address for which it is counted, what that may still take, and what was said while it had taken too much.
        self.house = ""
        self.share = Share()
        self._later: list[bytes] = []
        #: What was said in this turn of the event loop.
        self._unsent: list[bytes] = []
        #: What the application has not heard yet, and who waits for it.
        self._unheard: deque[dict[str, Any]] = deque()
        self._listening: asyncio.Future[None] | None = None
        self._is_heeded = True
        self._is_read = True
        #: Who waits until they may write again.
        self._writing: asyncio.Future[None] | None = None
        self._key = b""
        self._is_open = False
        #: Our last word was said: nothing can be said any more.
        self._is_over = False
        self._closing: asyncio.TimerHandle | None = None

    # -- beginning and end ------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self._server.connections.add(self)  # type: ignore[arg-type]
        self._limits.enter(self, self.loop)
        self.transport.set_write_buffer_limits(high=UNREAD)
        if (opened := transport.get_extra_info("socket")) is not None:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    def begin(self, url: bytes, request: Any) -> None:
        """Somebody asks for it, by a request that is whole."""
        headers: list[tuple[bytes, bytes]] = request["headers"]
        status, self._key = _checked(request["method"], request["http_version"], url, headers)
        if status is not HTTPStatus.SWITCHING_PROTOCOLS:
            self._reject(status)
            return
        path, _, query = url.partition(b"?")
        forwarded = ",".join(value.decode("latin-1") for name, value in headers if name == b"x-forwarded-for")
        peer = request["client"][0] if request["client"] else ""
        self.house = house_of(proxies_of(str(self._config.forwarded_allow_ips)).visitor(peer, forwarded))
        self.share = self._limits.shares[self.house]
        protocols = [value.decode("latin-1") for name, value in headers if name == b"sec-websocket-protocol"]
        scope = {
            "type": "websocket",
            "asgi": {"version": self._config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "server": request["server"],
            "client": request["client"],
            "root_path": request["root_path"],
            "headers": headers,
            "state": request["state"],
            "scheme": "wss" if request["scheme"] == "https" else "ws",
            "path": request["root_path"] + unquote(path.decode("ascii")),
            "raw_path": request["root_path"].encode("ascii") + path,
            "query_string": query,
            "subprotocols": [name.strip() for names in protocols for name in names.split(",")],
            "extensions": {WIRE: self},
        }
        self._unheard.append({"type": "websocket.connect"})
        task = self.loop.create_task(self._serve(scope))
        self._server.tasks.add(task)
        task.add_done_callback(self._server.tasks.discard)

    async def _serve(self, scope: dict[str, Any]) -> None:
        try:
            await self._config.loaded_app(scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
        if not self._is_open and not self._is_over:
            self._reject(HTTPStatus.INTERNAL_SERVER_ERROR)
        if self._closing is None:
            self.transport.close()

    def _reject(self, status: HTTPStatus) -> None:
        """Answer the request by something else than a WebSocket."""
        if not self._is_over and not self.transport.is_closing():
            body = b"" if status is HTTPStatus.FORBIDDEN else status.phrase.encode()
            more = {HTTPStatus.METHOD_NOT_ALLOWED: b"allow: GET\r\n", HTTPStatus.UPGRADE_REQUIRED: _UPGRADE}
            self.transport.write(
                b"HTTP/1.1 %d %b\r\n%b%bcontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n"
                b"connection: close\r\n\r\n%b"
                % (status, status.phrase.encode(), self._defaults(), more.get(status, b""), len(body), body)
            )
        self._is_over = True
        self.transport.close()

    def _defaults(self) -> bytes:
        """The headers of every answer."""
        return b"".join(b"%b: %b\r\n" % header for header in self._server.default_headers)

    def connection_lost(self, exc: Exception | None) -> None:
        self._limits.leave(self)
        self._server.connections.discard(self)
        self.when_read = self.hear = None
        self._is_over = True
        self._hand_over({"type": "websocket.disconnect", "code": 1005 if self._is_open else 1006})
        self._may_write()
        self._stop_closing()

    def eof_received(self) -> None:
        pass

    def shutdown(self) -> None:
        """The server stops."""
        if not self._is_open:
            self._reject(HTTPStatus.INTERNAL_SERVER_ERROR)
        else:
            self._say_last(1012)
            self._stop_closing()
            self.transport.close()

    def end(self, code: int, reason: str = "") -> None:
        """Close the connection, with a code and a word that say why."""
        if self._say_last(code, reason):
            if not self._is_heeded:  # else the answer to that would not be heard
                self.heed(True)
            self._closing = self.loop.call_later(CLOSE_SECONDS, self.transport.close)

    def _fail(self, code: int, reason: str) -> None:
        """Close the connection of who does not keep to the protocol, without waiting for an answer."""
        self._say_last(code, reason)
        self._stop_closing()
        self.transport.close()

    def _say_last(self, code: int, reason: str = "") -> bool:
        """Say our last word, unless it was said."""
        if self._is_over or self.transport.is_closing():
            return False
        self._hand_over({"type": "websocket.disconnect", "code": code, "reason": reason})
        self._write(frames.closing(code, reason))
        self._is_over = True
        return True

    def _stop_closing(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None

    # -- what they say ----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._heard = time.monotonic()
        self._bytes.spend(len(data))
        if self._bytes.left() < 0:
            self.transport.abort()
        elif not self.share.is_behind:
            self._take(data)
        else:
            self._later.append(data)
            if len(self._later) == 1:
                self.share.begin(self._take_later)
                self._read_or_wait()

    def _take_later(self) -> None:
        """What was said while the address had taken too much."""
        later, self._later = b"".join(self._later), []
        if not self.transport.is_closing():
            self._read_or_wait()
            self._take(later)

    def _take(self, data: bytes) -> None:
        begun = time.thread_time()
        self._understand(data)
        self.share.spend(time.thread_time() - begun)

    def _understand(self, data: bytes) -> None:
        hear, said = self.hear, frames.short_text(data)
        if said is None or hear is None or self._unheard or self._is_over or self._reader.is_amid:
            self._read(data)
            return
        try:
            text = said.decode()
        except UnicodeDecodeError:
            self._fail(1007, "")
        else:
            hear(text)

    def _read(self, data: bytes) -> None:
        try:
            for kind, said in self._reader.read(data):
                if kind == frames.TEXT:
                    self._hear_text(said.decode())
                elif kind == frames.BINARY:
                    self._hear_message({"type": "websocket.receive", "bytes": said})
                elif kind == frames.PING and not self._is_over:
                    self._write(frames.head(frames.PONG, len(said)) + said)
                elif kind == frames.CLOSE:
                    self._hear_last(said)
        except UnicodeDecodeError:
            self._fail(1007, "")
        except BrokenError as error:
            self._fail(error.code, error.reason)

    def _hear_text(self, text: str) -> None:
        if self.hear is None or self._unheard:  # those that wait come first
            self._hear_message({"type": "websocket.receive", "text": text})
        elif not self._is_over:
            self.hear(text)

    def _hear_message(self, message: dict[str, Any]) -> None:
        if self._is_over:
            return
        self._hand_over(message)
        if len(self._unheard) > MAX_UNHEARD:
            self.heed(False)

    def _hear_last(self, said: bytes) -> None:
        """They close the connection, or have answered that we did."""
        if not self._is_over:
            code, reason = frames.code_of(said)
            self._hand_over({"type": "websocket.disconnect", "code": code, "reason": reason})
            self._write(frames.head(frames.CLOSE, len(said)) + said)
            self._is_over = True
        self._stop_closing()
        self.transport.close()

    def is_late(self, now: float) -> bool:
        """They may be silent for as long as they say that they are there when they are asked; who was heard meanwhile
        is."""
        if now - self._heard < self._config.ws_ping_interval or not self._is_open or self._is_over:
            self._asked = None
        elif self._asked is None:
            self._asked = now
            self._write(frames.head(frames.PING, 0))
        elif now - self._asked > self._config.ws_ping_timeout:
            self._fail(1011, "keepalive ping timeout")
        return False

    def heed(self, willing: bool) -> None:
        """Read on, or no more until who hears has caught up."""
        self._is_heeded = willing
        self._read_or_wait()

    def _read_or_wait(self) -> None:
        willing = self._is_heeded and not self._later
        if self._is_read is not willing and not self.transport.is_closing():
            self._is_read = willing
            (self.transport.resume_reading if willing else self.transport.pause_reading)()

    # -- what is said -----------------------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        self.is_full = True

    def resume_writing(self) -> None:
        self._may_write()
        if self.when_read is not None:
            self.when_read()

    def _may_write(self) -> None:
        self.is_full = False
        if self._writing is not None and not self._writing.done():
            self._writing.set_result(None)

    def tell(self, *parts: bytes) -> None:
        """Send a text message, given in parts."""
        if self._is_over:
            return
        if not self._unsent:
            self._post.send_for(self)
        self._unsent += (frames.head(frames.TEXT, sum(map(len, parts))), *parts)

    def send_unsent(self) -> None:
        """Send what was said."""
        if self._unsent and not self.transport.is_closing():
            self.transport.write(b"".join(self._unsent))  # one piece costs less than many
        self._unsent = []

    def _write(self, frame: bytes) -> None:
        """Send a frame, after what was said before."""
        self._unsent.append(frame)
        self.send_unsent()

    # -- the application --------------------------------------------------------------------------------------------

    def _hand_over(self, message: dict[str, Any]) -> None:
        self._unheard.append(message)
        if self._listening is not None and not self._listening.done():
            self._listening.set_result(None)

    async def receive(self) -> dict[str, Any]:
        while not self._unheard:
            self._listening = self.loop.create_future()
            await self._listening
        message = self._unheard.popleft()
        if not self._unheard and not self._is_heeded:
            self.heed(True)
        return message

    async def send(self, message: MutableMapping[str, Any]) -> None:
        while self.is_full:
            if self._writing is None or self._writing.done():
                self._writing = self.loop.create_future()
            await asyncio.shield(self._writing)
        kind = message["type"]
        if self._is_over or self.transport.is_closing():
            raise ClientDisconnected
        if kind == "websocket.accept" and not self._is_open:
            more = [*message.get("headers", [])]
            if (subprotocol := message.get("subprotocol")) is not None:
                more.append((b"sec-websocket-protocol", subprotocol.encode()))
            accepted = base64.b64encode(hashlib.sha1(self._key + ACCEPTING).digest())
            self._is_open = True
            self._heard = time.monotonic()
            self.transport.write(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Accept: %b\r\n%b%b\r\n"
                % (accepted, self._defaults(), b"".join(b"%b: %b\r\n" % header for header in more))
            )
        elif kind == "websocket.close" and not self._is_open:
            self._hand_over({"type": "websocket.disconnect", "code": 1006})
            self._reject(HTTPStatus.FORBIDDEN)
        elif kind == "websocket.close":
            self.end(message.get("code", 1000), message.get("reason") or "")
        elif kind == "websocket.send" and self._is_open and message.get("text") is not None:
            self.tell(message["text"].encode())
        else:
            raise RuntimeError(f"{kind} cannot be sent now")


_UPGRADE = b"upgrade: websocket\r\nsec-websocket-version: 13\r\n"


def _checked(method: str, version: str, url: bytes, headers: list[tuple[bytes, bytes]]) -> tuple[HTTPStatus, bytes]:
    """How a request for a WebSocket is answered, and the key that came with it."""
    if method != "GET":
        return HTTPStatus.METHOD_NOT_ALLOWED, b""
    if version != "1.1":
        return HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, b""
    keys = [value for name, value in headers if name == b"sec-websocket-key"]
    versions = [value for name, value in headers if name == b"sec-websocket-version"]
    if sum(name == b"upgrade" for name, _ in headers) != 1:
        return HTTPStatus.UPGRADE_REQUIRED, b""
    try:
        is_sound = len(keys) == 1 and len(base64.b64decode(keys[0], validate=True)) == 16
    except binascii.Error:
        is_sound = False
    if not is_sound or versions != [b"13"] or not url.isascii():
        return HTTPStatus.BAD_REQUEST, b""
    return HTTPStatus.SWITCHING_PROTOCOLS, keys[0]
