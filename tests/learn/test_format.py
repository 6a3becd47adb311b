"""Lessons: how their files are read, and what is said of a damaged one."""

from importlib.resources import files
from pathlib import Path

import pytest

from tabuleiro.core import Position
from tabuleiro.diagrams import Diagram, Region
from tabuleiro.games import GAMES, get
from tabuleiro.language import Text
from tabuleiro.learn import Lesson, LessonError, Task, lessons_of, load_lesson, read_lesson
from tabuleiro.learn.goals import read_goal
from tabuleiro.rulebook import BulletList, Heading, Paragraph

BOTH = """game: semaforo
options: board=3x3
title pt: Um título
title en: A title

pt: Uma linha
e outra.
en: One line.

pt:
- um
- dois
en:
- one
- two

```board
play: b2
regions: a1 b1 = 2 | c3
values: a2=½ c2=*
dominoes: a1-b1
live: safe
caption pt: Vê.
caption en: Look.
```

```task
position: 3/1GG/3 2
goal: win in 1
answer: a2
hint pt: Onde?
hint en: Where?
hint cells: a2 b2
hint pt: Aqui?
hint en: Here?
wrong a1 c1 pt: Não.
wrong a1 c1 en: No.
wrong pt: Também não.
wrong en: Not that either.
right pt: Sim!
right en: Yes!
then: play
```
"""


def test_a_lesson_in_both_languages() -> None:
    lesson = read_lesson(BOTH, "07-um-titulo.md")
    assert (lesson.id, lesson.number, lesson.title) == ("um-titulo", 7, Text("Um título", "A title"))
    assert lesson.language is None
    pt, en = lesson.blocks("pt"), lesson.blocks("en")
    assert pt[:2] == (Paragraph("Uma linha e outra."), BulletList(("um", "dois")))
    assert en[:2] == (Paragraph("One line."), BulletList(("one", "two")))
    board = pt[2]
    assert isinstance(board, Diagram) and isinstance(en[2], Diagram)
    assert (board.caption, en[2].caption) == ("Vê.", "Look.")
    assert board.position == en[2].position and len(board.position.geometry) == 9
    cell = board.position.geometry.index
    assert board.overlay.regions == (Region((cell["a1"], cell["b1"]), "2"), Region((cell["c3"],)))
    assert board.overlay.values == ((cell["a2"], "½"), (cell["c2"], "*"))
    assert board.overlay.dominoes == ((cell["a1"], cell["b1"]),)
    assert board.live == ("safe",)


def test_a_task() -> None:
    (task,) = read_lesson(BOTH).tasks
    position = task.node().position
    assert str(position) == "3/1GG/3 2"
    cell = position.geometry.index
    assert task.answer == {position.parse_move("a2")}
    assert (task.goal.kind, task.goal.number, task.then_play) == ("win", 1, True)
    assert task.ask.pt == "Ganha já, nesta jogada."
    assert [(hint.text and hint.text.en, hint.cells) for hint in task.hints] == [
        ("Where?", ()),
        (None, (cell["a2"], cell["b2"])),
        ("Here?", ()),
    ]
    assert {position.move_str(move): text.en for move, text in task.wrong.items()} == {"a1": "No.", "c1": "No."}
    assert task.otherwise == Text("Também não.", "Not that either.")
    assert task.right == Text("Sim!", "Yes!")
    assert (task.opened, task.answered) == (27, 30)


def test_both_languages_have_the_same_tasks() -> None:
    lesson = read_lesson(BOTH)
    assert lesson.blocks("pt")[3] is lesson.blocks("en")[3]


ONE = """game: rastros
language: pt
title: A minha ficha

Um texto.

## Uma parte

```task
position: 7/7/7/7/7/1O5/7 1
goal: win in 1
answer: a1
ask: Chega a casa.
```
"""


