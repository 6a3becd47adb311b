"""The REST half: what it answers, what it refuses, and that no request makes it stumble."""

import json
import random
from typing import Any

import httpx
import pytest

from server.people import Json, LocalServer, Person
from tabuleiro import GAMES
from tabuleiro.language import LANGUAGES
from tabuleiro.server.guard import MAX_BODY


def refused(answer: httpx.Response, status: int) -> str:
    """The code of a refusal, which speaks both languages."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["text"]["pt"] and error["text"]["en"] and set(error["text"]) == {"pt", "en"}
    return str(error["code"])


def test_health(ana: Person) -> None:
    assert ana.get("/healthz")["ok"] is True


def test_a_guest_is_a_cookie_and_a_nickname(server: LocalServer) -> None:
    assert "set-cookie" not in httpx.get(f"{server.address}/api/v1/me").headers, "who only looks needs none"
    assert "set-cookie" not in httpx.get(f"{server.address}/").headers
    wish = {"nickname": "Zé"}
    cookie = httpx.put(f"{server.address}/api/v1/me", json=wish).headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Path=/" in cookie and "Secure" not in cookie
    proxied = httpx.put(f"{server.address}/api/v1/me", json=wish, headers={"X-Forwarded-Proto": "https"})
    secure, plain = proxied.headers.get_list("set-cookie")
    assert secure.startswith("__Host-tabuleiro=") and secure.endswith("; Secure") and "Domain" not in secure
    assert plain.startswith("tabuleiro=;") and "Max-Age=0" in plain
    person = Person(server.address)
    assert person.get("/api/v1/me") == {"nickname": None}
    assert person.web.put("/api/v1/me", json={"nickname": "  Zé  da Ilha "}).json() == {"nickname": "Zé da Ilha"}
    assert person.get("/api/v1/me") == {"nickname": "Zé da Ilha"}
    assert "set-cookie" not in person.web.get("/api/v1/me").headers
    for wrong in ("", "   ", "a" * 21, "tab\tou\x07", "‮abc", "x\u200by"):
        assert refused(person.web.put("/api/v1/me", json={"nickname": wrong}), 400) == "nickname"
    assert Person(server.address).get("/api/v1/me") == {"nickname": None}


def test_the_token_is_stored_as_a_hash_only(server: LocalServer, ana: Person, tmp_path: Any) -> None:
    ana.web.put("/api/v1/me", json={"nickname": "Ana"})
    token = ana.web.cookies["tabuleiro"]
    url = str(server.hub.store._engine.url)
    database = url.removeprefix("sqlite:///")
    for suffix in ("", "-wal"):
        with open(database + suffix, "rb") as file:  # noqa: PTH123
            assert token.encode() not in file.read()


def test_the_games(ana: Person) -> None:
    games = ana.get("/api/v1/games")
    assert [game["id"] for game in games] == list(GAMES)
    for game in games:
        cells = len(game["geometry"]["cells"])
        assert cells == len(GAMES[game["id"]].start().geometry)
        assert all(len(step) == cells for step in game["geometry"]["steps"].values())
        assert game["preview"]["moves"] == [] and game["preview"]["pieces"]
        for piece in game["preview"]["pieces"]:
            assert set(piece) == {"cell", "symbol", "kind", "colour", "count", "name"}
        for option in game["options"]:
            assert option["default"] == option["values"][0] and set(option["help"]) == {"pt", "en"}
            assert list(option["names"]) == option["values"]
        assert game["card"][0]["label"]["pt"] == "Material"
    size = next(option for option in games[0]["options"] if option["name"] == "size")
    assert size == {
        "name": "size",
        "default": "7",
        "values": ["7"],
        "names": {"7": {"pt": "7", "en": "7"}},
        "official": True,
        "numbers": [5, 8],
        "help": {"pt": "casas de cada lado do tabuleiro", "en": "cells along each side of the board"},
    }
    assert next(game for game in games if game["id"] == "hex")["cycles"] == ["2", "3", "sec"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_have_boards_to_try(ana: Person, game: str, language: str) -> None:
    rules = ana.get(f"/api/v1/games/{game}/rules/{language}")
    assert rules["title"] == rules["blocks"][0]["text"][0]["text"]
    diagrams = [block for block in rules["blocks"] if block["type"] == "diagram"]
    assert len(diagrams) >= 2
    for diagram in diagrams:
        start = {"game": game, "options": diagram["options"], "position": diagram["start"]}
        if not diagram["view"]["moves"]:
            assert diagram["view"]["outcome"]
            continue
        move = diagram["view"]["moves"][0]["text"]
        tried = ana.post("/api/v1/positions", {**start, "moves": [*diagram["moves"], move]})
        assert tried["view"]["last"]["text"] == move and tried["geometry"] == diagram["geometry"]


def test_trying_a_position(ana: Person) -> None:
    tried = ana.post("/api/v1/positions", {"game": "rastros", "moves": ["d4", "d5"]})
    assert tried["view"]["last"] == {"text": "d5", "clicks": [31], "motions": [[24, 31]]}
    assert tried["view"]["turn"] == 1 and tried["view"]["outcome"] is None
    # Rules that look back apply along the line: a position of Ouri that comes round ends it.
    line = ["e", "E"]
    assert ana.post("/api/v1/positions", {"game": "ouri", "moves": line})["view"]["score"] == [0, 0]
    for body, code in (
        ({"game": "xadrez"}, "unknown_game"),
        ({"game": "hex", "options": {"size": "99"}}, "option"),
        ({"game": "hex", "options": {"colour": "red"}}, "option"),
        ({"game": "hex", "position": "nonsense"}, "invalid_position"),
        ({"game": "hex", "moves": ["a1", "a1"]}, "illegal_move"),
        ({"game": "hex", "moves": ["?"]}, "invalid_move"),
    ):
        assert refused(ana.web.post("/api/v1/positions", json=body), 400) == code
    said = ana.web.post("/api/v1/positions", json={"game": "hex", "moves": ["a1", "a1"]}).json()["error"]["text"]
    assert said["pt"].startswith("jogada 2: ") and said["en"].startswith("move 2: ")


BAD_PLAYS: tuple[tuple[Json, int], ...] = (
    ({}, 422),
    ({"game": "hex"}, 422),
    ({"game": "hex", "opponent": {"kind": "engine"}}, 422),
    ({"game": "hex", "opponent": {"kind": "engine", "level": 11}}, 422),
    ({"game": "hex", "opponent": {"kind": "engine", "level": True}}, 422),
    ({"game": "hex", "opponent": {"kind": "ghost"}}, 422),
    ({"game": "hex", "opponent": {"kind": "local", "level": 1}}, 422),
    ({"game": "hex", "opponent": {"kind": "local"}, "side": "third"}, 422),
    ({"game": "hex", "opponent": {"kind": "local"}, "unknown": 1}, 422),
    ({"game": "hex", "opponent": {"kind": "local"}, "clock": {"kind": "fischer", "minutes": 0, "increment": 0}}, 422),
    ({"game": "hex", "opponent": {"kind": "local"}, "clock": {"kind": "move", "seconds": 1e9}}, 422),
    ({"game": "hex", "opponent": {"kind": "local"}, "options": {"size": 5}}, 422),
    ({"game": "hex", "opponent": {"kind": "local"}, "options": {str(n): "1" for n in range(100)}}, 422),
    ({"game": "hex", "opponent": {"kind": "local"}, "options": {"size": "x"}}, 400),
    ({"game": "hex", "opponent": {"kind": "local"}, "position": "x"}, 400),
    ({"game": "go", "opponent": {"kind": "local"}}, 400),
    ({"game": "\ud800", "opponent": {"kind": "local"}}, 422),
    ({"game": "a" * 1000, "opponent": {"kind": "local"}}, 422),
)


@pytest.mark.parametrize(("body", "status"), BAD_PLAYS, ids=lambda value: json.dumps(value)[:60])
def test_plays_that_make_no_sense_are_not_made(ana: Person, body: Json, status: int) -> None:
    answer = ana.web.post("/api/v1/sessions", content=json.dumps(body), headers={"Content-Type": "application/json"})
    refused(answer, status)
    assert ana.get("/api/v1/sessions")["sessions"] == []


def test_sides_options_and_positions(ana: Person) -> None:
    for side, seats in (("first", [1]), ("second", [2])):
        session = ana.get(f"/api/v1/sessions/{ana.create('hex', {'kind': 'friend'}, side=side, options={'size': '5'})}")
        assert (
            session["your_seats"] == seats
            and session["options"] == {"size": "5"}
            and len(session["geometry"]["cells"]) == 25
        )
        assert session["seats"][str(3 - seats[0])]["kind"] == "open"
    assert {
        ana.get(f"/api/v1/sessions/{ana.create('hex', {'kind': 'friend'}, side='random')}")["your_seats"][0]
        for _ in range(30)
    } == {1, 2}
    position = "7/7/4O2/3#3/7/7/7 2"
    session = ana.get(f"/api/v1/sessions/{ana.create('rastros', {'kind': 'local'}, position=position)}")
    assert session["view"]["position"] == position and session["view"]["turn"] == 2


def test_the_list_of_my_games(ana: Person, rui: Person) -> None:
    waiting = ana.create("hex", {"kind": "friend"}, side="second")
    over = ana.create("rastros", {"kind": "local"})
    with ana.watch(over) as table:
        table.move("d4")
        table.ask("resign")
    assert [(entry["id"], entry["status"]) for entry in ana.get("/api/v1/sessions")["sessions"]] == [
        (over, "over"),
        (waiting, "waiting"),
    ]
    newest = ana.get("/api/v1/sessions")["sessions"][0]
    assert newest["plies"] == 1 and newest["your_seats"] == [1, 2]
    assert newest["outcome"]["winner"] == 1 and newest["outcome"]["reason"]["code"] == "resignation"
    rui.post(f"/api/v1/sessions/{waiting}/join")
    assert [entry["id"] for entry in rui.get("/api/v1/sessions")["sessions"]] == [waiting]
    first = ana.get("/api/v1/sessions")["sessions"][0]
    assert first["id"] == waiting and first["status"] == "playing" and first["your_seats"] == [2]
    assert first["seats"] == {
        "1": {"kind": "guest", "name": None, "erased": False, "level": None, "connected": False},
        "2": {"kind": "guest", "name": None, "erased": False, "level": None, "connected": False},
    }


def test_share_and_qr_code(ana: Person) -> None:
    session_id = ana.create("hex", {"kind": "friend"})
    assert ana.get(f"/api/v1/sessions/{session_id}")["share"] == f"{ana.address}/g/{session_id}"
    picture = ana.web.get(f"/api/v1/sessions/{session_id}/qr.svg")
    assert picture.headers["content-type"] == "image/svg+xml" and b"<svg" in picture.content


def test_a_record_names_the_players(ana: Person) -> None:
    ana.web.put("/api/v1/me", json={"nickname": 'Ana "Rainha"'})
    session_id = ana.create("rastros", {"kind": "engine", "level": 3})
    record = ana.web.get(f"/api/v1/sessions/{session_id}/record")
    assert record.headers["content-type"] == "text/plain; charset=utf-8"
    assert '[Player1 "Ana \\"Rainha\\""]' in record.text and '[Player2 "Tabuleiro 3"]' in record.text


# ---------------------------------------------------------------------------------------------------------- hostility


def test_safety_headers_on_every_answer(ana: Person) -> None:
    for path in ("/", "/api/v1/games", "/api/v1/nothing", "/assets/none.js", "/healthz"):
        headers = ana.web.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy and "script-src" not in policy, "scripts come from here alone"
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


def test_pages_of_other_sites_change_nothing(ana: Person) -> None:
    body = {"game": "hex", "opponent": {"kind": "local"}}
    for origin in ("http://evil.example", "null", f"{ana.address}.evil.example", "https://127.0.0.1"):
        assert refused(ana.web.post("/api/v1/sessions", json=body, headers={"Origin": origin}), 403) == "foreign_origin"
        assert refused(ana.web.put("/api/v1/me", json={"nickname": "x"}, headers={"Origin": origin}), 403)
    assert ana.get("/api/v1/sessions")["sessions"] == []
    assert ana.web.post("/api/v1/sessions", json=body, headers={"Origin": ana.address}).status_code == 201


def test_large_bodies_are_not_read(ana: Person) -> None:
    assert refused(ana.web.put("/api/v1/me", content=b"x" * (MAX_BODY + 1)), 413) == "too_large"

    def endless() -> Any:
        for _ in range(100):
            yield b"x" * 10_000

    refused(ana.web.put("/api/v1/me", content=endless()), 413)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/nothing", 404),
        ("POST", "/api/v1/nothing", 404),
        ("POST", "/api/v1/me", 405),
        ("GET", "/api/v1/sessions/abcdefghjkmn", 404),
        ("GET", "/api/v1/sessions/x", 422),
        ("GET", "/api/v1/sessions/%00", 422),
        ("GET", "/api/v1/sessions/abcdefghjkmn/at/-1", 422),
        ("GET", "/api/v1/sessions/abcdefghjkmn/at/99999999999999999999", 422),
        ("POST", "/api/v1/sessions/abcdefghjkmn/join", 404),
        ("GET", "/api/v1/games/xadrez/rules/pt", 404),
        ("GET", "/api/v1/games/hex/rules/fr", 422),
        ("GET", "/api/v1/games/..%2F..%2Fcore/rules/pt", 404),
        ("PUT", "/api/v1/me", 422),
    ],
)
def test_wrong_addresses(ana: Person, method: str, path: str, status: int) -> None:
    refused(ana.web.request(method, path), status)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/api/v1/me", "DELETE, GET, HEAD, PUT"),
        ("GET", "/api/v1/pictures", "POST"),
        ("PATCH", "/api/v1/sessions/abcdefghjkmn", "DELETE, GET, HEAD"),
        ("TRACE", "/healthz", "GET, HEAD"),
        ("POST", "/rules", "GET, HEAD"),
    ],
)
def test_what_may_be_done_is_said(ana: Person, method: str, path: str, allowed: str) -> None:
    answer = ana.web.request(method, path)
    refused(answer, 405)
    assert answer.headers["allow"] == allowed


@pytest.mark.parametrize(
    "path", ["/healthz", "/api/v1/games", "/api/v1/me", "/api/v1/sessions/abcdefghjkmn", "/", "/icon.svg", "/x"]
)
def test_heads_are_those_of_answers_without_bodies(ana: Person, path: str) -> None:
    head, whole = ana.web.head(path), ana.web.get(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    for name in ("content-type", "content-length", "cache-control"):
        assert head.headers.get(name) == whole.headers.get(name)


def test_the_description_names_the_games(ana: Person) -> None:
    described = ana.get("/api/v1/openapi.json")["components"]["schemas"]
    assert described["SessionBody"]["properties"]["game"]["enum"] == [*GAMES]
    assert described["NicknameBody"]["properties"]["nickname"]["maxLength"] == 20


def test_cookies_that_are_none(server: LocalServer) -> None:
    for cookie in ("tabuleiro=", "tabuleiro=short", "tabuleiro=" + "é" * 43, "tabuleiro=" + "A" * 44, "=;=;;"):
        answer = httpx.get(f"{server.address}/api/v1/me", headers={b"Cookie": cookie.encode()})
        assert answer.status_code == 200 and "set-cookie" not in answer.headers, "a cookie is for who does something"


def test_random_requests_never_break_it(ana: Person) -> None:
    chance = random.Random(1)
    values: list[Any] = [
        None, True, -1, 0, 1e308, "", "hex", "a" * 50, "\x00", "\ud83d", [], {}, ["a1"] * 600, {"kind": "local"},
        {"kind": "engine", "level": 3}, "engine", {"size": "5"}, 10**30, [[[[]]]], "first",
    ]  # fmt: skip
    names = ["game", "options", "position", "moves", "opponent", "side", "clock", "nickname", "kind", "__proto__"]
    paths = [
        "/api/v1/sessions",
        "/api/v1/positions",
        "/api/v1/me",
        "/api/v1/sessions/abcdefghjkmn/join",
        "/api/v1/games",
        "/api/%ff",
    ]
    for _ in range(300):
        body = {name: chance.choice(values) for name in chance.sample(names, chance.randrange(6))}
        text = json.dumps(chance.choice([body, chance.choice(values)]))
        answer = ana.web.request(
            chance.choice(["GET", "POST", "PUT", "PATCH"]),
            chance.choice(paths),
            content=text[: chance.choice([len(text), 3])],
            headers={"Content-Type": chance.choice(["application/json", "text/plain"])},
        )
        assert answer.status_code < 500, (body, answer.text)


def test_whole_numbers_are_whole_however_they_are_written(ana: Person) -> None:
    session = ana.create("hex", {"kind": "local"})
    for ply in ("0", True, 0.5, 1e400):
        content = json.dumps({"ply": ply, "move": "f6"})
        refused(
            ana.web.post(
                f"/api/v1/sessions/{session}/moves", content=content, headers={"content-type": "application/json"}
            ),
            422,
        )
    assert ana.post(f"/api/v1/sessions/{session}/moves", {"ply": 0.0, "move": "f6"}) == {"number": 1}


def test_why_a_move_cannot_be_made(ana: Person) -> None:
    def why(**more: object) -> str | None:
        answer = ana.post("/api/v1/positions/why", {"game": "ouri", "moves": ["c"], **more})
        return None if answer["text"] is None else answer["text"]["pt"]

    assert why(cells=[]) is None and why(cells=[6]) is None and why(move="A") is None
    assert why(cells=[0]) == "a casa a é do Sul, e agora joga o Norte"
    assert why(move="a") == "a jogada «a» não é legal: a casa a é do Sul, e agora joga o Norte"
    assert why(move="z") == "«z» não é uma jogada de Ouri; escreve a letra de uma casa: a-f (Sul) ou A-F (Norte)"
    assert why(cells=[999]) == "essa casa não existe neste tabuleiro"


def test_the_end_comes_with_its_cells_and_its_sentence(ana: Person) -> None:
    view = ana.post("/api/v1/positions", {"game": "semaforo", "moves": ["a1", "b1", "c1"]})["view"]
    outcome = view["outcome"]
    assert outcome["cells"] == [0, 1, 2] and outcome["motions"] == []
    assert outcome["text"]["pt"] == "Ganhou o jogador 1: há três peças da mesma cor em linha."
    assert view["description"]["pt"] == outcome["text"]["pt"]
    collected = ana.post("/api/v1/positions", {"game": "ouri", "position": "2,1,0,0,0,0/0,0,0,0,0,0 22-23 S"})["view"]
    assert collected["outcome"]["motions"] == [[0, 12], [1, 12]]
    assert collected["score"] == [25, 23] and "Sul 25, Norte 23" in collected["score_text"]["pt"]
    assert "por 25 a 23" in collected["outcome"]["text"]["pt"]


def test_every_game_says_its_goal_and_its_first_steps(ana: Person) -> None:
    for game in ana.get("/api/v1/games"):
        assert game["goal"]["pt"].endswith(".") and game["goal"]["pt"] != game["goal"]["en"]
        assert game["first_steps"] and all(step["pt"].endswith(".") for step in game["first_steps"])
    session_id = ana.create("abalone", {"kind": "local"}, options={"ejections": "2"})
    assert (
        ana.get(f"/api/v1/sessions/{session_id}")["goal"]["pt"]
        == "Empurra dois berlindes do adversário para fora do tabuleiro."
    )
