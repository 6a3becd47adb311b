"""Editions are data, and what is wrong in one is named."""

import re
from importlib import resources
from pathlib import Path

import pytest

from tabuleiro.championship.acts import ACTS
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
