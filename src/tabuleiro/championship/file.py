"""The file of a championship: its events, and the names of its persons in a table of their own.

An SQLite database. What `Writer` has committed is on the disk, whatever happens next; what it has not is as if it had
never been. Erased names are overwritten, not only unlinked.

A file may come from anybody, and a database can hold programs: views, triggers, virtual tables, generated columns.
Nothing is read of one that holds more than our two tables, and of those no more than a championship can need.
"""

import json
import math
import os
import sqlite3
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tabuleiro.championship.championship import Championship
from tabuleiro.championship.edition import ARRANGEMENTS
from tabuleiro.championship.events import ORGANISER, Decision, Event, Json, Person, refused
from tabuleiro.championship.people import Details
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

#: Marks the file as ours ("tabc"), and says which version of the tables it has.
APPLICATION, VERSION = 0x74616263, 1
#: What every SQLite database begins with.
MAGIC = b"SQLite format 3\0"
SUFFIX = ".campeonato"
#: Seconds to wait for another command that writes.
PATIENCE = 20.0
#: Rows of each table, and characters of what is kept of a person: a national championship has a tenth of them.
MOST_EVENTS, MOST_PEOPLE, MOST_LETTERS = 100_000, 20_000, 200
#: Seconds that a statement may run while a file is read, and the instructions between two looks at the time.
READ_TIMEOUT_S, READ_STEPS = 20.0, 10_000
#: What SQLite may handle while it reads a file; `LENGTH` is bytes of a value, the registration of 5,000 has 400,000.
SQLITE_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 16_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 10_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 20,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 2,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}
COLUMNS = {"events": ["number", "kind", "data", "who", "at"], "people": ["person", "details"]}

TABLES = """
CREATE TABLE events (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, data TEXT NOT NULL, who INTEGER NOT NULL,
                     at REAL NOT NULL);
CREATE TABLE people (person INTEGER PRIMARY KEY, details TEXT NOT NULL);
"""


class Contents(NamedTuple):
    championship: Championship
    people: dict[Person, Details]


class Writer:
    """A file held for writing: nobody else writes meanwhile. Leaving without an error commits."""

    def __init__(self, connection: sqlite3.Connection, contents: Contents) -> None:
        self._connection = connection
        self.championship, self.people = contents

    def act(self, decision: Decision, who: Person, when: float, people: Mapping[Person, Details] = {}) -> Event:
        """Make a decision an event. `people` are the names that come with it."""
        event = self.championship.event(decision, who, when)
        self.championship.apply(event)
        self._connection.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?)",
            (event.number, event.kind, _compact(event.data), event.who, event.when),
        )
        for person, details in people.items():
            self.people[person] = details
            self._connection.execute("INSERT INTO people VALUES (?, ?)", (person, _compact(details.as_json())))
        if event.kind == "erased":
            self._erase(event.data["persons"])
        return event

    def _erase(self, persons: Sequence[Person]) -> None:
        for person in persons:
            self.people.pop(person, None)
            self._connection.execute("DELETE FROM people WHERE person = ?", (person,))

    def commit(self) -> None:
        """What was done so far is on the disk when this returns; the file stays held."""
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN IMMEDIATE")


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _named(path: Path) -> Text:
    return Text(str(path), str(path))


def _connect(path: Path, *, writing: bool = False) -> sqlite3.Connection:
    """Open a file that holds what a championship file holds and nothing else."""
    if not path.exists():
        raise FileNotFoundError(2, "", str(path))
    # A command that was killed leaves a journal, which only who may write can roll back.
    mode = "rw" if writing or path.with_name(f"{path.name}-journal").exists() else "ro"
    address = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(address, timeout=PATIENCE, isolation_level=None, uri=True)
    try:
        if writing:
            connection.execute("PRAGMA secure_delete = ON")
            # With a rollback journal, EXTRA also makes the end of the journal durable: a commit survives a power cut.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA synchronous = EXTRA")
        else:
            connection.execute("PRAGMA query_only = ON")
        _require_ours(connection, _named(path))
    except sqlite3.Error as error:
        connection.close()
        raise _trouble(_named(path), error) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _require_ours(connection: sqlite3.Connection, name: Text) -> None:
    """Refuse a database with anything but our tables in it, before any of them is read."""
    for limit, value in SQLITE_LIMITS.items():
        connection.setlimit(limit, value)
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY"):
        connection.execute(f"PRAGMA {setting}")
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
    if not ours or connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
        raise _not_ours(name)
    with _timed(connection):
        held = connection.execute("SELECT type, name, sql FROM sqlite_master LIMIT 10").fetchall()
        # A virtual table is called a table, too; only its SQL tells.
        plain = all(kind == "table" and str(sql).upper().startswith("CREATE TABLE") for kind, _, sql in held)
        if not plain or sorted(table for _, table, _ in held) != sorted(COLUMNS):
            raise _foreign(name)
        for table, columns in COLUMNS.items():
            found = connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
            # The last one says whether a column is generated by an expression.
            if [column[1] for column in found] != columns or any(column[6] for column in found):
                raise _foreign(name)


