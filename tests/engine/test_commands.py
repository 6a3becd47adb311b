"""The commands analyse, match, rate, and the signature of the search."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tabuleiro.games import GAMES
from tabuleiro.record import read_games

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tabuleiro", *arguments], capture_output=True, text=True, cwd=ROOT, timeout=60
    )


def test_analysis_in_json() -> None:
    done = run("analyse", "rastros", "--position", "7/1##4/##1##2/2##3/3#3/2O#3/3#3 1", "--json")
    found = json.loads(done.stdout)
    assert found["exact"] is True
    assert found["lines"][0] == {
        "score": "#3", "worth": "win", "plies": 3, "points": 0, "chance": 1.0, "prior": None,
        "moves": found["lines"][0]["moves"],
    }  # fmt: skip
    assert found["lines"][0]["moves"][0] == "c1"


def test_analysis_in_words() -> None:
    asked = ("analyse", "ouri", "--play", "c D", "--depth", "5", "--lines", "2")
    done = run(*asked, "--lang", "pt")
    assert done.returncode == 0
    assert "profundidade 5" in done.stdout
    # What programs are told, one line under the other, the best first.
    rows = [[cell.strip() for cell in row.split("│")[1:-1]] for row in done.stdout.splitlines() if "│" in row]
    found = json.loads(run(*asked, "--json").stdout)["lines"]
    assert [row[0] for row in rows] == [line["score"] for line in found]
    assert [row[1] for row in rows] == [f"{line['chance']:.0%}" for line in found]
    assert [row[2].split() for row in rows] == [line["moves"][:8] for line in found]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("analyse", "avanco", "--position", "3w3/7/7/b6/7/7/7 b"), 1),
        (("analyse", "avanco", "--depth", "0"), 2),
        (("analyse", "avanco", "--play", "a1"), 1),
        (("match", "avanco", "level:99", "random"), 1),
        (("match", "avanco", "level:1", "random", "--sprt", "20,0"), 2),
        (("match", "avanco", "level:1", "uci:/nowhere/at/all", "--games", "2"), 1),
        (("match", "avanco", "level:1", "uci:'", "--games", "2"), 1),
        (("engine", "avanco", "--gtp"), 2),
        (("bench", "--search", "--positions", "/nowhere"), 1),
    ],
)
def test_wrong_questions(arguments: tuple[str, ...], code: int) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert done.stderr.startswith("tabuleiro: ")
    assert done.stderr.count("\n") == 1


def test_a_match(tmp_path: Path) -> None:
    saved, kept = tmp_path / "games", tmp_path / "pairs"
    asked = ("match", "semaforo", "level:5", "random", "--json", "--resume", str(kept))
    found = json.loads(run(*asked, "--games", "4", "--save", str(saved)).stdout)
    assert found["games"] == 4
    assert sum(found["pentanomial"]) == 2
    assert len(list(read_games(saved))) == 4
    # The same command goes on with both files; one that holds other games is left alone.
    more = json.loads(run(*asked, "--games", "8", "--save", str(saved)).stdout)
    assert more["games"] == 8
    assert len(kept.read_text().splitlines()) == 5
    assert len(list(read_games(saved))) == 8
    other = tmp_path / "other"
    other.write_text(saved.read_text()[:-20])
    assert run(*asked, "--games", "8", "--save", str(other)).returncode == 0
    other.write_text("mine")
    assert run(*asked, "--games", "8", "--save", str(other)).returncode == 1
    assert other.read_text() == "mine"


def test_a_ladder() -> None:
    done = run("rate", "semaforo", "--games", "2", "--time", "0.01", "--markdown")
    assert done.returncode == 0
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines()[2:]]
    assert [row[0] for row in rows] == [str(level) for level in range(2, 11)]
    for row in rows:
        score, error = map(float, row[2].split(" ± "))
        # Two games of a game without draws: none, one or both were won.
        assert row[1] == "2" and score in (0, 50, 100) and error > 0
        assert float(row[-1].split()[0]) >= 0


def test_the_signature_of_the_search() -> None:
    """Who changes the search on purpose writes the new one: tabuleiro bench --search > bench/signature.txt"""
    done = run("bench", "--search")
    assert done.stdout == (ROOT / "bench" / "signature.txt").read_text()
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(GAMES)
