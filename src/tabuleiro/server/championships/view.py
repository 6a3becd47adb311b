"""What pages are told of a championship. Persons are numbers here; their names are told apart, as whoever asks may know
them, and sentences hold `{p12}` where the name of person 12 belongs."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from tabuleiro.championship import reasons
from tabuleiro.championship.edition import ARRANGEMENTS
from tabuleiro.championship.events import Person
from tabuleiro.championship.model import Call, Pairing, State
from tabuleiro.server.championships.desk import OpenChampionship
from tabuleiro.server.championships.group_json import Ready, text_json
from tabuleiro.server.championships.replicas import Replicas, Snapshot
from tabuleiro.server.championships.store import Entrant, short_name
from tabuleiro.server.championships.stream import ChampionshipStream
from tabuleiro.server.championships.summary import Table
from tabuleiro.server.championships.work import ShowFigures, ShowGroups, ShowSections, Work
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.jobs import TOO_LONG, TOO_MUCH_MEMORY, LimitError
from tabuleiro.server.log import Json

T = TypeVar("T")

#: Works that exceeded their limits, which are not tried again until something changes.
MOST_REFUSED = 100


class _Kept(NamedTuple):
    version: int
    value: Any


_NOTHING = _Kept(-1, None)


class GroupsTold(NamedTuple):
    """Groups as they stood at a moment, written, and who is in them."""

    number: int
    whole: bool
    persons: set[Person]
    written: bytes


class Views:
    """Groups and sections as they were told last: a hundred phones ask for the same ones.

    What has changed is worked out anew, in a process apart where it is much. Of one championship one thing is worked
    out at a time, so that those who ask meanwhile find what the first one waited for.
    """

    def __init__(self, replicas: Replicas) -> None:
        self._replicas = replicas
        self._groups: dict[tuple[str, str], _Kept] = {}
        self._sections: dict[tuple[str, str], _Kept] = {}
        self._figures: dict[tuple[str, str], _Kept] = {}
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._refused: OrderedDict[Hashable, Refusal] = OrderedDict()

    async def groups(
        self, opened: OpenChampionship, wanted: Callable[[ChampionshipStream], list[str]], since: int = 0
    ) -> GroupsTold:
        """These groups of a championship; `whole` where everything may have changed since a number."""

        def look(stream: ChampionshipStream) -> tuple[GroupsTold, dict[str, int]]:
            names, groups = wanted(stream), stream.championship.state.groups
            persons = {person for name in names for person in groups[name][2].members}
            told = GroupsTold(stream.number, stream.changed_all > since, persons, b"")
            return told, {name: stream.version(name) for name in names}

        told, found = await self._told(opened, self._groups, look, ShowGroups)
        return told._replace(written=b",".join(found))

    async def overview(
        self, opened: OpenChampionship, person: Person | None, *, staff: bool
    ) -> tuple[Json, Json | None]:
        """A championship, and the place of somebody in it."""

        def look(stream: ChampionshipStream) -> tuple[tuple[Json, Json | None], dict[str, int]]:
            state = stream.championship.state
            told = {
                "id": stream.id,
                "number": stream.number,
                "name": text_json(state.rules.name),
                "rehearsal": state.rehearsal,
                "published": state.published,
                "full_names": state.full_names,
                "check_in": state.rules.check_in,
                "flags": [text_json(reasons.flag(mark)) for mark in state.flags] if staff else [],
                "calls": [_call(call) for call in state.calls] if staff else [],
            }
            versions = {name: stream.section_version(section) for name, section in state.sections.items()}
            return (told, None if person is None else mine(stream, person)), versions

        (told, place), found = await self._told(opened, self._sections, look, ShowSections)
        sections: list[tuple[Json, Ready]] = found
        told["sections"] = [json for json, _ in sections]
        told["ready"] = {
            "sections": [json["id"] for json, ready in sections if ready.for_draw],
            "groups": [group for _, ready in sections for group in ready.groups],
        }
        return told, place

    async def figures(self, opened: OpenChampionship) -> Json:
        """Players, games and podiums of a championship."""
        _, (found,) = await self._told(opened, self._figures, lambda stream: (None, {"": stream.number}), ShowFigures)
        told: Json = found
        return told

    async def _told(
        self,
        opened: OpenChampionship,
        kept: dict[tuple[str, str], _Kept],
        look: Callable[[ChampionshipStream], tuple[T, dict[str, int]]],
        show: Callable[[Sequence[str]], Work[dict[str, Any]]],
    ) -> tuple[T, list[Any]]:
        """What `look` sees in a championship, and the parts of it that it names, with a version each."""
        stream_id = opened.stream.id
        turn = self._turns.setdefault(stream_id, asyncio.Lock())
        async with turn:
            async with opened.held() as stream:
                seen, versions = look(stream)
                known = {name: kept.get((stream_id, name), _NOTHING) for name in versions}
                stale = tuple(name for name in versions if known[name].version != versions[name])
                work = show(stale)
                found = work.work(stream.championship) if self._replicas.is_small(stream, work) else None
                snapshot = Snapshot.of(stream)
            if found is None:
                found = await self._worked_out(snapshot, work, tuple(versions[name] for name in stale))
            for name in stale:
                known[name] = kept[stream_id, name] = _Kept(versions[name], found[name])
            return seen, [known[name].value for name in versions]

    async def _worked_out(self, snapshot: Snapshot, work: Work[T], versions: Hashable) -> T:
        """What a process apart finds, unless the same took too much before."""
        key = (snapshot.stream, work, versions)
        if (refusal := self._refused.get(key)) is not None:
            raise RefusedError(*refusal)
        try:
            return await self._replicas.run(("stream", snapshot.stream), snapshot, work)
        except LimitError as error:
            if error.refusal in (TOO_LONG, TOO_MUCH_MEMORY):
                self._refused[key] = error.refusal
                if len(self._refused) > MOST_REFUSED:
                    self._refused.popitem(last=False)
            raise

    def forget(self, stream_id: str) -> None:
        for kept in (self._groups, self._sections, self._figures):
            for key in [key for key in kept if key[0] == stream_id]:
                del kept[key]


# ------------------------------------------------------------------------------------------------------ the whole of it


def _call(call: Call) -> Json:
    return {"call": call.event, "group": call.group, "round": call.round, "table": call.table}


def people_json(state: State, entrants: Collection[Entrant], *, whole: bool, staff: bool) -> Json:
    """Names for a page: whole, or first name and initial; arrangements only for those who look after it."""
    wanted = {each.person for each in entrants}
    schools = {
        person: state.schools[section.entries[person].school].name
        for section in state.sections.values()
        for person in wanted & section.entries.keys()
    }
    found = {}
    for each in entrants:
        line: Json = {
            "name": each.name if whole else short_name(each.name),
            "school": schools.get(each.person, ""),
            "class": each.school_class if staff else "",
        }
        if staff:
            line["arrangements"] = [text_json(ARRANGEMENTS[key]) for key in each.arrangements]
        found[str(each.person)] = line
    return found


def entries_json(state: State) -> list[Json]:
    """Who is registered where, and whether they are there."""
    return [
        {"person": entry.person, "section": section.plan.id, "school": entry.school, "presence": entry.presence}
        for section in state.sections.values()
        for entry in section.entries.values()
    ]


def mine(stream: ChampionshipStream, person: Person) -> Json:
    """What a pupil sees of their own place: where they play now, and against whom."""
    found: tuple[Table, Pairing] | None = stream.table_of(person)
    if found is None:
        return {"person": person, "table": None}
    table, pairing = found
    section, stage, _ = stream.championship.state.group(table.group)
    return {
        "person": person,
        "table": {
            **table.as_json(),
            "section_name": text_json(stream.championship.state.rules.section_name(section.plan)),
            "opponent": pairing.two if person == pairing.one else pairing.one,
            "begins": pairing.starter(table.game) == pairing.seat_of(person),
            "best_of": stage.plan.best_of,
            "session": pairing.sessions.get(table.game),
            "called": any(
                (call.group, call.table) == (table.group, table.table) for call in stream.championship.state.calls
            ),
        },
    }
