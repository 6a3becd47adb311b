"""Events that change settings, erase persons, or call somebody."""

from tabuleiro.championship.edition import StagePlan, read_stage
from tabuleiro.championship.events import Event, Json, refused
from tabuleiro.championship.model import Call, Flag, Section, State
from tabuleiro.championship.reading import Settings

#: What may be changed at any time; standings are counted anew.
CHANGEABLE = (
    "rounds",
    "qualify",
    "tie_breaks",
    "criteria",
    "weights",
    "unplayed",
    "third_place",
    "reach",
    "minutes",
    "clock",
)
#: What may be changed besides until the stage is drawn.
CHANGEABLE_BEFORE = (*CHANGEABLE, "format", "group_size", "best_of", "legs")


def changed_plan(plan: StagePlan, settings: Json, *, drawn: bool) -> StagePlan:
    table, known = Settings(settings), CHANGEABLE if drawn else CHANGEABLE_BEFORE
    for key in settings:
        if key not in known:
            table.wrong(key, refused(f"agora mudam-se: {', '.join(known)}", f"now there are: {', '.join(known)}").text)
    values = {**plan.as_json(), **settings}
    return read_stage(Settings({key: value for key, value in values.items() if value is not None}), {})


def check_settings_changed(state: State, data: Json) -> None:
    _changed(state, data)


def _changed(state: State, data: Json) -> tuple[Section, StagePlan]:
    section, number = state.section(data["section"]), data["stage"]
    if type(number) is not int or not 1 <= number <= len(section.stage_plans):
        raise refused("não há essa fase", "there is no such stage")
    plan = changed_plan(section.stage_plans[number - 1], data["settings"], drawn=number <= len(section.stages))
    if number < len(section.stage_plans) and not plan.qualify:
        raise refused("diz quantos de cada grupo passam à fase seguinte", "say how many of each group go on")
    return section, plan


def perform_settings_changed(state: State, data: Json, event: Event) -> None:
    section, plan = _changed(state, data)
    section.stage_plans[data["stage"] - 1] = plan
    if data["stage"] <= len(section.stages):
        stage = section.stages[data["stage"] - 1]
        stage.plan = plan
        if any(group.rounds for group in stage.groups) and {*data["settings"]} - {"clock"}:
            state.flags.append(Flag(event.number, "settings", f"{section.plan.id}/{data['stage']}"))


def check_erased(state: State, data: Json) -> None:
    if not all(type(person) is int for person in data["persons"]):
        raise ValueError("persons")


def perform_erased(state: State, data: Json, event: Event) -> None:
    state.erased.update(data["persons"])


def check_published(state: State, data: Json) -> None:
    if state.edition is None or type(data["published"]) is not bool or type(data["full_names"]) is not bool:
        raise ValueError("published")


def perform_published(state: State, data: Json, event: Event) -> None:
    state.published, state.full_names = data["published"], data["full_names"]


def check_called(state: State, data: Json) -> None:
    _, _, group = state.group(data["group"])
    group.find(data["round"], data["table"])
    if any((call.group, call.table) == (data["group"], data["table"]) for call in state.calls):
        raise refused("o árbitro já foi chamado", "the arbiter has been called already")


def perform_called(state: State, data: Json, event: Event) -> None:
    state.calls.append(Call(event.number, data["group"], data["round"], data["table"]))


def check_answered(state: State, data: Json) -> None:
    if all(call.event != data["call"] for call in state.calls):
        raise refused("essa chamada já foi atendida", "that call has been answered already")


def perform_answered(state: State, data: Json, event: Event) -> None:
    state.calls = [call for call in state.calls if call.event != data["call"]]
