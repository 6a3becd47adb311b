"""The rules of the games in words and diagrams, read from `rules/<game>.<language>.md`.

The files are Markdown kept small: `#` and `##` headings, paragraphs, `-` lists, **bold**, `code`, and diagrams:

    ```board
    options: size=8            (the game's defaults, if absent)
    position: 7/7/4O2/7/7/7/7 1   (the start of the game, if absent)
    play: d4 d5                (moves made from there)
    arrows: e5>d4 d4>d5
    highlight: c3 c4
    numbers: d4 d5 c6          (1, 2, 3 on these cells)
    legal: yes                 (show where one may play)
    caption: What the diagram shows.
    ```

A face that shows the rules (terminal, web page) gets them as blocks.
"""

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from tabuleiro.core import Options, Position, TabuleiroError, card_lines, option_values, shorten
from tabuleiro.geometry import Cell
from tabuleiro.language import Language, Text
from tabuleiro.record import Line


@dataclass(frozen=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class BulletList:
    items: tuple[str, ...]


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


Block = Heading | Paragraph | BulletList | Diagram


@dataclass(frozen=True)
class Span:
    """A piece of a text: headings, paragraphs, items and captions may have bold words and moves in them."""

    text: str
    style: Literal["plain", "bold", "code"] = "plain"


class RulebookError(TabuleiroError):
    """A rule text that does not follow its own format."""


def read_rules(game: type[Position], language: Language) -> list[Block]:
    """The rules of a game. One that has no rule text yet is introduced by its summary and options."""
    file = files("tabuleiro").joinpath("rules", f"{game.id}.{language}.md")
    if file.is_file():
        blocks = parse(game, file.read_text(encoding="utf-8"))
    else:
        blocks = [Heading(1, game.name.to(language)), Paragraph(game.summary.to(language))]
        options = tuple(
            f"`{field.name}` ({', '.join(option_values(field))}): {field.metadata['help'].to(language)}"
            for field in dataclasses.fields(game.options_type)
        )
        if options:
            blocks += [Heading(2, Text("Opções", "Options").to(language)), BulletList(options)]
    if lines := card_lines(game):
        about = tuple(f"**{label.to(language)}:** {said.to(language)}." for label, said in lines)
        blocks += [Heading(2, Text("Ficha do jogo", "About the game").to(language)), BulletList(about)]
    return blocks


def parse(game: type[Position], text: str) -> list[Block]:
    """The blocks of a rule text."""
    blocks: list[Block] = []
    lines = enumerate(text.splitlines(), start=1)
    paragraph: list[str] = []
    items: list[str] = []

    def close() -> None:
        if paragraph:
            blocks.append(Paragraph(" ".join(paragraph)))
        if items:
            blocks.append(BulletList(tuple(items)))
        paragraph.clear()
        items.clear()

    for number, line in lines:
        if heading := re.fullmatch(r"(##?) (.+)", line):
            close()
            blocks.append(Heading(len(heading[1]), heading[2].strip()))
        elif line.startswith("```"):
            close()
            blocks.append(_diagram(game, number, line, lines))
        elif line.startswith("- "):
            if paragraph:
                close()
            items.append(line[2:].strip())
        elif not line.strip():
            close()
        elif items and line.startswith(" "):
            items[-1] += " " + line.strip()
        else:
            if items:
                close()
            paragraph.append(line.strip())
    close()
    return blocks


_KEYS = ("options", "position", "play", "arrows", "highlight", "numbers", "legal", "caption")


def _diagram(game: type[Position], opened: int, fence: str, lines: Iterator[tuple[int, str]]) -> Diagram:
    values: dict[str, str] = {}
    for number, line in lines:
        if line.strip() == "```":
            break
        key, colon, value = line.partition(":")
        if not colon or key not in _KEYS or key in values:
            raise _damaged(number, Text(f"não percebo «{shorten(line)}»", f"“{shorten(line)}” means nothing"))
        values[key] = value.strip()
    else:
        raise _damaged(opened, Text("o diagrama não está fechado", "the diagram is not closed"))
    if fence.strip() != "```board":
        raise _damaged(opened, Text("só há diagramas ```board", "there are only ```board diagrams"))
    try:
        return _read_diagram(game, values)
    except TabuleiroError as error:
        raise _damaged(opened, error.text) from error


def _read_diagram(game: type[Position], values: dict[str, str]) -> Diagram:
    options = _read_options(game, values.get("options", ""))
    moves = values.get("play", "").split()
    node = Line.from_texts(game.id, options.changed(), values.get("position"), moves).replay().last
    position = node.position
    index = position.geometry.index

    def cell(name: str) -> Cell:
        if name not in index:
            raise RulebookError(
                Text(f"o tabuleiro não tem a casa {shorten(name)}", f"the board has no cell {shorten(name)}")
            )
        return index[name]

    arrows = [arrow.partition(">") for arrow in values.get("arrows", "").split()]
    return Diagram(
        position=position,
        last=node.clicks,
        arrows=tuple((cell(origin), cell(target)) for origin, _, target in arrows),
        highlights=tuple(cell(name) for name in values.get("highlight", "").split()),
        numbers=tuple(cell(name) for name in values.get("numbers", "").split()),
        legal=values.get("legal", "no") == "yes",
        caption=values.get("caption", ""),
    )


def _read_options(game: type[Position], text: str) -> Options:
    return game.options_type.parse(dict(pair.partition("=")[::2] for pair in text.split()))


def _damaged(line: int, reason: Text) -> RulebookError:
    return RulebookError(Text(f"linha {line}: {reason.pt}", f"line {line}: {reason.en}"))


def spans(text: str) -> list[Span]:
    """A text cut at its **bold** words and `code`."""
    found: list[Span] = []
    for piece in re.split(r"(\*\*.+?\*\*|`.+?`)", text):
        if piece.startswith("**") and piece.endswith("**") and len(piece) > 4:
            found.append(Span(piece[2:-2], "bold"))
        elif piece.startswith("`") and piece.endswith("`") and len(piece) > 2:
            found.append(Span(piece[1:-1], "code"))
        elif piece:
            found.append(Span(piece))
    return found
