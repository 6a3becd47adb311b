"""The database: guests, bots, streams of any kind, and the numbered events of each, which are never changed; a stream
that is erased goes with all its events. What the events mean is not known here.

Reads run in a few threads. All writes of a process go through one thread, which puts everything that is waiting into
one transaction: a thousand moves a second need few commits, and nobody is answered before the commit.
"""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import as_file, files
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import orjson
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.dialects import postgresql, sqlite

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.server.clock import Pause
from tabuleiro.server.datafiles import keep_private, sqlite_file
from tabuleiro.server.errors import DATABASE_AWAY, NOT_SAVED, RefusedError
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.tables import (
    bots,
    events,
    guests,
    members,
    mistakes,
    pauses,
    processes,
    searched,
    solver_ratings,
    streams,
    tries,
)

#: The database does not answer, or cannot write.
AWAY = (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError)

T = TypeVar("T")
Json = dict[str, Any]

#: The newest pauses are looked at: no clock still runs since before them.
MAX_PAUSES = 1000
#: The seconds for which it is remembered when a process ran: longer than any clock is likely to be wrong by.
REMEMBERED = 10 * 365 * 24 * 3600
#: The seconds for which the writer waits for more: so many for each who wrote the last time, and at most. A transaction
#: for ten moves costs little more than one for one, and who writes alone waits for nobody.
GATHER_FOR_EACH, GATHER = 0.001, 0.012
#: Events are stored so many by one statement, the largest lots first. Whoever runs a statement gives the interpreter
#: away and waits for it again, up to five milliseconds while others are busy: once for a lot, not for each event. Not
#: all sizes, because databases remember the statements that they have seen, some hundred of them.
LOTS = (64, 32, *range(16, 0, -1))
#: What stands for the nickname of somebody who was erased; nobody can have it.
ERASED = "\0"
#: The revision of the first migration that there is.
OLDEST_REVISION = "0012"
#: Rows of one statement: databases limit how many values it may have.
MAX_ROWS = 500

#: Everybody who comes is looked up: to put the question together costs more than to ask it.
_TOKEN, _NOW = sa.bindparam("token", type_=sa.String), sa.bindparam("now", type_=sa.Float)
_GUEST = sa.select(guests.c.id, guests.c.token_made, guests.c.seen, guests.c.next_hash == _TOKEN).where(
    sa.or_(
        guests.c.token_hash == _TOKEN,
        guests.c.next_hash == _TOKEN,
        sa.and_(guests.c.last_hash == _TOKEN, guests.c.last_until > _NOW),
    )
)


class DatabaseError(TabuleiroError):
    """The database cannot be used."""


@dataclass(frozen=True)
class Summary:
    """A stream in somebody's list."""

    id: str
    updated: float
    summary: Json
    nicknames: dict[int, str | None]


class Bot(NamedTuple):
    id: int
    name: str
    created: float


class KnownGuest(NamedTuple):
    """What is known of who holds a token."""

    id: int
    token_made: float | None
    seen: float | None
    #: Whether they hold the token that was given out to follow another.
    is_next: bool


class Head(NamedTuple):
    """A stream that begins, before its first event."""

    id: str
    kind: str
    settings: Json
    created: float
    summary: Json
    due: float | None
    #: The guests who belong to it, by place.
    members: dict[int, int]


#: The number, kind, data and time of an event.
EventRow = tuple[int, str, Json, float]
#: What is written together with something else, in its transaction.
Also = Callable[[sa.Connection], None]


class Append(NamedTuple):
    """An event to be stored, and what its stream is after it."""

    stream: str
    event: EventRow
    summary: Json
    due: float | None
    #: Who has joined, by place.
    joined: Mapping[int, int] = MappingProxyType({})
    #: The heads of streams that begin by it.
    begun: Sequence[Head] = ()
    also: Also | None = None

    @property
    def has_more(self) -> bool:
        """Whether more is written with the event."""
        return bool(self.joined or self.begun or self.also)


class _NumberTakenError(Exception):
    """Of events that were to be stored, at least one has a number that is taken."""


#: What is told, in the event loop that asked: the result, or what went wrong.
Answer = Callable[[Any, Exception | None], None]


