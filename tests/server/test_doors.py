"""Who asks, behind proxies too; what a request costs; what reaches the log."""

import contextlib
import errno
import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from websockets.sync.client import connect

from server.front import nginx_before
from server.people import LocalServer, Person
from tabuleiro.server import connections, loglines
from tabuleiro.server.limits import BODY_UNIT, Limits, Proxies
from tabuleiro.server.settings import Settings, sqlite_url


@pytest.mark.parametrize(
    ("peer", "forwarded", "visitor"),
    [
        ("127.0.0.1", "9.9.9.9", "9.9.9.9"),
        ("127.0.0.1", "1.1.1.1, 9.9.9.9", "9.9.9.9"),  # the first is what the visitor claims
        ("10.1.2.3", "9.9.9.9, 10.0.0.7", "9.9.9.9"),  # two proxies of ours
        ("::ffff:10.1.2.3", "9.9.9.9", "9.9.9.9"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "10.0.0.7, 10.0.0.8", "10.0.0.7"),
        ("8.8.8.8", "9.9.9.9", "8.8.8.8"),  # not one of ours: whatever it says counts for nothing
    ],
)
def test_who_asks_behind_proxies(peer: str, forwarded: str, visitor: str) -> None:
    assert Proxies("127.0.0.1, 10.0.0.0/8").visitor(peer, forwarded) == visitor


def test_a_long_body_costs_as_much_as_many_short_ones() -> None:
    limits = Limits()
    scope = {"type": "http", "method": "POST", "path": "/api/v1/positions", "client": ("9.9.9.9", 1)}
    for _ in range(9):
        limits.admit(scope, body=33 * BODY_UNIT)
    with pytest.raises(Exception, match="too many"):
        limits.admit(scope, body=0)


def hold(server: LocalServer, visitor: str) -> socket.socket:
    """A request of somebody behind a proxy on this machine, whose body does not come."""
    host, port = server.address.removeprefix("http://").split(":")
    line = socket.create_connection((host, int(port)))
    head = f"POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {visitor}\r\nContent-Length: 10\r\n\r\n"
    line.sendall(head.encode())
    return line


def test_a_proxy_is_not_its_visitors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 5)
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        greedy = [hold(server, "9.9.9.9") for _ in range(8)]
        answers = []
        for line in greedy:
            line.settimeout(1)
            with contextlib.suppress(TimeoutError):
                answers.append(line.recv(100))
        assert len(answers) == 3 and all(answer.startswith(b"HTTP/1.1 429") for answer in answers)
        honest = [hold(server, f"8.8.8.{number}") for number in range(20)]
        assert httpx.get(f"{server.address}/healthz", headers={"X-Forwarded-For": "7.7.7.7"}).status_code == 200
        for line in (*greedy, *honest):
            line.close()


def test_a_proxy_that_has_not_yet_said_for_whom_it_asks_takes_nobodys_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 5)
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        host, port = server.address.removeprefix("http://").split(":")
        silent = [socket.create_connection((host, int(port))) for _ in range(20)]
        for visitor in ({"X-Forwarded-For": "7.7.7.7"}, {}):
            assert httpx.get(f"{server.address}/healthz", headers=visitor).status_code == 200
        for line in silent:
            line.close()


