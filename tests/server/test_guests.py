"""Tokens: only those that we gave out count, and they are renewed. Who is erased is gone, and so is what has had its
time."""

import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from server.people import LocalServer, Person, ProcessServer, Table, free_port
from server.test_api import refused
from server.test_bots import bearer, make_bot
from server.test_time import Wall
from tabuleiro.cli import app
from tabuleiro.server import guests
from tabuleiro.server.guard import hash_of
from tabuleiro.server.hosts import HostNames
from tabuleiro.server.settings import DATABASE, Settings, sqlite_url

SECURE = {"X-Forwarded-Proto": "https"}


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def server(tmp_path: Path, wall: Wall) -> Iterator[LocalServer]:
    with LocalServer(Settings(sqlite_url(tmp_path)), wall) as running:
        yield running


def rows(folder: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(folder / DATABASE)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


# -------------------------------------------------------------------------------------------------------------- tokens


def test_a_token_that_a_browser_brings_along_is_not_adopted(server: LocalServer, tmp_path: Path) -> None:
    planted = "A" * 43
    victim = httpx.Client(base_url=server.address, cookies={"tabuleiro": planted})
    made = victim.post("/api/v1/sessions", json={"game": "rastros", "opponent": {"kind": "local"}})
    session_id = made.json()["id"]
    given = made.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert given != planted
    attacker = httpx.Client(base_url=server.address, cookies={"tabuleiro": planted})
    assert attacker.get(f"/api/v1/sessions/{session_id}").json()["your_seats"] == []
    owner = httpx.Client(base_url=server.address, cookies={"tabuleiro": given})
    assert owner.get(f"/api/v1/sessions/{session_id}").json()["your_seats"] == [1, 2]
    assert rows(tmp_path, f"SELECT * FROM guests WHERE token_hash = '{hash_of(planted)}'") == []


def test_looking_on_with_invented_cookies_adds_no_guests(server: LocalServer, ana: Person, tmp_path: Path) -> None:
    session_id = ana.create("rastros", {"kind": "friend"})
    for number in range(20):
        with Table(server.address, session_id, {"tabuleiro": f"{number:043}"}) as table:
            assert table.session["your_seats"] == []
    assert rows(tmp_path, "SELECT count(*) FROM guests") == [(1,)]


def test_a_token_is_renewed_and_the_old_one_dies_when_the_new_one_is_used(
    server: LocalServer, ana: Person, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "ASK_AGAIN", 0.0)
    session_id = ana.create("rastros", {"kind": "local"})
    first = ana.web.cookies["tabuleiro"]
    old = httpx.Client(base_url=server.address, cookies={"tabuleiro": first})

    def seats(web: httpx.Client) -> list[int]:
        found: list[int] = web.get(f"/api/v1/sessions/{session_id}").json()["your_seats"]
        return found

    assert "set-cookie" not in ana.web.get("/api/v1/me").headers
    wall.at += guests.RENEWED + 1
    lost = old.get("/api/v1/me").headers["set-cookie"]  # an answer that never arrives
    old.cookies.set("tabuleiro", first)
    assert lost and seats(ana.web) == [1, 2], "the old one is good until the new one is used"
    assert "set-cookie" in ana.web.get("/api/v1/me").headers
    second = ana.web.cookies["tabuleiro"]
    assert second != first and seats(ana.web) == [1, 2]
    stolen = httpx.Client(base_url=server.address, cookies={"tabuleiro": first})
    assert seats(stolen) == [1, 2], "what is under way arrives"
    wall.at += guests.UNDER_WAY + 1
    assert seats(stolen) == [] and seats(ana.web) == [1, 2]


def test_over_https_only_a_cookie_that_this_very_host_set_counts(server: LocalServer, wall: Wall) -> None:
    made = httpx.put(f"{server.address}/api/v1/me", json={"nickname": "Eva"}, headers=SECURE)
    token = made.headers.get_list("set-cookie")[0].partition("=")[2].partition(";")[0]

    def nickname(cookie: str) -> str | None:
        answer = httpx.get(f"{server.address}/api/v1/me", headers={**SECURE, "Cookie": cookie})
        name: str | None = answer.json()["nickname"]
        return name

    assert nickname(f"__Host-tabuleiro={token}") == "Eva"
    assert nickname(f"tabuleiro={token}") is None, "a page of a neighbouring name could have set it"


def test_a_cookie_of_before_is_good_over_https_until_it_is_renewed(
    server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "ASK_AGAIN", 0.0)
    old = "B" * 43
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        connection.execute("INSERT INTO guests (token_hash, nickname) VALUES (?, 'Rui')", (hash_of(old),))
    connection.close()
    answer = httpx.get(f"{server.address}/api/v1/me", headers={**SECURE, "Cookie": f"tabuleiro={old}"}, timeout=60)
    assert answer.json() == {"nickname": "Rui"}
    new = answer.headers.get_list("set-cookie")[0].partition(";")[0]
    assert new.startswith("__Host-tabuleiro=")
    assert httpx.get(f"{server.address}/api/v1/me", headers={**SECURE, "Cookie": new}).json() == {"nickname": "Rui"}


# ---------------------------------------------------------------------------------------------------------------- bots


def test_a_bot_makes_no_bots(server: LocalServer, ana: Person) -> None:
    bot = httpx.Client(base_url=server.address, headers=bearer(make_bot(ana)["token"]))
    assert refused(bot.post("/api/v1/bots", json={"name": "Filho"}), 403) == "bot"


def test_what_a_bot_made_when_bots_could_goes_with_it(server: LocalServer, ana: Person, tmp_path: Path) -> None:
    parent, child = make_bot(ana), make_bot(ana, "Filho")
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        connection.execute("UPDATE bots SET owner = ? WHERE guest = ?", (parent["id"], child["id"]))
    connection.close()
    assert ana.web.delete(f"/api/v1/bots/{parent['id']}").status_code == 200
    assert refused(httpx.get(f"{server.address}/api/v1/me", headers=bearer(child["token"])), 401) == "unknown_token"


# ------------------------------------------------------------------------------------------------------------- erasing


def test_who_is_erased_is_an_erased_player_in_the_games_of_others(
    server: LocalServer, ana: Person, rui: Person, tmp_path: Path
) -> None:
    rui.web.put("/api/v1/me", json={"nickname": "Rui Segredo"})
    bot = make_bot(rui)
    shared = ana.create("rastros", {"kind": "friend"}, side="first")
    rui.post(f"/api/v1/sessions/{shared}/join")
    alone = rui.create("hex", {"kind": "local"})
    with ana.watch(shared) as hers:
        assert rui.web.delete("/api/v1/me").status_code == 200
        hers.until_session(lambda session: session["seats"]["2"]["erased"])
        assert hers.session["view"]["outcome"]["winner"] == 1, "a game that goes on is resigned"
    assert ana.get(f"/api/v1/sessions/{shared}")["seats"]["2"]["name"] is None
    assert '[Player2 "jogador apagado"]' in ana.web.get(f"/api/v1/sessions/{shared}/record").text
    assert ana.get("/api/v1/sessions")["sessions"][0]["seats"]["2"]["erased"] is True
    assert refused(ana.web.get(f"/api/v1/sessions/{alone}"), 404) == "no_such_session"
    assert refused(httpx.get(f"{server.address}/api/v1/me", headers=bearer(bot["token"])), 401) == "unknown_token"
    assert rui.get("/api/v1/me") == {"nickname": None} and rui.get("/api/v1/sessions") == {"sessions": []}
    assert "Segredo" not in str(rows(tmp_path, "SELECT nickname FROM guests"))
    assert ana.web.delete(f"/api/v1/sessions/{shared}").status_code == 200
    assert refused(ana.web.get(f"/api/v1/sessions/{shared}"), 404) == "no_such_session", "nobody is left"


# ---------------------------------------------------------------------------------------------------------- retention


def test_what_has_had_its_time_is_forgotten(
    server: LocalServer, wall: Wall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "ASK_AGAIN", 0.0)
    day = 24 * 3600.0
    ana, rui, eva = (Person(server.address) for _ in range(3))
    over = ana.create("rastros", {"kind": "friend"}, side="first")
    rui.post(f"/api/v1/sessions/{over}/join")
    rui.post(f"/api/v1/sessions/{over}/actions", {"action": "resign"})
    waiting = ana.create("hex", {"kind": "friend"})
    unfinished = ana.create("rastros", {"kind": "local"})
    ana.post(f"/api/v1/sessions/{unfinished}/moves", {"ply": 0, "move": "d4"})
    eva.web.put("/api/v1/me", json={"nickname": "Eva"})

    def left(days: float) -> tuple[set[str], int]:
        wall.at += days * day
        server.hub.log.open.clear()  # nobody looks any more
        server.do(server.hub.keep_house())
        streams = {str(name) for (name,) in rows(tmp_path, "SELECT id FROM streams")}
        (count,) = rows(tmp_path, "SELECT count(*) FROM guests WHERE NOT erased")[0]
        assert isinstance(count, int)
        return streams, count

    assert left(6) == ({over, waiting, unfinished}, 3)
    assert left(2) == ({over, unfinished}, 3), "nobody joined"
    assert left(23) == ({over, unfinished}, 2), "of Eva there was nothing to keep"
    assert left(150) == ({over}, 2), "nobody went on"
    assert ana.get("/api/v1/sessions")["sessions"][0]["id"] == over
    assert left(230) == ({over}, 1), "Rui did not come back; Ana did"
    assert ana.get(f"/api/v1/sessions/{over}")["seats"]["2"]["erased"] is True
    assert left(401) == (set(), 0), "nobody is left"


# -------------------------------------------------------------------------------------------------- files, names, ports


def test_only_their_owner_reads_the_database_and_its_copies(tmp_path: Path) -> None:
    folder, copy = tmp_path / "data", tmp_path / "copy.sqlite3"
    with ProcessServer("--data", str(folder)) as server:
        Person(server.address).create("rastros", {"kind": "local"})
        assert CliRunner().invoke(app, ["backup", str(copy), "--data", str(folder)]).exit_code == 0
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, copy, *folder.iterdir())}
        assert modes == dict.fromkeys(modes, 0o600) | {"data": 0o700} and len(modes) >= 5
        other = CliRunner().invoke(app, ["serve", "--data", str(folder), "--port", str(free_port())])
        assert other.exit_code == 1 and "another server is using" in other.output


