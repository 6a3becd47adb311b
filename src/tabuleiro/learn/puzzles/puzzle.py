"""One puzzle: what its line of the data file says, and the task that is made of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tabuleiro.core import Position
from tabuleiro.diagrams import Field, read_pairs
from tabuleiro.games import get
from tabuleiro.learn.goals import Goal, read_goal
from tabuleiro.learn.puzzles.themes import THEMES
from tabuleiro.learn.task import Task, read_task

#: Themes that say nothing of where to look.
_NO_HELP = ("trap", "long", "short")


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
        return read_task(get(self.game), [Field(0, "task", ""), *fields, *self._hints()], {}, None)

    def _hints(self) -> Iterator[Field]:
        """Steps of help before the answer: what it is about, and where it begins."""
        theme = next((THEMES[name] for name in self.themes if name not in _NO_HELP), None)
        if theme is not None:
            yield Field(0, "hint pt", f"O tema é: {theme.name.pt.lower()}.")
            yield Field(0, "hint en", f"The theme is: {theme.name.en.lower()}.")
        if self.parsed_goal().one_move:
            position = self.position()
            clicks = [position.clicks(position.parse_move(move)) for move in self.answer.split()]
            cells = dict.fromkeys(position.geometry.names[touched[0]] for touched in clicks if len(touched) > 1)
            if cells:
                yield Field(0, "hint cells", " ".join(cells))
