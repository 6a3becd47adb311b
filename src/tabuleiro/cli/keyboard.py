"""What keys do to a game being played: the cursor, the line being typed, the buttons. Knows no terminal."""

from dataclasses import dataclass

from tabuleiro.cli.session import Session
from tabuleiro.core import Move
from tabuleiro.geometry import Cell, Geometry, Point

#: The keys that are not characters, by name. Anything else pressed is the character itself.
UP, DOWN, LEFT, RIGHT = "up", "down", "left", "right"
ENTER, ESCAPE, TAB, BACKSPACE, END_OF_INPUT = "enter", "escape", "tab", "backspace", "end"
ARROWS: dict[str, Point] = {UP: (0, -1), DOWN: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}


@dataclass
class Keyboard:
    session: Session
    cursor: Cell = 0
    typed: str = ""
    #: The button that Enter would press, when Tab has chosen one.
    button: Move | None = None

    def __post_init__(self) -> None:
        self.cursor = min(self.session.next_cells(), default=0)

    def press(self, key: str) -> None:
        if key == END_OF_INPUT:
            self.session.left = True
        elif key in ARROWS:
            self.button = None
            self.cursor = step(level_places(self.session.position.geometry), self.cursor, ARROWS[key])
        elif key == ESCAPE:
            self._clear()
        elif key == BACKSPACE:
            self.typed = self.typed[:-1]
        elif key == TAB:
            self._next_button()
        elif key == ENTER or (key == " " and not self.typed and self.session.answer is None):
            self._enter()
        elif key == "?" and not self.typed:
            self.session.submit("?")
        elif key.isprintable() and len(key) == 1:
            self.typed += key

    def _clear(self) -> None:
        self.typed = ""
        self.button = None
        self.session.picked = ()
        self.session.message = ""
        self.session.answer = None

    def _next_button(self) -> None:
        buttons = self.session.buttons()
        if not buttons:
            self.button = None
        elif self.button in buttons:
            following = buttons.index(self.button) + 1
            self.button = buttons[following] if following < len(buttons) else None
        else:
            self.button = buttons[0]

    def _enter(self) -> None:
        if self.typed or self.session.answer is not None:
            line, self.typed = self.typed, ""
            self.session.submit(line)
        elif self.button is not None:
            button, self.button = self.button, None
            self.session.play(button)
        else:
            self.session.pick(self.cursor)


def level_places(geometry: Geometry) -> list[Point]:
    """Where the cells lie when every rank is a level row, as terminals show them: column and row."""
    return [level(geometry, centre) for centre in geometry.centres]


def level(geometry: Geometry, point: Point) -> Point:
    """A point of a drawing, moved as its rank is made level."""
    x, y = point
    if geometry.kind == "rhombus":
        # A picture shows the ranks of the rhombus aslant. Letters and numbers, from the coordinates of the picture:
        letter, number = x / 3**0.5 - y, x / 3**0.5 + y
        return (letter + number / 2, number)
    if geometry.kind == "hexagon":
        return (x, y * 2 / 3**0.5)
    return (x, y)


def step(places: list[Point], cell: Cell, towards: Point) -> Cell:
    """The cell nearest to this one in a direction (right is (1, 0), down is (0, 1)); itself at the rim.

    Where two cells are equally near, as on hexagons, up takes the left one and down the right one, so that going up
    and down again comes back.
    """
    x, y = places[cell]
    across, along = towards

    def effort(other: Cell) -> tuple[float, float]:
        dx, dy = places[other][0] - x, places[other][1] - y
        forward = dx * across + dy * along
        aside = dy * across - dx * along
        if forward < 0.1 or abs(aside) > 1.5 * forward:
            return (float("inf"), 0)
        return (round(forward + 2 * abs(aside), 6), aside)

    best = min(range(len(places)), key=effort)
    return best if effort(best)[0] < float("inf") else cell