def test_a_teachers_file_may_be_in_one_language(tmp_path: Path) -> None:
    file = tmp_path / "ficha.md"
    file.write_text(ONE, encoding="utf-8")
    lesson = load_lesson(file)
    assert (lesson.language, lesson.id, lesson.number) == ("pt", "ficha", 0)
    assert lesson.blocks("en") == lesson.blocks("pt")
    assert lesson.pt[:2] == (Paragraph("Um texto."), Heading(2, "Uma parte"))
    assert lesson.tasks[0].ask == Text("Chega a casa.", "Chega a casa.")


def test_the_move_to_be_refuted_is_made_before_the_pupil_decides() -> None:
    text = "game: semaforo\ntitle pt: x\ntitle en: x\n\n```task\ngoal: refute b2\nanswer: b2\n```\n"
    (task,) = read_lesson(text).tasks
    assert task.diagram.position.turn == 1
    assert task.node().position.turn == task.pupil == 2
    assert task.line.moves == ("b2",)
    assert task.ask.en == "Your opponent plays b2. Show that it was a mistake."


@pytest.mark.parametrize(
    ("answer", "may_pass", "winner"),
    [
        ("mover", False, "mover"),
        ("white", False, "mover"),
        ("2", False, "other"),
        ("black", True, "2"),
        ("other", True, "other"),
    ],
)
def test_who_wins_is_said_by_side_or_by_turn(answer: str, may_pass: bool, winner: str) -> None:
    goal = "who wins with pass" if may_pass else "who wins"
    text = f"game: konane\ntitle pt: x\ntitle en: x\n\n```task\ngoal: {goal}\nanswer: {answer}\n```\n"
    assert read_lesson(text).tasks[0].winner == winner


# ------------------------------------------------------------------------------------------------------------- damage


def _damaged(replaced: str, by: str, text: str = BOTH) -> LessonError:
    assert replaced in text
    with pytest.raises(LessonError) as caught:
        read_lesson(text.replace(replaced, by, 1), "some/file.md")
    error = caught.value
    assert error.text.en.startswith(f"some/file.md: line {error.line}: ")
    assert error.text.pt.startswith(f"some/file.md: linha {error.line}: ")
    return error


@pytest.mark.parametrize(
    ("replaced", "by", "line", "word"),
    [
        ("game: semaforo", "game: xadrez", 1, "xadrez"),
        ("game: semaforo\n", "", 1, "game:"),
        ("board=3x3", "board=9x9", 2, "9x9"),
        ("title en: A title\n", "", 3, "title en"),
        ("title pt: Um título\ntitle en: A title\n", "", 1, "title"),
        ("title en: A title", "colour: red", 4, "colour"),
        ("en: One line.\n", "", 6, "English"),
        ("pt: Uma linha\ne outra.\n", "", 6, "Portuguese"),
        ("- two\n", "", 11, "different"),
        ("pt: Uma linha", "Uma linha", 6, "begin with pt:"),
        ("play: b2", "play: b9", 18, "b9"),
        ("regions: a1 b1", "regions: a1 z1", 19, "z1"),
        ("values: a2=", "values: z2=", 20, "z2"),
        ("dominoes: a1-b1", "dominoes: a1", 21, "no cell"),
        ("live: safe", "live: region", 22, "region"),
        ("caption en: Look.\n", "", 23, "caption en"),
        ("caption pt:", "caption:", 23, "caption pt"),
        ("```task", "```question", 27, "```task"),
        ("position: 3/1GG/3 2", "position: 3/1GX/3 2", 28, "X"),
        ("position: 3/1GG/3 2", "position: 3/GGG/3 2", 27, "over"),
        ("goal: win in 1\n", "", 27, "goal"),
        ("goal: win in 1", "goal: win in 0", 29, "from 1"),
        ("goal: win in 1", "goal: be happy", 29, "who wins"),
        ("goal: win in 1", "goal: connect", 29, "no such goal"),
        ("goal: win in 1", "goal: play level 11", 29, "1 to 10"),
        ("goal: win in 1", "goal: play", 30, "no answer"),
        ("goal: win in 1", "goal: copy the strategy", 30, "no answer"),
        ("goal: win in 1", "goal: refute z1", 29, "z1"),
        ("goal: win in 1", "goal: save", 42, "then: play"),
        ("answer: a2\n", "", 27, "answer"),
        ("answer: a2", "answer: a2 a2", 30, "twice"),
        ("answer: a2", "answer:", 30, "at least"),
        ("answer: a2", "answer: d9", 30, "d9"),
        ("answer: a2", "answer: a2\nstrategy: half turn", 31, "copy the strategy"),
        ("hint en: Where?\n", "", 31, "hint en"),
        ("hint cells: a2", "hint cells: q2", 33, "q2"),
        ("hint cells:", "hint moves:", 33, "hint moves"),
        ("wrong a1 c1 pt", "wrong a2 c1 pt", 36, "wrong a2 c1 en"),
        ("wrong a1 c1 en: No.\n", "", 36, "wrong a1 c1 en"),
        ("right pt: Sim!", "right pt:", 40, "says nothing"),
        ("then: play", "then: rest", 42, "then: play"),
        ("then: play", "then play", 42, "then play"),
        ("then: play", "then: play\nthen: play", 43, "then"),
        ("then: play\n```\n", "then: play\n", 27, "closed"),
    ],
)
def test_damage_is_told_by_file_and_line(replaced: str, by: str, line: int, word: str) -> None:
    error = _damaged(replaced, by)
    assert error.line == line, error
    assert word in error.text.en


