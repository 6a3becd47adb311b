"""Every game is played in every way that hands know; the table of games and ways stands at the end of the output."""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from browser.site import Visitor, short_game
from browser.test_games import LINES, QUICK
from browser.ways import WAYS, Hand, play
from tabuleiro.games import GAMES
from tabuleiro.record import Game

PHONE, DESK = (360, 740), (1366, 768)
#: Where each way is at home.
HOMES = {"touch": PHONE, "taps": PHONE, "mouse": DESK, "keys": DESK}


def ending(game: str, plies: int) -> tuple[str, list[str]]:
    """A position some plies before the end of a game, and the moves to it."""
    options = QUICK.get(game, {})
    line = LINES[game].split() if game in LINES else short_game(game, options)
    rules = GAMES[game]
    played = Game(rules.start(rules.options_type.parse(options)))
    for text in line[:-plies]:
        played.play(played.position.parse_move(text))
    return str(played.position), line[-plies:]


def play_the_end(
    visit: Callable[..., Visitor],
    record: Callable[[str, object], None],
    way: str,
    size: tuple[int, int],
    plies: int,
    games: Sequence[str] = tuple(GAMES),
) -> None:
    visitor = visit(size=size, touch=way in ("touch", "taps"))
    hand = Hand(visitor)
    device = "phone" if size == PHONE else "desk"
    for game in games:
        position, line = ending(game, plies)
        visitor.begin(game, {"kind": "local"}, QUICK.get(game, {}), position=position)
        for text in line:
            play(hand, way, text)
        expect(visitor.page.locator(".end")).to_be_visible()
        record("played", (game, way, device, len(line)))


@pytest.mark.parametrize("way", WAYS)
def test_all_games_are_played_to_their_end(
    visit: Callable[..., Visitor], record_property: Callable[[str, object], None], way: str
) -> None:
    """Each game by two ways; by all of them, on every device, in the long run."""
    games = [*GAMES][[*WAYS].index(way) % 2 :: 2]
    play_the_end(visit, record_property, way, HOMES[way], 2, games)


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("way", WAYS)
def test_all_games_are_played_to_their_end_on_every_device(
    visit: Callable[..., Visitor], record_property: Callable[[str, object], None], way: str, size: tuple[int, int]
) -> None:
    play_the_end(visit, record_property, way, size, plies=10)


def scrolled(visitor: Visitor) -> float:
    offset: float = visitor.page.evaluate("scrollY")
    return offset


@pytest.mark.parametrize(
    ("game", "begin", "end"),
    [
        ("avanco", "d2", "d3"),  # a piece goes
        ("abalone", "C5", "D5"),  # a marble goes
        ("rastros", "e5", "e4"),  # the marker is pulled to its target
        ("ouri", "c", "d"),  # seeds are pulled along their way
    ],
)
def test_a_dragging_finger_moves_the_piece_and_not_the_page(
    visit: Callable[..., Visitor], game: str, begin: str, end: str
) -> None:
    pupil = visit(size=(360, 740), touch=True)
    pupil.begin(game, {"kind": "local"})
    hand = Hand(pupil)
    names = [cell["name"] for cell in pupil.state()["geometry"]["cells"]]
    x, y = hand.middle(names.index(begin))
    # A long pull to nowhere moves neither piece nor page.
    hand.finger((x, y), (x, max(5.0, y - 320)))
    assert (scrolled(pupil), pupil.state()["history"]) == (0, [])
    hand.finger((x, y), hand.middle(names.index(end)))
    pupil.wait_for_moves(1)
    assert scrolled(pupil) == 0


def test_a_finger_on_empty_ground_scrolls(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(360, 740), touch=True)
    hand = Hand(pupil)
    for game, name in (("avanco", "d4"), ("hex", "f6"), ("semaforo", "b2"), ("abalone", "E5")):
        pupil.begin(game, {"kind": "local"})
        names = [cell["name"] for cell in pupil.state()["geometry"]["cells"]]
        x, y = hand.middle(names.index(name))
        hand.finger((x, y), (x, y - 150))
        pupil.page.wait_for_function("scrollY > 40")
        assert pupil.state()["history"] == []


def names_of(visitor: Visitor) -> Callable[[str], int]:
    names = [cell["name"] for cell in visitor.state()["geometry"]["cells"]]
    return names.index


