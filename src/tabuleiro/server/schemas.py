"""What the routes answer and the WebSocket says, described for OpenAPI. The answers themselves are written elsewhere,
and quickly; the tests hold them to this."""

from collections.abc import Collection
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from typing_extensions import TypeAliasType

from tabuleiro.core import MAX_MOVE_LENGTH
from tabuleiro.learn.coach import STEPS
from tabuleiro.server.sessions import ACTIONS, KINDS, MAX_TOUCHED


def _known(names: Collection[str]) -> AfterValidator:
    def check(name: str) -> str:
        if name not in names:
            raise ValueError(name)
        return name

    return AfterValidator(check)


TOLD_KINDS = (*KINDS, "presence", "rename")

#: Types with a name of their own in the description.
Player = TypeAliasType("Player", Literal[1, 2])
Action = TypeAliasType("Action", Annotated[str, _known(ACTIONS), Field(json_schema_extra={"enum": [*ACTIONS]})])
#: Comings and goings (`presence`) and new names (`rename`) are told as they happen, and are not kept.
EventKind = TypeAliasType(
    "EventKind", Annotated[str, _known(TOLD_KINDS), Field(json_schema_extra={"enum": [*TOLD_KINDS]})]
)
Status = TypeAliasType("Status", Literal["waiting", "playing", "over"])
Point = tuple[float, float]


class Schema(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Sentence(Schema):
    pt: str
    en: str


class Problem(Schema):
    code: str = Field(description="for programs, as `illegal_move`")
    text: Sentence = Field(description="for people, in both languages")


class Refusal(Schema):
    """Every refusal looks like this. What was refused has changed nothing."""

    error: Problem


#: The same, for routes that else answer with something that is not JSON.
REFUSED: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}


class Nothing(Schema):
    """Done; there is nothing to tell."""


class Health(Schema):
    ok: bool
    database: bool
    engines: bool
    disk: bool
    sessions: int
    connections: int


class Site(Schema):
    address: str = Field(description="where others reach it, as `http://192.168.1.5:8000`")


# ------------------------------------------------------------------------------------------------- boards and positions


class Cell(Schema):
    name: str
    x: float
    y: float


class Label(Schema):
    text: str
    x: float
    y: float
    kind: Literal["coordinate", "row_number"] = Field(description="of a cell's name, or the rules' number of a row")


class Edge(Schema):
    colour: str
    points: list[Point]


class Owned(Schema):
    colour: str
    cells: list[int]


class Board(Schema):
    """Where everything is drawn: neighbouring cells are one apart, y points down. Cells are known by their numbers."""

    kind: Literal["square", "rhombus", "hexagon", "pits"]
    cells: list[Cell]
    outline: list[Point] = Field(description="the corners of one cell around its centre; empty for round pits")
    labels: list[Label]
    edges: list[Edge] = Field(description="sides of the board that belong to a colour")
    lines: list[tuple[Point, Point]]
    owned: list[Owned] = Field(description="cells that belong to a colour")
    steps: dict[str, list[int | None]] = Field(description="by direction: the neighbour of each cell")


class Piece(Schema):
    symbol: str
    kind: str
    colour: str
    count: int
    name: Sentence


class StandingPiece(Piece):
    cell: int


class Mark(Schema):
    cell: int
    text: str


class Move(Schema):
    text: str
    clicks: list[int] = Field(description="the cells to touch, in order; none for a move that is a button")
    motions: list[tuple[int, int]] = Field(description="what travels from where to where")


class Reason(Sentence):
    code: str


class Outcome(Schema):
    winner: Player | None = Field(description="null for a draw")
    reason: Reason = Field(description="why, about those it happened to: `as Brancas não têm jogada`")
    text: Sentence = Field(description="the whole sentence: `Ganharam as Negras: as Brancas não têm jogada.`")
    score: tuple[int, int] | None
    cells: list[int] = Field(description="where the end is seen: the winning line, the path, the king; none in lists")
    motions: list[tuple[int, int]] = Field(
        description="what is collected at the end: from where to where; none in lists"
    )


class Colours(Schema):
    """The colour of each player's pieces; null where all pieces are everybody's."""

    one: str | None = Field(alias="1")
    two: str | None = Field(alias="2")


