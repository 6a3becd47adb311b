"""What the routes of people are asked and answer."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tabuleiro.server.api import WHOLE, Body, FischerClock, GameId, MoveClock, OptionTexts
from tabuleiro.server.people.passwords import MAX_PASSWORD
from tabuleiro.server.schemas import Schema, Status
from tabuleiro.server.tables import MAX_NAME

Role = Literal["pupil", "arbiter", "teacher", "organiser"]
Guest = Annotated[int, Field(strict=True, ge=1, lt=2**31), WHOLE]
PersonName = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME, pattern=r"\S")]
Token = Annotated[str, StringConstraints(max_length=64)]
Code = Annotated[str, StringConstraints(max_length=40)]
Password = Annotated[str, StringConstraints(max_length=MAX_PASSWORD)]
Login = Annotated[str, StringConstraints(min_length=1, max_length=40)]


# ----------------------------------------------------------------------------------------------------------- signing in


class CardDoor(Body):
    by: Literal["card"]
    token: Token


class CodeDoor(Body):
    by: Literal["code"]
    class_code: Code = Field(description="of the class, as it is projected")
    code: Code = Field(description="of the card")


class PasswordDoor(Body):
    by: Literal["password"]
    login: Login
    password: Password


class LinkDoor(Body):
    by: Literal["link"]
    token: Token


class SignInBody(Body):
    door: Annotated[CardDoor | CodeDoor | PasswordDoor | LinkDoor, Field(discriminator="by")]


class ClassName(Schema):
    id: str
    name: str


class SignedIn(Schema):
    """For whom a browser acts."""

    guest: int
    name: str
    role: Role
    school: str
    classes: list[ClassName]
    by: str = Field(description="card, code, password or link")
    login: str | None = Field(description="the name to sign in with, of an adult who has a password")


class Me(Schema):
    person: SignedIn | None
    to_keep: int = Field(description="games played and tasks tried in this browser without a card")


class CheckIn(Schema):
    """Whose card was shown to an adult, who stays signed in as themselves."""

    guest: int
    name: str | None = Field(description="where the adult may know it")
    class_id: str | None


class Welcome(Me):
    check_in: CheckIn | None


class PasswordBody(Body):
    login: Login
    password: Password
    current: Password | None = None


class OneSignIn(Schema):
    id: int
    kind: str
    created: float
    used: float
    this: bool


# --------------------------------------------------------------------------------------------------------------- adults


class AdultBody(Body):
    name: PersonName
    role: Literal["arbiter", "teacher", "organiser"]


class Adult(Schema):
    guest: int
    name: str
    role: Role


class Invitation(Schema):
    guest: int
    link: str = Field(description="signs in once; shown this once")


class AuditLine(Schema):
    at: float
    guest: int
    act: str
    about: dict[str, object]


# ---------------------------------------------------------------------------------------------------------------- lobby


class PlayingNow(Schema):
    session: str
    game: str


class Seeks(Schema):
    """Would play this with anybody."""

    challenge: str
    game: str


class LobbyLine(Schema):
    guest: int
    name: str | None
    role: Role
    state: Literal["free", "playing", "away", "offline"]
    playing: PlayingNow | None
    seeks: Seeks | None
    ratings: dict[str, tuple[int, int]] = Field(description="by game: the rating, and how far it may be off")


class ChallengeLine(Schema):
    id: str
    by: int
    to: int | None
    name: str | None = Field(description="of who made it")
    game: str
    best_of: int
    seconds: float = Field(description="for which it still waits")


class Rung(Schema):
    guest: int
    name: str | None


class ClassLadder(Schema):
    """Who beats somebody up to three rungs above takes their rung."""

    game: str
    rungs: list[Rung] = Field(description="from the top")


class LobbyView(Schema):
    open: bool = Field(description="to everybody who is signed in, not to classes alone")
    people: list[LobbyLine]
    challenges: list[ChallengeLine]
    ladders: list[ClassLadder]
    games: list[GameId] = Field(description="those that the rules of your classes let you begin")


class ChallengeBody(Body):
    to: Guest | None = Field(None, description="null: anybody of those you may meet")
    game: GameId
    options: OptionTexts = Field(default_factory=dict)
    clock: Annotated[FischerClock | MoveClock, Field(discriminator="kind")] | None = None
    best_of: Literal[1, 3] = 1


class Challenged(Schema):
    challenge: str
    seconds: float = Field(description="for which it waits")
    session: str | None = Field(description="the game, if one began at once")


class Accepted(Schema):
    session: str = Field(description="the game that began")


class SiteSettings(Schema):
    open_lobby: bool = Field(description="people of different classes meet; guests never do")
    short_names: bool = Field(description="others see first name and initial only")
    keep_months: int = Field(description="without a sign of somebody, after which everything about them is erased")


class SiteSettingsBody(Body):
    open_lobby: bool
    short_names: bool
    keep_months: Annotated[int, Field(strict=True, ge=1, le=120), WHOLE]


# -------------------------------------------------------------------------------------------------------------- classes


class RosterBody(Body):
    names: Annotated[str, StringConstraints(max_length=30_000)] = Field("", description="a name on each line")
    file: Annotated[str, StringConstraints(max_length=60_000)] | None = Field(
        None, description="CSV or XLSX, as base64, instead"
    )


class ClassBody(RosterBody):
    name: PersonName
    school: Annotated[str, StringConstraints(max_length=MAX_NAME)] = ""
    cycle: Literal["", "1", "2", "3", "sec"] = ""


class CardsBody(Body):
    pupils: Annotated[list[Guest], Field(max_length=300)] | None = Field(None, description="null: all of them")


class RulesBody(Body):
    takebacks: bool
    hints: bool
    highest_level: Annotated[int, Field(strict=True, ge=0, le=10), WHOLE]
    games: Annotated[list[GameId], Field(max_length=40)] | None
    ratings: bool = True


class NicknamesBody(Body):
    locked: bool


class YearBody(Body):
    name: PersonName


class LadderBody(Body):
    game: GameId | None = Field(description="null: the ladder ends")


class MergeBody(Body):
    into: Guest


class RoundBody(Body):
    game: GameId
    options: OptionTexts = Field(default_factory=dict)
    clock: Annotated[FischerClock | MoveClock, Field(discriminator="kind")] | None = None
    pupils: Annotated[list[Guest], Field(max_length=300)] | None = Field(None, description="null: all who are here")


class PrintedCard(Schema):
    """Shown this once: only hashes are kept."""

    guest: int
    name: str
    code: str
    link: str = Field(description="what the QR code says")
    qr: str = Field(description="a picture, as a data address")


class PrintedCards(Schema):
    id: str
    class_code: str
    address: str = Field(description="where the short code is typed")
    cards: list[PrintedCard]


class PupilGame(Schema):
    session: str
    game: str
    status: Status
    against: str | None = Field(description="null: the computer")
    level: int | None


class PupilLine(Schema):
    guest: int
    name: str
    shown: str | None
    here: bool
    ratings: dict[str, tuple[int, int]] = Field(description="by game: the rating, and how far it may be off")
    playing: PupilGame | None
    played: int
    won: int
    drawn: int


class RemovedPupil(Schema):
    guest: int
    name: str
    until: float = Field(description="when it can no longer be undone")


class RoundGame(Schema):
    session: str
    one: int
    two: int | None
    level: int | None
    status: Status
    winner: int | None


class RoundLine(Schema):
    number: int
    game: str
    at: float
    games: list[RoundGame]


class HouseRules(Schema):
    takebacks: bool
    hints: bool
    highest_level: int
    games: list[str] | None
    ratings: bool = Field(description="whether pupils see ratings")


class ClassView(Schema):
    id: str
    number: int
    name: str
    school: str
    code: str
    rules: HouseRules
    nicknames_locked: bool
    pupils: list[PupilLine]
    removed: list[RemovedPupil]
    rounds: list[RoundLine]
    ladder: ClassLadder | None


class ClassLine(Schema):
    id: str
    name: str
    school: str
    pupils: int


# ------------------------------------------------------------------------------------------------------------- profiles


class Count(Schema):
    played: int
    won: int
    drawn: int


class GameCount(Count):
    game: str


class OpponentCount(Count):
    guest: int | None
    level: int | None = Field(description="of the computer")
    name: str | None = Field(description="null: the computer, or somebody who was erased")


class RatingPoint(Schema):
    at: float
    rating: int
    give_or_take: int


class RatingLine(Schema):
    game: str
    rating: int
    give_or_take: int
    points: list[RatingPoint] = Field(description="after each rated game, the oldest first")


class Streak(Schema):
    """Games won one after the other."""

    now: int
    best: int


class Profile(Schema):
    guest: int
    name: str
    shown: str | None
    role: Role
    school: str
    classes: list[ClassName]
    ratings: list[RatingLine] | None = Field(description="null: the teacher does not show them")
    games: list[GameCount]
    opponents: list[OpponentCount]
    streak: Streak


class ProfileGame(Schema):
    id: str
    game: str
    at: float
    guest: int | None
    level: int | None
    name: str | None
    result: Literal["won", "lost", "drawn", "open"]
    plies: int


class ProfileGames(Schema):
    games: list[ProfileGame]
    more: bool
