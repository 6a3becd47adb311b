"""What one address takes of the thread that answers everybody."""

import asyncio
import socket
import threading
import time
from collections.abc import Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from server.people import LocalServer, Person
from tabuleiro.server import openapi, shares
from tabuleiro.server.connections import ConnectionLimits
from tabuleiro.server.settings import Settings, sqlite_url
from tabuleiro.server.shares import MAX_REMEMBERED, QUOTA, Share, Shares

#: Seconds that an answer takes here.
COST = 0.05


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The time of day, and what the processor has done."""
    told = SimpleNamespace(now=0.0, done=0.0)
    fake = SimpleNamespace(monotonic=lambda: told.now, thread_time=lambda: told.done)
    monkeypatch.setattr(shares, "time", fake)
    return told


class Visits:
    """Requests of one address, and which of them were answered."""

    def __init__(self, clock: SimpleNamespace) -> None:
        self.share, self._clock = Share(), clock
        self.tasks: list[asyncio.Task[None]] = []

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._clock.done += COST / 2
        await asyncio.sleep(0)
        self._clock.done += COST / 2

    async def ask(self, count: int) -> None:
        for _ in range(count):
            self.share.begin(self._answer)
        await asyncio.sleep(0.2)

    def _answer(self) -> None:
        work: Any = self.share.metered(self._app)({}, None, None)  # type: ignore[arg-type]
        self.tasks.append(asyncio.ensure_future(work))


def test_who_has_had_more_than_its_share_waits_and_nobody_else_does(clock: SimpleNamespace) -> None:
    async def work() -> None:
        greedy, other = Visits(clock), Visits(clock)
        await greedy.ask(30)
        at_once = len(greedy.tasks)
        assert QUOTA.burst / COST <= at_once <= QUOTA.burst / COST + 2 * shares.AT_ONCE
        await other.ask(1)
        assert len(other.tasks) == 1 and len(greedy.tasks) == at_once
        while len(greedy.tasks) < 30:  # answered in the end; the loop's own clock wakes us
            clock.now += 100
            await asyncio.sleep(0.01)
        await asyncio.gather(*greedy.tasks)

    asyncio.run(work())


def test_what_is_metered_ends_as_it_would_otherwise(clock: SimpleNamespace) -> None:
    async def fails(*_: object) -> None:
        await asyncio.sleep(0)
        raise KeyError("x")

    async def waits(*_: object) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            clock.done += COST
            raise

    async def recovers(*_: object) -> None:
        try:
            await asyncio.wait_for(asyncio.sleep(60), 0.01)
        except TimeoutError:
            clock.done += COST

    async def work() -> None:
        def metered(app: Any) -> Coroutine[Any, Any, None]:
            answer: Coroutine[Any, Any, None] = Share().metered(app)({}, None, None)  # type: ignore[arg-type, assignment]
            return answer

        with pytest.raises(KeyError):
            await metered(fails)
        task = asyncio.ensure_future(metered(waits))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await metered(recovers)
        assert clock.done == 2 * COST

    asyncio.run(work())


def test_addresses_not_heard_of_for_longest_are_forgotten() -> None:
    all_shares = Shares()
    first = all_shares["0"]
    for number in range(1, MAX_REMEMBERED):
        all_shares[str(number)]
    assert all_shares["0"] is first
    all_shares["one more"]
    assert all_shares["0"] is first and all_shares["1"] is not None and len(all_shares) == MAX_REMEMBERED


def test_who_has_gone_is_not_answered(tmp_path: Path) -> None:
    asked: list[str] = []
    with LocalServer(Settings(sqlite_url(tmp_path))) as server, pytest.MonkeyPatch.context() as patch:
        host, port = server.address.removeprefix("http://").split(":")
        share = ConnectionLimits.of(server._server.server_state).shares["9.9.9.9"]

        def noted(self: Share, app: ASGIApp) -> ASGIApp:
            async def answer(scope: Scope, receive: Receive, send: Send) -> None:
                asked.append(scope["path"])
                await app(scope, receive, send)

            return answer

        def ask(path: str) -> socket.socket:
            line = socket.create_connection((host, int(port)))
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 9.9.9.9\r\n\r\n".encode())
            return line

        patch.setattr(Share, "metered", noted)
        share._bucket.spend(share._bucket.left() + QUOTA.pace)  # a second
        ask("/api/v1/me").close()
        with ask("/api/v1/site") as line:
            assert line.recv(20).startswith(b"HTTP/1.1 200")
        assert asked == ["/api/v1/site"]


def test_the_description_of_everything_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To make it takes seconds."""
    made_in: list[int] = []

    def described(_: object) -> dict[str, str]:
        made_in.append(threading.get_ident())
        return {"openapi": "3"}

    monkeypatch.setattr(openapi, "description", described)
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        for _ in range(2):
            assert httpx.get(f"{server.address}/api/v1/openapi.json").json() == {"openapi": "3"}
        assert len(made_in) == 1 and made_in[0] != server._thread.ident


def test_who_says_too_much_is_read_later_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        ana = Person(server.address)
        share = ConnectionLimits.of(server._server.server_state).shares["127.0.0.1"]
        with ana.watch(ana.create("hex", {"kind": "local"})) as table:
            before = time.monotonic()
            share._bucket.spend(share._bucket.left() + QUOTA.pace)  # a second
            assert table.move("b2")["type"] == "ack"
            assert time.monotonic() - before > 0.5
            spent: list[float] = []
            monkeypatch.setattr(share, "spend", spent.append)
            for _ in range(20):
                assert table.move("z99")["type"] == "error"
            assert len(spent) >= 20 and min(spent) >= 0 and sum(spent) > 0, "what cannot be done is counted too"
            assert table.move("c3")["type"] == "ack"
