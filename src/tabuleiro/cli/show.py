"""`tabuleiro show`: a position as text or as a picture."""

import sys
from typing import Annotated, Literal

import typer

from tabuleiro.cli.arguments import (
    GameArgument,
    JsonOption,
    OptionOption,
    PlainOption,
    PlayOption,
    PositionOption,
    file_path,
    read_line,
)
from tabuleiro.cli.moves import outcome_json
from tabuleiro.cli.speech import both, language, print_json, shows_unicode, tr

HELP = both("Mostra uma posição, como texto ou como desenho.", "Show a position, as text or as a picture.")


def show(
    game: GameArgument,
    position: PositionOption = None,
    play: PlayOption = "",
    option: OptionOption = None,
    svg: Annotated[
        str | None,
        typer.Option(metavar="FILE", help=both("Escreve o desenho neste ficheiro.", "Write the picture to this file.")),
    ] = None,
    plain: PlainOption = False,
    flip: Annotated[
        bool, typer.Option("--flip", help=both("Visto do outro lado.", "Seen from the other side."))
    ] = False,
    theme: Annotated[
        Literal["light", "dark"],
        typer.Option(metavar="light|dark", help=both("As cores do desenho.", "The colours of the picture.")),
    ] = "light",
    legal: Annotated[
        bool, typer.Option("--legal", help=both("Mostra também onde se pode jogar.", "Also show where one may play."))
    ] = False,
    json: JsonOption = False,
) -> None:
    line = read_line(game, option, position, play)
    here = line.position
    last = line.last.clicks
    if svg is not None:
        from tabuleiro.svg import draw as draw_svg

        picture = draw_svg(
            here, last=last, outcome=line.outcome, legal=legal, flipped=flip, theme=theme, language=language()
        )
        file_path(svg).write_text(picture, encoding="utf-8")
    if json:
        print_json(
            {
                "game": here.id,
                "options": here.options.items(),
                "position": str(here),
                "turn": int(here.turn),
                "pieces": {here.geometry.names[cell]: piece.symbol for cell, piece in here.pieces().items()},
                "score": here.score(),
                "outcome": outcome_json(line.outcome),
            }
        )
    elif svg is None:
        from tabuleiro import text

        plain = plain or not shows_unicode(sys.stdout)
        print(text.draw(here, plain=plain, last=last, outcome=line.outcome, flipped=flip, language=language()))
        if not plain:
            print("\n" + text.describe(here, language(), line.outcome))
        if legal and line.outcome is None:
            print(tr("Jogadas possíveis: ", "Possible moves: ") + ", ".join(map(here.move_str, here.legal_moves())))
