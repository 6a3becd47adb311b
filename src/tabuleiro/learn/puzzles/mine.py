"""Mining: which candidates are puzzles. Every move of one is proven right or wrong; what is not proven is no puzzle.

That only one move is *found* to win is not enough: another may win too, more slowly. So `win` is asked where the value
of every move is proven and one alone wins; `win in N` where all wins are proven, and the slower ones are forgiven;
`save` where one move alone does not lose.

A crew looks for them, so many positions a unit, each from a seed of its own; here they are taken in the order of the
units, and those that are like another are left out. So what is found is the same whoever looks.
"""

import contextlib
import random
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, islice
from typing import cast

from tabuleiro.core import Move, Position
from tabuleiro.crew import Crew, Here, Job
from tabuleiro.learn import truth
from tabuleiro.learn.goals import read_goal
from tabuleiro.learn.judge import next_ejection_wins, right_moves
from tabuleiro.learn.puzzles.alike import Seen
from tabuleiro.learn.puzzles.candidates import candidates
from tabuleiro.learn.puzzles.puzzle import Puzzle
from tabuleiro.learn.puzzles.rating import rated
from tabuleiro.learn.puzzles.themes import Solved, themes_of
from tabuleiro.learn.task import DRAW, MOVER, OTHER
from tabuleiro.record import Node
from tabuleiro.search.base import Engine, Limit, Score, Worth
from tabuleiro.search.native import AlphaBetaEngine
from tabuleiro.solve.base import Solution

#: Positions that may be looked at to value all moves: fewer than on the site, which then knows at least as much.
POSITIONS = truth.QUICK // 4
#: With fewer moves there is nothing to choose.
FEWEST_MOVES = 3
#: The longest win, in moves of the pupil, that is asked for by its number.
LONGEST = 3
#: The most plies that a win may take, where the solver says how many: nobody counts further.
FURTHEST = 13
#: Games in which one move alone decides so early that it may take as long as it likes.
FAR = ("rastros",)
#: Answers to a right move that are gone on with.
FOLLOWED = 3
#: One of so many puzzles is the question who wins.
STATUS = 8
#: Games in which hardly ever every move can be proven: what is asked there has a number, and all that counts is proven
#: to happen in so many moves or not.
NUMBERED = {"guerreiros": "win", "abalone": "eject"}
#: Positions that may be looked at to see which moves reach such a goal in time, and the most of them that may.
IN_TIME, MOST_ANSWERS = 10 * truth.QUICK, 2
#: Positions of a unit of mining. A run that adds to N puzzles begins with unit N times so many.
LOOKED_AT, UNITS_A_RUN = 60, 1000
#: Positions looked at to see whether there may be something.
GLANCE = 3_000
#: Games whose solver says who wins nearly everywhere: there one may be asked.
STATUS_GAMES = ("semaforo", "rastros", "konane", "ouri", "hex", "avanco")
#: Games whose solver takes long where nothing is to be found.
GLANCED_AT = ("avanco",)
#: Games whose solver says who wins long before anybody knows how soon.
QUICKLY_VALUED = ("rastros", "hex")
#: Games whose solver says who wins, and not how soon.
WITHOUT_LENGTH = ("ouri", "hex")


@dataclass(frozen=True)
class Found:
    """What is asked in a position, and the answer."""

    goal: str
    answer: frozenset[Move] = frozenset()
    winner: str = ""
    solution: Solution | None = None


@dataclass
class Tally:
    """What a run of mining came to."""

    looked_at: int = 0
    #: Positions in which there was a puzzle, whether or not it was like another.
    found: int = 0
    kept: int = 0
    #: Seconds of processor time.
    seconds: float = 0.0

    @property
    def a_minute(self) -> float:
        return 60 * self.kept / self.seconds if self.seconds else 0.0

    @property
    def share(self) -> float:
        return self.kept / self.looked_at if self.looked_at else 0.0


@dataclass(frozen=True)
class Nugget:
    """What a position has: a puzzle, and perhaps the question who wins it instead. Without their numbers."""

    puzzle: Puzzle | None
    who_wins: Puzzle | None


@dataclass(frozen=True)
class Load:
    """What came of a unit of mining."""

    looked_at: int
    nuggets: list[Nugget]
    #: Seconds of processor time.
    seconds: float


