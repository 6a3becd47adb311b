"""A championship as a stream of the log: the same numbered events as in its file, decided by `tabuleiro.championship`.

Persons are numbered within a championship, as in its file; which guest of this server is which person is kept in a
table (`store.py`). Who acted is 0 for the championship itself, a person's number for a pupil, and minus the number of
the guest for an adult of this server.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Self

from tabuleiro.championship import Championship
from tabuleiro.championship import events as pure
from tabuleiro.championship.events import Person
from tabuleiro.championship.model import Pairing, Result, Section, series_result
from tabuleiro.core import Outcome, Player
from tabuleiro.server.championships.summary import GroupSummary, Table, summarise, summary_json
from tabuleiro.server.clock import ClockRule, Pause
from tabuleiro.server.log import Decision, Event, Guest, Json, Stream
from tabuleiro.server.sessions import GameSession, House, Seat, SessionSettings

#: Who acts when a game that was played here reports its result.
ITSELF: Person = 0
#: What changes who is registered, or is there.
ENTRIES = ("created", "registered", "swapped", "presence", "erased", "undone")


class ChampionshipSettings(NamedTuple):
    """What is settled when a championship begins."""

    owner: Guest
    #: What is typed before a pupil's own code.
    code: str


@dataclass
class ChampionshipStream(Stream):
    kind: ClassVar[str] = "championship"

    id: str
    settings: ChampionshipSettings
    created: float
    championship: Championship = field(default_factory=Championship)
    #: The number of the last event that changed anything about a group or a section, and about all of them.
    changed: dict[str, int] = field(default_factory=dict)
    changed_all: int = 0
    #: That of the last one that changed who is registered, or is there.
    changed_entries: int = 0
    #: Who sits in games that are about to begin, players ONE and TWO, by the id of the session. Told, not stored.
    seats: dict[str, tuple[Guest, Guest]] = field(default_factory=dict)
    _groups: dict[str, GroupSummary] = field(default_factory=dict)

    @classmethod
    def begin(cls, stream_id: str, settings: Json, created: float) -> Self:
        return cls(stream_id, ChampionshipSettings(**settings), created)

    def settings_json(self) -> Json:
        return self.settings._asdict()

    @property
    def number(self) -> int:  # type: ignore[override]
        return self.championship.number

    def members(self) -> dict[int, Guest]:
        return {1: self.settings.owner}

    def due(self, now: float, pauses: Sequence[Pause]) -> float | None:
        return None

    def decide_due(self, now: float, pauses: Sequence[Pause]) -> Decision | None:
        return None

    def summary(self) -> Json:
        return summary_json(self.championship, self._told().values(), self.settings.owner)

    # -- what happened ----------------------------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        self.championship.apply(as_pure(event))
        self._note(event)

    def apply_all(self, events: Sequence[Event]) -> None:
        self.championship.apply_all([as_pure(event) for event in events])
        for event in events:
            self._note(event)

    def is_costly(self, event: Event) -> bool:
        return event.kind == "undone"

    def _note(self, event: Event) -> None:
        concerns = concern(event)
        if concerns is None:
            self.changed_all = event.number
        elif concerns:
            self.changed[concerns] = event.number
        if event.kind in ENTRIES:
            self.changed_entries = event.number

    def version(self, group: str) -> int:
        """Changes whenever something about a group does."""
        return max(self.changed_all, self.changed.get(group, 0))

    def section_version(self, section: Section) -> int:
        """Changes whenever something about a section, or a group of it, does."""
        groups = (group.id for stage in section.stages for group in stage.groups)
        return max(self.changed_all, *(self.changed.get(part, 0) for part in (section.plan.id, *groups)))

    def successors(self, event: Event) -> Sequence[GameSession]:
        """The game that begins at a table: what is moved stays moved, and nobody is helped."""
        if event.kind != "game_begun":
            return ()
        what = event.data["what"]
        section, stage, _ = self.championship.state.group(what["group"])
        one, two = self.seats.pop(what["session"])
        clock = stage.plan.clock
        settings = SessionSettings(
            section.plan.game,
            dict(section.plan.options),
            None,
            None if clock is None else ClockRule("fischer", 60 * clock.minutes, clock.increment),
            (Seat("guest", one), Seat("guest", two)),
            moves_stand=True,
            house=House(takebacks=False, hints=False),
            championship=self.id,
        )
        return (GameSession(what["session"], settings, event.at),)

    # -- what is so -------------------------------------------------------------------------------------------------

    def waits_for_results(self) -> bool:
        return any(group.open for group in self._told().values())

    def playing(self) -> dict[str, Table]:
        """The games played on this site whose results are not known yet, by session."""
        return {session: table for told in self._told().values() for session, table in told.playing.items()}

    def _told(self) -> dict[str, GroupSummary]:
        """What lists tell of each group; only what has changed is counted anew."""
        groups = self.championship.state.groups
        for name, (_, stage, group) in groups.items():
            known, version = self._groups.get(name), self.version(name)
            if known is None or known.version != version:
                self._groups[name] = summarise(stage, group, version)
        return {name: self._groups[name] for name in groups}

    def table_of(self, person: Person) -> tuple[Table, Pairing] | None:
        """Where somebody plays now, if they do."""
        for section in self.championship.state.sections.values():
            if person not in section.entries or not section.stages:
                continue
            stage = section.stages[-1]
            for group in stage.groups:
                if person not in group.members:
                    continue
                for turn in reversed(group.rounds):
                    for pairing in turn.pairings:
                        if person in pairing.persons and series_result(stage.plan, pairing.games) is None:
                            return Table(group.id, turn.number, pairing.table, len(pairing.games) + 1), pairing
        return None

    # -- what may happen --------------------------------------------------------------------------------------------

    def decision(self, decided: pure.Decision, who: Person) -> Decision:
        """The event to be of a decision of the championship."""
        return Decision(decided.kind, {"who": who, "what": decided.data})

    def decide(self, kind: str, what: Json, who: Person) -> Decision:
        return self.decision(self.championship.decide(kind, what), who)

    def decide_outcome(self, session: str, outcome: Outcome) -> Decision | None:
        """The result of a game that was played here; None where it is known already."""
        table = self.playing().get(session)
        if table is None:
            return None
        _, _, group = self.championship.state.group(table.group)
        pairing = group.find(table.round, table.table)
        first = pairing.starter(table.game)
        score = outcome.score
        if score is not None and first == 2:
            score = (score[1], score[0])
        winner = None
        if outcome.winner is not None:
            winner = first if outcome.winner is Player.ONE else 3 - first
        result = Result("played", 1 if winner == 1 else None if winner is None else 2, score)
        return self.decide("result", {**table.as_json(), "result": result.as_json()}, ITSELF)


def concern(event: Event) -> str | None:
    """The group, or the section, of which an event changes what is told; nothing where somebody is only called; None
    where everything may have changed."""
    what: Json = event.data["what"]
    if event.kind in ("called", "answered"):
        return ""
    if event.kind == "presence":
        return str(what["section"])
    return None if event.kind == "undone" else what.get("group")


def as_pure(event: Event) -> pure.Event:
    return pure.Event(event.number, event.kind, event.data["what"], event.data["who"], event.at)


def as_stored(event: pure.Event) -> Event:
    return Event(event.number, event.kind, {"who": event.who, "what": event.data}, event.when)
