"""Servers that stop, gently or not: nothing that was acknowledged is lost, and every game goes on."""

import subprocess
import sys
from pathlib import Path

import pytest

from server.people import LocalServer, Person, ProcessServer, free_port
from tabuleiro.server.settings import Settings, sqlite_url


def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    settings, port = Settings(sqlite_url(tmp_path)), free_port()
    with LocalServer(settings, port=port) as server:
        ana, rui = Person(server.address), Person(server.address)
        ana.web.put("/api/v1/me", json={"nickname": "Ana"})
        session_id = ana.create("rastros", {"kind": "friend"}, side="first")
        rui.post(f"/api/v1/sessions/{session_id}/join")
        with ana.watch(session_id) as hers:
            hers.move("d4")
            before = hers.session
    with LocalServer(settings, port=port), rui.watch(session_id, since=1) as his:
        assert his.first["type"] == "event" and his.first["number"] == 2
        assert his.session["history"] == before["history"] and his.session["seats"]["1"]["name"] == "Ana"
        assert his.session["your_seats"] == [2]
        assert his.move("d5")["type"] == "ack"
        assert ana.get("/api/v1/sessions")["sessions"][0]["plies"] == 2


def test_a_computer_player_whose_turn_it_was_moves_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, port = Settings(sqlite_url(tmp_path)), free_port()
    with monkeypatch.context() as patch:
        patch.setattr("tabuleiro.server.thinking.Thinking.go_on", lambda self, session: None)
        with LocalServer(settings, port=port) as server:
            ana = Person(server.address)
            session_id = ana.create("rastros", {"kind": "engine", "level": 1})
            with ana.watch(session_id) as table:
                table.move("d4")
    with LocalServer(settings, port=port), ana.watch(session_id) as table:
        table.until_session(lambda session: len(session["history"]) == 2)


def test_kill_9_loses_nothing_acknowledged() -> None:
    script = Path(__file__).parents[2] / "bench" / "crash.py"
    done = subprocess.run(
        [sys.executable, script, "--kills", "3", "--games", "8", "--pace", "0.05"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing acknowledged is missing" in done.stdout and "3 kills" in done.stdout


def test_the_bench_of_kills_leaves_no_server_behind(tmp_path: Path) -> None:
    """Who waits for what it prints waits for all that it has started."""
    code = (
        "from pathlib import Path; from bench.crash import Starter\n"
        f"with Starter(Path({str(tmp_path / 'log')!r})) as starter:\n"
        f"    starter.start({free_port()}, ['--data', {str(tmp_path)!r}])\n"
        "    raise SystemExit('something went wrong')"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "something went wrong" in done.stderr


def test_a_server_told_to_stop_stops(tmp_path: Path) -> None:
    with ProcessServer("--data", str(tmp_path)) as server:
        ana = Person(server.address)
        table = ana.watch(ana.create("hex", {"kind": "local"}))
        server.process.terminate()
        _, log = server.process.communicate(timeout=15)
        assert table.is_closed()
        assert server.process.returncode in (0, -15) and b'"event": "stopped"' in log and b"Traceback" not in log
