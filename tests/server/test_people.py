"""People over the network: signing in and out, cards, classes, rounds; what is kept of them, and what is not."""

import base64
import json
import re
import sqlite3
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import argon2
import httpx
import pytest
import sqlalchemy as sa
from websockets.sync.client import connect

from server.people import PATIENCE, Json, LocalServer, Person, wait_for
from server.school import NAMES, come_by, organiser, pupil, school_class, sign_in, teacher
from server.test_api import refused
from tabuleiro.server.people import passwords
from tabuleiro.server.people.office import first_link
from tabuleiro.server.people.passwords import _verify
from tabuleiro.server.people.throttle import Throttle
from tabuleiro.server.settings import Settings, sqlite_url


def everything_stored(server: LocalServer) -> bytes:
    file = str(server.hub.store._engine.url).removeprefix("sqlite:///")
    return b"".join(Path(file + suffix).read_bytes() for suffix in ("", "-wal"))


def line(browser: Person) -> "Line":
    return Line(browser)


class Line:
    """The connection of a page of somebody who is signed in."""

    def __init__(self, browser: Person) -> None:
        cookie = "; ".join(f"{name}={value}" for name, value in browser.web.cookies.items())
        address = f"{browser.address.replace('http', 'ws', 1)}/ws/v1/me"
        self._opened = connect(address, additional_headers={"Cookie": cookie}, open_timeout=PATIENCE)
        self.socket = self._opened.__enter__()

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def next(self) -> Json:
        message: Json = json.loads(self.socket.recv(PATIENCE))
        return message

    def say(self, message: Json) -> None:
        self.socket.send(json.dumps(message))

    def until(self, kind: str) -> Json:
        while (message := self.next())["type"] != kind:
            pass
        return message


# ---- the first organiser


def test_a_link_is_shown_until_an_organiser_has_come_in(tmp_path: Path) -> None:
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:

        def shown() -> str | None:
            return server.do(server.hub.store.write(lambda connection: first_link(connection, time.time())))

        old, new = shown(), shown()
        browser = Person(server.address)
        assert refused(sign_in(browser, by="link", token=str(old)), 403) == "wrong_link", "only the last one counts"
        assert browser.get("/api/v1/person") == {"person": None, "to_keep": 0}
        welcome = come_by(browser, f"/entrar#l.{new}")
        assert welcome["person"]["role"] == "organiser" and welcome["check_in"] is None
        assert refused(sign_in(Person(server.address), by="link", token=str(new)), 403) == "wrong_link", "it works once"
        assert shown() is None
        assert browser.web.delete("/api/v1/person/sign-in").status_code == 200
        assert shown() is not None, "nobody could come in any more"


# ---- cards


@pytest.fixture(scope="module")
def maria(server: LocalServer) -> Person:
    return teacher(organiser(server))


@pytest.fixture
def class_7b(maria: Person) -> Json:
    return school_class(maria)


def test_a_card_signs_in_and_its_token_is_kept_nowhere(server: LocalServer, maria: Person, class_7b: Json) -> None:
    card = class_7b["cards"][0]
    browser = Person(server.address)
    browser.web.put("/api/v1/me", json={"nickname": "Alguém"})
    before = browser.web.cookies["tabuleiro"]
    welcome = come_by(browser, card["link"])
    assert welcome["person"]["name"] == card["name"] and welcome["person"]["role"] == "pupil"
    assert [each["name"] for each in welcome["person"]["classes"]] == ["7.º B"]
    assert browser.web.cookies["tabuleiro"] != before, "a cookie that somebody knew is worth nothing"
    stranger = Person(server.address)
    stranger.web.cookies.set("tabuleiro", before)
    assert stranger.get("/api/v1/person")["person"] is None
    stored = everything_stored(server)
    for secret in (
        card["link"].partition(".c")[2] or card["link"][-22:],
        card["code"],
        browser.web.cookies["tabuleiro"],
    ):
        assert secret.encode() not in stored
    assert browser.get("/api/v1/me")["nickname"] == "Ana S."


