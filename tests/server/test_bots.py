"""Programs that play: tokens, what they may do over REST and WebSocket, and the examples."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from server.people import Json, LocalServer, Person, ProcessServer, Table
from server.test_api import refused
from tabuleiro.cli import app
from tabuleiro.server.guard import new_token
from tabuleiro.server.settings import Settings, sqlite_url

EXAMPLES = Path(__file__).parents[2] / "examples"


def make_bot(owner: Person, name: str = "Robô") -> Json:
    made = owner.post("/api/v1/bots", {"name": name})
    assert set(made) == {"id", "name", "token"}
    return dict(made)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def bot(server: LocalServer, ana: Person) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, headers=bearer(make_bot(ana)["token"])) as client:
        yield client


def test_a_token_is_shown_once_and_kept_as_a_hash(server: LocalServer, ana: Person) -> None:
    made = make_bot(ana, "  Robô   da Ana ")
    assert made["name"] == "Robô da Ana"
    (listed,) = ana.get("/api/v1/bots")
    assert set(listed) == {"id", "name", "created"} and listed["id"] == made["id"]
    database = str(server.hub.store._engine.url).removeprefix("sqlite:///")
    for suffix in ("", "-wal"):
        assert made["token"].encode() not in Path(database + suffix).read_bytes()


def test_a_bot_plays_over_rest(bot: httpx.Client, rui: Person) -> None:
    assert bot.get("/api/v1/me").json() == {"nickname": "Robô"}
    wish = {"game": "rastros", "opponent": {"kind": "friend"}, "side": "first"}
    session_id = bot.post("/api/v1/sessions", json=wish).json()["id"]
    assert rui.post(f"/api/v1/sessions/{session_id}/join")["seats"]["1"]["name"] == "Robô"
    moves = f"/api/v1/sessions/{session_id}/moves"
    assert refused(bot.post(moves, json={"ply": 0, "move": "a1"}), 400) == "illegal_move"
    assert bot.post(moves, json={"ply": 0, "move": "d4"}).json() == {"number": 2}
    assert refused(bot.post(moves, json={"ply": 0, "move": "d4"}), 409) == "stale"
    assert refused(bot.post(moves, json={"ply": 1, "move": "d5"}), 409) == "not_your_turn"
    assert refused(rui.web.post(moves, json={"ply": True, "move": "d5"}), 422) == "invalid_request"
    actions = f"/api/v1/sessions/{session_id}/actions"
    assert refused(bot.post(actions, json={"action": "accept_takeback"}), 409) == "nothing_asked"
    assert bot.post(actions, json={"action": "resign"}).json() == {"number": 3}
    assert bot.get(f"/api/v1/sessions/{session_id}").json()["view"]["outcome"]["winner"] == 2
    assert '[Player1 "Robô"]' in bot.get(f"/api/v1/sessions/{session_id}/record").text
    assert rui.post(actions, {"action": "rematch"}) == {"number": 4}
    assert {session["status"] for session in bot.get("/api/v1/sessions").json()["sessions"]} == {"playing", "over"}


def test_a_bot_has_no_cookie_and_a_cookie_is_no_token(server: LocalServer, bot: httpx.Client, ana: Person) -> None:
    assert "set-cookie" not in bot.get("/api/v1/me").headers
    ana.create("hex", {"kind": "local"})
    cookie = ana.web.cookies["tabuleiro"]
    assert refused(httpx.get(f"{server.address}/api/v1/me", headers=bearer(cookie)), 401) == "unknown_token"
    token = bot.headers["Authorization"].split()[1]
    stranger = httpx.get(f"{server.address}/api/v1/me", cookies={"tabuleiro": token})
    assert stranger.json() == {"nickname": None}


def test_a_revoked_token_opens_nothing(server: LocalServer, ana: Person, rui: Person) -> None:
    made = make_bot(ana)
    session_id = ana.create("hex", {"kind": "local"})
    assert refused(rui.web.delete(f"/api/v1/bots/{made['id']}"), 404) == "not_found", "it is Ana's"
    assert ana.web.delete(f"/api/v1/bots/{made['id']}").status_code == 200 and ana.get("/api/v1/bots") == []
    assert refused(ana.web.delete(f"/api/v1/bots/{made['id']}"), 404)
    for token in (made["token"], "x", "x" * 5000, "revoked 1"):
        with httpx.Client(base_url=server.address, headers=bearer(token)) as client:
            wish = {"game": "hex", "opponent": {"kind": "local"}}
            assert refused(client.get("/api/v1/me"), 401) == refused(client.post("/api/v1/sessions", json=wish), 401)
            assert refused(client.post(f"/api/v1/sessions/{session_id}/join"), 401) == "unknown_token"


def test_a_revoked_bot_is_shown_out(server: LocalServer, ana: Person) -> None:
    made, kept = make_bot(ana), make_bot(ana, "Outro")
    session_id = ana.create("hex", {"kind": "friend"})
    with (
        Table(server.address, session_id, {}, headers=bearer(made["token"])) as revoked,
        Table(server.address, session_id, {}, headers=bearer(kept["token"])) as other,
        ana.watch(session_id) as hers,
    ):
        hers.until_session(lambda session: session["spectators"] == 2)
        assert ana.web.delete(f"/api/v1/bots/{made['id']}").status_code == 200
        assert revoked.end() == (4401, "unknown_token")
        assert revoked.heard[-1]["code"] == "unknown_token" and revoked.heard[-1]["text"]["pt"]
        hers.until_session(lambda session: session["spectators"] == 1)
        assert other.ask("resign")["code"] == "not_your_game", "the others go on"


def test_a_bot_revoked_elsewhere_is_shown_out(tmp_path: Path) -> None:
    token = CliRunner().invoke(app, ["token", "make", "A", "--data", str(tmp_path)]).stdout.strip()
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        ana = Person(server.address)
        session_id = ana.create("hex", {"kind": "friend"})
        with Table(server.address, session_id, {}, headers=bearer(token)) as table:
            assert CliRunner().invoke(app, ["token", "revoke", "1", "--data", str(tmp_path)]).exit_code == 0
            assert table.end() == (4401, "unknown_token")


def test_what_a_revoked_bot_says_counts_for_nothing(
    server: LocalServer, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nobody_looks() -> None:
        pass

    monkeypatch.setattr(server.hub, "end_revoked", nobody_looks)
    made = make_bot(ana)
    with httpx.Client(base_url=server.address, headers=bearer(made["token"])) as client:
        session_id = client.post("/api/v1/sessions", json={"game": "hex", "opponent": {"kind": "local"}}).json()["id"]
        with Table(server.address, session_id, {}, headers=bearer(made["token"])) as table:
            assert table.move("a1")["type"] == "ack"
            assert ana.web.delete(f"/api/v1/bots/{made['id']}").status_code == 200
            table.say("move", ply=1, move="b2")
            assert table.end() == (4401, "unknown_token")
    assert len(ana.get(f"/api/v1/sessions/{session_id}")["history"]) == 1


def test_the_analyses_of_a_revoked_bot_end(server: LocalServer, ana: Person) -> None:
    made = make_bot(ana)
    wish = {"game": "abalone", "seconds": 60}
    with httpx.Client(base_url=server.address, headers=bearer(made["token"]), timeout=60) as client:
        with client.stream("POST", "/api/v1/analyses", json=wish) as answer:
            lines = (json.loads(line.removeprefix("data: ")) for line in answer.iter_lines() if line)
            assert next(lines)["type"] == "position"
            assert ana.web.delete(f"/api/v1/bots/{made['id']}").status_code == 200
            *_, last = lines
            assert (last["type"], last["code"]) == ("error", "unknown_token")
        assert refused(client.post("/api/v1/analyses", json=wish), 401) == "unknown_token"


def test_too_many_bots(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabuleiro.server.api.MAX_BOTS", 2)
    for _ in range(2):
        make_bot(ana)
    assert refused(ana.web.post("/api/v1/bots", json={"name": "x"}), 409) == "too_many_bots"
    assert refused(ana.web.post("/api/v1/bots", json={"name": "<\n>" * 20}), 400) == "nickname"


def test_everything_is_described(ana: Person) -> None:
    described = ana.get("/api/v1/openapi.json")
    assert described["openapi"].startswith("3.") and "Bearer" in described["info"]["description"]
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            assert operation.get("description"), f"{method} {path}"


# ------------------------------------------------------------------------------------------------------- the examples


def test_the_examples_play_each_other(tmp_path: Path) -> None:
    data = str(tmp_path)
    tokens = [CliRunner().invoke(app, ["token", "make", name, "--data", data]).stdout.strip() for name in ("A", "B")]
    listed = CliRunner().invoke(app, ["token", "list", "--data", data]).stdout.splitlines()
    assert [line.split("\t")[1] for line in listed] == ["A", "B"]
    with ProcessServer("--data", data) as server:
        python = [sys.executable, "-u"]
        begin = ["--server", server.address, "--token", tokens[0], "--game", "semaforo"]
        first = subprocess.Popen([*python, EXAMPLES / "bot.py", *begin], stdout=subprocess.PIPE, text=True)
        assert first.stdout is not None
        address = first.stdout.readline().strip()
        session_id = address.rpartition("/")[2]
        engine = [sys.executable, "-m", "tabuleiro", "engine", "semaforo", "--level", "3"]
        join = [
            "--server",
            server.address,
            "--token",
            tokens[1],
            "--join",
            session_id,
            "--seconds",
            "0.05",
            "--",
            *engine,
        ]
        second = subprocess.run([*python, EXAMPLES / "ugi_bot.py", *join], capture_output=True, text=True, timeout=60)
        assert second.returncode == 0, second.stderr
        assert first.communicate(timeout=60)[0] == second.stdout != "", "both tell how it ended"
        watched = Table(server.address, session_id, {})
        assert watched.session["status"] == "over" and {seat["name"] for seat in watched.session["seats"].values()} == {
            "A",
            "B",
        }
    number = listed[0].split("\t")[0]
    assert CliRunner().invoke(app, ["token", "revoke", number, "--data", data]).exit_code == 0
    assert CliRunner().invoke(app, ["token", "revoke", number, "--data", data]).exit_code == 1


def test_a_token_can_be_given_on_a_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(["-" + "a" * 42, "--" + "b" * 41, "c" * 43])
    monkeypatch.setattr("tabuleiro.server.guard.secrets.token_urlsafe", lambda size: next(made))
    assert new_token() == "c" * 43