class _Write(NamedTuple):
    work: Callable[[sa.Connection], Any] | Append
    loop: asyncio.AbstractEventLoop
    answer: Answer


def open_engine(url: str, *, check: bool = False) -> sa.Engine:
    """A door to a database given by URL, its tables brought up to date. `check`: look through a file for damage first,
    which reads all of it."""
    if url.startswith(("postgres://", "postgresql://")):
        url = "postgresql+psycopg://" + url.partition("://")[2]
    try:
        engine = sa.create_engine(
            url,
            json_serializer=lambda value: orjson.dumps(value).decode(),
            json_deserializer=orjson.loads,
            pool_pre_ping=not url.startswith("sqlite"),  # a file does not go away
            hide_parameters=True,  # errors are logged, and logs hold no names
        )
        if engine.dialect.name not in ("sqlite", "postgresql"):
            raise sa.exc.ArgumentError(engine.dialect.name)
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ImportError) as error:
        raise DatabaseError(
            Text(
                "a base de dados deve ser sqlite:///FICHEIRO ou postgresql://…",
                "the database must be sqlite:///FILE or postgresql://…",
            )
        ) from error
    if engine.dialect.name == "sqlite":
        if (file := sqlite_file(url)) is not None:
            keep_private(file)
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
    try:
        if check and engine.dialect.name == "sqlite":
            _check_sqlite(engine)
        _migrate(engine)
    except CommandError as error:
        raise _unknown_revision(engine) from error
    except sa.exc.DatabaseError as error:
        reason = _reason(error)
        if engine.dialect.name == "sqlite" and not isinstance(error, sa.exc.OperationalError):
            raise _damaged(engine, reason) from error
        raise DatabaseError(
            Text(f"não é possível abrir a base de dados: {reason}", f"the database cannot be opened: {reason}")
        ) from error
    return engine


def _unknown_revision(engine: sa.Engine) -> DatabaseError:
    """Return the refusal of a database whose revision has no migration here: it is older or newer than all of them."""
    with engine.connect() as connection:
        revision: str = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
    if revision < OLDEST_REVISION:
        return DatabaseError(
            Text(
                "a base de dados é de uma versão do Tabuleiro anterior à 0.1.0, que já não se consegue ler; ficou como "
                "estava. Escolhe outra pasta com --data",
                "the database is of a version of Tabuleiro before 0.1.0, which can no longer be read; it was left as "
                "it is. Choose another folder by --data",
            )
        )
    return DatabaseError(
        Text(
            "a base de dados é de uma versão mais nova do Tabuleiro: instala essa versão, ou repõe uma cópia que o "
            "«tabuleiro backup» fez antes dela",
            "the database is of a newer version of Tabuleiro: install that version, or put back a copy that "
            "`tabuleiro backup` made before it",
        )
    )


def _reason(error: sa.exc.SQLAlchemyError) -> str:
    return str(getattr(error, "orig", error)).strip().partition("\n")[0]


