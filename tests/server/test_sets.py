"""Sets of tasks: a teacher makes one, gives it to a class, and sees who did what; own lessons are checked first."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest

from server.people import Json, LocalServer, Person
from server.school import organiser, pupil, school_class, teacher
from tabuleiro.games import GAMES, get
from tabuleiro.learn import Task, lessons_of, read_lesson
from tabuleiro.server.learning.lessons import ref_of

OWN = """game: rastros
language: pt
title: A minha lição

```task
position: 7/7/7/7/7/1O5/7 1
goal: win in 1
answer: a1
```

```task
position: ######1/#######/##3##/##1O1##/##3##/#######/1###### 1
goal: who wins
answer: other
```
"""


def right_act(task: Task) -> str:
    """What solves a task that takes one act."""
    position = task.node().position
    moves = [position.move_str(move) for move in sorted(task.answer)]
    if task.winner is not None:
        return f"say {task.winner}"
    return f"mark {' '.join(moves)}".strip() if task.goal.kind == "mark" else f"move {moves[0]}"


def wrong_act(task: Task) -> tuple[str, str]:
    """What does not, and what of it is kept."""
    position = task.node().position
    if task.winner is not None:
        said = "mover" if task.winner != "mover" else "other"
        return f"say {said}", said
    move = next(move for move in position.legal_moves() if move not in task.answer)
    kind = "mark" if task.goal.kind == "mark" else "move"
    return f"{kind} {position.move_str(move)}", position.move_str(move)


def quick_tasks(count: int) -> dict[str, Task]:
    """Tasks of lessons that are done with one act, and can be done wrongly."""
    found: dict[str, Task] = {}
    for game in GAMES:
        for lesson in lessons_of(get(game))[:2]:
            for number, task in enumerate(lesson.tasks, start=1):
                legal = len(task.node().position.legal_moves())
                if task.goal.kind in ("mark", "who wins", "capture") and len(task.answer) < legal:
                    found[ref_of(lesson, number)] = task
    return dict(list(found.items())[:: max(1, len(found) // count)][:count])


def attempt(person: Person, ref: str, given: str | None, *acts: str) -> Json:
    told: Json = person.post(f"/api/v1/tasks/{ref}/attempts", {"acts": [*acts], "given": given})
    return told


def results(person: Person, class_id: str, set_id: str) -> dict[str, Json]:
    told = person.get(f"/api/v1/classes/{class_id}/sets/{set_id}")
    return {row["name"]: row for row in told["pupils"]}


def refused(answer: Json) -> str:
    code: str = answer["error"]["code"]
    return code


def do_set(server: LocalServer, names: list[str], tasks: dict[str, Task]) -> None:
    """Everybody does a set: some with a mistake or help first, some not to the end; the teacher's table says so."""
    mine = teacher(organiser(server))
    made = school_class(mine, names, "8.º A")
    set_id = mine.post("/api/v1/sets", {"name": "Semana 1", "tasks": [*tasks]})["id"]
    mine.web.put(f"/api/v1/classes/{made['id']}/sets/{set_id}", json={"until": None})
    pupils = {card["name"]: pupil(server.address, card) for card in made["cards"]}
    expected: dict[str, list[Json | None]] = {}

    def work(place: int, name: str) -> None:
        cells: list[Json | None] = []
        for number, (ref, task) in enumerate(tasks.items()):
            acts = [right_act(task)]
            cell: Json = {"solved": True, "mistakes": 0, "wrong": None, "hints": 0}
            way = (place + number) % 5
            if way == 0:
                act, kept = wrong_act(task)
                acts, cell = [act, *acts], {**cell, "mistakes": 1, "wrong": kept}
            elif way == 1:
                acts, cell = ["hint", *acts], {**cell, "hints": 1}
            elif way == 2:
                acts, cell = [wrong_act(task)[0]], {**cell, "solved": False, "mistakes": 1, "wrong": wrong_act(task)[1]}
            if way == 3:
                cells.append(None)
                continue
            for done in range(1, len(acts) + 1):
                attempt(pupils[name], ref, set_id, *acts[:done])
            cells.append(cell)
        expected[name] = cells

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(len(names)), names))
    table = results(mine, made["id"], set_id)
    assert [*table] == sorted(names, key=str.casefold)
    for name in names:
        assert table[name]["cells"] == expected[name], name
        assert table[name]["solved"] == sum(cell is not None and cell["solved"] for cell in expected[name])
    own = pupils[names[0]].get(f"/api/v1/sets/{set_id}")
    assert len(own["solved"]) == table[names[0]]["solved"] and not own["is_mine"]


