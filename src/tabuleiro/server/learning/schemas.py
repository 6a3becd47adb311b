"""What the routes of tasks and lessons take and answer."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tabuleiro.server.api import WHOLE, Body, GameId, MoveTexts, OptionTexts, PositionText
from tabuleiro.server.schemas import (
    Board,
    BulletList,
    Choice,
    Diagram,
    Heading,
    Overlay,
    Paragraph,
    Player,
    Schema,
    Sentence,
    Span,
    View,
)

#: The acts of one attempt, and the characters of one act: a set of moves to be marked may be large.
MAX_ACTS, MAX_ACT = 400, 1000


class AttemptBody(Body):
    """All that a pupil has done at a task so far."""

    acts: Annotated[
        list[Annotated[str, StringConstraints(max_length=MAX_ACT)]],
        Field(max_length=MAX_ACTS, description="`move d4`, `mark a1 b2`, `say mover`, `hint`, in their order"),
    ]
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**31, description="decides what a level plays"), WHOLE] = 0
    given: Annotated[str, StringConstraints(max_length=16, pattern=r"^[0-9A-Za-z]+$")] | None = Field(
        default=None, description="the set in which the task was given"
    )
    keep: Annotated[bool, Field(strict=True, description="whether what comes of it is kept for you")] = True


class LiveBody(Body):
    """A position after some moves, and what is to be drawn on it."""

    game: GameId
    options: OptionTexts = Field(default_factory=dict)
    position: PositionText | None = None
    moves: MoveTexts = Field(default_factory=list)
    live: Annotated[list[Annotated[str, StringConstraints(max_length=20)]], Field(min_length=1, max_length=4)]


class Rich(Schema):
    """A sentence in both languages, with bold words."""

    pt: list[Span]
    en: list[Span]


class ShownMove(Schema):
    move: str
    view: View


class TaskVerdict(Schema):
    """What an act came to: `right` (go on), `solved`, `wrong` (taken back), `slow` (wins, but not soon enough, and is
    taken back without blame), `lost` (the game ended otherwise and begins anew)."""

    kind: Literal["right", "solved", "wrong", "slow", "lost"]
    said: Rich
    shown: list[ShownMove] = Field(
        description="the pupil's move and what follows, the defender's answer or the refutation, to be seen before "
        "the `view` of the task"
    )
    extra: list[str] = Field(description="marked moves that do not belong to the set")
    missing: int = Field(description="how many of the set are missing")


class TaskHint(Schema):
    text: Rich
    cells: list[int]
    moves: list[str]


class TaskAnswer(Schema):
    """A task and how it stands."""

    ref: str
    game: str
    name: Sentence
    options: dict[str, str]
    goal: str
    ask: Rich
    way: Literal["move", "mark", "say"] = Field(description="what the pupil may do")
    pupil: Player
    geometry: Board
    view: View
    ply: int = Field(description="moves since the pupil's first decision")
    arrows: list[tuple[int, int]]
    highlights: list[int]
    numbers: list[int]
    overlay: Overlay
    choices: list[Choice] = Field(description="what may be said, where it is asked who wins")
    acts: list[str]
    solved: bool
    mistakes: int
    hints: int = Field(description="steps of help that were asked for")
    steps: int = Field(description="steps of help that there are; the last is the answer")
    verdict: TaskVerdict | None
    hint: TaskHint | None


class LessonLine(Schema):
    name: str = Field(description="as in its address, `05-armadilha`")
    number: int
    title: Sentence
    tasks: int
    solved: int


class GameLessons(Schema):
    game: str
    lessons: list[LessonLine]
    done: int = Field(description="lessons of which every task is solved")
    rank: Sentence | None


class TaskBlock(Schema):
    type: Literal["task"]
    ref: str


class LessonPage(Schema):
    game: str
    name: str
    number: int
    title: Sentence
    blocks: list[Heading | Paragraph | BulletList | Diagram | TaskBlock]
    others: list[str] = Field(description="the lessons of the game, in their order")
    solved: list[str] = Field(description="the tasks of the lesson that you have done")


# ------------------------------------------------------------------------------------------------------- own mistakes


class MistakeCard(Schema):
    id: int
    ref: str = Field(description="the name of its task")
    game: str
    name: Sentence
    played: str = Field(description="the move that was made")
    thrown: Literal["win", "draw"]
    found: float
    reviews: int = Field(description="how often it was answered")


class Mistakes(Schema):
    due: list[MistakeCard] = Field(description="those whose time has come, the longest due first")
    all: int
    waiting: int = Field(description="how many are due")
    next: float | None = Field(description="when the next one of the others is due")
    games: int = Field(description="finished games of yours that were not looked through yet")


class Searched(Schema):
    found: int = Field(description="cards made of this game")
    games: int = Field(description="games that are left")


class NewMistake(Schema):
    id: int
    ref: str


class Siblings(Schema):
    """Puzzles like a mistake, to practise what it was about."""

    themes: list[Sentence]
    refs: list[str]


class Answered(Schema):
    due: float = Field(description="when it comes back")
