"""`tabuleiro solve`: whatever is asked, the answer is a sentence; what is not known is never guessed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tabuleiro.cli import app
from tabuleiro.solve.rastros_proof import Verified
from tabuleiro.solve.registry import PROOFS


def solve(*arguments: str) -> Result:
    result = CliRunner().invoke(app, ["--lang", "en", "solve", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([], "GAME is missing"),
        (["nosuch"], "no game “nosuch”"),
        (["konane", "more"], "too many arguments"),
        (["konane", "--nosuch"], "no option “--nosuch”"),
        (["konane", "--position", ""], "a position has 2 parts"),
        (["konane", "--position", "nonsense w"], "tabuleiro:"),
        (["konane", "--position", "w" * 100_000], "too long"),
        (["konane", "--position", "8/8/8/8/8/8/8/8 w"], "the game is over"),
        (["semaforo", "--position", "RRR1/4/4 1"], "the game is over"),
        (["ouri", "--position", "0,0,0,0,0,0/1,0,0,0,0,0 48-0 S"], "49 seeds"),
        (["hex", "--play", "a1 a1"], "move 2: the move “a1” is not legal: the cell a1 is taken"),
        (["konane", "--play", "zz"], "move 1: “zz” is not a move"),
        (["ouri", "--option", "nope=1"], "no option “nope”"),
        (["ouri", "--option", "rules"], "name=value"),
        (["konane", "--option", "size=99"], "does not take “99”"),
        *((["konane", "--time", seconds], "--time") for seconds in ("0", "-1", "abc", "nan", "inf", "")),
        *(
            (["konane", "--resume", "x", "--memory", memory], "not a memory")
            for memory in ("rubbish", "", "0", "-5G", "12X", "1", "1e9")
        ),
        (["konane", "--resume", "x", "--memory", "99999999G"], "ask for less"),
        (["rastros", "--resume", "x", "--memory", "99999999G"], "ask for less"),
        (["konane", "--resume", ""], "not the name of a file"),
        (["konane", "--resume", "/nowhere/x"], "cannot be written"),
        (["rastros", "--resume", "/nowhere/x"], "cannot be written"),
        *((["konane", "--resume", name], "is not a file") for name in ("/", ".", "..", "/dev/null")),
        (["konane", "--resume", "x" * 1000], "cannot be read"),
        (["konane", "--resume", "x", "--time", "5"], "do not go together"),
        (["hex", "--resume", "x"], "no long run"),
        (["verify"], "name the game"),
        (["verify", "nosuch"], "no game “nosuch”"),
        (["verify", "hex"], "no proof of hex"),
    ],
)
def test_what_is_asked_wrongly(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = solve(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr and result.stderr.startswith("tabuleiro: ") and result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_checked_proof_counts_its_positions_and_the_answers_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are different numbers, and pages name both."""
    monkeypatch.setitem(PROOFS, "rastros", lambda _: Verified(steps=1234, answers=56_789, by_theorem=10))
    assert "1,234 positions and 56,789 answers" in solve("verify", "rastros").stdout
    told = json.loads(solve("verify", "rastros", "--json").stdout)
    assert told == {"game": "rastros", "positions": 1234, "answers": 56_789, "verified": True}


@pytest.mark.parametrize("game", ["konane", "rastros"])
def test_a_file_of_work_that_cannot_be_used(game: str, tmp_path: Path) -> None:
    tmp_path.joinpath("damaged").write_text("something else")
    tmp_path.joinpath("empty").touch()
    for name, said in (("damaged", "is damaged"), ("empty", "is damaged"), ("", "is not a file")):
        result = solve(game, "--resume", str(tmp_path / name), "--memory", "16M")
        assert result.exit_code == 2 and result.stdout == ""
        assert said in result.stderr and result.stderr.count("\n") == 1
    assert tmp_path.joinpath("damaged").read_text() == "something else"


@pytest.mark.parametrize(
    "arguments", [["avanco"], ["rastros", "--option", "size=8"], ["ouri"], ["konane"], ["guerreiros"], ["abalone"]]
)
def test_a_limit_leaves_the_answer_open(arguments: list[str]) -> None:
    result = solve(*arguments, "--time", "0.05", "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert found["exact"] is False and found["value"] is None and found["distance"] is None
    # In words too.
    assert "not known" in solve(*arguments, "--time", "0.001").stdout


def test_an_answer() -> None:
    result = solve("konane", "--option", "size=4", "--json")
    assert result.exit_code == 0 and json.loads(result.stdout)["exact"] is True