def test_some_pupils_do_a_set_and_the_table_of_the_teacher_is_right(server: LocalServer) -> None:
    do_set(server, ["Zita Sá", "Ana Paz", "Rui Cruz"], quick_tasks(4))


@pytest.mark.long
def test_a_class_of_25_does_a_set_of_ten_tasks(server: LocalServer) -> None:
    tasks = quick_tasks(10)
    assert len(tasks) == 10
    do_set(server, [f"Aluno {number:02}" for number in range(1, 26)], tasks)


def test_a_lesson_of_ones_own_is_checked_with_file_and_line(server: LocalServer) -> None:
    mine = teacher(organiser(server), "Eva Sousa")

    def make(text: str) -> Json:
        told: Json = mine.web.post(
            "/api/v1/sets", json={"name": "Meu", "file": {"name": "aula.md", "text": text}}
        ).json()
        return told

    wrong = make(OWN.replace("answer: a1", "answer: a2").replace("answer: other", "answer: mover"))
    said = wrong["error"]["text"]["pt"].splitlines()
    assert len(said) == 2 and said[0].startswith("aula.md: linha 8: ") and "a1" in said[0]
    assert said[1].startswith("aula.md: linha 14: ")
    assert make(OWN.replace("goal: win in 1", "goal: win the cup"))["error"]["text"]["en"].startswith(
        "aula.md: line 7: "
    )
    assert refused(make("game: rastros\ntitle: Nada\nlanguage: pt\n\nTexto.\n")) == "lesson"
    made = make(OWN)
    assert made["tasks"] == 2

    here, there = school_class(mine), school_class(teacher(organiser(server), "Outra"), ["Outro Aluno"])
    ana, other, guest = (
        pupil(server.address, here["cards"][0]),
        pupil(server.address, there["cards"][0]),
        Person(server.address),
    )
    ref, path = f"set/{made['id']}/1", f"/api/v1/classes/{here['id']}/sets/{made['id']}"
    assert ana.web.get(f"/api/v1/tasks/{ref}").status_code == 404, "not given yet"
    assert mine.web.put(path, json={}).status_code == 200
    assert ana.get("/api/v1/sets")["given"][0]["name"] == "Meu"
    assert attempt(ana, ref, made["id"], "move a1")["solved"]
    for nobody in (other, guest):
        assert nobody.web.get(f"/api/v1/tasks/{ref}").status_code == 404
        assert nobody.web.get(f"/api/v1/sets/{made['id']}").status_code in (401, 403)
    assert mine.get(f"/api/v1/tasks/{ref}")["game"] == "rastros"
    row = results(mine, here["id"], made["id"])["Ana Silva"]
    assert row["solved"] == 1 and row["cells"][1] is None


def test_a_set_is_made_of_lessons_single_tasks_and_puzzles(server: LocalServer) -> None:
    mine = teacher(organiser(server), "Ivo Gil")
    choices = mine.get("/api/v1/sets/choices/semaforo")
    lesson, other = choices["lessons"][0], choices["lessons"][1]["tasks"][0]["ref"]
    body = {
        "name": " Um  pouco de tudo ",
        "lessons": [{"game": "semaforo", "name": lesson["name"]}],
        "tasks": [lesson["tasks"][0]["ref"], other],
    }
    made = mine.post("/api/v1/sets", body)
    assert made["name"] == "Um pouco de tudo"
    tasks = [task["ref"] for task in mine.get(f"/api/v1/sets/{made['id']}")["tasks"]]
    assert tasks == [*(task["ref"] for task in lesson["tasks"]), other], "each task once"
    (one, *_) = mine.get("/api/v1/worksheets/konane?of=puzzles&high=1300&count=1")["tasks"]
    mixed = mine.post("/api/v1/sets", {"name": "Com problemas", "tasks": [other, one["ref"]]})
    assert [task["game"] for task in mine.get(f"/api/v1/sets/{mixed['id']}")["tasks"]] == ["semaforo", "konane"]
    for wrong in (
        {"name": "Nada"},
        {"name": "Falta", "tasks": ["puzzle/konane/0000"]},
        {"name": "Falta", "tasks": ["lesson/hex/99-nada/1"]},
        {"name": "Falta", "lessons": [{"game": "hex", "name": "99-nada"}]},
        {"name": " ", "tasks": tasks[:1]},
    ):
        assert mine.web.post("/api/v1/sets", json=wrong).status_code in (400, 404, 422), wrong


