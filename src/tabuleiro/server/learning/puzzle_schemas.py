"""What the routes of puzzles take and answer."""

from typing import Literal

from pydantic import Field

from tabuleiro.server.api import Body, GameId
from tabuleiro.server.schemas import Schema, Sentence


class PuzzleTheme(Schema):
    name: str
    title: Sentence
    meaning: Sentence


class ThemeCount(PuzzleTheme):
    count: int


class GamePuzzles(Schema):
    game: str
    count: int
    status: int = Field(description="how many of them ask who wins")
    solved: int = Field(description="how many you have solved")
    rating: tuple[int, int] | None = Field(description="your rating and how far it may be off; null before a rated try")
    themes: list[ThemeCount]


class DayPuzzle(Schema):
    cycle: Literal["1", "2", "3", "sec"]
    ref: str
    game: str
    solved: bool


class PuzzlesOverview(Schema):
    games: list[GamePuzzles]
    day: list[DayPuzzle] = Field(description="today's puzzle for each school cycle")
    cycle: str = Field(description="your own cycle, empty where it is not known")
    best_streak: int
    best_storm: int
    streak: str | None = Field(description="the name of a streak of yours that goes on")


class NextPuzzle(Schema):
    ref: str | None = Field(description="null: there is none like that")


class PuzzleFacts(Schema):
    """What is told of a puzzle once it is solved."""

    ref: str
    rating: int
    themes: list[PuzzleTheme]
    mine: tuple[int, int] | None = Field(description="your rating in the game and how far it may be off")


class RunBody(Body):
    mode: Literal["streak", "storm"]
    game: GameId | None = None


class RunStands(Schema):
    run: str = Field(description="to be sent with the tries of the run, as `given`")
    mode: Literal["streak", "storm"]
    game: str | None
    solved: int
    failed: int
    ref: str | None = Field(description="the puzzle that comes now; null: the run is over")
    left: float | None = Field(description="seconds left of a storm")
    best: int = Field(description="most solved in a run of this kind, this one included")
