"""kill -9 while classes are made, cards replaced and rounds begun: each of these happened, or nothing of it did."""

import base64
import contextlib
import random
import threading
import time
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from server.people import Json, Person, ProcessServer
from server.school import first_organiser
from tabuleiro.server.people.codes import token_hash
from tabuleiro.server.settings import sqlite_url
from tabuleiro.server.store import open_engine

NAMES = "\n".join(f"Aluno Número{number}" for number in range(40))


def busy(teacher: Person, made: list[Json], answers: list[str]) -> None:
    """Class after class, with new cards and a round for each, until the server is gone."""
    with contextlib.suppress(httpx.TransportError):
        while True:
            file = base64.b64encode(f"Nome\n{NAMES}".encode()).decode() if len(made) % 2 else None
            new = teacher.post("/api/v1/classes", {"name": "7.º B", "names": "" if file else NAMES, "file": file})
            made.append(new)
            path = f"/api/v1/classes/{new['id']}"
            teacher.post(f"{path}/pupils", {"names": "Aluno Novo\nAluna Nova"})
            made[-1] = teacher.post(f"{path}/cards", {})
            pupils = [card["guest"] for card in new["cards"]]
            teacher.post(f"{path}/rounds", {"game": "rastros", "pupils": pupils})
            answers.append(new["id"])


@pytest.mark.long
def test_either_all_of_it_or_nothing(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    chance = random.Random(5)
    for _ in range(3):
        made: list[Json] = []
        answers: list[str] = []
        with ProcessServer("--data", str(tmp_path)) as server:
            teacher = first_organiser(tmp_path, server.address)
            acting = threading.Thread(target=busy, args=(teacher, made, answers))
            acting.start()
            time.sleep(chance.uniform(1, 3))
            server.process.kill()
            acting.join(60)
        engine = open_engine(url, check=True)
        with engine.connect() as connection:
            look(connection, made, {*answers})
        engine.dispose()


def look(connection: sa.Connection, made: list[Json], played: set[str]) -> None:
    classes = {
        row.id: row.summary
        for row in connection.execute(
            sa.text("SELECT id, summary FROM streams WHERE kind = 'class'").columns(summary=sa.JSON)
        )
    }
    assert {each["id"] for each in made} <= classes.keys(), "what was answered is there"
    people = set(connection.scalars(sa.text("SELECT guest FROM people WHERE class_name <> ''")))
    assert people == {pupil for each in classes.values() for pupil in each["pupils"]}, "nobody is without a class"
    assert people == set(connection.scalars(sa.text("SELECT guest FROM cards"))), "and everybody has a card"
    assert {len(each["pupils"]) for each in classes.values()} <= {40, 42}, "all names of a list, or none"
    # New cards for all come together, and of the last printed ones none is missing that was answered for.
    printed = "SELECT stream, count(DISTINCT made) FROM cards GROUP BY stream"
    added = {stream for stream, times in connection.execute(sa.text(printed)) if times > 1}
    assert all(len(classes[stream]["pupils"]) == 42 for stream in added), "two who came later have later cards"
    known = set(connection.scalars(sa.text("SELECT token_hash FROM cards")))
    for each in made[:-1]:
        assert each["id"] not in added
        assert {token_hash(card["link"].partition("#c.")[2]) for card in each["cards"]} <= known
    acts = connection.execute(sa.text("SELECT act, about FROM audit").columns(about=sa.JSON)).all()
    noted = {row.about["stream"] for row in acts if row.act == "make_class"}
    assert noted == classes.keys(), "an act and its line in the log"
    rounds = connection.execute(
        sa.text("SELECT stream, data FROM events WHERE kind = 'round'").columns(data=sa.JSON)
    ).all()
    assert played <= {row.stream for row in rounds}
    sessions = set(connection.scalars(sa.text("SELECT id FROM streams WHERE kind = 'session'")))
    begun = {pairing[3] for row in rounds for pairing in row.data["pairings"]}
    assert begun == sessions, "all games of a round, or none"
