"""Whole games through the page: each of the eight with the mouse, one by touch, one with the keyboard only."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.several import some_games
from browser.site import Visitor, choose, short_game
from tabuleiro.games import GAMES

#: Options under which a game ends soon.
QUICK = {"abalone": {"ejections": "1"}, "hex": {"size": "7"}}
#: Whole games that chance would take long to find.
LINES = {
    "guerreiros": "K=e K=e d1-d3 i10-i8 d3-d4 i8-i7 d4-d5 i7-i8 d5-d6 i8-i7 d6-d7 i7-i8 d7-d8 i8-i7 d8-d9 i7-i8 d9xe10",
    "abalone": "B2C3C2 G7H8F7 A3B4 H9G8 C4C5D4 I8I9H8 B3C4 E6F7E5 A4A3 E5F6 D3E4 H7I8 C2D2 I7H6 A2B2 G7F7 D5E5 I8I9 "
    "C4D4B3 G8H8 B3C3C4 F6H6G7 B5B6C6 F7G7F6 A1B2A2 H9G9 C4D4 G6F5 D4E4",
}


@pytest.mark.long  # the ends of all games are played by every way in `test_ways.py`
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_with_the_mouse(ana: Visitor, game: str) -> None:
    options = QUICK.get(game, {})
    line = LINES[game].split() if game in LINES else short_game(game, options)
    ana.begin(game, {"kind": "local"}, options)
    for text in line:
        state = ana.state()
        ana.play(next(move for move in state["view"]["moves"] if move["text"] == text))
    assert ana.state()["status"] == "over"
    expect(ana.page.locator(".end")).to_be_visible()
    assert [move["text"] for move in ana.state()["history"]] == line
    expect(ana.board).to_have_attribute("aria-readonly", "true")


@pytest.mark.parametrize("game", some_games("ouri", "abalone", "konane"))
def test_some_moves_against_the_computer(ana: Visitor, game: str) -> None:
    ana.begin(game, {"kind": "engine", "level": 1})
    for number in range(4):
        state = ana.wait_for_turn()
        if state["status"] == "over":
            break
        ana.play(choose(state, number))
    state = ana.wait_for_turn()
    assert state["status"] == "over" or len(state["history"]) >= 8


def test_a_whole_game_by_touch(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(360, 740), touch=True)
    pupil.go("/")
    pupil.page.get_by_role("button", name="Jogar já Semáforo").tap()
    expect(pupil.board).to_be_visible()
    for number in range(60):
        state = pupil.wait_for_turn()
        if state["status"] == "over":
            break
        pupil.play(choose(state, number), tap=True)
    expect(pupil.page.locator(".end")).to_be_visible()
    pupil.page.get_by_role("button", name="Jogar outra vez").tap()
    # The computer begins the rematch.
    expect(pupil.moves_shown).to_have_count(1)
    assert pupil.state()["your_seats"] == [2]


def test_a_whole_game_with_the_keyboard_only(ana: Visitor) -> None:
    page = ana.page
    ana.go("/")
    expect(page.get_by_role("button", name="Jogar já Rastros")).to_be_visible()

    def tab_to(role: str, name: str = "") -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            focused = page.locator(":focus")
            if focused.count() and focused.evaluate(
                "(e, [role, name]) => (e.getAttribute('role') ?? e.tagName.toLowerCase()) === role"
                " && (e.getAttribute('aria-label') ?? e.textContent).includes(name)",
                [role, name],
            ):
                return
        raise AssertionError(f"no way to {role} {name}")

    tab_to("button", "Jogar já Rastros")
    page.keyboard.press("Enter")
    expect(ana.board).to_be_visible()
    tab_to("gridcell")
    for number in range(60):
        state = ana.wait_for_turn()
        if state["status"] == "over":
            break
        (target,) = choose(state, number)["clicks"]
        here = int(page.locator(":focus").get_attribute("data-cell") or "")
        down, right = here // 7 - target // 7, target % 7 - here % 7
        for steps, (less, more) in ((down, ("ArrowUp", "ArrowDown")), (right, ("ArrowLeft", "ArrowRight"))):
            for _ in range(abs(steps)):
                page.keyboard.press(more if steps > 0 else less)
        assert page.locator(":focus").get_attribute("data-cell") == str(target)
        page.keyboard.press("Enter")
        expect(ana.moves_shown.nth(len(state["history"]))).to_be_attached()
    expect(page.locator(".end")).to_be_visible()


def test_dragging_a_piece(visit: Callable[..., Visitor]) -> None:
    ana = visit(moving=True)
    ana.begin("avanco", {"kind": "local"})
    move = next(move for move in ana.state()["view"]["moves"] if move["text"] == "d2-d3")
    origin, target = (ana.cell(cell).bounding_box() for cell in move["clicks"])
    assert origin and target
    mouse = ana.page.mouse
    mouse.move(origin["x"] + 10, origin["y"] + 10)
    mouse.down()
    mouse.move(target["x"] + 12, target["y"] + 12, steps=5)
    expect(ana.page.locator(".token.held")).to_have_count(1)
    mouse.up()
    ana.wait_for_moves(1)
    assert ana.state()["history"][0]["text"] == "d2-d3"


def test_a_piece_dropped_elsewhere_goes_back(ana: Visitor) -> None:
    ana.begin("avanco", {"kind": "local"})
    ana.cell(8).drag_to(ana.cell(30))
    expect(ana.page.locator('[aria-selected="true"]')).to_have_count(1)
    ana.page.keyboard.press("Escape")
    assert ana.state()["history"] == []


def test_seeds_fly_and_a_tap_ends_the_flight(visit: Callable[..., Visitor]) -> None:
    ana = visit(moving=True)
    ana.begin("ouri", {"kind": "local"})
    ana.cell(2).click()
    ana.wait_for_moves(1)
    ana.cell(2).click()
    expect(ana.page.locator('[data-cell="2"]')).to_have_attribute("aria-label", "c, vazia, última jogada")
    counts = ana.page.locator(".count")
    expect(counts).to_have_count(13)  # and the two stores
    expect(counts.filter(has_text="5")).to_have_count(4)
    expect(counts.filter(has_text="4")).to_have_count(7)


def test_hexagons_have_six_ways(ana: Visitor) -> None:
    ana.begin("abalone", {"kind": "local"})
    names = []
    for key in ("ArrowLeft", "ArrowRight", "Home", "PageUp", "End", "PageDown"):
        ana.page.locator('[data-name="E5"]').focus()
        ana.page.keyboard.press(key)
        names.append(ana.page.locator(":focus").get_attribute("data-name"))
    assert names == ["E4", "E6", "F5", "F6", "D4", "D5"]


def test_typed_moves(ana: Visitor) -> None:
    ana.begin("hex", {"kind": "local"})
    ana.page.get_by_text("Mais", exact=True).click()
    field = ana.page.get_by_label("Escrever uma jogada")
    field.fill("f6")
    field.press("Enter")
    ana.wait_for_moves(1)
    field.fill("isto não")
    field.press("Enter")
    expect(ana.page.get_by_role("alert")).to_contain_text("não é uma jogada de Hex")
    ana.page.get_by_role("button", name="Trocar de cores").click()
    ana.wait_for_moves(2)
    assert [move["text"] for move in ana.state()["history"]] == ["f6", "swap"]
    expect(ana.page.locator("[data-ply='2']")).to_have_text("troca")


def test_hint_take_back_flip_and_resign(ana: Visitor) -> None:
    ana.begin("konane", {"kind": "engine", "level": 1})
    page = ana.page
    ana.play(choose(ana.wait_for_turn(), 1))
    ana.wait_for_turn()
    page.get_by_role("button", name="Dica").click()
    expect(page.get_by_text("Dica: ")).to_be_visible()
    expect(page.locator(".arrow")).not_to_have_count(0)
    page.get_by_role("button", name="Voltar atrás").click()
    ana.wait_for_moves(0)
    first = ana.cell(0).bounding_box()
    page.get_by_role("button", name="Virar").click()
    assert ana.cell(0).bounding_box() != first
    page.get_by_role("button", name="Desistir").click()
    page.get_by_role("button", name="Não, continuo").click()
    assert ana.state()["status"] == "playing"
    page.get_by_role("button", name="Desistir").click()
    page.get_by_role("button", name="Sim, desisto").click()
    expect(page.locator(".end h2")).to_have_text("Desta vez não deu")
    expect(page.locator(".status")).to_contain_text("Desta vez não deu. Ganh")
    # Who won stands beside the board, also where the end is told further down.
    expect(page.locator("[data-player='2']")).to_contain_text("Ganhou")
    expect(page.locator("[data-player='1']")).not_to_contain_text("Ganh")


def test_looking_back_at_a_game(ana: Visitor) -> None:
    ana.begin("avanco", {"kind": "local"})
    for number in range(6):
        ana.play(choose(ana.state(), number))
    page = ana.page
    page.locator("ol [data-ply='3']").click()
    expect(page.get_by_text("Estás a ver a jogada 3 de 6")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Estás a ver a jogada 2 de 6")).to_be_visible()
    expect(ana.board).to_have_attribute("aria-readonly", "true")
    page.get_by_role("button", name="Voltar ao jogo").click()
    expect(ana.board).to_have_attribute("aria-readonly", "false")
    page.get_by_text("Mais", exact=True).click()
    page.get_by_text("Tabuleiro em texto").click()
    expect(page.locator("pre")).to_contain_text("Joga o jogador 1 (Brancas).")


def test_a_clock_runs_out(ana: Visitor) -> None:
    ana.begin("semaforo", {"kind": "local"}, clock={"kind": "move", "seconds": 5})
    for number in range(2):
        ana.play(choose(ana.state(), number))
    expect(ana.page.get_by_role("timer").first).to_be_visible()
    expect(ana.page.locator(".end")).to_contain_text("esgotou-se o tempo")
