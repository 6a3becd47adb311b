"""Konane: depth-first search for late positions and small boards; df-pn above it for work that takes hours.

Long work is kept in a file, which can be left and taken up again at any moment: what df-pn has proven or weighed is all
it needs to go on. The file is replaced as a whole, so that whatever happens the last good one is there.
"""

import hashlib
import json
import math
import os
import tempfile
import time
from pathlib import Path

from tabuleiro import _native
from tabuleiro.core import Options, Position
from tabuleiro.language import Text
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Score
from tabuleiro.solve.base import Progress, Solution, SolveError, Solver

FORMAT = "tabuleiro konane proofs 1"


class KonaneSolver(Solver):
    """Values without lengths: they are not needed to prove who makes the last move."""

    #: The memory of the table of everyday questions, in bytes; the system gives it only as it is used.
    MEMORY = 128 << 20
    #: Positions of a leaf of df-pn.
    LEAF = 200_000
    #: Threads of long work.
    THREADS = 2
    #: How often long work tells of its progress, and how often at most it is saved, in seconds.
    REPORT_EVERY = 1.0
    SAVE_EVERY = 30.0

    def __init__(self, options: Options) -> None:
        self._options = options
        self._native = _native.KonaneSolver(options.encode(), self.MEMORY)

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        found = self._native.solve(node.position.encode(), every_move, limit.nodes or 0, limit.seconds or 0.0, stop)
        solution = _solution(found, found[2], found[3])
        progress(1.0 if solution.exact else None, solution.nodes)
        if every_move and None in solution.moves.values():
            return Solution(solution.score, solution.moves, solution.nodes, solution.seconds, exact=False)
        return solution

    def within_reach(self, node: Node, seconds: float) -> bool:
        """Four stones more take some twenty times as long, and a fifth of a second is enough for the easy half of the
        positions with so many."""
        return len(node.position.pieces()) <= 38 + 4 * math.log(seconds / 0.2, 20)

    def resume(self, file: Path, memory: int, node: Node, stop: _native.StopFlag, progress: Progress) -> Solution:
        native = _native.KonaneSolver(self._options.encode(), memory)
        nodes, seconds, proofs = _read(file, node.position)
        native.restore(proofs)
        words = node.position.encode()
        saved, pause = time.monotonic(), self.SAVE_EVERY
        while True:
            found = native.prove(words, self.THREADS, self.LEAF, self.REPORT_EVERY, stop)
            nodes += found[2]
            seconds += found[3]
            solution = _solution(found, nodes, seconds)
            progress(None, nodes)
            ended = solution.exact or stop.is_set()
            begin = time.monotonic()
            if ended or begin - saved >= pause:
                _write(file, node.position, nodes, seconds, native.proofs())
                saved = time.monotonic()
                # Saving may take a twentieth of the time.
                pause = max(self.SAVE_EVERY, 20 * (saved - begin))
            if ended:
                return solution


def _solution(found: "_native.KonaneSolved", nodes: int, seconds: float) -> Solution:
    value, moves, _, _ = found
    scores = {-1: Score.loss(), 0: None, 1: Score.win()}
    return Solution(scores[value], {move: scores[each] for move, each in moves.items()}, nodes, seconds, value != 0)


# ------------------------------------------------------------------------------------------------------------ the file


def _question(position: Position) -> str:
    return f"{position} {json.dumps(position.options.changed(), sort_keys=True)}"


def _write(file: Path, position: Position, nodes: int, seconds: float, proofs: bytes) -> None:
    """A line of JSON that tells what this is, and the proofs."""
    head = {
        "format": FORMAT,
        "question": _question(position),
        "nodes": nodes,
        "seconds": seconds,
        "sha256": hashlib.sha256(proofs).hexdigest(),
    }
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    except OSError as error:
        raise _trouble(file, error) from None
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(json.dumps(head).encode() + b"\n")
            stream.write(proofs)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(file)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise _trouble(file, error) from None


def _trouble(file: Path, error: OSError) -> SolveError:
    return SolveError(
        Text(
            f"não consigo ler ou escrever {file}: {error.strerror}; o que já lá estava continua como estava",
            f"cannot read or write {file}: {error.strerror}; what was there before is as it was",
        )
    )


def _read(file: Path, position: Position) -> tuple[int, float, bytes]:
    """The work done so far; none where there is no file yet."""
    try:
        first, _, proofs = file.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return 0, 0.0, b""
    except OSError as error:
        raise _trouble(file, error) from None
    damaged = SolveError(
        Text(
            f"o ficheiro {file} não é trabalho guardado de Konane ou está estragado; apaga-o para recomeçar",
            f"the file {file} is no saved work on Konane, or is damaged; remove it to begin anew",
        )
    )
    try:
        head = json.loads(first)
        if head["format"] != FORMAT or head["sha256"] != hashlib.sha256(proofs).hexdigest():
            raise damaged
        nodes, seconds, question = int(head["nodes"]), float(head["seconds"]), head["question"]
    except (ValueError, KeyError, TypeError):
        raise damaged from None
    if question != _question(position):
        raise SolveError(
            Text(
                f"o ficheiro {file} é de outra posição ({question}); escolhe outro ficheiro",
                f"the file {file} is about another position ({question}); choose another file",
            )
        )
    return nodes, seconds, proofs
