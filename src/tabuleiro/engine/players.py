"""Players by name, as matches are asked for: `level:3`, `alphabeta:time=0.1`, `mcts`, `uct`, `random`, `uci:…`.

A name is a kind and, after a colon, its settings (`name=value`, commas between) or, for other programs, the command
that runs them; their settings then stand in brackets before the colon: `uci[time=0.1,Hash=64]:fairy-stockfish`.
"""

import random
import re
import shlex
import time
from dataclasses import dataclass, field
from pathlib import Path

from tabuleiro.core import Move, Position, TabuleiroError, shorten
from tabuleiro.engine.client import GtpEngine, ProgramEngine, UciEngine, UgiEngine
from tabuleiro.language import Text
from tabuleiro.record import Game, Node
from tabuleiro.search import AlphaBetaEngine, Analysis, Engine, Limit, MctsEngine, Score, ScoredLine, level_engine
from tabuleiro.search.base import Flag, Listener
from tabuleiro.search.levels import LevelEngine, check_level
from tabuleiro.search.mcts import TEXTBOOK
from tabuleiro.search.native import Weights

PROGRAMS: dict[str, type[ProgramEngine]] = {"ugi": UgiEngine, "uci": UciEngine, "gtp": GtpEngine}
#: The settings that each kind takes besides the limits; programs take any other as an option of their own.
OWN_SETTINGS = {
    "level": (),
    "alphabeta": ("threads", "table", "weights"),
    "mcts": ("threads", "memory"),
    "uct": ("threads", "memory"),
    "random": (),
}
LIMITS = ("time", "nodes", "depth")
#: The table of an engine in a match, in MiB: many may run at once.
TABLE = 16
#: The tree of one that remembers a tree.
TREE = 128

_NAME = re.compile(r"(?P<kind>[a-z]+)(?:\[(?P<settings>[^\]]*)\])?(?::(?P<rest>.*))?", re.DOTALL)


class PlayerError(TabuleiroError):
    """A name that no player has."""


class RandomEngine(Engine):
    """Plays any legal move; the same one for the same seed, position and number of moves made."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self.seed = seed

    def forget(self) -> None:
        pass

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        chance = random.Random(f"{self.seed} {node.ply} {node.position.hash64()}")
        moves = node.position.legal_moves()
        chosen = chance.sample(moves, min(lines, len(moves)))
        return Analysis(tuple(ScoredLine(Score.estimate(0, 0.5), (move,)) for move in chosen), 0, 0, 0.0, False)


@dataclass(frozen=True)
class PlayerName:
    """A player's name, taken apart."""

    text: str
    kind: str
    #: The level, or the command of a program.
    rest: str
    limit: Limit | None
    settings: dict[str, str] = field(default_factory=dict)


def parse_player(text: str) -> PlayerName:
    match = _NAME.fullmatch(text.strip())
    kind = match["kind"] if match else ""
    if match is None or kind not in (*OWN_SETTINGS, *PROGRAMS):
        known = ", ".join((*OWN_SETTINGS, *(f"{program}:…" for program in PROGRAMS)))
        raise PlayerError(
            Text(
                f"não há nenhum jogador «{shorten(text)}»; há: {known}",
                f"no player “{shorten(text)}”; there are: {known}",
            )
        )
    rest = (match["rest"] or "").strip()
    settings = _read_settings(text, match["settings"] or "")
    if kind not in PROGRAMS:
        if kind == "level":
            rest, _, more = rest.partition(",")
            check_level(int(rest) if re.fullmatch("[0-9]{1,3}", rest) else 0)
        else:
            rest, more = "", rest
        settings |= _read_settings(text, more)
        for name in settings:
            if name not in (*LIMITS, *OWN_SETTINGS[kind]):
                known = ", ".join((*LIMITS, *OWN_SETTINGS[kind]))
                raise PlayerError(
                    Text(
                        f"«{kind}» não tem «{shorten(name)}»; tem: {known}",
                        f"“{kind}” has no “{shorten(name)}”; it has: {known}",
                    )
                )
    elif not rest:
        raise PlayerError(Text(f"falta o comando depois de «{kind}:»", f"the command after “{kind}:” is missing"))
    return PlayerName(text.strip(), kind, rest, _take_limit(text, settings), settings)


