"""Levels 1 to 10: engines for people, each somewhat stronger than the one before.

A weak level sees less far, is careless among the moves that look good to it, and now and then overlooks what is one
move away; the weakest have no plan at all in some of their moves, as somebody who has just learnt the rules. None plays
at random beside deep thought: what it does wrong can be understood. Level 10 is the strongest engine there is.

    >>> from tabuleiro import get
    >>> from tabuleiro.players import level_engine
    >>> from tabuleiro.search import Limit
    >>> position = get("avanco").from_str("7/3w3/7/7/bbb4/w6/7 w")
    >>> position.move_str(level_engine("avanco", 5, seed=1).play(position, Limit()))
    'd6-c7'

How far and how carelessly each level plays stands in `levels.json`, a table a game, made and checked by matches
(`tabuleiro rate`).
"""

import json
import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from tabuleiro.core import Move
from tabuleiro.language import Text
from tabuleiro.players.kinds import Argument, EngineKind, Settings
from tabuleiro.players.net_levels import NetLevelEngine, loses_at_once, net_levels_of
from tabuleiro.players.searches import ALPHABETA, MCTS, REFERENCE, TABLE, THREADS
from tabuleiro.players.strongest import strongest_engine
from tabuleiro.record import Node
from tabuleiro.search.base import Analysis, Engine, EngineError, Flag, Limit, Listener, Score, ScoredLine, Worth
from tabuleiro.solve.base import SearchBudget

TOP = 10

#: No lower level looks at more positions than this for a move.
MOST_NODES = 200_000

#: The memory of the tree that a lower level grows, in MiB.
TREE = 8

#: A proven result, in the unit of temperatures: no estimate comes near it, and a careless level may still overlook it.
PROVEN = 8.0


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
    #: How often it has no plan and makes any move, seeing a win that is one move away and nothing else.
    wanders: float = 0.0
    #: Whether it judges by a net, as level 10 does, where the game has one that is kept up to date move by move.
    nnue: bool = False


@cache
def levels_of(game: str) -> tuple[Level, ...]:
    """The levels of a game below the top, the weakest first."""
    tables = json.loads(resources.files(__package__).joinpath("levels.json").read_text("utf-8"))
    return tuple(Level(**row) for row in tables.get(game, tables["other"]))


def check_level(level: int) -> None:
    if not 1 <= level <= TOP:
        raise EngineError(Text(f"o nível vai de 1 a {TOP}", f"the level goes from 1 to {TOP}"))


