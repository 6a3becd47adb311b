"""The command `tabuleiro`. One file a command; `frame` holds what surrounds them all."""

from typing import Annotated

import typer

from tabuleiro.cli import (
    analyse,
    backup,
    bench,
    championship,
    completion,
    doctor,
    engine,
    games,
    learn,
    lessons,
    manual,
    match,
    moves,
    people,
    perft,
    play,
    players,
    puzzle,
    puzzles,
    rate,
    record,
    record_stats,
    rules,
    serve,
    show,
    solve,
    tables,
    token,
    worker,
)
from tabuleiro.cli.frame import Command, Group, Root
from tabuleiro.cli.speech import both

app = typer.Typer(
    cls=Root,
    help=both("Oito jogos de tabuleiro na consola.", "Eight board games in the terminal."),
    rich_markup_mode=None,  # Rich help pages would double the time a command takes to start
    pretty_exceptions_enable=False,
)
records = typer.Typer(
    cls=Group,
    help=both("Verifica, converte e conta registos de partidas.", "Check, convert and count records of games."),
)
lessoned = typer.Typer(cls=Group, help=lessons.HELP)
puzzled = typer.Typer(cls=Group, help=puzzles.HELP)
tabled = typer.Typer(cls=Group, help=tables.HELP)
tokens = typer.Typer(cls=Group, help=token.HELP)
persons = typer.Typer(cls=Group, help=people.HELP)


@app.callback()
def language_option(
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            metavar="pt|en",
            help=both(
                "A língua, antes ou depois do comando; sem isto, a do sistema (LANG).",
                "The language, before or after the command; else that of the system (LANG).",
            ),
        ),
    ] = None,
) -> None:
    """For the help page alone: `frame.take_language` reads the option wherever it stands."""


app.command(cls=Command, help=games.HELP)(games.games)
app.command(cls=Command, help=rules.HELP)(rules.rules)
app.command(cls=Command, help=show.HELP)(show.show)
app.command(cls=Command, help=moves.HELP)(moves.moves)
app.command(cls=Command, help=play.HELP)(play.play)
app.command(cls=Command, help=learn.HELP)(learn.learn)
app.command(cls=Command, help=puzzle.HELP)(puzzle.puzzle)
app.command(cls=Command, help=perft.HELP)(perft.perft)
app.command(cls=Command, help=analyse.HELP)(analyse.analyse)
app.command(cls=Command, help=solve.HELP)(solve.solve)
app.command(cls=Command, help=engine.HELP)(engine.engine)
app.command(cls=Command, help=match.HELP)(match.match)
app.command(cls=Command, help=players.HELP)(players.players)
app.command(cls=Command, help=rate.HELP)(rate.rate)
records.command(cls=Command, help=record.CHECK_HELP)(record.check)
records.command(cls=Command, help=record.CONVERT_HELP)(record.convert)
records.command("stats", cls=Command, help=record_stats.HELP)(record_stats.stats)
app.add_typer(records, name="record")
tabled.command("list", cls=Command, help=tables.LIST_HELP)(tables.list_)
tabled.command(cls=Command, help=tables.BUILD_HELP)(tables.build)
tabled.command(cls=Command, help=tables.VERIFY_HELP)(tables.verify)
tabled.command(cls=Command, help=tables.STATISTICS_HELP)(tables.statistics)
app.add_typer(tabled, name="tables")
lessoned.command("verify", cls=Command, help=lessons.VERIFY_HELP)(lessons.verify)
app.add_typer(lessoned, name="lessons")
puzzled.command("mine", cls=Command, help=puzzles.MINE_HELP)(puzzles.mine)
puzzled.command("verify", cls=Command, help=puzzles.VERIFY_HELP)(puzzles.verify)
puzzled.command("rate", cls=Command, help=puzzles.RATE_HELP)(puzzles.rate)
puzzled.command("grade", cls=Command, help=puzzles.GRADE_HELP)(puzzles.grade)
app.add_typer(puzzled, name="puzzles")
app.add_typer(championship.commands, name="championship")
app.command(cls=Command, help=bench.HELP)(bench.bench)
app.command(cls=Command, help=serve.HELP)(serve.serve)
app.command(cls=Command, help=worker.HELP)(worker.worker)
app.command(cls=Command, help=doctor.HELP)(doctor.doctor)
app.command(cls=Command, help=completion.HELP)(completion.completion)
app.command(cls=Command, help=manual.HELP)(manual.manual)
app.command(cls=Command, help=backup.HELP)(backup.backup)
tokens.command("make", cls=Command, help=token.MAKE_HELP)(token.make)
tokens.command("list", cls=Command, help=token.LIST_HELP)(token.list_all)
tokens.command("revoke", cls=Command, help=token.REVOKE_HELP)(token.revoke)
app.add_typer(tokens, name="token")
persons.command("link", cls=Command, help=people.LINK_HELP)(people.link)
persons.command("list", cls=Command, help=people.LIST_HELP)(people.list_all)
persons.command("export", cls=Command, help=people.EXPORT_HELP)(people.export)
persons.command("erase", cls=Command, help=people.ERASE_HELP)(people.erase)
app.add_typer(persons, name="people")


def main() -> None:
    app()