def test_abalone_is_played_in_any_natural_way(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(390, 844), touch=True)
    hand = Hand(pupil)
    for touched, move in (
        ("A1 B2", "A1B2"),  # the last marble of a row, and the next one: as it is written
        ("C4 C3", "C4C3"),  # two of the three, to the left
        ("A1 D4", "A1B2"),  # the last marble of a row, and the cell in front of it
        ("C3 A1 D4", "A1B2"),  # its ends
        ("C3 B2 D4", "B2C3"),  # two marbles that cannot go that way, and then where they go
        ("C5 C3 D6", "C3C5D4"),  # a row of three sideways, by its ends
        ("~ C5 C4 C3 D3", "C3C5D3"),  # marble by marble, after the button
        ("~ C4 C5 D6", "C4C5D5"),  # two of them sideways
        ("C4 D4", "C4D4"),  # one marble
    ):
        pupil.begin("abalone", {"kind": "local"})
        cell = names_of(pupil)
        for name in touched.split():
            assert pupil.state()["history"] == []
            if name == "~":
                hand.sideways.tap()
            else:
                pupil.page.touchscreen.tap(*hand.middle(cell(name)))
        pupil.wait_for_moves(1)
        assert pupil.state()["history"][0]["text"] == move, touched


def test_abalone_asks_which_way_and_never_plays_by_a_wrong_tap(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(390, 844), touch=True)
    pupil.begin("abalone", {"kind": "local"})
    hand, cell = Hand(pupil), names_of(pupil)
    ways = pupil.page.locator(".stage .still .way")

    def tap(*names: str) -> None:
        for name in names:
            pupil.page.touchscreen.tap(*hand.middle(cell(name)))

    tap("C3", "E7")  # far away
    expect(pupil.page.locator('[aria-selected="true"]')).to_have_count(0)
    hand.sideways.tap()
    tap("C4", "C3")
    expect(ways).to_have_count(2)
    tap("D4")  # C3 or C4 may be meant to go there
    expect(ways).to_have_count(2)
    assert pupil.state()["history"] == []
    tap("D5")
    pupil.wait_for_moves(1)
    assert pupil.state()["history"][0]["text"] == "C3C4D4"
    # The button is for one move.
    expect(hand.sideways).to_have_attribute("aria-pressed", "false")


def test_abalone_pushes_go_by_touch_mouse_and_keys(visit: Callable[..., Visitor]) -> None:
    """The last marble and the next one, or the front one and what it pushes: tapped, dragged, walked to."""
    #: E5 E6 E7 push E8 and E9.
    row = "5/6/7/8/4bbbww/8/7/6/5 b 0-0"
    pair = "5/6/7/8/6bbw/8/7/6/5 b 0-0"
    for position, begin, end, move in (
        (row, "E5", "E6", "E5E6"),
        (pair, "E7", "E8", "E7E8"),
        (pair, "E8", "E9", "E7E8"),
    ):
        for way in ("tap", "finger", "mouse", "keys"):
            pupil = visit(size=PHONE if way in ("tap", "finger") else DESK, touch=way in ("tap", "finger"))
            pupil.begin("abalone", {"kind": "local"}, position=position)
            hand, cell = Hand(pupil), names_of(pupil)
            if way == "finger":
                hand.finger(hand.middle(cell(begin)), hand.middle(cell(end)))
            elif way == "mouse":
                pupil.page.mouse.move(*hand.middle(cell(begin)))
                pupil.page.mouse.down()
                pupil.page.mouse.move(*hand.middle(cell(end)), steps=5)
                pupil.page.mouse.up()
            else:
                for name in (begin, end):
                    if way == "keys":
                        hand.walk_to(cell(name))
                        pupil.page.keyboard.press("Enter")
                    else:
                        pupil.page.touchscreen.tap(*hand.middle(cell(name)))
            pupil.wait_for_moves(1)
            assert pupil.state()["history"][0]["text"] == move, (way, begin)


def test_abalone_rows_are_dragged(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(390, 844), touch=True)
    hand = Hand(pupil)
    for touched, (begin, end), move in (
        (("C3", "C5"), ("C5", "D5"), "C3C5D3"),  # a row of three, by one of its ends
        (("C3",), ("C4", "D4"), "C3C4D3"),  # one is picked, its neighbour takes it along
    ):
        pupil.begin("abalone", {"kind": "local"})
        cell = names_of(pupil)
        for name in touched:
            hand.finger(hand.middle(cell(name)))
        hand.finger(hand.middle(cell(begin)), hand.middle(cell(end)))
        pupil.wait_for_moves(1)
        assert pupil.state()["history"][0]["text"] == move
