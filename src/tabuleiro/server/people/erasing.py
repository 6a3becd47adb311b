"""Erasing people: at once, some days after they were removed, or when nothing was heard of them for long.

Who was erased is also written down in a file beside the database, by a random key that says nothing: so when a copy
made before is put back, whoever was erased since then is erased again before anybody is served. A copy names the list
of the folder in which it was made, so this holds in another folder of the machine too.

`erase_in_copies` erases them from the files that exist besides the tables: the backups of championships, the copies
that `tabuleiro backup` made and that are still where they were written, and the write-ahead log of SQLite.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from tabuleiro.championship import file as championship_file
from tabuleiro.core import TabuleiroError
from tabuleiro.server.datafiles import COPIES, ERASED, ORIGIN, append_line, sqlite_file
from tabuleiro.server.log import Guest
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.people import store
from tabuleiro.server.people.codes import folder_of
from tabuleiro.server.people.school_class import SECOND_THOUGHTS
from tabuleiro.server.people.site_settings import read_settings
from tabuleiro.server.store import opened
from tabuleiro.server.tables import adults, erasures, events, members, people, site_settings, streams

#: Seconds to wait for others before the write-ahead log is left to the next try.
CHECKPOINT_TIMEOUT_S = 0.5
#: Seconds.
MONTH = 365.25 / 12 * 24 * 3600


def erase_person(connection: sa.Connection, database: str, guest: Guest, now: float) -> bool:
    """Everything about somebody goes: name, card, sign-ins, and the games in which nobody else sits. What others played
    with them stays, with a number that says nothing. False: there is no such person."""
    key = connection.scalar(sa.select(people.c.key).where(people.c.guest == guest))
    if key is None:
        return False
    append_line(folder_of(database) / ERASED, key)
    _erase_rows(connection, guest, now)
    return True


def _erase_rows(connection: sa.Connection, guest: Guest, now: float) -> None:
    for session in _own_games(connection, guest):
        for table in (events, members):
            connection.execute(sa.delete(table).where(table.c.stream == session))
        connection.execute(sa.delete(streams).where(streams.c.id == session))
    store.erase(connection, guest, now)


def _own_games(connection: sa.Connection, guest: Guest) -> list[str]:
    """The games in which only this guest sits, at one screen or against the computer."""
    mine = sa.select(members.c.stream).where(members.c.guest == guest)
    others = sa.select(members.c.stream).where(members.c.guest != guest)
    query = sa.select(streams.c.id).where(
        streams.c.kind == "session", streams.c.id.in_(mine), streams.c.id.not_in(others)
    )
    return [*connection.scalars(query)]


def _lines(file: Path) -> list[str]:
    with contextlib.suppress(OSError):
        return file.read_text().splitlines()
    return []


def erased_keys(connection: sa.Connection, database: str) -> set[str]:
    """The keys of everybody who was ever erased here, or in the folder in which this database was copied."""
    keys = {*_lines(folder_of(database) / ERASED), *connection.scalars(sa.select(erasures.c.key))}
    origin = _origin(connection)
    return keys if origin is None else keys.union(_lines(origin))


def _origin(connection: sa.Connection) -> Path | None:
    origin = connection.scalar(sa.select(site_settings.c.value).where(site_settings.c.name == ORIGIN))
    return Path(origin) if isinstance(origin, str) else None


def unreachable_origin(connection: sa.Connection) -> Path | None:
    """Return the list of erased people that a restored copy names, if its folder is not on this machine."""
    origin = _origin(connection)
    return None if origin is None or origin.parent.is_dir() else origin


# ------------------------------------------------------------------------------------------------- outside the tables


def backup_folder(database: str) -> Path:
    """Return the folder of the backups of championships."""
    return folder_of(database) / "championships"


def erase_in_file(path: Path, database: str) -> None:
    """Erase from a championship file everybody whose key is written down."""
    keys = {*_lines(folder_of(database) / ERASED)}
    if keys:
        championship_file.remove_people(path, keys)


def erase_in_copies(database: str, now: float) -> bool:
    """Erase everybody whose key is written down from all files besides the tables. Return False if something has to be
    tried again because others use the database. A damaged file is logged and left to its owner."""
    keys = {*_lines(folder_of(database) / ERASED)}
    if not keys:
        return True
    for path in backup_folder(database).glob(f"*{championship_file.SUFFIX}"):
        with _logged():
            championship_file.remove_people(path, keys)
    for line in _lines(folder_of(database) / COPIES):
        with _logged():
            _erase_in_copy(Path(line), keys, now)
    file = sqlite_file(database)
    return file is None or _truncate_wal(file)


@contextlib.contextmanager
def _logged() -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error, TabuleiroError) as error:
        log_failure("erasing_in_copy_failed", error)


def _erase_in_copy(path: Path, keys: set[str], now: float) -> None:
    if not path.is_file():
        return
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as copy:
        if keys.isdisjoint(key for (key,) in copy.execute("SELECT key FROM people")):
            return
    with opened(f"sqlite:///{path}", writing=True) as connection:
        rows = connection.execute(sa.select(people.c.guest, people.c.key)).all()
        for row in rows:
            if row.key in keys:
                _erase_rows(connection, row.guest, now)
    with contextlib.closing(sqlite3.connect(path)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")  # one file again, as it was made


def _truncate_wal(file: Path) -> bool:
    """Empty the write-ahead log, which still holds the pages as they were before somebody was erased."""
    with contextlib.closing(sqlite3.connect(file, timeout=CHECKPOINT_TIMEOUT_S)) as connection:
        is_busy: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        return not is_busy


def erase_what_is_due(connection: sa.Connection, database: str, now: float) -> None:
    """Erase again who came back with an old copy, and for good who was removed long enough ago or has not been seen for
    long. Organisers stay, so that a server that slept for a year can be woken."""
    keys = erased_keys(connection, database)
    organisers = sa.select(adults.c.guest).where(adults.c.role == "organiser")
    kept = read_settings(connection).keep_months * MONTH
    due = sa.select(people.c.guest, people.c.key).where(
        sa.or_(
            people.c.removed < now - SECOND_THOUGHTS,
            sa.and_(people.c.seen < now - kept, people.c.guest.not_in(organisers)),
        )
    )
    gone = [row.guest for row in connection.execute(due)]
    back = [row.guest for row in connection.execute(sa.select(people.c.guest, people.c.key)) if row.key in keys]
    for guest in {*gone, *back}:
        erase_person(connection, database, guest, now)