class Mining(Job[int, Load]):
    """Looking for puzzles of a game beside those there are, by the numbers of units."""

    def __init__(self, game: str, seed: int, puzzles: list[Puzzle]) -> None:
        self._game, self._seed = game, seed
        self._puzzles = puzzles

    def begin(self) -> None:
        self._known = Seen()
        for puzzle in self._puzzles:
            self._known.position(puzzle.position())

    def do(self, unit: int) -> Load:
        begin = time.process_time()
        chance = random.Random(f"{self._game} {self._seed} {unit}")
        seen, nuggets, following = Seen(), list[Nugget](), list[Position]()
        for position in islice(_with(following, candidates(self._game, chance)), LOOKED_AT):
            if self._known.has(position) or not seen.position(position):
                continue
            found, who_wins = what_to_ask(position, _wanted(self._game, chance))
            if found is None and who_wins is None:
                continue
            if found is not None:
                following += _follow(position, found, chance)
            puzzle, question = (None if one is None else finished(position, one) for one in (found, who_wins))
            nuggets.append(Nugget(puzzle, question))
        return Load(LOOKED_AT, nuggets, time.process_time() - begin)


def mine(
    game: str, puzzles: list[Puzzle], seed: int, go_on: Callable[[Tally], bool], tally: Tally, crew: Crew | None = None
) -> Iterator[Puzzle]:
    """New puzzles of a game, unlike those there are, while `go_on` says so, found by a crew. What is found depends on
    the seed and on the puzzles there were, and on nothing else."""
    sieve = _Sieve(puzzles)
    # Another run that adds to the same puzzles looks at other positions.
    first = UNITS_A_RUN * len(puzzles)
    loads = (crew or Here()).results(Mining(game, seed, puzzles), count(first))
    with contextlib.closing(cast("Generator[Load, None, None]", loads)):
        for load in loads:
            for nugget in load.nuggets:
                tally.found += 1
                puzzle = sieve.take(nugget)
                if puzzle is not None:
                    tally.kept += 1
                    yield puzzle
                if not go_on(tally):
                    return
            tally.seconds += load.seconds
            tally.looked_at += load.looked_at
            if not go_on(tally):
                return


class _Sieve:
    """Keeps what is unlike all that is kept, and of the questions who wins as many as there are to be."""

    def __init__(self, puzzles: list[Puzzle]) -> None:
        self._seen = Seen()
        for puzzle in puzzles:
            self._seen.position(puzzle.position())
            self._seen.puzzle(puzzle.position(), puzzle.goal, puzzle.task().answer)
        self._number = len(puzzles)
        self._asked = [puzzle.answer for puzzle in puzzles if puzzle.goal == "who wins"]

    def take(self, nugget: Nugget) -> Puzzle | None:
        puzzle = nugget.puzzle
        question = nugget.who_wins
        if question is not None and self._is_wanted(question):
            puzzle = question
        if puzzle is None or not self._seen.position(puzzle.position()):
            return None
        if not self._seen.puzzle(puzzle.position(), puzzle.goal, puzzle.task().answer):
            return None
        if puzzle is question:
            self._asked.append(puzzle.answer)
        self._number += 1
        return replace(puzzle, number=self._number)

    def _is_wanted(self, question: Puzzle) -> bool:
        """All answers come as often, and one of so many puzzles is such a question."""
        few = min(self._asked.count(answer) for answer in _answers(question.game))
        return STATUS * (len(self._asked) + 1) <= self._number and self._asked.count(question.answer) == few


def _with(following: list[Position], source: Iterator[Position]) -> Iterator[Position]:
    """The positions that follow puzzles, as long as there are any, and those of the source."""
    for position in source:
        yield position
        while following:
            yield following.pop()


def _follow(position: Position, found: Found, chance: random.Random) -> list[Position]:
    """Some positions after a move that wins and an answer to it: there is often one move alone that still does."""
    if found.goal != "win" or position.id == "ouri":
        return []
    after = position.play(min(found.answer))
    replies = after.legal_moves()
    reached = [after.play(reply) for reply in chance.sample(replies, min(FOLLOWED, len(replies)))]
    return [each for each in reached if each.outcome() is None]


def finished(position: Position, found: Found) -> Puzzle:
    """The puzzle with its themes and its first rating."""
    answer = found.winner or " ".join(position.move_str(move) for move in sorted(found.answer))
    options = " ".join(f"{name}={value}" for name, value in position.options.changed().items())
    puzzle = Puzzle(position.id, options, str(position), found.goal, answer, 0)
    solved = Solved(Node(position), read_goal(found.goal), found.answer, found.solution)
    return replace(rated(puzzle), themes=themes_of(solved))


def _answers(game: str) -> tuple[str, ...]:
    """To the question who wins."""
    return (MOVER, OTHER, DRAW) if game == "ouri" else (MOVER, OTHER)


def _wanted(game: str, chance: random.Random) -> str | None:
    """Who is to win a position in which it may be asked who does; None: it is not asked."""
    if game not in STATUS_GAMES or chance.randrange(STATUS):
        return None
    return chance.choice(_answers(game))


