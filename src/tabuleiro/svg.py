"""Pictures: any position as one standalone SVG, for notebooks, documents and print.

The drawing looks only at the contract (geometry, pieces, marks, clicks, score) and knows no rules: a new game is drawn
without a change here, with its symbol on a plain disc if its pieces are of a new kind. Colour never stands alone:
whatever differs in colour differs in shape too.

Lengths are in hundredths of the distance between neighbouring cells.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cached_property
from html import escape
from importlib import resources
from math import atan2, cos, degrees, dist, pi, sin, sqrt
from typing import Literal, get_args

from tabuleiro.core import Outcome, Piece, Position, TabuleiroError
from tabuleiro.geometry import Cell, Point
from tabuleiro.language import Language, Text
from tabuleiro.text import UNMOVED, describe, listing, require_cells

Theme = Literal["light", "dark"]

#: Colours and sizes, shared with the pages of the site, whose build makes its style sheet of the same file.
_THEME = json.loads(resources.files("tabuleiro").joinpath("theme.json").read_text("utf-8"))
_SIZES = _THEME["sizes"]

#: Every colour of a picture.
THEMES: dict[Theme, dict[str, str]] = {
    theme: {**_THEME["board"][theme], **_THEME["pieces"]} for theme in get_args(Theme)
}

#: Colours whose pieces carry a ring and whose sides carry studs, to be told from the others without seeing colour.
RINGED: tuple[str, ...] = tuple(_THEME["ringed"])

FONT = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
UNIT = 100.0
HOUSE: float = _SIZES["house"]
STORE: tuple[float, float] = tuple(_SIZES["store"])
#: How far the playing area reaches beyond the outermost points of its cells, and how round a frame's corners are.
TRAY: dict[str, float] = _SIZES["tray"]
CORNER: dict[str, float] = _SIZES["corner"]
#: Labels are at most so large, and elsewhere a share of the board, so that they can be read on boards of all sizes; the
#: frame leaves them room, in their own size.
LABEL: dict[str, float] = _SIZES["label"]
#: The plate with the number of seeds: its height, the size of the number, the length of its ends and of a digit, and
#: how far from the house it lies.
PLATE: dict[str, float] = _SIZES["plate"]


def draw(
    position: Position,
    *,
    last: Iterable[Cell] = (),
    outcome: Outcome | None = None,
    legal: bool = False,
    highlights: Iterable[Cell] = (),
    arrows: Iterable[tuple[Cell, Cell]] = (),
    numbers: Iterable[Cell] = (),
    dominoes: Iterable[tuple[Cell, Cell]] = (),
    regions: Iterable[tuple[Iterable[Cell], str]] = (),
    values: Iterable[tuple[Cell, str]] = (),
    flipped: bool = False,
    theme: Theme = "light",
    coordinates: bool = True,
    width: int = 480,
    language: Language = "en",
) -> str:
    """The position as an SVG document, `width` pixels wide.

    `last` are the cells of the last move (its `clicks`). `outcome` is how the game ended, if it did and the position
    does not show it; where it is seen is ringed. `legal` shows the cells a move may begin with: a dot on an
    empty cell, a ring around a piece. `numbers` are cells that get a number, from 1 on; `dominoes` cover two cells
    each, `regions` are groups of cells with a short text or none, `values` short texts on cells. `flipped` turns the
    board by half a turn; letters stay upright.
    """
    if theme not in get_args(Theme):
        known = ", ".join(get_args(Theme))
        raise TabuleiroError(Text(f"os temas são: {known}", f"the themes are: {known}"))
    if width < 1:
        raise TabuleiroError(Text("a largura deve ser positiva", "the width must be positive"))
    outcome = outcome or position.outcome()
    ending = () if outcome is None else outcome.cells
    last, highlights, arrows, numbers = tuple(last), tuple(highlights), tuple(arrows), tuple(numbers)
    dominoes, values = tuple(dominoes), tuple(values)
    zones = tuple((tuple(cells), label) for cells, label in regions)
    groups = (last, ending, highlights, numbers, *arrows, *dominoes, *(cells for cells, _ in zones))
    require_cells(position, (*(cell for group in groups for cell in group), *(cell for cell, _ in values)))
    # Different pictures have different ids, so that several can stand on one page.
    shown = (position.id, str(position), position.options, last, outcome, legal, highlights, arrows, numbers)
    given = (*shown, dominoes, zones, values, flipped, theme, coordinates, width, language)
    prefix = "t" + hashlib.sha256(repr(given).encode()).hexdigest()[:10]
    picture = _Picture(position, flipped, THEMES[theme], prefix)
    body = [
        picture.board(coordinates),
        picture.tints(last, "last"),
        picture.tints(highlights, "highlight"),
        picture.marks(),
        picture.regions(zones),
        *(picture.domino(*pair) for pair in dominoes),
        picture.pieces(),
        picture.beginnings() if legal else "",
        *(picture.arrow(*arrow) for arrow in arrows),
        picture.rings(ending),
        picture.numbers(numbers),
        *(picture.coin(picture.innermost(cells), label, "region-label") for cells, label in zones if label and cells),
        *(picture.coin(cell, text, "value") for cell, text in values),
        picture.labels() if coordinates else "",
        picture.score(language),
    ]
    x0, y0, x1, y1 = picture.bounds
    height = max(1, round(width * (y1 - y0) / (x1 - x0)))
    title = _xml(position.name.to(language))
    said = _xml(
        " ".join([describe(position, language, outcome), *(f"{line}." for line in listing(position, language))])
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_n(x0)} {_n(y0)} {_n(x1 - x0)} {_n(y1 - y0)}"'
        f' width="{width}" height="{height}" role="img" lang="{language}"'
        f' aria-labelledby="{prefix}-title {prefix}-desc" font-family="{FONT}">\n'
        f'<title id="{prefix}-title">{title}</title>\n<desc id="{prefix}-desc">{said}</desc>\n'
        f"<defs>\n{''.join(picture.definitions.values())}</defs>\n{''.join(body)}</svg>\n"
    )


class _Picture:
    """One drawing in the making. Shapes used more than once are defined on first use."""

    def __init__(self, position: Position, flipped: bool, colours: dict[str, str], prefix: str) -> None:
        self.position = position
        self.geometry = position.geometry
        self.turned = -UNIT if flipped else UNIT
        self.colours = colours
        self.prefix = prefix
        self.definitions: dict[str, str] = {}
        self.bounds = (0.0, 0.0, 0.0, 0.0)
        self.stores = set(range(len(self.geometry))) - {cell for rank in self.geometry.ranks for cell in rank}
        self.is_round = self.geometry.kind in ("hexagon", "pits")
        points = [point for cell in range(len(self.geometry)) for point in self.reach(cell)]
        self.inside = _box(points) if self.geometry.kind in ("square", "pits") else _hull(points)
        across, down = ([point[axis] for point in self.inside] for axis in (0, 1))
        self.label_size = min(LABEL["largest"], LABEL["share"] * max(max(across) - min(across), max(down) - min(down)))
        xs = [x for x, _ in self.geometry.centres]
        ys = [y for _, y in self.geometry.centres]
        self.middle = self.at(((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2))

    # -- ink --------------------------------------------------------------------------------------------------------

    def define(self, name: str, markup: str) -> str:
        """The id of a definition; `markup` first holds `{id}` where the id belongs."""
        self.definitions.setdefault(name, markup.replace("{id}", f"{self.prefix}-{name}", 1) + "\n")
        return f"{self.prefix}-{name}"

    def known(self, colour: str) -> str:
        """A colour that has a light side, a shade and an edge."""
        return colour if {colour, f"{colour}_shade", f"{colour}_edge"} <= self.colours.keys() else "plain"

    def ball(self, colour: str) -> str:
        """A paint that makes a disc look round, lit from the upper left."""
        light, shade = self.colours[colour], self.colours[f"{colour}_shade"]
        return self.paint(
            f"ball-{colour}",
            f'<radialGradient id="{{id}}" cx=".36" cy=".3" r=".78"><stop offset="0" stop-color="{light}"/>'
            f'<stop offset=".45" stop-color="{light}" stop-opacity=".97"/>'
            f'<stop offset="1" stop-color="{shade}"/></radialGradient>',
        )

    def glass(self, colour: str) -> str:
        """A paint for marbles: a bright side, a dark body, and light that comes through at the far rim."""
        light, shade = self.colours[colour], self.colours[f"{colour}_shade"]
        return self.paint(
            f"glass-{colour}",
            f'<radialGradient id="{{id}}" cx=".34" cy=".28" r=".8"><stop offset="0" stop-color="{light}"/>'
            f'<stop offset=".3" stop-color="{light}"/><stop offset=".78" stop-color="{shade}"/>'
            f'<stop offset="1" stop-color="{light}"/></radialGradient>',
        )

    def slope(self, colour: str) -> str:
        """A paint for a flat face, lighter above."""
        light, shade = self.colours[colour], self.colours[f"{colour}_shade"]
        return self.paint(
            f"slope-{colour}",
            f'<linearGradient id="{{id}}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{light}"/>'
            f'<stop offset="1" stop-color="{shade}"/></linearGradient>',
        )

    def hollow(self) -> str:
        """A paint that makes a disc look like a hole."""
        light, shade = self.colours["hole"], self.colours["hole_shade"]
        return self.paint(
            "hollow",
            f'<radialGradient id="{{id}}" cx=".55" cy=".68" r=".72"><stop offset="0" stop-color="{light}"/>'
            f'<stop offset="1" stop-color="{shade}"/></radialGradient>',
        )

    def shadow(self, radius: float) -> str:
        paint = self.paint(
            "shadow",
            f'<radialGradient id="{{id}}"><stop offset=".6" stop-color="{self.colours["shadow"]}" stop-opacity=".5"/>'
            f'<stop offset="1" stop-color="{self.colours["shadow"]}" stop-opacity="0"/></radialGradient>',
        )
        return f'<circle cx="3" cy="6" r="{_n(radius * 1.12)}" fill="{paint}"/>'

    def shine(self, x: float, y: float, rx: float, ry: float) -> str:
        paint = self.paint(
            "shine",
            f'<radialGradient id="{{id}}"><stop offset="0" stop-color="{self.colours["shine"]}" stop-opacity=".9"/>'
            f'<stop offset="1" stop-color="{self.colours["shine"]}" stop-opacity="0"/></radialGradient>',
        )
        return (
            f'<ellipse cx="{_n(x)}" cy="{_n(y)}" rx="{_n(rx)}" ry="{_n(ry)}" transform="rotate(-32 {_n(x)} {_n(y)})"'
            f' fill="{paint}"/>'
        )

    def paint(self, name: str, markup: str) -> str:
        return f"url(#{self.define(name, markup)})"

    # -- the board --------------------------------------------------------------------------------------------------

    def at(self, point: Point) -> Point:
        return (point[0] * self.turned, point[1] * self.turned)

    def centre(self, cell: Cell) -> Point:
        return self.at(self.geometry.centres[cell])

    def corners(self, cell: Cell, scale: float = 1.0) -> list[Point]:
        x, y = self.centre(cell)
        return [(x + dx * UNIT * scale, y + dy * UNIT * scale) for dx, dy in self.geometry.outline]

    def reach(self, cell: Cell) -> list[Point]:
        """The outermost points of a cell that the board must hold."""
        x, y = self.centre(cell)
        match self.geometry.kind:
            case "hexagon":
                return [(x, y)]
            case "pits":
                rx, ry = STORE if cell in self.stores else (HOUSE, HOUSE)
                return [(x - rx, y - ry), (x + rx, y + ry)]
            case _:
                return self.corners(cell)

    def shape(self, cell: Cell, scale: float = 1.0) -> str:
        """The cell's own shape as the beginning of an element, still to be painted and closed."""
        x, y = self.centre(cell)
        if cell in self.stores:
            rx, ry = STORE[0] * scale, STORE[1] * scale
            return f'<rect x="{_n(x - rx)}" y="{_n(y - ry)}" width="{_n(2 * rx)}" height="{_n(2 * ry)}" rx="{_n(rx)}"'
        if self.is_round:
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(HOUSE * scale)}"'
        return f'<polygon points="{_points(self.corners(cell, scale))}"'

    def board(self, coordinates: bool) -> str:
        kind, colours = self.geometry.kind, self.colours
        cells = range(len(self.geometry))
        inside = self.inside
        thickness = TRAY[kind] + 24
        if coordinates:
            beyond = [_beyond(inside, self.label_at(label.at)) for label in self.geometry.labels]
            thickness = max([thickness, *(distance + LABEL["room"] * self.label_size for distance in beyond)])
        frame = _grown(inside, thickness - CORNER[kind])
        outside = _rounded(frame, CORNER[kind])
        xs, ys = [x for x, _ in frame], [y for _, y in frame]
        spare = CORNER[kind] + 8
        self.bounds = (min(xs) - spare, min(ys) - spare, max(xs) + spare, max(ys) + spare)
        parts = [
            f'<path d="{outside}" transform="translate(0 5)" fill="{colours["shadow"]}" fill-opacity=".28"/>',
            f'<path d="{outside}" fill="{self.slope("frame")}" stroke="{colours["frame_edge"]}" stroke-width="2.5"/>',
            f'<path d="{_rounded(frame, CORNER[kind] - 4)}" fill="none" stroke="{colours["shine"]}"'
            ' stroke-opacity=".16" stroke-width="2"/>',
        ]
        if kind in ("square", "hexagon"):
            parts.append(
                f'<path d="{_rounded(inside, TRAY[kind])}" fill="{colours["cell_1"]}" stroke="{colours["frame_edge"]}"'
                ' stroke-width="3"/>'
            )
        parts += [self.edge(edge.colour, edge.points) for edge in self.geometry.edges]
        parts += [self.ground(cell) for cell in cells]
        clip = self.define("frame", f'<clipPath id="{{id}}"><path d="{outside}"/></clipPath>')
        parts.append(
            f'<path d="{_grain(*self.bounds)}" clip-path="url(#{clip})" fill="none" stroke="{colours["grain"]}"'
            ' stroke-opacity=".07" stroke-width="2.2"/>'
        )
        for start, end in self.geometry.lines:
            (x0, y0), (x1, y1) = self.at(start), self.at(end)
            parts.append(
                f'<path d="M{_n(x0)} {_n(y0)}L{_n(x1)} {_n(y1)}" stroke="{colours["line"]}" stroke-width="7"/>'
            )
        return "\n".join(parts) + "\n"

    def ground(self, cell: Cell) -> str:
        """An empty cell."""
        if self.is_round:
            scale = 1.0 if self.geometry.kind == "pits" else 0.8
            return (
                f'{self.shape(cell, scale)} fill="{self.hollow()}" stroke="{self.colours["shine"]}"'
                ' stroke-opacity=".22" stroke-width="2.5"/>'
            )
        tone = self.tones[cell]
        return (
            f'{self.shape(cell)} fill="{self.colours[f"cell_{tone}"]}" stroke="{self.colours["cell_edge"]}"'
            ' stroke-width="1.5"/>'
        )

    @cached_property
    def tones(self) -> dict[Cell, int]:
        """Neighbours across a side differ: two tones for squares, three for hexagons."""
        tones = 2 if self.geometry.kind == "square" else 3
        step = 1 if tones == 2 else 2
        return {
            cell: (place + step * number) % tones
            for number, rank in enumerate(self.geometry.ranks)
            for place, cell in enumerate(rank)
        }

    def edge(self, colour: str, points: tuple[Point, ...]) -> str:
        """A side that belongs to a colour: a band around the cells, with studs for the ringed colours."""
        placed = [self.at(point) for point in points]
        colour = self.known(colour)
        face = f"{colour}_shade" if colour in RINGED else colour
        rim = "ring" if colour in RINGED else f"{colour}_edge"
        drawn = "".join(
            f'<path d="{_line(placed)}" fill="none" stroke="{self.colours[ink]}" stroke-width="{width}"'
            ' stroke-linejoin="round"/>'
            for ink, width in ((rim, 47), (face, 43))
        )
        if colour not in RINGED:
            return drawn
        # The sides go round the board clockwise, and cells cover the inner half of the band.
        dx, dy = _outward([placed[0], placed[-1]])[0]
        studs = _line((x + 11 * dx, y + 11 * dy) for x, y in placed)
        return drawn + (
            f'<path d="{studs}" fill="none" stroke="{self.colours["ring"]}" stroke-width="8" stroke-linecap="round"'
            ' stroke-dasharray="0 19.2"/>'
        )

    def marks(self) -> str:
        parts = []
        for cell, text in sorted(self.position.marks().items()):
            x, y = self.centre(cell)
            ink = self.colours["mark"]
            parts.append(
                f'<g class="mark" data-cell="{_xml(self.geometry.names[cell])}">'
                f'<circle cx="{_n(x)}" cy="{_n(y)}" r="36" fill="none" stroke="{ink}" stroke-width="4"'
                f' stroke-dasharray="9 5.1" stroke-opacity=".75"/>{self.text(text, (x, y), 46, "mark")}</g>\n'
            )
        return "".join(parts)

    def labels(self) -> str:
        """Coordinates; a number that the rules give to a row stands on a coin, to be told from them."""
        parts = []
        for label in self.geometry.labels:
            centre = self.label_at(label.at)
            if label.kind == "row_number":
                parts.append(
                    f'<circle class="row-number" cx="{_n(centre[0])}" cy="{_n(centre[1])}"'
                    f' r="{_n(0.72 * self.label_size)}" fill="{self.colours["score"]}"'
                    f' stroke="{self.colours["frame_edge"]}" stroke-width="2"/>'
                )
            ink = "score_text" if label.kind == "row_number" else "label"
            parts.append(f"{self.text(label.text, centre, self.label_size, ink)}\n")
        return "".join(parts)

    def label_at(self, point: Point) -> Point:
        """Where a label stands: beside squares in the middle of the frame, elsewhere where the geometry puts it."""
        place = self.at(point)
        return (
            _nearer(self.inside, place, TRAY["square"] + self.label_size) if self.geometry.kind == "square" else place
        )

    def text(self, text: str, centre: Point, size: float, colour: str) -> str:
        x, y = centre
        return (
            f'<text x="{_n(x)}" y="{_n(y + 0.35 * size)}" font-size="{_n(size)}" font-weight="600" text-anchor="middle"'
            f' fill="{self.colours[colour]}">{_xml(text)}</text>'
        )

    # -- what is said about cells -----------------------------------------------------------------------------------

    def tints(self, cells: Iterable[Cell], colour: str) -> str:
        """Cells of the last move, framed by a full line, or highlighted ones, by a broken line."""
        dashes = ' stroke-dasharray="14 8"' if colour == "highlight" else ""
        scale, veil = (1.1, ".25") if self.is_round else (0.93, ".45")
        return "".join(
            f'{self.shape(cell, scale)} class="{colour}" data-cell="{_xml(self.geometry.names[cell])}"'
            f' fill="{self.colours[colour]}" fill-opacity="{veil}" stroke="{self.colours[f"{colour}_edge"]}"'
            f' stroke-width="5"{dashes}/>\n'
            for cell in dict.fromkeys(cells)
        )

    def rings(self, cells: Iterable[Cell]) -> str:
        """The cells where the end of the game is seen, ringed over whatever stands there."""
        scale = 1.1 if self.is_round else 0.9
        return "".join(
            f'{self.shape(cell, scale)} class="{kind}" data-cell="{_xml(self.geometry.names[cell])}" fill="none"'
            f' stroke="{self.colours[ink]}" stroke-width="{width}" stroke-linejoin="round"/>\n'
            for cell in dict.fromkeys(cells)
            for kind, ink, width in (("ending-edge", "ending_edge", 13), ("ending", "ending", 8))
        )

    def beginnings(self) -> str:
        """The cells that legal moves begin with."""
        pieces = self.position.pieces()
        first = {clicks[0] for move in self.position.legal_moves() if (clicks := self.position.clicks(move))}
        parts = []
        for cell in sorted(first):
            x, y = self.centre(cell)
            where = f'class="legal" data-cell="{_xml(self.geometry.names[cell])}" cx="{_n(x)}" cy="{_n(y)}"'
            if cell in pieces:
                parts.append(
                    f'<circle {where} r="45" fill="none" stroke="{self.colours["legal"]}" stroke-width="5"'
                    ' stroke-opacity=".85"/>\n'
                )
            else:
                parts.append(
                    f'<circle {where} r="{_n(_SIZES["dot"])}" fill="{self.colours["legal"]}" fill-opacity=".6"/>\n'
                )
        return "".join(parts)

    def arrow(self, origin: Cell, target: Cell) -> str:
        if origin == target:
            return self.tints((origin,), "highlight")
        (x0, y0), (x1, y1) = self.centre(origin), self.centre(target)
        length = dist((x0, y0), (x1, y1)) - 12
        neck = length - 34
        shape = [(14, -8), (neck, -8), (neck, -26), (length, 0), (neck, 26), (neck, 8), (14, 8)]
        return (
            f'<polygon class="arrow" points="{_points(shape)}" fill="{self.colours["arrow"]}" fill-opacity=".8"'
            f' stroke="{self.colours["shine"]}" stroke-opacity=".5" stroke-width="2" stroke-linejoin="round"'
            f' transform="translate({_n(x0)} {_n(y0)}) rotate({_n(degrees(atan2(y1 - y0, x1 - x0)))})"/>\n'
        )

    def score(self, language: Language) -> str:
        """A plate below the board with the score in words; a board with stores shows it there."""
        said = self.position.score_text()
        if said is None or self.stores:
            return ""
        x0, y0, x1, y1 = self.bounds
        x, y = (x0 + x1) / 2, y1 + 34
        self.bounds = (x0, y0, x1, y1 + 72)
        words = said.to(language)
        # A letter is about half as wide as it is high.
        size = min(38.0, (x1 - x0 - 80) / (0.53 * len(words)))
        half = 0.53 * size * len(words) / 2 + 36
        return (
            f'<g class="score"><rect x="{_n(x - half)}" y="{_n(y - 32)}" width="{_n(2 * half)}" height="64" rx="32"'
            f' fill="{self.colours["score"]}" stroke="{self.colours["frame_edge"]}" stroke-width="2.5"/>'
            f"{self.text(words, (x, y), size, 'score_text')}</g>\n"
        )

    def numbers(self, cells: tuple[Cell, ...]) -> str:
        """Numbers from 1 on, on coins over whatever stands on the cells."""
        return "".join(self.coin(cell, str(number), "number") for number, cell in enumerate(cells, start=1))

    def coin(self, cell: Cell, text: str, kind: str) -> str:
        """A short text over whatever stands on a cell."""
        x, y = self.centre(cell)
        return (
            f'<g class="{kind}" data-cell="{_xml(self.geometry.names[cell])}"><circle cx="{_n(x)}" cy="{_n(y)}"'
            f' r="27" fill="{self.colours["score"]}" stroke="{self.colours["arrow"]}" stroke-width="4"/>'
            f"{self.text(text, (x, y), 36 if len(text) < 3 else 24, 'score_text')}</g>\n"
        )

    # -- mathematics ------------------------------------------------------------------------------------------------

    def regions(self, regions: Iterable[tuple[tuple[Cell, ...], str]]) -> str:
        """Groups of cells, told apart by their hatching and not by colour."""
        scale = 1.1 if self.is_round else 0.94
        parts = []
        for number, (cells, _) in enumerate(regions):
            turn = (45, -45, 90)[number % 3]
            hatch = self.define(
                f"hatch{turn}",
                f'<pattern id="{{id}}" width="18" height="18" patternUnits="userSpaceOnUse"'
                f' patternTransform="rotate({turn})"><line x1="0" y1="0" x2="0" y2="18"'
                f' stroke="{self.colours["highlight_edge"]}" stroke-width="5" stroke-opacity=".45"/></pattern>',
            )
            for cell in dict.fromkeys(cells):
                name = _xml(self.geometry.names[cell])
                parts.append(
                    f'{self.shape(cell, scale)} class="region" data-cell="{name}" fill="{self.colours["highlight"]}"'
                    f' fill-opacity=".3" stroke="{self.colours["highlight_edge"]}" stroke-width="3"/>\n'
                    f'{self.shape(cell, scale)} fill="url(#{hatch})"/>\n'
                )
        return "".join(parts)

    def innermost(self, cells: tuple[Cell, ...]) -> Cell:
        """The cell of a region that lies nearest to its middle, where its text stands."""
        points = [self.centre(cell) for cell in cells]
        middle = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
        return min(cells, key=lambda cell: dist(self.centre(cell), middle))

    def domino(self, one: Cell, two: Cell) -> str:
        (x0, y0), (x1, y1) = self.centre(one), self.centre(two)
        far, ink = 34, self.colours["arrow"]
        names = " ".join(_xml(self.geometry.names[cell]) for cell in (one, two))
        pips = "".join(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="8" fill="{ink}"/>' for x, y in ((x0, y0), (x1, y1)))
        return (
            f'<g class="domino" data-cells="{names}"><rect x="{-far}" y="{-far}" height="{2 * far}" rx="20"'
            f' width="{_n(dist((x0, y0), (x1, y1)) + 2 * far)}" fill="{self.colours["score"]}" fill-opacity=".75"'
            f' stroke="{ink}" stroke-width="6"'
            f' transform="translate({_n(x0)} {_n(y0)}) rotate({_n(degrees(atan2(y1 - y0, x1 - x0)))})"/>{pips}</g>\n'
        )

    # -- pieces -----------------------------------------------------------------------------------------------------

    def pieces(self) -> str:
        parts = []
        for cell, piece in sorted(self.position.pieces().items()):
            name = _xml(self.geometry.names[cell])
            x, y = self.centre(cell)
            if piece.kind == "seeds":
                drawn = self.seeds(cell, piece.count)
            else:
                drawn = f'<use href="#{self.piece(piece)}" x="{_n(x)}" y="{_n(y)}"/>'
            parts.append(f'<g class="piece" data-cell="{name}">{drawn}</g>\n')
        return "".join(parts)

    def piece(self, piece: Piece) -> str:
        """The id of a piece drawn around the origin."""
        painter = PAINTERS.get((piece.kind, piece.colour), _token)
        name = "piece-" + hashlib.sha256(repr(piece).encode()).hexdigest()[:8]
        dot = ""
        if piece.symbol.endswith(UNMOVED) and painter is not _token:
            dot = (
                f'<circle cx="29" cy="29" r="7" fill="{self.colours["gold"]}" stroke="{self.colours["gold_edge"]}"'
                ' stroke-width="2"/>'
            )
        return self.define(name, f'<g id="{{id}}">{painter(self, piece)}{dot}</g>')

    def seeds(self, cell: Cell, count: int) -> str:
        """Seeds lying in a pit, and their number on a plate outside."""
        x, y = self.centre(cell)
        in_store = cell in self.stores
        rx, ry = (25.0, 72.0) if in_store else (27.0, 27.0)
        seed = self.define(
            "seed",
            f'<g id="{{id}}"><circle cx="1" cy="3" r="11.5" fill="{self.colours["shadow"]}" fill-opacity=".35"/>'
            f'<circle r="11" fill="{self.ball("seed")}" stroke="{self.colours["seed_edge"]}" stroke-width="1"/></g>',
        )
        drawn = [
            f'<use href="#{seed}" x="{_n(x + rx * across)}" y="{_n(y + ry * down)}"/>'
            for across, down in _strewn(count, cell, in_store)
        ]
        above = y < self.middle[1] and not in_store
        plate_y = y + ((STORE[1] if in_store else HOUSE) + PLATE["away"]) * (-1 if above else 1)
        half, height = PLATE["ends"] + PLATE["digit"] * len(str(count)), PLATE["height"]
        plate = (
            f'<rect x="{_n(x - half)}" y="{_n(plate_y - height / 2)}" width="{_n(2 * half)}" height="{_n(height)}"'
            f' rx="{_n(height / 2)}"'
            f' fill="{self.colours["score"]}" stroke="{self.colours["frame_edge"]}" stroke-width="1.5"/>'
        )
        return "".join(drawn) + plate + self.text(str(count), (x, plate_y), PLATE["text"], "score_text")


# ---------------------------------------------------------------------------------------------------------- painters


def _man_white(ink: _Picture, piece: Piece) -> str:
    edge = ink.colours["white_edge"]
    return (
        ink.shadow(38)
        + f'<circle r="38" fill="{ink.ball("white")}" stroke="{edge}" stroke-width="2"/>'
        + f'<circle r="28" fill="none" stroke="{edge}" stroke-opacity=".45" stroke-width="3"/>'
        + f'<circle r="25.5" fill="none" stroke="{ink.colours["shine"]}" stroke-width="2"/>'
    )


def _man_black(ink: _Picture, piece: Piece) -> str:
    return (
        ink.shadow(41)
        + f'<rect x="-35" y="-35" width="70" height="70" rx="13" fill="{ink.ball("black")}"'
        + f' stroke="{ink.colours["black_edge"]}" stroke-width="2"/>'
        + f'<rect x="-25" y="-25" width="50" height="50" rx="7" fill="none" stroke="{ink.colours["ring"]}"'
        + ' stroke-opacity=".55" stroke-width="3"/>'
    )


def _stone_white(ink: _Picture, piece: Piece) -> str:
    return (
        ink.shadow(41)
        + f'<circle r="41" fill="{ink.ball("white")}" stroke="{ink.colours["white_edge"]}" stroke-width="1.5"/>'
        + ink.shine(-14, -17, 17, 11)
    )


def _stone_black(ink: _Picture, piece: Piece) -> str:
    return (
        ink.shadow(41)
        + f'<circle r="41" fill="{ink.ball("black")}" stroke="{ink.colours["black_edge"]}" stroke-width="1.5"/>'
        + f'<circle r="22" fill="none" stroke="{ink.colours["ring"]}" stroke-opacity="{_SIZES["ring_opacity"]}"'
        + ' stroke-width="3.5"/>'
    )


def _marble(ink: _Picture, piece: Piece) -> str:
    colour = piece.colour
    ring = ""
    if colour == "black":
        ring = (
            f'<circle r="22" fill="none" stroke="{ink.colours["ring"]}" stroke-opacity="{_SIZES["ring_opacity"]}"'
            ' stroke-width="3.5"/>'
        )
    return (
        ink.shadow(43)
        + f'<circle r="43" fill="{ink.glass(colour)}" stroke="{ink.colours[f"{colour}_edge"]}" stroke-width="1.5"/>'
        + ring
        + f'<path d="M-26 24A36 36 0 0 0 33 13A40 40 0 0 1 -26 24Z" fill="{ink.colours["shine"]}" fill-opacity=".3"/>'
        + ink.shine(-15, -19, 17, 11)
    )


def _marker(ink: _Picture, piece: Piece) -> str:
    """A snail's shell: it is what leaves the trail."""
    turns = [(k / 12, 3.2 + 23 * k / 34) for k in range(35)]
    spiral = "L".join(f"{_n(r * cos(2 * pi * t))} {_n(r * sin(2 * pi * t))}" for t, r in turns)
    return (
        ink.shadow(39)
        + f'<circle r="39" fill="{ink.ball("white")}" stroke="{ink.colours["white_edge"]}" stroke-width="2"/>'
        + f'<path d="M{spiral}" fill="none" stroke="{ink.colours["white_edge"]}" stroke-width="5"'
        + ' stroke-linecap="round" stroke-linejoin="round" stroke-opacity=".8"/>'
    )


def _block(ink: _Picture, piece: Piece) -> str:
    return (
        f'<rect x="-44" y="-41" width="88" height="88" rx="16" fill="{ink.colours["shadow"]}" fill-opacity=".3"/>'
        f'<rect x="-44" y="-44" width="88" height="88" rx="16" fill="{ink.slope("black")}"'
        f' stroke="{ink.colours["black_edge"]}" stroke-width="2"/>'
        f'<rect x="-37" y="-38" width="74" height="75" rx="11" fill="{ink.colours["black_shade"]}" fill-opacity=".45"/>'
    )


_LIGHT_SHAPES = {
    "green": '<circle r="23"',
    "yellow": '<path d="M0 -26L25 18H-25Z"',
    "red": '<rect x="-21" y="-21" width="42" height="42" rx="3"',
}


def _light(ink: _Picture, piece: Piece) -> str:
    colour = piece.colour
    glow = ink.paint(
        f"glow-{colour}",
        f'<radialGradient id="{{id}}"><stop offset="0" stop-color="{ink.colours[f"{colour}_shade"]}"'
        f' stop-opacity=".95"/><stop offset="1" stop-color="{ink.colours[f"{colour}_shade"]}" stop-opacity=".15"/>'
        "</radialGradient>",
    )
    return (
        ink.shadow(43)
        + f'<circle r="43" fill="{ink.slope("lamp")}" stroke="{ink.colours["lamp_edge"]}" stroke-width="2"/>'
        + f'<circle r="35" fill="{ink.colours["lamp_edge"]}"/><circle r="35" fill="{glow}"/>'
        + f'{_LIGHT_SHAPES[colour]} fill="{ink.ball(colour)}" stroke="{ink.colours[colour]}" stroke-width="2"'
        + ' stroke-linejoin="round"/>'
        + ink.shine(-13, -19, 15, 8)
    )


def _fighter(ink: _Picture, piece: Piece) -> str:
    """South stands on a round shield, North on a pointed one; a king wears a crown, a warrior bears a sword."""
    colour = piece.colour
    size = 41 if piece.kind == "king" else 37
    if colour == "south":
        shield = f'<circle r="{size}"'
    else:
        s = size / 37
        shield = (
            f'<path d="M{_n(-34 * s)} {_n(-34 * s)}H{_n(34 * s)}V{_n(4 * s)}C{_n(34 * s)} {_n(24 * s)} {_n(14 * s)}'
            f" {_n(35 * s)} 0 {_n(41 * s)}C{_n(-14 * s)} {_n(35 * s)} {_n(-34 * s)} {_n(24 * s)} {_n(-34 * s)}"
            f' {_n(4 * s)}Z" stroke-linejoin="round"'
        )
    edge = ink.colours[f"{colour}_edge"]
    if piece.kind == "king":
        emblem = (
            '<path d="M-23 17L-28 -13L-12 0L0 -22L12 0L28 -13L23 17Z"'
            f' fill="{ink.colours["gold"]}" stroke="{ink.colours["gold_edge"]}" stroke-width="2.5"'
            ' stroke-linejoin="round"/>'
            f'<path d="M-21 9H21" stroke="{ink.colours["gold_edge"]}" stroke-width="2.5"/>'
        )
    else:
        emblem = (
            f'<path d="M0 -26L5 -19V5H15V11H4V21H-4V11H-15V5H-5V-19Z" fill="{ink.colours["emblem"]}" stroke="{edge}"'
            ' stroke-width="2" stroke-linejoin="round"/>'
        )
    return ink.shadow(size) + f'{shield} fill="{ink.ball(colour)}" stroke="{edge}" stroke-width="2.5"/>' + emblem


def _token(ink: _Picture, piece: Piece) -> str:
    """Any other piece: its symbol on a disc."""
    colour = ink.known(piece.colour)
    ringed = colour in RINGED
    ring = f'<circle r="34" fill="none" stroke="{ink.colours["ring"]}" stroke-width="3"/>' if ringed else ""
    size = 44 if len(piece.symbol) < 2 else 30
    return (
        ink.shadow(40)
        + f'<circle r="40" fill="{ink.ball(colour)}" stroke="{ink.colours[f"{colour}_edge"]}" stroke-width="2"/>'
        + ring
        + ink.text(piece.symbol, (0, 0), size, "emblem" if ringed else "plain_edge")
    )


PAINTERS: dict[tuple[str, str], Callable[[_Picture, Piece], str]] = {
    ("man", "white"): _man_white,
    ("man", "black"): _man_black,
    ("stone", "white"): _stone_white,
    ("stone", "black"): _stone_black,
    ("marble", "white"): _marble,
    ("marble", "black"): _marble,
    ("marker", "white"): _marker,
    ("block", "black"): _block,
    ("light", "green"): _light,
    ("light", "yellow"): _light,
    ("light", "red"): _light,
    ("king", "south"): _fighter,
    ("king", "north"): _fighter,
    ("warrior", "south"): _fighter,
    ("warrior", "north"): _fighter,
}


# ------------------------------------------------------------------------------------------------------------ shapes


def _xml(text: str) -> str:
    """Any text, fit to stand in a document."""
    return escape("".join(character if character.isprintable() else "�" for character in text))


def _n(value: float) -> str:
    """A number in as few characters as a picture needs; never `-0`."""
    return f"{round(value, 1) + 0:g}"


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _strewn(count: int, turn: float, loosely: bool) -> list[Point]:
    """Places for seeds in a disc of radius one: up to twelve in one or two rings, more in a sunflower's spiral."""
    if count > 12 or loosely:
        angle = pi * (3 - sqrt(5))
        reach = [sqrt((number + 0.5) / count) for number in range(count)]
        return [(r * cos(number * angle + turn), r * sin(number * angle + turn)) for number, r in enumerate(reach)]
    inner = 0 if 1 < count < 6 else 1 if count < 9 else count - 7 if count < 11 else count - 8
    outer = count - inner
    rings = ((inner, 0.0 if inner == 1 else 0.4), (outer, 0.62 if count < 5 else 0.95))
    return [
        (radius * cos(2 * pi * number / held + turn), radius * sin(2 * pi * number / held + turn))
        for held, radius in rings
        for number in range(held)
    ]


def _line(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _box(points: Iterable[Point]) -> list[Point]:
    """The corners of the rectangle around points, clockwise as seen (y points down)."""
    xs, ys = zip(*points, strict=True)
    x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _hull(points: Iterable[Point]) -> list[Point]:
    """The corners of the convex hull, clockwise as seen (y points down)."""

    def half(ordered: list[Point]) -> list[Point]:
        chain: list[Point] = []
        for x, y in ordered:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                # A bend that only rounding makes is no corner.
                if (bx - ax) * (y - by) - (by - ay) * (x - bx) > 10:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    ordered = sorted({(round(x, 3), round(y, 3)) for x, y in points})
    return half(ordered) + half(ordered[::-1])


def _outward(corners: list[Point]) -> list[Point]:
    """For each side of a clockwise polygon, the direction away from it, of length one."""
    sides = zip(corners, corners[1:] + corners[:1], strict=True)
    return [
        ((y1 - y0) / dist((x0, y0), (x1, y1)), (x0 - x1) / dist((x0, y0), (x1, y1))) for (x0, y0), (x1, y1) in sides
    ]


def _beyond(corners: list[Point], point: Point) -> float:
    """How far a point lies outside a convex polygon."""
    return max(
        (point[0] - x) * dx + (point[1] - y) * dy for (x, y), (dx, dy) in zip(corners, _outward(corners), strict=True)
    )


def _nearer(corners: list[Point], point: Point, distance: float) -> Point:
    """A point outside a convex polygon, brought to a distance from the side it lies beyond."""
    away = _outward(corners)
    excess = [(point[0] - x) * dx + (point[1] - y) * dy for (x, y), (dx, dy) in zip(corners, away, strict=True)]
    side = excess.index(max(excess))
    (dx, dy), back = away[side], excess[side] - distance
    return (point[0] - dx * back, point[1] - dy * back)


def _grown(corners: list[Point], by: float) -> list[Point]:
    """A convex polygon with every side moved outwards."""
    after = _outward(corners)
    before = after[-1:] + after[:-1]
    grown = []
    for (x, y), (ax, ay), (bx, by_) in zip(corners, before, after, strict=True):
        share = by / (1 + ax * bx + ay * by_)
        grown.append((x + (ax + bx) * share, y + (ay + by_) * share))
    return grown


def _rounded(corners: list[Point], radius: float) -> str:
    """The path around a convex polygon at a distance, with round corners."""
    arc = f"A{_n(radius)} {_n(radius)} 0 0 1 "
    ends = []
    for (x0, y0), (x1, y1), (dx, dy) in zip(corners, corners[1:] + corners[:1], _outward(corners), strict=True):
        ends += [(x0 + dx * radius, y0 + dy * radius), (x1 + dx * radius, y1 + dy * radius)]
    sides = [_line(ends[at : at + 2])[1:] for at in range(0, len(ends), 2)]
    return "M" + arc.join([*sides, _line(ends[:1])[1:]]) + "Z"


def _grain(x0: float, y0: float, x1: float, y1: float) -> str:
    """Wavy lines along the board, as in wood."""
    lines = []
    step = 23.0
    for number in range(int((y1 - y0) / step) + 1):
        y = y0 + number * step + 7 * sin(number * 2.4)
        wave = 5 + 6 * sin(number * 1.7) ** 2
        span = (x1 - x0) / 4
        lines.append(f"M{_n(x0)} {_n(y)}q{_n(span / 2)} {_n(-wave)} {_n(span)} 0" + f"t{_n(span)} 0" * 3)
    return "".join(lines)