class LevelEngine(Engine):
    """Looks a little ahead, and chooses among the moves that look best to it."""

    stops_by_itself = True

    def __init__(self, game: str, level: Level, seed: int) -> None:
        super().__init__()
        self.level = level
        #: What happens by chance depends on this, the position and the number of moves made, and nothing else.
        self.seed = seed
        self._game = game
        self._searcher = self._new_searcher(0)

    def _new_searcher(self, seed: int) -> Engine:
        if not ALPHABETA.serves(self._game):
            return REFERENCE.new(self._game)
        if self.level.simulations:
            return MCTS.new(self._game, memory=TREE, seed=seed)
        return ALPHABETA.new(self._game, table=1, nnue=self.level.nnue)

    def begin(self, seed: int) -> None:
        self.seed = seed
        self.forget()

    def forget(self) -> None:
        self._searcher.forget()

    def new_stop_flag(self) -> Flag:
        return self._searcher.new_stop_flag()

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        chance = random.Random(f"{self.seed} {node.ply} {node.position.hash64()}")
        budget = self._budget(limit, stop)
        if lines == 1 and chance.random() < self.level.wanders:
            return self._wander(node, budget, chance)
        if self.level.simulations:
            self._searcher = self._new_searcher(chance.getrandbits(32))
        found = self._look(node, lines, budget)
        first = self._choose(node, found.lines[: self.level.choices], chance, budget)
        others = tuple(line for line in found.lines if line is not first)
        return Analysis((first, *others)[:lines], found.depth, budget.nodes, found.seconds, found.exact)

    def _budget(self, limit: Limit, stop: Flag) -> SearchBudget:
        """What a move may take: no more than the limit allows, nor than the level takes."""
        nodes = self.level.simulations or self.level.nodes
        return SearchBudget(replace(limit, nodes=min(limit.nodes or nodes, nodes)), stop)

    def _free(self) -> SearchBudget:
        """What a move may take where nobody limits it."""
        return self._budget(Limit(), self.new_stop_flag())

    def _look(self, node: Node, lines: int, budget: SearchBudget) -> Analysis:
        """What this level sees, before it chooses."""
        # What a level remembers of other positions must not make it see further.
        self._searcher.forget()
        lines = max(lines, self.level.choices)
        return budget.ask(self._searcher, node, lines=lines, depth=self.level.depth or None)

    def chances(self, node: Node) -> dict[Move, float]:
        """How likely this level is to make each move here, over all seeds. Of a level that grows a tree, the moves of
        the one tree of its seed."""
        level, legal = self.level, node.position.legal_moves()
        likely = dict.fromkeys(legal, 0.0)
        if level.wanders:
            seen = self._free().ask(self._searcher, node, depth=1)
            sees = 1 - level.overlooks if seen.score == Score.win(1) else 0.0
            likely[seen.move] += level.wanders * sees
            for move in legal:
                likely[move] += level.wanders * (1 - sees) / len(legal)
        lines: Sequence[ScoredLine] = self._look(node, 1, self._free()).lines[: level.choices]
        for line, part in zip(lines, self._parts(lines), strict=True):
            likely[line.moves[0]] += (1 - level.wanders) * level.overlooks * part
        if lines[0].score == Score.win(1):
            lines = lines[:1]
        lines = [line for line in lines if line.score > Score.loss(2)] or lines
        if level.depth == 1:
            lines = [line for line in lines if not loses_at_once(self._searcher, node, line, self._free())] or lines
        for line, part in zip(lines, self._parts(lines), strict=True):
            likely[line.moves[0]] += (1 - level.wanders) * (1 - level.overlooks) * part
        return likely

    def won(self, node: Node) -> set[Move]:
        """The moves that it sees to win for certain, of those among which it chooses."""
        lines = self._look(node, 1, self._free()).lines[: self.level.choices]
        return {line.moves[0] for line in lines if line.score.worth is Worth.WIN}

    def _wander(self, node: Node, budget: SearchBudget, chance: random.Random) -> Analysis:
        seen = budget.ask(self._searcher, node, depth=1)
        if seen.score == Score.win(1) and chance.random() >= self.level.overlooks:
            return seen
        move = chance.choice(node.position.legal_moves())
        return replace(seen, lines=(ScoredLine(Score.estimate(0, 0.5), (move,)),), exact=False)

    def _choose(
        self, node: Node, lines: Sequence[ScoredLine], chance: random.Random, budget: SearchBudget
    ) -> ScoredLine:
        """The line that is played, of several, the best first."""
        attentive = chance.random() >= self.level.overlooks
        if attentive:
            if lines[0].score == Score.win(1):
                return lines[0]
            lines = [line for line in lines if line.score > Score.loss(2)] or lines
        chosen = self._draw(lines, chance)
        attentive = attentive and self.level.depth == 1
        while attentive and len(lines) > 1 and loses_at_once(self._searcher, node, chosen, budget):
            lines = [line for line in lines if line is not chosen]
            chosen = self._draw(lines, chance)
        return chosen

    def _draw(self, lines: Sequence[ScoredLine], chance: random.Random) -> ScoredLine:
        if self.level.temperature == 0:
            return lines[0]
        return chance.choices(lines, self._weights(lines))[0]

    def _weights(self, lines: Sequence[ScoredLine]) -> list[float]:
        odds = [self._odds(line.score) / self.level.temperature for line in lines]
        return [math.exp(each - max(odds)) for each in odds]

    def _parts(self, lines: Sequence[ScoredLine]) -> list[float]:
        """How often each of these lines is drawn."""
        if self.level.temperature == 0:
            return [1.0, *(0.0 for _ in lines[1:])]
        weights = self._weights(lines)
        return [weight / sum(weights) for weight in weights]

    def _odds(self, score: Score) -> float:
        """The logarithm of the odds of winning."""
        if score.worth is Worth.WIN:
            return PROVEN
        if score.worth is Worth.LOSS:
            # A player who must lose holds out.
            return -PROVEN + 0.05 * min(score.plies or 0, 20)
        chance = min(max(score.chance, 0.001), 0.999)
        return math.log(chance / (1 - chance))


def _check(argument: str) -> None:
    check_level(int(argument) if re.fullmatch("[0-9]{1,3}", argument) else 0)


def _make(game: str, argument: str, settings: Settings) -> Engine:
    level = int(argument)
    if level == TOP:
        return strongest_engine(game, threads=settings["threads"], table=settings["table"])
    engine = LevelEngine(game, levels_of(game)[level - 1], 0)
    by_net = net_levels_of(game)
    return NetLevelEngine(game, by_net[level - 1], engine) if by_net else engine


#: Levels below the top take one thread and little memory whatever is set.
LEVEL = EngineKind(
    "level",
    Text(f"um nível, de 1 a {TOP}", f"a level, from 1 to {TOP}"),
    _make,
    {"threads": THREADS, "table": TABLE},
    Argument.WORD,
    _check,
)
KINDS = (LEVEL,)
