"""Clocks on a running server, with a clock on the wall that the test turns."""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from server.people import LocalServer, Person, wait_for
from tabuleiro.server.clock import Pause, ServerTime, passed, time_of_start
from tabuleiro.server.heartbeat import SILENCE
from tabuleiro.server.settings import Settings, sqlite_url


class Wall:
    """A clock on the wall."""

    def __init__(self) -> None:
        self.at = time.time()

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def server(tmp_path: Path, wall: Wall) -> Iterator[LocalServer]:
    with LocalServer(Settings(sqlite_url(tmp_path)), wall) as running:
        yield running


FISCHER = {"kind": "fischer", "minutes": 1, "increment": 2}


def begun(ana: Person, rui: Person) -> str:
    """A game whose clock runs for Ana, with a minute left."""
    session_id = ana.create("rastros", {"kind": "friend"}, side="first", clock=FISCHER)
    rui.post(f"/api/v1/sessions/{session_id}/join")
    for person, move in ((ana, "d4"), (rui, "d5")):
        with person.watch(session_id) as table:
            table.move(move)
    return session_id


def test_a_flag_falls(server: LocalServer, wall: Wall, ana: Person, rui: Person) -> None:
    session_id = begun(ana, rui)
    with ana.watch(session_id) as hers, rui.watch(session_id) as his:
        assert hers.session["clock"] == {
            "kind": "fischer", "initial": 60, "increment": 2, "left": {"1": 60, "2": 60}, "running": 1,
        }  # fmt: skip
        wall.at += 10
        hers.move("c6")
        assert hers.session["clock"]["left"] == {"1": 52, "2": 60} and hers.session["clock"]["running"] == 2
        wall.at += 59.9
        server.do(server.hub.log.look_after(session_id))
        assert ana.get(f"/api/v1/sessions/{session_id}")["status"] == "playing"
        wall.at += 0.2
        server.do(server.hub.log.look_after(session_id))
        hers.until_event("timeout")
        outcome = his.until_event("timeout")["session"]["view"]["outcome"]
        assert outcome["winner"] == 1 and outcome["reason"]["code"] == "time"
        assert his.session["clock"]["left"]["2"] == 0 and his.session["clock"]["running"] is None


def test_a_move_after_the_flag_comes_too_late(wall: Wall, ana: Person, rui: Person) -> None:
    session_id = begun(ana, rui)
    with ana.watch(session_id) as hers:
        wall.at += 61
        assert hers.ask("move", ply=2, move="c6")["code"] == "game_over"
        assert hers.session["view"]["outcome"]["reason"]["code"] == "time" and len(hers.session["history"]) == 2


def test_flags_fall_by_themselves(tmp_path: Path) -> None:
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        ana = Person(server.address)
        session_id = ana.create("rastros", {"kind": "local"}, clock={"kind": "move", "seconds": 1})
        with ana.watch(session_id) as table:
            table.move("d4")
            begun = time.monotonic()  # by now at the latest: who hears of their move late must not count from then
            table.move("d5")
            table.until_event("timeout")
            assert 0.9 < time.monotonic() - begun < 3


def test_a_restart_charges_nobody_and_flags_still_fall(tmp_path: Path, wall: Wall) -> None:
    settings = Settings(sqlite_url(tmp_path))
    with LocalServer(settings, wall) as server:
        ana, rui = Person(server.address), Person(server.address)
        session_id = begun(ana, rui)
        wall.at += 20
        server.do(server.hub.store.beat("somebody", wall.at))
    wall.at += 3600
    with LocalServer(settings, wall) as server:
        ana.web.base_url = server.address
        assert ana.get(f"/api/v1/sessions/{session_id}")["clock"]["left"]["1"] == 40, "20 seconds of thought, no hour"
        wall.at += 39
        server.do(server.hub.sweep(0))
        assert ana.get(f"/api/v1/sessions/{session_id}")["status"] == "playing"
        wall.at += 2
        server.do(server.hub.sweep(0))
        assert ana.get(f"/api/v1/sessions/{session_id}")["view"]["outcome"]["reason"]["code"] == "time"


def test_flags_that_fell_while_nobody_asked_are_found_after_a_restart(tmp_path: Path, wall: Wall) -> None:
    settings = Settings(sqlite_url(tmp_path))
    with LocalServer(settings, wall) as server:
        session_id = begun(Person(server.address), Person(server.address))
        wall.at += 60
        server.do(server.hub.store.beat("somebody", wall.at))
    wall.at += 1
    with LocalServer(settings, wall) as server:
        wait_for(lambda: Person(server.address).get(f"/api/v1/sessions/{session_id}")["status"] == "over")


def test_a_machine_that_slept_charges_nobody(server: LocalServer, wall: Wall, ana: Person, rui: Person) -> None:
    session_id = begun(ana, rui)
    wall.at += 3000
    server.do(server.hub.heartbeat.beat())
    assert ana.get(f"/api/v1/sessions/{session_id}")["clock"]["left"]["1"] == 60
    wall.at += SILENCE / 2
    server.do(server.hub.heartbeat.beat())
    assert ana.get(f"/api/v1/sessions/{session_id}")["clock"]["left"]["1"] == 60 - SILENCE / 2


# ------------------------------------------------------------------------------------------------------ wrong clocks

YEAR = 365 * 24 * 3600.0


def test_the_machine_is_asked_for_the_time_once(monkeypatch: pytest.MonkeyPatch) -> None:
    started = time_of_start()
    now = ServerTime(started)
    before = now()
    monkeypatch.setattr(time, "time", lambda: before + YEAR)
    assert 0 <= now() - before < 60
    assert ServerTime(started)() - before < 60, "another process of the same server agrees"


def test_a_pause_that_ends_after_now_is_none() -> None:
    assert passed(100.0, 110.0, [Pause(102.0, 102.0 + YEAR)]) == 10.0
    assert passed(100.0, 110.0, [Pause(102.0, 105.0), Pause(104.0, 104.0 + YEAR)]) == 7.0


@pytest.mark.parametrize("step", [YEAR, -YEAR])
def test_clocks_run_after_a_server_had_the_wrong_time(tmp_path: Path, wall: Wall, step: float) -> None:
    """A machine whose time is a year off is restarted, people play, and then its time is set right and it is restarted
    once more."""
    settings = Settings(sqlite_url(tmp_path))
    with LocalServer(settings, wall):
        pass
    right = wall.at
    wall.at += step
    with LocalServer(settings, wall) as server:
        ana, rui = Person(server.address), Person(server.address)
        session_id = begun(ana, rui)
        cookies = dict(ana.web.cookies)
    wall.at = right + 20
    with LocalServer(settings, wall) as server:
        left = httpx.get(f"{server.address}/api/v1/sessions/{session_id}", cookies=cookies).json()["clock"]["left"]["1"]
        assert left == 60, "no time passed in which the server ran and the player could think"
        wall.at += 30
        shown = httpx.get(f"{server.address}/api/v1/sessions/{session_id}").json()
        assert shown["clock"]["left"]["1"] == 30
        wall.at += 31
        server.do(server.hub.log.look_after(session_id))
        assert httpx.get(f"{server.address}/api/v1/sessions/{session_id}").json()["status"] == "over"
