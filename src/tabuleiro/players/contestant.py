"""Who plays in a match: an engine with its limit."""

import time

from tabuleiro.core import Move, Position
from tabuleiro.players.registry import EngineName, make_engine, parse_name
from tabuleiro.record import Game
from tabuleiro.search.base import Limit

#: The table of an engine in a match, in MiB: many may run at once.
TABLE = 16


class Contestant:
    """An engine with its limit, ready for many games of one kind."""

    def __init__(self, name: EngineName | str, start: Position, limit: Limit) -> None:
        """`limit` is for a name that says none, unless the engine stops by itself."""
        parsed = parse_name(name) if isinstance(name, str) else name
        self.name = parsed.text
        self.engine = make_engine(parsed, start.id, table=TABLE)
        self.limit = parsed.limit or (Limit() if self.engine.stops_by_itself else limit)

    def begin(self, seed: int) -> None:
        """Another game begins."""
        self.engine.begin(seed)

    def choose(self, game: Game) -> tuple[Move, float]:
        """The move, and the seconds it took."""
        began = time.perf_counter()
        move = self.engine.play(game, self.limit)
        return move, time.perf_counter() - began

    def close(self) -> None:
        self.engine.close()
