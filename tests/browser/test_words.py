"""Every page and every option in Portuguese: no word is left untranslated."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.places import PLACES, SHORT_GAME
from browser.site import Visitor
from tabuleiro.games import GAMES

#: What pages showed in English once, and plain English words that no Portuguese sentence of ours has.
ENGLISH = re.compile(
    r"\b(south|north|white|black|exact|up to|up_to|both|capture_only|capture only|next turn|next_turn|immediate"
    r"|persistent|choose|none|owners|\w+[ _]daisy|standard|swap|fixed|removal|traditional|loss|draw|true|false|off"
    r"|the|of|and|with|your|you|player|board|game|games|rules|king|row|seeds)\b",
    re.IGNORECASE,
)
#: Names, and what is typed as it stands.
NAMES = re.compile(r"English|Traffic Lights|HexWorld|oware|\bK[=@]\w+", re.IGNORECASE)


def untranslated(visitor: Visitor) -> list[str]:
    """English words in what the page shows, says to screen readers or offers to choose."""
    shown: str = visitor.page.evaluate(
        """() => [
            document.title,
            document.body.innerText,
            ...[...document.querySelectorAll("[aria-label], [title], [placeholder]")].flatMap((element) =>
                ["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name) ?? "")),
            ...[...document.querySelectorAll("option")].map((option) => option.textContent),
        ].join("\\n")"""
    )
    lines = (NAMES.sub("", line) for line in shown.splitlines())
    return [line for line in lines if ENGLISH.search(line)]


def test_every_page_is_portuguese(visit: Callable[..., Visitor]) -> None:
    """With everything open that can be opened, also on a phone."""
    pupil = visit(size=(390, 844))
    pupil.forgiven.append("404")
    ids = {"finished": pupil.finish("rastros", SHORT_GAME.split()), "game": pupil.begin("ouri", {"kind": "local"})}
    for name, path in PLACES.items():
        pupil.arrive(path.format(**ids))
        pupil.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        for button in ("Menu", "Definições"):
            if pupil.page.get_by_role("button", name=button, exact=True).count():
                pupil.page.get_by_role("button", name=button, exact=True).click()
        assert untranslated(pupil) == [], name


def test_every_sheet_and_every_choice_before_a_game_is_portuguese(visit: Callable[..., Visitor]) -> None:
    pupil = visit()
    for path in ("/paper/hex", "/play/hex"):
        pupil.arrive(path)
        tiles = pupil.page.locator("main input[type=radio]")
        for place in range(tiles.count()):
            tiles.nth(place).check()
            assert untranslated(pupil) == [], path


@pytest.mark.parametrize("game", GAMES)
def test_every_option_and_rule_is_portuguese(visit: Callable[..., Visitor], game: str) -> None:
    pupil = visit()
    pupil.go(f"/play/{game}")
    pupil.page.get_by_text("Opções das regras").click()
    assert untranslated(pupil) == []
    defaults = [
        *pupil.page.locator("option").all_text_contents(),
        *(box.get_attribute("placeholder") or "" for box in pupil.page.locator(".option input").all()),
    ]
    noted = [name for name in defaults if name.endswith(("(regra oficial)", "(habitual)"))]
    assert len(noted) == pupil.page.locator(".option").count(), "every default says where it comes from"
    pupil.go(f"/rules/{game}")
    expect(pupil.page.get_by_role("heading", name="Ficha do jogo")).to_be_visible()
    assert untranslated(pupil) == []
    pupil.begin(game, {"kind": "local"})
    assert untranslated(pupil) == []


def test_guerreiros_shows_the_numbers_of_its_rows_and_says_what_its_signs_mean(visit: Callable[..., Visitor]) -> None:
    pupil = visit()
    pupil.begin("guerreiros", {"kind": "local"})
    assert pupil.page.locator(".board .row-number").all_text_contents() == list("0123443210")[::-1]
    expect(pupil.page.get_by_text("O ponto dourado marca as peças")).to_be_visible()


def test_the_solution_of_rastros_has_numbers_and_the_board_of_hex_is_large(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(1366, 768))
    pupil.go("/rules/rastros")
    solution = pupil.page.locator("figure", has_text="Os números mostram a ordem")
    expect(solution.locator(".number")).to_have_text(list("123456"))
    board, caption = solution.locator(".board svg, svg.board").first.bounding_box(), solution.locator("figcaption")
    beside = caption.bounding_box()
    assert board and beside and beside["x"] >= board["x"] + board["width"], "the caption stands beside its picture"
    pupil.go("/rules/hex")
    hexes = pupil.page.locator("figure svg.board").first.bounding_box()
    assert hexes and hexes["width"] >= 600


@pytest.mark.parametrize(("locale", "language"), [("es-ES", "en"), ("fr-FR", "en"), ("pt-BR", "pt-PT")])
def test_browsers_in_other_languages_get_english(visit: Callable[..., Visitor], locale: str, language: str) -> None:
    stranger = visit(locale=locale)
    stranger.go("/")
    expect(stranger.page.locator("html")).to_have_attribute("lang", language)
