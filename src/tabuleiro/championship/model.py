"""What a championship is made of: sections, stages, groups, rounds, pairings, results.

Plain data. `acts` changes it, `standings` counts it, `championship` holds it together.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from tabuleiro.championship.edition import Edition, SectionPlan, StagePlan
from tabuleiro.championship.events import Json, Person, refused
from tabuleiro.core import shorten

Presence = Literal["expected", "present", "absent", "withdrawn"]
How = Literal["played", "forfeit", "double_forfeit", "adjudicated", "bye"]
HOWS: tuple[How, ...] = ("played", "forfeit", "double_forfeit", "adjudicated", "bye")
Seat = Literal[1, 2]


@dataclass(frozen=True)
class Result:
    """How one game of a pairing ended."""

    how: How
    #: The seat of the pairing (1 or 2) that won; None for a draw, and for nobody in a double forfeit.
    winner: Seat | None
    #: What the game itself counts (seeds, marbles), of the seats 1 and 2.
    score: tuple[int, int] | None = None
    reason: str = ""

    @property
    def was_played(self) -> bool:
        return self.how in ("played", "adjudicated")

    def as_json(self) -> Json:
        data: Json = {"how": self.how, "winner": self.winner}
        if self.score is not None:
            data["score"] = list(self.score)
        if self.reason:
            data["reason"] = self.reason
        return data

    @classmethod
    def from_json(cls, data: Json) -> "Result":
        how, winner, score = data["how"], data["winner"], data.get("score")
        reason = data.get("reason", "")
        if how not in HOWS or winner not in (None, 1, 2) or type(winner) is bool or not isinstance(reason, str):
            raise ValueError(how)
        if (how == "double_forfeit" and winner is not None) or (how in ("forfeit", "bye") and winner is None):
            raise ValueError(how)
        if score is not None and (len(score) != 2 or not all(type(n) is int and 0 <= n <= 10_000 for n in score)):
            raise ValueError(score)
        return cls(how, winner, None if score is None else (score[0], score[1]), reason)


@dataclass
class Pairing:
    """Two pupils at a table, or one who has a bye."""

    table: int
    #: Who begins; in a series, who begins the first game. They take turns at it.
    one: Person
    two: Person | None
    #: How the pairing came about, as `reasons` tells it.
    why: Json
    games: list[Result] = field(default_factory=list)
    #: Where games of it are played on a site: the id of each, by its number from 1.
    sessions: dict[int, str] = field(default_factory=dict)

    @property
    def persons(self) -> tuple[Person, ...]:
        return (self.one,) if self.two is None else (self.one, self.two)

    def seat_of(self, person: Person) -> Seat:
        return 1 if person == self.one else 2

    def starter(self, game: int) -> Seat:
        """Who begins the nth game, n from 1."""
        return 1 if game % 2 else 2

    def as_json(self) -> Json:
        return {"table": self.table, "one": self.one, "two": self.two, "why": self.why}


def series_result(plan: StagePlan, games: list[Result]) -> Result | None:
    """What a pairing has come to, or None while it goes on.

    In formats that decide, a series goes on until somebody has the majority of its games or, after them, leads; who
    does not come loses it all.
    """
    if not games:
        return None
    last = games[-1]
    if not plan.decides or last.how in ("forfeit", "double_forfeit", "bye"):
        return last
    won = {seat: sum(game.winner == seat for game in games) for seat in (1, 2)}
    needed = plan.best_of // 2 + 1
    if max(won.values()) >= needed or (len(games) >= plan.best_of and won[1] != won[2]):
        return Result(last.how, 1 if won[1] > won[2] else 2)
    return None


@dataclass
class Round:
    number: int
    pairings: list[Pairing]


@dataclass
class Group:
    id: str
    #: In the order of the draw, or of the ladder at its beginning; who left stays listed.
    members: list[Person]
    first_table: int
    rounds: list[Round] = field(default_factory=list)
    #: Members who came late: the first round they could play.
    joined: dict[Person, int] = field(default_factory=dict)
    #: Orders in which play-offs ended.
    playoffs: list[list[Person]] = field(default_factory=list)
    #: Numbers drawn by lot; the lowest comes first.
    lots: dict[Person, int] = field(default_factory=dict)
    #: When it was paired first, for arenas, in seconds since 1970.
    began: float | None = None

    def pairings(self) -> Iterator[tuple[Round, Pairing]]:
        return ((turn, pairing) for turn in self.rounds for pairing in turn.pairings)

    def find(self, number: int, table: int) -> Pairing:
        for turn in self.rounds:
            for pairing in turn.pairings if turn.number == number else ():
                if pairing.table == table:
                    return pairing
        raise refused(
            f"no grupo {self.id}, na jornada {number}, não há mesa {table}",
            f"group {self.id} has no table {table} in round {number}",
        )


@dataclass
class Stage:
    plan: StagePlan
    groups: list[Group]


@dataclass
class Entry:
    person: Person
    school: int
    presence: Presence = "expected"


@dataclass
class Section:
    plan: SectionPlan
    #: As the edition says, and as it was changed since.
    stage_plans: list[StagePlan]
    entries: dict[Person, Entry] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)


@dataclass(frozen=True)
class School:
    id: int
    name: str
    region: str
    teachers: tuple[Person, ...] = ()


@dataclass(frozen=True)
class Flag:
    """Something that was changed after something else had been built on it."""

    #: The number of the event that changed it.
    event: int
    kind: Literal["later_round", "later_stage", "settings"]
    where: str
    round: int | None = None
    table: int | None = None


@dataclass(frozen=True)
class Call:
    """Somebody at a table has called the arbiter."""

    #: The number of the event.
    event: int
    group: str
    round: int
    table: int


@dataclass
class State:
    """Everything, as it stands after some events."""

    edition: Edition | None = None
    seed: int = 0
    rehearsal: bool = False
    schools: dict[int, School] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    groups: dict[str, tuple[Section, Stage, Group]] = field(default_factory=dict)
    flags: list[Flag] = field(default_factory=list)
    erased: set[Person] = field(default_factory=set)
    #: Those that no arbiter has answered yet.
    calls: list[Call] = field(default_factory=list)
    #: Whether anybody may look at it, and whether they read whole names.
    published: bool = False
    full_names: bool = False

    @property
    def rules(self) -> Edition:
        if self.edition is None:
            raise refused("o campeonato ainda não existe", "the championship does not exist yet")
        return self.edition

    def section(self, name: str) -> Section:
        if name not in self.sections:
            known = ", ".join(self.sections)
            raise refused(
                f"não há nenhuma secção «{shorten(str(name))}»; há: {known}",
                f"there is no section “{shorten(str(name))}”; there are: {known}",
            )
        return self.sections[name]

    def group(self, name: str) -> tuple[Section, Stage, Group]:
        if name not in self.groups:
            raise refused(f"não há nenhum grupo «{shorten(str(name))}»", f"there is no group “{shorten(str(name))}”")
        return self.groups[name]

    def entry(self, section: Section, person: Person) -> Entry:
        if person not in section.entries:
            raise refused(
                f"a pessoa {person} não está inscrita em {section.plan.id}",
                f"person {person} is not registered in {section.plan.id}",
            )
        return section.entries[person]

    def plays(self, entry: Entry) -> bool:
        """Whether a pupil is there to be paired."""
        return entry.presence == "present" or (entry.presence == "expected" and not self.rules.check_in)


def group_id(section: Section, stage: int, number: int) -> str:
    """As `ouri-2/1/7`: section, stage and group, both from 1."""
    return f"{section.plan.id}/{stage}/{number}"
