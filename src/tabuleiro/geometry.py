"""Boards without games: cells, their names, who touches whom, symmetries, and where to draw them.

A cell is a small integer. `Geometry.names[cell]` is what people call it. Cells are numbered so that
ascending integers read a board rank by rank, which is also the order of bits in `Position.encode()`.
Drawing coordinates have the y axis pointing down (as in SVG) and a distance of one between neighbours.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from math import cos, pi, sin, sqrt
from operator import itemgetter
from typing import Any, Literal, TypeVar

T = TypeVar("T")
Cell = int
Point = tuple[float, float]
Permutation = tuple[Cell, ...]

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Label:
    """A coordinate printed beside the board, or a number that the rules give to a row."""

    text: str
    at: Point
    kind: Literal["coordinate", "row_number"] = "coordinate"


@dataclass(frozen=True)
class Edge:
    """A side of the board that belongs to a colour (Hex)."""

    colour: str
    points: tuple[Point, ...]


@dataclass(frozen=True, eq=False)
class Geometry:
    """One board. Compared by identity: the makers below are cached, so equal boards are the same object."""

    kind: Literal["square", "rhombus", "hexagon", "pits"]
    names: tuple[str, ...]
    centres: tuple[Point, ...]
    #: The cells of each rank, in the order in which position strings list them.
    ranks: tuple[tuple[Cell, ...], ...]
    #: `steps[direction][cell]` is the neighbour that way, or None at the rim.
    steps: dict[str, tuple[Cell | None, ...]]
    #: Named permutations that keep neighbours neighbours: the thing on `cell` goes to `symmetries[name][cell]`.
    symmetries: dict[str, Permutation]
    #: The corners of one cell around its centre; empty for round pits.
    outline: tuple[Point, ...]
    labels: tuple[Label, ...]
    edges: tuple[Edge, ...] = ()
    #: Lines drawn across the board (the middle line of Guerreiros).
    lines: tuple[tuple[Point, Point], ...] = ()
    #: The cells that belong to a colour (the houses and the store of a side of Ouri).
    owned: tuple[tuple[str, tuple[Cell, ...]], ...] = ()

    @cached_property
    def index(self) -> dict[str, Cell]:
        return {name: cell for cell, name in enumerate(self.names)}

    @cached_property
    def neighbours(self) -> tuple[tuple[Cell, ...], ...]:
        """The neighbours of each cell, ascending."""
        return tuple(
            tuple(sorted(target for step in self.steps.values() if (target := step[cell]) is not None))
            for cell in range(len(self.names))
        )

    @cached_property
    def rank_getters(self) -> "tuple[itemgetter[Any], ...]":
        """For each rank, what takes what its cells hold out of a board."""
        return tuple(itemgetter(*rank) for rank in self.ranks)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def rays(self) -> dict[str, tuple[tuple[Cell, ...], ...]]:
        """`rays[direction][cell]` are the cells met by walking that way from a cell until the rim, itself left out."""
        return {way: tuple(_walk(cell, step) for cell in range(len(step))) for way, step in self.steps.items()}


def _walk(cell: Cell, step: tuple[Cell | None, ...]) -> tuple[Cell, ...]:
    met: list[Cell] = []
    following = step[cell]
    while following is not None:
        met.append(following)
        following = step[following]
    return tuple(met)


SQUARE_DIRECTIONS = {
    "n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1),
    "s": (0, -1), "sw": (-1, -1), "w": (-1, 0), "nw": (-1, 1),
}  # fmt: skip


@cache
def square(width: int, height: int, *, fields: bool = False) -> Geometry:
    """Columns a, b, … from the left, rows 1, 2, … from the bottom; a1 is cell 0, b1 cell 1.

    With `fields` a line in the middle parts the board in two fields, and the rows of each are numbered 0, 1, … from
    the rim to the middle, at the right of the board.
    """
    places = [(column, row) for row in range(height) for column in range(width)]
    turns: dict[str, Callable[[int, int], tuple[int, int]]] = {
        "mirror": lambda c, r: (width - 1 - c, r),
        "flip": lambda c, r: (c, height - 1 - r),
        "half_turn": lambda c, r: (width - 1 - c, height - 1 - r),
    }
    if width == height:
        last = width - 1
        turns |= {
            "transpose": lambda c, r: (r, c),
            "antitranspose": lambda c, r: (last - r, last - c),
            "quarter_turn": lambda c, r: (r, last - c),
            "three_quarter_turn": lambda c, r: (last - r, c),
        }
    half = 0.5
    labels = [Label(LETTERS[c], (float(c), float(height) - 0.2)) for c in range(width)]
    labels += [Label(str(r + 1), (-0.8, float(height - 1 - r))) for r in range(height)]
    if fields:
        labels += [
            Label(str(min(r, height - 1 - r)), (width - 0.2, float(height - 1 - r)), "row_number")
            for r in range(height)
        ]
    middle = height / 2 - half
    return Geometry(
        kind="square",
        names=tuple(f"{LETTERS[c]}{r + 1}" for c, r in places),
        centres=tuple((float(c), float(height - 1 - r)) for c, r in places),
        ranks=tuple(tuple(range(r * width, (r + 1) * width)) for r in reversed(range(height))),
        steps=_steps(places, SQUARE_DIRECTIONS),
        symmetries=_permutations(places, turns),
        outline=((-half, -half), (half, -half), (half, half), (-half, half)),
        labels=tuple(labels),
        lines=(((-half, middle), (width - half, middle)),) if fields else (),
    )


#: Hex: (letter, number) steps. Letters run up to the north-east, numbers down to the south-east.
RHOMBUS_DIRECTIONS = {"n": (1, -1), "ne": (1, 0), "se": (0, 1), "s": (-1, 1), "sw": (-1, 0), "nw": (0, -1)}


@cache
def rhombus(size: int) -> Geometry:
    """The Hex board: a1 is the west corner, k1 the north, a11 the south, k11 the east one.

    Black owns the sides of number 1 (north-west) and of the last number (south-east), White those of the last
    letter (north-east) and of letter a (south-west).
    """
    places = [(letter, number) for number in range(size) for letter in range(size)]
    last = size - 1
    across = sqrt(3) / 2
    radius = 1 / sqrt(3)

    def centre(letter: float, number: float) -> Point:
        return ((letter + number) * across, (number - letter) / 2)

    def corner(letter: int, number: int, sixth: int) -> Point:
        x, y = centre(letter, number)
        return (x + radius * cos(sixth * pi / 3), y + radius * sin(sixth * pi / 3))

    def halfway(a: Point, b: Point) -> Point:
        return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)

    # Corners of a flat-topped hexagon by sixths of a turn: 0 east, then clockwise as y points down.
    # The northern edge of the north cell and the southern one of the south cell are shared half and half.
    north = halfway(corner(last, 0, 4), corner(last, 0, 5))
    south = halfway(corner(0, last, 1), corner(0, last, 2))
    up, down = range(size), range(last, -1, -1)
    sides = (
        Edge("black", (*(corner(i, 0, k) for i in up for k in (3, 4)), north)),
        Edge("white", (north, *(corner(last, i, k) for i in up for k in (5, 0)))),
        Edge("black", (*(corner(i, last, k) for i in down for k in (0, 1)), south)),
        Edge("white", (south, *(corner(0, i, k) for i in down for k in (2, 3)))),
    )
    labels = [Label(LETTERS[i], centre(i + 0.05, -1.25)) for i in range(size)]
    labels += [Label(str(i + 1), centre(-1.25, i + 0.05)) for i in range(size)]
    return Geometry(
        kind="rhombus",
        names=tuple(f"{LETTERS[letter]}{number + 1}" for letter, number in places),
        centres=tuple(centre(letter, number) for letter, number in places),
        ranks=tuple(tuple(range(n * size, (n + 1) * size)) for n in range(size)),
        steps=_steps(places, RHOMBUS_DIRECTIONS),
        symmetries=_permutations(
            places,
            {
                "half_turn": lambda letter, number: (last - letter, last - number),
                "transpose": lambda letter, number: (number, letter),
                "antitranspose": lambda letter, number: (last - number, last - letter),
            },
        ),
        outline=tuple((radius * cos(k * pi / 3), radius * sin(k * pi / 3)) for k in range(6)),
        labels=tuple(labels),
        edges=sides,
    )


#: Abalone: (row, number) steps, in an order in which the opposite of direction d is (d + 3) mod 6.
HEXAGON_DIRECTIONS = {"e": (0, 1), "ne": (1, 1), "nw": (1, 0), "w": (0, -1), "sw": (-1, -1), "se": (-1, 0)}


@cache
def hexagon(side: int = 5) -> Geometry:
    """The Abalone board: rows A (bottom) to I (top), numbers along the rows; A1 is cell 0."""
    rows = 2 * side - 1
    places = [(row, number) for row in range(rows) for number in range(rows) if abs(row - number) < side]
    middle = side - 1

    def cube_turn(turns: int, mirrored: bool) -> Callable[[int, int], tuple[int, int]]:
        def turned(row: int, number: int) -> tuple[int, int]:
            # Around the middle cell, q counts steps east and r steps north-east.
            q, r = number - row, row - middle
            if mirrored:
                q, r = q + r, -r
            for _ in range(turns):
                q, r = -r, q + r
            return (r + middle, q + r + middle)

        return turned

    turns = {f"turn{60 * k}": cube_turn(k, mirrored=False) for k in range(1, 6)}
    turns |= {f"mirror{60 * k}": cube_turn(k, mirrored=True) for k in range(6)}
    up = sqrt(3) / 2

    def centre(row: float, number: float) -> Point:
        return (number - row / 2, -row * up)

    row_cells = [tuple(i for i, (row, _) in enumerate(places) if row == wanted) for wanted in range(rows)]
    radius = 1 / sqrt(3)
    labels = []
    for row in range(rows):
        first = places[row_cells[row][0]]
        x, y = centre(*first)
        labels.append(Label(LETTERS[row].upper(), (x - 0.85, y)))
    for number in range(rows):
        lowest = max(0, number - middle)
        x, y = centre(lowest, number)
        labels.append(Label(str(number + 1), (x + 0.45, y + 0.8)))
    return Geometry(
        kind="hexagon",
        names=tuple(f"{LETTERS[row].upper()}{number + 1}" for row, number in places),
        centres=tuple(centre(row, number) for row, number in places),
        ranks=tuple(reversed(row_cells)),
        steps=_steps(places, HEXAGON_DIRECTIONS),
        symmetries=_permutations(places, turns),
        outline=tuple((radius * sin(k * pi / 3), -radius * cos(k * pi / 3)) for k in range(6)),
        labels=tuple(labels),
    )


@cache
def pits() -> Geometry:
    """The Ouri board: houses a-f (South, left to right), A-F (North, from his left), then the stores S and N.

    House numbers 0..11 go round anticlockwise, which is the way of sowing. Each store is at its owner's right.
    """
    south = tuple((float(i), 1.0) for i in range(6))
    north = tuple((float(5 - i), 0.0) for i in range(6))
    stores = ((6.1, 0.5), (-1.1, 0.5))
    around: tuple[Cell | None, ...] = (*((i + 1) % 12 for i in range(12)), None, None)
    back: tuple[Cell | None, ...] = (*((i - 1) % 12 for i in range(12)), None, None)
    labels = [Label("abcdef"[i], (float(i), 1.92)) for i in range(6)]
    labels += [Label("ABCDEF"[i], (float(5 - i), -0.92)) for i in range(6)]
    return Geometry(
        kind="pits",
        names=(*"abcdefABCDEF", "S", "N"),
        centres=(*south, *north, *stores),
        ranks=(tuple(range(6)), tuple(range(6, 12))),
        steps={"next": around, "previous": back},
        symmetries={"half_turn": (*((i + 6) % 12 for i in range(12)), 13, 12)},
        outline=(),
        labels=tuple(labels),
        owned=(("south", (*range(6), 12)), ("north", (*range(6, 12), 13))),
    )


def _steps(places: list[tuple[int, int]], directions: dict[str, tuple[int, int]]) -> dict[str, tuple[Cell | None, ...]]:
    cell_at = {place: cell for cell, place in enumerate(places)}
    return {
        name: tuple(cell_at.get((first + d_first, second + d_second)) for first, second in places)
        for name, (d_first, d_second) in directions.items()
    }


def _permutations(
    places: list[tuple[int, int]], turns: dict[str, Callable[[int, int], tuple[int, int]]]
) -> dict[str, Permutation]:
    cell_at = {place: cell for cell, place in enumerate(places)}
    return {name: tuple(cell_at[turn(*place)] for place in places) for name, turn in turns.items()}


def permute(items: Iterable[T], permutation: Permutation) -> list[T]:
    """What the board holds after everything on cell `c` went to cell `permutation[c]`."""
    source = list(items)
    result = list(source)
    for cell, target in enumerate(permutation):
        result[target] = source[cell]
    return result
