"""The database: guests, bots, plays, and the numbered events of each play, which are never changed; a play that is
erased goes with all its events.

Reads run in a few threads. All writes of a process go through one thread, which puts everything that is waiting into
one transaction: a thousand moves a second need few commits, and nobody is answered before the commit.
"""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any, NamedTuple, TypeVar

import orjson
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.dialects import postgresql, sqlite

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.server.clock import Pause
from tabuleiro.server.sessions import Event, GameSession, Json, SessionSettings

T = TypeVar("T")

#: Pauses so long ago that no clock still runs since then are not looked at.
MAX_PAUSES = 1000
#: Rows of one statement: databases limit how many values it may have.
MAX_ROWS = 500

metadata = sa.MetaData()

guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    # The cookie itself is not kept: who reads the database cannot sit down in anybody's seat.
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("nickname", sa.String(20)),
)
plays = sa.Table(
    "plays",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("setup", sa.JSON, nullable=False),
    sa.Column("created", sa.Float(53), nullable=False),
    # What follows can be computed from the events; it is written together with them, so that lists need no replay.
    sa.Column("updated", sa.Float(53), nullable=False),
    sa.Column("summary", sa.JSON, nullable=False),
    sa.Column("due", sa.Float(53), index=True),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("play", sa.String(16), sa.ForeignKey("plays.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), nullable=False, index=True),
)
#: Guests whose token is carried by a program; `owner` is the guest who made it, or nobody at the command line.
bots = sa.Table(
    "bots",
    metadata,
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), primary_key=True),
    sa.Column("owner", sa.Integer, sa.ForeignKey("guests.id"), index=True),
    sa.Column("created", sa.Float(53), nullable=False),
)
events = sa.Table(
    "events",
    metadata,
    sa.Column("play", sa.String(16), sa.ForeignKey("plays.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("at", sa.Float(53), nullable=False),
)
#: When each server process was last known to be running.
processes = sa.Table(
    "processes",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("alive", sa.Float(53), nullable=False),
)
#: Times in which no server was running.
pauses = sa.Table(
    "pauses",
    metadata,
    sa.Column("began", sa.Float(53), primary_key=True),
    sa.Column("ended", sa.Float(53), nullable=False),
)


class DatabaseError(TabuleiroError):
    """The database cannot be used."""


@dataclass(frozen=True)
class Summary:
    """A play in somebody's list."""

    id: str
    updated: float
    summary: Json
    nicknames: dict[int, str | None]


class Bot(NamedTuple):
    id: int
    name: str
    created: float


class NewSession(NamedTuple):
    session: GameSession
    due: float | None


class _Append(NamedTuple):
    """An event to be stored with the summary of its play, and what else must be stored with it."""

    play: str
    event: Event
    summary: Json
    due: float | None
    more: Callable[[sa.Connection], None] | None


class _Write(NamedTuple):
    work: Callable[[sa.Connection], Any] | _Append
    answer: "asyncio.Future[Any]"


def open_engine(url: str) -> sa.Engine:
    """A door to a database given by URL, its tables brought up to date."""
    if url.startswith(("postgres://", "postgresql://")):
        url = "postgresql+psycopg://" + url.partition("://")[2]
    try:
        engine = sa.create_engine(
            url,
            json_serializer=lambda value: orjson.dumps(value).decode(),
            json_deserializer=orjson.loads,
            pool_pre_ping=True,
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
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    try:
        _migrate(engine)
    except sa.exc.OperationalError as error:
        reason = str(error.orig).strip().partition("\n")[0]
        raise DatabaseError(
            Text(f"não é possível abrir a base de dados: {reason}", f"the database cannot be opened: {reason}")
        ) from error
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # we begin transactions ourselves, also around changes of tables
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}")


def _migrate(engine: sa.Engine) -> None:
    with as_file(files("tabuleiro.server") / "migrations") as folder, engine.begin() as connection:
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
        self._plain = _PlainSql(self._engine.dialect)
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

    # -- the two ways in --------------------------------------------------------------------------------------------

    async def _read(self, work: Callable[[sa.Connection], T]) -> T:
        def reading() -> T:
            with self._engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, reading)

    async def _write(self, work: Callable[[sa.Connection], T]) -> T:
        written: T = await self._queue(work)
        return written

    async def _queue(self, work: Callable[[sa.Connection], Any] | _Append) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.put(_Write(work, answer))
        return await answer

    def _write_forever(self) -> None:
        while (first := self._waiting.get()) is not None:
            batch = [first]
            closing = False
            while not self._waiting.empty():
                following = self._waiting.get()
                if following is None:
                    closing = True
                    break
                batch.append(following)
            self._write_batch(batch)
            if closing:
                return

    def _write_batch(self, batch: list[_Write]) -> None:
        try:
            with self._engine.begin() as connection:
                appends = [work for work, _ in batch if isinstance(work, _Append)]
                stored = {id(append) for append in self._append_all(connection, appends)}
                results = [id(work) in stored if isinstance(work, _Append) else work(connection) for work, _ in batch]
        except Exception as error:
            if len(batch) > 1:
                # One of them spoiled it for all; alone, each gets what it deserves.
                for write in batch:
                    self._write_batch([write])
            else:
                _answer([(batch[0].answer, None, error)])
        else:
            _answer([(write.answer, result, None) for write, result in zip(batch, results, strict=True)])

    # -- guests -----------------------------------------------------------------------------------------------------

    async def guest(self, token_hash: str) -> tuple[int, str | None] | None:
        """The number and nickname of a guest who did something before."""
        query = sa.select(guests.c.id, guests.c.nickname).where(guests.c.token_hash == token_hash)
        row = await self._read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else (row.id, row.nickname)

    async def known_tokens(self, hashes: set[str]) -> set[str]:
        """Those of these tokens that are somebody's."""
        wanted = [*hashes]

        def work(connection: sa.Connection) -> set[str]:
            known: set[str] = set()
            for begin in range(0, len(wanted), MAX_ROWS):
                some = wanted[begin : begin + MAX_ROWS]
                known.update(connection.scalars(sa.select(guests.c.token_hash).where(guests.c.token_hash.in_(some))))
            return known

        return await self._read(work)

    async def make_guest(self, token_hash: str) -> int:
        """The number of a guest, who is remembered from now on."""

        def work(connection: sa.Connection) -> int:
            connection.execute(self._insert(guests).values(token_hash=token_hash).on_conflict_do_nothing())
            return int(connection.scalar(sa.select(guests.c.id).where(guests.c.token_hash == token_hash)) or 0)

        return await self._write(work)

    async def rename(self, guest: int, nickname: str) -> None:
        change = sa.update(guests).where(guests.c.id == guest).values(nickname=nickname)
        await self._write(lambda connection: connection.execute(change))

    async def nicknames(self, numbers: set[int]) -> dict[int, str | None]:
        return await self._read(lambda connection: _nicknames(connection, numbers))

    async def make_bot(self, owner: int, name: str, token_hash: str, now: float) -> int:
        return await self._write(lambda connection: make_bot(connection, owner, name, token_hash, now))

    async def bots_of(self, owner: int) -> list[Bot]:
        return await self._read(lambda connection: list_bots(connection, owner))

    async def revoke_bot(self, bot: int, owner: int) -> bool:
        return await self._write(lambda connection: revoke_bot(connection, bot, owner))

    # -- plays ------------------------------------------------------------------------------------------------------

    async def create(self, new: NewSession) -> None:
        await self._write(lambda connection: _create(connection, new))

    async def append(
        self, play: GameSession, event: Event, due: float | None, rematch: NewSession | None = None
    ) -> bool:
        """Store an event of a play, which has applied it. False: that number is taken, somebody was first."""

        def more(connection: sa.Connection) -> None:
            if event.kind == "join":
                seat = {"play": play.id, "seat": event.data["seat"], "guest": event.data["guest"]}
                connection.execute(sa.insert(seats), seat)
            if rematch is not None:
                _create(connection, rematch)

        needs_more = event.kind == "join" or rematch is not None
        append = _Append(play.id, event, play.summary(), due, more if needs_more else None)
        return bool(await self._queue(append))

    def _append_all(self, connection: sa.Connection, appends: list[_Append]) -> list[_Append]:
        """Store events, two statements for all of them: this happens at every move. Those that are not returned came
        too late: their number is taken."""
        first: dict[tuple[str, int], _Append] = {}
        for append in appends:
            first.setdefault((append.play, append.event.number), append)
        stored: list[_Append] = []
        waiting = [*first.values()]
        while some := waiting[:MAX_ROWS]:
            del waiting[:MAX_ROWS]
            rows = [(play, *event[:2], orjson.dumps(event.data).decode(), event.at) for play, event, *_ in some]
            kept = connection.exec_driver_sql(*self._plain.insert(rows)).all()
            new = [first[play, number] for play, number in kept]
            if new:
                lines = [(each.play, each.event.at, orjson.dumps(each.summary).decode(), each.due) for each in new]
                connection.exec_driver_sql(*self._plain.update(lines))
            for append in new:
                if append.more is not None:
                    append.more(connection)
            stored += new
        return stored

    async def load(self, session_id: str) -> GameSession | None:
        """A play as its events tell it."""

        def work(connection: sa.Connection) -> GameSession | None:
            row = connection.execute(
                sa.select(plays.c.setup, plays.c.created).where(plays.c.id == session_id)
            ).one_or_none()
            if row is None:
                return None
            play = GameSession(session_id, SessionSettings.from_json(row.setup), row.created)
            for event in _events(connection, session_id, 0):
                play.apply(event)
            return play

        return await self._read(work)

    async def events(self, session_id: str, after: int) -> list[Event]:
        return await self._read(lambda connection: _events(connection, session_id, after))

    async def sessions_of(self, guest: int, limit: int) -> list[Summary]:
        """The plays in which a guest sits, the newest first."""
        mine = sa.select(seats.c.play).where(seats.c.guest == guest)
        query = (
            sa.select(plays.c.id, plays.c.updated, plays.c.summary)
            .where(plays.c.id.in_(mine))
            .order_by(plays.c.updated.desc())
            .limit(limit)
        )

        def work(connection: sa.Connection) -> list[Summary]:
            rows = connection.execute(query).all()
            numbers = {seat["guest"] for row in rows for seat in row.summary["seats"] if seat["guest"] is not None}
            names = _nicknames(connection, numbers)
            return [Summary(row.id, row.updated, row.summary, names) for row in rows]

        return await self._read(work)

    async def erase(self, session_id: str) -> None:
        """Remove a play and everything that happened in it."""

        def work(connection: sa.Connection) -> None:
            for table in (events, seats):
                connection.execute(sa.delete(table).where(table.c.play == session_id))
            connection.execute(sa.delete(plays).where(plays.c.id == session_id))

        await self._write(work)

    async def due(self, before: float) -> list[str]:
        """The plays that somebody must look after."""
        query = sa.select(plays.c.id).where(plays.c.due < before).order_by(plays.c.due)
        return list(await self._read(lambda connection: connection.scalars(query).all()))

    async def forget_due(self, session_id: str) -> None:
        """Nothing has to be done about a play after all."""
        change = sa.update(plays).where(plays.c.id == session_id).values(due=None)
        await self._write(lambda connection: connection.execute(change))

    # -- who is running ---------------------------------------------------------------------------------------------

    async def last_alive(self) -> float | None:
        """When any server was last known to be running."""
        return await self._read(lambda connection: connection.scalar(sa.select(sa.func.max(processes.c.alive))))

    async def beat(self, process: str, now: float) -> None:
        """This process is running."""

        def work(connection: sa.Connection) -> None:
            statement = self._insert(processes).values(id=process, alive=now)
            connection.execute(statement.on_conflict_do_update(index_elements=["id"], set_={"alive": now}))
            connection.execute(sa.delete(processes).where(processes.c.alive < now - 24 * 3600))

        await self._write(work)

    async def add_pause(self, pause: Pause) -> None:
        statement = self._insert(pauses).values(pause._asdict()).on_conflict_do_nothing()
        await self._write(lambda connection: connection.execute(statement))

    async def pauses(self) -> list[Pause]:
        query = sa.select(pauses.c.began, pauses.c.ended).order_by(pauses.c.began.desc()).limit(MAX_PAUSES)
        rows = await self._read(lambda connection: connection.execute(query).all())
        return [Pause(row.began, row.ended) for row in rows]


class _PlainSql:
    """The two statements that store events, with as many rows as there are."""

    def __init__(self, dialect: sa.Dialect) -> None:
        self._sign = "?" if dialect.name == "sqlite" else "%s"
        # PostgreSQL must be told what the values are; for SQLite a cast to its own columns' types would change them.
        self._as = "v.{}" if dialect.name == "sqlite" else "CAST(v.{} AS {})"

    def _rows(self, rows: Sequence[tuple[Any, ...]]) -> tuple[str, tuple[Any, ...]]:
        row = f"({', '.join([self._sign] * len(rows[0]))})"
        return ", ".join([row] * len(rows)), tuple(value for each in rows for value in each)

    def insert(self, rows: Sequence[tuple[Any, ...]]) -> tuple[str, tuple[Any, ...]]:
        signs, values = self._rows(rows)
        columns = "(play, number, kind, data, at)"
        return f"INSERT INTO events {columns} VALUES {signs} ON CONFLICT DO NOTHING RETURNING play, number", values

    def update(self, rows: Sequence[tuple[Any, ...]]) -> tuple[str, tuple[Any, ...]]:
        signs, values = self._rows(rows)
        types = {"updated": "DOUBLE PRECISION", "summary": "JSON", "due": "DOUBLE PRECISION"}
        new = ", ".join(f"{name} = {self._as.format(name, kind)}" for name, kind in types.items())
        table = f"v(id, updated, summary, due) AS (VALUES {signs})"
        return f"WITH {table} UPDATE plays SET {new} FROM v WHERE plays.id = v.id", values


def _answer(answers: "list[tuple[asyncio.Future[Any], Any, Exception | None]]") -> None:
    """Hand results over to the event loops that wait for them, which may have given up or be gone."""

    def hand_over() -> None:
        for future, result, error in answers:
            if future.done():
                continue
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

    loop = answers[0][0].get_loop()
    if not loop.is_closed():
        loop.call_soon_threadsafe(hand_over)


def _create(connection: sa.Connection, new: NewSession) -> None:
    play = new.session
    connection.execute(
        sa.insert(plays),
        {
            "id": play.id,
            "setup": play.settings.as_json(),
            "created": play.created,
            "updated": play.created,
            "summary": play.summary(),
            "due": new.due,
        },
    )
    taken = [
        {"play": play.id, "seat": int(player), "guest": seat.guest}
        for player, seat in play.seats.items()
        if seat.guest is not None
    ]
    if taken:
        connection.execute(sa.insert(seats), taken)


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


def revoke_bot(connection: sa.Connection, bot: int, owner: int | None = None) -> bool:
    """Make a bot's token worthless; its games stay. False: there is no such bot, or it is somebody else's."""
    found = sa.delete(bots).where(bots.c.guest == bot)
    if owner is not None:
        found = found.where(bots.c.owner == owner)
    if connection.execute(found).rowcount == 0:
        return False
    # Nothing has this hash: it is no hash.
    connection.execute(sa.update(guests).where(guests.c.id == bot).values(token_hash=f"revoked {bot}"))
    return True


def _events(connection: sa.Connection, session_id: str, after: int) -> list[Event]:
    query = (
        sa.select(events.c.number, events.c.kind, events.c.data, events.c.at)
        .where(events.c.play == session_id, events.c.number > after)
        .order_by(events.c.number)
    )
    return [Event(*row) for row in connection.execute(query)]


def _nicknames(connection: sa.Connection, numbers: set[int]) -> dict[int, str | None]:
    query = sa.select(guests.c.id, guests.c.nickname).where(guests.c.id.in_(numbers))
    return {row.id: row.nickname for row in connection.execute(query)} if numbers else {}