def test_an_old_database_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    database = tmp_path / DATABASE
    database.touch(0o644)
    with LocalServer(Settings(sqlite_url(tmp_path))):
        assert stat.S_IMODE(database.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("127.0.0.1:8000", True), ("192.168.1.5", True), ("[::1]:8000", True), ("localhost:8000", True), ("", True),
        ("sala-3", True), ("sala3.local:8000", True), ("play.example", True), ("PLAY.example.:443", True),
        ("evil.example", False), ("play.example.evil.example", False), ("127.0.0.1.evil.example:8000", False),
    ],
)  # fmt: skip
def test_names_that_are_ours(host: str, ours: bool) -> None:
    assert HostNames(["play.example"]).has(host) is ours


def test_a_page_under_a_name_that_is_not_ours_gets_nothing(server: LocalServer, ana: Person) -> None:
    session_id = ana.create("rastros", {"kind": "local"})
    evil = {"Host": "evil.example"}
    for path in ("/", "/api/v1/me", f"/api/v1/sessions/{session_id}"):
        assert refused(httpx.get(f"{server.address}{path}", headers=evil), 421) == "unknown_host"
    asking = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    answer = httpx.get(f"{server.address}/ws/v1/sessions/{session_id}", headers={**asking, **evil})
    assert answer.status_code == 403
