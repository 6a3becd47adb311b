"""Boards for terminals: a Unicode drawing, or plain ASCII with sentences for screen readers.

Like every drawing here it looks only at the contract and knows no rules: a new game is drawn without a change.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import dist, floor, sqrt
from typing import NamedTuple

from tabuleiro.core import COLOURS, Outcome, Piece, Position, TabuleiroError
from tabuleiro.geometry import Cell, Geometry, Point
from tabuleiro.language import Language, Text

Mark = tuple[str, str]


class Sort(NamedTuple):
    """How one sort of piece is shown and named."""

    sign: str
    several: Text
    one: Text


#: What terminals show for a kind of piece and its colour, and what people call them. The shapes differ, not only
#: the colours. Other pieces show their symbol and go by their colour.
PIECES: dict[tuple[str, str], Sort] = {
    ("man", "white"): Sort("○", COLOURS["white"], Text("peça branca", "white piece")),
    ("man", "black"): Sort("■", COLOURS["black"], Text("peça negra", "black piece")),
    ("stone", "white"): Sort("○", COLOURS["white"], Text("peça branca", "white stone")),
    ("stone", "black"): Sort("●", COLOURS["black"], Text("peça negra", "black stone")),
    ("marble", "white"): Sort("○", COLOURS["white"], Text("berlinde branco", "white marble")),
    ("marble", "black"): Sort("●", COLOURS["black"], Text("berlinde negro", "black marble")),
    ("marker", "white"): Sort("◎", Text("Peça branca", "White piece"), Text("peça branca", "white piece")),
    ("block", "black"): Sort("■", Text("Casas ocupadas", "Blocked cells"), Text("casa ocupada", "blocked cell")),
    ("light", "green"): Sort("●", Text("Verdes", "Green"), Text("peça verde", "green light")),
    ("light", "yellow"): Sort("▲", Text("Amarelas", "Yellow"), Text("peça amarela", "yellow light")),
    ("light", "red"): Sort("■", Text("Vermelhas", "Red"), Text("peça vermelha", "red light")),
    ("king", "south"): Sort("♔", Text("Rei do Sul", "South's king"), Text("rei do Sul", "South's king")),
    ("warrior", "south"): Sort(
        "△", Text("Guerreiros do Sul", "South's warriors"), Text("guerreiro do Sul", "South's warrior")
    ),
    ("king", "north"): Sort("♚", Text("Rei do Norte", "North's king"), Text("rei do Norte", "North's king")),
    ("warrior", "north"): Sort(
        "▼", Text("Guerreiros do Norte", "North's warriors"), Text("guerreiro do Norte", "North's warrior")
    ),
    ("seeds", ""): Sort("", Text("Sementes", "Seeds"), Text("semente", "seed")),
}

#: A symbol that ends with this mark belongs to a piece that has not moved yet.
UNMOVED = "'"

#: The marks around a cell of the last move, and around one where the end of the game is seen.
LAST, ENDING = ("[", "]"), ("{", "}")
OPENING, CLOSING = (LAST[0], ENDING[0]), (LAST[1], ENDING[1])


def draw(
    position: Position,
    *,
    plain: bool = False,
    last: Iterable[Cell] = (),
    outcome: Outcome | None = None,
    flipped: bool = False,
    coordinates: bool = True,
    language: Language = "en",
) -> str:
    """The board as text. `last` marks the cells of the last move, `[x]`; `flipped` shows it from the other side.

    `outcome` is how the game ended, if it did and the position does not show it; where it is seen is marked `{x}`.
    `plain` writes the symbols of position strings, then says in words what stands where and who is to move.
    """
    marked = require_cells(position, last)
    outcome = outcome or position.outcome()
    ending = () if outcome is None else outcome.cells
    marks = {} if plain else dict.fromkeys(marked, LAST) | dict.fromkeys(ending, ENDING)
    turned = -1 if flipped else 1
    board = _pits if position.geometry.kind == "pits" else _cells
    lines = board(position, marks, turned, coordinates, plain)
    if not plain:
        return "\n".join([*lines, *_legend(position, language)])
    geometry = position.geometry
    said = [*_sides(geometry, plain, language), *_row_numbers(geometry, language), *listing(position, language)]
    if marked:
        names = ", ".join(position.geometry.names[cell] for cell in marked)
        said.append(Text(f"Jogada anterior: {names}.", f"Last move: {names}.").to(language))
    if ending:
        names = ", ".join(position.geometry.names[cell] for cell in ending)
        said.append(Text(f"O fim vê-se em: {names}.", f"The end is seen on: {names}.").to(language))
    return "\n".join([*lines, "", *said, describe(position, language, outcome)])


def describe(position: Position, language: Language, outcome: Outcome | None = None) -> str:
    """One line: who is to move, or how the game ended, and the score where the game counts one.

    `outcome` is how the game ended, if it did and the position does not show it.
    """
    return description(position, outcome).to(language)


def description(position: Position, outcome: Outcome | None = None) -> Text:
    """The same in both languages."""
    outcome, score = outcome or position.ended(), position.score_text()
    if outcome is None:
        said = _who_moves(int(position.turn), position.colour(position.turn), position.prompt())
    else:
        said = position.tell_result(outcome)
        score = None if outcome.score else score
    return said if score is None else Text(f"{said.pt} {score.pt}.", f"{said.en} {score.en}.")


@lru_cache(1000)
def _who_moves(player: int, colour: str | None, prompt: Text | None) -> Text:
    named = COLOURS.get(colour or "")
    with_colour = Text("", "") if named is None else Text(f" ({named.pt})", f" ({named.en})")
    more = Text("", "") if prompt is None else Text(f": {prompt.pt}", f": {prompt.en}")
    return Text(
        f"Joga o jogador {player}{with_colour.pt}{more.pt}.", f"Player {player}{with_colour.en} to move{more.en}."
    )


def listing(position: Position, language: Language) -> list[str]:
    """What stands where, in words: a line for each sort of piece, in the order of `PIECES`, and for printed marks."""
    names = position.geometry.names
    groups: dict[tuple[str, str], list[str]] = {}
    unmoved = []
    for cell, piece in sorted(position.pieces().items()):
        entry = f"{names[cell]} {piece.count}" if piece.kind == "seeds" else names[cell]
        groups.setdefault((piece.kind, piece.colour), []).append(entry)
        if piece.symbol.endswith(UNMOVED):
            unmoved.append(names[cell])
    lines = [f"{_sort_name(sort, language)}: {', '.join(groups[sort])}" for sort in _in_order(groups)]
    if unmoved:
        lines.append(Text("Ainda não se moveram", "Not moved yet").to(language) + f": {', '.join(unmoved)}")
    if marks := sorted(position.marks().items()):
        on = Text("em", "on").to(language)
        shown = ", ".join(f"{mark} {on} {names[cell]}" for cell, mark in marks)
        lines.append(Text("Marcas", "Marks").to(language) + f": {shown}")
    return lines


def require_cells(position: Position, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """The cells as given, all of them on the board."""
    given = tuple(cells)
    for cell in given:
        if not 0 <= cell < len(position.geometry):
            raise TabuleiroError(Text(f"este tabuleiro não tem a casa {cell}", f"this board has no cell {cell}"))
    return given


# ------------------------------------------------------------------------------------------------------------ words


def _sort_name(sort: tuple[str, str], language: Language) -> str:
    kind, colour = sort
    if sort in PIECES:
        return PIECES[sort].several.to(language)
    return COLOURS[colour].to(language) if colour in COLOURS else f"{kind} {colour}".strip()


def _in_order(sorts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    order = list(PIECES)
    return sorted(sorts, key=lambda sort: (order.index(sort) if sort in PIECES else len(order), sort))


def _legend(position: Position, language: Language) -> list[str]:
    sorts = _in_order({(piece.kind, piece.colour) for piece in position.pieces().values()})
    known = [f"{PIECES[sort].sign} {_sort_name(sort, language)}" for sort in sorts if PIECES.get(sort, ("",))[0]]
    known += _sides(position.geometry, False, language)
    lines = ["", "   ".join(known)] if known else []
    signs = _row_numbers(position.geometry, language)
    if any(piece.symbol.endswith(UNMOVED) for piece in position.pieces().values()):
        signs.append(UNMOVED + Text(" ainda não se moveu", " has not moved yet").to(language))
    return [*lines, *([] if lines else [""]), "   ".join(signs)] if signs else lines


def _row_numbers(geometry: Geometry, language: Language) -> list[str]:
    """What the numbers beside a board are, where the rules number its rows."""
    numbers = sorted({label.text for label in geometry.labels if label.kind == "row_number"})
    if not numbers:
        return []
    first, last = numbers[0], numbers[-1]
    return [Text(f"{first} a {last}: o número da linha", f"{first} to {last}: the number of the row").to(language)]


def _sides(geometry: Geometry, plain: bool, language: Language) -> list[str]:
    """Which colour the sides of a board belong to."""
    if not geometry.edges:
        return []
    level, slope = ("=", "\\") if plain else ("━━", "╲")
    first_rank = geometry.ranks[0]
    first_file = tuple(rank[0] for rank in geometry.ranks)
    shown = "   ".join(
        f"{mark} {_sort_name(('', _side_colour(geometry, cells)), language)}"
        for mark, cells in ((level, first_rank), (slope, first_file))
    )
    return [Text("Margens", "Sides").to(language) + f": {shown}"]


def _side_colour(geometry: Geometry, cells: tuple[Cell, ...]) -> str:
    middle = _middle([geometry.centres[cell] for cell in cells])
    return min(geometry.edges, key=lambda edge: dist(_middle(edge.points), middle)).colour


def _middle(points: Iterable[Point]) -> Point:
    listed = list(points)
    return (sum(x for x, _ in listed) / len(listed), sum(y for _, y in listed) / len(listed))


# ----------------------------------------------------------------------------------------------------------- boards


class _Page:
    """Characters at rows and columns, which may be negative."""

    def __init__(self) -> None:
        self.characters: dict[tuple[int, int], str] = {}

    def write(self, row: int, column: int, text: str) -> None:
        for offset, character in enumerate(text):
            self.characters[row, column + offset] = character

    def at(self, row: int, column: int) -> str:
        return self.characters.get((row, column), " ")

    def lines(self) -> list[str]:
        rows = [row for row, _ in self.characters]
        columns = [column for _, column in self.characters]
        return [
            "".join(self.at(row, column) for column in range(min(columns), max(columns) + 1)).rstrip()
            for row in range(min(rows), max(rows) + 1)
        ]


#: Where a point of a drawing falls on a page, in (rows, cells): ranks become rows, and a rank of the rhombus,
#: which a picture draws aslant, lies level, half a cell to the right of the rank above it.
_PLACES: dict[str, Callable[[float, float], tuple[float, float]]] = {
    "square": lambda x, y: (y, x),
    "hexagon": lambda x, y: (2 * y / sqrt(3), x),
    "rhombus": lambda x, y: (x / sqrt(3) + y, x * sqrt(3) / 2 - y / 2),
}


def _shown(piece: Piece | None, mark: str, plain: bool) -> str:
    if piece is None:
        return mark or ("." if plain else "·")
    glyph = PIECES.get((piece.kind, piece.colour), ("",))[0]
    if plain or not glyph:
        return piece.symbol
    return glyph + (UNMOVED if piece.symbol.endswith(UNMOVED) else "")


def _cells(position: Position, marked: dict[Cell, Mark], turned: int, coordinates: bool, plain: bool) -> list[str]:
    geometry, pieces, marks = position.geometry, position.pieces(), position.marks()
    shown = [_shown(pieces.get(cell), marks.get(cell, ""), plain) for cell in range(len(geometry))]
    width = max(map(len, shown))
    pitch = width + 1
    if geometry.kind != "square":
        pitch += pitch % 2  # Half a cell must be a whole number of columns.

    def on_page(point: Point) -> tuple[float, float]:
        return _PLACES[geometry.kind](turned * point[0], turned * point[1])

    lines = sorted(on_page(start)[0] for start, _ in geometry.lines)

    def place(point: Point) -> tuple[int, int]:
        row, column = on_page(point)
        # A line across the board takes a row of its own.
        return (round(row) + sum(row > line for line in lines), round(column * pitch))

    page = _Page()
    places = [place(centre) for centre in geometry.centres]
    for cell, (row, column) in enumerate(places):
        page.write(row, column, shown[cell].ljust(width))
    for cell, (left, right) in marked.items():
        row, column = places[cell]
        # Two marked cells side by side share the column between them.
        page.write(row, column - 1, "|" if page.at(row, column - 1) in CLOSING else left)
        page.write(row, column + width, "|" if page.at(row, column + width) in OPENING else right)

    extent: dict[int, tuple[int, int]] = {}
    for row, column in places:
        first, final = extent.get(row, (column, column))
        extent[row] = (min(first, column), max(final, column + width - 1))
    boxed = geometry.kind == "square" and not plain
    if geometry.edges:
        _draw_sides(page, extent, pitch // 2, plain)
    elif boxed:
        _draw_box(page, extent)
    for number, line in enumerate(lines):
        _draw_line(page, floor(line) + 1 + number, extent, boxed)
    if coordinates:
        # Labels keep clear of a frame: a row above and below, columns at the sides.
        clear_row = 1 if boxed or geometry.edges else 0
        clear_columns = 4 if boxed or geometry.edges else 2
        slant = pitch // 2 if geometry.kind == "rhombus" else 0
        for label in geometry.labels:
            row, column = place(label.at)
            if row not in extent:
                away = clear_row if row > max(extent) else -clear_row
                row, column = row + away, column + away * slant
            elif column < extent[row][0]:
                column = extent[row][0] - clear_columns - len(label.text) + 1
            else:
                column = extent[row][1] + clear_columns
            page.write(row, column, label.text)
    return page.lines()


def _draw_box(page: _Page, extent: dict[int, tuple[int, int]]) -> None:
    top, bottom = min(extent), max(extent)
    left, right = extent[top][0] - 2, extent[top][1] + 2
    page.write(top - 1, left, "┌" + "─" * (right - left - 1) + "┐")
    page.write(bottom + 1, left, "└" + "─" * (right - left - 1) + "┘")
    for row in extent:
        page.write(row, left, "│")
        page.write(row, right, "│")


def _draw_line(page: _Page, row: int, extent: dict[int, tuple[int, int]], boxed: bool) -> None:
    left, right = extent[min(extent)]
    across = right - left + 1
    if boxed:
        page.write(row, left - 2, "├" + "─" * (across + 2) + "┤")
    else:
        page.write(row, left, "-" * across)


def _draw_sides(page: _Page, extent: dict[int, tuple[int, int]], slant: int, plain: bool) -> None:
    """The sides of a rhombus: level ones above and below, sloping ones left and right."""
    level, slope = ("=", "\\") if plain else ("━", "╲")
    top, bottom = min(extent), max(extent)
    across = extent[top][1] - extent[top][0] + 1
    page.write(top - 1, extent[top][0] - slant, level * across)
    page.write(bottom + 1, extent[bottom][0] + slant, level * across)
    for row, (left, right) in extent.items():
        page.write(row, left - 2, slope)
        page.write(row, right + 2, slope)


def _pits(position: Position, marked: dict[Cell, Mark], turned: int, coordinates: bool, plain: bool) -> list[str]:
    """Two rows of houses between two stores; every place shows how many seeds lie there."""
    geometry, pieces = position.geometry, position.pieces()

    def from_left(cells: Iterable[Cell]) -> list[Cell]:
        return sorted(cells, key=lambda cell: turned * geometry.centres[cell][0])

    def count(cell: Cell) -> str:
        seeds = f"{pieces[cell].count if cell in pieces else 0:2}"
        left, right = marked.get(cell, (" ", " "))
        return f"{left}{seeds}{right}"

    def names(row: list[Cell]) -> str:
        return margin + " ".join(f"  {geometry.names[cell]} " for cell in row).rstrip()

    upper, lower = (
        from_left(rank) for rank in sorted(geometry.ranks, key=lambda rank: turned * geometry.centres[rank[0]][1])
    )
    left, right = from_left(set(range(len(geometry))) - {*upper, *lower})
    margin = " " * 6
    if plain:
        lines = [
            margin + " ".join(map(count, upper)),
            f"{geometry.names[left]}{count(left)}".ljust(5 * len(upper) + 8) + f"{geometry.names[right]}{count(right)}",
            margin + " ".join(map(count, lower)),
        ]
    else:
        dashes = ["────"] * len(upper)
        lines = [
            "     ┌" + "┬".join(dashes) + "┐",
            "┌────┤" + "│".join(map(count, upper)) + "├────┐",
            f"│{count(left)}├" + "┼".join(dashes) + f"┤{count(right)}│",
            "└────┤" + "│".join(map(count, lower)) + "├────┘",
            "     └" + "┴".join(dashes) + "┘",
        ]
    framed = [names(upper), *lines, names(lower)] if coordinates else lines
    return [line.rstrip() for line in framed]