def what_to_ask(position: Position, winner: str | None = None) -> tuple[Found | None, Found | None]:
    """The puzzle in a position, and the question who wins it, where that is the one named and not seen at once."""
    nothing = None, None
    if len(position.legal_moves()) < FEWEST_MOVES:
        return nothing
    if position.id in NUMBERED:
        return _in_time(position, NUMBERED[position.id]), None
    if any(truth.wins_at_once(position, move) for move in position.legal_moves()):
        return nothing
    if position.id in QUICKLY_VALUED and not _may_be_one(position, winner):
        return nothing
    if position.id in GLANCED_AT and winner != OTHER and _glance(position).worth is not Worth.WIN:
        return nothing
    solution = truth.values(position, POSITIONS)
    if not solution.exact:
        return nothing
    asked = _best_move(position, solution)
    if not _within_sight(position, solution):
        return asked if position.id in FAR else None, None
    question = None if winner is None else _status(position, solution, asked)
    return asked, question if question is not None and question.winner == winner else None


def _may_be_one(position: Position, winner: str | None) -> bool:
    """Whether one move alone wins, or none where the other is to: seen before anybody asks how soon."""
    wins = 0
    for move in position.legal_moves():
        score = truth.value(Node(position.play(move)))
        wins += score is not None and score.worth is Worth.LOSS
        if score is None or wins > 1:
            return False
    return wins == 1 or winner == OTHER


def _within_sight(position: Position, solution: Solution) -> bool:
    """Whether somebody may see what follows."""
    score = solution.score
    assert score is not None
    if score.worth is Worth.DRAW or position.id in WITHOUT_LENGTH:
        return True
    return score.plies is not None and score.plies <= FURTHEST


def _best_move(position: Position, solution: Solution) -> Found | None:
    by_worth: dict[Worth, list[Move]] = {worth: [] for worth in Worth}
    for move, score in solution.moves.items():
        assert score is not None and score.worth is not None
        by_worth[score.worth].append(move)
    wins, draws, losses = by_worth[Worth.WIN], by_worth[Worth.DRAW], by_worth[Worth.LOSS]
    if len(wins) == 1:
        return Found("win", frozenset(wins), solution=solution)
    if not wins and len(draws) == 1 and losses:
        return Found("save", frozenset(draws), solution=solution)
    if len(wins) > 1 and position.id not in WITHOUT_LENGTH:
        return _quickest(position, solution, wins)
    return None


def _quickest(position: Position, solution: Solution, wins: list[Move]) -> Found | None:
    """Several moves win: one alone wins in as few moves as it does."""
    scores = [solution.moves[move] for move in wins]
    lengths = [score.plies for score in scores if score is not None and score.plies is not None]
    if not lengths or not 2 <= (number := (min(lengths) + 1) // 2) <= LONGEST:
        return None
    node = Node(position)
    right = right_moves(read_goal(f"win in {number}"), node)
    answer = frozenset(move for move, reaches in right.items() if reaches)
    sooner = right_moves(read_goal(f"win in {number - 1}"), node)
    if None in right.values() or len(answer) != 1 or any(reaches is not False for reaches in sooner.values()):
        return None
    return Found(f"win in {number}", answer, solution=solution)


def _status(position: Position, solution: Solution, asked: Found | None) -> Found | None:
    """Who wins, where that is not seen at once: one move alone wins, or all lose but not all at once."""
    assert solution.score is not None
    if asked is not None and asked.goal == "win":
        return Found("who wins", winner=MOVER)
    if solution.score.worth is Worth.LOSS and any(truth.is_safe(position, move) for move in solution.moves):
        return Found("who wins", winner=OTHER)
    if asked is not None and asked.goal == "save":
        return Found("who wins", winner=DRAW)
    return None


@cache
def _eye() -> Engine:
    return AlphaBetaEngine(table=1, full_width=True)


def _glance(position: Position) -> Score:
    """What is seen of the best move soon."""
    _eye().forget()
    return _eye().analyse(position, Limit(nodes=GLANCE)).score


def _in_time(position: Position, what: str) -> Found | None:
    """What can be done by one move or two alone, in two moves or three."""
    score = _glance(next_ejection_wins(position) if what == "eject" else position)
    if score.worth is not Worth.WIN or score.plies is None:
        return None
    number = (score.plies + 1) // 2
    if not 2 <= number <= LONGEST:
        return None
    right = right_moves(read_goal(f"{what} in {number}"), Node(position), IN_TIME)
    answer = frozenset(move for move, reaches in right.items() if reaches)
    if None in right.values() or not 1 <= len(answer) <= MOST_ANSWERS:
        return None
    sooner = right_moves(read_goal(f"{what} in {number - 1}"), Node(position))
    if any(reaches is not False for reaches in sooner.values()):
        return None
    return Found(f"{what} in {number}", answer)
