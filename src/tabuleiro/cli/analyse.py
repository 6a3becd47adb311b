"""`tabuleiro analyse`: what the strongest engine thinks of a position."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabuleiro.cli.arguments import GameArgument, JsonOption, OptionOption, PlayOption, PositionOption, read_line
from tabuleiro.cli.speech import both, complain, figure, print_json, print_rich, tr
from tabuleiro.core import Position
from tabuleiro.language import Text, plural
from tabuleiro.record import write_moves

if TYPE_CHECKING:
    from rich.table import Table

    from tabuleiro.search import Analysis, Score, ScoredLine

HELP = both("Analisa uma posição com o motor mais forte.", "Analyse a position with the strongest engine.")

#: Seconds that an analysis takes when nobody says.
USUAL_SECONDS = 2.0
#: Moves of a line that are shown in a table.
SHOWN_MOVES = 8


def analyse(
    game: GameArgument,
    position: PositionOption = None,
    play: PlayOption = "",
    option: OptionOption = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="S",
            min=0.001,
            max=1e6,
            help=both("Segundos (2 se não houver limite).", "Seconds (2 if there is no limit)."),
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help=both("Posições a ver, no máximo.", "Positions to see, at most.")),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(metavar="D", min=1, max=1000, help=both("Profundidade, no máximo.", "Depth, at most.")),
    ] = None,
    lines: Annotated[
        int,
        typer.Option(metavar="K", min=1, max=200, help=both("Quantas jogadas comparar.", "How many moves to compare.")),
    ] = 1,
    threads: Annotated[int, typer.Option(metavar="T", min=1, max=512, help=both("Fios de execução.", "Threads."))] = 1,
    json: JsonOption = False,
) -> None:
    from tabuleiro.players import TOP, make_engine
    from tabuleiro.players.nets import says_without_net
    from tabuleiro.search import Limit

    line = read_line(game, option, position, play)
    if (seconds, nodes, depth) == (None, None, None):
        seconds = USUAL_SECONDS
    if (missing := says_without_net(line.start.id, line.start.options)) is not None:
        complain(missing)
    engine = make_engine(f"level:{TOP}", line.start.id, threads=threads)
    limit = Limit(seconds, nodes, depth)
    shown = _Shown(line.position)
    if json:
        print_json(shown.values(engine.analyse(line, limit, lines=lines)))
    elif not sys.stdout.isatty():
        print_rich(shown.table(engine.analyse(line, limit, lines=lines)))
    else:
        from rich.live import Live

        with engine.start(line, limit, lines=lines) as running, Live(refresh_per_second=8) as live:
            for analysis in running:
                live.update(shown.table(analysis))


@dataclass(frozen=True)
class _Shown:
    """Analyses of a position, for people and for programs."""

    position: Position

    def values(self, analysis: "Analysis") -> dict[str, Any]:
        return {
            "position": str(self.position),
            "turn": int(self.position.turn),
            "exact": analysis.exact,
            "depth": analysis.depth,
            "nodes": analysis.nodes,
            "seconds": round(analysis.seconds, 3),
            "lines": [self._line(line, analysis.prior(line)) for line in analysis.lines],
        }

    def _line(self, line: "ScoredLine", prior: float | None) -> dict[str, Any]:
        score = line.score
        return {
            "score": str(score),
            "worth": None if score.worth is None else score.worth.name.lower(),
            "plies": score.plies,
            "points": score.points,
            "chance": round(score.chance, 4),
            "prior": None if prior is None else round(prior, 4),
            "moves": write_moves(self.position, line.moves),
        }

    def table(self, analysis: "Analysis") -> "Table":
        from rich.table import Table

        proven = tr(" · provado", " · proven") if analysis.exact else ""
        speed = figure(analysis.nodes / analysis.seconds / 1e6 if analysis.seconds > 0 else 0, 1, "M/s")
        table = Table(
            title=str(self.position),
            caption=tr(
                f"profundidade {analysis.depth} · {figure(analysis.nodes)} posições · {speed}{proven}",
                f"depth {analysis.depth} · {figure(analysis.nodes)} positions · {speed}{proven}",
            ),
        )
        table.add_column(tr("valor", "value"), justify="right")
        table.add_column(tr("ganha", "wins"), justify="right")
        if analysis.root:
            table.add_column(tr("à vista", "at sight"), justify="right")
        table.add_column(tr("jogadas", "moves"), overflow="fold")
        for line in analysis.lines:
            shown = write_moves(self.position, line.moves[:SHOWN_MOVES])
            prior = analysis.prior(line)
            sight = [] if not analysis.root else ["" if prior is None else f"{prior:.0%}"]
            table.add_row(describe(line.score), f"{line.score.chance:.0%}", *sight, " ".join(shown))
        return table


def describe(score: "Score") -> str:
    """A score in words as short as may be."""
    from tabuleiro.search.base import Worth

    if score.worth is None:
        return f"{score.points:+d}"
    if score.worth is Worth.DRAW:
        return tr("empate", "draw")
    word = tr("ganha", "win") if score.worth is Worth.WIN else tr("perde", "loss")
    if score.plies is None:
        return word
    moves = plural(score.plies, Text("jogada", "move"), Text("jogadas", "moves"))
    return tr(f"{word} em {moves.pt}", f"{word} in {moves.en}")
