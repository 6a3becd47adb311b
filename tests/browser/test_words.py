"""Every page and every option in Portuguese: no word is left untranslated."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.several import some_games
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

#: Each picture of a page of rules: whether it is wide, the frame of its board and of its caption.
PICTURES = """[...document.querySelectorAll("figure")].map((figure) => {
    const frame = (element) => {
        const { left, right, top, bottom, width } = element.getBoundingClientRect();
        return { left, right, top, bottom, width, middle: (top + bottom) / 2 };
    };
    const kind = figure.classList.contains("wide") ? "wide" : "";
    return [kind, frame(figure.querySelector("svg.board")), frame(figure.querySelector("figcaption"))];
})"""


def untranslated(visitor: Visitor) -> list[str]:
    """English words in what the page shows, says to screen readers or offers to choose."""
    shown: str = visitor.page.evaluate(
        """() => [
            document.title,
            // Commands are typed as they stand.
            [...document.querySelectorAll("code")].reduce(
                (text, { innerText }) => text.replaceAll(innerText, ""), document.body.innerText),
            ...[...document.querySelectorAll("[aria-label], [title], [placeholder]")].flatMap((element) =>
                ["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name) ?? "")),
            ...[...document.querySelectorAll("option")].map((option) => option.textContent),
        ].join("\\n")"""
    )
    lines = (NAMES.sub("", line) for line in shown.splitlines())
    return [line for line in lines if ENGLISH.search(line)]


def test_every_sheet_and_every_choice_before_a_game_is_portuguese(visit: Callable[..., Visitor]) -> None:
    pupil = visit()
    for path in ("/paper/hex", "/play/hex"):
        pupil.arrive(path)
        tiles = pupil.page.locator("main input[type=radio]")
        for place in range(tiles.count()):
            tiles.nth(place).check()
            assert untranslated(pupil) == [], path


@pytest.mark.parametrize("game", some_games("guerreiros", "ouri"))
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


def test_the_solution_of_rastros_is_shown_by_numbers(ana: Visitor) -> None:
    ana.go("/rules/rastros")
    solution = ana.page.locator("figure", has_text="Os números mostram a ordem")
    expect(solution.locator(".number")).to_have_text(list("123456"))


def test_pictures_of_the_rules_are_large_and_their_captions_near(visit: Callable[..., Visitor]) -> None:
    """At a desk a caption stands beside its picture, on a phone close below it; Hex has all the room there is."""
    pupil = visit()
    for game in GAMES:
        pupil.go(f"/rules/{game}")
        expect(pupil.page.locator("figure svg.board").first).to_be_visible()
        for width, height in ((1366, 768), (360, 740)):
            pupil.page.set_viewport_size({"width": width, "height": height})
            for kind, board, caption in pupil.page.evaluate(PICTURES):
                beside = caption["left"] >= board["right"] and board["top"] <= caption["middle"] <= board["bottom"]
                below = board["bottom"] <= caption["top"] <= board["bottom"] + 70 and caption["left"] <= board["right"]
                assert beside if width > 1000 and kind != "wide" else below, (game, width, board, caption)
                least = 600 if kind == "wide" else 330
                assert board["width"] >= (least if width > 1000 else 0.9 * width), (game, width, board)
    assert kinds_of_hex(pupil) == {"wide", ""}


def kinds_of_hex(pupil: Visitor) -> set[str]:
    """The whole board is wide; examples on small boards are like those of other games."""
    pupil.go("/rules/hex")
    expect(pupil.page.locator("figure svg.board").first).to_be_visible()
    return {kind for kind, *_ in pupil.page.evaluate(PICTURES)}


@pytest.mark.parametrize(("locale", "language"), [("es-ES", "en"), ("fr-FR", "en"), ("pt-BR", "pt-PT")])
def test_browsers_in_other_languages_get_english(visit: Callable[..., Visitor], locale: str, language: str) -> None:
    stranger = visit(locale=locale)
    stranger.go("/")
    expect(stranger.page.locator("html")).to_have_attribute("lang", language)
