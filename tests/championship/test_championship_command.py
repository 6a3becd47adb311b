"""`tabuleiro championship`: a class tournament from the first command to the podium, in both languages."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from championship.checker import check
from tabuleiro.cli import app
from tabuleiro.cli.championship import commands

TABLE = "Nome;Escola;Jogo\n" + "".join(f"Aluno {letter};Turma {letter < 'G'};Rastros\n" for letter in "ABCDEFGHIJKL")


def run(*args: str) -> Result:
    result = CliRunner().invoke(app, ["championship", *args], env={"LC_ALL": None, "LC_MESSAGES": None, "LANG": None})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def fine(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def told(*args: str) -> Any:
    return json.loads(fine(*args, "--json"))


@pytest.fixture
def lesson(tmp_path: Path) -> str:
    file, table = str(tmp_path / "turma.campeonato"), tmp_path / "turma.csv"
    table.write_text(TABLE, "cp1252")
    fine("new", file, "--template", "one-lesson", "--seed", "3")
    fine("register", file, str(table))
    return file


def play_round(file: str, luck: int = 0) -> list[int]:
    tables = []
    for event in told("pair", file)["paired"]:
        for pairing in event["pairings"]:
            if pairing["two"] is not None:
                tables.append(pairing["table"])
                fine("result", file, str(pairing["table"]), "1-0" if (pairing["one"] + luck) % 3 else "0-1")
    return tables


def test_a_class_of_twelve_from_the_list_to_the_podium(lesson: str, tmp_path: Path) -> None:
    assert "12" in fine("draw", lesson)
    for luck in range(3):
        assert len(play_round(lesson, luck)) == 6
    assert run("pair", lesson).exit_code == 1
    assert "jornada 3" in fine("pairings", lesson, "--why", "--lang", "pt")
    ranked = told("standings", lesson)["standings"][0]["standings"]
    assert [row["points"] for row in ranked] == sorted((row["points"] for row in ranked), reverse=True)
    told("lots", lesson)
    podium = told("standings", lesson, "--podium")["podiums"]["rastros-all"]
    assert [step["place"] for step in podium] == [1, 2, 3]
    explained = fine("standings", lesson, "--explain", str(podium[0]["person"]), "--lang", "pt")
    assert "jornada 1" in explained
    out = tmp_path / "tudo.json"
    fine("export", lesson, str(out))
    assert check(json.loads(out.read_text("utf-8"))) == []
    for name in ("t.csv", "t.xlsx", "copia.campeonato"):
        fine("export", lesson, str(tmp_path / name))
    assert "Aluno A" in (tmp_path / "t.csv").read_text("utf-8-sig")
    assert told("compare", lesson, str(tmp_path / "copia.campeonato"))["only_first"] == []
    fine("import", str(tmp_path / "copia.campeonato"), str(tmp_path / "outro.campeonato"))
    assert fine("standings", str(tmp_path / "outro.campeonato")) == fine("standings", lesson)


def test_late_absent_swapped_withdrawn_erased(lesson: str) -> None:
    fine("draw", lesson)
    fine("pair", lesson)
    late = told("enter", lesson, "--name", "Atrasada", "--school", "Turma Z", "--game", "rastros")
    assert late["placed"][0]["group"] == "rastros-all/1/1"
    assert (
        "Atrasada" in fine("swap", lesson, str(late["placed"][0]["person"]), "--name", "Outra Atrasada").split("→")[0]
    )
    assert "pair --again" in fine("absent", lesson, "4")
    assert told("pair", lesson, "--again")["paired"][0]["round"] == 1
    fine("check-in", lesson, "4")
    fine("check-in", lesson, "--all")
    fine("withdraw", lesson, "2")
    fine("erase", lesson, "3")
    assert "jogador apagado" in fine("standings", lesson, "--lang", "pt")
    assert run("erase", lesson, "3").exit_code == 1


def test_corrections_undo_and_settings(lesson: str) -> None:
    fine("draw", lesson)
    table = play_round(lesson)[0]
    fine("pair", lesson)
    corrected = run(
        "result", lesson, str(table), "0-1", "--group", "rastros-all/1/1", "--round", "1", "--correct", "engano"
    )
    assert corrected.exit_code == 0 and "after the next round" in corrected.stderr
    assert told("status", lesson)["flags"]
    assert run("result", lesson, str(table), "=").exit_code == 1
    assert run("undo", lesson).exit_code == 2
    fine("undo", lesson, "--reason", "o árbitro tinha razão")
    assert told("log", lesson)["events"][-1]["kind"] == "undone"
    fine("settings", lesson, "rastros-all", "1", 'tie_breaks=["wins","lots"]', "rounds=4")
    refused = run("settings", lesson, "rastros-all", "1", "rounds=0")
    assert refused.exit_code == 1 and "rounds" in refused.stderr
    assert "vitórias; sorteio" in fine("status", lesson, "--lang", "pt")


@pytest.mark.parametrize(
    ("written", "how", "winner"),
    [("1-0", "played", 1), ("0-1", "played", 2), ("1-0f", "forfeit", 1), ("0-1f", "forfeit", 2),
     ("0-0f", "double_forfeit", None)],
)  # fmt: skip
def test_results_as_people_write_them(lesson: str, written: str, how: str, winner: int | None) -> None:
    fine("draw", lesson)
    table = told("pair", lesson)["paired"][0]["pairings"][0]["table"]
    assert told("result", lesson, str(table), written)["result"] == {"how": how, "winner": winner}
    assert written in fine("pairings", lesson)


def test_a_ruling_keeps_its_reason(lesson: str) -> None:
    fine("draw", lesson)
    table = str(told("pair", lesson)["paired"][0]["pairings"][0]["table"])
    ruled = told("result", lesson, table, "1-0", "--adjudicated", "conduta", "--score", "30-18")
    assert ruled["result"] == {"how": "adjudicated", "winner": 1, "score": [30, 18], "reason": "conduta"}
    assert run("result", lesson, table, "2-0").exit_code == 1


def test_pairing_by_hand_and_weights(lesson: str) -> None:
    fine("draw", lesson)
    play_round(lesson)
    weights = told("pairings", lesson, "rastros-all", "--weights")["rastros-all/1/1"]["weights"]
    assert list(weights) == ["rematch", "second_bye", "points", "school", "start", "alternate", "fixed_table"]
    assert list(weights.values()) == sorted(weights.values(), reverse=True)
    met = told("pairings", lesson)["pairings"][0]["pairings"][0]
    result = run("pair", lesson, "rastros-all/1/1", "--hand", f"{met['one']}-{met['two']}")
    assert result.exit_code == 0 and "meets an opponent again" in result.stderr
    assert run("pair", lesson, "rastros-all/1/1", "--hand", "x").exit_code == 1


def test_wrong_rows_are_listed_one_a_line(lesson: str, tmp_path: Path) -> None:
    bad = tmp_path / "mau.csv"
    bad.write_text("Nome;Escola;Jogo\nAna;X;Damas\n;X;Rastros\nEva;X;Rastros\n", "utf-8")
    before = told("status", lesson)["entries"]
    result = run("register", lesson, str(bad), "--lang", "pt")
    assert result.exit_code == 1
    lines = result.stderr.splitlines()
    assert len(lines) == 3 and "linha 2" in lines[0] and "linha 3" in lines[1] and "nada foi inscrito" in lines[2]
    assert told("status", lesson)["entries"] == before


def test_playoffs_from_the_command_line(lesson: str) -> None:
    fine("draw", lesson)
    for luck in range(3):
        play_round(lesson, luck)
    rows = told("standings", lesson)["standings"][0]["standings"]
    one, two = rows[0]["person"], rows[1]["person"]
    assert told("playoff", lesson, "rastros-all/1/1", str(two), str(one))["order"] == [two, one]


def test_an_edition_of_ones_own_and_its_faults(tmp_path: Path) -> None:
    own = tmp_path / "e.toml"
    own.write_text('name = "Liga"\n[cycles]\nall = "t"\n[[sections]]\ngame = "ouri"\ncycles = ["all"]\n[[stages]]\n'
                   'name = "L"\nformat = "ladder"\n', "utf-8")  # fmt: skip
    assert told("new", str(tmp_path / "a"), "--edition", str(own))["sections"] == ["ouri-all"]
    own.write_text(own.read_text("utf-8").replace("ladder", "leiter"), "utf-8")
    result = run("new", str(tmp_path / "b"), "--edition", str(own))
    assert result.exit_code == 1 and "e.toml" in result.stderr and "line 9" in result.stderr
    assert not (tmp_path / "b").exists()
    assert run("new", str(tmp_path / "b")).exit_code == 1


@pytest.mark.parametrize("command", [command.name for command in commands.registered_commands])
def test_help_in_both_languages(command: str) -> None:
    english, portuguese = fine(command, "--help"), fine(command, "--help", "--lang", "pt")
    assert english.startswith(f"Usage: tabuleiro championship {command}")
    described = [line for line in english.splitlines() if line.startswith("  ") and line.endswith(".")]
    assert not [line for line in described if line in portuguese]


def test_school_day_and_lesson_can_be_rehearsed(tmp_path: Path) -> None:
    for template, pupils in (("school-day", "90"), ("one-lesson", "21")):
        summary = told("rehearse", "--template", template, "--pupils", pupils, "--schools", "4", "--seed", "2")
        assert summary["rehearsal"] and summary["complete"] == summary["groups"] and summary["peak_memory_mib"] > 1