def test_the_code_of_the_class_and_the_own_code_sign_in(server: LocalServer, maria: Person, class_7b: Json) -> None:
    card, other = class_7b["cards"][0], school_class(maria, name="8.º A")
    browser = Person(server.address)
    wrong = {"by": "code", "class_code": other["class_code"], "code": card["code"]}
    assert refused(sign_in(browser, **wrong), 403) == "wrong_code", "it counts in its class alone"
    assert refused(sign_in(browser, by="code", class_code="", code=""), 403) == "wrong_code"
    typed = f" {card['code'][:3].lower()}-{card['code'][3:]}"
    answer = sign_in(browser, by="code", class_code=class_7b["class_code"].lower(), code=typed)
    assert answer.json()["person"]["guest"] == card["guest"]


def test_guesses_are_stopped(server: LocalServer, class_7b: Json) -> None:
    browser = Person(server.address)
    browser.web.put("/api/v1/me", json={"nickname": "Alguém"})
    answers = [sign_in(browser, by="code", class_code=class_7b["class_code"], code=f"BBBB{n}2") for n in range(2, 10)]
    answers += [sign_in(browser, by="code", class_code=class_7b["class_code"], code="BBBBBB") for _ in range(4)]
    assert [answer.status_code for answer in answers].count(429) == 2
    card = class_7b["cards"][1]
    late = sign_in(browser, by="code", class_code=class_7b["class_code"], code=card["code"])
    assert refused(late, 429) == "too_often", "the right code comes too late"
    assert come_by(browser, card["link"])["person"] is not None, "the card itself is not held up"


def test_a_replaced_card_dies_at_once_with_its_sign_ins(server: LocalServer, maria: Person, class_7b: Json) -> None:
    card = class_7b["cards"][2]
    browser = pupil(server.address, card)
    with line(browser) as open_page:
        path = f"/api/v1/classes/{class_7b['id']}/cards"
        (new,) = maria.post(path, {"pupils": [card["guest"]]})["cards"]
        assert open_page.until("error")["code"] == "sign_in"
    assert browser.get("/api/v1/person")["person"] is None
    assert refused(sign_in(Person(server.address), by="card", token=card["link"][-22:]), 403) == "wrong_card"
    old = {"by": "code", "class_code": class_7b["class_code"], "code": card["code"]}
    assert refused(sign_in(Person(server.address), **old), 403) == "wrong_code"
    assert pupil(server.address, new).get("/api/v1/person")["person"]["guest"] == card["guest"]
    others = pupil(server.address, class_7b["cards"][3])
    assert others.get("/api/v1/person")["person"] is not None


def test_a_phone_is_passed_on(server: LocalServer, class_7b: Json) -> None:
    phone, tablet = (pupil(server.address, class_7b["cards"][0]) for _ in range(2))
    session_id = phone.create("hex", {"kind": "engine", "level": 1})
    assert [each["id"] for each in tablet.get("/api/v1/sessions")["sessions"]] == [session_id], "on every device"
    assert [each["this"] for each in phone.get("/api/v1/person/sign-ins")].count(True) == 1
    assert phone.web.delete("/api/v1/person/sign-in").json() == {"person": None, "to_keep": 0}
    assert phone.get("/api/v1/sessions")["sessions"] == [] and phone.get("/api/v1/person")["person"] is None
    (left,) = tablet.get("/api/v1/person/sign-ins")
    assert come_by(phone, class_7b["cards"][1]["link"])["person"]["name"] == "Rui Costa"
    assert refused(phone.web.delete(f"/api/v1/person/sign-ins/{left['id']}"), 404), "it is another's"
    assert tablet.web.delete(f"/api/v1/person/sign-ins/{left['id']}").status_code == 200
    assert tablet.get("/api/v1/person")["person"] is None


def test_games_played_without_a_card_are_kept(server: LocalServer, ana: Person, rui: Person, class_7b: Json) -> None:
    session_id = ana.create("rastros", {"kind": "friend"}, side="first")
    rui.post(f"/api/v1/sessions/{session_id}/join")
    assert come_by(ana, class_7b["cards"][0]["link"])["to_keep"] == 1
    assert ana.get("/api/v1/sessions")["sessions"] == []
    assert ana.post("/api/v1/person/keep")["to_keep"] == 0
    (kept,) = ana.get("/api/v1/sessions")["sessions"]
    assert kept["id"] == session_id and kept["seats"]["1"]["name"] == "Ana S."
    moved = ana.web.post(f"/api/v1/sessions/{session_id}/moves", json={"ply": 0, "move": "d4"})
    assert moved.status_code == 200, "the seat is hers"
    server.hub.log.open.clear()
    assert ana.get(f"/api/v1/sessions/{session_id}")["your_seats"] == [1], "and so it is stored"