def _not_ours(name: Text) -> TabuleiroError:
    return refused(f"{name.pt} não é um ficheiro de campeonato", f"{name.en} is not a championship file")


def _foreign(name: Text) -> TabuleiroError:
    return refused(
        f"{name.pt} tem mais do que um campeonato (vistas, gatilhos ou outras tabelas) e não foi lido",
        f"{name.en} holds more than a championship (views, triggers or other tables) and was not read",
    )


@contextmanager
def _timed(connection: sqlite3.Connection) -> Iterator[None]:
    """Let statements that run too long end with an error."""
    until = time.monotonic() + READ_TIMEOUT_S
    connection.set_progress_handler(lambda: time.monotonic() > until, READ_STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)


def _trouble(name: Text, error: Exception) -> TabuleiroError:
    if "locked" in str(error):
        return refused(f"{name.pt} está a ser usado por outro comando", f"{name.en} is in use by another command")
    return refused(
        f"{name.pt} não é um ficheiro de campeonato, ou está estragado ({error})",
        f"{name.en} is not a championship file, or it is damaged ({error})",
    )


@contextmanager
def _reading(name: Text) -> Iterator[None]:
    """Tell what cannot be read as such, whatever it is that is wrong with it."""
    try:
        yield
    except TabuleiroError:
        raise
    except (sqlite3.Error, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _trouble(name, error) from error


def _contents(connection: sqlite3.Connection) -> Contents:
    with _timed(connection):
        events = [_event(*row) for row in _rows(connection, "events", "number", MOST_EVENTS)]
        people = dict(_person(*row) for row in _rows(connection, "people", "person", MOST_PEOPLE))
    return Contents(Championship.replay(events), people)


def _rows(connection: sqlite3.Connection, table: str, order: str, most: int) -> list[tuple[Any, ...]]:
    found = connection.execute(
        f"SELECT {', '.join(COLUMNS[table])} FROM {table} ORDER BY {order} LIMIT {most + 1}"
    ).fetchall()
    if len(found) > most:
        raise refused(f"a tabela {table} tem linhas a mais", f"the table {table} has too many rows")
    return found


def _event(number: object, kind: object, data: object, who: object, at: object) -> Event:
    if (
        type(number) is not int
        or not isinstance(kind, str)
        or not isinstance(data, str)
        or type(who) is not int
        or not isinstance(at, int | float)
        or not math.isfinite(at)
    ):
        raise ValueError(f"event {number}")
    return Event(number, kind, _parsed(data), who, at)


def _person(person: object, details: object) -> tuple[Person, Details]:
    if type(person) is not int or not 0 < person < 2**31 or not isinstance(details, str):
        raise ValueError(f"person {person}")
    found = Details.from_json(_parsed(details))
    texts = (found.name, found.school_class, found.key)
    if not all(isinstance(text, str) and len(text) <= MOST_LETTERS for text in texts) or not found.name.strip():
        raise ValueError(f"person {person}")
    if not all(key in ARRANGEMENTS for key in found.arrangements):
        raise ValueError(f"person {person}")
    return person, found


def _parsed(text: str) -> Json:
    """JSON that other programs can read, too: no NaN, and no number that needs more than 64 bits."""
    found: Json = json.loads(text, parse_constant=_no_number, parse_int=_number)
    return found


def _no_number(text: str) -> None:
    raise ValueError(text)


def _number(text: str) -> int:
    if len(text) > 20 or not -(2**63) <= (number := int(text)) < 2**63:
        raise ValueError(text[:30])
    return number


def create(path: Path, decision: Decision, when: float, who: Person = ORGANISER) -> None:
    """A new file, for its owner's eyes only, whose first event is this."""
    championship = Championship()
    event = championship.event(decision, who, when)
    championship.apply(event)
    if path.exists():
        raise refused(f"{path} já existe; escolhe outro nome", f"{path} exists already; choose another name")
    with _replacing(path) as draft:
        _write_new(draft, [event], {})


def write_new(path: Path, events: Sequence[Event], people: Mapping[Person, Details]) -> None:
    """A file with these events and names, in the place of one that is there, whole or not at all."""
    with _replacing(path) as draft:
        _write_new(draft, events, people)


def _write_new(path: Path, events: Sequence[Event], people: Mapping[Person, Details]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.executescript(TABLES)
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?)",
            [(event.number, event.kind, _compact(event.data), event.who, event.when) for event in events],
        )
        connection.executemany(
            "INSERT INTO people VALUES (?, ?)", [(p, _compact(details.as_json())) for p, details in people.items()]
        )
        connection.execute("COMMIT")


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """A draft beside a file that takes its place when it is complete and on the disk; nobody sees half of it."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        with draft.open("rb") as stream:
            os.fsync(stream.fileno())
        draft.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        draft.unlink(missing_ok=True)


def write_private(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, readable by its owner only."""
    with _replacing(path) as draft:
        draft.write_bytes(data)


