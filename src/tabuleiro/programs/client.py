"""Other programs as engines: any that speaks UGI, UCI or GTP, run as a process of its own.

    with UciEngine(["fairy-stockfish"], {"UCI_Variant": "breakthrough"}) as engine:
        move = engine.play(game, Limit(seconds=1))

They are engines like ours: their moves are checked by the rules, and a program that crashes, breaks the rules or does
not answer raises `EngineError`. The next search starts it anew.
"""

import contextlib
import re
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from tabuleiro.core import Move, Position, TabuleiroError, shorten
from tabuleiro.language import Text
from tabuleiro.programs.process import Process
from tabuleiro.programs.protocol import info_number, read_info, write_go
from tabuleiro.record import Line, Node
from tabuleiro.search.base import Analysis, Engine, EngineError, Flag, Limit, Listener, Score, ScoredLine

#: How often a search looks whether it should stop, in seconds.
GLANCE = 0.005
#: How our own engine begins to say what is wrong with a line.
ERROR = "info string error:"


class ProgramEngine(Engine):
    """A program that finds moves."""

    def __init__(self, command: Sequence[str], options: Mapping[str, str] | None = None, patience: float = 30) -> None:
        super().__init__()
        self._command = list(command)
        self._options = dict(options or {})
        #: How many seconds past its limit the program may be late.
        self._patience = patience
        self._process: Process | None = None

    def close(self) -> None:
        """Ask the program to end, and end it."""
        if self._process is not None:
            with contextlib.suppress(EngineError):
                self._process.send("quit")
            self._process.end()
            self._process = None

    def forget(self) -> None:
        if self._process is not None:
            with self._watched() as process:
                self._new_game(process)

    def processor_seconds(self) -> float:
        """The processor time that the program has taken so far; a program that does not run has taken none."""
        return 0.0 if self._process is None else self._process.processor_seconds()

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        began = time.monotonic()
        with self._watched() as process:
            return self._think(process, node, limit, lines, stop, began)

    @contextlib.contextmanager
    def _watched(self) -> Iterator[Process]:
        """The program, started if it does not run; it is ended if anything goes wrong."""
        if self._process is None:
            self._process = Process(self._command)
            try:
                self._greet(self._process)
            except EngineError:
                self._drop()
                raise
        try:
            yield self._process
        except TabuleiroError:
            self._drop()
            raise

    def _drop(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

    @abstractmethod
    def _greet(self, process: Process) -> None:
        """Begin the conversation, and set the options."""

    @abstractmethod
    def _new_game(self, process: Process) -> None: ...

    @abstractmethod
    def _think(self, process: Process, node: Node, limit: Limit, lines: int, stop: Flag, began: float) -> Analysis: ...

    def _await(self, process: Process, wanted: str) -> None:
        """Read until a line begins with a word."""
        deadline = time.monotonic() + self._patience
        while (line := process.read(max(deadline - time.monotonic(), 0))) is not None:
            if line.split(" ")[0] == wanted:
                return
        raise process.late()


# --------------------------------------------------------------------------------------------------------- UGI and UCI


class UgiEngine(ProgramEngine):
    """A program that speaks the Universal Game Interface. Positions and moves are written as in this house."""

    word = "ugi"

    def _greet(self, process: Process) -> None:
        process.send(self.word)
        self._await(process, f"{self.word}ok")
        for name, value in self._options.items():
            process.send(f"setoption name {name} value {value}")
        self._new_game(process)

    def _new_game(self, process: Process) -> None:
        process.send(f"{self.word}newgame")
        process.send("isready")
        self._await(process, "readyok")

    def _write_move(self, text: str) -> str:
        """A move as the program reads it."""
        return text

    def _think(self, process: Process, node: Node, limit: Limit, lines: int, stop: Flag, began: float) -> Analysis:
        if lines > 1:
            process.send(f"setoption name MultiPV value {lines}")
        line = Line.of(node)
        process.send(f"position {replace(line, moves=tuple(map(self._write_move, line.moves)))}")
        process.send(write_go(limit))
        deadline = None if limit.seconds is None else began + limit.seconds + self._patience
        infos: dict[int, str] = {}
        errors: list[str] = []
        stopping = False
        while True:
            if stop.is_set() and not stopping:
                process.send("stop")
                stopping, deadline = True, time.monotonic() + self._patience
            said = process.read(GLANCE)
            if said is None:
                if deadline is not None and time.monotonic() > deadline:
                    raise process.late()
            elif said.startswith("info ") and " pv " in said:
                infos[int(info_number(said, "multipv") or 1)] = said
            elif said.startswith(ERROR):
                errors.append(said.removeprefix(ERROR).strip())
            elif said.startswith("bestmove"):
                break
        if lines > 1:
            process.send("setoption name MultiPV value 1")
        position = node.position
        words = said.split()
        if words[1:2] == ["(none)"] and errors:
            why = shorten(errors[-1], 200)
            raise EngineError(Text(f"«{process.name}» não joga: {why}", f"“{process.name}” does not play: {why}"))
        best = _parse(process, position, [*words, ""][1])
        found = [each for _, info in sorted(infos.items()) if (each := read_info(info, position)) is not None]
        first = next((each for each in found if each.moves[0] == best), ScoredLine(Score.estimate(0, 0.5), (best,)))
        others = {each.moves[0]: each for each in found if each.moves[0] != best}
        last = infos.get(1, "")
        return Analysis(
            (first, *others.values())[:lines],
            int(info_number(last, "depth") or 0),
            int(info_number(last, "nodes") or 0),
            time.monotonic() - began,
            False,
        )


class UciEngine(UgiEngine):
    """A chess program, for the games that such programs know. Moves are written bare, as `d4c5`."""

    word = "uci"

    def _write_move(self, text: str) -> str:
        return re.sub("[-x]", "", text).lower()


def _parse(process: Process, position: Position, text: str) -> Move:
    try:
        return position.parse_move(text)
    except TabuleiroError as error:
        raise EngineError(
            Text(f"«{process.name}» quis jogar: {error.text.pt}", f"“{process.name}” wanted to play: {error.text.en}")
        ) from error


# ----------------------------------------------------------------------------------------------------------------- GTP


class GtpEngine(ProgramEngine):
    """A Hex program that speaks the Go Text Protocol. Options are commands with their arguments. While a game goes on,
    the program is told no more than what is new, so that it can build on what it thought before."""

    #: The size of the board and the moves that stand on the program's board, as they were told.
    _told: tuple[str, tuple[str, ...]] | None = None

    def _greet(self, process: Process) -> None:
        self._told = None
        self._ask(process, "name")
        for name, value in self._options.items():
            self._ask(process, f"{name} {value}")

    def _new_game(self, process: Process) -> None:
        self._told = None
        self._ask(process, "clear_board")

    def _think(self, process: Process, node: Node, limit: Limit, lines: int, stop: Flag, began: float) -> Analysis:
        start = node.path()[0].position
        if start.id != "hex" or start != type(start).start(start.options):
            raise EngineError(
                Text("por GTP só se joga Hex, desde o princípio", "GTP is for Hex, from the beginning of the game")
            )
        size = start.options.items()["size"]
        moves = tuple(_gtp_move(before.position, step.move_text) for before, step in pairwise(node.path()))
        known, there = self._told or ("", ())
        self._told = None
        if known != size or moves[: len(there)] != there:
            self._ask(process, f"boardsize {size}")
            self._ask(process, "clear_board")
            there = ()
        for move in moves[len(there) :]:
            self._ask(process, f"play {move}")
        if limit.seconds is not None:
            # Some programs do not know this command, and are told how long to think by one of their own, as an option.
            with contextlib.suppress(EngineError):
                self._ask(process, f"time_settings 0 {max(1, round(limit.seconds))} 1")
        wait = self._patience + (limit.seconds or 0)
        text = self._ask(process, f"genmove {node.position.colour(node.position.turn)}", wait)
        best = _parse(process, node.position, "swap" if text.startswith("swap") else text)
        # The program has made its move on its own board.
        self._told = size, (*moves, _gtp_move(node.position, node.position.move_str(best)))
        return Analysis((ScoredLine(Score.estimate(0, 0.5), (best,)),), 0, 0, time.monotonic() - began, False)

    def _ask(self, process: Process, command: str, wait: float | None = None) -> str:
        """The answer to a command, without the mark before it."""
        process.send(command)
        deadline = time.monotonic() + (self._patience if wait is None else wait)
        answer: list[str] = []
        while (line := process.read(max(deadline - time.monotonic(), 0))) is not None:
            if line:
                answer.append(line)
            elif answer:
                break
        if line is None:
            raise process.late()
        if not answer[0].startswith("="):
            said = shorten(answer[0], 100)
            raise EngineError(Text(f"«{process.name}» respondeu {said}", f"“{process.name}” answered {said}"))
        return " ".join(answer).lstrip("=0123456789 ").strip()


def _gtp_move(position: Position, move: str) -> str:
    """A move as it is told: who makes it, and where."""
    return f"{position.colour(position.turn)} {'swap-sides' if move == 'swap' else move}"