def test_a_card_in_the_browser_of_an_adult_tells_whose_it_is(
    server: LocalServer, maria: Person, class_7b: Json
) -> None:
    card = class_7b["cards"][0]
    welcome = come_by(maria, card["link"])
    assert welcome["person"]["role"] == "teacher"
    assert welcome["check_in"] == {"guest": card["guest"], "name": "Ana Silva", "class_id": class_7b["id"]}
    assert maria.get("/api/v1/person")["person"]["role"] == "teacher"
    other = teacher(organiser(server), "Outro")
    assert come_by(other, card["link"])["check_in"] == {"guest": card["guest"], "name": None, "class_id": None}


# ---- among themselves


def test_strangers_never_see_or_play_pupils(server: LocalServer, maria: Person, class_7b: Json, rui: Person) -> None:
    one, mate = (pupil(server.address, card) for card in class_7b["cards"][:2])
    other = pupil(server.address, school_class(maria, name="8.º A")["cards"][0])
    stranger_teacher, boss = teacher(organiser(server), "Outro"), organiser(server)
    session_id = one.create("rastros", {"kind": "friend"}, side="first")
    path = f"/api/v1/sessions/{session_id}"
    for person, may in (
        (rui, False),
        (other, False),
        (stranger_teacher, False),
        (mate, True),
        (maria, True),
        (boss, True),
    ):
        for route in (path, f"{path}/at/0", f"{path}/record"):
            assert person.web.get(route).status_code == (200 if may else 403), route
        with person.watch(session_id) as table:
            assert table.first["type"] == ("session" if may else "error")
        if not may:
            assert refused(person.web.post(f"{path}/join"), 403) == "class_only"
    assert mate.post(f"{path}/join")["your_seats"] == [2]
    theirs = rui.create("rastros", {"kind": "friend"})
    assert refused(one.web.post(f"/api/v1/sessions/{theirs}/join"), 403) == "class_only", "nor the other way round"


def test_house_rules_and_names_hold_for_what_pupils_begin(server: LocalServer, maria: Person, class_7b: Json) -> None:
    browser = pupil(server.address, class_7b["cards"][0])
    assert refused(browser.web.put("/api/v1/me", json={"nickname": "Zorro"}), 403) == "name_locked"
    path = f"/api/v1/classes/{class_7b['id']}"
    maria.web.put(f"{path}/nicknames", json={"locked": False})
    assert browser.web.put("/api/v1/me", json={"nickname": "Zorro"}).json() == {"nickname": "Zorro"}
    rules = {"takebacks": True, "hints": False, "highest_level": 2, "games": ["hex"]}
    maria.web.put(f"{path}/rules", json=rules)
    for game, level in (("hex", 3), ("ouri", 1)):
        wish = {"game": game, "opponent": {"kind": "engine", "level": level}}
        assert refused(browser.web.post("/api/v1/sessions", json=wish), 403) == "house_rules"
    session_id = browser.create("hex", {"kind": "engine", "level": 2})
    with browser.watch(session_id) as table:
        assert table.ask("hint")["code"] == "house_rules"
    assert browser.get(f"/api/v1/sessions/{session_id}/dangers")["wins"] is None, "that would be a hint too"


def test_a_game_in_front_of_somebody_ends_with_their_sign_in(server: LocalServer, class_7b: Json) -> None:
    phone = pupil(server.address, class_7b["cards"][0])
    session_id = phone.create("hex", {"kind": "local"})
    with phone.watch(session_id) as table:
        phone.web.delete("/api/v1/person/sign-in")
        assert table.end() == (4401, "sign_in")


# ---- passwords