def _check_sqlite(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
    if found != "ok":
        raise _damaged(engine, str(found).strip().splitlines()[-1])


def _damaged(engine: sa.Engine, reason: str) -> DatabaseError:
    file = engine.url.database
    return DatabaseError(
        Text(
            f"{file} está danificado ou não é uma base de dados ({reason}): muda {file}* para outra pasta e põe no seu "
            "lugar a última cópia que o «tabuleiro backup» fez",
            f"{file} is damaged or is no database ({reason}): move {file}* to another folder and put the last copy "
            "that `tabuleiro backup` made in its place",
        )
    )


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # we begin transactions ourselves, also around changes of tables
    # What is deleted is overwritten, so that it is in no copy of the file either.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writing") else "BEGIN")


def _to_write(engine: sa.Engine) -> sa.Engine:
    """The same door for transactions that write. SQLite's wait for their turn as they begin: one that has only read
    when it comes to write is refused, however patient, if somebody else wrote in between."""
    return engine.execution_options(writing=True)


@contextlib.contextmanager
def opened(url: str, *, writing: bool = False, check: bool = False) -> Iterator[sa.Connection]:
    """A connection to a database for one piece of work, beside a server or without one. With `writing` it is one
    transaction, which waits for its turn; `check` as for `open_engine`."""
    engine = open_engine(url, check=check)
    try:
        with _to_write(engine).begin() if writing else engine.connect() as connection:
            yield connection
    except AWAY as error:
        reason = _reason(error)
        raise DatabaseError(
            Text(
                f"a base de dados não respondeu e nada foi alterado ({reason}); tenta outra vez",
                f"the database did not answer, and nothing was changed ({reason}); try again",
            )
        ) from error
    finally:
        engine.dispose()


def _migrate(engine: sa.Engine) -> None:
    with as_file(files("tabuleiro.server") / "migrations") as folder, _to_write(engine).begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


class Store:
    def __init__(self, url: str) -> None:
        self._engine = open_engine(url)
        self._insert: Callable[[sa.Table], Any] = (
            sqlite.insert if self._engine.dialect.name == "sqlite" else postgresql.insert
        )
        #: The statements that store lots of events, and what their streams are after them, by size.
        self._sql = {size: _plain_sql(self._engine.dialect, size) for size in LOTS}
        assert self._engine.dialect.dbapi is not None
        self._driver_error: type[Exception] = self._engine.dialect.dbapi.Error
        #: Through which the writer writes; none before the first time and after a failure.
        self._connection: sa.Connection | None = None
        self._waiting: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(4, thread_name_prefix="reader")
        self._writer = threading.Thread(target=self._write_forever, name="writer")
        self._writer.start()

    async def close(self) -> None:
        """Write what is waiting, then close."""
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        self._readers.shutdown()
        self._engine.dispose()

    # -- the two ways in, for those who keep tables of their own too -------------------------------------------------

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        def reading() -> T:
            try:
                with self._engine.connect() as connection:
                    return work(connection)
            except AWAY as error:
                raise RefusedError(*DATABASE_AWAY) from error

        return await asyncio.get_running_loop().run_in_executor(self._readers, reading)

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        written: T = await self._queue(work)
        return written

    async def _queue(self, work: Callable[[sa.Connection], Any] | Append) -> Any:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()

        def hand_over(result: Any, error: Exception | None) -> None:
            if answer.done():
                return  # who asked has given up
            if error is None:
                answer.set_result(result)
            else:
                answer.set_exception(error)

        self._waiting.put(_Write(work, loop, hand_over))
        try:
            return await answer
        except AWAY as error:
            raise RefusedError(*NOT_SAVED) from error

    def _write_forever(self) -> None:
        gather, breath = 0.0, threading.Lock()
        breath.acquire()  # nobody gives it back: to wait for it is to wait
        while (first := self._waiting.get()) is not None:
            if gather:
                breath.acquire(timeout=gather)  # unlike a sleep it cannot fail: with this thread all writing would end
            batch = [first]
            closing = False
            while not self._waiting.empty():
                following = self._waiting.get()
                if following is None:
                    closing = True
                    break
                batch.append(following)
            self._write_batch(batch)
            gather = min(GATHER, GATHER_FOR_EACH * len(batch)) if len(batch) > 2 else 0.0
            if closing:
                break
        self._disconnect()

    def _write_batch(self, batch: list[_Write]) -> None:
        known, committing = self._connection is not None, False
        try:
            if self._connection is None:
                self._connection = _to_write(self._engine).connect()
            connection, appends = self._connection, [write.work for write in batch if isinstance(write.work, Append)]
            if len(appends) == len(batch) and not any(append.has_more for append in appends):
                # Nothing but events, as nearly always: a transaction of SQLAlchemy costs as much as what is in it.
                with self._driver_errors():
                    driver: Any = connection.connection.dbapi_connection
                    if connection.dialect.name == "sqlite":
                        driver.execute("BEGIN IMMEDIATE")
                    try:
                        self._append_all(driver, appends)
                    except _NumberTakenError:
                        driver.rollback()
                        raise
                    committing = True
                    driver.commit()
                results: list[Any] = [True] * len(batch)
            else:
                with connection.begin():
                    if appends:
                        with self._driver_errors():
                            self._append_all(connection.connection, appends)
                        for append in appends:
                            _write_more(connection, append)
                    results = [isinstance(work, Append) or work(connection) for work, _, _ in batch]
                    committing = True
        except Exception as error:
            if not isinstance(error, _NumberTakenError):
                self._disconnect()
            if isinstance(error, AWAY) and known and not committing:
                self._write_batch(batch)  # the connection was lost while nobody wrote
            elif len(batch) > 1:
                # One of them spoiled it for all; alone, each gets what it deserves.
                for write in batch:
                    self._write_batch([write])
            elif isinstance(error, _NumberTakenError):
                _answer([(batch[0], False, None)])
            else:
                _answer([(batch[0], None, error)])
        else:
            _answer([(write, result, None) for write, result in zip(batch, results, strict=True)])

    @contextlib.contextmanager
    def _driver_errors(self) -> Iterator[None]:
        """Around what goes straight through the driver: errors are SQLAlchemy's all the same."""
        try:
            yield
        except self._driver_error as error:
            raise sa.exc.DBAPIError.instance(None, None, error, self._driver_error) from error

    def _disconnect(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sa.exc.SQLAlchemyError):
                self._connection.close()
            self._connection = None

    # -- guests -----------------------------------------------------------------------------------------------------

    async def guest(self, token_hash: str, now: float) -> KnownGuest | None:
        """The guest to whom a token belongs."""
        values = {"token": token_hash, "now": now}
        row = await self.read(lambda connection: connection.execute(_GUEST, values).first())
        return None if row is None else KnownGuest(row[0], row[1], row[2], bool(row[3]))

    async def known_tokens(self, hashes: set[str]) -> set[str]:
        """Those of these tokens that are somebody's."""
        wanted = [*hashes]

        def work(connection: sa.Connection) -> set[str]:
            known: set[str] = set()
            for begin in range(0, len(wanted), MAX_ROWS):
                some = wanted[begin : begin + MAX_ROWS]
                known.update(connection.scalars(sa.select(guests.c.token_hash).where(guests.c.token_hash.in_(some))))
            return known

        return await self.read(work)

    async def make_guest(self, token_hash: str, now: float) -> int:
        """The number of a new guest."""
        row = sa.insert(guests).values(token_hash=token_hash, token_made=now, seen=now).returning(guests.c.id)
        return await self.write(lambda connection: int(connection.execute(row).scalar_one()))

    async def saw(self, guest: int, now: float) -> None:
        """A guest was here."""
        change = sa.update(guests).where(guests.c.id == guest).values(seen=now)
        await self.write(lambda connection: connection.execute(change))

    async def offer_token(self, guest: int, token_hash: str) -> None:
        """Give a guest a token to use from now on. Until they do, the old one is good."""
        change = sa.update(guests).where(guests.c.id == guest).values(next_hash=token_hash)
        await self.write(lambda connection: connection.execute(change))

    async def take_token(self, token_hash: str, now: float, last_until: float) -> None:
        """A guest uses the token that they were given: the one before it is good until then, for what is under way."""
        change = (
            sa.update(guests)
            .where(guests.c.next_hash == token_hash)
            .values(
                token_hash=token_hash,
                token_made=now,
                next_hash=None,
                last_hash=guests.c.token_hash,
                last_until=last_until,
            )
        )
        await self.write(lambda connection: connection.execute(change))

    async def forget_guest(self, guest: int) -> None:
        """Erase a guest, with their bots. What is left is a number, if games of others refer to it."""
        await self.write(lambda connection: forget_guest(connection, guest))

    async def rename(self, guest: int, nickname: str) -> None:
        change = sa.update(guests).where(guests.c.id == guest).values(nickname=nickname)
        await self.write(lambda connection: connection.execute(change))

    async def nicknames(self, numbers: set[int]) -> dict[int, str | None]:
        return await self.read(lambda connection: _nicknames(connection, numbers))

    async def make_bot(self, owner: int, name: str, token_hash: str, now: float) -> int:
        return await self.write(lambda connection: make_bot(connection, owner, name, token_hash, now))

    async def bots_of(self, owner: int) -> list[Bot]:
        return await self.read(lambda connection: list_bots(connection, owner))

    async def revoke_bot(self, bot: int, owner: int) -> bool:
        return await self.write(lambda connection: revoke_bot(connection, bot, owner))

    # -- streams ----------------------------------------------------------------------------------------------------

    async def create(self, head: Head, also: Also | None = None) -> None:
        def work(connection: sa.Connection) -> None:
            create_stream(connection, head)
            if also is not None:
                also(connection)

        await self.write(work)

    async def append(self, append: Append) -> bool:
        """Store an event with what belongs to it. False: that number is taken, somebody was first, and nothing was
        written."""
        return bool(await self._queue(append))

    def append_soon(self, append: Append, answer: Answer) -> None:
        """The same for who does not wait: `answer` is called with what `append` gives, or with what went wrong."""
        self._waiting.put(_Write(append, asyncio.get_running_loop(), answer))

    def _append_all(self, driver: Any, appends: list[Append]) -> None:
        """Store events, two statements for many of them: this happens at every move."""
        cursor = driver.cursor()
        try:
            for lot in _lots(appends):
                insert, update = self._sql[len(lot)]
                rows: list[Any] = []
                lines: list[Any] = []
                for append in lot:
                    number, kind, data, at = append.event
                    rows += (append.stream, number, kind, orjson.dumps(data).decode(), at)
                    lines += (append.stream, at, orjson.dumps(append.summary).decode(), append.due)
                cursor.execute(insert, rows)
                if cursor.rowcount < len(lot):
                    raise _NumberTakenError
                cursor.execute(update, lines)
        finally:
            cursor.close()

    async def load(
        self, stream_id: str, replay: Callable[[str, Json, float, Sequence[EventRow]], T | None]
    ) -> T | None:
        """What `replay` makes of the kind, settings, time of creation and events of a stream, in a thread of its own;
        None where there is no such stream."""

        def work(connection: sa.Connection) -> T | None:
            row = connection.execute(
                sa.select(streams.c.kind, streams.c.settings, streams.c.created).where(streams.c.id == stream_id)
            ).one_or_none()
            return None if row is None else replay(*row, _events(connection, stream_id, 0))

        return await self.read(work)

    async def events(self, stream_id: str, after: int) -> list[EventRow]:
        return await self.read(lambda connection: _events(connection, stream_id, after))

    async def streams_of(self, guest: int, kind: str, limit: int | None) -> list[Summary]:
        """The streams of a kind to which a guest belongs and that they did not erase, the newest first."""
        mine = sa.select(members.c.stream).where(members.c.guest == guest, ~members.c.hidden)
        query = (
            sa.select(streams.c.id, streams.c.updated, streams.c.summary)
            .where(streams.c.id.in_(mine), streams.c.kind == kind)
            .order_by(streams.c.updated.desc())
            .limit(limit)
        )

        def work(connection: sa.Connection) -> list[Summary]:
            rows = connection.execute(query).all()
            listed = sa.select(members.c.guest).where(members.c.stream.in_([row.id for row in rows])).distinct()
            names = _nicknames(connection, set(connection.scalars(listed)))
            return [Summary(row.id, row.updated, row.summary, names) for row in rows]

        return await self.read(work)

    async def leave(self, stream_id: str, guest: int) -> bool:
        """A member wants to see no more of a stream. When nobody is left who does it is removed, with everything that
        happened in it: then True."""

        def work(connection: sa.Connection) -> bool:
            mine = sa.update(members).where(members.c.stream == stream_id, members.c.guest == guest)
            connection.execute(mine.values(hidden=True))
            if connection.scalar(sa.select(keepers(sa.literal(stream_id)))):
                return False
            remove_streams(connection, [stream_id])
            return True

        return await self.write(work)

    async def due(self, before: float) -> list[str]:
        """The streams that somebody must see to."""
        query = sa.select(streams.c.id).where(streams.c.due < before).order_by(streams.c.due)
        return list(await self.read(lambda connection: connection.scalars(query).all()))

    async def correct(self, now: float) -> None:
        """A server stored something later than now: its time was ahead. Forget when it ran, and let what is due too
        late be seen to at once."""

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(processes).where(processes.c.alive > now))
            late = sa.update(streams).where(streams.c.due.is_not(None), streams.c.updated > now)
            connection.execute(late.values(due=now))

        await self.write(work)

    async def forget_due(self, stream_id: str) -> None:
        """Nothing has to be done about a stream after all."""
        change = sa.update(streams).where(streams.c.id == stream_id).values(due=None)
        await self.write(lambda connection: connection.execute(change))

    # -- who is running ---------------------------------------------------------------------------------------------

    async def last_alive(self) -> float | None:
        """When any server was last known to be running."""
        return await self.read(lambda connection: connection.scalar(sa.select(sa.func.max(processes.c.alive))))

    async def beat(self, process: str, now: float) -> None:
        """This process is running."""

        def work(connection: sa.Connection) -> None:
            statement = self._insert(processes).values(id=process, alive=now)
            connection.execute(statement.on_conflict_do_update(index_elements=["id"], set_={"alive": now}))
            connection.execute(sa.delete(processes).where(processes.c.alive < now - REMEMBERED))

        await self.write(work)

    async def add_pause(self, pause: Pause) -> None:
        statement = self._insert(pauses).values(pause._asdict()).on_conflict_do_nothing()
        await self.write(lambda connection: connection.execute(statement))

    async def pauses(self) -> list[Pause]:
        query = sa.select(pauses.c.began, pauses.c.ended).order_by(pauses.c.began.desc()).limit(MAX_PAUSES)
        rows = await self.read(lambda connection: connection.execute(query).all())
        return [Pause(row.began, row.ended) for row in rows]


