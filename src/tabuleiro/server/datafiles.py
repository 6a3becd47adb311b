"""The files of a SQLite database: only their owner may read them, and one server at a time uses them."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

#: What SQLite keeps beside a database.
BESIDE = ("", "-wal", "-shm")


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