def test_adults_sign_in_by_name_and_password(server: LocalServer) -> None:
    adult = teacher(organiser(server), "Joana")
    path, wish = "/api/v1/person/password", {"login": " Joana  Reis", "password": "cavalo bateria"}
    assert refused(adult.web.put(path, json={**wish, "password": "curta"}), 400) == "password"
    assert adult.web.put(path, json=wish).json()["person"]["login"] == "joana reis"
    stored = everything_stored(server)
    assert b"cavalo bateria" not in stored and b"$argon2id$" in stored
    browser = Person(server.address)
    assert refused(sign_in(browser, by="password", login="joana reis", password="errada demais"), 403)
    welcome = sign_in(browser, by="password", login="JOANA reis", password="cavalo bateria").json()
    assert welcome["person"]["name"] == "Joana"
    assert refused(browser.web.put(path, json=wish), 403) == "wrong_password", "who came by it says it"
    changed = {**wish, "current": "cavalo bateria", "password": "bateria cavalo"}
    assert browser.web.put(path, json=changed).status_code == 200
    other = teacher(organiser(server), "Outra")
    assert refused(other.web.put(path, json=wish), 409) == "login_taken"


def adult_with_password(server: LocalServer, login: str) -> Person:
    adult = teacher(organiser(server), login.title())
    assert adult.web.put("/api/v1/person/password", json={"login": login, "password": "cavalo bateria"}).is_success
    return adult