def _plain_sql(dialect: sa.Dialect, size: int) -> tuple[str, str]:
    """The statements that store so many events, each of another stream, and what their streams are after them."""
    sign, summary = ("?", "said.column3") if dialect.name == "sqlite" else ("%s", "CAST(said.column3 AS JSON)")
    five, four = (", ".join(["(" + ", ".join([sign] * values) + ")"] * size) for values in (5, 4))
    return (
        f"INSERT INTO events (stream, number, kind, data, at) VALUES {five} ON CONFLICT DO NOTHING",
        f"UPDATE streams SET updated = CAST(said.column2 AS DOUBLE PRECISION), summary = {summary}, "
        f"due = CAST(said.column4 AS DOUBLE PRECISION) FROM (VALUES {four}) AS said WHERE streams.id = said.column1",
    )


def _lots(appends: Sequence[Append]) -> Iterator[Sequence[Append]]:
    begin = 0
    for size in LOTS:
        while len(appends) - begin >= size:
            yield appends[begin : begin + size]
            begin += size


def _answer(answers: "list[tuple[_Write, Any, Exception | None]]") -> None:
    """Hand results over to the event loop that waits for them, which may be gone."""

    def hand_over() -> None:
        for write, result, error in answers:
            try:
                write.answer(result, error)
            except Exception as failure:
                log_failure("answer_failed", failure)  # the others are answered all the same

    loop = answers[0][0].loop
    if not loop.is_closed():
        loop.call_soon_threadsafe(hand_over)


