"""What is worked out of championships in a process apart (`jobs.py`): draws, pairings, standings, tables and files.

A worker keeps a replica of each championship that it was asked about, which it is sent the events of, and later those
since. Light: workers import this, and none of the server.
"""

from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

import orjson

from tabuleiro.championship import decisions, report
from tabuleiro.championship.championship import Championship
from tabuleiro.championship.decisions import Warned
from tabuleiro.championship.edition import MOST_SECTIONS, load_edition
from tabuleiro.championship.events import Decision, Event, Json, Person
from tabuleiro.championship.figures import figures
from tabuleiro.championship.file import read_data
from tabuleiro.championship.model import Group, Section, State
from tabuleiro.championship.people import Details
from tabuleiro.championship.registration import Registration, RegistrationError, read_registration, require_room
from tabuleiro.championship.rehearsal import invent_table
from tabuleiro.championship.toml import as_it_stands, write_edition
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Language, Text
from tabuleiro.server.championships import lists
from tabuleiro.server.championships.group_json import Ready, group_json, ready_in, section_json
from tabuleiro.server.championships.summary import summarise, summary_json
from tabuleiro.server.files import decoded, too_large
from tabuleiro.server.jobs import READ_CPU_S, WORK_CPU_S, Job
from tabuleiro.server.kept import kept_json
from tabuleiro.sheets import TooLargeError, write_csv, write_xlsx

T_co = TypeVar("T_co", covariant=True)

#: Replicas that a worker keeps, and the events of all of them together.
MOST_REPLICAS, MOST_REPLICA_EVENTS = 16, 100_000
#: What weighs no more takes some four milliseconds, so who asks does it at once. A unit is a player or a pairing to
#: look at, ten microseconds; a round of 32 players weighs 300.
SMALL = 400
#: The weight of what is never done at once, because it reads what somebody sent or imports much.
HEAVY = 1 << 30


# ------------------------------------------------------------------------------------------------------ on a replica


class Work(Job[T_co]):
    """Something to be worked out of a championship, wherever that is."""

    @abstractmethod
    def work(self, championship: Championship) -> T_co: ...

    @abstractmethod
    def weight(self, state: State) -> int:
        """How much there is to do, in units of `SMALL`."""

    def answer(self, stop: Callable[[], bool]) -> T_co:
        raise NotImplementedError("a work is done on a replica")


class Missing(NamedTuple):
    """The answer of a worker whose replica has fewer events than were taken for known."""

    known: int


@dataclass(frozen=True)
class OnReplica(Job[Any]):
    """Some events of a championship, after those that the replica should have, and what is to be worked out then."""

    stream: str
    #: The number of the last event that the replica should have, and when that one happened.
    base: int
    at: float
    events: Sequence[Event]
    #: None: other events follow first.
    wanted: Work[Any] | None

    @property
    def game(self) -> str:
        return type(self.wanted).__name__

    @property
    def cpu_s(self) -> float:
        return WORK_CPU_S if self.wanted is None else self.wanted.cpu_s

    def answer(self, stop: Callable[[], bool]) -> Any:
        championship = _replicas.take(self.stream, self.base, self.at)
        if championship.number < self.base:
            return Missing(championship.number)
        championship.apply_all(self.events[championship.number - self.base :])
        _replicas.keep(self.stream, championship)
        return None if self.wanted is None else self.wanted.work(championship)


