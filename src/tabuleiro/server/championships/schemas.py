"""What the routes of championships are asked and answer."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, WithJsonSchema

from tabuleiro.championship.edition import FORMATS, MOST_CLOCK, MOST_MINUTES, MOST_ROUNDS
from tabuleiro.championship.model import Presence
from tabuleiro.server.api import WHOLE, Body, GameId, OptionTexts
from tabuleiro.server.people.schemas import PersonName
from tabuleiro.server.schemas import Schema, Sentence

Person = Annotated[int, Field(strict=True, ge=1, lt=2**31), WHOLE]
Whole = Annotated[int, Field(strict=True, ge=0, lt=2**31), WHOLE]
SectionId = Annotated[str, StringConstraints(max_length=40)]
GroupId = Annotated[str, StringConstraints(max_length=60)]
Reason = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=r"\S")]
#: One that is unknown is refused by what reads editions, with those there are.
Format = Annotated[
    str, StringConstraints(max_length=40), WithJsonSchema({"type": "string", "enum": [*FORMATS], "title": "Format"})
]


# -------------------------------------------------------------------------------------------------------- what is asked


class StageClock(Body):
    """How long each has for a game that is played on the site."""

    minutes: Annotated[int, Field(strict=True, ge=1, le=MOST_CLOCK), WHOLE]
    increment: Annotated[int, Field(strict=True, ge=0, le=MOST_CLOCK, description="seconds at each move"), WHOLE] = 0


class QuickBody(Body):
    """A championship of one game: the rest follows from the format."""

    game: GameId
    options: OptionTexts = Field(default_factory=dict)
    format: Format = "knockout"
    rounds: Annotated[int, Field(strict=True, ge=1, le=MOST_ROUNDS), WHOLE] | None = None
    best_of: Literal[1, 3] = 1
    minutes: Annotated[int, Field(strict=True, ge=1, le=MOST_MINUTES), WHOLE] | None = Field(
        default=None, description="of an arena"
    )
    clock: StageClock | None = None


class RehearsalBody(Body):
    """Invented people."""

    pupils: Annotated[int, Field(strict=True, ge=2, le=2000), WHOLE]
    schools: Annotated[int, Field(strict=True, ge=1, le=500), WHOLE]


class ListBody(Body):
    """Who plays: names, one on each line, or a CSV or XLSX file in base64 with a row of titles, or a class."""

    names: Annotated[str, StringConstraints(max_length=400_000)] = ""
    file: Annotated[str, StringConstraints(max_length=4_000_000)] | None = None
    class_id: Annotated[str, StringConstraints(max_length=16)] | None = None
    section: SectionId | None = Field(None, description="where names or a class go, in an edition of several sections")


class NewBody(Body):
    """A championship from a template, from a TOML file, or of one game. With a list, it is registered, and with `begin`
    drawn and its first round paired."""

    name: Annotated[str, StringConstraints(max_length=100)] = ""
    template: Annotated[str, StringConstraints(max_length=40)] | None = None
    edition: Annotated[str, StringConstraints(max_length=20_000)] | None = None
    quick: QuickBody | None = None
    entries: ListBody | None = None
    rehearsal: RehearsalBody | None = Field(None, description="a rehearsal, with people who are invented")
    begin: bool = False


class ImportBody(Body):
    file: Annotated[str, StringConstraints(max_length=4_000_000)] = Field(description="a championship file, in base64")


class PresenceBody(Body):
    section: SectionId
    persons: Annotated[list[Person], Field(min_length=1, max_length=2000)]
    presence: Presence


class SwapBody(Body):
    section: SectionId
    out: Person
    name: PersonName


class DrawBody(Body):
    section: SectionId | None = Field(None, description="without one, all that are ready")


class PairBody(Body):
    group: GroupId | None = Field(None, description="without one, all that are ready")
    again: bool = Field(False, description="mend the last round instead, after absences and late arrivals")
    pairs: Annotated[list[tuple[Person, Person | None]], Field(max_length=1000)] | None = Field(
        None, description="who meets as the arbiter says; the first of each begins"
    )
    only_ask: bool = Field(False, description="say what speaks against these pairs, and pair nobody")


class ResultBody(Body):
    group: GroupId
    round: Whole
    table: Whole
    game: Annotated[int, Field(strict=True, ge=1, le=99), WHOLE] = 1
    how: Literal["played", "forfeit", "double_forfeit", "adjudicated"] = "played"
    winner: Literal[1, 2] | None = Field(description="who begins the pairing is 1; null for a draw")
    score: tuple[Whole, Whole] | None = None
    reason: Annotated[str, StringConstraints(max_length=300)] = ""


class CorrectionBody(ResultBody):
    reason: Reason


class UndoBody(Body):
    event: Whole
    reason: Reason


class GroupBody(Body):
    group: GroupId | None = Field(None, description="without one, all of them")


class PlayoffBody(Body):
    group: GroupId
    order: Annotated[list[Person], Field(min_length=2, max_length=100)]


class SettingsBody(Body):
    section: SectionId | None = Field(None, description="without one, all that have such a stage")
    stage: Whole
    settings: Annotated[dict[str, Any], Field(max_length=20)]


class PublicationBody(Body):
    published: bool
    full_names: bool = False


class ArbiterBody(Body):
    name: PersonName
    section: SectionId = Field("", description="empty for all of them")


class EntrantCardsBody(Body):
    persons: Annotated[list[Person], Field(max_length=5000)] | None = None


# ----------------------------------------------------------------------------------------------------- what is answered


class Template(Schema):
    id: str
    name: Sentence
    sections: int
    most_entries: int = Field(description="pupils that may be registered in each section")


class ChampionshipLine(Schema):
    id: str
    name: Sentence
    rehearsal: bool
    entries: int
    groups: int
    complete: int
    open: int
    published: bool
    mine: Literal["owner", "arbiter", "player", "organiser", "guest"]


class GroupLine(Schema):
    id: str
    size: int
    round: int
    planned: int | None
    tables: int
    open: int = Field(description="pairings without a result")
    complete: bool


class StageLine(Schema):
    name: Sentence
    groups: list[GroupLine]


class PlanLine(Schema):
    name: Sentence
    format: Sentence


class Place(Schema):
    place: int
    person: int


class SectionLine(Schema):
    id: str
    name: Sentence
    game: str
    cycle: str
    cycle_name: Sentence
    options: dict[str, str]
    can_draw: bool
    entries: int
    most_entries: int = Field(description="pupils that may be registered in it")
    present: int
    plans: list[PlanLine]
    stages: list[StageLine]
    podium: list[Place] | None
    tied: list[list[int]]


class CallLine(Schema):
    call: int
    group: str
    round: int
    table: int


class PersonLine(Schema):
    name: str
    school: str
    class_: str = Field(alias="class")
    arrangements: list[Sentence] = Field(default_factory=list)


class Entry(Schema):
    person: int
    section: str
    school: int
    presence: Presence


class CheckInLine(Schema):
    """Where somebody is expected."""

    id: str
    name: Sentence
    section: str
    section_name: Sentence
    person: int
    presence: Presence


class MyTable(Schema):
    group: str
    round: int
    table: int
    game: int
    section_name: Sentence
    opponent: int
    begins: bool
    best_of: int
    session: str | None
    called: bool


class Mine(Schema):
    person: int
    table: MyTable | None


class May(Schema):
    """What the one who asks may do."""

    change: bool
    results: list[str] = Field(description="sections")
    see: bool


class Ready(Schema):
    sections: list[str] = Field(description="whose next stage can be drawn")
    groups: list[str] = Field(description="whose next round can be paired")


class Overview(Schema):
    id: str
    number: int
    name: Sentence
    rehearsal: bool
    published: bool
    full_names: bool
    check_in: bool
    sections: list[SectionLine]
    flags: list[Sentence]
    calls: list[CallLine]
    people: dict[str, PersonLine] = Field(description="those named here, by number")
    may: May
    ready: Ready
    mine: Mine | None = Field(description="of who plays in it")
    code: str | None = Field(description="typed before a pupil's own")


class GameResult(Schema):
    how: str
    winner: int | None
    score: list[int] | None = None
    reason: str = ""
    text: str


class PairingLine(Schema):
    table: int
    one: int
    two: int | None
    why: Sentence
    games: list[GameResult]
    result: str | None
    winner: int | None
    session: str | None


class PairedRound(Schema):
    number: int
    pairings: list[PairingLine]


class TieBreakName(Schema):
    id: str
    name: Sentence


class TieBreak(Schema):
    id: str
    value: str
    why: Sentence


class Summand(Schema):
    round: int
    points: str


class Standing(Schema):
    person: int
    place: int
    points: str
    sum: list[Summand]
    tie_breaks: list[TieBreak]
    tied_with: list[int]


class GroupView(Schema):
    id: str
    section: str
    section_name: Sentence
    game: str
    can_draw: bool
    stage: int
    stage_name: Sentence
    number: int
    of: int
    format: str
    format_name: Sentence
    best_of: int
    members: list[int]
    first_table: int
    planned: int | None
    complete: bool
    qualify: int
    rounds: list[PairedRound]
    tie_breaks: list[TieBreakName]
    standings: list[Standing]
    ties: list[list[int]]


class Groups(Schema):
    number: int
    whole: bool = Field(description="whether these are all of them, and not only what has changed")
    people: dict[str, PersonLine]
    groups: list[GroupView]


class Registered(Schema):
    id: str
    notes: list[Sentence] = Field(description="what is right but worth a look")


class Entries(Schema):
    number: int
    people: dict[str, PersonLine]
    entries: list[Entry]
    schools: dict[str, str]


class DoneAnswer(Schema):
    done: list[str]
    refused: list[Sentence]


class ArbiterLine(Schema):
    guest: int
    name: str
    section: str


class Appointed(Schema):
    guest: int
    link: str
    qr: str


class Seated(Schema):
    session: str | None = Field(description="of the game; null until the other one has come")


class RuleChoice(Schema):
    id: str
    name: Sentence


class StageSettings(Schema):
    """The rules of a stage, as `PUT …/settings` takes them."""

    name: Sentence
    format: str
    group_size: int | None
    rounds: int | None
    qualify: int
    best_of: int
    legs: int
    third_place: bool
    reach: int
    minutes: int | None
    clock: StageClock | None
    tie_breaks: list[str]
    criteria: list[str]
    weights: dict[str, int] | None
    unplayed: str
    drawn: bool = Field(description="then its format, and the size of its groups, stay")
    paired: bool = Field(description="then a change is flagged")


class SectionSettings(Schema):
    id: str
    name: Sentence
    stages: list[StageSettings]


class PointsTold(Schema):
    """As people write them."""

    win: str
    draw: str
    loss: str
    bye: str


class RulesView(Schema):
    name: Sentence
    points: PointsTold
    sections: list[SectionSettings]
    formats: list[RuleChoice]
    tie_breaks: list[RuleChoice]
    criteria: list[RuleChoice]
    unplayed: list[RuleChoice]


class FiguresLine(Schema):
    name: Sentence
    players: int
    games: int = Field(description="at the board; without byes and forfeits")
    on_site: int
    draws: int
    wins: int
    won_by_first: int
    podiums: int


class Figures(Schema):
    sections: list[FiguresLine]
    games: list[FiguresLine]
    cycles: list[FiguresLine]
    schools: list[FiguresLine]


class PlayedGame(Schema):
    """A game that was played on the site."""

    session: str
    group: str
    section_name: Sentence
    round: int
    table: int
    game: int
    one: int = Field(description="who began")
    two: int
    result: str = Field(description="for who began")


class PlayedGames(Schema):
    people: dict[str, PersonLine]
    games: list[PlayedGame]


class Rehearsed(Schema):
    over: bool


class LogLine(Schema):
    number: int
    kind: str
    at: float
    who: str | None
    where: str | None
    undone: bool
    reason: str
