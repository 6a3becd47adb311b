"""The files of a SQLite database: only their owner may read them, and one server at a time uses them."""

import contextlib
import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

#: What SQLite keeps beside a database.
BESIDE = ("", "-wal", "-shm")
#: Beside the database: the keys of the people who were erased; the copies that were made of it, by their paths.
ERASED, COPIES = "erased.txt", "copies.txt"
#: The setting of the site by which a copy says where the list `ERASED` of its origin lies.
ORIGIN = "erased_list"


def sqlite_file(url: str) -> Path | None:
    """The file of a database, if it is one."""
    name = url.removeprefix("sqlite:///")
    return None if name in (url, "", ":memory:") else Path(name)


def make_folder(folder: Path) -> None:
    """A folder for data. One that we make is for its owner alone; one that is there is as its owner wants it."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)


def keep_private(file: Path) -> None:
    """Make a file that only its owner may read; from one that is there take away what others may. What cannot be done
    is left to be told by who opens the file next."""
    with contextlib.suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))
    for suffix in BESIDE:
        with contextlib.suppress(OSError):
            file.with_name(file.name + suffix).chmod(0o600)


def append_line(file: Path, line: str) -> None:
    """Add a line to a private file; it is on the disk when this returns."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a") as written:
        written.write(line + "\n")
        written.flush()
        os.fsync(written.fileno())


def register_copy(source: Path, copy: sqlite3.Connection, target: Path) -> None:
    """Let people who are erased later be erased from a copy too: list it beside its source, and name in it the list of
    those who were erased there (`people.erasing` reads both)."""
    row = (ORIGIN, json.dumps(str(source.with_name(ERASED).resolve())))
    # A database of before there were people has no such table, and nobody to erase.
    with copy, contextlib.suppress(sqlite3.OperationalError):
        copy.execute("INSERT OR REPLACE INTO site_settings (name, value) VALUES (?, ?)", row)
    append_line(source.with_name(COPIES), str(target.resolve()))


@contextlib.contextmanager
def only_server(url: str) -> Iterator[None]:
    """For as long as a server runs on a file: refuses where another one does. The lock is the system's, which lets it
    go however the server ends."""
    if (file := sqlite_file(url)) is None:
        yield
        return
    lock = file.with_name(file.name + ".lock")
    try:
        held = lock.open("a")
    except OSError:  # a folder that cannot be written is told by who opens the database
        yield
        return
    with held:
        keep_private(lock)
        if not _lock(held):
            raise TabuleiroError(
                Text(
                    f"já há um servidor a usar {file}: fecha-o, ou escolhe outra pasta com --data",
                    f"another server is using {file}: stop it, or choose another folder with --data",
                )
            )
        yield


def _lock(held: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
