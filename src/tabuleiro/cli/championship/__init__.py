"""`tabuleiro championship`: a whole championship from one laptop, in one file."""

import typer

from tabuleiro.cli.championship import entries, keeping, playing, rehearsing, results, showing
from tabuleiro.cli.frame import Command, Group
from tabuleiro.cli.speech import both

HELP = both(
    "Um campeonato num ficheiro: inscrições, sorteios, jornadas, classificações.",
    "A championship in one file: registration, draws, rounds, standings.",
)

commands = typer.Typer(cls=Group, help=HELP)
for name, help_page, function in (
    ("new", entries.NEW_HELP, entries.new),
    ("register", entries.REGISTER_HELP, entries.register),
    ("enter", entries.ENTER_HELP, entries.enter),
    ("check-in", entries.CHECK_IN_HELP, entries.check_in),
    ("absent", entries.ABSENT_HELP, entries.absent),
    ("withdraw", entries.WITHDRAW_HELP, entries.withdraw),
    ("swap", entries.SWAP_HELP, entries.swap),
    ("draw", playing.DRAW_HELP, playing.draw),
    ("pair", playing.PAIR_HELP, playing.pair),
    ("result", results.RESULT_HELP, results.result),
    ("playoff", results.PLAYOFF_HELP, results.playoff),
    ("lots", results.LOTS_HELP, results.lots),
    ("settings", playing.SETTINGS_HELP, playing.settings),
    ("undo", results.UNDO_HELP, results.undo),
    ("status", showing.STATUS_HELP, showing.status),
    ("pairings", showing.PAIRINGS_HELP, showing.pairings),
    ("standings", showing.STANDINGS_HELP, showing.standings),
    ("figures", showing.FIGURES_HELP, showing.figures),
    ("log", showing.LOG_HELP, showing.log),
    ("erase", entries.ERASE_HELP, entries.erase),
    ("export", keeping.EXPORT_HELP, keeping.export),
    ("import", keeping.IMPORT_HELP, keeping.import_),
    ("compare", keeping.COMPARE_HELP, keeping.compare),
    ("rehearse", rehearsing.REHEARSE_HELP, rehearsing.rehearse),
):
    commands.command(name, cls=Command, help=help_page)(function)