@contextmanager
def writing(path: Path) -> Iterator[Writer]:
    """The file, held for writing. An error inside leaves it as it was at the last commit."""
    with closing(_connect(path, writing=True)) as connection:
        with _reading(_named(path)):
            connection.execute("BEGIN IMMEDIATE")
            writer = Writer(connection, _contents(connection))
        try:
            yield writer
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def read(path: Path) -> Contents:
    with closing(_connect(path)) as connection, _reading(_named(path)):
        connection.execute("BEGIN")  # events and names as of one moment, whoever writes meanwhile
        return _contents(connection)


def read_data(data: bytes, name: Text) -> Contents:
    """The same of a file that was sent, called `name` where it is refused. Nothing is written to the disk, where SQLite
    can do without."""
    if not data.startswith(MAGIC):
        raise _not_ours(name)
    if not hasattr(sqlite3.Connection, "deserialize"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sent"
            path.write_bytes(data)
            return read(path)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection, _reading(name):
        connection.deserialize(data)
        connection.execute("PRAGMA query_only = ON")
        _require_ours(connection, name)
        return _contents(connection)


def copy(source: Path, target: Path, replace: bool = False) -> Contents:
    """A checked copy of a championship: a backup, or a backup restored.

    Persons erased in the file that is replaced are erased in the copy, too.
    """
    with closing(_connect(source)) as connection, _timed(connection):
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
        if sound != "ok":
            raise _trouble(_named(source), sqlite3.DatabaseError(sound))
    championship, people = read(source)
    erased = set(championship.state.erased)
    events = list(championship.events)
    if target.exists():
        if not replace:
            raise refused(f"{target} já existe; escolhe outro nome", f"{target} exists already; choose another name")
        before = read(target).championship
        later = [event for event in before.events if event.kind == "erased" and event not in events]
        for event in later:
            new = championship.event(Decision(event.kind, event.data), event.who, event.when)
            championship.apply(new)
            events.append(new)
        erased |= before.state.erased
    kept = {person: details for person, details in people.items() if person not in erased}
    with _replacing(target) as draft:
        _write_new(draft, events, kept)
    return Contents(championship, kept)


def remove_people(path: Path, keys: Collection[str]) -> bool:
    """Write a file anew without the people who have one of these keys. Return False if it had none of them."""
    with closing(_connect(path)) as connection:
        rows = connection.execute("SELECT details FROM people")
        if not any(json.loads(details).get("key") in keys for (details,) in rows):
            return False
    championship, people = read(path)
    write_new(path, championship.events, {p: details for p, details in people.items() if details.key not in keys})
    return True
