"""Rastros, solved: on 7x7 with the championship rules the first player wins.

The package has two files, both made by `training/rastros_book.py`: the proof of that (`rastros_proof` replays it with
the Python rules), and the values of all positions some plies after the start. With both in its table, the native solver
(`native/solve/rastros.hpp`) answers the opening at once and later positions after a short search. Other sizes are
searched from nothing.
"""

import hashlib
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from tabuleiro import _native
from tabuleiro.core import Move, Options, Position
from tabuleiro.games.rastros import Rastros, RastrosOptions
from tabuleiro.language import Text
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Score, Worth
from tabuleiro.search.native import AlphaBetaEngine
from tabuleiro.solve.base import Progress, Solution, SolveError, Solver
from tabuleiro.solve.rastros_proof import PROOF, Verified, damaged, read_data, verify

__all__ = ["BOOK_PLIES", "RastrosSolver", "Verified", "solver", "verify"]

BOOK = "rastros-book.xz"
#: The book has the values of all positions after so many plies.
BOOK_PLIES = 7
#: A checkpoint has a state for so many bytes of memory: a file of a 64th of its size.
KEPT_PART = 1024

#: What the native solver says of the player to move.
UNKNOWN, WIN, LOSS = 0, 1, 2
SCORES = {UNKNOWN: None, WIN: Score.win(), LOSS: Score.loss()}


def solver(options: Options) -> Solver | None:
    """The solver for these rules; None where a player without a move draws, or the marker may not be cut off."""
    assert isinstance(options, RastrosOptions)
    if options != RastrosOptions(size=options.size):
        return None
    return RastrosSolver(options)