def create_stream(connection: sa.Connection, head: Head) -> None:
    """A stream that begins. Games begin all the time, so the statements are written by hand."""
    sign = "?" if connection.dialect.name == "sqlite" else "%s"
    settings, summary = orjson.dumps(head.settings).decode(), orjson.dumps(head.summary).decode()
    connection.exec_driver_sql(
        f"INSERT INTO streams (id, kind, settings, created, updated, summary, due) VALUES ({', '.join([sign] * 7)})",
        (head.id, head.kind, settings, head.created, head.created, summary, head.due),
    )
    _add_members(connection, head.id, head.members)


def _write_more(connection: sa.Connection, append: Append) -> None:
    """What belongs to an event besides."""
    if append.joined:
        _join(connection, append.stream, append.joined)
    for head in append.begun:
        create_stream(connection, head)
    if append.also is not None:
        append.also(connection)


def _join(connection: sa.Connection, stream_id: str, joined: Mapping[int, int]) -> None:
    here = sa.delete(members).where(members.c.stream == stream_id, members.c.place.in_([*joined]))
    connection.execute(here)  # a place may be another's from now on
    _add_members(connection, stream_id, joined)


def _add_members(connection: sa.Connection, stream_id: str, joined: Mapping[int, int]) -> None:
    if joined:
        sign = "?" if connection.dialect.name == "sqlite" else "%s"
        connection.exec_driver_sql(
            f"INSERT INTO members (stream, place, guest) VALUES ({sign}, {sign}, {sign})",
            [(stream_id, place, guest) for place, guest in joined.items()],
        )


