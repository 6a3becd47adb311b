"""`tabuleiro serve` and `tabuleiro backup`, as people type them."""

import asyncio
import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from server.people import Person, ProcessServer
from tabuleiro.cli import app
from tabuleiro.server.app import create_app
from tabuleiro.server.settings import DATABASE, Settings, data_folder, sqlite_url
from tabuleiro.server.store import open_engine
from tabuleiro.server.tables import guests


@pytest.mark.parametrize("command", ["serve", "backup"])
def test_help_in_both_languages(command: str) -> None:
    english = CliRunner().invoke(app, [command, "--help", "--lang", "en"])
    portuguese = CliRunner().invoke(app, [command, "--help", "--lang", "pt"])
    assert english.exit_code == portuguese.exit_code == 0
    assert "--data" in english.stdout and "--data" in portuguese.stdout and english.stdout != portuguese.stdout


def failing(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["--lang", "en", *arguments])
    assert result.exit_code == 1 and result.stderr.count("\n") == 1, result.output
    return result.stderr


def test_serving_what_cannot_be_served_says_why(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"port {port}" in failing("serve", "--port", port, "--data", str(tmp_path))
    assert "cannot listen" in failing("serve", "--host", "no.such.host.invalid", "--port", "0")
    assert "--redis" in failing("serve", "--workers", "2", "--data", str(tmp_path))
    assert "redis://" in failing("serve", "--redis", "localhost", "--data", str(tmp_path))
    assert "database" in failing("serve", "--port", "0", "--database", "mysql://x")
    file = tmp_path / "file"
    file.write_text("")
    failing("serve", "--port", "0", "--data", str(file))


def test_a_database_that_cannot_be_used_is_not_served(tmp_path: Path) -> None:
    file = tmp_path / DATABASE

    def said() -> str:
        return failing("serve", "--port", "0", "--data", str(tmp_path))

    engine = open_engine(sqlite_url(tmp_path))
    with engine.begin() as connection:
        for number in range(2000):
            connection.execute(sa.insert(guests).values(token_hash=f"{number:064}"))
    engine.dispose()
    sound = file.read_bytes()

    file.write_bytes(sound[: len(sound) // 2] + b"\xff" * (len(sound) // 2))
    assert "damaged" in (told := said()) and "tabuleiro backup" in told and str(file) in told
    file.write_bytes(b"not a database" * 1000)
    assert "is no database" in (told := said()) and "tabuleiro backup" in told
    file.write_bytes(sound)
    with sqlite3.connect(file) as later:
        later.execute("UPDATE alembic_version SET version_num = '9999'")
    later.close()
    assert "newer version" in (told := said()) and "tabuleiro backup" in told
    file.unlink()
    file.mkdir()
    assert "cannot be opened" in said()


def test_a_server_that_cannot_start_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object, **more: object) -> None:
        raise OSError("disk")

    async def start() -> None:
        app = create_app(Settings(sqlite_url(tmp_path)))
        with pytest.raises(OSError, match="disk"):
            async with app.router.lifespan_context(app):
                pass

    before = threading.active_count()
    with monkeypatch.context() as patch:
        patch.setattr("tabuleiro.server.heartbeat.Heartbeat.start", broken)
        asyncio.run(start())
    assert "writer" not in [thread.name for thread in threading.enumerate()] and threading.active_count() <= before
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **more: None)
    result = CliRunner().invoke(app, ["--lang", "en", "serve", "--port", "0", "--data", str(tmp_path)])
    assert result.exit_code == 1 and "could not start" in result.stderr


def test_a_copy_is_taken_while_the_server_runs(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    with ProcessServer("--data", str(data)) as server:
        ana = Person(server.address)
        with ana.watch(ana.create("rastros", {"kind": "local"})) as table:
            table.move("d4")
        done = CliRunner().invoke(app, ["backup", str(copy / "tabuleiro.sqlite3"), "--data", str(data)])
        assert done.exit_code == 1, "the folder of the copy is not there"
        copy.mkdir()
        done = CliRunner().invoke(app, ["backup", str(copy / "tabuleiro.sqlite3"), "--data", str(data)])
        assert done.exit_code == 0, done.output
        with ana.watch(table.session["id"]) as table:
            table.move("d5")
    with ProcessServer("--data", str(copy), port=server.port):
        (session,) = ana.get("/api/v1/sessions")["sessions"]
        assert session["plies"] == 1 and session["your_seats"] == [1, 2]
    assert "exists" in failing("backup", str(copy / "tabuleiro.sqlite3"), "--data", str(data))


def test_copies_that_cannot_be_taken_say_why(tmp_path: Path) -> None:
    assert "there are no games" in failing("backup", str(tmp_path / "x"), "--data", str(tmp_path / "empty"))
    assert "pg_dump" in failing("backup", str(tmp_path / "x"), "--database", "postgresql://localhost/x")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "tabuleiro.sqlite3").write_bytes(b"not a database" * 100)
    assert "failed" in failing("backup", str(tmp_path / "x"), "--data", str(tmp_path / "bad"))
    assert not (tmp_path / "x").exists() and not (tmp_path / "x.part").exists()


def test_serving_a_network_invites(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tabuleiro", "--lang", "pt", "serve", "--lan", "--port", "0"]
    environment = {**os.environ, "PYTHONUTF8": "1", "XDG_DATA_HOME": str(tmp_path)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    try:
        assert process.stdout.readline().startswith("Tabuleiro em http://127.0.0.1:")
        invitation = process.stdout.readline()
        assert invitation.startswith("Nesta rede: http://")
        assert "█" in process.stdout.readline() + process.stdout.readline()
        assert json.loads(process.stderr.readline())["event"] == "started"
        assert (tmp_path / "tabuleiro" / "tabuleiro.sqlite3").is_file()
        port = invitation.rstrip("/\n").rpartition(":")[2]
        ana = Person(f"http://127.0.0.1:{port}")
        session = ana.get(f"/api/v1/sessions/{ana.create('hex', {'kind': 'friend'})}")
        assert session["share"].startswith(invitation.removeprefix("Nesta rede: ").strip())
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_libraries_write_into_the_log_as_we_do() -> None:
    code = (
        "import logging; from tabuleiro.server.loglines import log_libraries; log_libraries();"
        "logging.getLogger('a.library').warning('%d things', 3)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    entry = json.loads(done.stderr)
    assert (entry["level"], entry["event"], entry["message"]) == ("warning", "a.library", "3 things")


def test_every_line_of_the_log_is_json_without_names(tmp_path: Path) -> None:
    with ProcessServer("--data", str(tmp_path)) as server:
        ana = Person(server.address)
        ana.web.put("/api/v1/me", json={"nickname": "Ana Secreta"})
        with ana.watch(ana.create("rastros", {"kind": "local"})) as table:
            table.ask("resign")
        with socket.create_connection(("127.0.0.1", server.port)) as rude:
            rude.sendall(b"this is not HTTP\r\n\r\n")
            rude.recv(1000)
        server.process.terminate()
        _, log = server.process.communicate(timeout=30)
    lines = [json.loads(line) for line in log.decode().splitlines()]
    assert [line["event"] for line in lines] == ["started", "session_created", "session_over", "stopped"]
    for secret in ("Secreta", ana.web.cookies["tabuleiro"], "127.0.0.1"):
        assert secret not in log.decode()


def test_commands_that_need_no_server_do_not_load_it() -> None:
    check = (
        "import sys, tabuleiro.cli; "
        "heavy = {'fastapi', 'uvicorn', 'sqlalchemy', 'alembic', 'redis', 'orjson', 'segno', 'tabuleiro.server'}; "
        "sys.exit(bool(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", check]).returncode == 0


def test_data_is_kept_where_the_system_keeps_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "tabuleiro"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert data_folder() == Path.home() / ".local" / "share" / "tabuleiro"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert data_folder() == Path.home() / "Library" / "Application Support" / "tabuleiro"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert data_folder() == tmp_path / "tabuleiro"


def test_settings_travel_to_other_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = Settings(sqlite_url(tmp_path), "redis://x", "http://192.168.1.2:8000", 3)
    monkeypatch.setenv("TABULEIRO_SERVER", "")
    settings.to_environment()
    assert Settings.from_environment() == settings


#: What only the server needs.
PACKAGES = ["alembic", "fastapi", "httptools", "orjson", "psycopg", "redis", "segno", "sqlalchemy"]
PACKAGES += ["starlette", "uvicorn", "websockets"]


def without_the_extra(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """The command where none of the server's packages is installed."""
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({PACKAGES!r})); sys.argv = ['tabuleiro', *{arguments!r}]; "
        "from tabuleiro.cli import main; main()"
    )
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


@pytest.mark.parametrize(
    "command", [("serve",), ("token", "make", "Robô"), ("token", "list"), ("token", "revoke", "1")]
)
def test_without_the_server_the_command_says_what_to_install(command: tuple[str, ...]) -> None:
    for language, said in (("pt", "instala o servidor"), ("en", "install the server")):
        done = without_the_extra(*command, "--lang", language)
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert said in done.stderr and "pip install 'tabuleiro[server]'" in done.stderr


def test_without_the_server_the_rest_works(tmp_path: Path) -> None:
    assert without_the_extra("games").returncode == 0
    copied = without_the_extra("backup", str(tmp_path / "copy"), "--data", str(tmp_path), "--lang", "pt")
    assert copied.returncode == 1 and "não há partidas" in copied.stderr