def test_the_recipe_for_nginx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One visitor with many connections does not touch another, who comes from another address."""
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 20)
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        upstream = int(server.address.rpartition(":")[2])
        with nginx_before(tmp_path, upstream) as address:
            ana = Person(address)
            session_id = ana.create("rastros", {"kind": "local"})
            with ana.watch(session_id) as table:
                assert table.move("d4")["type"] == "ack"
                assert table.session["share"].startswith(address)
            assert httpx.get(f"{address}/metrics").status_code == 403
            host, port = address.removeprefix("http://").split(":")
            held = []
            for _ in range(60):
                line = socket.create_connection((host, int(port)), source_address=("127.0.0.2", 0))
                # A stream that stays open: nginx holds a connection to the server for each.
                body = b'{"game":"abalone","seconds":60}'
                head = b"POST /api/v1/analyses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                line.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
                held.append(line)
            # Nobody pretends to be another: what a visitor writes into the header is not passed on.
            for _ in range(10):
                answer = httpx.get(f"{address}/api/v1/me", headers={"X-Forwarded-For": "127.0.0.2"})
                assert answer.status_code == 200
            for line in held:
                line.close()


def test_an_address_that_is_none_says_so_and_nothing_is_logged(
    server: LocalServer, capfd: pytest.CaptureFixture[str]
) -> None:
    capfd.readouterr()
    for name in ("%00", "x", "abcdefghjkm%00", "ABCDEFGHJKMN", "a" * 500):
        with connect(f"{server.address.replace('http', 'ws', 1)}/ws/v1/sessions/{name}") as line:
            assert json.loads(line.recv())["code"] == "no_such_session"
        assert httpx.get(f"{server.address}/api/v1/sessions/{name}").status_code in (404, 422)
    assert capfd.readouterr().err == ""


# ---------------------------------------------------------------------------------------------------------------- logs


def test_a_cause_is_logged_so_often_and_how_often_it_was_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(loglines, "_causes", loglines._Causes())
    now = 0.0
    # Not `time.monotonic` itself, by which the loops of other servers of these tests wake up.
    monkeypatch.setattr(loglines, "time", SimpleNamespace(monotonic=lambda: now, time=time.time))

    def fail() -> None:
        try:
            raise ValueError("x" * 10_000)
        except ValueError as error:
            loglines.log_failure("failed", error)

    for _ in range(1000):
        fail()
    loglines.log("another", number=1)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == loglines.MOST_FAILURES + 1 and json.loads(lines[-1])["event"] == "another"
    assert all(len(line) < loglines.MAX_LINE for line in lines)
    now = loglines.MINUTE + 1
    fail()
    assert json.loads(capsys.readouterr().err)["left_out"] == 1000 - loglines.MOST_FAILURES


def test_lines_of_several_processes_do_not_mix_and_the_file_is_put_aside(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tabuleiro.server import loglines as l; l.MAX_FILE = 200_000;"
        "l.MOST_LINES = 10**6; l.log_to(Path(sys.argv[1]))\n"
        "for number in range(1000): l.log('line', who=sys.argv[2], number=number, more='y' * 300)"
    )
    file = tmp_path / "log.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", program, str(file), str(who)]) for who in range(3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    kept = [file, *(file.with_name(f"log.jsonl.{number}") for number in range(1, loglines.KEPT_FILES + 1))]
    assert all(each.exists() for each in kept) and not file.with_name(f"log.jsonl.{loglines.KEPT_FILES + 1}").exists()
    for each in kept:
        assert each.stat().st_size < 300_000  # each writer may finish what it has begun
        for line in each.read_text().splitlines():
            assert json.loads(line)["event"] == "line"


def test_a_full_disk_takes_no_log_lines_and_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that could not be written once ended the event loop, which was about to say that something had failed."""
    monkeypatch.setattr(loglines, "_causes", loglines._Causes())
    monkeypatch.setattr(loglines, "_file", loglines.LogFile(Path("/dev/full")))
    loglines.log("lost")
    monkeypatch.setattr(loglines, "_file", None)

    def refuse(_: str) -> None:
        raise OSError(errno.EFBIG, "File too large")

    monkeypatch.setattr(sys, "stderr", SimpleNamespace(write=refuse))
    loglines.log("lost")


def test_addresses_may_leave_so_much_unread() -> None:
    class Line:
        def __init__(self) -> None:
            self.transport = self
            self.aborted = False

        def abort(self) -> None:
            self.aborted = True

    lines = [Line() for _ in range(4)]
    part = connections.MAX_UNREAD // 3
    connections._drop_greediest([(part, lines[0]), (part + 1, lines[1]), (10, lines[2]), (part, lines[3])])  # type: ignore[list-item]
    assert [line.aborted for line in lines] == [False, True, False, False]
