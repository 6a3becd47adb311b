"""Championships on the server: registered, drawn, paired, decided; what is answered is on the disk."""

import base64
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner
from websockets.sync.client import ClientConnection, connect

from server.cup import EIGHT, PATH, cards_of, group_of, knockout, open_tables, play_out
from server.people import PATIENCE, Json, LocalServer, Person, end_of, wait_for
from server.school import come_by, organiser, pupil, school_class, teacher
from tabuleiro.championship.file import read
from tabuleiro.cli import app
from tabuleiro.server.people.erasing import erase_person
from tabuleiro.server.people.store import list_people
from tabuleiro.server.settings import Settings, sqlite_url
from tabuleiro.sheets import write_xlsx

GROUP = "rastros-all/1/1"
ROWS = [
    ["Nome", "Escola", "Jogo", "Ciclo", "Adaptações"],
    ["Ana Silva", "EB Norte", "Ouri", "2.º", "mesa fixa"],
    ["Rui Costa", "EB Sul", "Ouri", "2.º", ""],
    ["Eva Dias", "EB Norte", "Hex", "sec", ""],
    ["Zé Pires", "EB Sul", "Hex", "sec", ""],
]


@pytest.fixture(scope="module")
def head(server: LocalServer) -> Person:
    return organiser(server)


def refused(by: Person, path: str, body: Json, status: int, method: str = "POST") -> str:
    answer = by.web.request(method, path, json=body)
    assert answer.status_code == status, answer.text
    code: str = answer.json()["error"]["code"]
    return code


def follow(person: Person, cup: str, group: str) -> ClientConnection:
    cookie = "; ".join(f"{name}={value}" for name, value in person.web.cookies.items())
    address = f"{person.address.replace('http', 'ws', 1)}/ws/v1/championships/{cup}?group={group}"
    return connect(address, additional_headers={"Cookie": cookie}, open_timeout=PATIENCE)


def xlsx(rows: list[list[str]]) -> str:
    return base64.b64encode(write_xlsx({"f": rows})).decode()


def test_a_knockout_for_eight(head: Person) -> None:
    cup = knockout(head)
    seen = head.get(f"{PATH}/{cup}")
    assert seen["may"] == {"change": True, "results": ["rastros-all"], "see": True}
    assert seen["sections"][0]["entries"] == 8 and seen["sections"][0]["podium"] is None
    first = group_of(head, cup, GROUP)
    assert {first["people"][str(person)]["name"] for person in first["members"]} == {*EIGHT}
    assert len(open_tables(first)) == 4 and first["rounds"][0]["pairings"][0]["why"]["pt"] == "lugares do quadro"
    over = play_out(head, cup, GROUP)
    assert [len(turn["pairings"]) for turn in over["rounds"]] == [4, 2, 2]
    podium = head.get(f"{PATH}/{cup}")["sections"][0]["podium"]
    assert [row["place"] for row in podium] == [1, 2, 3]
    final = over["rounds"][-1]["pairings"][0]
    assert podium[0]["person"] == final["one"] and podium[1]["person"] == final["two"]


def test_a_table_of_registrations_is_taken_whole_or_not_at_all(head: Person) -> None:
    cup = head.post(PATH, {"template": "cnjm6"})["id"]
    wrong = [*ROWS, ["Lia", "EB Sul", "Damas", "2.º", ""], ["", "EB Sul", "Ouri", "2.º", ""]]
    answer = head.web.post(f"{PATH}/{cup}/entries", json={"file": xlsx(wrong)})
    assert answer.status_code == 400 and answer.json()["error"]["code"] == "wrong_rows"
    lines = answer.json()["error"]["text"]["pt"].splitlines()
    assert lines[0].startswith("linha 6: não há o jogo «Damas»") and lines[1] == "linha 7: falta o nome ou a escola"
    assert head.get(f"{PATH}/{cup}/entries")["entries"] == []
    head.post(f"{PATH}/{cup}/entries", {"file": xlsx(ROWS)})
    told = head.get(f"{PATH}/{cup}/entries")
    assert {told["people"][str(entry["person"])]["name"] for entry in told["entries"]} == {row[0] for row in ROWS[1:]}
    ana = next(line for line in told["people"].values() if line["name"] == "Ana Silva")
    assert ana["school"] == "EB Norte" and ana["arrangements"] == [{"pt": "mesa fixa", "en": "fixed table"}]


