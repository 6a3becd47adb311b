"""Events of draws and rounds."""

from typing import Any

from tabuleiro.championship.events import Event, Json, refused
from tabuleiro.championship.model import (
    Group,
    Pairing,
    Result,
    Round,
    Section,
    Stage,
    State,
    group_id,
    series_result,
)


def check_stage_drawn(state: State, data: Json) -> None:
    section = state.section(data["section"])
    if data["stage"] != len(section.stages) + 1 or data["stage"] > len(section.stage_plans):
        raise refused(
            f"{section.plan.id}: não é a vez da fase {data['stage']}",
            f"{section.plan.id}: it is not the turn of stage {data['stage']}",
        )
    everybody = [person for group in data["groups"] for person in group["members"]]
    if len(set(everybody)) < len(everybody):
        raise refused("há alguém em dois grupos", "somebody is in two groups")
    for person in everybody:
        state.entry(section, person)
    if not all(type(group["first_table"]) is int and group["members"] for group in data["groups"]):
        raise ValueError("groups")


def perform_stage_drawn(state: State, data: Json, event: Event) -> None:
    section = state.section(data["section"])
    groups = [
        Group(group_id(section, data["stage"], number), list(group["members"]), group["first_table"])
        for number, group in enumerate(data["groups"], start=1)
    ]
    stage = Stage(section.stage_plans[data["stage"] - 1], groups)
    section.stages.append(stage)
    for group in groups:
        state.groups[group.id] = (section, stage, group)


def check_placed(state: State, data: Json) -> None:
    section, stage, group = state.group(data["group"])
    state.entry(section, data["person"])
    if any(data["person"] in other.members for other in stage.groups):
        raise refused("já está num grupo desta fase", "is in a group of this stage already")
    if not group.rounds or stage.plan.format in ("swiss", "ladder", "arena"):
        return
    if stage.plan.format != "round_robin" or len(group.members) % 2 == 0:
        raise refused(
            f"{group.id}: já começou, e neste formato não há lugar para mais um",
            f"{group.id}: it has begun, and this format has no place for one more",
        )


def perform_placed(state: State, data: Json, event: Event) -> None:
    _, _, group = state.group(data["group"])
    group.members.append(data["person"])
    if group.rounds:
        group.joined[data["person"]] = len(group.rounds) + 1


#: What must be known of how a pairing came about, by the way in which it did.
NEEDED = {"matching": {"cost", "points", "starts"}, "berger": {"round"}, "bracket": {"slot"}}


def read_pairings(state: State, section: Section, group: Group, pairings: Any) -> list[Pairing]:
    """The pairings of a round as they are written in an event: every pupil once, every table once."""
    found, busy, tables, members = [], set(), set(), set(group.members)
    for data in pairings:
        pairing = Pairing(data["table"], data["one"], data["two"], dict(data["why"]))
        if not NEEDED.get(pairing.why["by"], set()) <= set(pairing.why):
            raise ValueError("why")
        for person in pairing.persons:
            if person not in members:
                raise refused(
                    f"a pessoa {person} não é do grupo {group.id}", f"person {person} is not of group {group.id}"
                )
            if person in busy:
                raise refused(f"a pessoa {person} aparece duas vezes", f"person {person} is there twice")
            busy.add(person)
        if pairing.two is not None:
            if type(pairing.table) is not int or pairing.table < 1 or pairing.table in tables:
                raise refused(f"a mesa {pairing.table} não pode ser", f"table {pairing.table} cannot be")
            tables.add(pairing.table)
        if "result" in data:
            pairing.games.append(Result.from_json(data["result"]))
        if pairing.two is None and [game.how for game in pairing.games] != ["bye"]:
            raise ValueError("bye")
        found.append(pairing)
    return found


def check_round_paired(state: State, data: Json) -> None:
    section, stage, group = state.group(data["group"])
    if data["round"] != len(group.rounds) + 1:
        raise refused(
            f"{group.id}: a próxima jornada é a {len(group.rounds) + 1}",
            f"{group.id}: the next round is number {len(group.rounds) + 1}",
        )
    if stage.plan.format not in ("arena", "ladder"):
        for turn, pairing in group.pairings():
            if series_result(stage.plan, pairing.games) is None:
                raise refused(
                    f"{group.id}: falta o resultado da jornada {turn.number}, mesa {pairing.table}",
                    f"{group.id}: round {turn.number}, table {pairing.table} has no result yet",
                )
    if not read_pairings(state, section, group, data["pairings"]):
        raise refused("uma jornada sem ninguém", "a round without anybody")


def perform_round_paired(state: State, data: Json, event: Event) -> None:
    section, _, group = state.group(data["group"])
    group.rounds.append(Round(data["round"], read_pairings(state, section, group, data["pairings"])))
    if group.began is None:
        group.began = event.when


def check_round_changed(state: State, data: Json) -> None:
    section, _, group = state.group(data["group"])
    if not group.rounds or data["round"] != group.rounds[-1].number:
        raise refused("só se muda a última jornada", "only the last round can be changed")
    new = {(p.table, p.one, p.two) for p in read_pairings(state, section, group, data["pairings"])}
    for pairing in group.rounds[-1].pairings:
        if pairing.two is None or (pairing.table, pairing.one, pairing.two) in new:
            continue
        if pairing.games:
            raise refused(
                f"a mesa {pairing.table} já tem resultado; anula-o primeiro",
                f"table {pairing.table} has a result already; undo it first",
            )
        if pairing.sessions:
            raise refused(f"na mesa {pairing.table} já se joga", f"at table {pairing.table} they are playing already")


def perform_round_changed(state: State, data: Json, event: Event) -> None:
    section, _, group = state.group(data["group"])
    turn = group.rounds[-1]
    kept = {(p.table, p.one, p.two): p for p in turn.pairings if p.games or p.sessions}
    new = read_pairings(state, section, group, data["pairings"])
    turn.pairings = [kept.get((p.table, p.one, p.two), p) for p in new]


def check_game_begun(state: State, data: Json) -> None:
    _, stage, group = state.group(data["group"])
    pairing = group.find(data["round"], data["table"])
    if pairing.two is None:
        raise refused("quem está isento não joga", "who has a bye does not play")
    if series_result(stage.plan, pairing.games) is not None:
        raise refused(f"a mesa {pairing.table} já tem resultado", f"table {pairing.table} has a result already")
    if data["game"] != len(pairing.games) + 1 or data["game"] in pairing.sessions:
        raise refused(f"na mesa {pairing.table} já se joga", f"at table {pairing.table} they are playing already")
    if not isinstance(data["session"], str):
        raise ValueError("session")


def perform_game_begun(state: State, data: Json, event: Event) -> None:
    _, _, group = state.group(data["group"])
    group.find(data["round"], data["table"]).sessions[data["game"]] = data["session"]
