"""What the routes of people are asked and answer."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tabuleiro.server.api import WHOLE, Body, FischerClock, GameId, MoveClock, OptionTexts
from tabuleiro.server.people.passwords import MAX_PASSWORD
from tabuleiro.server.people.tables import MAX_NAME
from tabuleiro.server.schemas import Schema, Status

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
    to_keep: int = Field(description="games that were played in this browser without a card")


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


class NicknamesBody(Body):
    locked: bool


class YearBody(Body):
    name: PersonName


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


class ClassLine(Schema):
    id: str
    name: str
    school: str
    pupils: int
