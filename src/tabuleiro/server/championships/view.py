"""What pages are told of a championship. Persons are numbers here; their names are told apart, as whoever asks may know
them, and sentences hold `{p12}` where the name of person 12 belongs."""

from collections.abc import Collection
from typing import NamedTuple

from tabuleiro.championship import reasons
from tabuleiro.championship.championship import Championship
from tabuleiro.championship.decisions import ties_to_break
from tabuleiro.championship.edition import ARRANGEMENTS, FORMATS, TIE_BREAKS, StagePlan
from tabuleiro.championship.events import Person
from tabuleiro.championship.model import Call, Group, Pairing, Round, Section, Stage, State, series_result
from tabuleiro.championship.rounds import is_complete, open_pairings, planned_rounds
from tabuleiro.championship.standings import Row, podium, standings
from tabuleiro.language import Text
from tabuleiro.server.championships.desk import Ready, ready_in
from tabuleiro.server.championships.store import Entrant, short_name
from tabuleiro.server.championships.stream import ChampionshipStream, Table
from tabuleiro.server.kept import kept_json
from tabuleiro.server.log import Json


class _Written(NamedTuple):
    version: int
    json: bytes


class _Section(NamedTuple):
    version: int
    json: Json
    ready: Ready


class Views:
    """Groups and sections as they were told last: a hundred phones ask for the same ones."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], _Written] = {}
        self._sections: dict[tuple[str, str], _Section] = {}

    def group(self, stream: ChampionshipStream, group: str) -> bytes:
        """A group of a championship, which is held."""
        key, version = (stream.id, group), stream.version(group)
        known = self._groups.get(key)
        if known is None or known.version != version:
            known = self._groups[key] = _Written(version, kept_json(_group(stream.championship, group)))
        return known.json

    def _section(self, stream: ChampionshipStream, section: Section) -> _Section:
        key = (stream.id, section.plan.id)
        parts = [section.plan.id, *(group.id for stage in section.stages for group in stage.groups)]
        version = max(stream.changed_all, *(stream.changed.get(part, 0) for part in parts))
        known = self._sections.get(key)
        if known is None or known.version != version:
            state = stream.championship.state
            known = self._sections[key] = _Section(version, _section(state, section), ready_in(section))
        return known

    def overview(self, stream: ChampionshipStream, *, staff: bool) -> Json:
        """A championship, which is held."""
        state = stream.championship.state
        sections = [self._section(stream, section) for section in state.sections.values()]
        return {
            "id": stream.id,
            "number": stream.number,
            "name": _text(state.rules.name),
            "rehearsal": state.rehearsal,
            "published": state.published,
            "full_names": state.full_names,
            "check_in": state.rules.check_in,
            "sections": [section.json for section in sections],
            "ready": {
                "sections": [section.json["id"] for section in sections if section.ready.for_draw],
                "groups": [group for section in sections for group in section.ready.groups],
            },
            "flags": [_text(reasons.flag(mark)) for mark in state.flags] if staff else [],
            "calls": [_call(call) for call in state.calls] if staff else [],
        }

    def forget(self, stream_id: str) -> None:
        self._groups = {key: written for key, written in self._groups.items() if key[0] != stream_id}
        self._sections = {key: section for key, section in self._sections.items() if key[0] != stream_id}


def _name(person: Person) -> str:
    return f"{{p{person}}}"


def _text(text: Text) -> Json:
    return text._asdict()


# --------------------------------------------------------------------------------------------------------------- groups


def _group(championship: Championship, group_id: str) -> Json:
    state = championship.state
    section, stage, group = state.group(group_id)
    rows = standings(group, stage.plan, state.rules)
    complete = is_complete(group, stage.plan)
    return {
        "id": group.id,
        "section": section.plan.id,
        "section_name": _text(state.rules.section_name(section.plan)),
        "game": section.plan.game,
        "can_draw": section.plan.can_draw,
        "stage": section.stages.index(stage) + 1,
        "stage_name": _text(stage.plan.name),
        "number": stage.groups.index(group) + 1,
        "of": len(stage.groups),
        "format": stage.plan.format,
        "format_name": _text(FORMATS[stage.plan.format]),
        "best_of": stage.plan.best_of,
        "members": group.members,
        "first_table": group.first_table,
        "planned": planned_rounds(stage.plan, len(group.members)),
        "complete": complete,
        "qualify": stage.plan.qualify,
        "rounds": [_round(stage.plan, turn) for turn in group.rounds],
        "tie_breaks": [{"id": name, "name": _text(TIE_BREAKS[name])} for name in stage.plan.tie_breaks],
        "standings": [_row(row) for row in rows],
        "ties": ties_to_break(championship, group_id) if complete else [],
    }


def _round(plan: StagePlan, turn: Round) -> Json:
    return {"number": turn.number, "pairings": [_pairing(plan, pairing) for pairing in turn.pairings]}


def _pairing(plan: StagePlan, pairing: Pairing) -> Json:
    result = series_result(plan, pairing.games)
    return {
        "table": pairing.table,
        "one": pairing.one,
        "two": pairing.two,
        "why": _text(reasons.why(pairing, _name)),
        "games": [game.as_json() | {"text": reasons.result(game)} for game in pairing.games],
        "result": None if result is None else reasons.result(result),
        "winner": None if result is None else result.winner,
        "session": pairing.sessions.get(len(pairing.games) + (result is None)),
    }


def _row(row: Row) -> Json:
    return {
        "person": row.person,
        "place": row.place,
        "points": reasons.number(row.points),
        "sum": [{"round": line.round, "points": reasons.number(line.points)} for line in row.record.lines],
        "tie_breaks": [
            {
                "id": name,
                "value": reasons.number(abs(explained.value)),
                "why": _text(reasons.tie_break(row, name, _name)),
            }
            for name, explained in row.tie_breaks.items()
        ],
        "tied_with": row.tied_with,
    }


# ------------------------------------------------------------------------------------------------------ the whole of it


def _call(call: Call) -> Json:
    return {"call": call.event, "group": call.group, "round": call.round, "table": call.table}


def _section(state: State, section: Section) -> Json:
    found = podium(section, state.rules)
    here = [entry for entry in section.entries.values() if entry.presence != "withdrawn"]
    return {
        "id": section.plan.id,
        "name": _text(state.rules.section_name(section.plan)),
        "game": section.plan.game,
        "cycle": section.plan.cycle,
        "cycle_name": _text(state.rules.cycles[section.plan.cycle]),
        "options": dict(section.plan.options),
        "can_draw": section.plan.can_draw,
        "entries": len(here),
        "present": sum(entry.presence == "present" for entry in here),
        "plans": [{"name": _text(plan.name), "format": _text(FORMATS[plan.format])} for plan in section.stage_plans],
        "stages": [
            {"name": _text(stage.plan.name), "groups": [_line(group, stage) for group in stage.groups]}
            for stage in section.stages
        ],
        "podium": None if found is None else [{"place": row.place, "person": row.person} for row in found.rows],
        "tied": [] if found is None else found.tied,
    }


def _line(group: Group, stage: Stage) -> Json:
    """A group in a list of them."""
    last = group.rounds[-1].pairings if group.rounds else []
    return {
        "id": group.id,
        "size": len(group.members),
        "round": len(group.rounds),
        "planned": planned_rounds(stage.plan, len(group.members)),
        "tables": sum(pairing.two is not None for pairing in last),
        "open": len(open_pairings(group, stage.plan)),
        "complete": is_complete(group, stage.plan),
    }


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
            line["arrangements"] = [_text(ARRANGEMENTS[key]) for key in each.arrangements]
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
            "section_name": _text(stream.championship.state.rules.section_name(section.plan)),
            "opponent": pairing.two if person == pairing.one else pairing.one,
            "begins": pairing.starter(table.game) == pairing.seat_of(person),
            "best_of": stage.plan.best_of,
            "session": pairing.sessions.get(table.game),
            "called": any(
                (call.group, call.table) == (table.group, table.table) for call in stream.championship.state.calls
            ),
        },
    }
