"""Several server processes with one PostgreSQL and one Redis serve the same session."""

import socket
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest
import sqlalchemy as sa

from server.people import LocalServer, Person, ProcessServer, wait_for
from tabuleiro.server.settings import Settings


@pytest.fixture(scope="module")
def two(postgresql: str, redis_url: str) -> Iterator[tuple[LocalServer, LocalServer]]:
    settings = Settings(postgresql, redis_url)
    with LocalServer(settings) as one, LocalServer(settings) as other:
        yield one, other


@pytest.fixture
def ana(two: tuple[LocalServer, LocalServer]) -> Person:
    return Person(two[0].address)


@pytest.fixture
def rui(two: tuple[LocalServer, LocalServer]) -> Person:
    return Person(two[1].address)


def test_one_play_across_two_processes(ana: Person, rui: Person) -> None:
    rui.web.put("/api/v1/me", json={"nickname": "Rui"})
    session_id = ana.create("avanco", {"kind": "friend"}, side="first")
    with ana.watch(session_id) as hers:
        rui.post(f"/api/v1/sessions/{session_id}/join")
        assert hers.until_event("join")["session"]["seats"]["2"]["name"] == "Rui"
        with rui.watch(session_id) as his:
            hers.until_session(lambda session: session["seats"]["2"]["connected"])
            his.until_session(lambda session: session["seats"]["1"]["connected"])
            for _ in range(5):
                hers.move(hers.moves()[0])
                his.until_event("move")
                his.move(his.moves()[0])
                hers.until_event("move")
            assert hers.session["history"] == his.session["history"] and len(his.session["history"]) == 10
            numbers = [message["number"] for message in hers.heard if message["type"] == "event" and message["number"]]
            assert numbers == list(range(1, 12))
            rui.web.put("/api/v1/me", json={"nickname": "Rui 2"})
            assert hers.until_event("rename")["session"]["seats"]["2"]["name"] == "Rui 2"
        hers.until_session(lambda session: not session["seats"]["2"]["connected"])


def test_at_once_at_two_processes_one_is_accepted(ana: Person, two: tuple[LocalServer, LocalServer]) -> None:
    elsewhere = Person(two[1].address)
    elsewhere.web.cookies = ana.web.cookies
    for _ in range(10):
        session_id = ana.create("hex", {"kind": "local"})
        with ana.watch(session_id) as here, elsewhere.watch(session_id) as there:
            refs = here.say("move", ply=0, move="a1"), there.say("move", ply=0, move="b2")
            answers = [here.answer(refs[0]), there.answer(refs[1])]
            assert sorted(answer["type"] for answer in answers) == ["ack", "error"]
            for table in (here, there):
                table.until_session(lambda session: session["number"] == 1)
            assert here.session["history"] == there.session["history"]


def test_a_free_seat_is_taken_once(ana: Person, two: tuple[LocalServer, LocalServer]) -> None:
    session_id = ana.create("hex", {"kind": "friend"})
    friends = [Person(server.address) for server in two for _ in range(2)]
    answers = [friend.web.post(f"/api/v1/sessions/{session_id}/join").status_code for friend in friends]
    assert sorted(answers) == [200, 409, 409, 409]