class View(Schema):
    """One position: all that a board needs."""

    position: str
    turn: Player
    colours: Colours
    pieces: list[StandingPiece]
    marks: list[Mark]
    moves: list[Move] = Field(description="the legal moves; none when the game is over")
    last: Move | None
    outcome: Outcome | None
    score: tuple[int, int] | None
    score_text: Sentence | None = Field(description="the score in words, saying what is counted")
    can_draw: bool
    no_agreement: Sentence | None = Field(description="why the players may not agree to end the game; null if they may")
    agreement: Outcome | None = Field(description="how the game would end if they agreed now")
    prompt: Sentence | None
    description: Sentence
    text: Sentence | None = Field(description="the board in plain text; null in events")


class Dangers(Schema):
    """What the opponent could do at once, were it their turn."""

    attacked: list[int] = Field(description="cells whose pieces or seeds could be captured")
    wins: list[str] | None = Field(description="moves that would win; null where no hints are given")


class Why(Schema):
    """Why a move cannot be made."""

    text: Sentence | None = Field(description="null if it can be made, or if a legal move begins so")


class PositionAnswer(Schema):
    geometry: Board
    view: View


class Choice(Schema):
    value: str
    name: Sentence


class EditorField(Schema):
    label: Sentence
    choices: list[Choice] = Field(description="none where a number is wanted")
    pair: tuple[Sentence, Sentence] | None = Field(description="the names of the two numbers that are wanted")


class Editor(Schema):
    """What may be chosen to set a position up, and what a position given has there."""

    geometry: Board
    marks: list[Mark]
    pieces: list[Piece]
    cells: list[str]
    values: list[str]
    fields: list[EditorField]


# ---------------------------------------------------------------------------------------------------------------- games


class Option(Schema):
    name: str
    default: str
    values: list[str]
    names: dict[str, Sentence] = Field(description="what people call each of the values")
    official: bool = Field(description="whether the default is what the rule sheet asks for, and not our ruling")
    numbers: tuple[int, int] | None = Field(description="the smallest and the largest, where numbers may be chosen")
    help: Sentence


class CardLine(Schema):
    label: Sentence
    text: Sentence


class Game(Schema):
    id: str
    name: Sentence
    summary: Sentence
    goal: Sentence = Field(description="what both players try to do, in one sentence")
    first_steps: list[Sentence] = Field(description="what can be done and how, for a first game")
    author: str
    cycles: list[str]
    card: list[CardLine] = Field(description="material, inventor, age, duration, championship, as the rule sheet says")
    legend: list[Sentence] = Field(description="signs on the board that do not explain themselves")
    options: list[Option]
    geometry: Board
    preview: View


class Span(Schema):
    text: str
    style: Literal["plain", "bold", "code"]


class Heading(Schema):
    type: Literal["heading"]
    level: int
    text: list[Span]


class Paragraph(Schema):
    type: Literal["paragraph"]
    text: list[Span]


class BulletList(Schema):
    type: Literal["list"]
    items: list[list[Span]]


class Region(Schema):
    cells: list[int]
    label: str


class CellText(Schema):
    cell: int
    text: str


class Overlay(Schema):
    """What is drawn over a board to show its mathematics."""

    dominoes: list[tuple[int, int]]
    regions: list[Region]
    values: list[CellText] = Field(description="short texts on cells")


class Diagram(Schema):
    type: Literal["diagram"]
    geometry: Board
    view: View
    arrows: list[tuple[int, int]]
    highlights: list[int]
    numbers: list[int] = Field(description="cells in the order in which their numbers, from 1 on, are written on them")
    legal: bool
    overlay: Overlay
    live: list[str] = Field(description="what is drawn anew after each move (`POST /api/v1/live`)")
    caption: list[Span]
    options: dict[str, str]
    moves: list[str]
    start: str


class Rules(Schema):
    title: str
    blocks: list[Heading | Paragraph | BulletList | Diagram]


# --------------------------------------------------------------------------------------------------------------- people


class Nickname(Schema):
    nickname: str | None


class Bot(Schema):
    id: int
    name: str
    created: float


class NewBot(Schema):
    id: int
    name: str
    token: str = Field(description="shown this once")


# ------------------------------------------------------------------------------------------------------------- sessions


class Seat(Schema):
    """Who sits there."""

    kind: Literal["guest", "open", "engine"]
    name: str | None
    erased: bool = Field(description="whether they had everything about them erased")
    level: int | None = Field(description="of a computer player")
    connected: bool


class Seats(Schema):
    """The seats of players 1 and 2."""

    one: Seat = Field(alias="1")
    two: Seat = Field(alias="2")


class SecondsLeft(Schema):
    """The seconds that players 1 and 2 have left."""

    one: float = Field(alias="1")
    two: float = Field(alias="2")


class Clock(Schema):
    kind: Literal["fischer", "move"]
    initial: float
    increment: float
    left: SecondsLeft
    running: Player | None


