"""The strongest engine there is for a game: its solver first, then the search that proved best for it, with a net where
one serves the board and nets run."""

from tabuleiro.players.kinds import EngineKind
from tabuleiro.players.nets import with_net
from tabuleiro.players.searches import ALPHABETA, MCTS, REFERENCE
from tabuleiro.record import Node
from tabuleiro.search.base import Analysis, Engine, Flag, Limit, Listener
from tabuleiro.solve.engine import SolvingEngine

#: How long the strongest engine thinks when nobody says.
USUAL_LIMIT = Limit(seconds=1.0)

#: Which search serves a game at level 10. A game that is not here has no kernel and is played by the plain search.
STRONGEST: dict[str, EngineKind] = {
    "avanco": ALPHABETA,
    "rastros": ALPHABETA,
    "hex": MCTS,
    "semaforo": ALPHABETA,
    "ouri": ALPHABETA,
    "konane": ALPHABETA,
    "guerreiros": ALPHABETA,
    "abalone": ALPHABETA,
}


def strongest_engine(game: str, *, threads: int, table: int) -> Engine:
    """Without a limit it takes its usual time. `table` is the memory of the search in MiB."""
    kind = STRONGEST.get(game, REFERENCE)
    settings = {"threads": threads, "table": table, "memory": table, "tables": True, "nnue": True}
    search = kind.new(game, **{name: value for name, value in settings.items() if name in kind.settings})
    return SolvingEngine(_WithUsualLimit(with_net(search, game, threads=threads, memory=table)))


class _WithUsualLimit(Engine):
    """An engine that takes its usual time when nobody sets a limit."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine

    def forget(self) -> None:
        self._engine.forget()

    def new_stop_flag(self) -> Flag:
        return self._engine.new_stop_flag()

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        return self._engine.search(node, USUAL_LIMIT if limit == Limit() else limit, lines, stop, listener)
