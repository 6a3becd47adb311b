"""Connections, before what is said over them is looked at: nobody may hold one for nothing or fill the memory by one.

uvicorn reads and writes; here is added what it leaves to a web server in front, because a classroom has none: a request
must come whole in good time, its head must be short, few may come at once, answers must be fetched, an address may hold
`MAX_CONNECTIONS`, and a WebSocket may send the bytes of `SOCKET_RATE`. One that does otherwise is dropped; nobody else
notices.

What is said over a WebSocket is written here in parts, which many may be sent: nothing is copied for each of them.
"""

import asyncio
import contextlib
import socket
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, Protocol
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C where that was built
from websockets.protocol import State
from websockets.streams import StreamReader

from tabuleiro.server.limits import Rate, client_of, house_of, proxies_of
from tabuleiro.server.shares import Shares

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
#: How a text message begins that is whole, and how long it may be while one byte says it.
TEXT, SHORT = 0x81, 125
#: Where an ASGI scope tells of the connection itself.
WIRE = "tabuleiro.wire"


class Connection(Protocol):
    """A connection as the door sees it."""

    transport: asyncio.Transport

    @property
    def house(self) -> str:
        """The address for which it is counted."""

    def is_late(self, now: float) -> bool:
        """Whether it keeps us waiting for something that should have come."""


