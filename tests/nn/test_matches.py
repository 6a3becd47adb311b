"""Plans of matches, and who wins between equal players (training/matches.py, training/balance.py)."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: nets of other makers cannot play")

from training import balance, matches


def plan(folder: Path, **match: object) -> list[matches.Planned]:
    path = folder / "plan.json"
    usual = {"name": "a", "game": "avanco", "options": {"size": "5"}, "one": "greedy", "games": 4, "seconds": 0.01}
    path.write_text(json.dumps([usual | match]))
    return matches.read_plan(path, {"program": "false"})


def test_a_program_that_fails_is_replaced_and_that_is_counted(tmp_path: Path) -> None:
    (planned,) = plan(tmp_path, two="ugi:${program}")
    assert planned.two == "ugi:false"
    row = matches.play((planned, 0))
    replaced = row["replaced"]
    assert replaced == [0, row["moves"][1]] and replaced[1] > 0
    assert [len(failures) for failures in row["failures"]] == [0, 4]  # asked twice in each of the two games
    standing = matches.Standing(tmp_path / "pairs.jsonl")
    standing.keep(row)
    told = standing.tell(planned)
    assert "failures 4, pairs with moves made by level 10: 1" in told


def test_a_plan_goes_on_where_it_was(tmp_path: Path) -> None:
    kept = plan(tmp_path, two="random")
    pairs = tmp_path / "pairs.jsonl"
    first = matches.Standing(pairs)
    first.keep(matches.play((kept[0], 1)))
    again = matches.Standing(pairs)
    assert [number for _, number in matches.tasks(kept, again, end=float("inf"))] == [0]
    assert json.dumps(again.rows) == json.dumps(first.rows)
    assert list(matches.tasks(kept, again, end=0)) == []


def test_every_variant_of_the_balance_study_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "LONGEST_GAME", 2)
    for variant in balance.variants():
        row = balance.play((variant, 3))
        assert row["variant"] == variant.name and row["plies"] == 2, variant


def test_a_variant_is_told_with_its_error() -> None:
    rows = [{"result": result, "plies": plies} for result, plies in [(1.0, 30), (1.0, 40), (0.0, 50), (0.5, 60)] * 25]
    told = balance.told("avanco", rows)
    assert told == "| avanco | 100 | 50.0 | 25.0 | 25.0 | 62.5 ± 8.1 | 50 (30–60) |"
