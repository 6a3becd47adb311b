"""What a championship leaves behind on the server: its rules as a file, figures, records; and rehearsals of one."""

import io
from dataclasses import fields

import pytest

from server.cup import EIGHT, PATH, group_of, knockout, open_tables, play_out
from server.people import Json, LocalServer, Person, wait_for
from server.school import organiser
from server.test_championship_tables import at_table, present, sat_down
from tabuleiro.championship.edition import StagePlan, load_edition
from tabuleiro.record import read_games
from tabuleiro.server.championships.schemas import StageSettings

GROUP = "rastros-all/1/1"


@pytest.fixture(scope="module")
def head(server: LocalServer) -> Person:
    return organiser(server)


def test_the_rules_of_a_stage_are_seen_and_changed_before_it_begins(head: Person) -> None:
    cup = head.post(PATH, {"template": "cnjm6"})["id"]
    told = head.get(f"{PATH}/{cup}/settings")
    assert len(told["sections"]) == 12 and [stage["rounds"] for stage in told["sections"][0]["stages"]] == [4, None]
    assert {choice["id"] for choice in told["formats"]} >= {"swiss", "ladder", "arena"}
    change: Json = {"format": "knockout", "best_of": 3, "rounds": None, "clock": {"minutes": 10, "increment": 5}}
    answer = head.web.put(f"{PATH}/{cup}/settings", json={"stage": 2, "settings": change})
    assert answer.status_code == 200
    finals = [section["stages"][1] for section in head.get(f"{PATH}/{cup}/settings")["sections"]]
    assert all(stage["format"] == "knockout" and stage["clock"]["minutes"] == 10 for stage in finals)
    wrong = head.web.put(f"{PATH}/{cup}/settings", json={"stage": 2, "settings": {"best_of": 2}})
    assert wrong.status_code == 400 and "ímpar" in wrong.json()["error"]["text"]["pt"]
    source = head.web.get(f"{PATH}/{cup}/file/toml").text
    assert load_edition(source)["stages"][1]["best_of"] == 3
    again = head.post(PATH, {"edition": source, "name": "Outra vez"})["id"]
    assert head.get(f"{PATH}/{again}/settings")["sections"] == head.get(f"{PATH}/{cup}/settings")["sections"]


def test_every_rule_of_a_stage_is_told() -> None:
    assert {*StageSettings.model_fields} == {rule.name for rule in fields(StagePlan)} | {"drawn", "paired"}


def test_what_speaks_against_a_pairing_is_said_before_it_is_made(head: Person) -> None:
    cup = knockout(head, EIGHT[:4], form="swiss")
    first = group_of(head, cup, GROUP)["rounds"][0]["pairings"][0]
    for table in open_tables(group_of(head, cup, GROUP)):
        head.post(f"{PATH}/{cup}/results", {**table, "winner": 1})
    body = {"group": GROUP, "pairs": [[first["two"], first["one"]]], "only_ask": True}
    told = head.post(f"{PATH}/{cup}/rounds", body)
    assert told["done"] == [] and f"{{p{first['one']}}}" in told["refused"][0]["pt"]
    assert len(group_of(head, cup, GROUP)["rounds"]) == 1, "nobody was paired"
    head.post(f"{PATH}/{cup}/rounds", {**body, "only_ask": False})
    assert group_of(head, cup, GROUP)["rounds"][1]["pairings"][0]["one"] == first["two"]


def test_a_championship_is_rehearsed_to_its_podium(head: Person) -> None:
    body = {"template": "school-day", "rehearsal": {"pupils": 60, "schools": 9}}
    cup = head.post(PATH, body)["id"]
    seen = head.get(f"{PATH}/{cup}")
    assert seen["rehearsal"] and sum(section["entries"] for section in seen["sections"]) == 60
    steps = 0
    while not head.post(f"{PATH}/{cup}/rehearsal")["over"]:
        steps += 1
        assert steps < 60
    over = head.get(f"{PATH}/{cup}")
    assert all(section["podium"] and not section["tied"] for section in over["sections"] if section["entries"] > 1)
    figures = head.get(f"{PATH}/{cup}/figures")
    assert sum(line["players"] for line in figures["schools"]) == 60
    assert sum(line["games"] for line in figures["sections"]) == sum(line["games"] for line in figures["cycles"]) > 60
    real = knockout(head)
    assert head.web.post(f"{PATH}/{real}/rehearsal").json()["error"]["code"] == "no_rehearsal"
    assert head.web.delete(f"{PATH}/{cup}").status_code == 200


