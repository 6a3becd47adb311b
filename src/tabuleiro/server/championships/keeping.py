"""A championship as a file: to carry it to another laptop, to have it when this one breaks. A file is what
`tabuleiro championship` works on; the events in it are those of the stream, number by number."""

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import sqlalchemy as sa

from tabuleiro.championship import events as pure
from tabuleiro.championship.championship import Championship
from tabuleiro.championship.events import Person
from tabuleiro.championship.file import SUFFIX, read, write_new
from tabuleiro.championship.people import Details
from tabuleiro.server.championships import store
from tabuleiro.server.championships.stream import ChampionshipSettings, ChampionshipStream, as_pure, as_stored
from tabuleiro.server.ids import new_id
from tabuleiro.server.log import Event, Guest
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.people.codes import CLASS_CODE_LENGTH, new_code
from tabuleiro.server.people.erasing import backup_folder, erase_in_file, erased_keys
from tabuleiro.server.people.office import an_organiser
from tabuleiro.server.people.store import class_with_code, note, set_class_code
from tabuleiro.server.store import Head, Store, create_stream
from tabuleiro.server.tables import events, people, streams
from tabuleiro.server.tasks import Tasks

#: How many backups are kept of one championship.
KEPT = 20
#: Seconds after a draw, or the last result of a round, in which others may follow: a round of a hundred groups is one
#: backup.
GATHER = 2.0


def contents(connection: sa.Connection, stream_id: str) -> tuple[list[pure.Event], dict[Person, Details]] | None:
    """The events of a championship and the names of its persons; None where there is no such championship."""
    if connection.scalar(sa.select(streams.c.kind).where(streams.c.id == stream_id)) != store.KIND:
        return None
    columns = (events.c.number, events.c.kind, events.c.data, events.c.at)
    rows = connection.execute(sa.select(*columns).where(events.c.stream == stream_id).order_by(events.c.number))
    found = [as_pure(Event(*row)) for row in rows]
    return found, {person: each.details() for person, each in store.find_entrants(connection, stream_id).items()}


def take_in(
    connection: sa.Connection, database: str, stream_id: str, names: Mapping[Person, Details], now: float
) -> None:
    """The names of a championship that came as a file. Whom this server knows already is who they are here; who was
    erased here stays erased."""
    keys = {row.key: row.guest for row in connection.execute(sa.select(people.c.key, people.c.guest))}
    gone = erased_keys(connection, database)
    known = {person: each for person, each in names.items() if each.key in keys}
    new = {person: each for person, each in names.items() if each.key not in keys and each.key not in gone}
    store.link(connection, stream_id, [(p, keys[each.key], each.arrangements) for p, each in known.items()])
    store.enter(connection, stream_id, new, {}, now)


def import_file(
    connection: sa.Connection, database: str, found: Sequence[pure.Event], names: Mapping[Person, Details]
) -> str:
    """A championship taken in while no page asks for it, at the command line: it belongs to an organiser, who is made
    where there is none, as on a laptop that has never served."""
    now = time.time()
    organiser = an_organiser(connection, now)
    code = new_code(CLASS_CODE_LENGTH)
    while class_with_code(connection, code) is not None:
        code = new_code(CLASS_CODE_LENGTH)
    stream = new_stream(new_id(), organiser, code, now)
    for event in found:
        stream.apply(as_stored(event))
    head = Head(stream.id, stream.kind, stream.settings_json(), now, stream.summary(), None, stream.members())
    create_stream(connection, head)
    store.add_events(connection, stream.id, [as_stored(event) for event in found])
    set_class_code(connection, stream.id, code)
    take_in(connection, database, stream.id, names, now)
    note(connection, now, organiser, "make_championship", stream=stream.id)
    return stream.id


def read_bytes(data: bytes) -> tuple[Championship, dict[Person, Details]]:
    """A championship file that was sent, checked event by event."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"sent{SUFFIX}"
        path.write_bytes(data)
        championship, names = read(path)
        return championship, names


def write_bytes(found: Sequence[pure.Event], names: Mapping[Person, Details]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"sent{SUFFIX}"
        write_new(path, found, names)
        return path.read_bytes()


def new_stream(stream_id: str, owner: Guest, code: str, now: float) -> ChampionshipStream:
    return ChampionshipStream(stream_id, ChampionshipSettings(owner, code), now)


class Backups:
    """After every draw, whenever no result is missing, and when the server starts, a file in a folder beside the
    database; the newest are kept."""

    def __init__(self, kept: Store, database: str) -> None:
        self._store = kept
        self._database = database
        self.folder = backup_folder(database)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks = Tasks()

    async def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        await self._tasks.close()

    async def catch_up(self) -> None:
        """What is under way is written when the server starts: it may have been killed before it could be."""
        for stream_id, summary in (await self._store.read(store.summaries)).items():
            if summary["complete"] < summary["groups"]:
                self.soon(stream_id)

    def soon(self, stream_id: str) -> None:
        if stream_id not in self._timers:
            loop = asyncio.get_running_loop()
            write: Callable[[], object] = lambda: self._tasks.spawn(self._write(stream_id))  # noqa: E731
            self._timers[stream_id] = loop.call_later(GATHER, write)

    async def _write(self, stream_id: str) -> None:
        del self._timers[stream_id]
        try:
            found = await self._store.read(lambda connection: contents(connection, stream_id))
            if found is not None:
                await asyncio.to_thread(self.write, stream_id, *found)
        except Exception as error:
            log_failure("championship_backup_failed", error)

    def write(self, stream_id: str, found: Sequence[pure.Event], names: Mapping[Person, Details]) -> Path:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.folder / f"{stream_id}-{len(found):06}{SUFFIX}"
        write_new(path, found, names)
        # Somebody may have been erased since the names were read, after the files of this folder were looked through.
        erase_in_file(path, self._database)
        old = sorted(self.folder.glob(f"{stream_id}-*{SUFFIX}"))[:-KEPT]
        for each in old:
            with contextlib.suppress(OSError):
                each.unlink()
        return path

    def forget(self, stream_id: str) -> None:
        """A championship that was removed leaves no files either."""
        for each in self.folder.glob(f"{stream_id}-*{SUFFIX}"):
            with contextlib.suppress(OSError):
                each.unlink()
