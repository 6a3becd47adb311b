"""Runs of hours, which are left and taken up again: what they have found out is kept in a file.

The file begins with lines that say what it is of and what it took, then comes what the run has found out, as its native
solver has it, and last the SHA-256 of all that. It is replaced as a whole (`files.write`), now and then and at the end,
also when the run is stopped: killed in between, a run loses what it did since.
"""

import hashlib
import json
import math
import mmap
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from tabuleiro import _native
from tabuleiro.core import Position
from tabuleiro.language import Text
from tabuleiro.solve import files
from tabuleiro.solve.base import Progress, SolveError

TITLE = "tabuleiro checkpoint 2"
DIGEST = hashlib.sha256().digest_size
#: The lines at the beginning are shorter than this.
MOST_LINES = 4096
#: What the program itself takes of the memory of a run: the interpreter and the libraries.
PROGRAM = 80 << 20
#: Saving may take such a part of the time.
SHARE_OF_SAVING = 0.05


@dataclass(frozen=True)
class Checkpoint:
    """What a run has done so far."""

    nodes: int = 0
    seconds: float = 0.0
    content: "memoryview[int] | bytes" = b""


@dataclass(frozen=True)
class Run:
    """What a run does."""

    restore: "Callable[[memoryview[int] | bytes], object]"
    #: Works for a while, telling now and then how many positions it has seen; then says whether all is done, and that.
    step: Callable[[Callable[[int], object]], tuple[bool, int]]
    content: Callable[[], Iterable[bytes]]
    #: How many seconds pass between two checkpoints, at least.
    pause: float


def room(memory: int) -> int:
    """How much of the memory of a run is left for its tables. More than there is is refused: the system would give it,
    and end the run one night."""
    if memory > _physical_memory():
        raise no_memory(memory)
    return max(memory - PROGRAM, memory // 2)


def _physical_memory() -> float:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # the system does not tell
        return math.inf


def go_on(file: Path, position: Position, run: Run, stop: _native.StopFlag, progress: Progress) -> Checkpoint:
    """Work, from where the file ends, until all is done or the flag is set; what it took in all."""
    _size(file)
    with _alone(file):
        before = read(file, position)
        run.restore(before.content)
        before = replace(before, content=b"")  # its memory is needed
        begin = kept = time.monotonic()
        done, nodes, pause = False, 0, run.pause

        def tell(nodes: int) -> None:
            progress(None, before.nodes + nodes)

        def now() -> Checkpoint:
            return Checkpoint(before.nodes + nodes, before.seconds + time.monotonic() - begin)

        try:
            while not done:
                done, nodes = run.step(tell)
                tell(nodes)
                if stop.is_set():
                    break
                if not done and (saving := time.monotonic()) - kept >= pause:
                    _keep(file, position, now(), run.content(), essential=False)
                    kept = time.monotonic()
                    pause = max(run.pause, (kept - saving) / SHARE_OF_SAVING)
        finally:
            # What is known is told even where it cannot be kept.
            _keep(file, position, now(), run.content(), essential=not done)
        return now()


def read(file: Path, position: Position) -> Checkpoint:
    """The checkpoint in a file, which must be whole and of this position; an empty one where there is no file."""
    if (size := _size(file)) is None:
        return Checkpoint()
    if size == 0:
        raise _damaged(file)
    try:
        with file.open("rb") as stream:
            whole = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise _cannot_read(file, error) from error
    rest, digest = whole[:-DIGEST], whole[-DIGEST:]
    try:
        lines, _, _ = bytes(rest[:MOST_LINES]).partition(b"\n\n")
        title, question, nodes, seconds = lines.decode().split("\n")
        found = Checkpoint(
            int(nodes.removeprefix("nodes ")), float(seconds.removeprefix("seconds ")), rest[len(lines) + 2 :]
        )
    except ValueError:
        raise _damaged(file) from None
    if title != TITLE or digest != hashlib.sha256(rest).digest():
        raise _damaged(file)
    if question != _question(position):
        raise SolveError(
            Text(
                f"{file} é de outra posição ou de outras regras; escolhe outro ficheiro",
                f"{file} is of another position or other rules; choose another file",
            )
        )
    return found


def _size(file: Path) -> int | None:
    """How long a file is; None where there is none. What is no file, such as a folder, is refused."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _cannot_read(file, error) from error
    if not stat.S_ISREG(found.st_mode):
        raise SolveError(
            Text(
                f"{file} não é um ficheiro em que se possa guardar trabalho",
                f"{file} is not a file that work can be kept in",
            )
        )
    return found.st_size


def write(file: Path, position: Position, checkpoint: Checkpoint, content: Iterable[bytes]) -> None:
    """Put a checkpoint into a file, its content in pieces. Raises OSError where it cannot be done."""
    lines = f"{TITLE}\n{_question(position)}\nnodes {checkpoint.nodes}\nseconds {checkpoint.seconds:.1f}\n\n"

    def pieces() -> Iterator[bytes]:
        digest = hashlib.sha256(lines.encode())
        yield lines.encode()
        for piece in content:
            digest.update(piece)
            yield piece
        yield digest.digest()

    files.write(file, pieces())


def _question(position: Position) -> str:
    return f"{position.id} {position} {json.dumps(position.options.changed(), sort_keys=True)}"


def _damaged(file: Path) -> SolveError:
    return SolveError(
        Text(
            f"{file} está danificado, ou não é trabalho guardado por este programa; apaga-o para começar de novo, ou "
            "escolhe outro ficheiro",
            f"{file} is damaged, or no work that this program has kept; delete it to begin again, or choose another "
            "file",
        )
    )


def _keep(file: Path, position: Position, checkpoint: Checkpoint, content: Iterable[bytes], *, essential: bool) -> None:
    try:
        write(file, position, checkpoint, content)
    except OSError as error:
        trouble = _cannot_write(file, error)
        if essential:
            raise trouble from error
        files.warn(trouble.text)


def _cannot_read(file: Path, error: OSError) -> SolveError:
    return SolveError(
        Text(f"não é possível ler {file} ({error.strerror})", f"{file} cannot be read ({error.strerror})")
    )


def _cannot_write(file: Path, error: OSError) -> SolveError:
    reason = error.strerror or str(error)
    return SolveError(
        Text(
            f"não é possível escrever {file} ({reason}); o que lá estava fica como estava",
            f"{file} cannot be written ({reason}); what was there before is as it was",
        )
    )


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """One run at a time works on a file, and only where it can be written."""
    with ExitStack() as stack:
        try:
            lock = stack.enter_context(files.locked(file, wait=False))
        except BlockingIOError as error:
            raise SolveError(
                Text(
                    f"outro cálculo está a trabalhar em {file}; escolhe outro ficheiro, ou espera que ele acabe",
                    f"another run is working on {file}; choose another file, or wait for it to end",
                )
            ) from error
        except OSError as error:
            raise _cannot_write(file, error) from error
        try:
            yield
        finally:
            with suppress(OSError):
                lock.unlink()


def no_memory(memory: int) -> SolveError:
    """Why a run cannot begin, for people."""
    return SolveError(
        Text(
            f"este computador não tem {memory >> 20} MiB de memória livres; pede menos",
            f"this computer does not give {memory >> 20} MiB of memory; ask for less",
        )
    )
