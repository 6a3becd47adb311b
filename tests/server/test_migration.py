"""Databases of other versions: one of the oldest revision that is read is kept whole, an older one is left as it is.

`data/at_0012.sql.gz` is what a server of that revision stored (games of all kinds: over, going on, waiting, with
clocks, rematches, moves taken back, bots; a class, a championship, a vote), `data/at_0012.json.gz` what it answered.
"""

import gzip
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from server.people import LocalServer, Person
from server.school import pupil
from tabuleiro.games import GAMES
from tabuleiro.server.settings import DATABASE, Settings, sqlite_url
from tabuleiro.server.store import OLDEST_REVISION, DatabaseError, opened
from tabuleiro.server.tables import metadata

Json = dict[str, Any]
Rows = dict[str, list[Json]]
DATA = Path(__file__).parent / "data"
NAME = "at_0012"
#: Fields of answers that depend on when they are asked for.
OF_THE_MOMENT = ("connected", "here", "state", "clock", "claim_in", "seconds", "share", "updated", "address")


@pytest.fixture
def known() -> Json:
    told: Json = json.loads(gzip.decompress((DATA / f"{NAME}.json.gz").read_bytes()))
    return told


def restore(folder: Path) -> None:
    with sqlite3.connect(folder / DATABASE) as connection:
        connection.executescript(gzip.decompress((DATA / f"{NAME}.sql.gz").read_bytes()).decode())
    connection.close()


def rows_of(url: str) -> Rows:
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        found = {
            table.name: sorted((dict(row._mapping) for row in connection.execute(sa.select(table))), key=repr)
            for table in metadata.tables.values()
        }
    engine.dispose()
    return found


