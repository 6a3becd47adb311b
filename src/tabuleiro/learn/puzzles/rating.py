"""How hard a puzzle is before anybody has tried it: by which of the odd levels find its answer.

Of each level it is computed how likely it is to answer rightly (`LevelEngine.chances`); the rating is that of a player
against whom the levels, as strong as they were measured, would score as much. The even levels, which had no say, show
what it is worth (`tabuleiro puzzles grade`). People who try the puzzle then move the rating, as in a game against it.
"""

import random
from collections.abc import Sequence
from functools import cache

from tabuleiro.core import Move
from tabuleiro.learn import truth
from tabuleiro.learn.judge import next_ejection_wins
from tabuleiro.learn.puzzles.puzzle import Puzzle
from tabuleiro.learn.task import MOVER, Task
from tabuleiro.players import level_engine
from tabuleiro.players.ladder import ladder_of
from tabuleiro.players.levels import LevelEngine, levels_of
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Worth

#: The rating of level 1, as of somebody who has not played yet.
BEGINNER = 1000.0
ODD, EVEN = (1, 3, 5, 7, 9), (2, 4, 6, 8)
#: How far below the weakest level somebody fails every puzzle, and above the strongest solves it: so that a puzzle that
#: all levels solve, or none, has a rating too.
BEYOND = 200.0
#: Points of Elo in which the odds grow tenfold.
TENFOLD = 400.0


@cache
def _level(game: str, level: int) -> LevelEngine:
    return LevelEngine(game, levels_of(game)[level - 1], 0)


def profile(task: Task) -> list[float]:
    """How likely each of the odd levels is to answer rightly, before it does so wrongly."""
    node, forgiven = judged(task), _forgiven(task)
    return [_finds(_level(node.position.id, level), node, task, forgiven) for level in ODD]


def judged(task: Task) -> Node:
    """The position as the goal sees it: where a marble is to be ejected, levels are told to want nothing else."""
    node = task.node()
    return Node(next_ejection_wins(node.position)) if task.goal.kind == "eject" else node


def _forgiven(task: Task) -> frozenset[Move]:
    """The moves that reach the goal too, but later: nobody is blamed for them, levels neither."""
    if task.goal.number is None:
        return frozenset()
    seen = truth.look(judged(task))
    return frozenset(line.moves[0] for line in seen if line.score.worth is Worth.WIN) - task.answer


def _finds(engine: LevelEngine, node: Node, task: Task, forgiven: frozenset[Move]) -> float:
    if task.goal.kind == "who wins":
        # What it thinks of its own chances is what it would say.
        wanders = engine.level.wanders
        thinks = max(line.score for line in engine.analyse(node, Limit(), lines=2).lines).chance
        return wanders / 2 + (1 - wanders) * (thinks if task.winner == MOVER else 1 - thinks)
    chances = {move: chance for move, chance in engine.chances(node).items() if move not in forgiven}
    return sum(chances[move] for move in task.answer) / max(sum(chances.values()), 1e-9)


def first_rating(game: str, found: Sequence[float]) -> int:
    """The rating at which the levels would be expected to score just what they do."""
    ladder = ladder_of(game)
    assert ladder is not None
    strengths = [BEGINNER + ladder.elo[level - 1] for level in ODD]
    players = [strengths[0] - BEYOND, *strengths, strengths[-1] + BEYOND]
    score = 0.0 + sum(found) + 1.0
    low, high = players[0] - 1000, players[-1] + 1000
    for _ in range(40):
        middle = (low + high) / 2
        expected = sum(1 / (1 + 10 ** ((middle - player) / TENFOLD)) for player in players)
        low, high = (middle, high) if expected > score else (low, middle)
    return max(round(low), 0)


# ------------------------------------------------------------------------------------------- what the even levels say


def failures(puzzle: Puzzle, seeds: Sequence[int]) -> float:
    """The part of the tries of the even levels, one with each seed, that fail."""
    task = puzzle.task()
    node, forgiven = judged(task), _forgiven(task)
    tries = [level_engine(puzzle.game, level, seed).play(node, Limit()) for level in EVEN for seed in seeds]
    counted = [move in task.answer for move in tries if move not in forgiven]
    return 1 - sum(counted) / len(counted) if counted else 0.0


def gradable(puzzle: Puzzle) -> bool:
    """Whether levels can try it: they make moves, and say nothing."""
    return puzzle.goal != "who wins"


def correlation(one: Sequence[float], two: Sequence[float]) -> float:
    """Spearman's: how much two lists agree in their order, from -1 to 1."""
    first, second = _ranks(one), _ranks(two)
    middle = (len(first) + 1) / 2
    both = sum((a - middle) * (b - middle) for a, b in zip(first, second, strict=True))
    spread = sum((a - middle) ** 2 for a in first) * sum((b - middle) ** 2 for b in second)
    return both / spread**0.5 if spread else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    """The place of each, from 1; equals share the mean of theirs."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    ranks = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for place in order[begin:end]:
            ranks[place] = (begin + 1 + end) / 2
        begin = end
    return ranks


def sampled(puzzles: Sequence[Puzzle], count: int, seed: int) -> list[Puzzle]:
    """So many of them, by chance, in their order; all where there are no more."""
    chosen = random.Random(seed).sample(range(len(puzzles)), min(count, len(puzzles)))
    return [puzzles[place] for place in sorted(chosen)]
