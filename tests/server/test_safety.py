"""Standing up to crowds and to those who mean harm: limits, erasing, counting, engines that are shared fairly."""

import asyncio
import contextlib
import gc
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace, TracebackType
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from server.people import LocalServer, Person, Table, wait_for
from server.test_api import refused
from server.test_websocket import seated
from tabuleiro import svg
from tabuleiro.core import Position
from tabuleiro.record import Line
from tabuleiro.server import limits
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.fairness import FairQueue, Level
from tabuleiro.server.limits import GUEST_RATES, RATES, RULES_LEVELS, Limits, client_of
from tabuleiro.server.settings import Settings, sqlite_url
from tabuleiro.server.thinking import MAX_QUESTIONS
from tabuleiro.server.token_bucket import Rate


def scope(address: str, path: str = "/api/v1/me", method: str = "GET") -> dict[str, object]:
    return {"client": (address, 1), "path": path, "method": method}


def times(limiter: Limits, *request: str, guest: str | None = None) -> int:
    """How often a request is admitted before it is refused."""
    for count in range(100_000):
        try:
            limiter.admit(scope(*request), guest)
        except RefusedError:
            return count
    raise AssertionError("never")


def test_limits_are_by_client_and_by_route(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("tabuleiro.server.token_bucket.time", SimpleNamespace(monotonic=lambda: now))
    limiter = Limits()
    rates = {(method, path): rate for method, path, rate in RATES}
    making = rates["POST", "/api/v1/sessions"]
    assert times(limiter, "1.1.1.1", "/api/v1/sessions", "POST") == making.burst
    assert times(limiter, "1.1.1.1", "/api/v1/sessions", "POST") == 0
    assert times(limiter, "1.1.1.1", "/api/v1/sessions/x/join", "POST") == rates["*", "/"].burst, "another route"
    assert times(limiter, "2.2.2.2", "/api/v1/sessions", "POST") == making.burst, "another client"
    now += 2
    assert times(limiter, "1.1.1.1", "/api/v1/sessions", "POST") == 2 * making.pace


def test_what_is_remembered_of_clients_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_REMEMBERED", 10)
    limiter = Limits()
    for number in range(100):
        limiter.admit(scope(f"10.0.0.{number}"))
        limiter.admit(scope("10.0.0.1", "/api/v1/analyses", "POST"), f"guest {number}")
    assert len(limiter._addresses) == len(limiter._guests) == 10


@pytest.mark.parametrize("path", ["/api/v1/analyses", "/api/v1/reports"])
def test_who_asks_engines_for_too_much_spoils_nothing_for_the_others_of_the_house(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabuleiro.server.token_bucket.time", SimpleNamespace(monotonic=lambda: 1000.0))
    limiter = Limits()
    own = int({way: rate for _, way, rate in GUEST_RATES}[path].burst)
    house = int({way: rate for _, way, rate in RATES}[path].burst)
    for _ in range(2 * house):
        with contextlib.suppress(RefusedError):
            limiter.admit(scope("1.1.1.1", path, "POST"), "greedy")
    assert times(limiter, "1.1.1.1", path, "POST", guest="greedy") == 0
    pupils = [times(limiter, "1.1.1.1", path, "POST", guest=f"pupil {number}") for number in range(house // own + 1)]
    assert pupils == [own] * (house // own - 1) + [0, 0], "until those who share an address ask for too much"
    assert house >= 19 * own, "a class has room"
    assert times(limiter, "2.2.2.2", path, "POST") == own, "those without a token are one guest"


def test_one_house_is_one_client() -> None:
    assert client_of(scope("2001:db8:1:2::5")) == client_of(scope("2001:db8:1:2:ffff::9"))
    assert client_of(scope("2001:db8:1:2::5")) != client_of(scope("2001:db8:1:3::5"))
    assert client_of({"client": None}) == ""
    assert client_of(scope("::ffff:192.0.2.1")) == client_of(scope("192.0.2.1"))
    assert client_of(scope("::ffff:192.0.2.1")) != client_of(scope("::ffff:192.0.2.2"))


def test_who_asks_too_often_is_told_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rates = (("GET", "/ws/", Rate(2, 0.001)), ("GET", "/api/v1/me", Rate(3, 0.001)))
    monkeypatch.setattr(limits, "RATES", rates)
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        ana = Person(server.address)
        session_id = ana.create("hex", {"kind": "local"})
        answers = [ana.web.get("/api/v1/me") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert refused(answers[-1], 429) == "too_many_requests" and answers[-1].headers["retry-after"] == "5"
        assert answers[-1].elapsed.total_seconds() < 0.5, "a refusal keeps nothing waiting"
        elsewhere = httpx.get(f"{server.address}/api/v1/me", headers={"X-Forwarded-For": "9.9.9.9"})
        assert elsewhere.status_code == 200, "a proxy on this machine says whose request it is"
        with ana.watch(session_id), ana.watch(session_id), pytest.raises(InvalidStatus):
            ana.watch(session_id)


def test_connections_of_one_client_are_bounded(
    server: LocalServer, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = ana.create("hex", {"kind": "local"})
    with monkeypatch.context() as patch:
        patch.setattr(limits, "MAX_CONNECTIONS", 2)
        with ana.watch(session_id), ana.watch(session_id), pytest.raises(InvalidStatus):
            ana.watch(session_id)

    def comes_in() -> bool:
        with ana.watch(session_id) as table:
            return bool(table.session)

    wait_for(comes_in)


# ------------------------------------------------------------------------------------------------------------ erasing


def test_a_player_erases_a_game(server: LocalServer, ana: Person) -> None:
    session_id = ana.create("rastros", {"kind": "local"})
    with ana.watch(session_id) as table:
        table.move("d4")
        assert ana.web.delete(f"/api/v1/sessions/{session_id}").status_code == 200
        assert table.until(lambda message: message["type"] == "erased") and table.is_closed()
    assert (
        refused(ana.web.get(f"/api/v1/sessions/{session_id}"), 404) == "no_such_session"
        and ana.get("/api/v1/sessions")["sessions"] == []
    )
    assert Table(server.address, session_id, {}).first["code"] == "no_such_session"

    async def left() -> int:
        return len(await server.hub.store.events(session_id, 0))

    assert server.do(left()) == 0


def test_only_players_erase_and_not_while_somebody_plays_on(server: LocalServer, ana: Person, rui: Person) -> None:
    session_id = seated(ana, rui)
    address = f"/api/v1/sessions/{session_id}"
    assert refused(Person(server.address).web.delete(address), 403) == "not_your_game"
    assert refused(httpx.delete(f"{server.address}{address}"), 403) == "not_your_game"
    assert refused(ana.web.delete(address), 409) == "not_over"
    assert refused(ana.web.delete(address, headers={"Origin": "http://evil.example"}), 403) == "foreign_origin"
    rui.post(f"{address}/actions", {"action": "resign"})
    assert rui.web.delete(address).status_code == 200
    assert rui.get("/api/v1/sessions")["sessions"] == [], "who lost sees no more of it"
    assert [entry["id"] for entry in ana.get("/api/v1/sessions")["sessions"]] == [session_id], "who won keeps it"
    assert ana.get(address)["view"]["outcome"]["winner"] == 1
    assert ana.web.delete(address).status_code == 200
    assert refused(rui.web.get(address), 404) == "no_such_session", "nobody is left who wants it"


# ------------------------------------------------------------------------------------------------------------ counting


def test_metrics_count_what_happens(ana: Person) -> None:
    def value(sample: str) -> float:
        text = ana.web.get("/metrics").text
        found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)
        return float(found[1]) if found else 0.0

    moves = 'tabuleiro_events_total{kind="move"}'
    before, requests = (
        value(moves),
        'tabuleiro_requests_total{method="GET",route="/api/v1/sessions/{session_id}",status="200"}',
    )
    asked = value(requests)
    with ana.watch(ana.create("rastros", {"kind": "local"})) as table:
        table.move("d4")
        assert value(moves) == before + 1 and value("tabuleiro_connections") >= 1 and value("tabuleiro_sessions") >= 1
        ana.get(f"/api/v1/sessions/{table.session['id']}")
    assert value(requests) == asked + 1
    assert value("process_resident_memory_bytes") > 1e6 and value("tabuleiro_action_seconds_count") >= 1
    for line in ana.web.get("/metrics").text.splitlines():
        assert re.fullmatch(r"# TYPE \w+ (counter|gauge|histogram)|\w+(\{.*\})? [-+0-9.e]+", line), line


def test_one_guest_does_not_fill_the_queue_of_the_engines(tmp_path: Path) -> None:
    asked: list[str] = []

    async def never(line: Line, *_: object) -> str:
        asked.append(line.game)
        await asyncio.Event().wait()
        return ""

    settings = Settings(sqlite_url(tmp_path), engine_workers=MAX_QUESTIONS + 1)
    with pytest.MonkeyPatch.context() as patch, LocalServer(settings) as server:
        patch.setattr(server.hub.thinking.engines, "choose", never)
        ana = Person(server.address)
        for _ in range(MAX_QUESTIONS + 3):
            ana.create("hex", {"kind": "engine", "level": 5}, side="second")
        Person(server.address).create("ouri", {"kind": "engine", "level": 5}, side="second")
        wait_for(lambda: "ouri" in asked)
        assert asked.count("hex") == MAX_QUESTIONS


def test_hostile_messages_harm_nobody() -> None:
    script = Path(__file__).parents[2] / "bench" / "hostile.py"
    done = subprocess.run([sys.executable, script, "--messages", "300"], capture_output=True, text=True)
    assert done.returncode == 0 and "it stood" in done.stdout, done.stdout + done.stderr


def test_nothing_is_kept_of_what_was_refused(server: LocalServer, ana: Person) -> None:
    """An error that is raised more than once holds on to all that was going on each time."""
    session = ana.create("hex", {"kind": "local"})

    def ask(count: int) -> None:
        with httpx.Client(base_url=server.address) as web, ana.watch(session) as told:
            for _ in range(count):
                assert web.get("/api/v1/sessions/abcdefghjkmn").status_code == 404
                assert web.post("/api/v1/sessions", json={"game": "no such game"}).status_code == 422
                assert web.post("/api/v1/sessions", content=b"x" * 100_000).status_code == 413
                assert web.post("/api/v1/sessions", headers={"Origin": "http://evil.example"}).status_code == 403
                assert web.get("/api/v1/me", headers={"Authorization": "Bearer x"}).status_code == 401
                assert told.ask("nonsense")["code"] == "invalid_request"

    def kept() -> int:
        gc.collect()
        # By its type: to `isinstance` a weak proxy answers for what it stands for, which may be gone.
        return sum(type(thing) is TracebackType for thing in gc.get_objects())

    ask(5)
    before = kept()
    ask(20)
    assert kept() < before + 20


def test_who_asks_the_rules_for_much_waits_for_themselves_alone(
    server: LocalServer, ana: Person, rui: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, working, most, go_on = svg.draw, 0, 0, threading.Event()

    def slow_draw(position: Position, **how: Any) -> str:
        nonlocal working, most
        if position.id == "abalone":
            working += 1
            most = max(most, working)
            go_on.wait(30)
            working -= 1
        return drawn(position, **how)

    monkeypatch.setattr(svg, "draw", slow_draw)
    for person in (ana, rui):
        person.create("hex", {"kind": "local"})  # known as two from then on
    with ThreadPoolExecutor(60) as crowd:
        asked = [crowd.submit(ana.web.post, "/api/v1/pictures", json={"game": "abalone"}) for _ in range(60)]
        wait_for(lambda: working == RULES_LEVELS[-1].at_once)
        assert rui.web.post("/api/v1/pictures", json={"game": "hex"}).status_code == 200
        assert not any(one.done() for one in asked)
        go_on.set()
        assert {one.result().status_code for one in asked} == {200}
    assert most == RULES_LEVELS[-1].at_once
    wait_for(lambda: server.app.state.rules_queue.asked == 0)


def test_who_has_asked_for_too_much_already_is_refused() -> None:
    async def crowd() -> None:
        queue = FairQueue([Level(at_once=1, asked=3)])
        ended = asyncio.Event()

        async def ask() -> None:
            async with queue.turn("one"):
                await ended.wait()

        asked = [asyncio.create_task(ask()) for _ in range(5)]
        await asyncio.sleep(0)
        async with queue.turn("other"):
            pass
        ended.set()
        results = await asyncio.gather(*asked, return_exceptions=True)
        assert [result is None for result in results] == [True, True, True, False, False]
        assert queue.asked == 0

    asyncio.run(crowd())
