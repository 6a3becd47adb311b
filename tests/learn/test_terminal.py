"""`tabuleiro learn` and `tabuleiro lessons verify`."""

import io
from dataclasses import replace
from pathlib import Path

import pytest

from tabuleiro import puzzles
from tabuleiro.cli import main
from tabuleiro.learn.puzzles import store


def run(
    arguments: str, typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["tabuleiro", *arguments.split()])
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    with pytest.raises(SystemExit) as left:
        main()
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


def test_a_whole_lesson_by_typed_moves(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed = "a1\nhint\nd2\nz9\nboard\na1\na3 b1\na3 c1 d1\nb1\nc3\nskip\n"
    code, out, _ = run("learn semaforo tres-em-linha --plain --lang en", typed, monkeypatch, capsys)
    assert code == 0
    wanted = [
        "Semáforo: Three in a row",
        "Task 1 of 4",
        "Green: b2, c2",
        "Complete the three green pieces.",
        "> a1\nThat makes no row of three",
        "What would follow: a2",
        "> hint\nThe two green pieces",
        "> d2\nThree green in a row: you win!",
        "> z9\n",
        "this board has no cell z9",
        "Task 3 of 4",
        "Not yet: these do not belong: b1; still missing: 2.",
        "One row of each colour.",
        "> c3\nGood! Go on.\nYour opponent plays",
        "Lesson finished!",
    ]
    place = 0
    for words in wanted:
        assert words in out[place:], words
        place = out.index(words, place)


def test_dominoes_are_told_in_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run("learn rastros 5 --plain --lang pt", "saltar\n1\n2\nsair\n", monkeypatch, capsys)
    assert "Dominós: " in out and "c4-d4" in out
    assert "  1  O jogador 1 (quem joga agora)\n  2  O jogador 2 (quem espera)\n> 1\nNão é essa." in out
    assert "As oito casas à volta" in out and out.endswith("Até à próxima!\n")


def test_the_list_of_lessons(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run("learn rastros --lang en", "", monkeypatch, capsys)
    assert " 5  dominos                  Dominoes\n" in out
    code, _, err = run("learn rastros 99 --lang en", "", monkeypatch, capsys)
    assert code == 1 and "no lesson “99”" in err


def test_a_wrong_and_an_incomplete_answer_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    position = "position: 7/1##4/##1##2/2##3/3#3/2O#3/3#3 1"
    tasks = [f"```task\n{position}\ngoal: win\nanswer: {answer}\n```\n" for answer in ("c1", "c1 b3 c3 b1", "c1 b3 c3")]
    file = tmp_path / "mine.md"
    file.write_text("game: rastros\nlanguage: en\ntitle: Mine\n\n" + "\n".join(tasks), encoding="utf-8")
    damaged = tmp_path / "damaged.md"
    damaged.write_text("game: rastros\n", encoding="utf-8")
    code, out, err = run(f"lessons verify {file} {damaged} --lang en", "", monkeypatch, capsys)
    assert code == 1
    assert f"{file}: line 8: the answer is not complete, more moves reach the goal: b3, c3" in err
    assert f"{file}: line 14: wrong answer, does not reach the goal: b1 (right: c1, b3, c3)" in err
    assert f"{damaged}: line 1: there is no title" in err
    assert "«Mine»: 3 tasks" in out and "1 lesson, 3 tasks, 3 refused" in out
    code, out, _ = run("lessons verify semaforo --lang pt", "", monkeypatch, capsys)
    assert code == 0 and "certa" in out and "0 recusadas" in out


def test_puzzles_in_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = next(puzzle for puzzle in puzzles.puzzles_of("semaforo") if puzzle.goal == "win")
    command = f"puzzle semaforo {chosen.number} --plain --lang en"
    code, out, _ = run(command, f"hint\n{chosen.answer}\n", monkeypatch, capsys)
    assert code == 0
    assert f"Semáforo, puzzle {chosen.number}\n" in out
    assert "Find the move that wins." in out and "Right!" in out
    assert f"Rating {chosen.rating}. Themes:" in out
    code, out, _ = run("puzzle --plain --lang pt", "saltar\nsair\n", monkeypatch, capsys)
    assert code == 0
    assert out.count(", problema ") == 2 and out.endswith("Até à próxima!\n")


def test_mining_and_verifying_puzzles(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "found.xz"
    mine = f"puzzles mine semaforo --count 3 --seed 4 --into {file} --lang en"
    code, out, _ = run(mine, "", monkeypatch, capsys)
    assert code == 0 and "Semáforo: 3 new of " in out and " a minute, " in out
    code, out, _ = run(mine.replace("--count 3", "--count 5"), "", monkeypatch, capsys)
    assert code == 0 and "Semáforo: 2 new of " in out and f"{file}: 5, " in out
    code, out, _ = run(f"puzzles verify semaforo --file {file} --positions 500 --lang en", "", monkeypatch, capsys)
    assert code == 0 and "Semáforo: 5 puzzles, " in out and out.endswith(": 0 wrong\n")
    first, *others = store.load("semaforo", file)
    store.save(file, [replace(first, goal="who wins", answer="other"), *others])
    code, out, err = run(f"puzzles verify semaforo --file {file} --positions 500 --lang en", "", monkeypatch, capsys)
    assert code == 1 and "puzzle/semaforo/0001: " in err and out.endswith(": 1 wrong\n")
    code, out, _ = run("puzzles grade semaforo --sample 3 --tries 2 --lang en", "", monkeypatch, capsys)
    assert code == 0 and "Semáforo: 3 puzzles, the even levels failed " in out
