"""The board of the play screen: cells with room for a cursor around them, as large as the terminal allows.

Every cell has a column on each side for a mark: `[x]` is the cursor, `<x>` was picked, `(x)` may be picked next,
`{x}` shows how the game ended.
Colours only repeat what the marks say.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from math import dist

from tabuleiro.cli.keyboard import level, level_places
from tabuleiro.core import Piece, Position
from tabuleiro.geometry import Cell, Edge, Geometry, Point
from tabuleiro.text import PIECES, UNMOVED

#: Rows and columns from one cell to the next, the most comfortable first.
SCALES = ((2, 4), (1, 4), (1, 3), (1, 2))
CURSOR, PICKED, NEXT, ENDING = "[]", "<>", "()", "{}"
#: The sides of a board that belong to a colour.
SIDES = {"white": "▫", "black": "▪"}

#: SGR parameters. Those of the pieces add to what their shapes say.
CURSOR_STYLE, PICKED_STYLE, NEXT_STYLE, LAST_STYLE, ENDING_STYLE = "7", "1;33", "32", "4", "1;35"
DIM, BOLD = "2", "1"
PIECE_STYLES = {"green": "32", "yellow": "33", "red": "31", "white": "1", "south": "1", "north": "36"}


@dataclass(frozen=True)
class Marks:
    cursor: Cell | None = None
    picked: Collection[Cell] = ()
    next: Collection[Cell] = ()
    last: Collection[Cell] = ()
    ending: Collection[Cell] = ()


@dataclass(frozen=True)
class Glyph:
    character: str
    style: str = ""


Page = dict[tuple[int, int], Glyph]


def draw(position: Position, marks: Marks, rows: int, columns: int) -> list[list[Glyph]]:
    """The board in the largest scale that fits that many rows and columns, or the smallest there is."""
    lines: list[list[Glyph]] = []
    for row_pitch, column_pitch in SCALES:
        lines = _lines(_page(position, marks, row_pitch, column_pitch))
        if len(lines) <= rows and max(map(len, lines)) <= columns:
            break
    return lines


def _page(position: Position, marks: Marks, row_pitch: int, column_pitch: int) -> Page:
    geometry, pieces, printed = position.geometry, position.pieces(), position.marks()
    empty = "0" if geometry.kind == "pits" else "·"
    texts = [_cell_text(pieces.get(cell), printed.get(cell, empty)) for cell in range(len(geometry))]
    width = max(map(len, texts))
    column_pitch = max(column_pitch, width + 1)
    if geometry.kind in ("rhombus", "hexagon"):
        column_pitch += column_pitch % 2  # ranks lie half a cell apart

    def place(point: Point) -> tuple[int, int]:
        column, row = level(geometry, point)
        return (round(row * row_pitch), round(column * column_pitch))

    page: Page = {}
    _write_sides(page, geometry, place, column_pitch // 2)
    for (left, y), (right, _) in geometry.lines:
        if row_pitch > 1:  # else there is no row between the ranks
            row, column = place((left, y))
            _write(page, row, column, "╌" * (place((right, y))[1] - column), DIM)
    for label in geometry.labels:
        row, column = place(label.at)
        _write(page, row, column - len(label.text) + 1, label.text, DIM)
    for cell, (x, y) in enumerate(level_places(geometry)):
        row, column = round(y * row_pitch), round(x * column_pitch)
        mark, style = _mark(cell, marks)
        piece = pieces.get(cell)
        own_style = PIECE_STYLES.get(piece.colour, "") if piece else DIM
        if cell in marks.last:
            own_style = f"{own_style};{LAST_STYLE}".strip(";")
        filled = texts[cell].rjust(width) if texts[cell].isdigit() else texts[cell].ljust(width)
        _write(page, row, column, filled, style or own_style)
        if mark:
            _write(page, row, column - 1, mark[0], style)
            _write(page, row, column + width, mark[1], style)
    return page


def _cell_text(piece: Piece | None, empty: str) -> str:
    if piece is None:
        return empty
    glyph = PIECES.get((piece.kind, piece.colour), ("",))[0]
    if not glyph:
        return piece.symbol
    return glyph + (UNMOVED if piece.symbol.endswith(UNMOVED) else "")


def _mark(cell: Cell, marks: Marks) -> tuple[str, str]:
    if cell == marks.cursor:
        return CURSOR, CURSOR_STYLE
    if cell in marks.picked:
        return PICKED, PICKED_STYLE
    if cell in marks.next:
        return NEXT, NEXT_STYLE
    if cell in marks.ending:
        return ENDING, ENDING_STYLE
    return "", ""


def _write_sides(page: Page, geometry: Geometry, place: Callable[[Point], tuple[int, int]], aside: int) -> None:
    """Marks along the sides that belong to a colour: above the first rank, below the last, and beside all."""
    ranks, centres = geometry.ranks, geometry.centres
    sides: list[tuple[list[Cell], int, int]] = [
        (list(ranks[0]), -1, 0),
        (list(ranks[-1]), 1, 0),
        ([rank[0] for rank in ranks], 0, -aside),
        ([rank[-1] for rank in ranks], 0, aside),
    ]
    for cells, down, right in sides if geometry.edges else ():
        middle = _middle([centres[cell] for cell in cells])
        owner = min(geometry.edges, key=partial(_distance, middle)).colour
        for row, column in (place(centres[cell]) for cell in cells):
            page[row + down, column + right] = Glyph(SIDES.get(owner, "-"), DIM)


def _distance(point: Point, edge: Edge) -> float:
    return dist(point, _middle(edge.points))


def _middle(points: Sequence[Point]) -> Point:
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


def _write(page: Page, row: int, column: int, text: str, style: str) -> None:
    for offset, character in enumerate(text):
        page[row, column + offset] = Glyph(character, style)


def _lines(page: Page) -> list[list[Glyph]]:
    rows = [row for row, _ in page]
    columns = [column for _, column in page]
    left = min(columns)
    blank = Glyph(" ")
    lines = []
    for row in range(min(rows), max(rows) + 1):
        right = max((column for r, column in page if r == row), default=left - 1)
        lines.append([page.get((row, column), blank) for column in range(left, right + 1)])
    return lines