class _Replicas:
    """The championships that this worker knows, the least recently used first."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Championship] = OrderedDict()

    def take(self, stream: str, base: int, at: float) -> Championship:
        """A championship, to be given back by `keep`; an empty one where none is known whose event `base` is that."""
        known = self._known.pop(stream, None)
        if known is None or (0 < base <= known.number and known.events[base - 1].when != at):
            return Championship()
        if base > known.number:
            self._known[stream] = known
        return known

    def keep(self, stream: str, championship: Championship) -> None:
        self._known[stream] = championship
        while len(self._known) > 1 and (
            len(self._known) > MOST_REPLICAS or sum(each.number for each in self._known.values()) > MOST_REPLICA_EVENTS
        ):
            self._known.popitem(last=False)


_replicas = _Replicas()


def _size(group: Group) -> int:
    return len(group.members) + sum(len(turn.pairings) for turn in group.rounds)


def _section_size(section: Section) -> int:
    return len(section.entries) + sum(_size(group) for stage in section.stages for group in stage.groups)


def _whole_size(state: State) -> int:
    return sum(_section_size(section) for section in state.sections.values())


# ------------------------------------------------------------------------------------------------- draws and pairings


@dataclass(frozen=True)
class DrawStage(Work[Decision]):
    section: str

    def weight(self, state: State) -> int:
        section = state.section(self.section)
        return len(section.entries) ** 2 // 4 + _section_size(section)

    def work(self, championship: Championship) -> Decision:
        return decisions.draw_stage(championship, self.section)


@dataclass(frozen=True)
class PairRound(Work[Decision]):
    """The next round of a group; or the last one mended, `again`."""

    group: str
    fixed: Collection[Person]
    now: float
    again: bool

    def weight(self, state: State) -> int:
        _, _, group = state.group(self.group)
        return len(group.members) ** 2 // 4 + _size(group)

    def work(self, championship: Championship) -> Decision:
        if self.again:
            return decisions.pair_again(championship, self.group, self.fixed)
        return decisions.pair_round(championship, self.group, self.fixed, self.now)


@dataclass(frozen=True)
class PairByHand(Work[Warned]):
    group: str
    pairs: Sequence[tuple[Person, Person | None]]
    fixed: Collection[Person]

    def weight(self, state: State) -> int:
        _, _, group = state.group(self.group)
        return len(group.members) ** 2 // 4 + _size(group)

    def work(self, championship: Championship) -> Warned:
        return decisions.pair_by_hand(championship, self.group, self.pairs, self.fixed, lambda one: f"{{p{one}}}")


@dataclass(frozen=True)
class FindTies(Work[list[list[list[Person]] | Text]]):
    """The ties that lots must break, of each group; or what speaks against it."""

    groups: Sequence[str]

    def weight(self, state: State) -> int:
        return sum(_size(state.groups[name][2]) for name in self.groups if name in state.groups)

    def work(self, championship: Championship) -> list[list[list[Person]] | Text]:
        found: list[list[list[Person]] | Text] = []
        for group in self.groups:
            try:
                found.append(decisions.ties_to_break(championship, group))
            except TabuleiroError as error:
                found.append(error.text)
        return found


# ------------------------------------------------------------------------------------------------------ what is shown


@dataclass(frozen=True)
class ShowGroups(Work[dict[str, bytes]]):
    """Groups as pages are told them, written."""

    names: Sequence[str]

    def weight(self, state: State) -> int:
        return 3 * sum(_size(state.group(name)[2]) for name in self.names)

    def work(self, championship: Championship) -> dict[str, bytes]:
        return {name: kept_json(group_json(championship, name)) for name in self.names}


@dataclass(frozen=True)
class ShowSections(Work[dict[str, tuple[Json, Ready]]]):
    """Sections as pages are told them, and what comes next in each."""

    names: Sequence[str]

    def weight(self, state: State) -> int:
        return sum(_section_size(state.section(name)) for name in self.names)

    def work(self, championship: Championship) -> dict[str, tuple[Json, Ready]]:
        state = championship.state
        return {name: (section_json(state, state.section(name)), ready_in(state.section(name))) for name in self.names}


@dataclass(frozen=True)
class ShowFigures(Work[dict[str, dict[str, list[Json]]]]):
    """Players, games and podiums by section, by game, by cycle and by school, under each of these names."""

    names: Sequence[str]

    def weight(self, state: State) -> int:
        return _whole_size(state) if self.names else 0

    def work(self, championship: Championship) -> dict[str, dict[str, list[Json]]]:
        if not self.names:
            return {}
        found = figures(championship.state)
        told = {key: [line.as_json() for line in lines] for key, lines in found.items()}
        return dict.fromkeys(self.names, told)


@dataclass(frozen=True)
class WriteReport(Work[bytes]):
    """All of a championship as a file for spreadsheets or programs, or its edition."""

    kind: Literal["csv", "xlsx", "json", "toml"]
    names: Mapping[Person, Details]
    language: Language

    def weight(self, state: State) -> int:
        return HEAVY if self.kind == "xlsx" else 3 * _whole_size(state)

    def work(self, championship: Championship) -> bytes:
        names, language = self.names, self.language
        if self.kind == "toml":
            return write_edition(as_it_stands(championship.state)).encode()
        if self.kind == "json":
            return orjson.dumps(report.as_json(championship, names))
        if self.kind == "csv":
            return write_csv(report.standing_rows(championship, names, language))
        return write_xlsx(
            {
                Text("Inscrições", "Entries").to(language): report.entry_rows(championship, names, language),
                Text("Jornadas", "Rounds").to(language): report.pairing_rows(championship, names, language),
                Text("Classificação", "Standings").to(language): report.standing_rows(championship, names, language),
            }
        )


# ------------------------------------------------------------------------------------------------------- registration


#: Names on a list that is short, in characters.
SHORT_LIST = 5_000


@dataclass(frozen=True)
class ReadList(Work[Registration]):
    """A list of pupils to be registered: names, or a file."""

    names: str
    file: str | None
    section: str | None
    known: Mapping[Person, Details]

    @property
    def cpu_s(self) -> float:
        return READ_CPU_S

    def weight(self, state: State) -> int:
        if self.file is not None or len(self.names) > SHORT_LIST:
            return HEAVY
        return len(self.known) + sum(len(section.entries) for section in state.sections.values())

    def work(self, championship: Championship) -> Registration:
        state = championship.state
        try:
            file = None if self.file is None else decoded(self.file)
            rows = lists.read_rows(self.names, file, self.section, state)
        except TooLargeError as error:
            raise too_large(error) from error
        try:
            return read_registration(rows, state, self.known)
        except RegistrationError as error:
            raise lists.wrong_rows(error, only_names=lists.is_only_names(rows)) from error


@dataclass(frozen=True)
class InventPeople(Work[Registration]):
    """People who do not exist, for a rehearsal."""

    pupils: int
    schools: int
    known: Mapping[Person, Details]

    @property
    def cpu_s(self) -> float:
        return READ_CPU_S

    def weight(self, state: State) -> int:
        rules = state.rules
        places = self.schools * (rules.pupils_per_school or self.pupils) * len(rules.sections)
        return self.pupils + len(self.known) + places // 20

    def work(self, championship: Championship) -> Registration:
        state = championship.state
        table = invent_table(state.rules, self.pupils, self.schools, state.seed)
        return read_registration([[str(cell) for cell in row] for row in table], state, self.known)


# ------------------------------------------------------------------------------------------------ what strangers sent


@dataclass(frozen=True)
class ReadEdition(Job[Json]):
    """What the TOML file of an edition says, if all of it is right."""

    source: str

    @property
    def cpu_s(self) -> float:
        return READ_CPU_S

    def answer(self, stop: Callable[[], bool]) -> Json:
        return load_edition(self.source)


class SentChampionship(NamedTuple):
    """A championship that came as a file, every event of it checked."""

    #: Numbers, kinds, who acted, when, and the data as JSON, which is quicker to send than what it stands for.
    events: list[tuple[int, str, int, float, str]]
    names: dict[Person, Details]
    #: Its line in lists, but for the owner.
    summary: Json


@dataclass(frozen=True)
class ReadChampionship(Job[SentChampionship]):
    """The championship file that somebody sent."""

    file: str

    @property
    def cpu_s(self) -> float:
        return READ_CPU_S

    def answer(self, stop: Callable[[], bool]) -> SentChampionship:
        championship, names = read_data(decoded(self.file), Text("o ficheiro", "the file"))
        state = championship.state
        if len(state.sections) > MOST_SECTIONS:
            raise TabuleiroError(
                Text(f"são mais de {MOST_SECTIONS} secções", f"there are more than {MOST_SECTIONS} sections")
            )
        require_room(state)
        groups = [summarise(stage, group, 0) for _, stage, group in state.groups.values()]
        return SentChampionship(
            [(e.number, e.kind, e.who, e.when, orjson.dumps(e.data).decode()) for e in championship.events],
            names,
            summary_json(championship, groups, 0),
        )
