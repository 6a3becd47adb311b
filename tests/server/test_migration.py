"""Databases of older servers: every game is there, and can be gone on with.

`data/NAME.sql.gz` is what a server stored (games of all kinds: over, going on, waiting, with clocks, rematches, moves
taken back, bots, a computer player who had not moved yet), `data/NAME.json.gz` what it answered about it. `before_v1`
is of the last server that kept plays, `before_people` of the last one on which everybody was a guest.
"""

import gzip
import json
import sqlite3
import time
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from server.people import LocalServer, Person, wait_for
from tabuleiro.games import GAMES
from tabuleiro.server.settings import DATABASE, Settings, sqlite_url

Json = dict[str, Any]
DATA = Path(__file__).parent / "data"


class Old(NamedTuple):
    """A database of then: its version, and its tables in an order in which every row finds those that it refers to."""

    name: str
    revision: str
    tables: tuple[str, ...]


BEFORE_V1 = Old("before_v1", "0002", ("guests", "plays", "seats", "bots", "events", "processes", "pauses"))
BEFORE_PEOPLE = Old("before_people", "0003", ("guests", "streams", "members", "bots", "events", "processes", "pauses"))
#: Each in SQLite and in PostgreSQL.
KINDS = [
    pytest.param((old, kind), id=f"{old.name}-{kind}")
    for old in (BEFORE_V1, BEFORE_PEOPLE)
    for kind in ("sqlite", "postgresql")
]
#: The seconds that may have passed between what was answered and what was stored last.
SLACK = 60.0


def old_sqlite(folder: Path, old: Old) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / DATABASE)
    connection.executescript(gzip.decompress((DATA / f"{old.name}.sql.gz").read_bytes()).decode())
    return connection


def old_postgresql(database: str, folder: Path, old: Old) -> str:
    """The same database in PostgreSQL, with the tables of then."""
    admin = sa.create_engine(database.replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE IF EXISTS {old.name}"))
        connection.execute(sa.text(f"CREATE DATABASE {old.name}"))
    admin.dispose()
    url = f"{database.rpartition('/')[0]}/{old.name}"
    engine = sa.create_engine(url.replace("://", "+psycopg://"))
    with engine.begin() as connection:
        upgrade(connection, old.revision)
    with old_sqlite(folder, old) as then, engine.begin() as connection:
        for table in old.tables:
            rows = then.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in rows.description]
            insert = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(['%s'] * len(names))})"
            for row in rows.fetchall():
                connection.exec_driver_sql(insert, row)
        connection.exec_driver_sql("SELECT setval('guests_id_seq', (SELECT max(id) FROM guests))")
    engine.dispose()
    return url


def upgrade(connection: sa.Connection, revision: str) -> None:
    with as_file(files("tabuleiro.server") / "migrations") as migrations:
        config = Config()
        config.set_main_option("script_location", str(migrations))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> tuple[Old, str]:
    chosen: tuple[Old, str] = request.param
    return chosen


@pytest.fixture
def old(kind: tuple[Old, str]) -> Old:
    return kind[0]


@pytest.fixture
def known(old: Old) -> Json:
    told: Json = json.loads(gzip.decompress((DATA / f"{old.name}.json.gz").read_bytes()))
    return told