class RastrosSolver(Solver):
    """Solves the championship rules on any board."""

    #: The memory of its table in MiB.
    TABLE = 128
    #: For how many seconds it searches before it says how far it is.
    SLICE = 0.25
    #: How many nodes it spends on how soon moves win or lose.
    LENGTH_NODES = 20_000
    #: How many seconds pass between two checkpoints of a long run.
    PAUSE = 300.0

    def __init__(self, options: RastrosOptions) -> None:
        self.table = _native.RastrosSolver(options.encode(), self.TABLE)
        # Several threads may ask; the table serves one at a time.
        self.busy = threading.Lock()
        if options == RastrosOptions():
            start = Rastros.start(options).encode()
            try:
                self.table.learn_proof(start, read_data(PROOF))
                self.table.learn_opening(start, BOOK_PLIES, read_data(BOOK))
            except ValueError as error:
                raise damaged(BOOK) from error

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        question = _Question(self, limit, stop, progress)
        return self._every_move(node, question) if every_move else self._value(node.position, question)

    def _every_move(self, node: Node, question: "_Question") -> Solution:
        legal = node.position.legal_moves()
        # What is known without search comes first: it is exact even where the time ends early.
        moves = {move: question.move(node.position, move, search=False) for move in legal}
        for move in legal:
            if moves[move] is None:
                moves[move] = question.move(node.position, move)
        self._say_lengths(node, moves)
        known = [score for score in moves.values() if score is not None]
        best = max(known, default=None)
        if len(known) < len(moves) and (best is None or best.worth is not Worth.WIN):
            best = None
        return Solution(best, moves, question.nodes, question.seconds, len(known) == len(moves))

    def _value(self, position: Position, question: "_Question") -> Solution:
        value = question.value(position)
        moves: dict[Move, Score | None] = {}
        if value == WIN:
            legal = position.legal_moves()
            known = question.winning_move(position)
            # The table may know that there is a winning move, but have forgotten which.
            for move in [known] if known in legal else legal:
                moves[move] = score = question.move(position, move)
                if score is not None and score.worth is Worth.WIN:
                    break
        return Solution(SCORES[value], moves, question.nodes, question.seconds, value != UNKNOWN)

    def _say_lengths(self, node: Node, moves: dict[Move, Score | None]) -> None:
        """How soon moves win or lose, where a short search sees the end."""
        engine = AlphaBetaEngine(table=8, full_width=True)
        found = engine.analyse(node, Limit(nodes=self.LENGTH_NODES), lines=len(moves))
        for line in found.lines:
            if line.score.exact and moves[line.moves[0]] is not None:
                moves[line.moves[0]] = line.score

    def resume(self, file: Path, memory: int, node: Node, stop: _native.StopFlag, progress: Progress) -> Solution:
        """The value of a position by a run of hours, which goes on where the last one with the same file ended.

        The file holds what cost most to find out. It is written anew every few minutes and at the end, also when the
        run is stopped or interrupted; killed in between, it loses those minutes.
        """
        position = node.position
        try:
            table = _native.RastrosSolver(position.options.encode(), max(memory >> 20, 1))
        except (ValueError, MemoryError) as error:
            raise SolveError(
                Text(
                    f"este computador não dá {memory} bytes de memória; pede menos",
                    f"this computer does not give {memory} bytes of memory; ask for less",
                )
            ) from error
        before = read_checkpoint(file, position)
        table.remember(before.states)
        begin = time.monotonic()

        def keep() -> None:
            states = table.costly(max(memory // KEPT_PART, 1))
            spent = before.seconds + time.monotonic() - begin
            write_checkpoint(file, position, Checkpoint(before.nodes + table.nodes, spent, states))

        value, kept = UNKNOWN, begin
        try:
            while value == UNKNOWN and not stop.is_set():
                value = table.value(position.encode(), 0, self.SLICE, stop)
                progress(None, before.nodes + table.nodes)
                if time.monotonic() - kept > self.PAUSE:
                    keep()
                    kept = time.monotonic()
        finally:
            keep()
        spent = before.seconds + time.monotonic() - begin
        return Solution(SCORES[value], {}, before.nodes + table.nodes, spent, value != UNKNOWN)


class _Question:
    """One call of a solver: its limits, and what it has taken so far."""

    def __init__(self, solver: RastrosSolver, limit: Limit, stop: _native.StopFlag, progress: Progress) -> None:
        self._solver, self._limit, self._stop, self._progress = solver, limit, stop, progress
        self._begin = time.monotonic()
        self.nodes = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begin

    def value(self, position: Position, *, search: bool = True) -> int:
        """The value for the player to move; unknown where a limit comes first."""
        table, words = self._solver.table, position.encode()
        with self._solver.busy:
            value = table.known(words)
        while value == UNKNOWN and search and not self._stop.is_set():
            seconds, nodes = self._solver.SLICE, 0
            if self._limit.seconds is not None:
                seconds = min(seconds, self._limit.seconds - self.seconds)
            if self._limit.nodes is not None:
                nodes = self._limit.nodes - self.nodes
            if seconds <= 0 or nodes < 0 or (nodes == 0 and self._limit.nodes is not None):
                break
            with self._solver.busy:
                before = table.nodes
                value = table.value(words, nodes, seconds, self._stop)
                self.nodes += table.nodes - before
            self._progress(None, self.nodes)
        return value

    def move(self, position: Position, move: Move, *, search: bool = True) -> Score | None:
        """The value of a move for whoever makes it."""
        reached = position.play(move)
        over = reached.outcome()
        if over is not None:
            return Score.win(1) if over.winner == position.turn else Score.loss(1)
        score = SCORES[self.value(reached, search=search)]
        return None if score is None else -score

    def winning_move(self, position: Position) -> Move:
        """A move that wins, if one is known without search."""
        with self._solver.busy:
            return self._solver.table.winning_move(position.encode())


# -------------------------------------------------------------------------------------------------------- checkpoints


@dataclass(frozen=True)
class Checkpoint:
    """What a long run has done so far."""

    nodes: int = 0
    seconds: float = 0.0
    #: What cost most to find out, as the native solver has it.
    states: bytes = b""


def write_checkpoint(file: Path, position: Position, checkpoint: Checkpoint) -> None:
    """Put a checkpoint into a file: all of it or, whatever happens, none."""
    head = f"{_subject(position)}nodes {checkpoint.nodes}\nseconds {checkpoint.seconds:.1f}\n".encode()
    part = file.with_name(file.name + ".part")
    try:
        with part.open("wb") as stream:
            stream.write(head + f"sha256 {_digest(head, checkpoint.states)}\n".encode())
            stream.write(checkpoint.states)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise SolveError(
            Text(
                f"não foi possível escrever {file} ({error.strerror}); o que lá estava continua bom",
                f"{file} cannot be written ({error.strerror}); what was there before is still good",
            )
        ) from error


def read_checkpoint(file: Path, position: Position) -> Checkpoint:
    """The checkpoint in a file, which must be whole and of this position; an empty one where there is no file."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return Checkpoint()
    except OSError as error:
        raise SolveError(
            Text(f"não é possível ler {file} ({error.strerror})", f"{file} cannot be read ({error.strerror})")
        ) from error
    try:
        title, subject, nodes, seconds, digest, states = content.split(b"\n", 5)
        head = b"\n".join((title, subject, nodes, seconds, b""))
        found = Checkpoint(int(nodes.removeprefix(b"nodes ")), float(seconds.removeprefix(b"seconds ")), states)
        whole = digest == f"sha256 {_digest(head, states)}".encode()
    except ValueError:
        whole = False
    if not whole:
        raise SolveError(
            Text(
                f"{file} está danificado; apaga-o para começar de novo, ou escolhe outro ficheiro",
                f"{file} is damaged; delete it to begin again, or choose another file",
            )
        )
    if not head.startswith(_subject(position).encode()):
        raise SolveError(
            Text(
                f"{file} é de outra posição ou de outro tabuleiro; escolhe outro ficheiro",
                f"{file} is of another position or board; choose another file",
            )
        )
    return found


def _subject(position: Position) -> str:
    return f"tabuleiro rastros checkpoint 1\nposition {position}\n"


def _digest(head: bytes, states: bytes) -> str:
    digest = hashlib.sha256(head)
    digest.update(states)
    return digest.hexdigest()