class ConnectionLimits:
    """All connections of one server."""

    _of: ClassVar[WeakKeyDictionary[ServerState, "ConnectionLimits"]] = WeakKeyDictionary()

    def __init__(self) -> None:
        #: Each connection with how much it had not fetched, and when that last became less.
        self._inside: dict[Connection, tuple[int, float]] = {}
        self._addresses: Counter[str] = Counter()
        self.shares = Shares()
        self._round: asyncio.TimerHandle | None = None

    @classmethod
    def of(cls, server: ServerState) -> "ConnectionLimits":
        if server not in cls._of:
            cls._of[server] = cls()
        return cls._of[server]

    def enter(self, visitor: Connection, loop: asyncio.AbstractEventLoop) -> None:
        self._inside[visitor] = 0, time.monotonic()
        if self._round is None:
            self._round = loop.call_later(ROUND, self._look_round, loop)

    def leave(self, visitor: Connection) -> None:
        self._inside.pop(visitor, None)

    def has_room_for(self, address: str) -> bool:
        return self._addresses[address] < MAX_CONNECTIONS

    def count(self, address: str, change: int) -> None:
        self._addresses[address] += change
        if not self._addresses[address]:
            del self._addresses[address]

    def _look_round(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        waiting: dict[str, list[tuple[int, Connection]]] = {}
        for visitor, (unfetched, since) in [*self._inside.items()]:
            left = visitor.transport.get_write_buffer_size()
            if left:
                waiting.setdefault(visitor.house, []).append((left, visitor))
            if left == 0 or left < unfetched:
                since = now
            self._inside[visitor] = left, since
            if now - since > FETCH_SECONDS or visitor.is_late(now):
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
        super().handle_websocket_upgrade()

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


def _is_between_frames(conn: Any) -> bool:
    """Whether what uvicorn has read of an open WebSocket ends with a frame: the innermost of its readers, each of which
    waits for the next, then waits for another frame or the end."""
    if conn.reader.buffer or conn.state is not State.OPEN:
        return False
    waits = conn.parser
    while (inner := waits.gi_yieldfrom) is not None:
        waits = inner
    return waits.gi_code is StreamReader.at_eof.__code__


class WebSocketConnection(WebSocketsSansIOProtocol):
    def __init__(self, config: Any, server_state: ServerState, app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self._limits = ConnectionLimits.of(server_state)
        self._allowance = float(SOCKET_RATE.burst)
        self._heard = time.monotonic()
        #: Called when what waited has been read.
        self.when_read: Callable[[], None] | None = None
        #: Called with each text message, by who would rather not be woken for it.
        self.hear: Callable[[str], None] | None = None
        #: What is said at the same time is sent together: each sending costs as much as a long message does.
        self._unsent: list[bytes] = []
        #: The address for which it is counted.
        self.house = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._limits.enter(self, self.loop)
        self.transport.set_write_buffer_limits(high=UNREAD)
        if (opened := transport.get_extra_info("socket")) is not None:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    def connection_lost(self, exc: Exception | None) -> None:
        self._limits.leave(self)
        self.when_read = self.hear = None
        super().connection_lost(exc)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][WIRE] = self  # type: ignore[assignment]
            peer = self.client[0] if self.client else ""
            forwarded = ",".join(event.headers.get_all("X-Forwarded-For"))
            self.house = house_of(proxies_of(str(self.config.forwarded_allow_ips)).visitor(peer, forwarded))

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        gained = (now - self._heard) * SOCKET_RATE.pace
        self._allowance = min(SOCKET_RATE.burst, self._allowance + gained) - len(data)
        self._heard = now
        if self._allowance < 0:
            self.transport.abort()
        elif not self._is_heard_at_once(data):
            super().data_received(data)

    def _is_heard_at_once(self, data: bytes) -> bool:
        """Hear one short text message that came alone and whole, as nearly all do: to read it takes a few steps. All
        else is for uvicorn."""
        if (
            self.hear is None
            or len(data) < 6  # the head and the mask
            or data[0] != TEXT
            or data[1] != 0x80 | len(data) - 6
            or len(data) - 6 > SHORT
            or self.frames
            or self.conn.expect_continuation_frame
            or not _is_between_frames(self.conn)
            or not self.queue.empty()
        ):
            return False
        try:
            text = apply_mask(data[6:], data[2:6]).decode()
        except UnicodeDecodeError:
            return False
        self.hear(text)
        return True

    def send_receive_event_to_app(self) -> None:
        # Those that wait come first.
        if self.hear is not None and self.curr_msg_data_type == "text" and self.queue.empty() and not self.close_sent:
            with contextlib.suppress(UnicodeDecodeError):  # uvicorn says so
                text = b"".join(self.frames).decode()
                self.frames = []
                self.hear(text)
                return
        # uvicorn stops reading at every message until it is heard, which costs more than the message.
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() > MAX_UNHEARD:
            self.read_paused = True
            self.transport.pause_reading()

    def is_late(self, now: float) -> bool:
        return False  # it may be silent for as long as it answers our pings

    def send_keepalive_ping(self) -> None:
        # Who was heard meanwhile is there, and is asked once silent for as long.
        silent = time.monotonic() - self._heard
        if self.ping_interval is not None and silent < self.ping_interval:
            self.ping_timer = self.loop.call_later(self.ping_interval - silent, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    # -- what is said -----------------------------------------------------------------------------------------------

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.when_read is not None:
            self.when_read()

    def heed(self, willing: bool) -> None:
        """Read on, or no more until who hears has caught up."""
        if self.read_paused is willing and not self.transport.is_closing():
            self.read_paused = not willing
            (self.transport.resume_reading if willing else self.transport.pause_reading)()

    @property
    def is_full(self) -> bool:
        """Whether so much waits to be read that only how things stand may follow."""
        return not self.writable.is_set()

    def tell(self, *parts: bytes) -> None:
        """Send a text message, given in parts."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        length = sum(map(len, parts))
        if length <= SHORT:
            head = bytes((TEXT, length))
        elif length < 1 << 16:
            head = b"\x81\x7e" + length.to_bytes(2)
        else:
            head = b"\x81\x7f" + length.to_bytes(8)
        if not self._unsent:
            self.loop.call_soon(self._send)
        self._unsent += (head, *parts)

    def _send(self) -> None:
        unsent, self._unsent = self._unsent, []
        if unsent and not self.transport.is_closing():
            self.transport.write(b"".join(unsent))  # one piece costs less than many

    def end(self, code: int, reason: str = "") -> None:
        """Close the connection, with a code and a word that say why."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.send_close(code, reason)
        self._send()
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:  # else the answer to that would not be heard
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)
