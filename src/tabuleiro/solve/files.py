"""Files that took long to compute: where tables are kept, and how they stay whole.

A table is a block of bytes that took long to compute. It is kept in the cache folder of the user, in a file that begins
with a header saying what it is a table of and what the checksum of its content is. A file is read through a memory map
and trusted only if its header is, byte for byte, the one that its content should have: one wrong byte anywhere, and the
table counts as damaged and is made again.

Files are written to one of their own beside the old one, flushed to the disk, and only then renamed: whatever happens
in between, the last good one stays. The process that makes a table holds a lock meanwhile, which the system lets go of
if the process dies; a second maker waits, and finds the table made. What long runs have done so far is kept in the same
way (`runs.py`).

Tables that are quickly made are made by the process that needs them. The others are made by commands alone: one that
plays or serves does without one that is missing or damaged, and says once that it is damaged.
"""

import errno
import glob
import logging
import mmap
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tabuleiro import _native
from tabuleiro.language import Text, language_of
from tabuleiro.solve.base import SolveError

if sys.platform != "win32":
    import fcntl

#: The content begins here: where a memory page does.
HEADER = 4096
#: Bytes that are written at once.
PIECE = 1 << 26

_log = logging.getLogger("tabuleiro.solve")
#: The damaged files that were spoken of, and when they were last changed: once is enough.
_told: set[tuple[Path, int]] = set()


class State(Enum):
    """How a table file stands."""

    MISSING = Text("falta", "missing")
    DAMAGED = Text("danificada", "damaged")
    #: This process may not have as much memory, or as many files, as reading it takes.
    OUT_OF_REACH = Text("fora de alcance", "out of reach")
    GOOD = Text("boa", "good")


@dataclass(frozen=True)
class Table:
    """What a table is of. All of it stands in the file's header."""

    game: str
    #: The rules it is for and the part of the game that it covers: a file's name without its ending.
    name: str
    #: How many bytes it has.
    size: int
    #: What the bytes mean; another number for another meaning.
    version: int = 1

    @property
    def path(self) -> Path:
        return folder() / f"{self.game}-{self.name}.table"

    def header(self, content: "memoryview[int] | mmap.mmap") -> bytes:
        text = (
            f"tabuleiro table\ngame {self.game}\ntable {self.name}\nversion {self.version}\nsize {self.size}\n"
            f"checksum {_native.checksum(content):016x}\n"
        )
        return text.encode().ljust(HEADER)


def folder() -> Path:
    """Where tables are kept: $TABULEIRO_CACHE, else the place that the system has for such files."""
    if chosen := os.environ.get("TABULEIRO_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "tabuleiro" / "tables"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "tabuleiro" / "tables"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tabuleiro" / "tables"


def room_for(size: int) -> "mmap.mmap":
    """Memory for the content of a table."""
    return mmap.mmap(-1, size)


def read(table: Table) -> "memoryview[int] | None":
    """The content of a table, or None where there is no good one."""
    return look(table)[1]


def state(table: Table) -> State:
    return look(table)[0]


def look(table: Table) -> "tuple[State, memoryview[int] | None]":
    """How a table stands, and its content if it is good."""
    try:
        with table.path.open("rb") as file:
            whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except FileNotFoundError:
        return State.MISSING, None
    except (OSError, ValueError) as error:  # it cannot be read, or is empty
        scarce = isinstance(error, OSError) and error.errno in (errno.ENOMEM, errno.EMFILE, errno.ENFILE)
        return State.OUT_OF_REACH if scarce else State.DAMAGED, None
    content = whole[HEADER:]
    if len(content) != table.size or whole[:HEADER] != table.header(content):
        return State.DAMAGED, None
    return State.GOOD, content


def read_or_say(table: Table, command: str) -> "memoryview[int] | None":
    """The content of a table that takes long to make, or None where there is no good one. Of a damaged one a warning
    says, once, by which command it is made again."""
    try:
        here = (table.path, table.path.stat().st_mtime_ns)
    except OSError:
        return None
    if here in _told:  # it need not be read again to know
        return None
    found, content = look(table)
    if found is State.DAMAGED:
        _told.add(here)
        warn(damaged(table, command))
    return content


def damaged(table: Table, command: str) -> Text:
    """What to do about a damaged table, for people."""
    return Text(
        f"a tabela {table.path} está danificada e não é usada; «{command}» volta a fazê-la",
        f"the table {table.path} is damaged and not used; “{command}” makes it again",
    )


def warn(text: Text) -> None:
    """Say what is wrong where nobody may be asked to wait: in the log, which is standard error unless it is set up."""
    _log.warning("%s", text.to(language_of()))


def make(table: Table, build: "Callable[[], mmap.mmap]") -> "memoryview[int]":
    """The content of a table, built unless there is a good one. Raises OSError where it cannot be kept."""
    if (content := read(table)) is not None:
        return content
    with _only_maker(table):
        # Perhaps another process has made it while this one waited.
        if (content := read(table)) is None:
            built = build()
            write(table.path, (table.header(built), built))
            content = read(table) or memoryview(built)
    return content


def obtain(table: Table, build: "Callable[[], mmap.mmap]") -> "memoryview[int]":
    """The content of a table that is quickly built: where it cannot be kept, it serves from memory."""
    try:
        return make(table, build)
    except OSError:
        return memoryview(build())


def cannot_keep(table: Table, error: OSError) -> SolveError:
    """Why a table could not be kept, for people."""
    place = table.path.parent
    need = f"{(table.size + HEADER) / 1e6:.0f} MB"
    reason = error.strerror or str(error)
    return SolveError(
        Text(
            f"a tabela não pôde ser guardada em {place} ({reason}): precisa de {need}; arranja espaço ou escolhe outra "
            "pasta com TABULEIRO_CACHE. O que já lá estava continua bom",
            f"the table could not be kept in {place} ({reason}): it needs {need}; make room or choose another folder "
            "with TABULEIRO_CACHE. What was there before is still good",
        )
    )


@contextmanager
def _only_maker(table: Table) -> Iterator[None]:
    """Wait until nobody else makes this table. (On Windows two may make it at once; both end with a good one.)"""
    table.path.parent.mkdir(parents=True, exist_ok=True)
    with locked(table.path):
        yield


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[Path]:
    """Hold the lock of a file, the path of which is given; raises BlockingIOError where another process holds it and
    nobody wants to wait. What a writer that was killed left half written is cleared away."""
    own = path.with_name(f"{path.name}.lock")
    with own.open("w") as lock:
        if sys.platform != "win32":
            fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            for leftover in path.parent.glob(f"{glob.escape(path.name)}.*.part"):
                leftover.unlink(missing_ok=True)
        yield own


def write(path: Path, pieces: "Iterable[bytes | memoryview[int] | mmap.mmap]") -> None:
    """Put pieces of bytes into a file: all of them or, whatever happens, none; what was there before stays till then.
    Raises OSError where it cannot be done."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb", buffering=0) as file:
            for piece in pieces:
                view = memoryview(piece)
                written = 0
                while written < len(view):
                    written += file.write(view[written : written + PIECE])
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    if sys.platform != "win32":
        # The new name is on the disk only when the folder is.
        place = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
