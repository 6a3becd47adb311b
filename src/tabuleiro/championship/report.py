"""Everything of a championship as plain data: for programs (JSON), for spreadsheets (rows)."""

from tabuleiro.championship import reasons
from tabuleiro.championship.championship import Championship
from tabuleiro.championship.edition import ARRANGEMENTS, TIE_BREAKS, StagePlan
from tabuleiro.championship.events import Json, Person
from tabuleiro.championship.model import Group, Pairing, Round, Section, series_result
from tabuleiro.championship.people import ERASED, People
from tabuleiro.championship.rounds import is_complete
from tabuleiro.championship.standings import Row, podium, standings
from tabuleiro.language import Language, Text

Rows = list[list[object]]


def name_of(people: People, person: Person, language: Language) -> str:
    return people[person].name if person in people else ERASED.to(language)


def pairing_json(plan: StagePlan, pairing: Pairing) -> Json:
    result = series_result(plan, pairing.games)
    return {
        **pairing.as_json(),
        "games": [game.as_json() for game in pairing.games],
        "result": None if result is None else result.as_json(),
    }


def round_json(plan: StagePlan, turn: Round) -> Json:
    return {"number": turn.number, "pairings": [pairing_json(plan, pairing) for pairing in turn.pairings]}


def row_json(row: Row) -> Json:
    return {
        "place": row.place,
        "person": row.person,
        "points": row.points,
        "tied_with": row.tied_with,
        "tie_breaks": {
            name: {
                "value": explained.value,
                "terms": [
                    {"value": t.value, "round": t.round, "opponent": t.opponent, "dropped": t.dropped}
                    for t in explained.terms
                ],
            }
            for name, explained in row.tie_breaks.items()
        },
    }


def group_json(championship: Championship, plan: StagePlan, group: Group) -> Json:
    return {
        "id": group.id,
        "members": group.members,
        "joined": {str(person): number for person, number in group.joined.items()},
        "complete": is_complete(group, plan),
        "rounds": [round_json(plan, turn) for turn in group.rounds],
        "playoffs": group.playoffs,
        "lots": {str(person): number for person, number in group.lots.items()},
        "standings": [row_json(row) for row in standings(group, plan, championship.state.rules)],
    }


def section_json(championship: Championship, section: Section) -> Json:
    edition = championship.state.rules
    found = podium(section, edition)
    return {
        "id": section.plan.id,
        "name": edition.section_name(section.plan)._asdict(),
        "game": section.plan.game,
        "options": dict(section.plan.options),
        "cycle": section.plan.cycle,
        "entries": [
            {"person": entry.person, "school": entry.school, "presence": entry.presence}
            for entry in section.entries.values()
        ],
        "stages": [
            {
                **stage.plan.as_json(),
                "groups": [group_json(championship, stage.plan, group) for group in stage.groups],
            }
            for stage in section.stages
        ],
        "podium": None if found is None else [{"place": row.place, "person": row.person} for row in found.rows],
    }


def as_json(championship: Championship, people: People) -> Json:
    """All there is. Names, and arrangements, only of persons who are still in the table of names."""
    state = championship.state
    points = state.rules.points
    return {
        **championship.summary(),
        "seed": state.seed,
        "points": {"win": points.win, "draw": points.draw, "loss": points.loss, "bye": points.bye},
        "pupils_per_school": state.rules.pupils_per_school,
        "schools": [
            {"id": school.id, "name": school.name, "region": school.region, "teachers": list(school.teachers)}
            for school in state.schools.values()
        ],
        "people": {str(person): details.as_json() for person, details in people.items()},
        "sections": [section_json(championship, section) for section in state.sections.values()],
        "flags": [reasons.flag(mark)._asdict() for mark in state.flags],
        "log": [[event.number, event.kind, event.who, event.when] for event in championship.events],
    }


# ------------------------------------------------------------------------------------------------------- spreadsheets


def entry_rows(championship: Championship, people: People, language: Language) -> Rows:
    """Registrations, in the columns in which they are read."""
    titles = Text("Número;Nome;Turma;Escola;Região;Ciclo;Jogo;Adaptações;Presença", "Number;Name;Class;School;Region;"
                  "Cycle;Game;Arrangements;Presence").to(language)  # fmt: skip
    rows: Rows = [list(titles.split(";"))]
    state = championship.state
    for section in state.sections.values():
        for entry in section.entries.values():
            school, details = state.schools[entry.school], people.get(entry.person)
            arrangements = [ARRANGEMENTS[key].to(language) for key in (details.arrangements if details else ())]
            rows.append(
                [
                    entry.person,
                    name_of(people, entry.person, language),
                    details.school_class if details else "",
                    school.name,
                    school.region,
                    section.plan.cycle,
                    section.plan.game,
                    ", ".join(arrangements),
                    entry.presence,
                ]
            )
    return rows


def pairing_rows(championship: Championship, people: People, language: Language) -> Rows:
    titles = Text("Grupo;Jornada;Mesa;Começa;Segundo;Resultado", "Group;Round;Table;Begins;Second;Result").to(language)
    rows: Rows = [list(titles.split(";"))]
    for _, stage, group in championship.state.groups.values():
        for turn, pairing in group.pairings():
            one = name_of(people, pairing.one, language)
            two = "" if pairing.two is None else name_of(people, pairing.two, language)
            result = reasons.result(series_result(stage.plan, pairing.games))
            rows.append([group.id, turn.number, pairing.table or "", one, two, result])
    return rows


def standing_rows(championship: Championship, people: People, language: Language) -> Rows:
    shown = list(dict.fromkeys(name for s in championship.state.sections.values() for p in s.stage_plans
                               for name in p.tie_breaks))  # fmt: skip
    titles = Text("Grupo;Lugar;Número;Nome;Escola;Pontos", "Group;Place;Number;Name;School;Points").to(language)
    rows: Rows = [[*titles.split(";"), *(TIE_BREAKS[name].to(language) for name in shown)]]
    state = championship.state
    for section, stage, group in state.groups.values():
        for row in standings(group, stage.plan, state.rules):
            values = [
                abs(row.tie_breaks[name].value) if name in row.tie_breaks else "" for name in shown
            ]  # play-offs and lots count downwards inside
            school = state.schools[section.entries[row.person].school].name
            rows.append(
                [group.id, row.place, row.person, name_of(people, row.person, language), school, row.points, *values]
            )
    return rows