@pytest.fixture
def url(kind: tuple[Old, str], tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Where the database of then lies now."""
    old, database = kind
    if database == "postgresql":
        return old_postgresql(request.getfixturevalue("postgresql"), tmp_path, old)
    old_sqlite(tmp_path, old).close()
    return sqlite_url(tmp_path)


@pytest.fixture
def server(url: str, tmp_path: Path) -> Iterator[LocalServer]:
    with sqlite3.connect(tmp_path / DATABASE) as then:
        (stopped,) = then.execute("SELECT max(alive) FROM processes").fetchone()
    then.close()
    begun = time.monotonic()
    # An hour after that server stopped.
    with LocalServer(Settings(url), lambda: stopped + 3600 + time.monotonic() - begun) as running:
        yield running


def person(server: LocalServer, cookie: str) -> Person:
    somebody = Person(server.address)
    somebody.web.cookies = httpx.Cookies({"tabuleiro": cookie})
    return somebody


def test_every_game_is_intact_and_goes_on(server: LocalServer, known: Json) -> None:
    ana, rui, eva = (person(server, known["people"][name]["cookie"]) for name in ("ana", "rui", "eva"))
    robot = httpx.Client(
        base_url=server.address, headers={"Authorization": f"Bearer {known['people']['robo']['token']}"}
    )
    sessions = known["sessions"]
    assert {entry["seen"]["game"] for entry in sessions.values()} == {*GAMES}
    assert {entry["seen"]["status"] for entry in sessions.values()} == {"waiting", "playing", "over"}
    assert any(entry["seen"]["rematch"] for entry in sessions.values())
    for session_id, entry in sessions.items():
        _compare(rui.get(f"/api/v1/sessions/{session_id}"), entry["seen"])
        assert rui.web.get(f"/api/v1/sessions/{session_id}/record").text == entry["record"]
    for somebody, name in ((ana, "ana"), (rui, "rui"), (eva, "eva")):
        then = known["people"][name]
        assert somebody.get("/api/v1/me")["nickname"] == then["nickname"]
        assert somebody.get("/api/v1/bots") == then["bots"]
        _compare_lists(somebody.get("/api/v1/sessions")["sessions"], then["list"], known["engine_to_move"])
    _compare_lists(robot.get("/api/v1/sessions").json()["sessions"], known["people"]["robo"]["list"], "")
    moved = [_go_on(session_id, [ana.web, rui.web, eva.web, robot]) for session_id in sessions]
    assert sum(moved) == sum(entry["seen"]["status"] == "playing" for entry in sessions.values()) > 8


def test_what_was_due_is_seen_to(server: LocalServer, known: Json) -> None:
    rui = person(server, known["people"]["rui"]["cookie"])
    path = f"/api/v1/sessions/{known['engine_to_move']}"
    wait_for(lambda: len(rui.get(path)["history"]) == 1, 60)


def test_a_rematch_leads_to_its_session(server: LocalServer, known: Json) -> None:
    ana = person(server, known["people"]["ana"]["cookie"])
    for session_id, entry in known["sessions"].items():
        if (again := entry["seen"]["rematch"]) is not None:
            assert ana.get(f"/api/v1/sessions/{session_id}")["rematch"] == again
            assert ana.get(f"/api/v1/sessions/{again}")["game"] == entry["seen"]["game"]


def _result(outcome: Json | None) -> Json | None:
    """What may not change of how a game ended; why it did may be said better than then."""
    if outcome is None:
        return None
    return {"winner": outcome["winner"], "reason": outcome["reason"]["code"], "score": outcome["score"]}


def _compare(now: Json, then: Json) -> None:
    clocks = now.pop("clock"), then["clock"]
    same = {name: value for name, value in then.items() if name != "clock"}
    view = {**now["view"], "moves": [move["text"] for move in now["view"]["moves"]]}
    for seat in now["seats"].values():
        assert seat.pop("erased") is False
    seen = {**{name: now[name] for name in same}, "view": {name: view[name] for name in same["view"]}}
    same["view"] = {**same["view"], "outcome": _result(same["view"]["outcome"])}
    seen["view"]["outcome"] = _result(seen["view"]["outcome"])
    assert seen == same
    if clocks[1] is None:
        assert clocks[0] is None
        return
    assert clocks[0] is not None
    for player, left in clocks[1]["left"].items():
        assert left - SLACK <= clocks[0]["left"][player] <= left + 0.01
    assert {**clocks[0], "left": None} == {**clocks[1], "left": None}


def _compare_lists(now: list[Json], then: list[Json], later: str) -> None:
    """`later`: a game begun after the list was asked for."""
    renamed = [
        {
            **{name: value for name, value in entry.items() if name not in ("seats", "plies")},
            "players": {
                player: {name: value for name, value in seat.items() if name not in ("connected", "erased")}
                for player, seat in entry["seats"].items()
            },
            "moves": entry["plies"],
            "outcome": _result(entry["outcome"]),
        }
        for entry in now
        if entry["id"] != later
    ]
    assert renamed == [{**entry, "outcome": _result(entry["outcome"])} for entry in then]


def _go_on(session_id: str, everybody: list[httpx.Client]) -> bool:
    """Make a move in a game that goes on, as the player to move; False for one that does not."""
    for web in everybody:
        session = web.get(f"/api/v1/sessions/{session_id}").json()
        if session["status"] == "playing" and session["view"]["turn"] in session["your_seats"]:
            body = {"ply": len(session["history"]), "move": session["view"]["moves"][0]["text"]}
            answer = web.post(f"/api/v1/sessions/{session_id}/moves", json=body)
            assert answer.status_code == 200 and answer.json()["number"] == session["number"] + 1
            return True
    return False


@pytest.mark.parametrize("old", [BEFORE_V1, BEFORE_PEOPLE], ids=lambda old: old.name)
def test_a_copy_of_before_is_restored(tmp_path: Path, known: Json, old: Old) -> None:
    """A file made by `tabuleiro backup` of then, put in the place of the database."""
    old_sqlite(tmp_path, old).close()
    session_id = next(iter(known["sessions"]))
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        assert Person(server.address).get(f"/api/v1/sessions/{session_id}")["id"] == session_id
    with sqlite3.connect(tmp_path / DATABASE) as migrated:
        tables = {name for (name,) in migrated.execute("SELECT name FROM sqlite_master")}
    migrated.close()
    assert {"streams", "members", "events"} <= tables and not {"plays", "seats"} & tables


def test_nothing_is_lost_where_there_were_no_people_yet(url: str) -> None:
    """Every row of the last version without people is there, and nothing else."""
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))

    def rows() -> dict[str, list[Json]]:
        with engine.connect() as connection:
            return {
                table: sorted(
                    (dict(row._mapping) for row in connection.execute(sa.text(f"SELECT * FROM {table}"))), key=repr
                )
                for table in sa.inspect(connection).get_table_names()
                if table != "alembic_version"
            }

    with engine.begin() as connection:
        upgrade(connection, BEFORE_PEOPLE.revision)
    before = rows()
    with engine.begin() as connection:
        upgrade(connection, "head")
    after = rows()
    engine.dispose()
    assert {"guests", "streams", "members", "events", "bots"} <= before.keys() and len(before["events"]) > 50
    for table, then in before.items():
        now = [{name: row[name] for name in old} for row, old in zip(after[table], then, strict=True)]
        assert now == then
    assert {table for table in after.keys() - before.keys() if after[table]} == set()
