"""Levels below the top that choose by a net, on the boards that one serves.

A net says of every move how likely a strong player is to make it. Who takes the likeliest is strong without thinking;
who draws among them plays the more like a beginner, the flatter the chances are made, and seldom as nobody would. Where
no net serves the board, or nets do not run, the level plays as it does in games without nets.
"""

import json
import random
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tabuleiro import _native
from tabuleiro.players.nets import NET, has_net
from tabuleiro.players.searches import ALPHABETA
from tabuleiro.record import Node
from tabuleiro.search.base import Analysis, Engine, Flag, Limit, Listener, Score, ScoredLine
from tabuleiro.solve.base import SearchBudget


@dataclass(frozen=True)
class NetLevel:
    #: Positions that the net judges for a move.
    nodes: int = 1
    #: How flat the choice among the net's moves is: their chances are raised to 1 / temperature. At 0 the best is
    #: played.
    temperature: float = 0.0
    #: How often it overlooks a win or a loss that is one move away.
    overlooks: float = 0.0


@cache
def net_levels_of(game: str) -> tuple[NetLevel, ...]:
    """The levels of a game below the top that a net plays, the weakest first; none where it has no net."""
    tables = json.loads(resources.files(__package__).joinpath("net_levels.json").read_text("utf-8"))
    return tuple(NetLevel(**row) for row in tables.get(game, ()))


def loses_at_once(searcher: Engine, node: Node, line: ScoredLine, budget: SearchBudget) -> bool:
    """Whether the opponent can answer with a win, which a searcher that looks one ply ahead sees; False where the
    budget is spent."""
    after = node.position.play(line.moves[0])
    if budget.spent or after.outcome() is not None or after.turn is node.position.turn:
        return False
    return budget.ask(searcher, Node(after).seen_by(after.turn), depth=1).score == Score.win(1)


class NetLevelEngine(Engine):
    stops_by_itself = True

    def __init__(self, game: str, level: NetLevel, otherwise: Engine) -> None:
        super().__init__()
        self._level = level
        self._otherwise = otherwise
        self._net = NET.new(game, memory=1)
        self._eye = ALPHABETA.new(game, table=1)
        self._seed = 0

    def begin(self, seed: int) -> None:
        self._seed = seed
        self._otherwise.begin(seed)

    def forget(self) -> None:
        self._otherwise.forget()

    def new_stop_flag(self) -> Flag:
        return _native.StopFlag()

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        if not has_net(node.position):
            return self._otherwise.search(node, limit, lines, stop, listener)
        chance = random.Random(f"{self._seed} {node.ply} {node.position.hash64()}")
        budget = SearchBudget(limit, stop)
        attentive = chance.random() >= self._level.overlooks
        if attentive and (seen := budget.ask(self._eye, node, depth=1)).score == Score.win(1):
            return seen
        self._net.forget()
        rest = budget.left()
        own = Limit(rest.seconds, min(rest.nodes or self._level.nodes, self._level.nodes))
        found = self._net.search(node, own, lines, stop, lambda _: None)
        budget.nodes += found.nodes
        if self._level.temperature == 0:
            return found
        left = {
            ScoredLine(found.score, (seen.move,)): seen.prior ** (1 / self._level.temperature) for seen in found.root
        }
        chosen = _draw(left, chance)
        while attentive and len(left) > 1 and loses_at_once(self._eye, node, chosen, budget):
            del left[chosen]
            chosen = _draw(left, chance)
        others = tuple(line for line in found.lines if line.moves[0] != chosen.moves[0])
        return Analysis((chosen, *others)[:lines], found.depth, found.nodes, found.seconds, exact=False)


def _draw(lines: dict[ScoredLine, float], chance: random.Random) -> ScoredLine:
    return chance.choices([*lines], [*lines.values()])[0]
