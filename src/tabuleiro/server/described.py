"""What the routes answer, described for OpenAPI. The answers themselves are written elsewhere, and quickly; the tests
hold them to this."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Player = Literal[1, 2]
PlayerKey = Literal["1", "2"]
Point = tuple[float, float]


class Told(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Sentence(Told):
    pt: str
    en: str


class Problem(Told):
    code: str = Field(description="for programs, as `illegal_move`")
    text: Sentence = Field(description="for people, in both languages")


class Refusal(Told):
    """Every refusal looks like this. What was refused has changed nothing."""

    error: Problem


#: The same, for routes that else answer with something that is not JSON.
REFUSED: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}


class Nothing(Told):
    """Done; there is nothing to tell."""


class Health(Told):
    ok: bool
    plays: int
    connections: int


# ------------------------------------------------------------------------------------------------- boards and positions


class Cell(Told):
    name: str
    x: float
    y: float


class Label(Told):
    text: str
    x: float
    y: float


class Edge(Told):
    colour: str
    points: list[Point]


class Board(Told):
    """Where everything is drawn: neighbouring cells are one apart, y points down. Cells are known by their numbers."""

    kind: Literal["square", "rhombus", "hexagon", "pits"]
    cells: list[Cell]
    outline: list[Point] = Field(description="the corners of one cell around its centre; empty for round pits")
    labels: list[Label]
    edges: list[Edge] = Field(description="sides of the board that belong to a colour")
    lines: list[tuple[Point, Point]]
    steps: dict[str, list[int | None]] = Field(description="by direction: the neighbour of each cell")


class Piece(Told):
    symbol: str
    kind: str
    colour: str
    count: int
    name: Sentence


class StandingPiece(Piece):
    cell: int


class Mark(Told):
    cell: int
    text: str


class Move(Told):
    text: str
    clicks: list[int] = Field(description="the cells to touch, in order; none for a move that is a button")
    motions: list[tuple[int, int]] = Field(description="what travels from where to where")


class Reason(Sentence):
    code: str


class Outcome(Told):
    winner: Player | None = Field(description="null for a draw")
    reason: Reason
    score: tuple[int, int] | None


class View(Told):
    """One position: all that a board needs."""

    position: str
    turn: Player
    colours: dict[PlayerKey, str | None] = Field(description="null where all pieces are everybody's")
    pieces: list[StandingPiece]
    marks: list[Mark]
    moves: list[Move] = Field(description="the legal moves; none when the game is over")
    last: Move | None
    outcome: Outcome | None
    score: tuple[int, int] | None
    can_draw: bool
    prompt: Sentence | None
    description: Sentence
    text: Sentence | None = Field(description="the board in plain text; null in events")


class PositionAnswer(Told):
    geometry: Board
    view: View


class Choice(Told):
    value: str
    name: Sentence


class SetupField(Told):
    label: Sentence
    choices: list[Choice] = Field(description="none where a number is wanted")
    pair: tuple[Sentence, Sentence] | None = Field(description="the names of the two numbers that are wanted")


class SetupAnswer(Told):
    """What may be chosen to set a position up, and what a position given has there."""

    geometry: Board
    marks: list[Mark]
    pieces: list[Piece]
    cells: list[str]
    values: list[str]
    fields: list[SetupField]


# ---------------------------------------------------------------------------------------------------------------- games


class Option(Told):
    name: str
    default: str
    values: list[str]
    numbers: tuple[int, int] | None = Field(description="the smallest and the largest, where numbers may be chosen")
    help: Sentence


class Game(Told):
    id: str
    name: Sentence
    summary: Sentence
    author: str
    cycles: list[str]
    options: list[Option]
    geometry: Board
    preview: View


class Span(Told):
    text: str
    style: Literal["plain", "bold", "code"]


class Heading(Told):
    type: Literal["heading"]
    level: int
    text: list[Span]


class Paragraph(Told):
    type: Literal["paragraph"]
    text: list[Span]


class BulletList(Told):
    type: Literal["list"]
    items: list[list[Span]]


class Diagram(Told):
    type: Literal["diagram"]
    geometry: Board
    view: View
    arrows: list[tuple[int, int]]
    highlights: list[int]
    legal: bool
    caption: list[Span]
    options: dict[str, str]
    play: list[str]
    start: str


class Rules(Told):
    title: str
    blocks: list[Heading | Paragraph | BulletList | Diagram]


# --------------------------------------------------------------------------------------------------------------- people


class Nickname(Told):
    nickname: str | None


class Bot(Told):
    id: int
    name: str
    created: float


class NewBot(Told):
    id: int
    name: str
    token: str = Field(description="shown this once")


# ---------------------------------------------------------------------------------------------------------------- plays


class Seat(Told):
    kind: Literal["guest", "open", "engine"]
    name: str | None
    level: int | None


class WatchedSeat(Seat):
    connected: bool


class Clock(Told):
    kind: Literal["fischer", "move"]
    initial: float
    increment: float
    left: dict[PlayerKey, float]
    running: Player | None


class PlayedMove(Told):
    ply: int
    text: str
    player: Player


class Offers(Told):
    draw: Player | None
    takeback: Player | None


class Play(Told):
    id: str
    number: int = Field(description="of the last event")
    game: str
    name: Sentence
    options: dict[str, str]
    geometry: Board | None = Field(description="null in events: it does not change")
    status: Literal["waiting", "playing", "over"]
    seats: dict[PlayerKey, WatchedSeat]
    clock: Clock | None
    view: View
    history: list[PlayedMove]
    offers: Offers
    rematch: str | None
    spectators: int
    your_seats: list[Player]
    share: str = Field(description="the address of its page")


class ListedPlay(Told):
    id: str
    game: str
    status: Literal["waiting", "playing", "over"]
    turn: Player
    your_seats: list[Player]
    players: dict[PlayerKey, Seat]
    outcome: Outcome | None
    moves: int
    updated: float


class NewPlay(Told):
    id: str


class Stored(Told):
    number: int = Field(description="of the last event")


# -------------------------------------------------------------------------------------------------------------- records


class RecordedMove(Told):
    parent: int = Field(description="the number of the node before it: 0 is the start, 1 the first move of this list")
    move: str
    player: Player
    comment: str


class RecordedGame(Told):
    game: str
    options: dict[str, str]
    position: str | None
    tags: dict[str, str]
    nodes: list[RecordedMove]
    outcome: Outcome | None


class Records(Told):
    games: list[RecordedGame]


# -------------------------------------------------------------------------------------------------------------- streams


def stream(types: str) -> dict[int | str, dict[str, Any]]:
    """The answer of a route that tells one thing after another, of these types."""
    about = f"a JSON object; its `type` is one of: {types}"
    data = {"type": "string", "contentMediaType": "application/json", "description": about}
    event = {"type": "object", "properties": {"event": {"type": "string"}, "data": data}}
    return {200: {"content": {"text/event-stream": {"schema": event}}, "description": "events, until all is told"}}