class MoveMade(Schema):
    ply: int
    text: str
    player: Player


class Offers(Schema):
    draw: Player | None
    takeback: Player | None


class Series(Schema):
    """Games that are counted together, this one included once it is over."""

    best_of: int
    played: int
    points: tuple[float, float] = Field(description="of players 1 and 2")
    decided: bool


class GameSession(Schema):
    id: str
    number: int = Field(description="of the last event")
    game: str
    name: Sentence
    options: dict[str, str]
    goal: Sentence = Field(description="what both players try to do, in one sentence")
    first_steps: list[Sentence] | None = Field(description="what can be done and how, for a first game; null in events")
    legend: list[Sentence] = Field(description="signs on the board that do not explain themselves")
    geometry: Board | None = Field(description="null in events: it does not change")
    status: Status
    seats: Seats
    clock: Clock | None
    moves_stand: bool = Field(description="nothing is taken back, no hints are given")
    coach: bool = Field(description="a coach asks before something proven is thrown away, and helps in steps")
    championship: str | None = Field(description="of which it is a game, if it is one's")
    view: View
    history: list[MoveMade]
    offers: Offers
    claim_in: float | None = Field(
        description="seconds until the win may be claimed (`claim`) from the player to move, who is away"
    )
    rematch: str | None
    series: Series | None
    spectators: int
    your_seats: list[Player]
    share: str = Field(description="the address of its page")


class SessionSummary(Schema):
    id: str
    game: str
    status: Status
    turn: Player
    your_seats: list[Player]
    seats: Seats
    outcome: Outcome | None
    plies: int
    updated: float


class SessionList(Schema):
    sessions: list[SessionSummary]


class NewSession(Schema):
    id: str


class Stored(Schema):
    number: int = Field(description="of the last event")


# -------------------------------------------------------------------------------------------------------------- records


class RecordedMove(Schema):
    parent: int = Field(description="the number of the node before it: 0 is the start, 1 the first move of this list")
    move: str
    player: Player
    comment: str


class RecordedGame(Schema):
    game: str
    options: dict[str, str]
    position: str | None
    tags: dict[str, str]
    nodes: list[RecordedMove]
    outcome: Outcome | None


class Records(Schema):
    games: list[RecordedGame]


# ------------------------------------------------------------------------------------------------------- the WebSocket

Ref = TypeAliasType("Ref", int | Annotated[str, Field(max_length=64)] | None)


class MoveMessage(Schema):
    type: Literal["move"]
    ply: int = Field(description="how many moves you have seen")
    move: str = Field(description="as in `view.moves[].text`")
    sure: bool = Field(default=False, description="in a game with a coach: make it whatever the coach thinks of it")
    ref: Ref = Field(default=None, description="comes back with the answer")


class ActionMessage(Schema):
    type: Action
    ref: Ref = None


class WhyRequest(Schema):
    """Asks why a move cannot be made: the cells touched so far, or a move as it is written."""

    type: Literal["why"]
    cells: list[int] | None = Field(default=None, max_length=MAX_TOUCHED, description="in the order they were touched")
    move: str | None = Field(default=None, max_length=MAX_MOVE_LENGTH)
    ref: Ref = None


class WhyNot(Schema):
    type: Literal["why_not"]
    ref: Ref
    text: Sentence | None = Field(description="null if it can be made, or if a legal move begins so")


class HintRequest(Schema):
    type: Literal["hint"]
    ref: Ref = None


class CoachRequest(Schema):
    """In a game with a coach: the next step of help, or why a move would throw something away."""

    type: Literal["coach"]
    step: int | None = Field(default=None, ge=1, le=STEPS, description="1 a question, 2 cells, 3 the move")
    move: str | None = Field(default=None, max_length=MAX_MOVE_LENGTH, description="instead: the move that was doubted")
    ref: Ref = None


class Ping(Schema):
    type: Literal["ping"]


class SessionMessage(Schema):
    """How things stand: the first message, and the one after an error with the code `stale`."""

    type: Literal["session"]
    session: GameSession


class EventMessage(Schema):
    """What has happened, with the session as it is now; its board and its text are left out, they are in the first
    message."""

    type: Literal["event"]
    number: int | None = Field(description="null for what is not kept: comings, goings, new names")
    kind: EventKind
    session: GameSession


class MovesChanged(Schema):
    kept: int = Field(description="how many of the first moves are as they were")
    moves: list[MoveMade] = Field(description="those that follow them now")


