"""The file of a championship: its events, and the names of its persons in a table of their own.

An SQLite database. What `Writer` has committed is on the disk, whatever happens next; what it has not is as if it had
never been. Erased names are overwritten, not only unlinked.
"""

import json
import os
import sqlite3
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from tabuleiro.championship.championship import Championship
from tabuleiro.championship.events import ORGANISER, Decision, Event, Json, Person, refused
from tabuleiro.championship.people import Details
from tabuleiro.core import TabuleiroError

#: Marks the file as ours ("tabc"), and says which version of the tables it has.
APPLICATION, VERSION = 0x74616263, 1
SUFFIX = ".campeonato"
#: Seconds to wait for another command that writes.
PATIENCE = 20.0

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


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise FileNotFoundError(2, "", str(path))
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA secure_delete = ON")
        # With a rollback journal, EXTRA also makes the end of the journal durable: a commit survives a power cut.
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = EXTRA")
        ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        connection.close()
        raise _trouble(path, error) from error
    if not ours or version != VERSION:
        connection.close()
        raise refused(f"{path} não é um ficheiro de campeonato", f"{path} is not a championship file")
    return connection


def _trouble(path: Path, error: sqlite3.Error) -> TabuleiroError:
    if "locked" in str(error):
        return refused(f"{path} está a ser usado por outro comando", f"{path} is in use by another command")
    return refused(
        f"{path} não é um ficheiro de campeonato, ou está estragado ({error})",
        f"{path} is not a championship file, or it is damaged ({error})",
    )


def _contents(connection: sqlite3.Connection) -> Contents:
    events = [
        Event(number, kind, json.loads(data), who, at)
        for number, kind, data, who, at in connection.execute("SELECT * FROM events ORDER BY number")
    ]
    people = {
        person: Details.from_json(json.loads(details))
        for person, details in connection.execute("SELECT * FROM people ORDER BY person")
    }
    return Contents(Championship.replay(events), people)


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
    with closing(_connect(path)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
            writer = Writer(connection, _contents(connection))
        except (sqlite3.Error, ValueError, KeyError, TypeError) as error:
            if isinstance(error, TabuleiroError):
                raise
            raise _trouble(path, sqlite3.DatabaseError(str(error))) from error
        try:
            yield writer
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def read(path: Path) -> Contents:
    with closing(_connect(path)) as connection:
        try:
            connection.execute("BEGIN")  # events and names as of one moment, whoever writes meanwhile
            return _contents(connection)
        except TabuleiroError:
            raise
        except (sqlite3.Error, ValueError, KeyError, TypeError) as error:
            raise _trouble(path, sqlite3.DatabaseError(str(error))) from error


def copy(source: Path, target: Path, replace: bool = False) -> Contents:
    """A checked copy of a championship: a backup, or a backup restored.

    Persons erased in the file that is replaced are erased in the copy, too.
    """
    with closing(_connect(source)) as connection:
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
        if sound != "ok":
            raise _trouble(source, sqlite3.DatabaseError(sound))
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