def make_bot(connection: sa.Connection, owner: int | None, name: str, token_hash: str, now: float) -> int:
    """A guest for a program, known by the hash of its token."""
    guest = connection.execute(sa.insert(guests).values(token_hash=token_hash, nickname=name)).inserted_primary_key
    assert guest is not None
    connection.execute(sa.insert(bots).values(guest=guest[0], owner=owner, created=now))
    return int(guest[0])


def list_bots(connection: sa.Connection, owner: int | None = None) -> list[Bot]:
    """The bots of one owner, or all."""
    query = sa.select(bots.c.guest, guests.c.nickname, bots.c.created).join(guests, guests.c.id == bots.c.guest)
    if owner is not None:
        query = query.where(bots.c.owner == owner)
    return [Bot(*row) for row in connection.execute(query.order_by(bots.c.guest))]


def keepers(stream_id: "sa.ColumnElement[str]") -> "sa.ColumnElement[bool]":
    """Whether somebody is left who wants to keep a stream: who neither hid it, nor was erased, nor is a bot that was
    revoked."""
    return (
        sa.select(members.c.guest)
        .join(guests, guests.c.id == members.c.guest)
        .where(
            members.c.stream == stream_id, ~members.c.hidden, ~guests.c.erased, ~guests.c.token_hash.like("revoked %")
        )
        .exists()
    )


