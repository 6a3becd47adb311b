"""One puzzle: what its line of the data file says, and the task that is made of it."""

from dataclasses import dataclass, field

from tabuleiro.core import Position
from tabuleiro.diagrams import Field, read_pairs
from tabuleiro.games import get
from tabuleiro.learn.goals import Goal, read_goal
from tabuleiro.learn.task import Task, read_task


@dataclass(frozen=True)
class Puzzle:
    #: The id of the game.
    game: str
    #: Options as a lesson writes them, `size=6`; empty for the usual ones.
    options: str
    #: The position string.
    fen: str
    #: As a lesson writes it: `win`, `win in 2`, `save`, `eject in 2`, `who wins`.
    goal: str
    #: Every right move, with spaces between; of `who wins` the winner.
    answer: str
    #: In the unit of Elo, on the scale of the levels: who is as strong solves it half of the times.
    rating: int
    #: Names of `THEMES`, in their order.
    themes: tuple[str, ...] = ()
    #: Its place in the file, from 1; it never changes. 0 before it is in one.
    number: int = field(default=0, compare=False)

    @property
    def ref(self) -> str:
        """Its name among all tasks."""
        return f"puzzle/{self.game}/{self.number:04}"

    def position(self) -> Position:
        game = get(self.game)
        return game.from_str(self.fen, game.options_type.parse(read_pairs(self.options)))

    def parsed_goal(self) -> Goal:
        return read_goal(self.goal)

    def task(self) -> Task:
        """The task as pages, terminal and tests do it. A goal with a number is played to its end."""
        fields = [Field(0, "position", self.fen), Field(0, "goal", self.goal), Field(0, "answer", self.answer)]
        if self.options:
            fields.insert(0, Field(0, "options", self.options))
        goal = self.parsed_goal()
        if goal.goes_on and goal.number is not None:
            fields.append(Field(0, "then", "play"))
        return read_task(get(self.game), [Field(0, "task", ""), *fields], {}, None)
