"""Those who hold connections for nothing, send without end or do not listen are dropped; nobody else notices."""

import asyncio
import base64
import contextlib
import gc
import inspect
import os
import socket
import time
from collections.abc import Iterator
from weakref import WeakSet

import pytest
from uvicorn.protocols.http import httptools_impl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server.people import LocalServer, Person, wait_for
from tabuleiro.server import connections
from tabuleiro.server.connections import ConnectionLimits, HttpConnection, WebSocketConnection
from tabuleiro.server.frames import Reader, closing
from tabuleiro.server.settings import Settings, sqlite_url

WAIT = 0.5


@pytest.fixture
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """A server with little patience."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "REQUEST_SECONDS", WAIT)
        patch.setattr(connections, "FETCH_SECONDS", WAIT)
        patch.setattr(connections, "ROUND", 0.05)
        patch.setattr(connections, "MAX_CONNECTIONS", 20)
        with LocalServer(Settings(sqlite_url(tmp_path_factory.mktemp("data")))) as running:
            yield running


def visit(
    server: LocalServer, words: bytes = b"", buffer: int | None = None, source: str = "127.0.0.1"
) -> socket.socket:
    """A connection over which something was said."""
    host, port = server.address.removeprefix("http://").split(":")
    line = socket.socket()
    if buffer is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.bind((source, 0))
    line.connect((host, int(port)))
    line.settimeout(10)
    line.sendall(words)
    return line


def is_dropped(line: socket.socket) -> bool:
    try:
        while line.recv(65_536):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


def answer_of(line: socket.socket) -> bytes:
    """A short answer in JSON."""
    answer = b""
    while not answer.endswith(b"}"):
        answer += line.recv(65_536)
    return answer


def flood(line: socket.socket, piece: bytes, most: int) -> int:
    """How many bytes somebody could send before they were dropped."""
    sent = 0
    try:
        while sent < most:
            line.sendall(piece)
            sent += len(piece)
    except (ConnectionResetError, BrokenPipeError):
        pass
    return sent


def inside(server: LocalServer) -> ConnectionLimits:
    return ConnectionLimits.of(server._server.server_state)


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{",
        b"POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    ],
    ids=["silent", "blank", "head", "body", "chunk"],
)
def test_a_request_must_come_whole_in_good_time(hasty: LocalServer, words: bytes) -> None:
    begun = time.monotonic()
    with visit(hasty, words) as line:
        assert is_dropped(line)
    assert time.monotonic() - begun > WAIT * 0.9
    wait_for(lambda: not inside(hasty)._inside)


def test_one_byte_now_and_then_does_not_help(hasty: LocalServer) -> None:
    begun = time.monotonic()
    with visit(hasty, b"GET / HTTP/1.1\r\nX: ") as line, pytest.raises(ConnectionError):
        while time.monotonic() - begun < 10:
            line.sendall(b"a")
            time.sleep(0.1)
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    "start", [b"GET /", b"GET / HTTP/1.1\r\nX: ", b"GET / HTTP/1.1\r\n"], ids=["line", "value", "many"]
)
def test_a_head_is_short(hasty: LocalServer, start: bytes) -> None:
    piece = b"X: y\r\n" * 10_000 if start.endswith(b"\r\n") else b"a" * 60_000
    with visit(hasty, start) as line:
        assert flood(line, piece, 50_000_000) < 20_000_000
    with visit(hasty, start + b"a" * (connections.MAX_HEAD + 1000)) as line:
        assert line.recv(1000).startswith(b"HTTP/1.1 431 ")


def test_headers_after_a_body_are_let_pass(hasty: LocalServer) -> None:
    trailers = b"".join(b"X-%d: y\r\n" % number for number in range(10_000))
    words = (
        b"POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
        + trailers
        + b"\r\n"
    )
    with visit(hasty, words) as line:
        assert line.recv(1000).startswith(b"HTTP/1.1 422 ")


def test_an_address_holds_so_many_connections(hasty: LocalServer) -> None:
    other = "127.0.0.2"  # no proxy of ours, as 127.0.0.1 is
    lines = [visit(hasty, source=other) for _ in range(20)]
    wait_for(lambda: len(inside(hasty)._inside) == 20)
    with visit(hasty, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", source=other) as late:
        assert late.recv(1000).startswith(b"HTTP/1.1 429 ")
    for line in lines:
        line.close()
    wait_for(lambda: not inside(hasty)._inside)
    assert Person(hasty.address).get("/healthz")["ok"]


def test_who_does_not_fetch_answers_is_dropped_and_it_is_no_failure(
    hasty: LocalServer, capfd: pytest.CaptureFixture[str]
) -> None:
    ask = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with visit(hasty, ask * 200, buffer=4096):
        wait_for(lambda: len(inside(hasty)._inside) == 1)
        wait_for(lambda: not inside(hasty)._inside)
    assert Person(hasty.address).get("/healthz")["ok"], "what follows the end of a connection has happened by now"
    assert "Traceback" not in capfd.readouterr().err


def test_requests_come_one_after_another(hasty: LocalServer) -> None:
    ask = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    with visit(hasty, ask) as line:
        for _ in range(5):
            assert answer_of(line).startswith(b"HTTP/1.1 200 ")
            line.sendall(ask)


@pytest.mark.parametrize("count, answered", [(2, 2), (3, 2), (5000, 2)])
def test_one_request_may_come_too_soon_but_not_many(hasty: LocalServer, count: int, answered: int) -> None:
    ask = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    with visit(hasty, ask * count) as line:
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while piece := line.recv(65_536):
                answer += piece
    # Who is cut off while they still send may lose what was answered.
    assert answer.count(b"HTTP/1.1 200 ") == answered or (count == 5000 and not answer)


def test_long_heads_one_after_another_are_no_long_head(hasty: LocalServer) -> None:
    ask = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + b"a" * (connections.MAX_HEAD - 1000)
    with visit(hasty, ask) as line:
        for _ in range(5):
            line.sendall(b"\r\n\r\n")
            assert answer_of(line).startswith(b"HTTP/1.1 200 ")
            line.sendall(ask)


def upgraded(server: LocalServer, session: str) -> socket.socket:
    key = base64.b64encode(os.urandom(16)).decode()
    words = (
        f"GET /ws/v1/sessions/{session} HTTP/1.1\r\n"
        f"Host: {server.address.removeprefix('http://')}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    )
    line = visit(server, words.encode())
    assert line.recv(1000).startswith(b"HTTP/1.1 101 ")
    return line


PING = b"\x89\xfd" + bytes(4) + b"x" * 125
PONG = b"\x8a\xfd" + bytes(4) + b"x" * 125
TEXT_BEGINS, NOTHING_MORE_YET = b"\x01\x80" + bytes(4), b"\x00\x80" + bytes(4)


@pytest.mark.parametrize("frame", [PING, PONG, NOTHING_MORE_YET], ids=["ping", "pong", "fragments"])
def test_who_floods_a_socket_is_dropped_and_the_others_play_on(hasty: LocalServer, frame: bytes) -> None:
    ana = Person(hasty.address)
    session = ana.create("hex", {"kind": "local"})
    with ana.watch(session) as table, upgraded(hasty, session) as line:
        if frame is NOTHING_MORE_YET:
            line.sendall(TEXT_BEGINS)
        assert flood(line, frame * 500, 100_000_000) < 20_000_000
        assert table.move("f6")["type"] == "ack"


def test_a_message_of_endless_empty_fragments_is_not_kept(hasty: LocalServer) -> None:
    ana = Person(hasty.address)
    session = ana.create("hex", {"kind": "local"})
    with ana.watch(session) as table, upgraded(hasty, session) as line:
        line.sendall(TEXT_BEGINS + NOTHING_MORE_YET * 200)  # few bytes: the rate of a connection allows them
        assert is_dropped(line)
        assert table.move("f6")["type"] == "ack"


def test_who_is_silent_on_a_socket_may_stay(hasty: LocalServer) -> None:
    ana = Person(hasty.address)
    session = ana.create("hex", {"kind": "local"})
    with ana.watch(session) as table:
        for _ in range(3):  # as long as somebody slow is borne with, and again
            with visit(hasty, b"GET / HT") as line:
                assert is_dropped(line)
        assert table.move("f6")["type"] == "ack"


def test_only_who_was_silent_is_asked_whether_they_are_there(hasty: LocalServer) -> None:
    ana = Person(hasty.address)
    session = ana.create("hex", {"kind": "local"})
    with ana.watch(session) as table:
        assert table.move("f6")["type"] == "ack"
        (wire,) = (each for each in inside(hasty)._inside if isinstance(each, WebSocketConnection))

        async def look(silent: float) -> bool:
            assert not wire.is_late(wire._heard + silent)
            return wire._asked is not None

        def is_asked(silent: float) -> bool:
            return asyncio.run_coroutine_threadsafe(look(silent), hasty._loop).result()

        interval: float = wire._config.ws_ping_interval
        assert not is_asked(interval - 1)
        assert is_asked(interval + 1)
        wait_for(lambda: wire._heard + interval > time.monotonic() and not is_asked(0))  # the answer has come
        assert table.move("f7")["type"] == "ack"


def test_who_does_not_say_that_they_are_there_is_closed(hasty: LocalServer) -> None:
    session = Person(hasty.address).create("hex", {"kind": "local"})
    with upgraded(hasty, session) as line:
        (wire,) = (each for each in inside(hasty)._inside if isinstance(each, WebSocketConnection))

        async def look() -> None:
            now = wire._heard + wire._config.ws_ping_interval
            for later in (0, wire._config.ws_ping_timeout + 1):
                wire.is_late(now + later)

        asyncio.run_coroutine_threadsafe(look(), hasty._loop).result()
        said = b""
        while piece := line.recv(65_536):
            said += piece
        assert said.endswith(b"\x89\x00" + closing(1011, "keepalive ping timeout"))


def test_a_move_is_heard_without_the_reader_of_all_else(hasty: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []

    def note(reader: Reader, data: bytes) -> Iterator[tuple[int, bytes]]:
        read.append(data)
        return reads(reader, data)

    reads = Reader.read
    monkeypatch.setattr(Reader, "read", note)
    ana = Person(hasty.address)
    session = ana.create("hex", {"kind": "local"})
    with ana.watch(session) as table:
        assert table.move("f6")["type"] == "ack" and table.move("f7")["type"] == "ack"
        assert not read


def test_a_connection_that_has_gone_leaves_no_garbage(hasty: LocalServer) -> None:
    ana = Person(hasty.address)
    session = ana.create("hex", {"kind": "local"})
    gc.collect()
    gc.disable()
    try:
        before = WeakSet(_connections())  # other servers of other tests may have some
        for move in ("f6", "f7", "f8"):
            with ana.watch(session) as table:
                assert table.move(move)["type"] == "ack"
        wait_for(lambda: all(each in before or each in inside(hasty)._inside for each in _connections()))
    finally:
        gc.enable()


def _connections() -> list[WebSocketConnection | HttpConnection]:
    return [each for each in gc.get_objects() if type(each) in (WebSocketConnection, HttpConnection)]


def test_uvicorn_begins_every_request_by_the_method_that_is_overridden() -> None:
    """Without it no request would be charged to the address that sent it, and one address could keep others waiting.
    The range of versions in pyproject.toml ends before the first that was not tried."""
    begin = HttpToolsProtocol._start_asgi_task
    assert [*inspect.signature(begin).parameters] == ["self", "cycle", "app"]
    elsewhere = inspect.getsource(httptools_impl).replace(inspect.getsource(begin), "")
    assert "run_asgi(" in inspect.getsource(begin)
    assert "run_asgi(" not in elsewhere.replace("async def run_asgi(", ""), "no request begins in another way"
