"""Whether the answers of puzzles are right and complete: proven anew by the rules of the game alone, looking at
everything, where that ends soon; else by a solver that is given fifty times as long as the miner's was."""

from dataclasses import dataclass
from typing import Literal

from tabuleiro.core import Move, Position
from tabuleiro.language import Text
from tabuleiro.learn import truth
from tabuleiro.learn.goals import Goal
from tabuleiro.learn.judge import next_ejection_wins
from tabuleiro.learn.puzzles.puzzle import Puzzle
from tabuleiro.learn.task import DRAW, MOVER, OTHER, Task
from tabuleiro.learn.verify import verify_task
from tabuleiro.search.base import Worth

#: Positions that are looked at by the rules before a solver is asked.
POSITIONS = 60_000
#: Games in which a position can come back: there a win or a loss is proven in so many plies, draws never, and where it
#: is not soon it is not at all: so only a part of the positions is looked at.
CYCLIC, PART = ("ouri", "guerreiros", "abalone"), 20

By = Literal["rules", "solver"]


class _TooManyError(Exception):
    """There is more to look at than was allowed."""


@dataclass(frozen=True)
class Proof:
    by: By
    #: What is wrong with the puzzle; None where everything is proven.
    problem: Text | None


def prove(puzzle: Puzzle, positions: int = POSITIONS, thorough: int = truth.THOROUGH) -> Proof:
    """Prove a puzzle by the rules, looking at so many positions at most, or else by a solver."""
    task = puzzle.task()
    try:
        right = by_rules(task, positions)
    except (_TooManyError, RecursionError):
        problem = verify_task(task, thorough)
        return Proof("solver", None if problem is None else problem.reason)
    return Proof("rules", None if right else _NOT_SO)


_NOT_SO = Text("a resposta não é a que as regras dão", "the answer is not the one that the rules give")


def by_rules(task: Task, positions: int) -> bool:
    """Whether the answer of a task is right and complete. Raises where that takes a longer look."""
    position, goal = task.node().position, task.goal
    if goal.kind == "eject":
        position = next_ejection_wins(position)
    if goal.number is not None:
        return _in_time(task, position, goal, positions)
    search = _Search(positions // PART if position.id in CYCLIC else positions, None)
    if goal.kind == "who wins":
        return {Worth.WIN: MOVER, Worth.LOSS: OTHER, Worth.DRAW: DRAW}[search.value(position)] == task.winner
    enough = {"win": (Worth.WIN,), "save": (Worth.WIN, Worth.DRAW)}[goal.kind]
    right = {move for move in position.legal_moves() if search.of_move(position, move) in enough}
    return right == task.answer


def _in_time(task: Task, position: Position, goal: Goal, positions: int) -> bool:
    """Whether just these moves reach the goal in its number of moves, and none in fewer."""
    assert goal.number is not None
    search = _Search(positions, position.turn)

    def reaching(number: int) -> set[Move]:
        plies = 2 * number - 1
        return {move for move in position.legal_moves() if search.wins_within(position.play(move), plies - 1)}

    return reaching(goal.number) == task.answer and not reaching(goal.number - 1)


class _Search:
    """Looks at everything, by the Python rules, and remembers what it has seen."""

    def __init__(self, positions: int, pupil: object) -> None:
        self._left = positions
        self._pupil = pupil
        self._values: dict[Position, Worth] = {}
        self._within: dict[tuple[Position, int], bool] = {}

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _TooManyError

    # -- who wins at all ----------------------------------------------------------------------------------------------

    def of_move(self, position: Position, move: Move) -> Worth:
        child = position.play(move)
        value = self.value(child)
        return value if child.turn is position.turn else Worth(-value)

    def value(self, position: Position) -> Worth:
        """For the player to move."""
        if position.id in CYCLIC:
            return self._by_deepening(position)
        known = self._values.get(position)
        if known is None:
            self._count()
            known = self._values[position] = self._value(position)
        return known

    def _value(self, position: Position) -> Worth:
        outcome = position.outcome()
        if outcome is not None:
            return _ended(outcome.winner, position)
        best = Worth.LOSS
        for move in position.legal_moves():
            best = max(best, self.of_move(position, move))
            if best is Worth.WIN:
                break
        return best

    def _by_deepening(self, position: Position) -> Worth:
        """Ever deeper until one side wins within so many plies: no position comes back in the quickest win."""
        outcome = position.outcome()
        if outcome is not None:
            return _ended(outcome.winner, position)
        for plies in range(1, 60):
            for player, worth in ((position.turn, Worth.WIN), (position.turn.other, Worth.LOSS)):
                self._pupil = player
                self._within.clear()
                if self.wins_within(position, plies):
                    return worth
        raise _TooManyError

    # -- who wins in so many plies ------------------------------------------------------------------------------------

    def wins_within(self, position: Position, plies: int) -> bool:
        """Whether the pupil wins in so many plies at most, whatever the other does."""
        key = (position, plies)
        known = self._within.get(key)
        if known is None:
            self._count()
            known = self._within[key] = self._wins_within(position, plies)
        return known

    def _wins_within(self, position: Position, plies: int) -> bool:
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner is self._pupil
        if plies == 0:
            return False
        children = (position.play(move) for move in position.legal_moves())
        reached = (self.wins_within(child, plies - 1) for child in children)
        return any(reached) if position.turn is self._pupil else all(reached)


def _ended(winner: object, position: Position) -> Worth:
    return Worth.DRAW if winner is None else Worth.WIN if winner is position.turn else Worth.LOSS
