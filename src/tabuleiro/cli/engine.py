"""`tabuleiro engine`: an engine for other programs, on standard input and output."""

import sys
from typing import Annotated

import typer

from tabuleiro.cli.arguments import GameArgument, OptionOption, find_game, read_options
from tabuleiro.cli.frame import UsageError
from tabuleiro.cli.speech import both
from tabuleiro.language import Text

HELP = both(
    "O motor para outros programas: UGI na entrada e saída (docs/protocol.md), ou GTP para Hex.",
    "The engine for other programs: UGI on standard input and output (docs/protocol.md), or GTP for Hex.",
)


def engine(
    game: GameArgument,
    option: OptionOption = None,
    level: Annotated[
        int, typer.Option(metavar="N", min=1, max=10, help=both("Nível de 1 a 10.", "Level, 1 to 10."))
    ] = 10,
    threads: Annotated[int, typer.Option(metavar="T", min=1, max=512, help=both("Fios de execução.", "Threads."))] = 1,
    gtp: Annotated[
        bool, typer.Option("--gtp", help=both("Fala GTP em vez de UGI; só Hex.", "Speak GTP instead of UGI; Hex only."))
    ] = False,
) -> None:
    kind = find_game(game)
    options = read_options(kind, option)
    if gtp:
        if kind.id != "hex" or options.changed():
            raise UsageError(
                Text("com --gtp só se joga Hex, sem outras opções", "with --gtp the game is Hex, without other options")
            )
        from tabuleiro.engine.gtp import serve_gtp

        serve_gtp(level, threads, sys.stdin, sys.stdout)
    else:
        from tabuleiro.engine.serve import serve_ugi

        serve_ugi(kind, options, level, threads, sys.stdin, sys.stdout)
