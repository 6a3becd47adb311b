"""Groups and sections of a championship as pages are told them. Light: a process apart works them out (`work.py`).

Persons are numbers here, and sentences hold `{p12}` where the name of person 12 belongs.
"""

from typing import NamedTuple

from tabuleiro.championship import reasons
from tabuleiro.championship.championship import Championship
from tabuleiro.championship.decisions import ties_to_break
from tabuleiro.championship.edition import FORMATS, MOST_ENTRIES, TIE_BREAKS, StagePlan
from tabuleiro.championship.events import Json, Person
from tabuleiro.championship.model import Group, Pairing, Round, Section, Stage, State, series_result
from tabuleiro.championship.rounds import is_complete, open_pairings, planned_rounds
from tabuleiro.championship.standings import Row, podium, standings
from tabuleiro.language import Text


class Ready(NamedTuple):
    """What comes next in a section."""

    for_draw: bool
    #: Those whose next round can be paired.
    groups: list[str]


def _name(person: Person) -> str:
    return f"{{p{person}}}"


def text_json(text: Text) -> Json:
    return text._asdict()


# --------------------------------------------------------------------------------------------------------------- groups


def group_json(championship: Championship, group_id: str) -> Json:
    state = championship.state
    section, stage, group = state.group(group_id)
    rows = standings(group, stage.plan, state.rules)
    complete = is_complete(group, stage.plan)
    return {
        "id": group.id,
        "section": section.plan.id,
        "section_name": text_json(state.rules.section_name(section.plan)),
        "game": section.plan.game,
        "can_draw": section.plan.can_draw,
        "stage": section.stages.index(stage) + 1,
        "stage_name": text_json(stage.plan.name),
        "number": stage.groups.index(group) + 1,
        "of": len(stage.groups),
        "format": stage.plan.format,
        "format_name": text_json(FORMATS[stage.plan.format]),
        "best_of": stage.plan.best_of,
        "members": group.members,
        "first_table": group.first_table,
        "planned": planned_rounds(stage.plan, len(group.members)),
        "complete": complete,
        "qualify": stage.plan.qualify,
        "rounds": [_round(stage.plan, turn) for turn in group.rounds],
        "tie_breaks": [{"id": name, "name": text_json(TIE_BREAKS[name])} for name in stage.plan.tie_breaks],
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
        "why": text_json(reasons.why(pairing, _name)),
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
                "why": text_json(reasons.tie_break(row, name, _name)),
            }
            for name, explained in row.tie_breaks.items()
        ],
        "tied_with": row.tied_with,
    }


# ------------------------------------------------------------------------------------------------------------- sections


def section_json(state: State, section: Section) -> Json:
    found = podium(section, state.rules)
    here = [entry for entry in section.entries.values() if entry.presence != "withdrawn"]
    return {
        "id": section.plan.id,
        "name": text_json(state.rules.section_name(section.plan)),
        "game": section.plan.game,
        "cycle": section.plan.cycle,
        "cycle_name": text_json(state.rules.cycles[section.plan.cycle]),
        "options": dict(section.plan.options),
        "can_draw": section.plan.can_draw,
        "entries": len(here),
        "most_entries": MOST_ENTRIES,
        "present": sum(entry.presence == "present" for entry in here),
        "plans": [
            {"name": text_json(plan.name), "format": text_json(FORMATS[plan.format])} for plan in section.stage_plans
        ],
        "stages": [
            {"name": text_json(stage.plan.name), "groups": [_line(group, stage) for group in stage.groups]}
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


def ready_in(section: Section) -> Ready:
    over = all(is_complete(group, stage.plan) for stage in section.stages[-1:] for group in stage.groups)
    for_draw = over and len(section.stages) < len(section.stage_plans) and len(section.entries) > 1
    groups = [
        group.id
        for stage in section.stages[-1:]
        if stage.plan.format != "ladder"
        for group in stage.groups
        if stage.plan.format == "arena"  # goes on for as long as one likes
        or not (is_complete(group, stage.plan) or open_pairings(group, stage.plan))
    ]
    return Ready(for_draw, groups)
