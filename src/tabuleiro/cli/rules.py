"""`tabuleiro rules`: the rules of a game, with diagrams."""

import sys
from typing import TYPE_CHECKING, Any

from tabuleiro.cli.arguments import GameArgument, PlainOption, find_game
from tabuleiro.cli.speech import both, language, print_rich, shows_unicode, tr

if TYPE_CHECKING:
    from rich.text import Text as RichText

    from tabuleiro.core import Position
    from tabuleiro.diagrams import Diagram, Overlay
    from tabuleiro.rulebook import Block

HELP = both("As regras de um jogo, com diagramas.", "The rules of a game, with diagrams.")

STYLES = {"plain": "", "bold": "bold", "code": "cyan"}


def rules(game: GameArgument, plain: PlainOption = False) -> None:
    from tabuleiro.rulebook import read_rules

    plain = plain or not shows_unicode(sys.stdout)
    for block in read_rules(find_game(game), language()):
        print_rich(*laid_out(block, plain), "", plain=plain)


def laid_out(block: "Block", plain: bool) -> list[Any]:
    """What Rich prints for a block."""
    from rich.table import Table

    from tabuleiro import text
    from tabuleiro.diagrams import Diagram
    from tabuleiro.rulebook import BulletList, Heading

    if isinstance(block, Heading):
        mark = "#" * block.level + " " if plain else ""
        return [_styled(mark + block.text, "bold underline" if block.level == 1 else "bold")]
    if isinstance(block, BulletList):
        items = Table.grid(padding=(0, 1))
        for item in block.items:
            items.add_row("-" if plain else "•", _styled(item))
        return [items]
    if isinstance(block, Diagram):
        board = text.draw(block.position, plain=plain, last=block.last, language=language())
        return [board, *(_styled(line, "italic") for line in _said_of(block))]
    return [_styled(block.text)]


def _styled(marked: str, style: str = "") -> "RichText":
    from rich.text import Text as RichText

    from tabuleiro.rulebook import spans

    styled = RichText(style=style)
    for span in spans(marked):
        styled.append(span.text, STYLES[span.style])
    return styled


def _said_of(diagram: "Diagram") -> list[str]:
    """What a picture would show with arrows and colours, and its caption."""
    names = diagram.position.geometry.names
    lines = []
    if diagram.arrows:
        lines.append(
            tr("Setas: ", "Arrows: ")
            + ", ".join(f"{names[origin]}-{names[target]}" for origin, target in diagram.arrows)
        )
    if diagram.highlights:
        lines.append(tr("Assinaladas: ", "Highlighted: ") + ", ".join(names[cell] for cell in diagram.highlights))
    if diagram.numbers:
        numbered = (f"{number} {names[cell]}" for number, cell in enumerate(diagram.numbers, start=1))
        lines.append(tr("Por ordem: ", "In order: ") + ", ".join(numbered))
    lines += said_of_overlay(diagram.overlay, diagram.position)
    if diagram.legal:
        moves = [diagram.position.move_str(move) for move in diagram.position.legal_moves()]
        lines.append(tr("Jogadas possíveis: ", "Possible moves: ") + ", ".join(moves))
    if diagram.caption:
        lines.append(diagram.caption)
    return lines


def said_of_overlay(overlay: "Overlay", position: "Position") -> list[str]:
    """What is drawn over a board, in words."""
    names = position.geometry.names
    lines = []
    if overlay.dominoes:
        pairs = (f"{names[first]}-{names[second]}" for first, second in overlay.dominoes)
        lines.append(tr("Dominós: ", "Dominoes: ") + ", ".join(pairs))
    for region in overlay.regions:
        cells = " ".join(names[cell] for cell in region.cells) or tr("nenhuma casa", "no cell")
        label = f" ({region.label})" if region.label else ""
        lines.append(tr("Região", "Region") + f"{label}: {cells}")
    if overlay.values:
        lines.append(tr("Valores: ", "Values: ") + ", ".join(f"{names[cell]} {text}" for cell, text in overlay.values))
    return lines
