"""What is said and shown while a game is played: reasons, the end, offers, a first game, plans."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.site import Visitor, choose
from browser.test_games import QUICK
from browser.test_people import invite, sit_down
from browser.test_ways import ending
from browser.ways import Hand
from tabuleiro.games import GAMES

#: A phone, one held sideways, a laptop.
SIZES = ((360, 740), (844, 390), (1366, 768))


def overlap(visitor: Visitor) -> float:
    """How many pixels of the board the words about the end cover."""
    covered: float = visitor.page.evaluate(
        """() => {
            const box = (name) => document.querySelector(name).getBoundingClientRect();
            const [one, two] = [box(".end"), box(".stage svg.board")];
            const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
            const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
            return Math.max(0, across) * Math.max(0, down);
        }"""
    )
    return covered


def test_the_end_of_every_game_is_seen_on_the_board(visit: Callable[..., Visitor]) -> None:
    """What decided it is marked, what is said stands beside or below it in any room, and is in sight of a phone."""
    ana = visit(size=SIZES[0], touch=True)
    for game in GAMES:
        ana.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        position, (last,) = ending(game, 1)
        ana.begin(game, {"kind": "local"}, QUICK.get(game, {}), position=position)
        ana.play(next(move for move in ana.state()["view"]["moves"] if move["text"] == last), tap=True)
        end, outcome = ana.page.locator(".end"), ana.state()["view"]["outcome"]
        expect(end).to_contain_text(outcome["text"]["pt"])
        expect(end.get_by_role("heading")).to_be_in_viewport()
        assert outcome["cells"], game
        expect(ana.page.locator(".ending")).to_have_count(len(outcome["cells"]))
        for width, height in SIZES:
            ana.page.set_viewport_size({"width": width, "height": height})
            assert overlap(ana) == 0, (game, width)


def test_the_end_is_seen_on_the_board_and_told_beside_or_below_it(visit: Callable[..., Visitor]) -> None:
    """Nothing moves for it, and nothing is said twice."""
    for size in SIZES:
        ana = visit(size=size)
        ana.begin("semaforo", {"kind": "local"}, position="4/4/GG2 1")
        ana.watch_shifts()
        ana.page.reload()
        ana.play(next(move for move in ana.state()["view"]["moves"] if move["text"] == "c1"))
        expect(ana.page.locator(".end")).to_contain_text("em linha")
        expect(ana.page.locator(".ending")).to_have_count(3)
        expect(ana.page.locator('[data-name="b1"]')).to_have_attribute(
            "aria-label", "b1, peça verde, aqui decidiu-se a partida"
        )
        assert overlap(ana) == 0
        ana.page.get_by_role("button", name="Fechar").click()
        expect(ana.page.locator(".end")).to_have_count(0)
        expect(ana.page.locator(".status")).to_contain_text("em linha")


def test_a_tap_that_is_no_move_says_why(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(360, 740), touch=True)
    pupil.begin("ouri", {"kind": "engine", "level": 1})
    pupil.cell(6).tap()
    expect(pupil.page.locator(".why")).to_have_text("A casa A é do Norte, e agora joga o Sul.")
    expect(pupil.page.locator(".shaken")).to_have_count(1)
    pupil.play(choose(pupil.state(), 1), tap=True)
    expect(pupil.page.locator(".why")).to_have_text("")


#: By game: a position, the cells touched, and what is said then.
NO_MOVES: dict[str, tuple[str | None, str, str]] = {
    "avanco": (None, "d1", "A peça em d1 não tem para onde avançar."),
    "rastros": (None, "a7", "A peça anda uma só casa, para uma das vizinhas."),
    "hex": (
        "11/11/11/11/11/5b5/11/11/11/11/11 w -",
        "f6",
        "A casa f6 já está ocupada, e as peças não saem de onde estão.",
    ),
    "semaforo": ("4/4/R3 1", "a1", "A peça vermelha em a1 já não se troca"),
    "ouri": ("4,4,4,4,4,4/4,4,4,4,4,4 0-0 S", "A", "A casa A é do Norte, e agora joga o Sul."),
    "konane": (None, "a7", "A peça em a7 não tem saltos"),
    "guerreiros": (None, "d4", "Primeiro coloca-se o rei"),
    "abalone": (None, "A1 E1", "Os berlindes andam uma só casa de cada vez."),
}


def test_in_every_game_a_tap_that_is_no_move_says_why(visit: Callable[..., Visitor]) -> None:
    assert list(NO_MOVES) == list(GAMES)
    pupil = visit(size=(390, 844), touch=True)
    hand, why = Hand(pupil), pupil.page.locator(".why")
    for game, (position, tapped, words) in NO_MOVES.items():
        pupil.begin(game, {"kind": "local"}, position=position)
        names = [cell["name"] for cell in pupil.state()["geometry"]["cells"]]
        for name in tapped.split():
            pupil.page.touchscreen.tap(*hand.middle(names.index(name)))
        expect(why).to_contain_text(words)
        expect(why).to_be_in_viewport()
        assert pupil.state()["history"] == []


def test_ouri_is_followed_seed_by_seed(visit: Callable[..., Visitor]) -> None:
    """Turn and score change when the seeds have arrived, the last move shows where it ended."""
    pupil = visit(moving=True)
    pupil.begin("ouri", {"kind": "local"}, position="4,4,4,4,4,4/1,4,4,4,4,4 3-0 S")
    bar, turn = pupil.page.locator('[data-player="1"]'), pupil.page.locator(".bar.active")
    pupil.cell(2).click()
    pupil.wait_for_moves(1)
    # The server knows the capture of A, the board is still sowing.
    assert pupil.state()["view"]["score"] == [5, 0]
    expect(bar.locator(".score")).to_contain_text("3")
    expect(turn).to_have_attribute("data-player", "1")
    expect(pupil.page.locator(".taken")).to_have_count(1)
    expect(bar.locator(".score")).to_contain_text("5")
    expect(turn).to_have_attribute("data-player", "2")
    expect(pupil.page.locator(".last")).to_have_count(2)
    expect(pupil.page.locator(".owner")).to_have_text(["Sul", "Norte"])
    expect(pupil.page.locator(".count", has_text="Sul")).to_have_text("Sul 5")


#: Looks at every frame whether the page says that it is somebody's turn while nothing can be played.
WATCH_TURNS = """() => {
    window.frames_seen = { moving: 0, early: [] };
    const look = () => {
        const board = document.querySelector('[role="grid"]');
        if (board?.getAttribute("aria-readonly") === "true") {
            frames_seen.moving += 1;
            const said = [...document.querySelectorAll(".turn, .guide > div:not(.away) .now, [aria-live], title")]
                .map(({ textContent }) => textContent).filter((text) => text.includes("É a tua vez"));
            if (said.length) frames_seen.early.push(...said);
        }
        requestAnimationFrame(look);
    };
    look();
}"""


def test_the_turn_is_said_when_one_may_move(visit: Callable[..., Visitor]) -> None:
    """In the bar, the guide, the title and to screen readers, while seeds travel and while pieces do."""
    pupil = visit(size=(390, 844), touch=True, moving=True)
    for game in ("ouri", "avanco"):
        pupil.begin(game, {"kind": "engine", "level": 1})
        turn = pupil.page.locator(".turn", has_text="É a tua vez")
        expect(turn).to_have_count(1)
        expect(pupil.page).to_have_title(re.compile("É a tua vez"))
        pupil.page.evaluate(WATCH_TURNS)
        pupil.play(choose(pupil.state(), 1), tap=True)
        pupil.wait_for_moves(2)
        expect(turn).to_have_count(1)
        expect(pupil.board).to_have_attribute("aria-readonly", "false")
        expect(pupil.page).to_have_title(re.compile("É a tua vez"))
        seen = pupil.page.evaluate("frames_seen")
        assert seen["moving"] > 0 and seen["early"] == [], game


@pytest.mark.parametrize("way", ["touch", "keys"])
def test_what_is_chosen_while_seeds_travel_is_shown_and_played(visit: Callable[..., Visitor], way: str) -> None:
    pupil = visit(size=(390, 844), touch=True, moving=True)
    # Seeds travel as far as the test lets time go on.
    pupil.page.clock.install(time=0)
    pupil.page.clock.pause_at(1000)
    pupil.begin("ouri", {"kind": "local"})
    hand, planned = Hand(pupil), pupil.page.locator(".planned")

    def pick(cell: int) -> None:
        if way == "touch":
            pupil.page.touchscreen.tap(*hand.middle(cell))
        else:
            hand.walk_to(cell)
            pupil.page.keyboard.press("Enter")

    pick(2)
    pupil.wait_for_moves(1)
    # Four seeds are on their way: North chooses E, thinks better of it, and chooses D.
    for cell, count in ((10, 1), (10, 0), (10, 1), (9, 1)):
        pick(cell)
        expect(planned).to_have_count(count)
    expect(pupil.cell(9).locator("..")).to_have_attribute("aria-label", "D, 4 sementes, já escolhida")
    expect(pupil.page.locator(".turn")).to_have_count(0)
    assert len(pupil.state()["history"]) == 1
    pupil.page.clock.run_for(2300)
    pupil.wait_for_moves(2)
    assert [move["text"] for move in pupil.state()["history"]] == ["c", "D"]
    expect(planned).to_have_count(0)
    # A touch that can mean no move ends the wait, and does no more.
    expect(pupil.board).to_have_attribute("aria-readonly", "true")
    pick(10)
    expect(pupil.board).to_have_attribute("aria-readonly", "false")
    expect(pupil.page.locator(".turn", has_text="É a tua vez")).to_have_count(1)
    assert len(pupil.state()["history"]) == 2
    expect(pupil.page.locator(".why")).to_have_text("")


def test_what_is_collected_at_the_end_is_in_the_stores(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(390, 844))
    pupil.begin("ouri", {"kind": "local"}, position="0,0,0,0,0,2/0,0,0,0,0,0 24-22 N")
    state = pupil.state()
    if state["status"] != "over":
        pupil.play(choose(state, 1))
    end = pupil.state()["view"]["outcome"]
    stores = [f"{name} {points}" for name, points in zip(("Sul", "Norte"), end["score"], strict=True)]
    expect(pupil.page.locator(".count")).to_have_text(stores)


def test_a_first_game_is_explained_until_it_is_switched_off(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(390, 844), touch=True)
    pupil.begin("avanco", {"kind": "local"})
    guide = pupil.page.get_by_role("region", name="Primeira partida")
    said = guide.locator("div:not(.away) .now")
    expect(said).to_contain_text("toca no que brilha")
    pupil.cell(8).tap()
    expect(said).to_contain_text("toca num destino")
    guide.get_by_role("button").tap()
    expect(guide).to_have_count(0)
    pupil.page.reload()
    expect(pupil.board).to_be_visible()
    expect(guide).to_have_count(0)
    pupil.page.get_by_role("button", name="Ajudas").tap()
    expect(guide).to_be_visible()


def test_the_swap_is_explained_when_offered_and_when_done(visit: Callable[..., Visitor]) -> None:
    ana, rui = visit(size=(360, 740)), visit()
    sit_down(rui, invite(ana, "hex"))
    ana.play(next(move for move in ana.state()["view"]["moves"] if move["text"] == "f6"))
    expect(rui.page.get_by_text("Ficas com esta peça")).to_be_visible()
    rui.page.get_by_role("button", name="Trocar de cores").click()
    expect(ana.page.get_by_text("trocou de cores: agora jogas com as Negras.").first).to_be_visible()


def test_names_offers_typed_moves_and_plans_between_people(visit: Callable[..., Visitor]) -> None:
    ana, rui = visit(), visit()
    address = invite(ana, "abalone")
    rui.page.goto(address)
    rui.page.get_by_label("O teu nome no jogo").fill("Rui")
    rui.page.get_by_role("button", name="Entrar na partida").click()
    # A name that is typed is kept without being saved.
    expect(ana.page.locator('[data-player="2"]')).to_contain_text("Rui")
    # Who has sat down is not yet there: until then the page still changes.
    expect(ana.page.locator('[data-player="2"]')).not_to_contain_text("ausente")
    ana.page.get_by_text("Mais", exact=True).click()
    field = ana.page.get_by_label("Escrever uma jogada")
    field.fill("A1B2")
    place = field.bounding_box()
    field.press("Enter")
    ana.wait_for_moves(1)
    # The field stays where it is, with its focus, while the other side thinks.
    expect(field).to_be_focused()
    assert field.bounding_box() == place
    ana.page.get_by_role("button", name="Voltar atrás").click()
    rui.page.get_by_role("button", name="Recusar").click()
    expect(ana.page.get_by_text("Rui não aceitou voltar atrás.")).to_be_visible()
    # A move planned while the other side thinks is made when the turn comes.
    ana.page.evaluate("localStorage.setItem('tabuleiro.premove', 'on')")
    ana.page.reload()
    names = [cell["name"] for cell in ana.state()["geometry"]["cells"]]
    for name in ("B1", "C1"):
        ana.cell(names.index(name)).click()
    expect(ana.page.locator(".planned")).to_have_count(2)
    rui.play(choose(rui.state(), 1))
    ana.wait_for_moves(3)
    assert ana.state()["history"][2]["text"] == "B1C1"


def test_the_board_in_words(ana: Visitor) -> None:
    ana.begin("avanco", {"kind": "local"}, position="7/7/7/2b4/3w3/7/w6 w")
    page, spoken = ana.page, ana.page.locator("[aria-live=polite]")
    page.get_by_text("Mais", exact=True).click()
    page.get_by_text("As minhas jogadas").click()
    expect(page.get_by_text("a1: a2, b2")).to_be_visible()
    page.get_by_text("O que está em perigo").click()
    expect(page.get_by_text("Podem ser capturadas já: d3.")).to_be_visible()
    ana.cell(17).click()
    expect(spoken.nth(1)).to_have_text("Escolhido: d3. Destinos: c4, d4, e4.")
    ana.cell(23).click()
    expect(spoken.first).to_contain_text("Capturas: 1, peça negra.")
    expect(page.locator('[data-player="1"] .lost')).to_have_text("×1")


def test_the_list_of_moves_follows_the_game(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(360, 740), touch=True)
    moves = "f4 g5 g4 g3 f2 g1 f1 g2 f3 e3 d4 d5 c6 c5 b4 b5"
    identity = pupil.finish("rastros", moves.split())
    pupil.go(f"/g/{identity}")
    pupil.wait_for_moves(16)
    last = pupil.moves_shown.nth(15)
    box, frame = last.bounding_box(), pupil.page.locator(".moves ol").bounding_box()
    assert box and frame
    assert frame["y"] - 1 <= box["y"] and box["y"] + box["height"] <= frame["y"] + frame["height"] + 1


def test_a_short_clock_is_not_red_from_the_start(ana: Visitor) -> None:
    ana.begin("semaforo", {"kind": "local"}, clock={"kind": "move", "seconds": 15})
    expect(ana.page.get_by_role("timer").first).to_be_visible()
    expect(ana.page.locator(".clock.short")).to_have_count(0)