def test_a_file_in_one_language_names_none_in_its_lines() -> None:
    assert _damaged("Um texto.", "pt: Um texto.", ONE).line == 5
    assert _damaged("ask: Chega", "ask pt: Chega", ONE).line == 13
    assert "in one language" in _damaged("language: pt", "language: pt\ntitle pt: x", ONE).text.en
    assert "pt or en" in _damaged("language: pt", "language: fr", ONE).text.en


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match=r"nothing\.md: the file cannot be read"):
        load_lesson(tmp_path / "nothing.md")
    (tmp_path / "bytes.md").write_bytes(b"game: \xff\xfe")
    with pytest.raises(LessonError, match="cannot be read"):
        load_lesson(tmp_path / "bytes.md")
    with pytest.raises(LessonError, match="line 1"):
        read_lesson("")


def test_goals_are_read_as_they_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in page.split("| goal |")[1].splitlines() if line.startswith("| `")]
    goals = [part.strip().strip("`") for row in rows for part in row.split(",")]
    assert len(goals) > 15
    for goal in goals:
        read_goal(goal.replace("N", "2").replace("MOVE", "b2"))


def test_the_example_of_the_documentation_is_a_lesson() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text("utf-8")
    lesson = read_lesson(page.split("````\n")[1], "example.md")
    assert lesson.tasks


# ------------------------------------------------------------------------------------------ the lessons of the package


def _packaged() -> list[Lesson]:
    return [lesson for game in GAMES.values() for lesson in lessons_of(game)]


def test_every_file_is_a_lesson_of_its_folder() -> None:
    folder = files("tabuleiro").joinpath("lessons")
    names = {(game.name, file.name) for game in folder.iterdir() for file in game.iterdir()}
    read = {(lesson.game.id, f"{lesson.number:02}-{lesson.id}.md") for lesson in _packaged()}
    assert names == read


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_lessons_are_numbered_and_named_apart(game: type[Position]) -> None:
    lessons = lessons_of(game)
    assert len({lesson.number for lesson in lessons}) == len({lesson.id for lesson in lessons}) == len(lessons)
    assert all(lesson.number > 0 and lesson.language is None and lesson.tasks for lesson in lessons)


def test_a_game_without_lessons_has_none() -> None:
    class Ninth(get("semaforo")):  # type: ignore[misc]
        id = "ninth"

    assert lessons_of(Ninth) == ()
    assert all(isinstance(task, Task) for lesson in _packaged() for task in lesson.tasks)
