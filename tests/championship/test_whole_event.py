"""A whole rehearsed championship of 1,800 pupils, judged by the independent checker."""

import copy
import json
from typing import Any

import pytest
from typer.testing import CliRunner

from championship.checker import check
from tabuleiro.cli import app

Json = dict[str, Any]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Json:
    folder = tmp_path_factory.mktemp("event")
    file, out = str(folder / "e.campeonato"), folder / "e.json"
    for arguments in (
        ["rehearse", file, "--pupils", "1800", "--schools", "340", "--seed", "6", "--json"],
        ["export", file, str(out)],
    ):
        assert CliRunner().invoke(app, ["championship", *arguments]).exit_code == 0
    data: Json = json.loads(out.read_text("utf-8"))
    return data


def test_no_rule_is_broken(exported: Json) -> None:
    assert check(exported) == []


def test_it_is_the_sixth_edition_with_everybody_in_it(exported: Json) -> None:
    """The table of the rule sheet: three games a cycle."""
    sections = {section["id"]: section for section in exported["sections"]}
    assert set(sections) == {
        "semaforo-1", "konane-1", "ouri-1", "konane-2", "ouri-2", "hex-2", "ouri-3", "hex-3", "rastros-3",
        "hex-sec", "rastros-sec", "avanco-sec",
    }  # fmt: skip
    assert exported["rehearsal"] is True
    assert sum(len(section["entries"]) for section in sections.values()) == 1800
    assert len(exported["schools"]) == 340
    for section in sections.values():
        groups, final = section["stages"]
        assert sum(len(group["members"]) for group in groups["groups"]) == 150
        assert all(10 <= len(group["members"]) <= 12 and len(group["rounds"]) == 4 for group in groups["groups"])
        assert len(final["groups"]) == 1
        assert sorted(step["place"] for step in section["podium"]) == [1, 2, 3]


def test_somebody_was_missing_drew_forfeited_or_had_a_bye(exported: Json) -> None:
    """The rehearsal tries what a real day brings."""
    groups = [g for s in exported["sections"] for stage in s["stages"] for g in stage["groups"]]
    hows = {p["result"]["how"] for g in groups for t in g["rounds"] for p in t["pairings"]}
    assert hows == {"played", "forfeit", "double_forfeit", "adjudicated", "bye"}


@pytest.mark.parametrize("fault", ["rematch", "bye", "points", "place", "draw", "qualified", "number", "school"])
def test_the_checker_sees_faults(exported: Json, fault: str) -> None:
    """A judge that finds nothing must be able to find something."""
    section = copy.deepcopy(next(section for section in exported["sections"] if section["id"] == "hex-2"))
    data = {**exported, "sections": [section]}
    assert check(data) == []
    group = section["stages"][0]["groups"][0]
    first, second = group["rounds"][0]["pairings"], group["rounds"][1]["pairings"]
    if fault == "rematch":
        group["rounds"][1]["pairings"] = copy.deepcopy(first)
    elif fault == "bye":
        for turn in group["rounds"][:2]:
            turn["pairings"] = [p for p in turn["pairings"] if p["two"] is not None]
            turn["pairings"].append({"table": 0, "one": group["members"][0], "two": None, "games": [],
                                     "result": {"how": "bye", "winner": 1}})  # fmt: skip
    elif fault == "points":
        group["standings"][0]["points"] += 1
    elif fault == "place":
        group["standings"][0]["place"], group["standings"][-1]["place"] = len(group["members"]), 1
    elif fault == "draw":
        second[0]["result"]["winner"] = None
    elif fault == "qualified":
        section["stages"][1]["groups"][0]["members"][0] = group["standings"][-1]["person"]
    elif fault == "number":
        row = next(row for row in group["standings"] if "buchholz_cut1" in row["tie_breaks"])
        row["tie_breaks"]["buchholz_cut1"]["value"] += 1
    else:
        one, two = first[0]["one"], first[0]["two"]
        for entry in section["entries"]:
            if entry["person"] == one:
                entry["school"] = next(e["school"] for e in section["entries"] if e["person"] == two)
    assert check(data) != []
