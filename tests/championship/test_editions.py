"""Editions are data, and what is wrong in one is named."""

import random
import re
from importlib import resources
from pathlib import Path

import pytest

from championship.building import act, begun, edition, enter, group_of
from tabuleiro.championship.acts import ACTS
from tabuleiro.championship.decisions import pair_round
from tabuleiro.championship.edition import (
    CRITERIA,
    FORMATS,
    TIE_BREAKS,
    UNPLAYED,
    load_edition,
    load_template,
    read_edition,
    templates,
)
from tabuleiro.championship.figures import figures
from tabuleiro.championship.toml import as_it_stands, write_edition
from tabuleiro.core import TabuleiroError


def source(name: str = "cnjm6") -> str:
    return (resources.files("tabuleiro.championship") / "editions" / f"{name}.toml").read_text("utf-8")


def test_templates() -> None:
    assert list(templates()) == ["cnjm6", "one-lesson", "school-day"]
    assert templates()["cnjm6"].pt == "6.º Campeonato Nacional de Jogos Matemáticos"
    with pytest.raises(TabuleiroError, match="there are: cnjm6"):
        load_template("chess")


def test_only_games_that_can_be_drawn_are() -> None:
    edition = read_edition(load_template("cnjm6"))
    assert {section.game for section in edition.sections if section.can_draw} == {"ouri"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('game = "hex"', 'game = "chess"', r"line 26, sections\[4\].game: there is no “chess”; there are: avanco"),
        ("rounds = 4", 'rounds = "four"', r"line \d+, stages\[1\].rounds: should be a whole number from 1 to 30"),
        ("qualify = 1", "qualfy = 1", r"line \d+, stages\[1\].qualfy: is not known; there are: best_of"),
        ('format = "swiss" ', 'format = "swis" ', r"line \d+, stages\[2\].format: there is no “swis”"),
        ("qualify = 1", "", r"line \d+, stages\[1\].qualify: say how many"),
        ('cycles = ["sec"]', 'cycles = ["uni"]', r"line \d+, sections\[6\].cycles: there is no “uni”"),
        ("games_per_pupil = 1", "games_per_pupil = 0", "line 5, games_per_pupil: should be"),
        ("[cycles]", "[cycles", r"line 7: this is not TOML"),
        ("rounds = 4", 'tie_breaks = ["wins"]', "the list ends in “lots”"),
        ("rounds = 4", 'tie_breaks = ["wins", "wins", "lots"]', "“wins” is there twice"),
        ("rounds = 4", "best_of = 3", r"stages\[1\].best_of: should be odd, and is only for"),
        ("rounds = 4", "weights = { point = 3 }", "weights.point: there are: rematch"),
        ("[cycles]", "[points]\nwin = 0\n[cycles]", "points: win, draw and loss should go down"),
        ("[cycles]", "[points]\nwin = 0.3\n[cycles]", r"line 8, points.win: should be 0, 0.5"),
        (
            'game = "konane"',
            'game = "konane"\noptions = { size = 3 }',
            "sections.2..options: option “size” does not take",
        ),
        ('game = "konane"', 'game = "semaforo"', "section semaforo-1 is there twice"),
    ],
)
def test_what_is_wrong_is_named_by_line_key_and_reason(old: str, new: str, said: str) -> None:
    assert old in source()
    with pytest.raises(TabuleiroError, match=said) as caught:
        load_edition(source().replace(old, new, 1))
    assert caught.value.text.pt != caught.value.text.en


def test_the_page_about_championships_says_what_the_code_does() -> None:
    page = (Path(__file__).parents[2] / "docs" / "championship.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, flags=re.S)
    edition = read_edition(load_edition(example))
    assert [section.id for section in edition.sections] == ["rastros-2"] and edition.sections[0].can_draw
    for name in (*FORMATS, *TIE_BREAKS, *UNPLAYED):
        assert f"\n| `{name}`" in page
    for place, name in enumerate(CRITERIA, start=1):
        assert f"\n{place}. `{name}` {CRITERIA[name].en}" in page
    for kind in (*ACTS, "undone"):
        assert f"`{kind}`" in page.split("Kinds:")[1]


@pytest.mark.parametrize("name", ["cnjm6", "one-lesson", "school-day"])
def test_an_edition_is_written_down_as_it_is_read(name: str) -> None:
    plan = read_edition(load_template(name))
    assert read_edition(load_edition(write_edition(plan))) == plan


def test_what_was_changed_is_written_down_too() -> None:
    stage = {"name": "S", "format": "swiss", "rounds": 4, "weights": {"points": 3}, "clock": {"minutes": 10}}
    plan = {**edition("ouri", stages=[stage]), "name": {"pt": 'O «6.º»\n"final"', "en": "x\\y"}, "points": {"bye": 0.5}}
    championship = begun(plan, 4, draw=False)
    change = {
        "format": "knockout",
        "best_of": 3,
        "third_place": True,
        "rounds": None,
        "clock": {"minutes": 5, "increment": 3},
    }
    act(championship, "settings_changed", section="ouri-all", stage=1, settings=change)
    now = as_it_stands(championship.state)
    assert now.sections[0].stages[0].best_of == 3 and now.sections[0].stages[0].rounds is None
    assert read_edition(load_edition(write_edition(now))) == now


def test_a_format_is_chosen_until_the_draw() -> None:
    championship = begun(edition("ouri"), 4)
    with pytest.raises(TabuleiroError, match="format: now there are: rounds"):
        act(championship, "settings_changed", section="ouri-all", stage=1, settings={"format": "knockout"})
    act(championship, "settings_changed", section="ouri-all", stage=1, settings={"clock": {"minutes": 10}})
    clock = championship.state.sections["ouri-all"].stages[0].plan.clock
    assert clock is not None and (clock.minutes, clock.increment) == (10, 0)
    for wrong in ({"minutes": 0}, {"increment": 5}, {"minutes": 5, "hours": 1}, 5):
        with pytest.raises(TabuleiroError, match="clock"):
            act(championship, "settings_changed", section="ouri-all", stage=1, settings={"clock": wrong})
    assert championship.state.flags == []


def test_figures_are_what_counting_gives() -> None:
    championship = begun(edition("ouri", format="round_robin", rounds=5), 5, schools=2)
    luck = random.Random(4)
    for _ in range(5):
        decision = pair_round(championship, group_of(championship))
        act(championship, decision.kind, **decision.data)
        enter(championship, group_of(championship), luck)
    found = figures(championship.state)
    (section,), (game,), (cycle,) = found["sections"], found["games"], found["cycles"]
    assert section.as_json()["games"] == game.games == cycle.games == 10 and len(section.persons) == 5
    _, _, group = championship.state.group(group_of(championship))
    results = [game for _, pairing in group.pairings() for game in pairing.games if pairing.two is not None]
    assert section.draws == sum(each.winner is None for each in results) == 10 - section.wins
    assert section.won_by_first == sum(each.winner == 1 for each in results)
    assert sum(line.wins for line in found["schools"]) == section.wins
    assert {line.name.pt: len(line.persons) for line in found["schools"]} == {"E1": 3, "E2": 2}
    assert sum(line.podiums for line in found["schools"]) >= 3
