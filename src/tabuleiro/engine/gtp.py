"""Hex over the Go Text Protocol, as Hex programs use it (HTP): for HexGui and its like.

Cells have the names they have here. Black begins. The swap is `swap-sides`, which exchanges colours, or `swap-pieces`,
which leaves everybody his colour: the first stone changes its own and is reflected, and so is all that follows.
"""

import re
from collections.abc import Callable
from typing import TextIO

import tabuleiro
from tabuleiro import text
from tabuleiro.core import Position, TabuleiroError, shorten
from tabuleiro.games import get
from tabuleiro.geometry import LETTERS
from tabuleiro.language import Text
from tabuleiro.players import make_engine
from tabuleiro.record import Game
from tabuleiro.search import Limit

COLOURS = {
    "b": "black",
    "black": "black",
    "w": "white",
    "white": "white",
    "r": "black",
    "red": "black",
    "blue": "white",
}
OTHER = {"black": "white", "white": "black"}
MAX_LINE = 100_000
#: When nobody sets the time.
USUAL_SECONDS = 1.0


class GtpError(TabuleiroError):
    """A command that cannot be done."""


def _refuse(pt: str, en: str) -> GtpError:
    return GtpError(Text(pt, en))


class GtpServer:
    """Answers commands. `ended` is True after `quit`."""

    def __init__(self, level: int, threads: int) -> None:
        self.ended = False
        self._engine = make_engine(f"level:{level}", "hex", threads=threads)
        self._seconds = USUAL_SECONDS
        #: Whether the last `boardsize` was refused: nothing is played on a board that is not the one asked for.
        self._refused = False
        self._begin(11)
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Tabuleiro",
            "version": lambda _: tabuleiro.__version__,
            "known_command": lambda words: str(words[:1] != [] and words[0] in self._commands).lower(),
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": lambda _: self._begin(self._size),
            "play": self._on_board(self._play),
            "genmove": self._on_board(self._genmove),
            "undo": self._on_board(self._undo),
            "showboard": lambda _: "\n" + text.draw(self._game.position, plain=True, language="en"),
            "time_settings": self._time_settings,
            "time_left": self._time_left,
        }

    def take(self, line: str) -> str | None:
        """The answer to a line; None to one without a command."""
        line = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0]).strip()
        if not line:
            return None
        match = re.match(r"([0-9]{1,18})(?:\s+|$)", line)
        number = match[1] if match else ""
        words = line[match.end() if match else 0 :].split()
        try:
            if not words or words[0] not in self._commands:
                raise _refuse("comando desconhecido", "unknown command")
            return f"={number} {self._commands[words[0]](words[1:])}\n\n"
        except TabuleiroError as error:
            return f"?{number} {' '.join(error.text.en.split())}\n\n"

    # -- the game -----------------------------------------------------------------------------------------------------

    def _begin(self, size: int) -> str:
        kind = get("hex")
        self._game = Game(kind.start(kind.options_type.parse({"size": str(size), "first": "black"})))
        self._size = size
        self._reflected = self._refused = False
        self._engine.forget()
        return ""

    @property
    def _turn(self) -> str:
        """The colour to move, as the other side sees it."""
        position: Position = self._game.position
        colour = position.colour(position.turn) or "black"
        return OTHER[colour] if self._reflected else colour

    def _cell(self, cell: str) -> str:
        """A cell as the other side names it, or back."""
        match = re.fullmatch(r"([a-z])([1-9][0-9]?)", cell)
        if not self._reflected or match is None or int(match[2]) > len(LETTERS):
            return cell
        return f"{LETTERS[int(match[2]) - 1]}{LETTERS.index(match[1]) + 1}"

    def _quit(self, words: list[str]) -> str:
        self.ended = True
        return ""

    def _boardsize(self, words: list[str]) -> str:
        self._refused = True
        # Hex programs say it once for a square board, or for both sides.
        if len(set(words)) != 1 or not re.fullmatch("[0-9]{1,2}", words[0]):
            raise _refuse("tamanho inaceitável", "unacceptable size")
        return self._begin(int(words[0]))

    def _on_board(self, command: Callable[[list[str]], str]) -> Callable[[list[str]], str]:
        """A command that needs the board that was asked for."""

        def do(words: list[str]) -> str:
            if self._refused:
                raise _refuse(
                    "o tamanho do tabuleiro foi recusado", "the board size was refused; send boardsize or clear_board"
                )
            return command(words)

        return do

    def _colour(self, words: list[str]) -> str:
        if not words or words[0].lower() not in COLOURS:
            raise _refuse("que cor?", "which colour?")
        colour = COLOURS[words[0].lower()]
        if self._game.outcome is None and colour != self._turn:
            raise _refuse(f"quem joga é {self._turn}", f"{self._turn} is to move")
        return colour

    def _play(self, words: list[str]) -> str:
        self._colour(words)
        if len(words) != 2:
            raise _refuse("escreve play COR JOGADA", "write play COLOUR MOVE")
        move = words[1].lower()
        if move == "resign" and self._game.outcome is None:
            self._game.end(self._game.position.turn.other, "resignation")
        elif move in ("swap", "swap-pieces", "swap-sides"):
            self._game.play("swap")
            self._reflected = move != "swap-sides"
        else:
            self._game.play(self._cell(move))
        return ""

    def _genmove(self, words: list[str]) -> str:
        self._colour(words)
        position = self._game.position
        move = position.move_str(self._engine.play(self._game, Limit(seconds=self._seconds)))
        said = "swap-pieces" if move == "swap" else self._cell(move)
        self._game.play(move)
        self._reflected = self._reflected or move == "swap"
        return said

    def _undo(self, words: list[str]) -> str:
        self._game.undo()
        if self._game.last.ply < 2:
            self._reflected = False
        return ""

    # -- time ---------------------------------------------------------------------------------------------------------

    def _time_settings(self, words: list[str]) -> str:
        """Main time, time of a period and its stones: a period's share, or else a thirtieth of the main time."""
        main, period, stones = _whole_numbers(words, 3)
        if period and stones:
            self._seconds = period / stones
        elif main:
            self._seconds = main / 30
        return ""

    def _time_left(self, words: list[str]) -> str:
        if not words or words[0].lower() not in COLOURS:
            raise _refuse("que cor?", "which colour?")
        left, stones = _whole_numbers(words[1:], 2)
        if COLOURS[words[0].lower()] == self._turn:
            self._seconds = max(left / (stones or 30), 0.05)
        return ""


def _whole_numbers(words: list[str], count: int) -> list[int]:
    if len(words) != count or not all(re.fullmatch("[0-9]{1,7}", word) for word in words):
        shown = shorten(" ".join(words))
        raise _refuse(f"«{shown}» não são {count} números", f"“{shown}” is not {count} numbers")
    return [int(word) for word in words]


def serve_gtp(level: int, threads: int, given: TextIO, taken: TextIO) -> None:
    """Read commands until `quit` or the end, and answer each."""
    server = GtpServer(level, threads)
    while not server.ended and (line := given.readline(MAX_LINE)):
        if (said := server.take(line)) is not None:
            taken.write(said)
            taken.flush()