def _read_settings(text: str, pairs: str) -> dict[str, str]:
    settings: dict[str, str] = {}
    for pair in filter(None, pairs.split(",")):
        name, equals, value = pair.partition("=")
        if not equals:
            raise PlayerError(
                Text(
                    f"em «{shorten(text)}», escreve nome=valor, não «{shorten(pair)}»",
                    f"in “{shorten(text)}”, write name=value, not “{shorten(pair)}”",
                )
            )
        settings[name.strip()] = value.strip()
    return settings


def _take_limit(text: str, settings: dict[str, str]) -> Limit | None:
    """The limit among the settings, which it leaves."""
    given = {name: settings.pop(name) for name in LIMITS if name in settings}
    if not given:
        return None
    return Limit(
        seconds=_number(text, given["time"]) if "time" in given else None,
        nodes=int(_number(text, given["nodes"])) if "nodes" in given else None,
        depth=int(_number(text, given["depth"])) if "depth" in given else None,
    )


def _number(text: str, value: str) -> float:
    if not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,9})?", value):
        raise PlayerError(
            Text(
                f"em «{shorten(text)}», «{shorten(value)}» não é um número",
                f"in “{shorten(text)}”, “{shorten(value)}” is no number",
            )
        )
    return float(value)


class Player:
    """An engine with its limit, ready for many games of one kind."""

    def __init__(self, name: PlayerName, start: Position, limit: Limit) -> None:
        self.name = name.text
        self.engine = _make_engine(name, start)
        # Levels below the top stop by themselves.
        own = Limit() if isinstance(self.engine, LevelEngine) else limit
        self.limit = name.limit or own

    def begin(self, seed: int) -> None:
        """Another game begins."""
        if isinstance(self.engine, LevelEngine | RandomEngine):
            self.engine.seed = seed
        self.engine.forget()

    def choose(self, game: Game) -> tuple[Move, float]:
        """The move, and the seconds it took."""
        began = time.perf_counter()
        move = self.engine.play(game, self.limit)
        return move, time.perf_counter() - began

    def close(self) -> None:
        if isinstance(self.engine, ProgramEngine):
            self.engine.close()


def _make_engine(name: PlayerName, start: Position) -> Engine:
    if name.kind == "random":
        return RandomEngine()
    if name.kind == "level":
        return level_engine(start.id, int(name.rest), table=TABLE)
    numbers = {
        key: int(_number(name.text, value))
        for key, value in name.settings.items()
        if name.kind not in PROGRAMS and key != "weights"
    }
    threads = numbers.get("threads", 1)
    if name.kind == "alphabeta":
        weights = _read_weights(name.settings["weights"]) if "weights" in name.settings else None
        return AlphaBetaEngine(threads=threads, table=numbers.get("table", TABLE), weights=weights)
    if name.kind == "mcts":
        return MctsEngine(threads=threads, memory=numbers.get("memory", TREE))
    if name.kind == "uct":
        return MctsEngine(threads=threads, memory=numbers.get("memory", TREE), style=TEXTBOOK, knowledge=False)
    try:
        command = shlex.split(name.rest)
    except ValueError as error:
        raise PlayerError(
            Text(
                f"não se entende o comando «{shorten(name.rest)}»", f"the command “{shorten(name.rest)}” means nothing"
            )
        ) from error
    return PROGRAMS[name.kind](command, name.settings)


def _read_weights(path: str) -> Weights:
    """Weights that somebody is trying out."""
    try:
        return Weights.parse(Path(path).read_text("utf-8"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise PlayerError(
            Text(f"«{shorten(path)}» não é um ficheiro de pesos", f"“{shorten(path)}” is not a file of weights")
        ) from error