def test_games_of_the_site_are_kept_and_read_once_published(server: LocalServer, head: Person) -> None:
    clock = {"minutes": 7, "increment": 2}
    body = {
        "quick": {"game": "rastros", "format": "knockout", "clock": clock},
        "entries": {"names": "\n".join(EIGHT[:4])},
        "begin": True,
    }
    cup = head.post(PATH, body)["id"]
    _, one, two = at_table(server, head, cup)
    with present(one, two):
        session = sat_down(cup, one, two)
    rule = one.get(f"/api/v1/sessions/{session}")["clock"]
    assert (rule["initial"], rule["increment"]) == (420, 2), "with the clock of the stage"
    with one.watch(session) as table:
        assert table.move("f4")["type"] == "ack"
    assert head.get(f"{PATH}/{cup}/games")["games"] == [], "what goes on is nobody's yet"
    two.post(f"/api/v1/sessions/{session}/actions", {"action": "resign"})
    wait_for(lambda: bool(head.get(f"{PATH}/{cup}/games")["games"]), 30)
    told = head.get(f"{PATH}/{cup}/games")
    (game,) = told["games"]
    assert game["session"] == session and game["result"] == "1-0"
    names = [told["people"][str(game[side])]["name"] for side in ("one", "two")]
    (record,) = read_games(io.StringIO(head.web.get(f"{PATH}/{cup}/records").text))
    assert [record.tags["Player1"], record.tags["Player2"]] == names and record.tags["Event"] == "Rastros"
    play_out(head, cup, GROUP)
    guest = Person(server.address)
    for path in ("games", "records", "figures", "settings"):
        assert guest.web.get(f"{PATH}/{cup}/{path}").status_code == 401
    assert one.web.get(f"{PATH}/{cup}/records").status_code == 403
    head.web.put(f"{PATH}/{cup}/publication", json={"published": True})
    (public,) = read_games(io.StringIO(guest.web.get(f"{PATH}/{cup}/records").text))
    assert public.tags["Player1"] == f"{names[0].split()[0]} {names[0].split()[-1][0]}."
    assert guest.get(f"{PATH}/{cup}/figures")["games"][0]["on_site"] == 1
    head.web.put(f"{PATH}/{cup}/publication", json={"published": False})


def test_who_is_checked_in_is_told_to_those_at_the_door_and_not_to_every_group(
    head: Person, server: LocalServer
) -> None:
    cup = knockout(head)
    stream = server.hub.log.open[cup].stream
    before = stream.version(GROUP)
    body = {"section": "rastros-all", "persons": [1], "presence": "present"}
    head.post(f"{PATH}/{cup}/presence", body)
    assert stream.version(GROUP) == before
    assert head.get(f"{PATH}/{cup}")["sections"][0]["present"] == 1


def test_who_has_the_groups_asks_for_those_that_have_changed(head: Person) -> None:
    cup = head.post(PATH, {"template": "school-day", "rehearsal": {"pupils": 40, "schools": 6}})["id"]
    for _ in range(2):
        head.post(f"{PATH}/{cup}/rehearsal")
    told = head.get(f"{PATH}/{cup}/groups")
    assert told["whole"] and len(told["groups"]) > 5 and len(told["people"]) >= 40
    table = open_tables(told["groups"][3])[0]
    head.post(f"{PATH}/{cup}/results", {**table, "winner": 1})
    news = head.get(f"{PATH}/{cup}/groups?since={told['number']}")
    assert [group["id"] for group in news["groups"]] == [told["groups"][3]["id"]] and not news["whole"]
    assert {*news["people"]} == {str(person) for person in told["groups"][3]["members"]}
    assert head.get(f"{PATH}/{cup}/groups?since={news['number']}")["groups"] == []
    section = told["groups"][0]["section"]
    answer = head.web.put(f"{PATH}/{cup}/settings", json={"section": section, "stage": 1, "settings": {"qualify": 1}})
    assert answer.status_code == 200
    assert head.get(f"{PATH}/{cup}/groups?since={news['number']}")["whole"], "rules have changed"
