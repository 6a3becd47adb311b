"""Positions with something drawn on them, as the rule book and the lessons write them (see `rulebook`).

What is wrong is said with the number of its line.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from tabuleiro.core import Position, TabuleiroError, shorten
from tabuleiro.geometry import Cell
from tabuleiro.language import Text
from tabuleiro.record import Line, Node


class RulebookError(TabuleiroError):
    """A rule text that does not follow its own format: why, and in which line where that is known."""

    def __init__(self, text: Text, line: int | None = None) -> None:
        super().__init__(text if line is None else Text(f"linha {line}: {text.pt}", f"line {line}: {text.en}"))
        self.line = line


@dataclass(frozen=True)
class Region:
    cells: tuple[Cell, ...]
    label: str = ""


@dataclass(frozen=True)
class Overlay:
    """What is drawn over a board to show its mathematics."""

    dominoes: tuple[tuple[Cell, Cell], ...] = ()
    regions: tuple[Region, ...] = ()
    #: Short texts on cells.
    values: tuple[tuple[Cell, str], ...] = ()


@dataclass(frozen=True)
class Diagram:
    #: After the moves, if there are any.
    position: Position
    #: The cells of the last move.
    last: tuple[Cell, ...]
    arrows: tuple[tuple[Cell, Cell], ...]
    highlights: tuple[Cell, ...]
    #: Cells in the order in which their numbers, from 1 on, are written on them.
    numbers: tuple[Cell, ...]
    legal: bool
    caption: str
    overlay: Overlay = Overlay()
    #: What is drawn anew after each move, in lessons (`learn.live`).
    live: tuple[str, ...] = ()


@dataclass(frozen=True)
class Field:
    """A line between fences: its number, the word before the colon, what stands behind it."""

    line: int
    key: str
    value: str

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Say of an error inside that it is in this line."""
        try:
            yield
        except RulebookError as error:
            if error.line is not None:
                raise
            raise RulebookError(error.text, self.line) from error
        except TabuleiroError as error:
            raise RulebookError(error.text, self.line) from error


def read_field(number: int, line: str) -> Field:
    key, colon, value = line.partition(":")
    if not colon:
        raise meaningless(number, line)
    return Field(number, " ".join(key.split()), value.strip())


def meaningless(number: int, line: str) -> RulebookError:
    return RulebookError(Text(f"não percebo «{shorten(line)}»", f"“{shorten(line)}” means nothing"), number)


#: What a diagram may say.
DIAGRAM_KEYS = (
    "options",
    "position",
    "play",
    "arrows",
    "highlight",
    "numbers",
    "dominoes",
    "regions",
    "values",
    "legal",
    "caption",
)


def by_key(fields: list[Field], keys: Iterable[str]) -> dict[str, Field]:
    """The lines of a block by their keys, each of which may stand once."""
    found: dict[str, Field] = {}
    known = set(keys)
    for field in fields[1:]:
        if field.key not in known or field.key in found:
            raise meaningless(field.line, f"{field.key}: {field.value}")
        found[field.key] = field
    return found


def read_diagram(game: type[Position], fields: list[Field], options: Mapping[str, str] | None = None) -> Diagram:
    """The diagram between two fences. `options` are those of the game where the diagram names none."""
    found = by_key(fields, DIAGRAM_KEYS)
    node = read_board(game, found, fields[0], options)
    return draw_on(node.position, node.clicks, found)


def read_board(
    game: type[Position], found: Mapping[str, Field], opened: Field, options: Mapping[str, str] | None = None
) -> Node:
    """The position that a diagram shows, with the moves that lead there."""
    chosen, start = dict(options or {}), None
    if field := found.get("options"):
        with field.naming():
            chosen = read_pairs(field.value)
            game.options_type.parse(chosen)
    with found.get("position", opened).naming():
        start = found["position"].value if "position" in found else None
        line = Line.from_texts(game.id, game.options_type.parse(chosen).changed(), start)
        node = line.replay().last
    if field := found.get("play"):
        with field.naming():
            moves = field.value.split()
            node = Line.from_texts(game.id, dict(line.options), start, moves).replay().last
    return node


def draw_on(position: Position, last: tuple[Cell, ...], found: Mapping[str, Field]) -> Diagram:
    """A position with what is to be drawn on it."""

    def cells(key: str) -> tuple[Cell, ...]:
        return read_cells(position, found[key]) if key in found else ()

    def pairs(key: str, mark: str) -> tuple[tuple[Cell, Cell], ...]:
        if key not in found:
            return ()
        with found[key].naming():
            cut = [word.partition(mark) for word in found[key].value.split()]
            return tuple((find_cell(position, first), find_cell(position, second)) for first, _, second in cut)

    def texts(key: str) -> tuple[tuple[Cell, str], ...]:
        if key not in found:
            return ()
        with found[key].naming():
            cut = [word.partition("=") for word in found[key].value.split()]
            return tuple((find_cell(position, name), text) for name, _, text in cut)

    return Diagram(
        position=position,
        last=last,
        arrows=pairs("arrows", ">"),
        highlights=cells("highlight"),
        numbers=cells("numbers"),
        legal="legal" in found and found["legal"].value == "yes",
        caption=found["caption"].value if "caption" in found else "",
        overlay=Overlay(pairs("dominoes", "-"), _regions(position, found.get("regions")), texts("values")),
    )


def _regions(position: Position, field: Field | None) -> tuple[Region, ...]:
    regions = []
    for part in field.value.split("|") if field is not None else ():
        assert field is not None
        names, _, label = part.partition("=")
        regions.append(Region(read_cells(position, dataclasses.replace(field, value=names)), label.strip()))
    return tuple(regions)


def read_cells(position: Position, field: Field) -> tuple[Cell, ...]:
    with field.naming():
        return tuple(find_cell(position, name) for name in field.value.split())


def find_cell(position: Position, name: str) -> Cell:
    """The cell of a position's board that has this name."""
    index = position.geometry.index
    if name not in index:
        raise RulebookError(
            Text(f"o tabuleiro não tem a casa «{shorten(name)}»", f"the board has no cell “{shorten(name)}”")
        )
    return index[name]


def read_pairs(text: str) -> dict[str, str]:
    """Options as they are written in one line: `size=5 swap=off`."""
    return dict(pair.partition("=")[::2] for pair in text.split())
