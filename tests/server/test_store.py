"""The database, SQLite and PostgreSQL alike: migrations, numbers that are taken, writes that share a commit."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from tabuleiro.core import TabuleiroError
from tabuleiro.server.clock import Pause
from tabuleiro.server.log import Decision, Event, Json
from tabuleiro.server.sessions import GameSession, Seat, SessionSettings
from tabuleiro.server.settings import sqlite_url
from tabuleiro.server.store import LOTS, Append, DatabaseError, Head, Store, open_engine
from tabuleiro.server.store import opened as one_piece_of_work
from tabuleiro.server.tables import guests, metadata


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    database: str = request.getfixturevalue("postgresql")
    engine = sa.create_engine(database.replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text("DROP DATABASE IF EXISTS fresh"))
        connection.execute(sa.text("CREATE DATABASE fresh"))
    engine.dispose()
    return database.rpartition("/")[0] + "/fresh"


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = Store(url)
    try:
        yield store
    finally:
        await store.close()


def with_store(url: str, work: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await work(store)

    asyncio.run(run())


async def new_session(store: Store, session_id: str = "p") -> GameSession:
    ana, rui = await store.make_guest("a" * 64, 1.0), await store.make_guest("r" * 64, 1.0)
    settings = SessionSettings("rastros", {}, None, None, (Seat("guest", ana), Seat("guest", rui)))
    session = GameSession(session_id, settings, 1.0)
    members = session.members()
    await store.create(Head(session_id, "session", settings.as_json(), 1.0, session.summary(), None, members))
    return session


async def loaded(store: Store, session_id: str = "p") -> GameSession | None:
    def replay(kind: str, settings: Json, created: float, events: Sequence[tuple[Any, ...]]) -> GameSession:
        session = GameSession.begin(session_id, settings, created)
        for event in events:
            session.apply(Event(*event))
        return session

    return await store.load(session_id, replay)


def appending(store: Store, session: GameSession, move: str, due: float | None = None) -> Awaitable[bool]:
    event = session.event(Decision("move", {"move": move}), 2.0, [])
    session.apply(event)
    return store.append(Append(session.id, event, session.summary(), due))


def test_migrations_lead_to_the_tables_of_the_code(url: str) -> None:
    engine = open_engine(url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()
    open_engine(url).dispose()  # a second time there is nothing to do


def test_who_reads_before_writing_waits_for_who_writes(url: str) -> None:
    """As `tabuleiro people link` beside a server that takes moves: nobody is refused for having looked first."""

    def look_then_write(connection: sa.Connection, token: str) -> None:
        connection.execute(sa.select(sa.func.count()).select_from(guests)).scalar_one()
        begun.wait(0.5)
        connection.execute(sa.insert(guests).values(token_hash=token * 64, token_made=1.0, seen=1.0))

    def beside() -> None:
        with one_piece_of_work(url, writing=True) as connection:
            look_then_write(connection, "a")

    async def work(store: Store) -> None:
        await asyncio.gather(
            asyncio.to_thread(beside), store.write(lambda connection: look_then_write(connection, "b"))
        )

    begun = threading.Event()  # never set: both have looked before the first writes, if they may
    with_store(url, work)
    with one_piece_of_work(url) as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(guests)).scalar_one() == 2


def test_who_waits_too_long_is_told_that_nothing_was_changed(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    with pytest.raises(DatabaseError, match="nothing was changed"), one_piece_of_work(url) as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout=10")  # ms
        with one_piece_of_work(url, writing=True):
            connection.exec_driver_sql("DELETE FROM guests")


def test_a_number_is_taken_once(url: str) -> None:
    async def work(store: Store) -> None:
        one = await new_session(store)
        two = await loaded(store)
        assert two is not None
        first = appending(store, one, "d4")
        second = appending(store, two, "f6")
        assert sorted(await asyncio.gather(first, second)) == [False, True]
        stored = await store.events("p", 0)
        assert [number for number, *_ in stored] == [1]
        (mine,) = await store.streams_of(1, "session", 10)
        assert mine.summary["plies"] == 1 and mine.updated == 2.0
        again = await loaded(store)
        assert again is not None and again.history[0]["text"] == stored[0][2]["move"]

    with_store(url, work)


def test_a_write_that_fails_spoils_no_other(url: str) -> None:
    def broken(_: sa.Connection) -> None:
        raise RuntimeError("broken")

    async def work(store: Store) -> None:
        session = await new_session(store)
        writes: list[Awaitable[Any]] = [store.make_guest(f"{number:064}", 1.0) for number in range(20)]
        writes.insert(10, store.write(broken))
        writes.append(appending(store, session, "d4"))
        results = await asyncio.gather(*writes, return_exceptions=True)
        assert isinstance(results.pop(10), RuntimeError)
        assert len(set(results[:-1])) == 20 and results[-1] is True
        assert await store.guest(f"{19:064}", 1.0) is not None

    with_store(url, work)


def test_many_writes_share_few_commits(url: str) -> None:
    commits = 0

    def count(_: sa.Connection) -> None:
        nonlocal commits
        commits += 1

    async def work(store: Store) -> None:
        sa.event.listen(store._engine, "commit", count)
        await asyncio.gather(*(store.beat(f"{number}", 1.0) for number in range(200)))
        assert commits < 50

    with_store(url, work)


def test_events_that_are_stored_together_are_each_their_own(url: str) -> None:
    streams = {f"s{number}": 100.0 + number if number % 3 else None for number in range(sum(LOTS) + 64)}

    async def work(store: Store) -> None:
        guest = await store.make_guest("a" * 64, 1.0)
        heads = [Head(name, "session", {}, 1.0, {}, None, {1: guest}) for name in streams]
        await asyncio.gather(*(store.create(head) for head in heads))
        appends = [Append(name, (1, "move", {"of": name}, 2.0), {"of": name}, due) for name, due in streams.items()]
        await store.write(lambda connection: store._append_all(connection.connection, appends))
        for name in streams:
            assert await store.events(name, 0) == [(1, "move", {"of": name}, 2.0)]
        listed = await store.streams_of(guest, "session", None)
        assert {each.id: each.summary["of"] for each in listed} == {name: name for name in streams}
        assert {*await store.due(1000.0)} == {name for name, due in streams.items() if due is not None}

    with_store(url, work)


def test_what_is_due_and_when_nobody_ran(url: str) -> None:
    async def work(store: Store) -> None:
        session = await new_session(store)
        await appending(store, session, "d4", 50.0)
        assert await store.due(49.0) == [] and await store.due(51.0) == ["p"]
        await store.forget_due("p")
        assert await store.due(51.0) == []
        assert await store.last_alive() is None
        await store.beat("x", 10.0)
        await store.beat("y", 12.0)
        await store.beat("x", 11.0)
        assert await store.last_alive() == 12.0
        await store.correct(11.0)
        assert await store.last_alive() == 11.0, "who was there later had the wrong time"
        await store.add_pause(Pause(1.5, 2.5))
        assert await store.pauses() == [Pause(1.5, 2.5)]

    with_store(url, work)


@pytest.mark.parametrize(
    "wrong", ["mysql://x/y", "nonsense", "sqlite:////nowhere/at/all.sqlite3", "postgresql://127.0.0.1:1/x"]
)
def test_databases_that_cannot_be_used_say_why(wrong: str) -> None:
    with pytest.raises(DatabaseError) as error:
        open_engine(wrong)
    assert isinstance(error.value, TabuleiroError) and error.value.text.pt and error.value.text.en