def test_a_process_that_missed_news_catches_up(
    ana: Person, rui: Person, two: tuple[LocalServer, LocalServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = ana.create("rastros", {"kind": "friend"}, side="first")
    rui.post(f"/api/v1/sessions/{session_id}/join")
    with ana.watch(session_id) as hers, rui.watch(session_id) as his:
        with monkeypatch.context() as patch:
            patch.setattr(two[0].hub._bus, "tell", lambda news: None)
            hers.move("d4")
        two[1].do(two[1].hub.catch_up_all())
        assert his.until_event("move")["session"]["view"]["turn"] == 2
        assert his.move("d5")["type"] == "ack"


def test_who_is_ahead_of_a_process_is_not_refused_by_it(
    ana: Person, rui: Person, two: tuple[LocalServer, LocalServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rui has seen at another process what his own has not heard of: a move, and then a move taken back."""
    session_id = ana.create("rastros", {"kind": "friend"}, side="first")
    rui.post(f"/api/v1/sessions/{session_id}/join")
    with ana.watch(session_id) as hers, rui.watch(session_id) as his:
        monkeypatch.setattr(two[0].hub._bus, "tell", lambda news: None)
        hers.move("d4")
        assert his.ask("move", ply=1, move="d5")["type"] == "ack"
        assert [entry["text"] for entry in his.session["history"]] == ["d4", "d5"]
        hers.until_plies(2)
        assert hers.ask("ask_takeback")["type"] == "ack"
        assert his.ask("accept_takeback")["type"] == "ack"
        assert his.ask("move", ply=9, move="d5")["code"] == "stale", "there is nothing to catch up with"


def test_the_computer_answers_once(ana: Person, two: tuple[LocalServer, LocalServer]) -> None:
    session_id = ana.create("rastros", {"kind": "engine", "level": 1})
    elsewhere = Person(two[1].address)
    elsewhere.web.cookies = ana.web.cookies
    with elsewhere.watch(session_id) as table:
        table.move("d4")
        table.until_plies(2)
        two[0].do(two[0].hub.sweep(-1000))
        wait_for(lambda: len(ana.get(f"/api/v1/sessions/{session_id}")["history"]) == 2)
        assert len(table.session["history"]) == 2


def test_a_game_that_is_erased_is_gone_everywhere(ana: Person, rui: Person) -> None:
    session_id = ana.create("rastros", {"kind": "local"})
    with rui.watch(session_id) as his:
        assert ana.web.delete(f"/api/v1/sessions/{session_id}").status_code == 200
        assert his.until(lambda message: message["type"] == "erased") and his.is_closed()
    assert rui.web.get(f"/api/v1/sessions/{session_id}").status_code == 404


def test_a_bot_of_one_process_plays_at_another(ana: Person, rui: Person) -> None:
    made = ana.post("/api/v1/bots", {"name": "Robô"})
    bearer = {"Authorization": f"Bearer {made['token']}"}
    assert httpx.get(f"{rui.address}/api/v1/me", headers=bearer).json() == {"nickname": "Robô"}
    ana.web.delete(f"/api/v1/bots/{made['id']}")
    assert httpx.get(f"{rui.address}/api/v1/me", headers=bearer).status_code == 401


def test_servers_that_start_at_once_migrate_once(postgresql: str) -> None:
    with sa.create_engine(postgresql.replace("://", "+psycopg://", 1), isolation_level="AUTOCOMMIT").connect() as admin:
        admin.exec_driver_sql("CREATE DATABASE started_at_once")
    url = postgresql.rpartition("/")[0] + "/started_at_once"
    check = f"from tabuleiro.server.store import open_engine; open_engine({url!r})"
    starting = [subprocess.Popen([sys.executable, "-c", check], stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [(process.communicate()[1], process.returncode) for process in starting] == [("", 0)] * 4


def test_two_workers_behind_one_address(postgresql: str, redis_url: str) -> None:
    with ProcessServer("--database", postgresql, "--redis", redis_url, "--workers", "2") as server:
        ana = Person(server.address)
        session_id = ana.create("hex", {"kind": "local"})
        tables = [ana.watch(session_id) for _ in range(6)]
        for number in range(6):
            tables[number].until_plies(number)
            assert tables[number].move(tables[number].moves()[number])["type"] == "ack"
        for table in tables:
            table.until_plies(6)
            table.socket.close()


def test_processes_without_their_parent_leave_the_port(postgresql: str, redis_url: str) -> None:
    with ProcessServer("--database", postgresql, "--redis", redis_url, "--workers", "2") as server:
        server.process.kill()
        server.process.wait()

        def is_free() -> bool:
            with socket.socket() as asking:
                return asking.connect_ex(("127.0.0.1", server.port)) != 0

        wait_for(is_free, 60)


def test_a_process_that_cannot_end_without_its_parent_is_ended() -> None:
    """The child hears no signal, as one whose event loop waits for a database that is away."""
    child = "import os, signal; from tabuleiro.server import app; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    child += "app.TIME_TO_END = 0.5; print('begun', flush=True); app._end_with({})"
    parent = "import os, subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1].format(os.getpid())]); "
    parent += "import time; time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", parent, child], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        process.kill()
        assert process.stdout.read() == ""  # the last who could write has ended