def test_a_refusal_says_nothing_about_the_name(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answer after the same work: one password is held against one hash of the same cost."""
    adult_with_password(server, "pontual")
    held_against: list[str] = []

    def verify(kept: str, password: str) -> bool:
        held_against.append(kept)
        return _verify(kept, password)

    monkeypatch.setattr(passwords, "_verify", verify)
    answers = [
        sign_in(Person(server.address), by="password", login=name, password="errada demais")
        for name in ("pontual", "ninguem")
    ]
    assert refused(answers[0], 403) == "wrong_password" and answers[0].content == answers[1].content
    known, unknown = (argon2.extract_parameters(kept) for kept in held_against)
    assert known == unknown and known.type is argon2.Type.ID


@pytest.mark.long
def test_the_time_of_a_refusal_says_nothing_about_the_name(server: LocalServer) -> None:
    adult_with_password(server, "vagarosa")
    times: dict[str, list[float]] = {"vagarosa": [], "ninguem": []}
    for _ in range(25):
        for name, taken in times.items():
            browser = Person(server.address)
            server.app.state.doors.throttle = Throttle()  # who guesses would be stopped long before
            begun = time.perf_counter()
            assert refused(sign_in(browser, by="password", login=name, password="errada demais"), 403)
            taken.append(time.perf_counter() - begun)
    known, unknown = (statistics.median(taken) for taken in times.values())
    assert 0.8 < known / unknown < 1.25


def test_numbers_and_codes_cannot_be_tried_through(server: LocalServer, maria: Person, class_7b: Json) -> None:
    """Who asks for what they may not see is told the same whether or not there is such a thing."""
    one = pupil(server.address, class_7b["cards"][0])
    other = school_class(maria, name="8.º A")
    theirs, nobody = other["cards"][0]["guest"], 2**31 - 1
    with line(pupil(server.address, other["cards"][0])) as here:
        here.say({"type": "ping"})
        here.until("pong")
        asks: tuple[Callable[[int], httpx.Response], ...] = (
            lambda number: one.web.get(f"/api/v1/people/{number}"),
            lambda number: one.web.get(f"/api/v1/people/{number}/export"),
            lambda number: one.web.post("/api/v1/challenges", json={"to": number, "game": "rastros"}),
        )
        for ask in asks:
            known, unknown = ask(theirs), ask(nobody)
            assert known.status_code == 403 and known.content == unknown.content
    tries = [
        sign_in(Person(server.address), by="code", class_code=class_code, code="BBBBBB")
        for class_code in (class_7b["class_code"], "2222")
    ]
    assert refused(tries[0], 403) == "wrong_code" and tries[0].content == tries[1].content


def test_what_was_heard_of_a_sign_in_is_worth_nothing_after_it(server: LocalServer, class_7b: Json) -> None:
    phone = pupil(server.address, class_7b["cards"][0])
    heard = [phone.web.cookies["tabuleiro"]]
    come_by(phone, class_7b["cards"][1]["link"])
    heard.append(phone.web.cookies["tabuleiro"])
    phone.web.delete("/api/v1/person/sign-in")
    heard.append(phone.web.cookies["tabuleiro"])
    assert len({*heard}) == 3, "each sign-in and each sign-out brings a new cookie"
    for cookie in heard:
        stranger = Person(server.address)
        stranger.web.cookies.set("tabuleiro", cookie)
        assert stranger.get("/api/v1/person")["person"] is None
        assert refused(stranger.web.get("/api/v1/person/sign-ins"), 401)


# ---- classes


def test_nothing_is_half_loaded(server: LocalServer, maria: Person) -> None:
    before = maria.get("/api/v1/classes")
    answer = maria.web.post("/api/v1/classes", json={"name": "9.º C", "names": "Ana\n!!\nRui\nana"})
    assert refused(answer, 400) == "roster"
    assert answer.json()["error"]["text"]["pt"] == "linha 2: «!!» não é um nome; linha 4: «ana» repetido (linha 1)"
    assert maria.get("/api/v1/classes") == before
    assert b"9.\xc2\xba C" not in everything_stored(server)


def test_a_class_from_a_file(maria: Person) -> None:
    file = base64.b64encode("Nome;Ano\r\nJoão;7\r\nInês;7\r\n".encode("cp1252")).decode()
    made = maria.post("/api/v1/classes", {"name": "Clube", "names": "", "file": file})
    assert [card["name"] for card in made["cards"]] == ["João", "Inês"]
    assert refused(maria.web.post("/api/v1/classes", json={"name": "Clube", "file": "%%"}), 400)


def test_pupils_are_added_removed_and_brought_back(server: LocalServer, maria: Person, class_7b: Json) -> None:
    path = f"/api/v1/classes/{class_7b['id']}"
    (new,) = maria.post(f"{path}/pupils", {"names": "Ana Sousa"})["cards"]
    assert pupil(server.address, new).get("/api/v1/me")["nickname"] == "Ana S. 2"
    assert refused(maria.web.post(f"{path}/pupils", json={"names": "Ana Sousa"}), 400) == "roster"
    gone = pupil(server.address, class_7b["cards"][4])
    view = maria.web.delete(f"{path}/pupils/{class_7b['cards'][4]['guest']}").json()
    assert [each["name"] for each in view["removed"]] == ["Inês Reis"] and len(view["pupils"]) == 5
    assert gone.get("/api/v1/person")["person"] is None
    token = class_7b["cards"][4]["link"][-22:]
    assert refused(sign_in(gone, by="card", token=token), 403) == "wrong_card"
    maria.post(f"{path}/pupils/{class_7b['cards'][4]['guest']}/back")
    assert come_by(gone, class_7b["cards"][4]["link"])["person"]["name"] == "Inês Reis"


def test_a_round_is_played_and_its_results_are_seen(server: LocalServer, maria: Person, class_7b: Json) -> None:
    path = f"/api/v1/classes/{class_7b['id']}"
    browsers = {card["guest"]: pupil(server.address, card) for card in class_7b["cards"]}
    pages = {guest: line(browser) for guest, browser in browsers.items()}
    rules = {"takebacks": False, "hints": False, "highest_level": 1, "games": ["rastros"], "ratings": False}
    assert maria.web.put(f"{path}/rules", json=rules).json()["rules"] == rules
    assert refused(maria.web.post(f"{path}/rounds", json={"game": "hex"}), 403) == "house_rules"
    with line(maria) as teachers_page:
        teachers_page.socket.send(json.dumps({"type": "follow", "class": class_7b["id"]}))
        seen = teachers_page.until("class")["class"]
        assert all(each["here"] for each in seen["pupils"])
        (held,) = maria.post(f"{path}/rounds", {"game": "rastros"})["rounds"]
        assert sorted(guest for game in held["games"] for guest in (game["one"], game["two"]) if guest) == [*browsers]
        told = {guest: page.until("game")["session"] for guest, page in pages.items()}
        for game in held["games"]:
            assert told[game["one"]] == game["session"] and game["two"] in (None, *browsers)
        (alone,) = [game for game in held["games"] if game["two"] is None]
        assert alone["level"] == 1
        played = next(game for game in held["games"] if game["two"] is not None)
        one, two = browsers[played["one"]], browsers[played["two"]]
        moves = f"/api/v1/sessions/{played['session']}"
        one.post(f"{moves}/moves", {"ply": 0, "move": "d4"})
        two.post(f"{moves}/moves", {"ply": 1, "move": two.get(moves)["view"]["moves"][0]["text"]})
        assert refused(one.web.post(f"{moves}/actions", json={"action": "ask_takeback"}), 409) == "moves_stand"
        one.post(f"{moves}/actions", {"action": "resign"})
        while not any(each["won"] for each in teachers_page.until("class")["class"]["pupils"]):
            pass
    view = maria.get(path)
    winner = next(each for each in view["pupils"] if each["guest"] == played["two"])
    assert (winner["played"], winner["won"]) == (1, 1) and winner["playing"] is None
    assert next(game for game in view["rounds"][0]["games"] if game["session"] == played["session"])["winner"] == 2
    pages.popitem()[1].socket.close()
    assert all(each["here"] for each in maria.get(path)["pupils"]), "who goes from page to page is here all the while"
    alone_again = line(browsers[alone["one"]])
    assert alone_again.until("game")["session"] == alone["session"], "who comes late is called"
    for page in (alone_again, *pages.values()):
        page.socket.close()
    wait_for(lambda: not any(each["here"] for each in maria.get(path)["pupils"]))


def test_exports_hold_no_formulas(maria: Person) -> None:
    made = school_class(maria, ["=Ana()", "Rui"])
    path = f"/api/v1/classes/{made['id']}/export"
    table = maria.web.get(f"{path}/csv")
    assert table.headers["content-disposition"] == 'attachment; filename="turma.csv"'
    assert "'=Ana()" in table.content.decode("utf-8-sig")
    assert maria.web.get(f"{path}/xlsx").content.startswith(b"PK")
    assert [each["name"] for each in maria.get(f"{path}/json")["pupils"]] == ["=Ana()", "Rui"]


def test_every_act_on_others_is_in_a_log_that_nobody_changes(
    server: LocalServer, maria: Person, class_7b: Json
) -> None:
    maria.web.delete(f"/api/v1/classes/{class_7b['id']}/pupils/{class_7b['cards'][0]['guest']}")
    maria.web.get(f"/api/v1/classes/{class_7b['id']}/export/csv")
    boss = organiser(server)
    lines = boss.get("/api/v1/audit")
    acts = [each["act"] for each in lines if each["about"].get("stream") == class_7b["id"]]
    assert acts == ["export_class", "remove", "make_class"]
    assert not re.search("|".join(NAMES), json.dumps(lines)), "numbers only"
    for statement in ("UPDATE audit SET act = 'x'", "DELETE FROM audit"):
        with pytest.raises(sa.exc.DatabaseError, match="not changed"):
            server.do(server.hub.store.write(partial(_execute, statement=statement)))


def _execute(connection: sa.Connection, statement: str) -> None:
    connection.execute(sa.text(statement))


def test_events_hold_numbers_only(server: LocalServer, maria: Person, class_7b: Json) -> None:
    file = str(server.hub.store._engine.url).removeprefix("sqlite:///")
    with sqlite3.connect(file) as database:
        rows = [
            str(row)
            for table in ("events", "streams", "members", "audit")
            for row in database.execute(f"SELECT * FROM {table}")
        ]
    database.close()
    assert not [row for row in rows if any(name in row or name.split()[0] in row for name in NAMES)]


# ---- erasing


def test_people_of_whom_nothing_is_heard_for_thirteen_months_are_erased(tmp_path: Path) -> None:
    now = [time.time()]
    with LocalServer(Settings(sqlite_url(tmp_path)), lambda: now[0]) as server:
        boss = organiser(server)
        made = school_class(boss)
        now[0] += 200 * 24 * 3600
        rui = pupil(server.address, made["cards"][1])
        now[0] += 200 * 24 * 3600
        server.do(server.app.state.eraser.erase_what_is_due())
        assert [each["name"] for each in boss.get(f"/api/v1/classes/{made['id']}")["pupils"]] == ["Rui Costa"]
        assert rui.get("/api/v1/person")["person"]["name"] == "Rui Costa"
