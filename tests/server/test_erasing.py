"""A pupil is erased: gone from every table, page, stream, export and backup made afterwards, and still gone when a
backup made before is put back. What others played with them stays."""

import contextlib
import io
import json
import shutil
import sqlite3
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from server.cup import PATH as CUPS
from server.people import Json, LocalServer, Person, wait_for
from server.school import come_by, organiser, pupil, school_class, sign_in, teacher
from server.test_people import Line
from server.test_roles import SECTION, all_routes
from tabuleiro.cli import app as command_line
from tabuleiro.server.people.erasing import unreachable_origin
from tabuleiro.server.settings import DATABASE, Settings, sqlite_url
from tabuleiro.server.store import opened

#: Twenty letters that stand nowhere by chance.
SURNAME = "Quaresmaxilofonistaz"
NAMES = [f"Zulmira {SURNAME}", "Rui Costa", "Eva Dias"]
#: Everything by which one would know her again, besides what is kept of her card and her bot.
WORDS = ("Zulmira", SURNAME, "Zuzu", "Robozuzu", "Zulmirinha")
WEEK = 7 * 24 * 3600


class Life:
    """Somebody who has done everything that one can do here."""

    def __init__(self, server: LocalServer, folder: Path) -> None:
        self.server, self.folder = server, folder
        address = server.address
        self.boss = organiser(server)
        self.maria = teacher(self.boss)
        self.school_class = school_class(self.maria, NAMES)
        self.class_path = f"/api/v1/classes/{self.school_class['id']}"
        self.card = self.school_class["cards"][0]
        self.guest: int = self.card["guest"]
        self.maria.web.put(f"{self.class_path}/nicknames", json={"locked": False})
        # She played before she had a card, under a name that she chose, and keeps those games.
        self.her = Person(address)
        self.her.web.put("/api/v1/me", json={"nickname": "Zulmirinha"})
        self.before = self.her.create("hex", {"kind": "local"})
        come_by(self.her, self.card["link"])
        self.her.post("/api/v1/person/keep")
        self.her.web.put("/api/v1/me", json={"nickname": "Zuzu"})
        self.her.post("/api/v1/bots", {"name": "Robozuzu"})
        self.rui, self.eva = (pupil(address, card) for card in self.school_class["cards"][1:])
        self.alone = self.her.create("ouri", {"kind": "engine", "level": 1})
        self.over, self.going_on = (self._with_rui() for _ in range(2))
        self.rui.post(f"/api/v1/sessions/{self.over}/actions", {"action": "resign"})
        self.maria.web.put(f"{self.class_path}/ladder", json={"game": "rastros"})
        self.maria.post(
            f"{self.class_path}/rounds",
            {"game": "rastros", "pupils": [card["guest"] for card in self.school_class["cards"]]},
        )
        body = {"quick": {"game": "rastros"}, "entries": {"class_id": self.school_class["id"]}, "begin": True}
        self.cup: str = self.maria.post(CUPS, body)["id"]
        with Line(self.her) as here, Line(self.rui) as there:
            for line in (here, there):
                line.say({"type": "ping"})
                line.until("pong")
            self.her.post("/api/v1/challenges", {"to": self.school_class["cards"][1]["guest"], "game": "hex"})
            self.rui.post("/api/v1/challenges", {"to": self.guest, "game": "ouri"})
            self.her.post("/api/v1/challenges", {"to": None, "game": "konane"})
        self.hashes = self._hashes()

    def _with_rui(self) -> str:
        made = self.her.create("rastros", {"kind": "friend"}, side="first")
        self.rui.post(f"/api/v1/sessions/{made}/join")
        for ply, mover in enumerate((self.her, self.rui)):
            move = mover.get(f"/api/v1/sessions/{made}")["view"]["moves"][0]["text"]
            mover.post(f"/api/v1/sessions/{made}/moves", {"ply": ply, "move": move})
        return made

    def _hashes(self) -> tuple[str, ...]:
        """What is kept of her card and her bot."""
        with closing(sqlite3.connect(self.folder / DATABASE)) as database:
            queries = (
                f"SELECT token_hash, code_hash FROM cards WHERE guest = {self.guest}",
                f"SELECT token_hash FROM guests JOIN bots ON guest = id WHERE owner = {self.guest}",
            )
            return tuple(text for query in queries for row in database.execute(query) for text in row)

    # -- where she could be seen --------------------------------------------------------------------------------------

    def tables(self) -> dict[str, list[Json]]:
        """All rows of all tables that there are."""
        engine = sa.create_engine(sqlite_url(self.folder))
        metadata = sa.MetaData()
        metadata.reflect(engine)
        with engine.connect() as connection:
            rows = {
                name: [dict(row._mapping) for row in connection.execute(sa.select(table))]
                for name, table in metadata.tables.items()
            }
        engine.dispose()
        return rows

    def told(self) -> Iterator[tuple[str, str]]:
        """Everything that can be asked for about a class, its people and games, and every stream, by who and where."""
        names = {
            "class_id": self.school_class["id"],
            "championship_id": self.cup,
            "section": SECTION,
            "stage": "1",
            "number": "1",
            "game": "rastros",
            "language": "pt",
            "ply": "1",
        }
        others = [str(card["guest"]) for card in self.school_class["cards"]]
        sessions = (self.before, self.alone, self.over, self.going_on)
        kinds = ("csv", "xlsx", "json", "campeonato", "trf")
        for who, browser in {"teacher": self.maria, "rui": self.rui}.items():
            for route in sorted(route for route in all_routes() if route.startswith("GET ") and "{" in route):
                for path in _filled(
                    route.partition(" ")[2].replace(":path}", "}").format_map(_Kept(names)),
                    {"session_id": sessions, "guest": others, "kind": kinds},
                ):
                    yield f"{who} {path}", readable(browser.web.get(path).content)
            for session in sessions:
                with browser.watch(session) as table:
                    yield f"{who} stream {session}", json.dumps(table.first)
            for path in ("lobby", "sessions", "classes", "audit", "championships"):
                yield f"{who} {path}", browser.web.get(f"/api/v1/{path}").text
            with Line(browser) as line:
                line.say({"type": "lobby"})
                yield f"{who} lobby", json.dumps(line.until("lobby"))
                if browser is self.maria:
                    line.say({"type": "follow", "class": self.school_class["id"]})
                    yield f"{who} class", json.dumps(line.until("class"))

    def backup(self, name: str) -> Path:
        file = self.folder / name
        run_command("backup", str(file), "--data", str(self.folder))
        assert file.stat().st_mode & 0o777 == 0o600
        return file

    def assert_in_no_file(self) -> None:
        """Nothing of her is in any byte of the data folder: copies, write-ahead log and free pages included. A server
        needs a moment for the copies."""
        wait_for(lambda: not self.traces_in_files())
        assert [*(self.folder / "championships").glob("*.campeonato")], "there is a backup to look into"

    def traces_in_files(self) -> list[tuple[str, str]]:
        found = []
        for file in self.folder.rglob("*"):
            with contextlib.suppress(FileNotFoundError):  # the server writes meanwhile
                text = readable(file.read_bytes()) if file.is_file() else ""
                found += [(file.name, trace) for trace in (*WORDS, *self.hashes) if trace in text]
        return found

    def assert_told_nowhere(self) -> None:
        for where, text in self.told():
            assert not [trace for trace in (*WORDS, *self.hashes) if trace in text], where

    def assert_gone(self) -> None:
        traces = (*WORDS, *self.hashes)
        for table, rows in self.tables().items():
            for row in rows:
                text = json.dumps(row, ensure_ascii=False, default=str)
                assert not [trace for trace in traces if trace in text], (table, row)
                # Her number alone is left, where it says what others did.
                if table not in ("members", "guests", "audit"):
                    assert self.guest not in [row.get(name) for name in ("guest", "by", "to", "owner")], (table, row)
        copy = self.backup(f"copy-{time.monotonic_ns()}.sqlite3").read_bytes()
        assert not [trace for trace in traces if trace.encode() in copy], "not in what is free of the file either"
        assert sign_in(Person(self.rui.address), by="card", token=self.card["link"][-22:]).status_code == 403
        listed = run_command("people", "list", "--data", str(self.folder))
        assert "Rui Costa" in listed and "Zulmira" not in listed
        export, rui = self.folder / f"rui-{time.monotonic_ns()}.json", str(self.school_class["cards"][1]["guest"])
        run_command("people", "export", rui, str(export), "--data", str(self.folder))
        assert not [trace for trace in traces if trace in export.read_text()]

    def assert_others_kept_theirs(self) -> None:
        for session in (self.over, self.going_on):
            seen = self.rui.get(f"/api/v1/sessions/{session}")
            assert seen["status"] == "over" and len(seen["history"]) == 2, "what went on is resigned"
            assert seen["seats"]["1"]["erased"] and seen["seats"]["1"]["name"] is None
            assert seen["seats"]["2"]["name"] == "Rui C."
            record = self.rui.web.get(f"/api/v1/sessions/{session}/record").text
            assert 'Player1 "jogador apagado"' in record and 'Player2 "Rui C."' in record
        for session in (self.before, self.alone):
            assert self.maria.web.get(f"/api/v1/sessions/{session}").status_code == 404, "nobody else sat in it"
        games = self.rui.get(f"/api/v1/people/{self.school_class['cards'][1]['guest']}/games")
        assert self.over in json.dumps(games)


