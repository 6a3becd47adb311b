"""The rules of the games in words and diagrams, read from `rules/<game>.<language>.md`.

The files are Markdown kept small: `#` and `##` headings, paragraphs, `-` lists, **bold**, `code`, and diagrams:

    ```board
    options: size=8            (the game's defaults, if absent)
    position: 7/7/4O2/7/7/7/7 1   (the start of the game, if absent)
    play: d4 d5                (moves made from there)
    arrows: e5>d4 d4>d5
    highlight: c3 c4
    numbers: d4 d5 c6          (1, 2, 3 on these cells)
    dominoes: d4-d5 e5-e6      (pairs of cells, each under one domino)
    regions: a1 b1 = 2 | f7 g7 (groups of cells, each in a tint of its own, with a short text or without)
    values: d4=½ e5=*          (short texts on these cells)
    legal: yes                 (show where one may play)
    caption: What the diagram shows.
    ```

A face that shows the rules (terminal, web page) gets them as blocks. Lessons (`learn`) are written in the same way.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, TypeVar

from tabuleiro.core import Position, card_lines, option_values
from tabuleiro.diagrams import Diagram, Field, RulebookError, read_diagram, read_field
from tabuleiro.language import Language, Text


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


Block = Heading | Paragraph | BulletList | Diagram


@dataclass(frozen=True)
class Span:
    """A piece of a text: headings, paragraphs, items and captions may have bold words and moves in them."""

    text: str
    style: Literal["plain", "bold", "code"] = "plain"


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
    readers = {"board": lambda fields: read_diagram(game, fields)}
    return [block for _, block in parse_blocks(text.splitlines(), readers)]


Made = TypeVar("Made")


def parse_blocks(
    lines: Iterable[str], readers: Mapping[str, Callable[[list[Field]], Made]], first: int = 1
) -> list[tuple[int, Heading | Paragraph | BulletList | Made]]:
    """The blocks of a text, each with the number of its first line, which is `first` for the first line. `readers` has
    for each word that may stand behind a fence who reads what stands between."""
    blocks: list[tuple[int, Heading | Paragraph | BulletList | Made]] = []
    numbered = enumerate(lines, start=first)
    paragraph: list[str] = []
    items: list[str] = []
    begun = first

    def close() -> None:
        if paragraph:
            blocks.append((begun, Paragraph(" ".join(paragraph))))
        if items:
            blocks.append((begun, BulletList(tuple(items))))
        paragraph.clear()
        items.clear()

    for number, line in numbered:
        if heading := re.fullmatch(r"(##?) (.+)", line):
            close()
            blocks.append((number, Heading(len(heading[1]), heading[2].strip())))
        elif line.startswith("```"):
            close()
            word, fields = _fenced(number, line, numbered, readers.keys())
            blocks.append((number, readers[word](fields)))
        elif line.startswith("- "):
            if paragraph:
                close()
            begun = begun if items else number
            items.append(line[2:].strip())
        elif not line.strip():
            close()
        elif items and line.startswith(" "):
            items[-1] += " " + line.strip()
        else:
            if items:
                close()
            begun = begun if paragraph else number
            paragraph.append(line.strip())
    close()
    return blocks


def _fenced(opened: int, fence: str, lines: Iterator[tuple[int, str]], words: Iterable[str]) -> tuple[str, list[Field]]:
    """What stands behind a fence, and the lines up to the one that closes it; the first is the fence itself."""
    word = fence.strip().removeprefix("```")
    if word not in words:
        known = ", ".join(f"```{word}" for word in words)
        raise RulebookError(Text(f"só há estes blocos: {known}", f"there are only these blocks: {known}"), opened)
    fields = [Field(opened, "", word)]
    for number, line in lines:
        if line.strip() == "```":
            return word, fields
        if line.strip():
            fields.append(read_field(number, line))
    raise RulebookError(Text("este bloco não está fechado", "this block is not closed"), opened)


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
