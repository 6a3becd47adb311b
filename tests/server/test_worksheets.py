"""Worksheets: tasks that can be done with a pencil, each with its right answer."""

import pytest

from server.people import Person
from tabuleiro.games import GAMES, get
from tabuleiro.learn.judge import right_moves
from tabuleiro.server.learning.puzzles import number_of
from tabuleiro.server.teaching import schemas
from tabuleiro.server.teaching.worksheets import answer, chosen, lessons_for_paper


def test_a_sheet_has_so_many_tasks_of_the_lessons_asked_for(ana: Person) -> None:
    sheet = ana.get("/api/v1/worksheets/rastros?lessons=05-dominos&lessons=01-chega-a-casa&count=4&seed=3")
    assert len(sheet["lessons"]) == 10 and len(sheet["tasks"]) == 4
    assert {task["ref"].split("/")[2] for task in sheet["tasks"]} <= {"05-dominos", "01-chega-a-casa"}
    assert sheet["link"].endswith("/aprender/rastros") and sheet["qr"].startswith("data:image/svg+xml")
    again = ana.get("/api/v1/worksheets/rastros?lessons=05-dominos&lessons=01-chega-a-casa&count=4&seed=3")
    assert again["tasks"] == sheet["tasks"], "the same choice prints the same sheet"
    one = ana.get("/api/v1/worksheets/rastros?lessons=05-dominos")
    assert one["link"].endswith("/aprender/rastros/05-dominos")
    dominoes = {task["ref"]: task for task in one["tasks"]}
    assert dominoes["lesson/rastros/05-dominos/2"]["asks"] == "winner"
    assert dominoes["lesson/rastros/05-dominos/2"]["answer"]["pt"] == "O jogador 2 (quem espera)"
    assert dominoes["lesson/rastros/05-dominos/4"]["answer"] == {"pt": "d3, d4", "en": "d3, d4"}
    assert "lesson/rastros/05-dominos/1" not in dominoes, "a game that must be played is not for paper"
    assert "**" not in str([task["ask"] for task in one["tasks"]])


def test_a_sheet_of_puzzles_keeps_to_theme_and_range(ana: Person) -> None:
    sheet = ana.get("/api/v1/worksheets/rastros?of=puzzles&theme=tempo&low=1000&high=1400&count=6&seed=2")
    schemas.Worksheet.model_validate(sheet)
    found = [number_of(task["ref"]) for task in sheet["tasks"]]
    assert len(found) == 6 and len(sheet["lessons"]) == 10
    assert all(puzzle is not None and "tempo" in puzzle.themes and 1000 <= puzzle.rating <= 1400 for puzzle in found)
    ratings = [puzzle.rating for puzzle in found if puzzle is not None]
    assert ratings == sorted(ratings), "the easiest first"
    assert sheet["puzzles"]["found"] >= 6 and sheet["link"].endswith("/problemas/rastros")
    first = found[0]
    assert first is not None and sheet["tasks"][0]["answer"]["en"] == first.answer.replace(" ", " or ")
    assert sheet["tasks"][0]["source"]["pt"] == f"Problema {first.number}, dificuldade {first.rating}"
    others = ana.get("/api/v1/worksheets/rastros?of=puzzles&theme=tempo&low=1000&high=1400&count=6&seed=3")
    assert [task["ref"] for task in others["tasks"]] != [task["ref"] for task in sheet["tasks"]]
    who_wins = ana.get("/api/v1/worksheets/rastros?of=puzzles&theme=who+wins")["tasks"]
    assert {task["asks"] for task in who_wins} == {"winner"}
    nothing = ana.get("/api/v1/worksheets/rastros?of=puzzles&theme=dance")
    assert nothing["tasks"] == [] and nothing["puzzles"]["found"] == 0


@pytest.mark.parametrize(
    "query", ["rastros?lessons=99-nada", "xadrez", "rastros?count=25", "rastros?count=0", "rastros?of=songs"]
)
def test_what_there_is_not_is_refused(ana: Person, query: str) -> None:
    assert ana.web.get(f"/api/v1/worksheets/{query}").status_code in (400, 422)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_enough_tasks_for_paper(game: str) -> None:
    tasks = [task for _, some in lessons_for_paper(get(game)) for task in some]
    assert len(tasks) >= 12 and len({task.ref for task in tasks}) == len(tasks)
    assert all(answer(task.task).pt and answer(task.task).en for task in tasks)
    assert [len(chosen(tasks, count, seed)) for count, seed in ((6, 0), (12, 1))] == [6, 12]
    every = [(task.task.line, task.task.goal) for task in chosen(tasks, 1000, 2)]
    assert len(every) == len(set(every)), "nothing is asked twice"


def test_a_solution_is_what_the_solver_says() -> None:
    for _, tasks in lessons_for_paper(get("semaforo")):
        for each in tasks[:1]:
            if each.task.goal.kind != "who wins":
                right = right_moves(each.task.goal, each.task.node())
                position = each.task.node().position
                assert {move for move, reaches in right.items() if reaches} == each.task.answer, each.ref
                assert all(position.move_str(move) in answer(each.task).en for move in each.task.answer)