class SessionChange(Schema):
    """What may have changed in a session since the last message; all else is as it was."""

    number: int = Field(description="of the last event")
    status: Status
    seats: Seats
    clock: Clock | None
    view: View | None = Field(default=None, description="left out while the position is the same")
    history: MovesChanged
    offers: Offers
    claim_in: float | None
    rematch: str | None
    series: Series | None
    spectators: int
    your_seats: list[Player]
    share: str = Field(description="the address of its page")


class ChangeMessage(Schema):
    """What has happened, for those who came with `changes=1`; where more may have changed, they get an `event`."""

    type: Literal["change"]
    number: int | None = Field(description="null for what is not kept: comings, goings, new names")
    kind: EventKind
    session: SessionChange


class Acknowledgement(Schema):
    """What was asked for is stored; the event with this number tells it."""

    type: Literal["ack"]
    ref: Ref
    number: int


class ErrorMessage(Problem):
    """A refusal; it has changed nothing. One with the code `stale` is followed by a `session` message."""

    type: Literal["error"]
    ref: Ref


class Hint(Schema):
    type: Literal["hint"]
    ref: Ref
    move: str
    clicks: list[int]


class CoachMessage(Schema):
    """What the coach says. A `doubt` answers a move, which was not made; it is, when sent again with `sure`."""

    type: Literal["coach"]
    ref: Ref
    about: Literal["doubt", "why", "step"]
    text: Sentence
    ply: int = Field(description="how many moves were made when it was said")
    step: int | None
    move: str | None
    cells: list[int]


class Pong(Schema):
    type: Literal["pong"]


class Erased(Schema):
    """The last message: a player has erased the session."""

    type: Literal["erased"]


ClientMessage = TypeAliasType(
    "ClientMessage", MoveMessage | ActionMessage | WhyRequest | HintRequest | CoachRequest | Ping
)
ServerMessage = TypeAliasType(
    "ServerMessage",
    SessionMessage
    | EventMessage
    | ChangeMessage
    | Acknowledgement
    | ErrorMessage
    | WhyNot
    | Hint
    | CoachMessage
    | Pong
    | Erased,
)


# -------------------------------------------------------------------------------------------------------------- streams


class Score(Schema):
    """For the player to move."""

    worth: Literal["win", "draw", "loss"] | None = Field(description="where it is proven")
    plies: int | None = Field(description="to the end, where that is known")
    points: float | None
    chance: float = Field(description="of winning, from 0 to 1")


class AnalysedLine(Schema):
    score: Score
    moves: list[str]
    clicks: list[int] = Field(description="the cells that the first move touches")
    prior: float | None = Field(
        description="how much the first move was trusted before any search, as by a neural net, from 0 to 1"
    )


class Finding(Schema):
    """What is known of a position, the best lines first."""

    type: Literal["position"]
    turn: Player
    score: Score
    lines: list[AnalysedLine]
    exact: bool
    over: bool
    depth: int
    nodes: int


class AnalysedPosition(Finding):
    seconds: float
    done: bool


class ReportedPosition(Finding):
    ply: int


class JudgedMove(Schema):
    ply: int
    player: Player
    move: str
    fault: Literal["inaccuracy", "mistake", "blunder", "threw_win", "threw_draw"] | None
    gave: float = Field(description="the chance of winning that it gave away, from 0 to 1")
    better: str | None
    loses: bool


class Verdict(Schema):
    type: Literal["verdict"]
    moves: list[JudgedMove]
    losing: int | None = Field(description="the ply of the move that lost")
    hastened: int | None = Field(description="the ply of the move that brought the end of a lost game nearest")
    words: list[Sentence] = Field(description="the game in a few sentences, once all is done")
    done: bool


class StreamError(Problem):
    type: Literal["error"]


AnalysisEvent = TypeAliasType("AnalysisEvent", AnalysedPosition | StreamError)
ReportEvent = TypeAliasType("ReportEvent", ReportedPosition | Verdict | StreamError)
#: What is said otherwise than as the answer of a route: described beside the routes.
MESSAGES: tuple[Any, ...] = (ClientMessage, ServerMessage, AnalysisEvent, ReportEvent)


def stream(event: Any) -> dict[int | str, dict[str, Any]]:
    """The answer of a route that tells one thing after another."""
    data = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"$ref": f"#/components/schemas/{event.__name__}"},
        "description": f"a JSON object: `{event.__name__}`",
    }
    shape = {"type": "object", "properties": {"event": {"type": "string"}, "data": data}}
    return {200: {"content": {"text/event-stream": {"schema": shape}}, "description": "events, until all is told"}}