def remove_streams(connection: sa.Connection, stream_ids: Sequence[str]) -> None:
    """Remove streams and everything that happened in them."""
    for table in (events, members):
        connection.execute(sa.delete(table).where(table.c.stream.in_(stream_ids)))
    connection.execute(sa.delete(streams).where(streams.c.id.in_(stream_ids)))


def forget_guest(connection: sa.Connection, guest: int) -> None:
    forget_bots(connection, guest)
    for table in (tries, mistakes, searched, solver_ratings):
        connection.execute(sa.delete(table).where(table.c.guest == guest))
    connection.execute(sa.delete(bots).where(bots.c.guest == guest))
    # Nothing has this hash: it is no hash.
    nobody = {"nickname": None, "token_hash": f"erased {guest}", "next_hash": None, "last_hash": None, "erased": True}
    connection.execute(sa.update(guests).where(guests.c.id == guest).values(nobody))
    connection.execute(
        sa.delete(guests).where(
            guests.c.id == guest,
            ~sa.select(members.c.guest).where(members.c.guest == guests.c.id).exists(),
            ~sa.select(bots.c.owner).where(bots.c.owner == guests.c.id).exists(),
        )
    )


def forget_bots(connection: sa.Connection, owner: int) -> None:
    """The bots of somebody who is erased go with them, names included: they may say whose they were."""
    for bot in connection.scalars(sa.select(bots.c.guest).where(bots.c.owner == owner)).all():
        revoke_bot(connection, bot)
        connection.execute(sa.update(guests).where(guests.c.id == bot).values(nickname=None, erased=True))


def revoke_bot(connection: sa.Connection, bot: int, owner: int | None = None) -> bool:
    """Make a bot's token worthless, and those of bots that it made when bots could; its games stay. False: there is no
    such bot, or it is somebody else's."""
    found = sa.delete(bots).where(bots.c.guest == bot)
    if owner is not None:
        found = found.where(bots.c.owner == owner)
    if connection.execute(found).rowcount == 0:
        return False
    # Nothing has this hash: it is no hash.
    connection.execute(sa.update(guests).where(guests.c.id == bot).values(token_hash=f"revoked {bot}"))
    for made in connection.scalars(sa.select(bots.c.guest).where(bots.c.owner == bot)).all():
        revoke_bot(connection, made)
    return True


def _events(connection: sa.Connection, stream_id: str, after: int) -> list[EventRow]:
    query = (
        sa.select(events.c.number, events.c.kind, events.c.data, events.c.at)
        .where(events.c.stream == stream_id, events.c.number > after)
        .order_by(events.c.number)
    )
    return [(row.number, row.kind, row.data, row.at) for row in connection.execute(query)]


def _nicknames(connection: sa.Connection, numbers: set[int]) -> dict[int, str | None]:
    query = sa.select(guests.c.id, guests.c.nickname, guests.c.erased).where(guests.c.id.in_(numbers))
    return {row.id: ERASED if row.erased else row.nickname for row in connection.execute(query)} if numbers else {}
