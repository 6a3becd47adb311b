"""No answer of a lesson is believed: right ones are proven, wrong, incomplete and undecided ones refused with their
line. The lessons of the package are all proven here."""

from pathlib import Path

import pytest

from tabuleiro.games import GAMES
from tabuleiro.learn import LessonError, lesson_files, load_lesson, read_lesson, verify_lesson


def _verified(game: str, task: str, options: str = "") -> LessonError | None:
    head = f"game: {game}\nlanguage: en\ntitle: x\noptions: {options}\n\n```task\n"
    lesson = read_lesson(head + task.replace(" | ", "\n") + "\n```\n", "task.md")
    ((_, error),) = verify_lesson(lesson)
    return error


SEMAFORO = "position: GRGY/R2R/R2Y 1"
LOST = "position: Y1YR/RRGG/Y1GY 1"
RASTROS = "position: 7/1##4/##1##2/2##3/3#3/2O#3/3#3 1"
OURI = "position: 2,2,0,2,0,3/1,0,2,1,1,2 16-16 S"
ENDING = "position: 1,1,1,1,0,1/0,0,0,1,0,0 21-21 S"
SACRIFICE = "position: bb1b3/1bbb1b1/2b2b1/2bw1w1/b1w2ww/ww1ww2/w2w3 b"
EDGE = "position: wwbwww/wwbwww/wwb3/5w/5w/w5 b -"
KING = "position: 9/8w/3K5/9/9/9/7W1/k1W6/4w4/9 N - -"
MARBLES = "position: 5/1w2w1/4ww1/3ww1w1/2bbwww2/3bbb2/1bbwbw1/1b1bw1/3b1 b 0-0"
STAR = "position: 8/2wb4/8/8/8/8/8/8 w"


@pytest.mark.parametrize(
    ("game", "options", "task"),
    [
        ("semaforo", "", f"{SEMAFORO} | goal: win | answer: c3"),
        ("semaforo", "", f"{SEMAFORO} | goal: win in 3 | answer: c3"),
        ("semaforo", "", f"{LOST} | goal: mark safe | answer: b1 d1 d2"),
        ("semaforo", "", f"{LOST} | goal: save for 1 | answer: b1 d1 d2"),
        ("semaforo", "", f"{LOST} | goal: mark winning | answer:"),
        ("semaforo", "", f"{LOST} | goal: who wins | answer: other"),
        ("semaforo", "", "position: GR2/YGR1/Y2Y 1 | goal: mark immediate | answer: a3 c1 d1"),
        ("semaforo", "", f"{SEMAFORO} | goal: refute b1 | answer: b1"),
        ("semaforo", "board=3x3", "play: b2 | goal: copy the strategy | strategy: half turn"),
        ("semaforo", "board=3x3", "goal: play"),
        ("semaforo", "board=3x3", "goal: play level 1"),
        ("rastros", "", f"{RASTROS} | goal: mark losing | answer: b1 b2"),
        ("rastros", "", f"{RASTROS} | goal: mark legal | answer: b1 b2 b3 c1 c3"),
        ("konane", "", f"{STAR} | goal: who wins with pass | answer: mover"),
        ("konane", "", "position: 8/wb6/8/8/8/8/8/8 w | goal: who wins with pass | answer: white"),
        ("ouri", "", f"{OURI} | goal: save | answer: a b"),
        ("ouri", "", f"{OURI} | goal: capture 3 | answer: f"),
        ("ouri", "", f"{ENDING} | goal: most seeds | answer: d"),
        ("avanco", "", f"{SACRIFICE} | goal: win in 3 | answer: c4-b3"),
        ("avanco", "", "position: 7/7/2b4/1w5/7/7/7 w | goal: mark captures | answer: b4xc5"),
        ("hex", "size=6", f"{EDGE} | goal: connect | answer: d4"),
        ("guerreiros", "", f"{KING} | goal: win | answer: a3-a2"),
        ("abalone", "", f"{MARBLES} | goal: eject in 2 | answer: D5C5"),
        ("abalone", "ejections=1", f"{MARBLES} | goal: win in 2 | answer: D5C5"),
    ],
)
def test_a_right_answer_of_every_goal(game: str, options: str, task: str) -> None:
    assert _verified(game, task, options) is None