def test_wrong_names_are_named_by_their_line(head: Person) -> None:
    body = {"quick": {"game": "rastros"}, "entries": {"names": "Ana\n\n123\nRui"}, "begin": True}
    before = len(head.get(PATH))
    answer = head.web.post(PATH, json=body)
    assert answer.status_code == 400 and answer.json()["error"]["text"]["pt"] == "linha 3: «123» não é um nome"
    assert len(head.get(PATH)) == before, "nothing is kept of it"


def test_results_corrections_and_flags(head: Person) -> None:
    cup = knockout(head, form="swiss")
    group = group_of(head, cup, GROUP)
    table = open_tables(group)[0]
    results, corrections = f"{PATH}/{cup}/results", f"{PATH}/{cup}/corrections"
    assert refused(head, results, {**table, "winner": None}, 400) == "refused", "Rastros cannot be drawn"
    head.post(results, {**table, "winner": 1})
    head.post(results, {**table, "winner": 1})  # said twice, as by a phone that heard no answer
    number = head.get(f"{PATH}/{cup}")["number"]
    assert refused(head, results, {**table, "winner": 2}, 400) == "refused"
    assert head.get(f"{PATH}/{cup}")["number"] == number
    assert refused(head, corrections, {**table, "winner": 2, "reason": " "}, 422) == "invalid_request"
    for other in open_tables(group_of(head, cup, GROUP)):
        head.post(results, {**other, "winner": 1})
    head.post(f"{PATH}/{cup}/rounds", {})
    assert head.get(f"{PATH}/{cup}")["flags"] == []
    head.post(corrections, {**table, "winner": 2, "reason": "trocado"})
    assert "depois de emparelhada a jornada seguinte" in head.get(f"{PATH}/{cup}")["flags"][0]["pt"]
    seen = group_of(head, cup, GROUP)
    beaten = seen["rounds"][0]["pairings"][0]["one"]
    row = next(row for row in seen["standings"] if row["person"] == beaten)
    assert row["points"] == "0" and len(seen["rounds"]) == 2, "counted again, and the next round stays"
    log = head.get(f"{PATH}/{cup}/log")
    assert log[0]["kind"] == "corrected" and log[0]["reason"] == "trocado" and log[0]["who"] == "Organizador"
    head.post(f"{PATH}/{cup}/undo", {"event": log[0]["number"], "reason": "afinal não"})
    row = next(row for row in group_of(head, cup, GROUP)["standings"] if row["person"] == beaten)
    assert row["points"] == "1"


def test_every_number_of_the_standings_is_explained(head: Person) -> None:
    cup = knockout(head, form="swiss")
    rows = play_out(head, cup, GROUP)["standings"]
    assert [line["round"] for line in rows[0]["sum"]] == [1, 2, 3]
    numbers = [tie for row in rows for tie in row["tie_breaks"] if tie["id"] == "buchholz_cut1"]
    assert numbers and all(" = " in tie["why"]["pt"] and "{p" in tie["why"]["pt"] for tie in numbers)


def test_late_absent_and_swapped(head: Person) -> None:
    cup = knockout(head, EIGHT[:5], form="swiss")
    group = group_of(head, cup, GROUP)
    bye = next(each for each in group["rounds"][0]["pairings"] if each["two"] is None)["one"]
    head.post(f"{PATH}/{cup}/entries", {"names": "Quem Veio Tarde"})
    assert len(group_of(head, cup, GROUP)["members"]) == 6
    head.post(f"{PATH}/{cup}/rounds", {"group": GROUP, "again": True})
    mended = group_of(head, cup, GROUP)["rounds"][0]["pairings"]
    assert all(each["two"] is not None for each in mended) and len(mended) == 3
    head.post(f"{PATH}/{cup}/swaps", {"section": "rastros-all", "out": bye, "name": "Quem Veio Em Vez"})
    assert "Quem Veio Em Vez" in {line["name"] for line in group_of(head, cup, GROUP)["people"].values()}
    absent = mended[0]["two"]
    head.post(f"{PATH}/{cup}/presence", {"section": "rastros-all", "persons": [absent], "presence": "absent"})
    for table in open_tables(group_of(head, cup, GROUP)):
        head.post(f"{PATH}/{cup}/results", {**table, "winner": 1})
    head.post(f"{PATH}/{cup}/rounds", {})
    second = group_of(head, cup, GROUP)["rounds"][1]["pairings"]
    assert absent not in {person for each in second for person in (each["one"], each["two"])}


