"""Levels 1 to 10: engines for people, each somewhat stronger than the one before.

A weak level sees less far, is careless among the moves that look good to it, and now and then overlooks what is one
move away. It never plays at random beside deep thought: what it does wrong can be understood. Level 10 is the strongest
engine there is.

    >>> from tabuleiro import get
    >>> from tabuleiro.search import Limit, level_engine
    >>> position = get("avanco").from_str("7/3w3/7/7/bbb4/w6/7 w")
    >>> position.move_str(level_engine("avanco", 5, seed=1).play(position, Limit()))
    'd6-d7'

How far and how carelessly each level plays stands in `levels.json`, a table a game, made and checked by matches
(`tabuleiro rate`).
"""

import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tabuleiro.language import Text
from tabuleiro.record import Node
from tabuleiro.search.base import Analysis, Engine, EngineError, Flag, Limit, Listener, Score, ScoredLine, Worth
from tabuleiro.search.mcts import MctsEngine
from tabuleiro.search.native import AlphaBetaEngine
from tabuleiro.search.reference import ReferenceEngine

TOP = 10

#: How long the strongest engine thinks when nobody says.
USUAL_LIMIT = Limit(seconds=1.0)
#: No lower level looks at more positions than this for a move.
MOST_NODES = 200_000

#: The memory of the tree that a lower level grows, in MiB.
TREE = 8

#: A proven result, in the unit of temperatures: no estimate comes near it, and a careless level may still overlook it.
PROVEN = 8.0


def _alpha_beta(threads: int, table: int) -> Engine:
    return AlphaBetaEngine(threads=threads, table=table)


def _knowing_endings(threads: int, table: int) -> Engine:
    from tabuleiro.solve.ouri import endings_for

    return AlphaBetaEngine(threads=threads, table=table, tables=endings_for)


def _tree(threads: int, table: int) -> Engine:
    return MctsEngine(threads=threads, memory=table)


#: Which engine serves a game at level 10. A game that is not here has no kernel and is played by the plain search.
STRONGEST: dict[str, Callable[[int, int], Engine]] = {
    "avanco": _alpha_beta,
    "rastros": _alpha_beta,
    "hex": _tree,
    "semaforo": _alpha_beta,
    "ouri": _knowing_endings,
    "konane": _alpha_beta,
    "guerreiros": _alpha_beta,
    "abalone": _alpha_beta,
}


def strongest_engine(game: str, *, threads: int = 1, table: int = 64) -> Engine:
    """The strongest engine there is for a game. Without a limit it takes its usual time."""
    # Solvers stand on the searches, and this engine on both.
    from tabuleiro.solve.engine import SolvingEngine

    return SolvingEngine(_WithUsualLimit(STRONGEST[game](threads, table) if game in STRONGEST else ReferenceEngine()))


@dataclass(frozen=True)
class Level:
    """How a level below the top plays."""

    #: Plies it looks ahead; 0 for a level that grows a tree instead.
    depth: int
    #: Among how many of the best moves it chooses.
    choices: int
    #: How careless the choice is: a move whose odds of winning are worse by the factor e^temperature is taken e times
    #: less often. At 0 the best move is always played.
    temperature: float
    #: How often it is just as careless about a win or a loss that is one move away, instead of seeing it for certain.
    overlooks: float = 0.0
    #: Positions that it looks at for a move, at most.
    nodes: int = MOST_NODES
    #: Simulations of the tree search, for a level that grows a tree.
    simulations: int = 0


@cache
def levels_of(game: str) -> tuple[Level, ...]:
    """The levels of a game below the top, the weakest first."""
    tables = json.loads(resources.files(__package__).joinpath("levels.json").read_text("utf-8"))
    return tuple(Level(**row) for row in tables.get(game, tables["other"]))


def check_level(level: int) -> None:
    if not 1 <= level <= TOP:
        raise EngineError(Text(f"o nível vai de 1 a {TOP}", f"the level goes from 1 to {TOP}"))


def level_engine(game: str, level: int, seed: int = 0, *, threads: int = 1, table: int = 64) -> Engine:
    """The engine of a level. Levels below the top stop by themselves, and play the same for the same seed."""
    check_level(level)
    if level == TOP:
        return strongest_engine(game, threads=threads, table=table)
    return LevelEngine(game, levels_of(game)[level - 1], seed)


class LevelEngine(Engine):
    """Looks a little ahead, and chooses among the moves that look best to it."""

    def __init__(self, game: str, level: Level, seed: int) -> None:
        super().__init__()
        self.level = level
        #: What happens by chance depends on this, the position and the number of moves made, and nothing else.
        self.seed = seed
        self._searcher: Engine = ReferenceEngine()
        if game in STRONGEST:
            self._searcher = MctsEngine(memory=TREE) if level.simulations else AlphaBetaEngine(table=1)

    def forget(self) -> None:
        self._searcher.forget()

    def new_stop_flag(self) -> Flag:
        return self._searcher.new_stop_flag()

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        chance = random.Random(f"{self.seed} {node.ply} {node.position.hash64()}")
        if self.level.simulations:
            self._searcher = MctsEngine(memory=TREE, seed=chance.getrandbits(32))
        # What a level remembers of other positions must not make it see further.
        self._searcher.forget()
        nodes = self.level.simulations or self.level.nodes
        own = Limit(
            seconds=limit.seconds,
            nodes=min(limit.nodes or nodes, nodes),
            depth=min(limit.depth or self.level.depth, self.level.depth) or None,
        )
        found = self._searcher.search(node, own, max(lines, self.level.choices), stop, lambda _: None)
        first = self._choose(node, found.lines[: self.level.choices], chance)
        others = tuple(line for line in found.lines if line is not first)
        return Analysis((first, *others)[:lines], found.depth, found.nodes, found.seconds, found.exact)

    def _choose(self, node: Node, lines: Sequence[ScoredLine], chance: random.Random) -> ScoredLine:
        """The line that is played, of several, the best first."""
        attentive = chance.random() >= self.level.overlooks
        if attentive:
            if lines[0].score == Score.win(1):
                return lines[0]
            lines = [line for line in lines if line.score > Score.loss(2)] or lines
        chosen = self._draw(lines, chance)
        while attentive and self.level.depth == 1 and len(lines) > 1 and self._loses_at_once(node, chosen):
            lines = [line for line in lines if line is not chosen]
            chosen = self._draw(lines, chance)
        return chosen

    def _loses_at_once(self, node: Node, line: ScoredLine) -> bool:
        """Whether the opponent can answer with a win. Whoever looks one ply ahead has not seen that yet."""
        after = node.position.play(line.moves[0])
        if after.outcome() is not None or after.turn is node.position.turn:
            return False
        return self._searcher.analyse(after, Limit(depth=1)).score == Score.win(1)

    def _draw(self, lines: Sequence[ScoredLine], chance: random.Random) -> ScoredLine:
        if self.level.temperature == 0:
            return lines[0]
        odds = [self._odds(line.score) / self.level.temperature for line in lines]
        return chance.choices(lines, [math.exp(each - max(odds)) for each in odds])[0]

    def _odds(self, score: Score) -> float:
        """The logarithm of the odds of winning."""
        if score.worth is Worth.WIN:
            return PROVEN
        if score.worth is Worth.LOSS:
            # Whoever must lose holds out.
            return -PROVEN + 0.05 * min(score.plies or 0, 20)
        chance = min(max(score.chance, 0.001), 0.999)
        return math.log(chance / (1 - chance))


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
        if limit == Limit():
            limit = USUAL_LIMIT
        return self._engine.search(node, limit, lines, stop, listener)
