"""The file of a championship: private, whole, and on the disk when it says so."""

import json
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from championship.building import edition
from tabuleiro.championship import Championship, RefusedError
from tabuleiro.championship.file import copy, create, read, write_private, writing
from tabuleiro.championship.people import Details


def fresh(path: Path, players: int = 6) -> Path:
    championship = Championship()
    create(path, championship.decide("created", {"edition": edition("hex"), "seed": 1}), 0.0)
    with writing(path) as writer:
        entries = [{"person": n, "section": "hex-all", "school": 1} for n in range(1, players + 1)]
        data = {"schools": [{"id": 1, "name": "EB", "region": ""}], "entries": entries}
        people = {n: Details(f"Nome Secreto {n}") for n in range(1, players + 1)}
        writer.act(writer.championship.decide("registered", data), 0, 1.0, people)
    return path


def presence(writer: object, person: int, state: str) -> None:
    data = {"section": "hex-all", "persons": [person], "presence": state}
    writer.act(writer.championship.decide("presence", data), 0, 2.0)  # type: ignore[attr-defined]


def test_for_its_owner_only(tmp_path: Path) -> None:
    path = fresh(tmp_path / "a")
    copy(path, tmp_path / "b")
    write_private(tmp_path / "c", b"x")
    for name in "abc":
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a", "b", "c"]


def test_an_error_leaves_it_as_it_was(tmp_path: Path) -> None:
    path = fresh(tmp_path / "a")
    before = read(path).championship.events
    with pytest.raises(RefusedError), writing(path) as writer:
        presence(writer, 1, "absent")
        presence(writer, 99, "absent")
    assert read(path).championship.events == before


def test_events_hold_no_names_and_erased_names_are_gone_from_every_byte(tmp_path: Path) -> None:
    path = fresh(tmp_path / "a")
    with sqlite3.connect(path) as connection:
        assert not any("Nome" in row[0] for row in connection.execute("SELECT data FROM events"))
    assert b"Nome Secreto 3" in path.read_bytes()
    backup = tmp_path / "b"
    copy(path, backup)
    with writing(path) as writer:
        writer.act(writer.championship.decide("erased", {"persons": [3]}), 0, 3.0)
    assert b"Nome Secreto 3" not in path.read_bytes()
    assert 3 not in read(path).people
    with pytest.raises(RefusedError, match="does not come back"):
        read(path).championship.decide("undone", {"event": 3, "reason": "x"})
    # An older backup that is restored over it does not bring the name back.
    copy(backup, path, replace=True)
    contents = read(path)
    assert b"Nome Secreto 3" not in path.read_bytes()
    assert 3 not in contents.people and 3 in contents.championship.state.erased


def test_what_is_no_championship_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for data in (b"", b"hello" * 1000, b"SQLite format 3\0" + b"\1" * 2000):
        path.write_bytes(data)
        with pytest.raises(RefusedError, match="not a championship file"):
            read(path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "y")
    good = fresh(tmp_path / "a")
    with pytest.raises(RefusedError, match="exists already"):
        create(good, Championship().decide("created", {"edition": edition(), "seed": 1}), 0.0)
    with sqlite3.connect(good) as connection:
        connection.execute("UPDATE events SET data = '{' WHERE number = 2")
    with pytest.raises(RefusedError, match="damaged"):
        read(good)


def test_damage_is_seen_before_a_backup_is_made(tmp_path: Path) -> None:
    path = fresh(tmp_path / "a", players=400)
    data = bytearray(path.read_bytes())
    data[-3000:-1000] = os.urandom(2000)
    path.write_bytes(data)
    with pytest.raises((RefusedError, sqlite3.DatabaseError)):
        copy(path, tmp_path / "b")
    assert not (tmp_path / "b").exists()


WORKER = """
import sys
from pathlib import Path
from tabuleiro.championship.file import copy, writing
path, number = Path(sys.argv[1]), 0
print("ready", flush=True)
while True:
    number += 1
    with writing(path) as writer:
        for person in (1, 2, 3):  # three events or none
            state = "absent" if number % 2 else "present"
            data = {"section": "hex-all", "persons": [person], "presence": state}
            writer.act(writer.championship.decide("presence", data), 0, float(number))
        last = writer.championship.number
    print(last, flush=True)
    if number % 5 == 0:
        copy(path, path.with_suffix(".backup"), replace=True)
"""


def test_killed_at_any_moment_what_was_acknowledged_is_there_and_nothing_is_half_done(tmp_path: Path) -> None:
    path = fresh(tmp_path / "a.event")
    luck = random.Random(7)
    written = 0
    for _ in range(10):
        worker = subprocess.Popen([sys.executable, "-c", WORKER, str(path)], stdout=subprocess.PIPE, text=True)
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
        time.sleep(luck.uniform(0.01, 0.25))
        worker.send_signal(signal.SIGKILL)
        lines = [line for line in worker.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
        worker.wait()
        acknowledged = int(lines[-1]) if lines else 0
        championship, people = read(path)
        assert championship.number >= acknowledged
        assert (championship.number - 2) % 3 == 0
        assert len(people) == 6
        backup = path.with_suffix(".backup")
        if backup.exists():
            assert (read(backup).championship.number - 2) % 3 == 0
        written = max(written, acknowledged)
    assert written > 30


def test_two_at_once_wait_for_each_other(tmp_path: Path) -> None:
    path = fresh(tmp_path / "a")
    script = WORKER.replace("while True:", "for _ in range(15):").replace("print(last, flush=True)", "pass")
    workers = [subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [worker.wait(timeout=60) for worker in workers] == [0, 0]
    assert read(path).championship.number == 2 + 2 * 15 * 3


def test_the_data_of_events_is_plain_json(tmp_path: Path) -> None:
    path = fresh(tmp_path / "a")
    with sqlite3.connect(path) as connection:
        for _, kind, data, who, when in connection.execute("SELECT * FROM events"):
            assert isinstance(json.loads(data), dict) and kind and who == 0 and when >= 0