def test_pairings_by_hand_are_warned_of(head: Person) -> None:
    cup = knockout(head, EIGHT[:4], form="swiss")
    first = group_of(head, cup, GROUP)["rounds"][0]["pairings"][0]
    for table in open_tables(group_of(head, cup, GROUP)):
        head.post(f"{PATH}/{cup}/results", {**table, "winner": 1})
    told = head.post(f"{PATH}/{cup}/rounds", {"group": GROUP, "pairs": [[first["two"], first["one"]]]})
    assert any("ninguém repete adversário" in warning["pt"] for warning in told["refused"])


def test_an_arbiter_of_one_section_enters_only_its_results(server: LocalServer, head: Person) -> None:
    cup = head.post(PATH, {"template": "cnjm6", "entries": {"file": xlsx(ROWS)}, "begin": True})["id"]
    link = head.post(f"{PATH}/{cup}/arbiters", {"name": "Maria Árbitra", "section": "ouri-2"})["link"]
    arbiter = Person(server.address)
    come_by(arbiter, link)
    assert [line["mine"] for line in arbiter.get(PATH) if line["id"] == cup] == ["arbiter"]
    assert arbiter.get(f"{PATH}/{cup}")["may"] == {"change": False, "results": ["ouri-2"], "see": True}
    ouri, hex_ = (open_tables(group_of(arbiter, cup, f"{section}/1/1"))[0] for section in ("ouri-2", "hex-sec"))
    results = f"{PATH}/{cup}/results"
    assert refused(arbiter, results, {**hex_, "winner": 1}, 403) == "not_allowed"
    arbiter.post(results, {**ouri, "winner": 1, "score": [30, 18]})
    assert refused(arbiter, f"{PATH}/{cup}/rounds", {}, 403) == "not_allowed"
    told = head.get(f"{PATH}/{cup}/arbiters")
    assert [line["section"] for line in told] == ["ouri-2"]
    with follow(arbiter, cup, "ouri-2/1/1") as phone:
        assert head.web.delete(f"{PATH}/{cup}/arbiters/{told[0]['guest']}").status_code == 200
        assert end_of(phone.recv) == (4401, "sign_in"), "who is dismissed is told nothing more"
    assert refused(arbiter, results, {**ouri, "winner": 1}, 401) == "sign_in"


def test_a_card_is_shown_at_the_door(server: LocalServer, head: Person) -> None:
    cup = head.post(PATH, {"template": "cnjm6", "entries": {"file": xlsx(ROWS)}})["id"]
    cards = cards_of(head, cup)
    doors = []
    for section in ("ouri-2", "hex-sec"):
        doors.append(Person(server.address))
        come_by(doors[-1], head.post(f"{PATH}/{cup}/arbiters", {"name": "À Porta", "section": section})["link"])
    ana = cards["Ana Silva"]["guest"]
    (line,) = doors[0].get(f"{PATH}/check-in/{ana}")
    assert (line["section"], line["presence"]) == ("ouri-2", "expected")
    assert doors[1].get(f"{PATH}/check-in/{ana}") == [], "not of the section that they look after"
    doors[0].post(f"{PATH}/{cup}/presence", {"section": "ouri-2", "persons": [line["person"]], "presence": "present"})
    assert doors[0].get(f"{PATH}/check-in/{ana}")[0]["presence"] == "present"


def test_the_public_sees_a_published_championship_with_short_names(server: LocalServer, head: Person) -> None:
    cup, guest = knockout(head), Person(server.address)
    assert guest.web.get(f"{PATH}/{cup}").status_code == 401 and guest.get(PATH) == []
    assert head.web.put(f"{PATH}/{cup}/publication", json={"published": True}).status_code == 200
    assert [line["id"] for line in guest.get(PATH)] == [cup]
    people = group_of(guest, cup, GROUP)["people"].values()
    assert {line["name"] for line in people} >= {"Ana S.", "Tó M."} and "arrangements" not in next(iter(people))
    assert guest.get(f"{PATH}/{cup}")["may"] == {"change": False, "results": [], "see": False}
    assert head.web.put(f"{PATH}/{cup}/publication", json={"published": True, "full_names": True}).status_code == 200
    assert "Ana Silva" in {line["name"] for line in group_of(guest, cup, GROUP)["people"].values()}
    assert guest.web.get(f"{PATH}/{cup}/entries").status_code == 401
    head.web.put(f"{PATH}/{cup}/publication", json={"published": False})