def copy_to_postgresql(database: str, rows: Rows) -> str:
    """The same rows in PostgreSQL, in the tables that are made there."""
    admin = sa.create_engine(database.replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE IF EXISTS {NAME}"))
        connection.execute(sa.text(f"CREATE DATABASE {NAME}"))
    admin.dispose()
    url = f"{database.rpartition('/')[0]}/{NAME}"
    with opened(url, writing=True) as connection:
        for table in metadata.sorted_tables:
            if rows[table.name]:
                connection.execute(sa.insert(table), rows[table.name])
        for table in metadata.sorted_tables:
            if "id" in table.c and isinstance(table.c.id.type, sa.Integer):
                latest = f"(SELECT coalesce(max(id), 1) FROM {table.name})"
                connection.exec_driver_sql(f"SELECT setval('{table.name}_id_seq', {latest})")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    restore(tmp_path)
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    return copy_to_postgresql(request.getfixturevalue("postgresql"), rows_of(sqlite_url(tmp_path)))


@pytest.fixture
def server(url: str) -> Iterator[LocalServer]:
    stopped, begun = max(row["alive"] for row in rows_of(url)["processes"]), time.monotonic()
    # A minute after that server stopped.
    with LocalServer(Settings(url), lambda: stopped + 60 + time.monotonic() - begun) as running:
        yield running


def person(server: LocalServer, cookie: str) -> Person:
    somebody = Person(server.address)
    somebody.web.cookies = httpx.Cookies({"tabuleiro": cookie})
    return somebody


def lasting(answer: Any) -> Any:
    """What does not depend on when it is asked for."""
    if isinstance(answer, dict):
        return {name: lasting(value) for name, value in answer.items() if name not in OF_THE_MOMENT}
    if isinstance(answer, list):
        told = [lasting(value) for value in answer]
        # People stand in no order that would be promised.
        return sorted(told, key=repr) if any("guest" in each for each in told if isinstance(each, dict)) else told
    return answer


def test_every_row_is_kept(url: str) -> None:
    before = rows_of(url)
    with opened(url, writing=True):
        pass
    assert rows_of(url) == before
    assert {name for name, rows in before.items() if rows} > {"guests", "streams", "events", "people", "cards", "bots"}


def test_a_new_database_has_the_tables_of_then(tmp_path: Path) -> None:
    restore(tmp_path)
    (tmp_path / "new").mkdir()
    with opened(sqlite_url(tmp_path / "new"), writing=True):
        pass

    def schema(folder: Path) -> dict[str, Any]:
        engine = sa.create_engine(sqlite_url(folder))
        found = sa.inspect(engine)
        told: dict[str, Any] = {
            table: (
                {column["name"]: (str(column["type"]), column["nullable"]) for column in found.get_columns(table)},
                found.get_pk_constraint(table)["constrained_columns"],
                sorted(
                    str(key["constrained_columns"]) + key["referred_table"] for key in found.get_foreign_keys(table)
                ),
                sorted(str(unique["column_names"]) for unique in found.get_unique_constraints(table)),
                sorted((str(index["name"]), str(index["column_names"])) for index in found.get_indexes(table)),
            )
            for table in found.get_table_names()
        }
        with engine.connect() as connection:
            query = sa.text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            told["triggers"] = {row.name: row.sql for row in connection.execute(query)}
        engine.dispose()
        return told

    assert schema(tmp_path / "new") == schema(tmp_path)


def test_the_audit_log_is_never_changed(url: str) -> None:
    for act in ("UPDATE audit SET act = 'x'", "DELETE FROM audit"):
        with pytest.raises(sa.exc.DBAPIError, match="is not changed"), opened(url, writing=True) as connection:
            connection.exec_driver_sql(act)


def test_answers_are_those_of_then_and_games_go_on(server: LocalServer, known: Json) -> None:
    for then in known["school"].values():
        somebody = person(server, then["cookie"])
        for path, answer in then["answers"].items():
            told = somebody.web.get(path)
            now = told.json() if told.headers["content-type"].startswith("application/json") else told.text
            assert lasting(now) == lasting(answer), path
    everybody = [person(server, then["cookie"]).web for then in known["school"].values()]
    everybody += [person(server, known["people"][name]["cookie"]).web for name in ("ana", "rui", "eva")]
    sessions = known["sessions"]
    assert {entry["seen"]["game"] for entry in sessions.values()} == {*GAMES}
    for session, entry in sessions.items():
        seen = everybody[0].get(f"/api/v1/sessions/{session}").json()
        assert (seen["game"], seen["status"]) == (entry["seen"]["game"], entry["seen"]["status"])
        if seen["status"] == "over":
            assert everybody[0].get(f"/api/v1/sessions/{session}/record").text == entry["record"]
    assert sum(_goes_on(session, everybody) for session in sessions) > 5


def _goes_on(session: str, everybody: list[httpx.Client]) -> bool:
    """Make a move in a game that goes on, as the player to move; False for one that does not."""
    for web in everybody:
        seen = web.get(f"/api/v1/sessions/{session}").json()
        if seen["status"] == "playing" and seen["view"]["turn"] in seen["your_seats"]:
            body = {"ply": len(seen["history"]), "move": seen["view"]["moves"][0]["text"]}
            answer = web.post(f"/api/v1/sessions/{session}/moves", json=body)
            assert answer.status_code == 200 and answer.json()["number"] == seen["number"] + 1
            return True
    return False


def test_cards_sign_in(server: LocalServer, known: Json) -> None:
    for card in known["cards"]:
        assert pupil(server.address, card).get("/api/v1/person")["person"]["role"] == "pupil"


@pytest.mark.parametrize(("revision", "said"), [("0011", "before 0.1.0"), ("9999", "newer version")])
def test_another_revision_is_refused_and_left_as_it_is(tmp_path: Path, revision: str, said: str) -> None:
    restore(tmp_path)
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    connection.close()
    before = rows_of(sqlite_url(tmp_path))
    with pytest.raises(DatabaseError, match=said), opened(sqlite_url(tmp_path), writing=True):
        pass
    assert rows_of(sqlite_url(tmp_path)) == before and revision != OLDEST_REVISION
