"""The messages of the Universal Game Interface, without input or output. docs/protocol.md describes them.

>>> parse("position startpos moves d2-d3 d6-d5")
SetPosition(start=None, moves=('d2-d3', 'd6-d5'))
>>> parse("go p1time 60000 p2time 45000").seconds(Player.TWO)
1.5
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tabuleiro.core import Move, Outcome, Player, Position, TabuleiroError, shorten
from tabuleiro.language import Text
from tabuleiro.record import LINE_FORM, Line, RecordError, write_moves
from tabuleiro.search.base import Analysis, Limit, Score, ScoredLine, Worth

#: Milliseconds, nodes and depths are numbers up to this.
LARGEST = 10**15
#: How many more moves of a player a game is expected to last, when a clock says how long for all of them.
MOVES_TO_GO = 30
#: Longer than anybody waits.
FOREVER = Limit(seconds=10**9)
#: The share of the increment that is spent at once.
INCREMENT_SHARE = 0.8


class ProtocolError(TabuleiroError):
    """A line that is no message, or one that does not fit the moment."""


# ---------------------------------------------------------------------------------------------------- what we are told


@dataclass(frozen=True)
class Hello:
    """`ugi`"""


@dataclass(frozen=True)
class IsReady:
    """`isready`"""


@dataclass(frozen=True)
class SetOption:
    """`setoption name N value V`"""

    name: str
    value: str


@dataclass(frozen=True)
class NewGame:
    """`uginewgame`"""


@dataclass(frozen=True)
class SetPosition:
    """`position startpos|fen P [moves M …]`"""

    #: A position string, or None for the start of the game.
    start: str | None
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Query:
    """`query gameover|p1turn|result`"""

    about: str


@dataclass(frozen=True)
class Go:
    """`go` with any of `movetime` `nodes` `depth` `p1time` `p2time` `p1inc` `p2inc` N, or `infinite`"""

    numbers: dict[str, int]
    infinite: bool = False

    def seconds(self, player: Player) -> float | None:
        """How long to think, by the clock or as told; None without a limit of time."""
        if "movetime" in self.numbers:
            return max(self.numbers["movetime"], 1) / 1000
        if (left := self.numbers.get(f"p{player}time")) is None:
            return None
        share = left / MOVES_TO_GO + INCREMENT_SHARE * self.numbers.get(f"p{player}inc", 0)
        return max(min(share, left / 2), 1) / 1000

    def limit(self, player: Player) -> Limit:
        if self.infinite:
            return FOREVER
        return Limit(self.seconds(player), self.numbers.get("nodes"), self.numbers.get("depth"))


@dataclass(frozen=True)
class Stop:
    """`stop`"""


@dataclass(frozen=True)
class Quit:
    """`quit`"""


Message = Hello | IsReady | SetOption | NewGame | SetPosition | Query | Go | Stop | Quit

_BARE: dict[str, Message] = {
    "ugi": Hello(),
    "isready": IsReady(),
    "uginewgame": NewGame(),
    "stop": Stop(),
    "quit": Quit(),
}
_NUMBERS = ("movetime", "nodes", "depth", "p1time", "p2time", "p1inc", "p2inc")
_QUESTIONS = ("gameover", "p1turn", "result")


def parse(line: str) -> Message:
    """The message that a line is. Raises `ProtocolError` for anything else."""
    words = line.split()
    if not words:
        raise _error("linha vazia", "empty line")
    head, rest = words[0], words[1:]
    if head in _BARE:
        if rest:
            raise _error(f"«{head}» não leva mais nada", f"“{head}” takes nothing more")
        return _BARE[head]
    if head == "setoption":
        return _set_option(rest)
    if head == "position":
        return _set_position(rest)
    if head == "query":
        if len(rest) != 1 or rest[0] not in _QUESTIONS:
            raise _error(f"«query» é sobre {', '.join(_QUESTIONS)}", f"“query” is about {', '.join(_QUESTIONS)}")
        return Query(rest[0])
    if head == "go":
        return _go(rest)
    raise _error(f"não percebo «{shorten(head)}»", f"“{shorten(head)}” means nothing")


def _error(pt: str, en: str) -> ProtocolError:
    return ProtocolError(Text(pt, en))


def _set_option(words: list[str]) -> SetOption:
    match = re.fullmatch(r"name (.+?) value (.+)", " ".join(words))
    if match is None:
        raise _error("escreve setoption name N value V", "write setoption name N value V")
    return SetOption(match[1], match[2])


def _set_position(words: list[str]) -> SetPosition:
    try:
        return SetPosition(*Line.split(" ".join(words)))
    except RecordError as error:
        raise _error(f"escreve position {LINE_FORM}", f"write position {LINE_FORM}") from error


def _go(words: list[str]) -> Go:
    numbers: dict[str, int] = {}
    infinite = False
    waiting = iter(words)
    for word in waiting:
        if word == "infinite":
            infinite = True
            continue
        value = next(waiting, "")
        if word not in _NUMBERS:
            raise _error(f"«go» não tem «{shorten(word)}»", f"“go” has no “{shorten(word)}”")
        if not re.fullmatch(r"-?[0-9]{1,16}", value) or int(value) > LARGEST:
            raise _error(f"«{word}» pede um número", f"“{word}” needs a number")
        # Clocks may be overdrawn; everything else counts from one.
        numbers[word] = max(int(value), 0 if word.startswith("p") else 1)
    return Go(numbers, infinite or not numbers)


# --------------------------------------------------------------------------------------------------------- what we say


def error_line(error: TabuleiroError) -> str:
    return f"info string error: {' '.join(error.text.en.split())}"


def answer(about: str, turn: Player, outcome: Outcome | None) -> str:
    """The answer to a query."""
    if about == "gameover":
        return f"response {str(outcome is not None).lower()}"
    if about == "p1turn":
        return f"response {str(turn is Player.ONE).lower()}"
    if outcome is None:
        return "response none"
    return "response draw" if outcome.winner is None else f"response p{outcome.winner}win"


def info_lines(analysis: Analysis, position: Position) -> Iterable[str]:
    """What an engine has found, a line for each line of play."""
    milliseconds = round(analysis.seconds * 1000)
    speed = round(analysis.nodes / max(analysis.seconds, 0.001))
    for number, line in enumerate(analysis.lines, start=1):
        yield (
            f"info depth {analysis.depth} multipv {number} score {score_words(line.score)} nodes {analysis.nodes} "
            f"nps {speed} time {milliseconds} pv {' '.join(write_moves(position, line.moves))}"
        )


def score_words(score: Score) -> str:
    """`cp` points or `mate` moves as in UCI, and the chances to win, draw and lose in thousandths."""
    if score.worth is None:
        win = round(1000 * score.chance)
        return f"cp {score.points} wdl {win} 0 {1000 - win}"
    if score.worth is Worth.DRAW:
        return "cp 0 wdl 0 1000 0"
    wins = score.worth is Worth.WIN
    chances = "1000 0 0" if wins else "0 0 1000"
    if score.plies is None:
        return f"cp {30000 if wins else -30000} wdl {chances}"
    moves = (score.plies + 1) // 2
    return f"mate {moves if wins else -moves} wdl {chances}"


# ------------------------------------------------------------------------------------ what we ask of others, and hear


def write_go(limit: Limit) -> str:
    """The `go` that asks for a search with a limit."""
    words = ["go"]
    if limit.seconds is not None:
        words.append(f"movetime {max(1, round(limit.seconds * 1000))}")
    if limit.nodes is not None:
        words.append(f"nodes {limit.nodes}")
    if limit.depth is not None:
        words.append(f"depth {limit.depth}")
    return " ".join(words if len(words) > 1 else ["go", "infinite"])


def info_number(info: str, word: str) -> str | None:
    """The number after a word of an `info` line."""
    match = re.search(rf" {word} (-?[0-9]{{1,18}})\b", info)
    return match[1] if match else None


def read_info(info: str, position: Position) -> ScoredLine | None:
    """What an `info` line says, as far as its moves are legal."""
    moves: list[Move] = []
    for text in info.partition(" pv ")[2].split():
        try:
            move = position.parse_move(text)
            position = position.play(move)
        except TabuleiroError:
            break
        moves.append(move)
    return ScoredLine(_read_score(info), tuple(moves)) if moves else None


def _read_score(info: str) -> Score:
    if (mate := info_number(info, "score mate")) is not None:
        return Score.win(2 * int(mate) - 1) if int(mate) > 0 else Score.loss(-2 * int(mate))
    points = int(info_number(info, "score cp") or 0)
    return Score.estimate(points, 1 / (1 + 10 ** (-max(-4000, min(4000, points)) / 400)))
