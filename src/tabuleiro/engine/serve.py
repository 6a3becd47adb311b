"""An engine at the other end of a pipe: the Universal Game Interface on two streams."""

import re
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TextIO

import tabuleiro
from tabuleiro.core import Options, Position, TabuleiroError, option_values, shorten
from tabuleiro.language import Text
from tabuleiro.players import KINDS, TOP, make_engine, parse_name
from tabuleiro.players.kinds import Argument
from tabuleiro.programs.protocol import (
    Go,
    Hello,
    IsReady,
    Message,
    NewGame,
    ProtocolError,
    Query,
    Quit,
    SetOption,
    SetPosition,
    Stop,
    answer,
    error_line,
    info_lines,
    parse,
)
from tabuleiro.record import GAME_OVER, Game, Line
from tabuleiro.search import Engine, EngineError, Running, ScoredLine

#: The engine's own options: their ranges. Names are as chess programs know them.
NUMBERS = {"Level": range(1, TOP + 1), "Threads": range(1, 513), "Hash": range(1, 65537), "MultiPV": range(1, 201)}
#: Characters: a longer line is no message.
MAX_LINE = 1_000_000


class UgiServer:
    """Answers messages. `take` returns False when it is time to go."""

    def __init__(
        self, game: type[Position], options: Options, level: int, threads: int, say: Callable[[str], None]
    ) -> None:
        self._game = game
        self._options = options
        self._numbers = {"Level": level, "Threads": threads, "Hash": 64, "MultiPV": 1}
        self._engine_name = f"level:{level}"
        self._lock = threading.Lock()
        self._say_line = say
        self._line = Game(game.start(options))
        self._engine: Engine | None = None
        self._running: Running | None = None
        self._stopped = threading.Event()
        self._reporter: threading.Thread | None = None
        #: Whether a search runs whose `bestmove` has not been said. Becomes False under the lock, right before it is:
        #: who reads a `bestmove` may send the next message at once.
        self._thinking = False
        #: The messages that were refused without which nobody knows what to search: `position`, or an option's name.
        self._refused: set[str] = set()

    def _say(self, *lines: str) -> None:
        with self._lock:
            for line in lines:
                self._say_line(line)

    def take(self, line: str) -> bool:
        """Do what a line says; what is wrong with it is said, and everything stays as it was. But after a position, a
        new game or an option of the game that was refused nothing is searched until one is accepted."""
        message: Message | None = None
        try:
            message = parse(line)
            if isinstance(message, Quit):
                return False
            self._do(message)
        except TabuleiroError as error:
            if isinstance(message, NewGame) or line.split()[:1] == ["position"]:
                self._refused.add("position")
            elif isinstance(message, SetOption) and message.name in self._options.items():
                self._refused.add(message.name)
            self._say(error_line(error))
        return True

    def close(self) -> None:
        """End whatever runs."""
        self._stop()
        if self._reporter is not None:
            self._reporter.join()

    def _do(self, message: Message) -> None:
        match message:
            case Hello():
                self._say(*self._greeting())
            case IsReady():
                self._say("readyok")
            case Query(about):
                self._require_position()
                self._say(answer(about, self._line.position.turn, self._line.outcome))
            case Stop():
                self._stop()
            case SetOption(name, value):
                self._require_idle()
                self._set_option(name, value)
            case NewGame():
                self._require_idle()
                self._line = Game(self._game.start(self._options))
                self._refused.discard("position")
                if self._engine is not None:
                    self._engine.forget()
            case SetPosition(start, moves):
                self._require_idle()
                self._line = Line.from_texts(self._game.id, self._options.changed(), start, moves).replay()
                self._refused.discard("position")
            case Go():
                self._require_idle()
                self._go(message)
            case Quit():
                pass

    # -- options ----------------------------------------------------------------------------------------------------

    def _greeting(self) -> Iterable[str]:
        yield f"id name Tabuleiro {tabuleiro.__version__} {self._game.id}"
        yield "id author Tabuleiro"
        for name, numbers in NUMBERS.items():
            yield (f"option name {name} type spin default {self._numbers[name]} min {numbers[0]} max {numbers[-1]}")
        yield f"option name Engine type string default {self._engine_name}"
        for name, value in self._options.items().items():
            values = option_values(self._options.__dataclass_fields__[name])
            yield f"option name {name} type combo default {value} var {' var '.join(values)}"
        yield "ugiok"

    def _set_option(self, name: str, value: str) -> None:
        if name in NUMBERS:
            numbers = NUMBERS[name]
            if not re.fullmatch("[0-9]{1,9}", value) or int(value) not in numbers:
                raise ProtocolError(
                    Text(
                        f"{name} vai de {numbers[0]} a {numbers[-1]}", f"{name} goes from {numbers[0]} to {numbers[-1]}"
                    )
                )
            self._numbers[name] = int(value)
            if name == "Level":
                self._engine_name = f"level:{value}"
        elif name == "Engine":
            self._engine_name = _own_engine(value)
        elif name in self._options.items():
            self._options = type(self._options).parse({**self._options.changed(), name: value})
            self._line = Game(self._game.start(self._options))
            self._refused -= {"position", name}
        else:
            raise ProtocolError(Text(f"não há opção «{shorten(name)}»", f"there is no option “{shorten(name)}”"))
        if name != "MultiPV":
            self._engine = None

    # -- thinking ---------------------------------------------------------------------------------------------------

    def _require_idle(self) -> None:
        if self._thinking:
            raise ProtocolError(Text("ainda estou a pensar", "still thinking; send stop first"))

    def _require_position(self) -> None:
        if self._refused:
            refused = ", ".join(sorted(self._refused))
            raise ProtocolError(
                Text(f"isto foi recusado e faz falta: {refused}", f"this was refused and is needed: {refused}")
            )

    def _go(self, go: Go) -> None:
        try:
            self._require_position()
            if self._line.outcome is not None:
                raise EngineError(GAME_OVER)
        except TabuleiroError as error:
            self._say(error_line(error), "bestmove (none)")
            return
        if self._engine is None:
            self._engine = make_engine(
                self._engine_name, self._game.id, threads=self._numbers["Threads"], table=self._numbers["Hash"]
            )
        self._stopped.clear()
        limit = go.limit(self._line.position.turn)
        self._running = self._engine.start(self._line, limit, lines=self._numbers["MultiPV"])
        self._thinking = True
        self._reporter = threading.Thread(target=self._report, args=(self._running, go.infinite), daemon=True)
        self._reporter.start()

    def _report(self, running: Running, infinite: bool) -> None:
        position = self._line.position
        try:
            said: tuple[ScoredLine, ...] = ()
            for analysis in running:
                if analysis.lines != said:
                    self._say(*info_lines(analysis, position))
                said = analysis.lines
            if infinite:  # an infinite search answers only when it is told to stop
                self._stopped.wait()
            answered = [f"bestmove {position.move_str(analysis.move)}"]
        except TabuleiroError as error:
            answered = [error_line(error), "bestmove (none)"]
        except BrokenPipeError:  # nobody reads any more: the end of the input will follow
            return
        except BaseException:
            self._thinking = False
            raise
        with self._lock, suppress(BrokenPipeError):
            self._thinking = False
            for line in answered:
                self._say_line(line)

    def _stop(self) -> None:
        self._stopped.set()
        if self._running is not None:
            self._running.stop()


def _own_engine(text: str) -> str:
    """The name of an engine of ours. Nobody runs programs on this machine by asking for them here."""
    name = parse_name(text)
    if KINDS[name.kind].argument is Argument.COMMAND:
        raise ProtocolError(
            Text("outros programas não se correm daqui", "other programs are not run from here"),
        )
    return name.text


def serve_ugi(game: type[Position], options: Options, level: int, threads: int, given: TextIO, taken: TextIO) -> None:
    """Read messages until `quit` or the end, and answer each."""

    def say(line: str) -> None:
        taken.write(line + "\n")
        taken.flush()

    server = UgiServer(game, options, level, threads, say)
    try:
        while line := given.readline(MAX_LINE):
            if not server.take(line):
                break
    finally:
        server.close()