class _Kept(dict[str, str]):
    """Leaves what it does not know as it stands."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def _filled(path: str, choices: dict[str, Any]) -> list[str]:
    """A path with every value of what stands in it."""
    paths = [path]
    for name, values in choices.items():
        paths = [
            each.replace(f"{{{name}}}", value)
            for each in paths
            for value in (values if f"{{{name}}}" in each else ("",))
        ]
    return paths


def readable(content: bytes) -> str:
    """An answer as text; of an archive what is in it."""
    if not content.startswith(b"PK"):
        return content.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "".join(readable(archive.read(name)) for name in archive.namelist())


def run_command(*arguments: str) -> str:
    answer = CliRunner().invoke(command_line, arguments)
    assert answer.exit_code == 0, answer.output
    return answer.output


def removed_a_week_ago(life: Life, now: list[float]) -> None:
    life.maria.web.delete(f"{life.class_path}/pupils/{life.guest}")
    now[0] += WEEK + 60
    life.server.do(life.server.app.state.eraser.erase_what_is_due())


def by_herself(life: Life, now: list[float]) -> None:
    assert life.her.web.delete("/api/v1/me").status_code == 200


def at_the_terminal(life: Life, now: list[float]) -> None:
    run_command("people", "erase", str(life.guest), "--data", str(life.folder))


@pytest.mark.parametrize("erase", [removed_a_week_ago, by_herself, at_the_terminal])
def test_who_is_erased_is_gone_from_everything(
    tmp_path_factory: pytest.TempPathFactory,
    erase: Callable[[Life, list[float]], None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    now = [time.time()]
    tmp_path, elsewhere = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("elsewhere")
    with LocalServer(Settings(sqlite_url(tmp_path)), lambda: now[0]) as server:
        life = Life(server, tmp_path)
        before = life.backup("before.sqlite3")
        # Copies that nobody knows of when she is erased, as on a stick in a drawer.
        on_a_stick = tmp_path_factory.mktemp("stick") / DATABASE
        for place in (on_a_stick, elsewhere / DATABASE):
            shutil.copyfile(before, place)
        wait_for(lambda: any(name.endswith(".campeonato") for name, _ in life.traces_in_files()))
        assert all(word.encode() in before.read_bytes() for word in WORDS if word != "Zulmirinha")
        assert len(life.hashes) == 3
        if erase is removed_a_week_ago:  # one look at all of it is enough to know that she was there
            assert len([where for where, text in life.told() if any(word in text for word in WORDS)]) > 40
        # Somebody looks on all the while, so that the server has all of it in memory.
        with life.rui.watch(life.going_on) as table, life.maria.watch(life.before):
            erase(life, now)
            table.until_session(lambda session: session["status"] == "over" and session["seats"]["1"]["erased"])
            wait_for(lambda: life.maria.web.get(f"/api/v1/sessions/{life.before}").status_code == 404)
            life.assert_in_no_file()
        life.assert_gone()
        life.assert_told_nowhere()
        life.assert_others_kept_theirs()
    for suffix in ("", "-wal", "-shm"):
        (tmp_path / (DATABASE + suffix)).unlink(missing_ok=True)
    on_a_stick.rename(tmp_path / DATABASE)
    with LocalServer(Settings(sqlite_url(tmp_path)), lambda: now[0]) as server:
        for browser in (life.her, life.rui, life.eva, life.maria, life.boss):
            browser.address, browser.web.base_url = server.address, server.address
        life.server = server
        life.assert_gone()
        life.assert_in_no_file()
        if erase is removed_a_week_ago:
            life.assert_told_nowhere()
        life.assert_others_kept_theirs()
    with LocalServer(Settings(sqlite_url(elsewhere)), lambda: now[0]) as server:
        assert sign_in(Person(server.address), by="card", token=life.card["link"][-22:]).status_code == 403
        life.folder = elsewhere
        wait_for(lambda: not life.traces_in_files())
    assert not [word for word in WORDS if word in capfd.readouterr().err], "nor in the log"


def test_the_machine_of_a_copy_is_named_where_it_is_not_to_be_had(tmp_path: Path) -> None:
    """Who was erased on another machine after a copy was made there cannot be known: it is said what to bring."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    with LocalServer(Settings(sqlite_url(there)), time.time) as server:
        organiser(server)
        run_command("backup", str(here / DATABASE), "--data", str(there))
    with opened(sqlite_url(here)) as connection:
        assert unreachable_origin(connection) is None
    there.rename(tmp_path / "gone")
    with opened(sqlite_url(here)) as connection:
        assert unreachable_origin(connection) == there / "erased.txt"


def test_who_was_removed_is_back_with_everything_within_a_week(tmp_path: Path) -> None:
    now = [time.time()]
    with LocalServer(Settings(sqlite_url(tmp_path)), lambda: now[0]) as server:
        life = Life(server, tmp_path)
        before = life.tables()
        life.maria.web.delete(f"{life.class_path}/pupils/{life.guest}")
        assert life.her.get("/api/v1/person")["person"] is None
        now[0] += WEEK - 60
        server.do(server.app.state.eraser.erase_what_is_due())
        assert [each["name"] for each in life.maria.get(life.class_path)["removed"]] == [f"Zulmira {SURNAME}"]
        life.maria.post(f"{life.class_path}/pupils/{life.guest}/back")
        come_by(life.her, life.card["link"])
        after = life.tables()
        for table in ("people", "cards", "results", "bots", "entrants", "members"):
            assert [{**row, "seen": 0} for row in after[table]] == [{**row, "seen": 0} for row in before[table]], table
        assert len(life.her.get("/api/v1/sessions")["sessions"]) == 5
        now[0] += 2 * WEEK
        server.do(server.app.state.eraser.erase_what_is_due())
        assert life.her.get("/api/v1/person")["person"]["name"] == f"Zulmira {SURNAME}", "she stays"
