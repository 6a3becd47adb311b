"""The ways in which people make moves: taps, a dragging mouse, a dragging finger, keys."""

from collections.abc import Callable
from itertools import pairwise

from playwright.sync_api import CDPSession, Locator, expect

from browser.site import SIDEWAYS, Json, Visitor, names_several, touches

#: The cell with the focus, and how far a cell is from it, in pixels across and down.
WAY_TO = """(wanted) => {
    const middle = (one) => {
        const { x, y, width, height } = one.querySelector(".reach").getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const here = document.activeElement, [x, y] = middle(here);
    const [to, down] = middle(document.querySelector(wanted));
    return [Number(here.dataset.cell), [to - x, down - y]];
}"""


class Hand:
    """Somebody's hand at a page."""

    #: What holds the board that is played on.
    board = "body"

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self._fingers: CDPSession | None = None

    def cell(self, cell: int) -> str:
        """The selector of a cell: of the one board of the page, or of the one that is played on."""
        return f'{self.board} [data-cell="{cell}"]'

    def middle(self, cell: int) -> tuple[float, float]:
        place = self.page.locator(f"{self.cell(cell)} .reach")
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    @property
    def sideways(self) -> Locator:
        """The button after which pieces are picked together."""
        return self.page.locator(self.board).get_by_role("button", name=SIDEWAYS)

    def board_kind(self) -> str:
        kind: str = self.visitor.state()["geometry"]["kind"]
        return kind

    def finger(self, *way: tuple[float, float]) -> None:
        """A finger comes down, goes along a way and is lifted, as the browser's own gestures see it."""
        fingers = self._fingers = self._fingers or self.page.context.new_cdp_session(self.page)

        def send(kind: str, *points: tuple[float, float]) -> None:
            fingers.send(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
            )

        send("touchStart", way[0])
        for (x0, y0), (x1, y1) in pairwise(way):
            for step in range(1, 6):
                send("touchMove", (x0 + (x1 - x0) * step / 5, y0 + (y1 - y0) * step / 5))
        send("touchEnd")

    # -- ways ---------------------------------------------------------------------------------------------------------

    def taps(self, moves: list[Json], move: Json) -> None:
        """The pieces that travel, the last one first, and then the target."""
        *_, target = touches(moves, move)
        if names_several(move):
            self.sideways.tap()
        pieces = list(dict.fromkeys(reversed(move["clicks"][:-1])))
        for cell in [*pieces, target]:
            self.page.touchscreen.tap(*self.middle(cell))

    def touch(self, moves: list[Json], move: Json) -> None:
        """What travels is dragged with a finger; what is placed is touched with one that trembles."""
        ends = drag_of(moves, move)
        if ends is None:
            x, y = self.middle(move["clicks"][0])
            self.finger((x, y), (x + 3, y + 3))
        else:
            for cell in ends[:-2]:
                self.finger(self.middle(cell))
            self.finger(*(self.middle(cell) for cell in ends[-2:]))

    def mouse(self, moves: list[Json], move: Json) -> None:
        """What travels is dragged; what is placed is slid to its cell from another one."""
        ends = drag_of(moves, move)
        if ends is None:
            elsewhere = [other["clicks"][0] for other in moves if other["clicks"] and other is not move]
            ends = [*elsewhere[:1], *move["clicks"]]
        for cell in ends[:-2]:
            self.page.mouse.click(*self.middle(cell))
        self.page.mouse.move(*self.middle(ends[max(0, len(ends) - 2)]))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(ends[-1]), steps=5)
        self.page.mouse.up()

    def keys(self, moves: list[Json], move: Json) -> None:
        """Cells are walked to with the arrows, along the way that the page's own keys go."""
        if names_several(move):
            self.sideways.focus()
            self.page.keyboard.press("Enter")
        for cell in touches(moves, move):
            self.walk_to(cell)
            self.page.keyboard.press("Enter")

    def walk_to(self, cell: int) -> None:
        self.page.locator(f'{self.board} [data-cell][tabindex="0"]').focus()
        is_hexagonal = self.board_kind() in ("hexagon", "rhombus")
        for _ in range(60):
            here, (across, down) = self.page.evaluate(WAY_TO, self.cell(cell))
            if here == cell:
                return
            if is_hexagonal and abs(down) > 4:
                key = {(True, True): "PageDown", (True, False): "PageUp", (False, True): "End", (False, False): "Home"}[
                    across > 0, down > 0
                ]
            elif abs(across) <= 4 or (abs(down) > 4 and abs(down) >= abs(across)):
                key = "ArrowDown" if down > 0 else "ArrowUp"
            else:
                key = "ArrowRight" if across > 0 else "ArrowLeft"
            self.page.keyboard.press(key)
            if self.page.evaluate(WAY_TO, self.cell(cell))[0] == here:  # the rim: go round the corner
                self.page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
        raise AssertionError(f"no way to {cell}")


WAYS: dict[str, Callable[[Hand, list[Json], Json], None]] = {
    "touch": Hand.touch,
    "mouse": Hand.mouse,
    "taps": Hand.taps,
    "keys": Hand.keys,
}


def drag_of(moves: list[Json], move: Json) -> list[int] | None:
    """The cells to touch before, where a drag begins and where it ends; None for a piece that is placed."""
    if not move["motions"]:
        return None
    if len(move["clicks"]) == 1:
        return list(move["motions"][0])
    if len(move["clicks"]) == 2:
        return list(move["clicks"])
    *pieces, _ = move["clicks"]
    # Of a row the last piece touched is dragged one step, and the others come along.
    return [*pieces, next(to for origin, to in move["motions"] if origin == pieces[-1])]


def play(hand: Hand, way: str, text: str) -> None:
    """Make a move in one of the ways, and see it made."""
    before = hand.visitor.moves_shown.count()
    moves = hand.visitor.state()["view"]["moves"]
    WAYS[way](hand, moves, next(move for move in moves if move["text"] == text))
    expect(hand.visitor.moves_shown.nth(before)).to_have_text(text)
