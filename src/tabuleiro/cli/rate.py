"""`tabuleiro rate`: the ladder of levels, each against the one below."""

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.arguments import GameArgument, JsonOption, OptionOption, find_game, read_options
from tabuleiro.cli.crews import ProcessesOption, RayOption, crew_line, crew_of
from tabuleiro.cli.match import SecondsOption, SeedOption, Standing, showing
from tabuleiro.cli.speech import both, figure, print_json, print_rich, tr

if TYPE_CHECKING:
    from rich.table import Table

    from tabuleiro.crew import Crew

HELP = both(
    "Mede os dez níveis de um jogo: cada um contra o anterior.",
    "Measure the ten levels of a game: each against the one below.",
)


def rate(
    game: GameArgument,
    option: OptionOption = None,
    games: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=2,
            max=1_000_000,
            help=both(
                "Partidas entre níveis seguidos (100 se nada disseres).", "Games between neighbours (100 if not given)."
            ),
        ),
    ] = 100,
    seconds: SecondsOption = 0.1,
    seed: SeedOption = 1,
    processes: ProcessesOption = None,
    ray: RayOption = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help=both("Escreve uma tabela Markdown.", "Write a Markdown table."))
    ] = False,
    json: JsonOption = False,
) -> None:
    from tabuleiro.match import Match, opening_plies, play_match
    from tabuleiro.players import TOP

    kind = find_game(game)
    options = read_options(kind, option).changed()
    crew = crew_of(processes, ray)
    ladder = Ladder(kind.id, crew)
    with showing(ladder, quiet=json or markdown) as show:
        for level in range(2, TOP + 1):
            asked = Match(
                kind.id, options, f"level:{level}", f"level:{level - 1}", seconds, seed, opening_plies(kind.id)
            )
            step = Standing(asked)
            ladder.steps.append(step)
            for pair in play_match(asked, list(range((games + 1) // 2)), crew):
                step.add(pair)
                show()
    if json:
        print_json({"game": kind.id, "steps": [step.values() for step in ladder.steps]})
    elif markdown:
        print("\n".join(ladder.markdown()))
    elif not sys.stdout.isatty():
        print_rich(ladder.table())


@dataclass
class Ladder:
    game: str
    #: Who plays the games.
    crew: "Crew"
    steps: list[Standing] = field(default_factory=list)

    def rows(self) -> list[tuple[str, ...]]:
        """Level, games, score against the level below, Elo above it, Elo above level 1, milliseconds a move."""
        rows: list[tuple[str, ...]] = []
        height = 0.0
        for number, step in enumerate(self.steps, start=2):
            tally = step.tally
            height += tally.elo if 0 < tally.score < 1 else 0.0
            score = f"{100 * tally.score:.0f} ± {100 * tally.error:.0f}"
            means = step.values()["ms_per_move"]
            rows.append(
                (str(number), str(2 * tally.pairs), score, tally.elo_text(), figure(height), figure(means[0], 1))
            )
        return rows

    def titles(self) -> tuple[str, ...]:
        return (
            tr("nível", "level"),
            tr("partidas", "games"),
            tr("% contra o anterior", "% against the one below"),
            "Elo",
            tr("Elo sobre o nível 1", "Elo above level 1"),
            tr("ms/jogada", "ms/move"),
        )

    def table(self) -> "Table":
        from rich.table import Table

        table = Table(title=self.game, caption=crew_line(self.crew) if self.crew.size > 1 else None)
        for title in self.titles():
            table.add_column(title, justify="right")
        for row in self.rows():
            table.add_row(*row)
        return table

    def markdown(self) -> list[str]:
        return [
            f"| {' | '.join(self.titles())} |",
            f"|{'---:|' * len(self.titles())}",
            *(f"| {' | '.join(row)} |" for row in self.rows()),
        ]