def test_who_follows_hears_of_changes(head: Person) -> None:
    cup = knockout(head)
    with follow(head, cup, GROUP) as socket:
        told = json.loads(socket.recv(PATIENCE))
        assert told["type"] == "changed"
        for table in open_tables(group_of(head, cup, GROUP))[:2]:  # with the first, the draw may be told of, too
            head.post(f"{PATH}/{cup}/results", {**table, "winner": 2})
            number = head.get(f"{PATH}/{cup}")["number"]
            while told["number"] < number:
                told = json.loads(socket.recv(PATIENCE))
        assert told["groups"] == [GROUP] and not told["calls"]


def test_a_class_plays_with_the_cards_it_has(server: LocalServer, head: Person) -> None:
    mine = teacher(head)
    here = school_class(mine)
    body = {"quick": {"game": "rastros", "format": "round_robin"}, "entries": {"class_id": here["id"]}, "begin": True}
    cup = mine.post(PATH, body)["id"]
    assert mine.post(f"{PATH}/{cup}/cards", {})["cards"] == [], "they have cards already"
    ana = pupil(server.address, here["cards"][0])
    told = ana.get(f"{PATH}/{cup}")
    assert told["people"][str(told["mine"]["person"])]["name"] == "Ana S."
    assert [line["mine"] for line in ana.get(PATH)] == ["player"]
    other = teacher(head, "Outra Professora")
    assert refused(other, f"{PATH}/{cup}/rounds", {}, 403) == "not_allowed"


def test_a_pupil_enters_no_result(server: LocalServer, head: Person) -> None:
    cup = knockout(head)
    card = cards_of(head, cup)["Ana Silva"]
    ana = pupil(server.address, card)
    table = open_tables(group_of(ana, cup, GROUP))[0]
    assert refused(ana, f"{PATH}/{cup}/results", {**table, "winner": 1}, 403) == "not_allowed"


# ---- files


def test_a_championship_goes_to_another_server_and_back(tmp_path: Path, head: Person) -> None:
    cup = knockout(head)
    head.post(f"{PATH}/{cup}/results", {**open_tables(group_of(head, cup, GROUP))[0], "winner": 1})
    sent = head.web.get(f"{PATH}/{cup}/file/campeonato").content
    file = tmp_path / "copia.campeonato"
    file.write_bytes(sent)
    championship, people = read(file)
    assert championship.number == head.get(f"{PATH}/{cup}")["number"] and {d.name for d in people.values()} == {*EIGHT}
    with LocalServer(Settings(sqlite_url(tmp_path))) as other:
        there = organiser(other)
        copy = there.post(f"{PATH}/import", {"file": base64.b64encode(sent).decode()})["id"]
        assert group_of(there, copy, GROUP) == group_of(head, cup, GROUP)
        over = play_out(there, copy, GROUP)
        assert over["complete"]
    assert refused(head, f"{PATH}/import", {"file": base64.b64encode(b"nothing").decode()}, 400) == "refused"


def test_who_was_erased_does_not_come_back_with_a_file(server: LocalServer, head: Person) -> None:
    cup = knockout(head)
    card = cards_of(head, cup)["Ana Silva"]
    sent = head.web.get(f"{PATH}/{cup}/file/campeonato").content
    ana = pupil(server.address, card)
    server.do(
        server.hub.store.write(
            lambda connection: erase_person(connection, server.hub.settings.database, card["guest"], server.hub.now())
        )
    )
    assert ana.get("/api/v1/person")["person"] is None
    assert "Ana Silva" not in json.dumps(head.get(f"{PATH}/{cup}/entries"))
    copy = head.post(f"{PATH}/import", {"file": base64.b64encode(sent).decode()})["id"]
    told = json.dumps(group_of(head, copy, GROUP))
    assert "Ana Silva" not in told and "Rui Costa" in told


