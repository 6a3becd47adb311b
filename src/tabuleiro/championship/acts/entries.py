"""Events of the beginning: the championship itself, registration, who is there."""

from tabuleiro.championship.edition import read_edition
from tabuleiro.championship.events import Event, Json, Person, refused
from tabuleiro.championship.model import (
    Entry,
    School,
    Section,
    State,
)


def check_created(state: State, data: Json) -> None:
    if state.edition is not None:
        raise refused("o campeonato já existe", "the championship exists already")
    read_edition(data["edition"])
    if type(data["seed"]) is not int or type(data.get("rehearsal", False)) is not bool:
        raise ValueError("seed")


def perform_created(state: State, data: Json, event: Event) -> None:
    state.edition = read_edition(data["edition"])
    state.seed, state.rehearsal = data["seed"], data.get("rehearsal", False)
    state.sections = {plan.id: Section(plan, list(plan.stages)) for plan in state.edition.sections}


def check_registered(state: State, data: Json) -> None:
    edition = state.rules
    schools = set(state.schools)
    for school in data["schools"]:
        if school["id"] in schools or type(school["id"]) is not int:
            raise refused(f"a escola {school['id']} já existe", f"school {school['id']} exists already")
        if not isinstance(school["name"], str) or not isinstance(school["region"], str):
            raise ValueError("school")
        schools.add(school["id"])
    count: dict[tuple[str, int], int] = {}
    for section in state.sections.values():
        for entry in section.entries.values():
            if entry.presence != "withdrawn":
                count[section.plan.id, entry.school] = count.get((section.plan.id, entry.school), 0) + 1
    new: set[tuple[str, Person]] = set()
    for entry_data in data["entries"]:
        person, name, school_id = entry_data["person"], entry_data["section"], entry_data["school"]
        section = state.section(name)
        if type(person) is not int or person in section.entries or (name, person) in new:
            raise refused(f"a pessoa {person} já está em {name}", f"person {person} is in {name} already")
        if school_id not in schools:
            raise refused(f"não há nenhuma escola {school_id}", f"there is no school {school_id}")
        new.add((name, person))
        count[name, school_id] = count.get((name, school_id), 0) + 1
        if edition.pupils_per_school is not None and count[name, school_id] > edition.pupils_per_school:
            limit = edition.pupils_per_school
            raise refused(
                f"a escola {school_id} só pode ter {limit} em {name}", f"school {school_id} may have {limit} in {name}"
            )


def perform_registered(state: State, data: Json, event: Event) -> None:
    for school in data["schools"]:
        teachers = tuple(school.get("teachers", ()))
        state.schools[school["id"]] = School(school["id"], school["name"], school["region"], teachers)
    for entry in data["entries"]:
        state.sections[entry["section"]].entries[entry["person"]] = Entry(entry["person"], entry["school"])


def check_presence(state: State, data: Json) -> None:
    section = state.section(data["section"])
    for person in data["persons"]:
        state.entry(section, person)
    if data["presence"] not in ("expected", "present", "absent", "withdrawn"):
        raise ValueError("presence")


def perform_presence(state: State, data: Json, event: Event) -> None:
    section = state.section(data["section"])
    for person in data["persons"]:
        section.entries[person].presence = data["presence"]


def check_swapped(state: State, data: Json) -> None:
    section = state.section(data["section"])
    state.entry(section, data["out"])
    if type(data["in"]) is not int or data["in"] in section.entries:
        raise refused(f"a pessoa {data['in']} já está inscrita", f"person {data['in']} is registered already")
    for stage in section.stages:
        for group in stage.groups:
            for _, pairing in group.pairings():
                if data["out"] in pairing.persons and pairing.games:
                    raise refused(
                        "quem já jogou não pode ser substituído; regista a desistência e inscreve o novo aluno",
                        "who has played cannot be replaced; withdraw them and register the new pupil",
                    )


def perform_swapped(state: State, data: Json, event: Event) -> None:
    section, out, new = state.section(data["section"]), data["out"], data["in"]
    old = section.entries[out]
    section.entries[new] = Entry(new, old.school, old.presence if old.presence != "withdrawn" else "expected")
    section.entries[out].presence = "withdrawn"
    for stage in section.stages:
        for group in stage.groups:
            if out in group.members:
                group.members[group.members.index(out)] = new
            for _, pairing in group.pairings():
                pairing.one = new if pairing.one == out else pairing.one
                pairing.two = new if pairing.two == out else pairing.two
