"""How hard a puzzle is before anybody has tried it: by which of the odd levels find its answer.

Of each level it is computed how likely it is to answer rightly (`LevelEngine.chances`); the rating is that of a player
against whom the levels, as strong as they were measured, would score as much. The even levels, which had no say, show
what it is worth (`tabuleiro puzzles grade`). People who try the puzzle then move the rating, as in a game against it.
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
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
from tabuleiro.search.base import Engine, Limit, Worth

#: The rating of level 1, as of somebody who has not played yet.
BEGINNER = 1000.0
ODD, EVEN = (1, 3, 5, 7, 9), (2, 4, 6, 8)
#: How far below the weakest level somebody fails every puzzle, and above the strongest solves it: so that a puzzle that
#: all levels solve, or none, has a rating too.
BEYOND = 200.0
#: Points of Elo in which the odds grow tenfold.
TENFOLD = 400.0
#: Positions that are looked at to see whether a move wins one move later than asked: such proofs are short.
LATER = 6_000


@cache
def _level(game: str, level: int) -> LevelEngine:
    return LevelEngine(game, levels_of(game)[level - 1], 0)


def rated(puzzle: Puzzle) -> Puzzle:
    """The puzzle with its first rating, by the levels as they are."""
    return replace(puzzle, rating=first_rating(puzzle.game, profile(puzzle.task())))


def profile(task: Task) -> list[float]:
    """How likely each of the odd levels is to answer rightly, before it does so wrongly."""
    blame = Blame(task)
    return [_finds(_level(blame.node.position.id, level), blame) for level in ODD]


def judged(task: Task) -> Node:
    """The position as the goal sees it: where a marble is to be ejected, levels are told to want nothing else."""
    node = task.node()
    return Node(next_ejection_wins(node.position)) if task.goal.kind == "eject" else node


class Blame:
    """Which moves count as failures. Those that reach the goal too, but later, are forgiven: nobody is blamed for them,
    levels neither."""

    def __init__(self, task: Task) -> None:
        self.task, self.node = task, judged(task)
        number, forgiven = task.goal.number, set[Move]()
        if number is not None:
            forgiven = {line.moves[0] for line in truth.look(self.node) if line.score.worth is Worth.WIN}
            others = [move for move in self.node.position.legal_moves() if move not in forgiven | task.answer]
            forgiven |= {move for move in others if truth.wins_within(self.node, move, 2 * number + 1, LATER)}
        self._forgiven = forgiven - task.answer

    def found(self, made: Mapping[Move, float], won: Collection[Move] = ()) -> float:
        """Of the moves made, each so often, and not forgiven, the part that is right; all of nothing. Moves that
        whoever makes them knows to win are forgiven too."""
        forgiven = self._forgiven | (set(won) - self.task.answer)
        counted = {move: often for move, often in made.items() if move not in forgiven}
        whole = sum(counted.values())
        return sum(counted.get(move, 0.0) for move in self.task.answer) / whole if whole > 1e-9 else 1.0


def _finds(engine: LevelEngine, blame: Blame) -> float:
    if blame.task.goal.kind == "who wins":
        # What it thinks of its own chances is what it would say.
        wanders = engine.level.wanders
        thinks = max(line.score for line in engine.analyse(blame.node, Limit(), lines=2).lines).chance
        return wanders / 2 + (1 - wanders) * (thinks if blame.task.winner == MOVER else 1 - thinks)
    return blame.found(engine.chances(blame.node), engine.won(blame.node))


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


@dataclass(frozen=True)
class Grades:
    """How often the even levels fail puzzles, and how well the ratings foretell it."""

    #: The part of the tries of each puzzle that failed.
    failed: list[float]
    #: Rank correlation of the ratings with the failures.
    agreement: float
    #: What rank correlation the failures would have with those of as many other tries (from those of two halves, by
    #: Spearman and Brown): ratings without fault would agree with the failures by the root of this.
    reliability: float


def grades(puzzles: Sequence[Puzzle], tries: int, seed: int, done: Callable[[int], None] = lambda _: None) -> Grades:
    """Have the even levels try puzzles, under seeds of their own: so many times each (two at least) where they search
    by chance, else over all seeds at once."""
    halves: list[tuple[float, float]] = []
    for number, puzzle in enumerate(puzzles, start=1):
        seeds, blame = range(1000 * seed, 1000 * seed + tries), Blame(puzzle.task())
        found = [_found(_player(puzzle.game, level), blame, seeds) for level in EVEN]
        one, two = (1 - sum(half) / len(half) for half in zip(*found, strict=True))
        halves.append((one, two))
        done(number)
    failed = [(one + two) / 2 for one, two in halves]
    between = correlation([one for one, _ in halves], [two for _, two in halves])
    ratings = [puzzle.rating for puzzle in puzzles]
    return Grades(failed, correlation(ratings, failed), 2 * between / (1 + between) if between > 0 else 0.0)


def _found(engine: Engine, blame: Blame, seeds: Sequence[int]) -> tuple[float, float]:
    """The part of the tries that succeed, one with each seed, in two halves of them. Where chance is but a level's
    carelessness, which is arithmetic, it is the part over all seeds there are, in both."""
    if isinstance(engine, LevelEngine) and not engine.level.simulations:
        return (found := _finds(engine, blame)), found
    return _tried(engine, blame, seeds[::2]), _tried(engine, blame, seeds[1::2])


def _tried(engine: Engine, blame: Blame, seeds: Sequence[int]) -> float:
    made: Counter[Move] = Counter()
    for seed in seeds:
        engine.begin(seed)
        made[engine.play(blame.node, Limit())] += 1
    return blame.found(made)


@cache
def _player(game: str, level: int) -> Engine:
    return level_engine(game, level, 0)


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
