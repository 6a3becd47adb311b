"""Events of results, and of what separates the tied."""

from tabuleiro.championship.edition import StagePlan
from tabuleiro.championship.events import Event, Json, refused
from tabuleiro.championship.model import (
    Flag,
    Group,
    Pairing,
    Result,
    Section,
    State,
    series_result,
)


def _check_result(state: State, data: Json) -> tuple[Section, StagePlan, Group, Pairing, Result]:
    section, stage, group = state.group(data["group"])
    pairing = group.find(data["round"], data["table"])
    result = Result.from_json(data["result"])
    if pairing.two is None or result.how == "bye":
        raise refused("quem está isento não joga", "who has a bye does not play")
    if result.winner is None and result.how != "double_forfeit" and not section.plan.can_draw:
        raise refused("este jogo não pode acabar empatado", "this game cannot end in a draw")
    return section, stage.plan, group, pairing, result


def check_result(state: State, data: Json) -> None:
    _, plan, group, pairing, _ = _check_result(state, data)
    if series_result(plan, pairing.games) is not None or data["game"] != len(pairing.games) + 1:
        raise refused(
            f"{group.id}, mesa {pairing.table}: já tem resultado; para o mudar, corrige-o",
            f"{group.id}, table {pairing.table}: there is a result already; correct it to change it",
        )


def perform_result(state: State, data: Json, event: Event) -> None:
    _, _, group = state.group(data["group"])
    group.find(data["round"], data["table"]).games.append(Result.from_json(data["result"]))


def check_corrected(state: State, data: Json) -> None:
    _, plan, _, pairing, result = _check_result(state, data)
    if not 1 <= data["game"] <= len(pairing.games):
        raise refused(f"a mesa {pairing.table} ainda não tem resultado", f"table {pairing.table} has no result yet")
    if not str(data["reason"]).strip():
        raise refused("uma correção precisa de um motivo", "a correction needs a reason")
    later = data["game"] < len(pairing.games)
    if later and series_result(plan, [*pairing.games[: data["game"] - 1], result]) is not None:
        raise refused(
            "a série acabaria antes de partidas já jogadas; anula-as primeiro",
            "the series would end before games that were played; undo those first",
        )


def perform_corrected(state: State, data: Json, event: Event) -> None:
    _, _, group = state.group(data["group"])
    group.find(data["round"], data["table"]).games[data["game"] - 1] = Result.from_json(data["result"])
    flag_later(state, data, event)


def flag_later(state: State, data: Json, event: Event) -> None:
    """Note what had already been built on a result that changes now."""
    section, stage, group = state.group(data["group"])
    if group.rounds and group.rounds[-1].number > data["round"]:
        state.flags.append(Flag(event.number, "later_round", group.id, data["round"], data["table"]))
    if section.stages[-1] is not stage:
        state.flags.append(Flag(event.number, "later_stage", group.id, data["round"], data["table"]))


def check_playoff(state: State, data: Json) -> None:
    _, _, group = state.group(data["group"])
    order = data["order"]
    if len(order) < 2 or len(set(order)) < len(order) or not set(order) <= set(group.members):
        raise refused("um desempate é entre membros diferentes do grupo", "a play-off is between members of the group")


def perform_playoff(state: State, data: Json, event: Event) -> None:
    _, _, group = state.group(data["group"])
    group.playoffs.append(list(data["order"]))


def check_lots(state: State, data: Json) -> None:
    _, _, group = state.group(data["group"])
    persons, numbers = [pair[0] for pair in data["numbers"]], [pair[1] for pair in data["numbers"]]
    if not persons or not set(persons) <= set(group.members) or len(set(numbers)) < len(numbers):
        raise refused("um sorteio é entre membros do grupo", "lots are drawn between members of the group")
    if all(person in group.lots for person in persons):
        raise refused("este sorteio já se fez", "these lots have been drawn already")


def perform_lots(state: State, data: Json, event: Event) -> None:
    _, _, group = state.group(data["group"])
    group.lots.update((person, number) for person, number in data["numbers"])