def test_after_the_last_day_nothing_counts_any_more(server: LocalServer) -> None:
    mine = teacher(organiser(server), "Rita Melo")
    made = school_class(mine)
    tasks = quick_tasks(1)
    (ref,) = tasks
    set_id = mine.post("/api/v1/sets", {"name": "TPC", "tasks": [ref]})["id"]
    path = f"/api/v1/classes/{made['id']}/sets/{set_id}"
    ana = pupil(server.address, made["cards"][0])
    body = {"acts": [right_act(tasks[ref])], "given": set_id}
    for day, status in ((date.today() - timedelta(1), 403), (date.today(), 200)):
        assert mine.web.put(path, json={"until": day.isoformat()}).status_code == 200
        assert ana.get("/api/v1/sets")["given"][0]["is_over"] is (status == 403)
        assert ana.web.post(f"/api/v1/tasks/{ref}/attempts", json=body).status_code == status
    assert mine.get(f"/api/v1/classes/{made['id']}/sets")[0]["done"] == pytest.approx(1 / 5)
    assert mine.web.delete(path).status_code == 200 and mine.web.get(path).status_code == 404
    assert ana.get("/api/v1/sets")["given"] == []


def test_what_is_exported_is_no_formula_and_goes_with_the_person(server: LocalServer) -> None:
    head = organiser(server)
    mine = teacher(head, "Olga Vaz")
    made = school_class(mine, ["=SOMA(A1) Silva", "Ana Paz"])
    tasks = quick_tasks(1)
    (ref,) = tasks
    set_id = mine.post("/api/v1/sets", {"name": "TPC", "tasks": [ref]})["id"]
    path = f"/api/v1/classes/{made['id']}/sets/{set_id}"
    mine.web.put(path, json={})
    pupils = [pupil(server.address, card) for card in made["cards"]]
    for each in pupils:
        attempt(each, ref, set_id, wrong_act(tasks[ref])[0], right_act(tasks[ref]))
    text = mine.web.get(f"{path}/export/csv").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text), delimiter=";"))
    assert rows[1][:6] == ["'=SOMA(A1) Silva", "1", "sim", "1", wrong_act(tasks[ref])[1], "0"]
    assert mine.web.get(f"{path}/export/xlsx").content.startswith(b"PK")
    (learnt, _) = mine.get(f"/api/v1/classes/{made['id']}/learning")
    assert learnt["tasks"] == 1 and [each["game"] for each in learnt["games"]] == [ref.split("/")[1]]
    ana = next(card["guest"] for card in made["cards"] if card["name"] == "Ana Paz")
    assert mine.get(f"/api/v1/people/{ana}/export")["tasks"][0]["given"] == set_id
    who = mine.get("/api/v1/person")["person"]["guest"]
    assert mine.get(f"/api/v1/people/{who}/export")["sets"][0]["name"] == "TPC"
    assert pupils[1].web.delete("/api/v1/me").status_code == 200
    assert len(results(mine, made["id"], set_id)) == 1
    assert mine.web.delete("/api/v1/me").status_code == 200
    assert head.web.get(path).status_code == 404 and head.get(f"/api/v1/classes/{made['id']}/sets") == []


def test_the_own_file_of_the_tests_is_a_lesson() -> None:
    assert len(read_lesson(OWN, "aula.md").tasks) == 2
