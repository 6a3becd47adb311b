"""A championship: numbered events, and the state that replaying them gives.

Nothing here waits, writes or looks at the time. Whoever keeps the log asks for a decision, makes it an `event`, writes
it down, and then applies it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Self

from tabuleiro.championship.acts import ACTS
from tabuleiro.championship.acts.results import flag_later
from tabuleiro.championship.events import Decision, Event, Json, Person, RefusedError, cancelled, refused
from tabuleiro.championship.model import State
from tabuleiro.championship.rounds import is_complete, open_pairings
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text


class Undoing(NamedTuple):
    """An undoing that was tried: what it does, and what comes of it as the next event."""

    number: int
    data: Json
    state: State


class Championship:
    def __init__(self) -> None:
        #: Only ever added to.
        self.events: list[Event] = []
        self.state = State()
        self._tried: Undoing | None = None

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Self:
        self = cls()
        self.events = list(events)
        for place, event in enumerate(self.events, start=1):
            if event.number != place:
                raise refused(f"falta o acontecimento {place}", f"event {place} is missing")
            if event.kind == "undone":
                _require_undoable(event)
        gone = cancelled(self.events)
        for event in self.events:
            if event.number not in gone:
                self._perform(event)
        return self

    @property
    def number(self) -> int:
        """Of the last event."""
        return len(self.events)

    def apply(self, event: Event) -> None:
        if event.number != self.number + 1:
            raise refused(f"falta o acontecimento {self.number + 1}", f"event {self.number + 1} is missing")
        if event.kind == "undone":
            # What was undone may lie far back: everything after it is replayed without it.
            tried, self._tried = self._tried, None
            known = tried is not None and (tried.number, tried.data) == (event.number, event.data)
            self.state = tried.state if tried is not None and known else self._without(event).state
        else:
            self._perform(event)
        self.events.append(event)

    def apply_all(self, events: Sequence[Event]) -> None:
        """Apply events one after another. All undoings among them together cost one replay."""
        if any(event.kind == "undone" for event in events):
            after = self.replay([*self.events, *events])
            self.events, self.state = after.events, after.state
        else:
            for event in events:
                self.apply(event)

    def event(self, decision: Decision, who: Person, when: float) -> Event:
        """The next event, to be written down and then applied."""
        return Event(self.number + 1, decision.kind, decision.data, who, when)

    def decide(self, kind: str, data: Json) -> Decision:
        """A decision, if the championship as it stands allows it."""
        if kind == "undone":
            self._without(Event(self.number + 1, kind, data, 0, 0.0))
        else:
            _check(self.state, kind, data)
        return Decision(kind, data)

    @classmethod
    def try_undoing(cls, events: Sequence[Event], data: Json) -> Undoing:
        """Replay everything without what is undone, or refuse. It may take long, and touches nothing but its arguments:
        a thread can do it."""
        before = cls()
        before.events = [*events]
        undoing = Event(before.number + 1, "undone", data, 0, 0.0)
        return Undoing(undoing.number, data, before._without(undoing).state)

    def decide_undoing(self, tried: Undoing) -> Decision:
        """The decision that was tried, of which the next event costs nothing more."""
        self._tried = tried
        return Decision("undone", tried.data)

    def due(self, now: float) -> float | None:
        """When somebody must look after this championship although nobody touches it: an arena ends."""
        ends = []
        for _, stage, group in self.state.groups.values():
            if stage.plan.minutes is not None and group.began is not None:
                ends.append(group.began + 60 * stage.plan.minutes)
        return min((end for end in ends if end > now), default=None)

    def summary(self, complete: int | None = None, waiting: int | None = None) -> Json:
        """The line of this championship in somebody's list. Who knows how many groups are complete and how many
        pairings wait for a result says so."""
        state = self.state
        name = state.edition.name if state.edition else Text("", "")
        groups = [(stage.plan, group) for _, stage, group in state.groups.values()]
        if complete is None:
            complete = sum(is_complete(group, plan) for plan, group in groups)
        if waiting is None:
            waiting = sum(len(open_pairings(group, plan)) for plan, group in groups)
        return {
            "name": name._asdict(),
            "rehearsal": state.rehearsal,
            "events": self.number,
            "schools": len(state.schools),
            "entries": sum(len(section.entries) for section in state.sections.values()),
            "sections": len(state.sections),
            "groups": len(groups),
            "complete": complete,
            "open": waiting,
            "flags": len(state.flags),
        }

    def _perform(self, event: Event) -> None:
        if event.kind == "undone":
            target = self.events[event.data["event"] - 1]
            if target.kind in ("result", "corrected"):
                flag_later(self.state, target.data, event)
            return
        _check(self.state, event.kind, event.data)
        ACTS[event.kind].perform(self.state, event.data, event)

    def _without(self, undoing: Event) -> "Championship":
        """The championship after an undoing; refused where something later rests on what is undone."""
        number = _require_undoable(undoing)
        if number in cancelled(self.events):
            raise refused(f"o acontecimento {number} já foi anulado", f"event {number} has been undone already")
        if self.events[number - 1].kind == "erased":
            raise refused("o que foi apagado não volta", "what was erased does not come back")
        events = [*self.events, undoing]
        gone = cancelled(events)
        trial = Championship()
        trial.events = events
        for event in events:
            if event.number in gone:
                continue
            try:
                trial._perform(event)
            except RefusedError as error:
                raise refused(
                    f"o acontecimento {event.number} depende deste: {error.text.pt}; anula-o primeiro",
                    f"event {event.number} rests on this one: {error.text.en}; undo that first",
                ) from error
        return trial


def _require_undoable(undoing: Event) -> int:
    """The number of the event that an undoing means: an earlier one, but not the first; and a reason is given."""
    number = undoing.data.get("event") if isinstance(undoing.data, Mapping) else None
    if type(number) is not int or not 1 < number < undoing.number:
        raise refused(
            "só se pode anular um acontecimento a partir do segundo",
            "only an event from the second one on can be undone",
        )
    reason = undoing.data.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise refused("para anular é preciso um motivo", "undoing needs a reason")
    return number


def _check(state: State, kind: str, data: Json) -> None:
    if kind not in ACTS:
        raise refused(f"não se conhece «{shorten(kind)}»", f"“{shorten(kind)}” is not known")
    try:
        if not isinstance(data, Mapping):
            raise TypeError
        ACTS[kind].check(state, data)
    except TabuleiroError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise refused(
            f"um acontecimento «{kind}» que não se percebe", f"an event “{kind}” that makes no sense"
        ) from error
