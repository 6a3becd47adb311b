"""`tabuleiro rules`: the rules of a game, with diagrams."""

import sys
from typing import TYPE_CHECKING

from tabuleiro import text
from tabuleiro.cli.arguments import GameArgument, PlainOption, find_game
from tabuleiro.cli.speech import both, language, shows_unicode, tr
from tabuleiro.rulebook import BulletList, Diagram, Heading, read_rules, spans

if TYPE_CHECKING:
    from rich.text import Text as RichText

HELP = both("As regras de um jogo, com diagramas.", "The rules of a game, with diagrams.")

STYLES = {"plain": "", "bold": "bold", "code": "cyan"}


def rules(game: GameArgument, plain: PlainOption = False) -> None:
    from rich.console import Console

    blocks = read_rules(find_game(game), language())
    plain = plain or not shows_unicode(sys.stdout)
    console = Console(highlight=False, markup=False, emoji=False, color_system=None if plain else "auto")
    console.width = min(console.width, 100)
    for block in blocks:
        if isinstance(block, Heading):
            mark = "" if not plain else "# " if block.level == 1 else "## "
            console.print(_styled(mark + block.text, "bold underline" if block.level == 1 else "bold"))
        elif isinstance(block, BulletList):
            for item in block.items:
                bullet = "-" if plain else "•"
                console.print(_styled(f"{bullet} {item}"))
        elif isinstance(block, Diagram):
            print(text.draw(block.position, plain=plain, last=block.last, language=language()))
            for line in _said_of(block):
                console.print(_styled(line, "italic"))
        else:
            console.print(_styled(block.text))
        console.print()


def _styled(marked: str, style: str = "") -> "RichText":
    from rich.text import Text as RichText

    styled = RichText(style=style)
    for span in spans(marked):
        styled.append(span.text, STYLES[span.style])
    return styled


def _said_of(diagram: Diagram) -> list[str]:
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
    if diagram.legal:
        moves = [diagram.position.move_str(move) for move in diagram.position.legal_moves()]
        lines.append(tr("Jogadas possíveis: ", "Possible moves: ") + ", ".join(moves))
    if diagram.caption:
        lines.append(diagram.caption)
    return lines