@pytest.mark.parametrize(
    ("game", "options", "task", "line", "words"),
    [
        ("semaforo", "", f"{SEMAFORO} | goal: win | answer: b1", 9, "wrong answer, does not reach the goal: b1"),
        ("semaforo", "", f"{SEMAFORO} | goal: win in 4 | answer: c3", 9, "it can be done in 3"),
        ("semaforo", "", f"{SEMAFORO} | goal: win in 2 | answer: c3", 9, "wrong answer"),
        ("semaforo", "", f"{LOST} | goal: mark safe | answer: b1 d1", 9, "more moves reach the goal: d2"),
        ("semaforo", "", f"{LOST} | goal: mark safe | answer: b1 d1 d2 b3", 9, "b3 (right: b1, d1, d2)"),
        ("semaforo", "", f"{LOST} | goal: save | answer: b1", 9, "(right: -)"),
        ("semaforo", "", f"{LOST} | goal: play", 8, "cannot win"),
        ("semaforo", "", "goal: copy the strategy | strategy: half turn", 7, "copying does not always win: a1 d3"),
        ("semaforo", "board=3x3", "goal: save for 1 | answer: b2", 8, "more moves"),
        ("rastros", "", f"{RASTROS} | goal: win | answer: c1", 9, "more moves reach the goal: b3, c3"),
        ("rastros", "", f"{RASTROS} | goal: who wins | answer: other", 9, "the right one is mover"),
        ("konane", "", f"{STAR} | goal: who wins with pass | answer: white", 9, "the right one is mover"),
        ("ouri", "", f"{OURI} | goal: save | answer: b", 9, "more moves reach the goal: a"),
        ("ouri", "", f"{OURI} | goal: most seeds | answer: b", 9, "tables of endings"),
        ("hex", "size=6", f"{EDGE} | goal: connect | answer: e3", 9, "(right: d4)"),
        ("guerreiros", "", f"{KING} | goal: mark losing | answer: a3-b2", 9, "more moves"),
        ("abalone", "", f"{MARBLES} | goal: eject in 2 | answer: B2B3", 9, "(right: D5C5)"),
    ],
)
def test_a_wrong_or_incomplete_answer_is_refused(game: str, options: str, task: str, line: int, words: str) -> None:
    error = _verified(game, task, options)
    assert error is not None and error.line == line
    assert error.text.en.startswith(f"task.md: line {line}: ") and words in error.text.en


def test_nothing_to_save() -> None:
    task = "position: 3/3/3 1 | goal: save | answer: a1 b1 c1 a2 b2 c2 a3 b3 c3"
    error = _verified("semaforo", task, "board=3x3")
    assert error is not None and "nothing to save" in error.text.en


def test_what_cannot_be_decided_is_refused_and_says_so() -> None:
    lesson = read_lesson(
        f"game: avanco\nlanguage: en\ntitle: x\n\n```task\n{SACRIFICE}\ngoal: win\nanswer: c4-b3\n```\n", "task.md"
    )
    ((_, error),) = verify_lesson(lesson, positions=20_000)
    assert error is not None and error.line == 8
    assert "could not be decided by looking at 10,000 positions" in error.text.en
    assert "não foi possível decidir vendo 10\N{NO-BREAK SPACE}000 posições" in error.text.pt


@pytest.mark.parametrize("file", [file for game in GAMES.values() for file in lesson_files(game)], ids=lambda f: f.stem)
def test_the_lessons_of_the_package_are_proven(file: Path) -> None:
    assert [error for _, error in verify_lesson(load_lesson(file)) if error is not None] == []
