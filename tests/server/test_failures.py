"""When something breaks it breaks alone: a write that fails, a browser that does not read, a Redis that is away."""

import asyncio
import json
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from server.people import LocalServer, Person, Table
from tabuleiro.server import health
from tabuleiro.server.errors import NOT_SAVED, RefusedError
from tabuleiro.server.log import OpenStream
from tabuleiro.server.sessions import GameSession, Seat, SessionSettings
from tabuleiro.server.settings import Settings, sqlite_url


def test_a_move_that_cannot_be_stored_did_not_happen(
    server: LocalServer, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = ana.create("rastros", {"kind": "local"})
    other = ana.watch(ana.create("rastros", {"kind": "local"}))

    def broken(*_: Any) -> None:
        raise OSError("disk full")

    with ana.watch(session_id) as table, monkeypatch.context() as patch:
        patch.setattr(server.hub.store, "_append_all", broken)
        answer = table.ask("move", ply=0, move="d4")
        assert answer["type"] == "error" and answer["code"] == "not_saved"
        assert table.is_closed(), "who watched reads again what is stored"
    with ana.watch(session_id) as table:
        assert table.session["history"] == [] and table.move("d5")["type"] == "ack"
    with other:
        assert other.move("d4")["type"] == "ack"


def test_a_database_that_is_away_is_told(server: LocalServer, ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "GOOD_FOR", 0.0)

    async def away(*_: object) -> None:
        raise RefusedError(*NOT_SAVED)

    with monkeypatch.context() as patch:
        patch.setattr(server.hub.store, "beat", away)
        answer = ana.web.get("/healthz")
        assert answer.status_code == 503 and answer.headers["Retry-After"] == "5"
        assert answer.json() | {"sessions": 0, "connections": 0} == {
            "ok": False, "database": False, "engines": True, "disk": True, "sessions": 0, "connections": 0,
        }  # fmt: skip
    assert ana.get("/healthz")["ok"] is True


def test_a_full_disk_and_dead_engines_are_told(
    server: LocalServer, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "GOOD_FOR", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(health, "LITTLE_SPACE", 1 << 60)
        answer = ana.web.get("/healthz")
        assert answer.status_code == 503 and answer.json()["disk"] is False
    with monkeypatch.context() as patch:
        patch.setattr(type(server.hub.thinking.engines), "alive", 0)
        assert ana.web.get("/healthz").json()["engines"] is False
    assert ana.get("/healthz")["ok"] is True


def test_reading_from_a_database_that_is_away_is_refused_and_says_when_to_come_back(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise sa.exc.OperationalError("SELECT", {}, Exception("gone"))

    with monkeypatch.context() as patch:
        patch.setattr(server.hub.store._engine, "connect", away)
        answer = httpx.get(f"{server.address}/api/v1/sessions/abcdefghjkmn")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert answer.json()["error"]["code"] == "database_away"


def test_what_was_dropped_is_not_used_again() -> None:
    async def work() -> None:
        dropped = OpenStream(
            GameSession("p", SessionSettings("rastros", {}, None, None, (Seat("guest", 1), Seat("guest", 1))), 0.0), {}
        )
        dropped.dropped = True
        with pytest.raises(Exception, match="saved"):
            async with dropped.held():
                pass

    asyncio.run(work())


def test_a_process_plays_on_while_redis_is_away(tmp_path: Any) -> None:
    with LocalServer(Settings(sqlite_url(tmp_path), "redis://127.0.0.1:1")) as server:
        ana = Person(server.address)
        with ana.watch(ana.create("rastros", {"kind": "engine", "level": 1})) as table:
            assert table.move("d4")["type"] == "ack"
            table.until_plies(2)


def test_a_play_that_cannot_be_read_stops_no_other(server: LocalServer, ana: Person) -> None:
    session_id = ana.create("rastros", {"kind": "local"})
    hub = server.hub
    del hub.log.open[session_id]

    async def damage() -> None:
        await hub.store.write(
            lambda connection: connection.exec_driver_sql(
                "UPDATE streams SET settings = ?, due = 1 WHERE id = ?",
                (
                    json.dumps(
                        {
                            "game": "gone",
                            "options": {},
                            "position": None,
                            "clock": None,
                            "seats": [{"kind": "open", "guest": None, "level": None}] * 2,
                        }
                    ),
                    session_id,
                ),
            )
        )

    server.do(damage())
    server.do(hub.sweep(0))
    assert ana.web.get(f"/api/v1/sessions/{session_id}").json()["error"]["code"] == "unknown_game"
    assert Table(server.address, session_id, {}).first["code"] == "unknown_game"
    assert len(ana.get("/api/v1/sessions")["sessions"]) == 1
