"""What comes out of a printer: sheets of A4, without menus, with everything that was asked for."""

import io
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from browser.places import SHORT_GAME
from browser.site import Visitor
from tabuleiro.games import GAMES

#: Points of an inch/72: A4.
SHORT, LONG = 595, 842
#: Menus and buttons, which paper does not have.
SCREEN_WORDS = ("Definições", "Menu", "Partidas", "Robôs", "Saltar para", "Imprimir", "Experimenta")


def printed(visitor: Visitor) -> PdfReader:
    return PdfReader(io.BytesIO(visitor.page.pdf(prefer_css_page_size=True)))


def words(sheets: PdfReader) -> str:
    return " ".join(" ".join(sheet.extract_text() for sheet in sheets.pages).split())


def assert_paper(sheets: PdfReader, *wanted: str, across: bool = False) -> None:
    text = words(sheets)
    size = [round(float(length)) for length in sheets.pages[0].mediabox.upper_right]
    assert size == pytest.approx([LONG, SHORT] if across else [SHORT, LONG], abs=1)
    for word in wanted:
        assert word in text, (word, text)
    for word in SCREEN_WORDS:
        assert word not in text, (word, text)


@pytest.mark.parametrize(
    ("locale", "card"), [("pt-PT", "Ficha do jogo"), pytest.param("en-GB", "About the game", marks=pytest.mark.long)]
)
def test_the_rules_of_every_game_take_one_sheet(visit: Callable[..., Visitor], locale: str, card: str) -> None:
    """Also from a dark page: on paper ink is dark. The eleven pictures of Guerreiros take two."""
    reader = visit(theme="dark", locale=locale)
    for game, rules in GAMES.items():
        reader.go(f"/rules/{game}")
        expect(reader.page.get_by_role("heading", name=card)).to_be_visible()
        sheets = printed(reader)
        assert_paper(sheets, getattr(rules.name, locale[:2]), card)
        assert len(sheets.pages) == (2 if game == "guerreiros" else 1), game
        reader.page.emulate_media(media="print")
        assert reader.page.evaluate("getComputedStyle(document.body).color") == "rgb(43, 33, 24)"
        assert reader.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--cell-0')") == "#fff"
        split = reader.page.evaluate(
            "[...document.querySelectorAll('article > :is(figure, p), article li')].filter("
            "(one) => getComputedStyle(one).breakInside !== 'avoid').map((one) => one.outerHTML)"
        )
        assert split == [], "no picture and no paragraph is cut in two"
        reader.page.emulate_media(media="null")


def test_boards_slips_and_score_sheets_take_one_sheet_each(visit: Callable[..., Visitor]) -> None:
    teacher = visit()
    for game, rules in GAMES.items():
        teacher.go(f"/paper/{game}")
        board = teacher.page.locator("svg.board")
        expect(board).to_be_visible()
        across = game in ("hex", "ouri", "semaforo")
        sheets = printed(teacher)
        assert len(sheets.pages) == 1, game
        assert_paper(sheets, rules.name.pt, across=across)
        assert board.locator(".piece, .token").count() == 0
    for sheet, wanted in (("Boletins de resultado", "Ganhou o jogador 1"), ("Folha de registo", "75")):
        teacher.page.get_by_label(sheet).check()
        expect(teacher.page.get_by_text(wanted, exact=True).first).to_be_visible()
        sheets = printed(teacher)
        assert len(sheets.pages) == 1, sheet
        assert_paper(sheets, wanted, "Jogador 2")


def test_a_board_is_printed_in_any_size(ana: Visitor) -> None:
    ana.go("/paper/hex")
    ana.page.get_by_text("Opções das regras").click()
    ana.page.locator("#option-size").select_option("5")
    ana.page.get_by_label("Largura do tabuleiro").fill("100")
    expect(ana.page.locator("svg.board text.label")).to_have_count(10)
    ana.page.emulate_media(media="print")
    box = ana.page.locator("svg.board").bounding_box()
    assert box and box["width"] == pytest.approx(100 / 25.4 * 96, abs=2)


def test_a_position_is_printed_with_its_diagram_and_moves(ana: Visitor) -> None:
    identity = ana.finish("rastros", SHORT_GAME.split())
    sheets = printed(ana)
    assert len(sheets.pages) == 1
    assert_paper(sheets, "Rastros", "f4", "g7")
    ana.go(f"/analysis/{identity}")
    expect(ana.page.locator("[data-node]").nth(20)).to_be_attached()
    sheets = printed(ana)
    assert len(sheets.pages) == 1
    assert_paper(sheets, "Rastros", "f4", "g7")


def test_the_address_is_shown_for_a_class_to_read(visit: Callable[..., Visitor]) -> None:
    teacher = visit(size=(1920, 1080))
    teacher.go("/projector")
    code = teacher.page.get_by_role("img", name="Código QR")
    expect(code).to_be_visible()
    box, address = code.bounding_box(), teacher.page.locator(".address")
    assert box and box["height"] >= 600
    expect(address).to_contain_text(":" + str(teacher.site.port))
    assert teacher.page.evaluate("document.querySelector('img[src$=\"qr.svg\"]').naturalWidth") > 0
    assert float(address.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")) >= 60