def test_after_a_draw_there_is_a_backup(server: LocalServer, head: Person) -> None:
    cup = knockout(head)
    folder = server.app.state.championship_backups.folder
    wait_for(lambda: any(folder.glob(f"{cup}-*.campeonato")), 20)
    (file,) = folder.glob(f"{cup}-*.campeonato")
    assert file.stat().st_mode & 0o777 == 0o600
    assert {details.name for details in read(file).people.values()} == {*EIGHT}
    assert head.web.delete(f"{PATH}/{cup}").status_code == 200
    assert not any(folder.glob(f"{cup}-*")) and head.web.get(f"{PATH}/{cup}").status_code == 404
    names = server.do(server.hub.store.read(lambda connection: [p.name for p in list_people(connection)]))
    assert "Gil Brito" not in names or any(line["id"] != cup for line in head.get(PATH))


def test_after_the_last_result_of_a_round_there_is_a_backup_with_it(server: LocalServer, head: Person) -> None:
    cup = knockout(head, EIGHT[:2])
    folder = server.app.state.championship_backups.folder
    wait_for(lambda: any(folder.glob(f"{cup}-*.campeonato")), 20)
    (table,) = open_tables(group_of(head, cup, GROUP))
    head.post(f"{PATH}/{cup}/results", {**table, "winner": 2})
    wait_for(lambda: len([*folder.glob(f"{cup}-*.campeonato")]) == 2, 20)
    last = read(max(folder.glob(f"{cup}-*.campeonato"))).championship
    assert [event.kind for event in last.events][-1] == "result"


def test_a_server_that_was_killed_before_it_wrote_a_backup_writes_it_when_it_starts(tmp_path: Path) -> None:
    settings = Settings(sqlite_url(tmp_path))
    with LocalServer(settings) as there:
        cup = knockout(organiser(there))
        folder = there.app.state.championship_backups.folder
        wait_for(lambda: any(folder.glob(f"{cup}-*")), 20)
    for file in folder.glob(f"{cup}-*"):
        file.unlink()
    with LocalServer(settings):
        wait_for(lambda: any(folder.glob(f"{cup}-*")), 20)


def test_the_command_line_carries_a_championship_from_server_to_file_and_back(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    with LocalServer(Settings(url)) as there:
        by = organiser(there)
        cup = knockout(by)
        before = group_of(by, cup, GROUP)
    file = tmp_path / "copia.campeonato"
    runner = CliRunner()
    words = ["championship", "export", cup, str(file), "--server", "--database", url]
    assert runner.invoke(app, words).exit_code == 0 and file.stat().st_mode & 0o777 == 0o600
    assert runner.invoke(app, words).exit_code != 0, "what is there stays"
    made = runner.invoke(app, ["championship", "import", str(file), "--server", "--database", url])
    assert made.exit_code == 0, made.output
    other = tmp_path / "another laptop"
    assert runner.invoke(app, ["championship", "import", str(file), "--server", "--data", str(other)]).exit_code == 0
    with LocalServer(Settings(sqlite_url(other))) as there:
        by = organiser(there)
        (line,) = by.get(PATH)
        assert line["mine"] == "owner", "it belongs to who comes in first"
        assert group_of(by, line["id"], GROUP)["rounds"] == before["rounds"]
    with LocalServer(Settings(url)) as there:
        by = organiser(there)
        copy = made.output.strip()
        assert group_of(by, copy, GROUP) == before
        people = {line["id"]: line for line in by.get(PATH)}
        assert {cup, copy} == {*people}
        names = there.do(there.hub.store.read(lambda connection: [p.name for p in list_people(connection)]))
        assert names.count("Ana Silva") == 1, "who is here already is the same person"


def test_an_arena_pairs_whoever_is_free(head: Person) -> None:
    cup = knockout(head, EIGHT[:4], form="arena")
    tables = open_tables(group_of(head, cup, GROUP))
    assert len(tables) == 2
    head.post(f"{PATH}/{cup}/results", {**tables[0], "winner": 1})
    assert head.get(f"{PATH}/{cup}")["ready"]["groups"] == [GROUP]
    head.post(f"{PATH}/{cup}/rounds", {})
    assert len(group_of(head, cup, GROUP)["rounds"][1]["pairings"]) == 1, "the others still play"
