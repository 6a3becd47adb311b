"""Every page in every room there is: narrow phones, phones held sideways, pages enlarged twice."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.places import PLACES
from browser.site import STATIC, Visitor
from tabuleiro.games import GAMES

#: CSS pixels: the narrowest phone; phones held sideways; a laptop of 1366x768 at a zoom of 200 %.
NARROWEST = (320, 640)
SIDEWAYS = [(568, 320), (844, 390), (683, 384)]
#: What is wider than its own box, unless it scrolls, is shortened knowingly, or is there for screen readers only.
CUT_OFF = """[...document.querySelectorAll("main *, header *")].filter((one) => {
    const { overflowX, textOverflow } = getComputedStyle(one);
    return one instanceof HTMLElement && one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 1
        && !["auto", "scroll"].includes(overflowX) && textOverflow !== "ellipsis"
        && !one.closest("input, select, textarea");
}).map((one) => one.outerHTML.slice(0, 200))"""


def resize(visitor: Visitor, size: tuple[int, int]) -> None:
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})


def test_every_page_is_in_the_list() -> None:
    pages = json.loads((STATIC.parent / "pages.json").read_text("utf-8"))
    assert {path.split("/")[1] for path in PLACES.values()} - {"nowhere"} == set(pages)


def test_on_a_phone_held_sideways_the_board_fills_the_height(visit: Callable[..., Visitor]) -> None:
    """Unless it is too wide for that; everything else stands beside it, players in sight."""
    pupil = visit()
    for game in GAMES:
        pupil.begin(game, {"kind": "engine", "level": 1})
        for size in SIDEWAYS:
            resize(pupil, size)
            board = pupil.page.locator("svg.board").bounding_box()
            assert board and board["y"] >= 0 and board["y"] + board["height"] <= size[1], (game, size)
            assert board["height"] >= 0.9 * size[1] or board["width"] >= 0.46 * size[0], (game, size, board)
            for bar in pupil.page.locator(".bar").all():
                box = bar.bounding_box()
                assert box and box["x"] >= board["x"] + board["width"] - 1, (game, size)
                assert box["y"] + box["height"] <= size[1], (game, size)


@pytest.mark.parametrize("path", ["/problemas/konane/0001", "/aprender/ouri/1"])
def test_on_a_phone_held_sideways_a_task_is_told_beside_its_board(visit: Callable[..., Visitor], path: str) -> None:
    pupil = visit(size=(844, 390), touch=True)
    pupil.go(path)
    task = pupil.page.get_by_role("region", name="Tarefa").first
    board = task.locator("svg.board").bounding_box()
    said, help_ = task.locator(".said").bounding_box(), task.get_by_role("button", name="Ajuda").bounding_box()
    assert board and said and help_
    assert board["height"] > 330 or board["width"] > 400
    for beside in (said, help_):
        assert beside["x"] > board["x"] + board["width"] and beside["y"] < board["y"] + 374


@pytest.mark.parametrize("size", [(320, 640), (390, 844), (844, 390)])
def test_the_menu_of_a_phone_has_all_places(visit: Callable[..., Visitor], size: tuple[int, int]) -> None:
    pupil = visit(size=size, touch=True)
    pupil.go("/bots")
    menu = pupil.page.get_by_role("navigation", name="Menu principal")
    toggle = pupil.page.get_by_role("button", name="Menu")
    expect(menu).to_be_hidden()
    toggle.tap()
    expect(menu.get_by_role("link")).to_have_text(["Jogos", "Aprender", "Regras", "Análise", "Partidas", "Campeonatos"])
    pupil.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(toggle).to_be_focused()
    toggle.tap()
    menu.get_by_role("link", name="Análise").tap()
    expect(pupil.page.get_by_role("heading", level=1)).to_have_text("Análise")
    expect(menu).to_be_hidden()


def test_two_at_one_screen_and_a_friend_are_one_tap_from_home(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(360, 740), touch=True)
    pupil.go("/")
    pupil.page.get_by_role("button", name="Dois neste ecrã Hex").tap()
    expect(pupil.board).to_be_visible()
    assert pupil.state()["your_seats"] == [1, 2]
    pupil.go("/")
    pupil.page.get_by_role("button", name="Com um amigo Hex").tap()
    expect(pupil.page.get_by_role("heading", name="Convida um amigo")).to_be_visible()
