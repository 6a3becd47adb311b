"""What the routes of teaching are asked and answer."""

from datetime import date
from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from tabuleiro.core import MAX_MOVE_LENGTH
from tabuleiro.server.api import WHOLE, Body, GameId, MoveTexts, PositionBody
from tabuleiro.server.ids import ID_LENGTH, ID_LETTERS
from tabuleiro.server.learning.puzzle_schemas import ThemeCount
from tabuleiro.server.people.schemas import Code
from tabuleiro.server.schemas import Board, Overlay, Schema, Sentence, View
from tabuleiro.server.tables import MAX_NAME


class PaperLesson(Schema):
    """A lesson from which a worksheet can be made."""

    name: str
    title: Sentence
    tasks: int = Field(description="those that can be done on paper")


class PaperPuzzles(Schema):
    """The puzzles from which a worksheet can be made."""

    found: int = Field(description="how many are of the theme and within the range asked for")
    easiest: int = Field(description="the lowest rating that there is")
    hardest: int
    status: int = Field(description="how many of all ask who wins")
    themes: list[ThemeCount]


class PaperTask(Schema):
    """A task as it is printed."""

    ref: str
    source: Sentence
    ask: Sentence
    asks: Literal["move", "winner"]
    options: dict[str, str]
    geometry: Board
    view: View
    arrows: list[tuple[int, int]]
    highlights: list[int]
    numbers: list[int]
    overlay: Overlay
    answer: Sentence
    answer_cells: list[int] = Field(description="the cells that the right moves touch")
    right: Sentence | None = Field(description="what is said of the right answer")


class Worksheet(Schema):
    game: str
    lessons: list[PaperLesson] = Field(description="all that there are to choose from")
    puzzles: PaperPuzzles
    tasks: list[PaperTask]
    link: str = Field(description="where the same can be done on the board")
    qr: str = Field(description="its QR code, as the address of a picture")


# ---------------------------------------------------------------------------------------------------------------- votes


class JoinBody(Body):
    code: Code = Field(description="as it is projected")


class Words(Body):
    pt: Annotated[str, StringConstraints(max_length=300)]
    en: Annotated[str, StringConstraints(max_length=300)]


class QuestionBody(PositionBody):
    """A position after some moves, and what is asked about it."""

    moves: Annotated[MoveTexts, Field(max_length=500)] = Field(default_factory=list)
    asks: Literal["move", "winner"] = "move"
    text: Words | None = Field(default=None, description="what is said above the board, if not the usual")


class BallotBody(Body):
    number: Annotated[int, Field(strict=True, ge=1, lt=10**6), WHOLE] = Field(description="of the question")
    choice: Annotated[str, StringConstraints(max_length=MAX_MOVE_LENGTH)] = Field(
        description="a move as in `question.view.moves[].text`, or `question.choices[].choice`"
    )


class VoteChoice(Schema):
    choice: str
    name: Sentence


Worth = Literal["win", "draw", "loss"]


class Bar(VoteChoice):
    votes: int
    right: bool | None = Field(description="null while the truth is not told, or where it is not known")
    worth: Worth | None = Field(description="of a move, for who makes it")
    plies: int | None = Field(description="in how many plies it ends, where that is known")


class BestMove(Schema):
    text: str
    clicks: list[int]
    worth: Worth
    plies: int | None


class Truth(Schema):
    """What is proven of the position."""

    winner: Literal["mover", "other", "draw"] | None = Field(description="null where it is not known")
    plies: int | None
    best: list[BestMove] = Field(description="all the moves that win, or else those that draw; of a lost position none")


class VoteQuestion(Schema):
    number: int
    game: str
    asks: Literal["move", "winner"]
    text: Sentence | None
    geometry: Board
    view: View
    choices: list[VoteChoice] = Field(description="where it is asked who wins")


class Tally(Schema):
    """How a question stands."""

    number: int
    status: Literal["open", "closed", "revealed"]
    voters: int
    bars: list[Bar] | None = Field(description="null for who votes, until the truth is told")
    truth: Truth | None


class VoteView(Schema):
    """A vote. Over the WebSocket it comes whole at first and with each question; in between comes
    `{"type": "tally", "tally": …}`."""

    type: Literal["vote"]
    id: str
    code: str
    class_id: str | None = Field(description="for who runs it")
    runs: bool
    ended: bool
    question: VoteQuestion | None
    tally: Tally | None
    mine: str | None = Field(description="what you chose")


# ----------------------------------------------------------------------------------------------------------------- sets

SetId = Annotated[str, Path(pattern=f"^[{ID_LETTERS}]{{{ID_LENGTH}}}$")]
TaskName = Annotated[str, StringConstraints(max_length=120)]


class WholeLesson(Body):
    game: GameId
    name: Annotated[str, StringConstraints(max_length=60)] = Field(description="as in its address, `05-armadilha`")


class OwnFile(Body):
    """A lesson of your own, as `docs/lessons.md` tells how to write one."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME, pattern=r"\S")]
    text: Annotated[str, StringConstraints(max_length=60_000)]


class SetBody(Body):
    """A set: its tasks in this order, each once."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME, pattern=r"\S")]
    lessons: Annotated[list[WholeLesson], Field(max_length=20)] = Field(default_factory=list)
    tasks: Annotated[list[TaskName], Field(max_length=60)] = Field(default_factory=list)
    file: OwnFile | None = None


class GivingBody(Body):
    until: date | None = Field(default=None, description="the last day on which it counts")


class SetHead(Schema):
    id: str
    name: str
    made: float
    tasks: int


class SetLine(SetHead):
    classes: list[str] = Field(description="those that it is given to")


class GivenSet(Schema):
    """A set that a pupil was given."""

    id: str
    name: str
    tasks: int
    solved: int
    until: str | None
    is_over: bool


class SetList(Schema):
    own: list[SetLine]
    given: list[GivenSet]


class SetTask(Schema):
    ref: str
    game: str
    ask: Sentence


class ChoiceLesson(Schema):
    name: str
    title: Sentence
    tasks: list[SetTask]


class SetChoices(Schema):
    """What a set can be made of."""

    lessons: list[ChoiceLesson]


class SetView(Schema):
    id: str
    name: str
    is_mine: bool = Field(description="you made it, or may change it; nothing you do in it is kept for it")
    until: str | None
    is_over: bool
    tasks: list[SetTask]
    solved: list[str]


class ClassSet(SetHead):
    until: str | None
    is_over: bool
    done: float = Field(description="the part of all tasks of all pupils that is solved, from 0 to 1")


class ResultCell(Schema):
    solved: bool
    mistakes: int
    wrong: str | None = Field(description="the first wrong move, or what else was said wrongly")
    hints: int


class PupilResults(Schema):
    guest: int
    name: str
    solved: int
    cells: list[ResultCell | None] = Field(description="one for each task; null where it was not tried")


class SetResults(Schema):
    id: str
    name: str
    tasks: list[SetTask]
    pupils: list[PupilResults]


class GameLearnt(Schema):
    game: str
    done: int = Field(description="lessons of which every task is solved")
    lessons: int
    rank: Sentence | None


class PupilLearnt(Schema):
    guest: int
    name: str
    games: list[GameLearnt]
    tasks: int = Field(description="tasks of lessons that are solved")
    others: int = Field(
        description="other tasks that are solved: puzzles, own mistakes, sets of a teacher's own making"
    )
