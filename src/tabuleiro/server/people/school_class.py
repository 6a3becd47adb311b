"""A class or club: its teachers, its pupils, its house rules and its rounds, as the numbered events that made it.

Events hold numbers of guests only. As in sessions, `decide_…` says which event a wish would be, or refuses it, and
`apply` what an event changes; nothing here waits, writes or looks at the time by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

from tabuleiro import games
from tabuleiro.language import Text
from tabuleiro.server.clock import ClockRule, Pause
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.log import Decision, Event, Guest, Json, Stream
from tabuleiro.server.people.pairing import Pairing, pair
from tabuleiro.server.sessions import GameSession, House, Seat, SessionSettings

#: Seconds for which a removed pupil can be brought back.
SECOND_THOUGHTS = 7 * 24 * 3600
#: The level that the odd one plays against, where the rules of the class allow it.
ODD_LEVEL = 3
HIGHEST_LEVEL = 10


@dataclass(frozen=True)
class HouseRules:
    """What the pupils of a class may do."""

    takebacks: bool = True
    hints: bool = True
    #: Of computer players; 0: none at all.
    highest_level: int = HIGHEST_LEVEL
    #: None: all of them.
    games: tuple[str, ...] | None = None
    #: Whether pupils see ratings; teachers do.
    ratings: bool = True

    def as_json(self) -> Json:
        return {
            "takebacks": self.takebacks,
            "hints": self.hints,
            "highest_level": self.highest_level,
            "games": None if self.games is None else list(self.games),
            "ratings": self.ratings,
        }

    @classmethod
    def from_json(cls, data: Json) -> "HouseRules":
        chosen = None if data["games"] is None else tuple(data["games"])
        # Classes stored before there were ratings do not say it.
        return cls(data["takebacks"], data["hints"], data["highest_level"], chosen, data.get("ratings", True))

    def house(self) -> House:
        """What of it a session must know."""
        return House(self.takebacks, self.hints)

    def require(self, game: str, level: int | None) -> None:
        """Refuse a game, or a computer player, that the class does not allow."""
        if self.games is not None and game not in self.games:
            raise RefusedError(
                "house_rules",
                Text("a tua turma agora não joga este jogo", "your class does not play this game now"),
                403,
            )
        if level is not None and level > self.highest_level:
            raise RefusedError(
                "house_rules",
                Text("a tua turma não joga contra este nível", "your class does not play against this level"),
                403,
            )


class Round(NamedTuple):
    game: str
    pairings: tuple[Pairing, ...]
    at: float


class Ladder(NamedTuple):
    """In which game it is climbed, and how it stood when it began."""

    game: str
    order: tuple[Guest, ...]
    at: float


class ClassSettings(NamedTuple):
    """What is settled when a class begins."""

    name: str
    school: str
    cycle: str
    #: What is projected, and typed before a pupil's own code.
    code: str
    teacher: Guest
    pupils: tuple[Guest, ...]

    def as_json(self) -> Json:
        return {**self._asdict(), "pupils": list(self.pupils)}


@dataclass
class SchoolClass(Stream):
    kind: ClassVar[str] = "class"

    id: str
    settings: ClassSettings
    created: float
    number: int = 0
    rules: HouseRules = HouseRules()
    #: Whether pupils keep the names that they were given.
    nicknames_locked: bool = True
    rounds: list[Round] = field(default_factory=list)
    #: When each pupil who was removed went.
    removed: dict[Guest, float] = field(default_factory=dict)
    ladder: Ladder | None = None

    def __post_init__(self) -> None:
        self.name = self.settings.name
        self.teachers: list[Guest] = [self.settings.teacher]
        self.pupils: list[Guest] = [*self.settings.pupils]
        #: Everybody who ever belonged to it, in order; the place in lists never changes.
        self._places: dict[Guest, int] = {}
        self._seat(self.teachers)
        self._seat(self.pupils)

    def _seat(self, guests: Sequence[Guest]) -> None:
        for guest in guests:
            self._places.setdefault(guest, len(self._places) + 1)

    @classmethod
    def begin(cls, stream_id: str, settings: Json, created: float) -> Self:
        return cls(stream_id, ClassSettings(**{**settings, "pupils": tuple(settings["pupils"])}), created)

    def settings_json(self) -> Json:
        return self.settings.as_json()

    def members(self) -> dict[int, Guest]:
        return {place: guest for guest, place in self._places.items()}

    def due(self, now: float, pauses: Sequence[Pause]) -> float | None:
        return None

    def decide_due(self, now: float, pauses: Sequence[Pause]) -> Decision | None:
        return None

    def summary(self) -> Json:
        return {
            "name": self.name,
            "school": self.settings.school,
            "teachers": self.teachers,
            "pupils": self.pupils,
            "removed": [*self.removed],
            "rules": self.rules.as_json(),
            "nicknames_locked": self.nicknames_locked,
            "ladder": None if self.ladder is None else self.ladder._asdict(),
        }

    # -- what happened ----------------------------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        data: Any = event.data
        match event.kind:
            case "pupils":
                self.pupils += data["added"]
                self._seat(data["added"])
            case "remove":
                self.pupils.remove(data["pupil"])
                self.removed[data["pupil"]] = event.at
            case "bring_back":
                self.pupils.append(data["pupil"])
                del self.removed[data["pupil"]]
            case "rules":
                self.rules = HouseRules.from_json(data)
            case "nicknames":
                self.nicknames_locked = data["locked"]
            case "year":
                self.name, self.rounds, self.ladder = data["name"], [], None
            case "ladder":
                self.ladder = None if data["game"] is None else Ladder(data["game"], tuple(data["order"]), event.at)
            case "merge":
                self.pupils.remove(data["pupil"])
            case "round":
                pairings = tuple(Pairing(*pairing) for pairing in data["pairings"])
                self.rounds.append(Round(data["game"], pairings, event.at))
            case _:
                raise AssertionError(event.kind)
        self.number = event.number

    def successors(self, event: Event) -> Sequence[GameSession]:
        """The games of a round."""
        if event.kind != "round":
            return ()
        data: Any = event.data
        clock = None if data["clock"] is None else ClockRule(**data["clock"])
        sessions = []
        for pairing in (Pairing(*each) for each in data["pairings"]):
            other = Seat("engine", level=pairing.level) if pairing.two is None else Seat("guest", pairing.two)
            seats = (Seat("guest", pairing.one), other)
            rules = self.rules
            strict = not rules.takebacks and not rules.hints
            settings = SessionSettings(data["game"], data["options"], None, clock, seats, strict, rules.house())
            sessions.append(GameSession(pairing.session, settings, event.at))
        return sessions

    # -- what may happen --------------------------------------------------------------------------------------------

    def decide_pupils(self, added: Sequence[Guest]) -> Decision:
        return Decision("pupils", {"added": [*added]})

    def decide_remove(self, pupil: Guest) -> Decision:
        self.require_pupil(pupil)
        return Decision("remove", {"pupil": pupil})

    def decide_bring_back(self, pupil: Guest, now: float) -> Decision:
        if pupil not in self.removed or now > self.removed[pupil] + SECOND_THOUGHTS:
            raise RefusedError("gone", Text("já não se pode desfazer", "that can no longer be undone"), 409)
        return Decision("bring_back", {"pupil": pupil})

    def decide_rules(self, rules: HouseRules) -> Decision:
        for game in rules.games or ():
            games.get(game)
        return Decision("rules", rules.as_json())

    def decide_nicknames(self, locked: bool) -> Decision:
        return Decision("nicknames", {"locked": locked})

    def decide_ladder(self, game: str | None, order: Sequence[Guest]) -> Decision:
        """A ladder begins, those who are best first; without a game it ends."""
        if game is not None:
            games.get(game)
            self.rules.require(game, None)
        return Decision("ladder", {"game": game, "order": [*order] if game is not None else []})

    def decide_merge(self, pupil: Guest, into: Guest) -> Decision:
        """Somebody was entered twice: what the one has is the other's."""
        self.require_pupil(pupil)
        self.require_pupil(into)
        if pupil == into:
            raise RefusedError("same", Text("são a mesma entrada", "that is the same entry"), 409)
        return Decision("merge", {"pupil": pupil, "into": into})

    def decide_year(self, name: str) -> Decision:
        """A new school year: another name, the rounds begin anew, people and games stay."""
        return Decision("year", {"name": name})

    def decide_round(
        self,
        game: str,
        options: dict[str, str],
        clock: ClockRule | None,
        pupils: Sequence[Guest],
        session_ids: Sequence[str],
        seed: int,
    ) -> Decision:
        """Everybody of these plays somebody now; the odd one plays the computer, where the class allows that."""
        self.rules.require(game, None)
        for pupil in pupils:
            self.require_pupil(pupil)
        if len(pupils) < 2:
            raise RefusedError(
                "too_few", Text("são precisos pelo menos dois alunos", "at least two pupils are needed"), 409
            )
        past = [pairing for each in self.rounds for pairing in each.pairings]
        level = min(ODD_LEVEL, self.rules.highest_level)
        pairs = pair(pupils, past, seed)
        if level == 0:
            pairs = [pairing for pairing in pairs if pairing.two is not None]
        made = [
            pairing._replace(session=session, level=level if pairing.two is None else None)
            for pairing, session in zip(pairs, session_ids, strict=False)
        ]
        data = {
            "game": game,
            "options": games.get(game).options_type.parse(options).changed(),
            "clock": None if clock is None else clock.as_json(),
            "pairings": [[*pairing] for pairing in made],
        }
        return Decision("round", data)

    def require_pupil(self, guest: Guest) -> None:
        if guest not in self.pupils:
            raise RefusedError(
                "no_such_pupil", Text("não há esse aluno nesta turma", "there is no such pupil in this class"), 404
            )
