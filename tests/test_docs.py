"""The pages of docs/ say what the code does."""

import dataclasses
import doctest
import importlib
import re
from pathlib import Path

import pytest

from tabuleiro import GAMES, Position
from tabuleiro.core import show_value

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "tabuleiro"
#: The modules that begin with an example.
EXAMPLES = [path for path in sorted(PACKAGE.rglob("*.py")) if ">>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_the_page_of_a_game_lists_its_options_and_start(game: type[Position]) -> None:
    page = (ROOT / "docs" / "games" / f"{game.id}.md").read_text("utf-8")
    assert f"`{game.start()}`" in page
    for field in dataclasses.fields(game.options_type):
        (row,) = (line for line in page.splitlines() if line.startswith(f"| `{field.name}` |"))
        values = row.split("|")[2]
        source = "the rule sheet's" if field.metadata["official"] else "our ruling"
        assert row.split("|")[3].strip() == source, field.name
        default = field.metadata["values"][0]
        assert values.strip().startswith(f"`{show_value(default)}`"), "the default stands first"
        for value in field.metadata["values"]:
            # A run of letters is written `a`..`i`.
            assert f"`{show_value(value)}`" in values or re.search(r"`?a`?\.\.`?i`?", values), (field.name, value)


def test_links_between_pages_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    for page in pages:
        # Those of the site itself, which begin with a stroke, are looked at in test_documentation.py.
        for target in re.findall(r"\]\((?!https?:|/)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_in_the_code_are_true(path: Path) -> None:
    module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    failed, tried = doctest.testmod(module)
    assert tried and not failed
