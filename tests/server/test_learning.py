"""Tasks and lessons on the site: what comes of an act, what is kept, and what is refused."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from server.people import Json, LocalServer, Person, ProcessServer
from server.school import first_organiser, organiser, pupil, school_class, teacher
from tabuleiro import get
from tabuleiro.learn import lessons_of
from tabuleiro.record import Line
from tabuleiro.server.championships.embargo import EMBARGO
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.learning import schemas
from tabuleiro.server.learning.room import Asker, TaskRoom
from tabuleiro.server.schemas import Overlay

FIRST = "lesson/semaforo/01-tres-em-linha/1"


def attempt(person: Person, ref: str, *acts: str, **more: Any) -> Json:
    told: Json = person.post(f"/api/v1/tasks/{ref}/attempts", {"acts": [*acts], **more})
    schemas.TaskAnswer.model_validate(told)
    return told


def refused(person: Person, ref: str, *acts: str, **more: Any) -> tuple[int, str]:
    answer = person.web.post(f"/api/v1/tasks/{ref}/attempts", json={"acts": [*acts], **more})
    return answer.status_code, answer.json()["error"]["code"]


def plain(rich: Json) -> str:
    return "".join(span["text"] for span in rich["pt"])


def progress(person: Person, game: str = "semaforo") -> Json:
    told = person.get("/api/v1/lessons")
    for line in told:
        schemas.GameLessons.model_validate(line)
    found: Json = next(line for line in told if line["game"] == game)
    return found


def solve(person: Person, ref: str, **more: Any) -> Json:
    """Do a task as its last step of help says."""
    acts: list[str] = []
    told: Json = person.get(f"/api/v1/tasks/{ref}")
    while not told["solved"]:
        for _ in range(told["steps"] + 1):
            acts.append("hint")
            told = attempt(person, ref, *acts, **more)
            if told["hint"]["moves"] or (told["way"] == "say" and told["hints"] >= told["steps"]):
                break
        moves = told["hint"]["moves"]
        if told["way"] == "mark":
            acts.append(" ".join(["mark", *moves]))
        elif told["way"] == "say":
            name = plain(told["hint"]["text"])
            acts.append("say " + next(each["value"] for each in told["choices"] if each["name"]["pt"] == name))
        else:
            acts.append(f"move {moves[0]}")
        told = attempt(person, ref, *acts, **more)
        assert told["verdict"]["kind"] in ("right", "solved"), (ref, told["verdict"])
    return told


def test_a_wrong_move_is_taken_back_with_its_refutation(ana: Person) -> None:
    begun = ana.get(f"/api/v1/tasks/{FIRST}")
    schemas.TaskAnswer.model_validate(begun)
    assert (begun["way"], begun["solved"], begun["verdict"]) == ("move", False, None)
    told = attempt(ana, FIRST, "move a1")
    assert (told["verdict"]["kind"], told["mistakes"], told["solved"]) == ("wrong", 1, False)
    assert [shown["move"] for shown in told["verdict"]["shown"]] == ["a1", "a2"]
    assert told["verdict"]["shown"][1]["view"]["outcome"]["winner"] != told["pupil"]
    assert told["view"]["position"] == begun["view"]["position"] and told["view"]["moves"]
    told = attempt(ana, FIRST, "move a1", "move d2")
    assert (told["verdict"]["kind"], told["solved"], told["mistakes"]) == ("solved", True, 1)
    assert told["view"]["last"]["text"] == "d2"


def test_hints_come_in_steps_and_the_last_is_the_answer(ana: Person) -> None:
    steps = ana.get(f"/api/v1/tasks/{FIRST}")["steps"]
    told = [attempt(ana, FIRST, *["hint"] * count) for count in range(1, steps + 1)]
    assert [each["hints"] for each in told] == [*range(1, steps + 1)]
    assert not told[0]["hint"]["moves"] and told[-1]["hint"]["moves"] == ["a2", "d2"]


@pytest.mark.parametrize("game", ["semaforo", "konane"])
def test_a_lesson_is_done_task_by_task(rui: Person, game: str) -> None:
    lesson = lessons_of(get(game))[0]
    name = f"01-{lesson.id}"
    page = rui.get(f"/api/v1/lessons/{game}/{name}/pt")
    schemas.LessonPage.model_validate(page)
    refs = [block["ref"] for block in page["blocks"] if block["type"] == "task"]
    assert len(refs) == len(lesson.tasks) and page["solved"] == []
    for number, ref in enumerate(refs, start=1):
        solve(rui, ref)
        assert progress(rui, game)["lessons"][0]["solved"] == number
    assert rui.get(f"/api/v1/lessons/{game}/{name}/en")["solved"] == sorted(refs)
    assert rui.get(f"/api/v1/lessons/{game}/1/en") == rui.get(f"/api/v1/lessons/{game}/{name}/en")
    assert (progress(rui, game)["done"], progress(rui, game)["rank"]["pt"]) == (1, "Principiante")


def test_what_was_done_counts_and_what_was_wrong_stays(server: LocalServer, ana: Person) -> None:
    def row() -> Json:
        found = ana.get(f"/api/v1/people/{number}/export")["tasks"]
        assert len(found) == 1
        return dict(found[0])

    head = teacher(organiser(server))
    card = school_class(head, ["Ana Silva"])["cards"][0]
    ana = pupil(server.address, card)
    number = ana.get("/api/v1/person")["person"]["guest"]
    attempt(ana, FIRST, "move a1", "hint")
    assert (row()["solved"], row()["mistakes"], row()["wrong"], row()["hints"]) == (False, 1, "a1", 1)
    attempt(ana, FIRST, "move d2")
    done = row()
    assert (done["solved"], done["mistakes"], done["wrong"], done["hints"]) == (True, 1, "a1", 1)
    attempt(ana, FIRST, "move b1", "move c1")
    assert row() == done, "what is done is done"
    # On another device, by the same card.
    assert progress(pupil(server.address, card))["lessons"][0]["solved"] == 1
    assert progress(Person(server.address))["lessons"][0]["solved"] == 0


def test_who_only_looks_or_plays_in_a_frame_leaves_nothing(ana: Person) -> None:
    ana.get(f"/api/v1/tasks/{FIRST}")
    assert attempt(ana, FIRST, "move d2", keep=False)["solved"]
    assert not ana.web.cookies and progress(ana)["lessons"][0]["solved"] == 0


def test_a_guest_takes_what_was_done_along_to_the_card(server: LocalServer) -> None:
    card = school_class(teacher(organiser(server)), ["Ana Silva"])["cards"][0]
    browser = Person(server.address)
    attempt(browser, FIRST, "move d2")
    token = card["link"].partition("#c.")[2]
    told = browser.post("/api/v1/person/sign-in", {"door": {"by": "card", "token": token}})
    assert told["to_keep"] == 1 and progress(browser)["lessons"][0]["solved"] == 0
    assert browser.post("/api/v1/person/keep")["to_keep"] == 0
    assert progress(browser)["lessons"][0]["solved"] == 1
    assert progress(pupil(server.address, card))["lessons"][0]["solved"] == 1


def test_what_was_tried_is_erased_with_the_person_and_with_the_guest(server: LocalServer) -> None:
    from tabuleiro.server.tables import tries

    def kept() -> int:
        return server.do(server.hub.store.read(lambda connection: len(connection.execute(tries.select()).all())))

    before = kept()
    card = school_class(teacher(organiser(server)), ["Ana Silva"])["cards"][0]
    people = [pupil(server.address, card), Person(server.address)]
    for person in people:
        attempt(person, FIRST, "move d2")
    assert kept() == before + 2
    for person in people:
        assert person.web.delete("/api/v1/me").status_code == 200
    assert kept() == before


@pytest.mark.parametrize(
    ("ref", "acts", "more", "status", "code"),
    [
        (FIRST, ["move z9"], {}, 400, "invalid_move"),
        ("lesson/rastros/01-chega-a-casa/1", ["move g7"], {}, 400, "illegal_move"),
        (FIRST, ["mark d2"], {}, 400, "attempt"),
        (FIRST, ["dance"], {}, 400, "attempt"),
        (FIRST, [""], {}, 400, "attempt"),
        (FIRST, ["move d2", "move d2"], {}, 400, "attempt"),
        (FIRST, ["hint"] * 401, {}, 422, "invalid_request"),
        (FIRST, ["hint"], {"seed": -1}, 422, "invalid_request"),
        (FIRST, ["hint"], {"given": "abc"}, 403, "not_given"),
        (FIRST + "0", ["hint"], {}, 404, "no_such_task"),
        ("lesson/semaforo/01-tres-em-linha/0", ["hint"], {}, 404, "no_such_task"),
        ("lesson/semaforo/01-tres-em-linha", ["hint"], {}, 404, "no_such_task"),
        ("lesson/xadrez/01-tres-em-linha/1", ["hint"], {}, 404, "no_such_task"),
        ("song/1", ["hint"], {}, 404, "no_such_task"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(
    ana: Person, ref: str, acts: list[str], more: Json, status: int, code: str
) -> None:
    assert refused(ana, ref, *acts, **more) == (status, code)


def test_what_is_drawn_anew_comes_with_every_move(ana: Person) -> None:
    board = {"game": "rastros", "position": "######1/##1#1##/###1###/###O2#/###1###/#######/1###### 1"}
    told = ana.post("/api/v1/live", {**board, "live": ["region", "dominoes"]})
    Overlay.model_validate(told)
    assert told["regions"][0]["label"] == str(len(told["regions"][0]["cells"])) and told["dominoes"]
    after = ana.post("/api/v1/live", {**board, "moves": ["d3"], "live": ["region"]})
    assert len(after["regions"][0]["cells"]) < len(told["regions"][0]["cells"])
    for wrong in (["song"], ["values", "dance"], []):
        assert ana.web.post("/api/v1/live", json={**board, "live": wrong}).status_code in (400, 422)
    assert ana.web.post("/api/v1/live", json={"game": "ouri", "live": ["region"]}).status_code == 400


def test_what_was_answered_survives_kill_9(tmp_path: Path) -> None:
    with ProcessServer("--data", str(tmp_path)) as running:
        ana = Person(running.address)
        assert attempt(ana, FIRST, "move d2")["solved"]
        mine = first_organiser(tmp_path, running.address)
        vote = mine.post(f"/api/v1/classes/{school_class(mine)['id']}/votes")
        path = f"/api/v1/votes/{vote['id']}"
        mine.post(f"{path}/questions", {"game": "semaforo", "position": "GRGY/R2R/R2Y 1"})
        ana.post("/api/v1/votes/join", {"code": vote["code"]})
        ana.post(f"{path}/votes", {"number": 1, "choice": "c3"})
        running.process.kill()
        running.process.wait()
    with ProcessServer("--data", str(tmp_path), port=running.port):
        assert progress(ana)["lessons"][0]["solved"] == 1
        assert ana.get(path)["mine"] == "c3"
        assert [(bar["choice"], bar["votes"]) for bar in mine.get(path)["tally"]["bars"]] == [("c3", 1)]


def test_nothing_is_said_where_a_championship_game_stands() -> None:
    asked: list[Line] = []

    async def refuse(line: Line) -> None:
        asked.append(line)
        raise RefusedError(*EMBARGO)

    task = lessons_of(get("semaforo"))[0].tasks[0]
    for acts in ([], ["hint"], ["move d2"]):
        with pytest.raises(RefusedError, match="championship"):
            asyncio.run(TaskRoom(1).attempt(Asker("here", None), FIRST, task, 0, acts, refuse))
    assert [line.moves for line in asked] == [(), (), ("d2",)], "the move is looked at before it is judged"
