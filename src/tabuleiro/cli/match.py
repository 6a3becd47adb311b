"""`tabuleiro match`: two players meet, in pairs of games with sides exchanged."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabuleiro.cli.arguments import GameArgument, JsonOption, OptionOption, file_path, find_game, read_options
from tabuleiro.cli.crews import ProcessesOption, RayOption, crew_line, crew_of
from tabuleiro.cli.frame import UsageError
from tabuleiro.cli.speech import both, figure, print_json, print_rich, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

if TYPE_CHECKING:
    from rich.table import Table

    from tabuleiro.crew import Crew
    from tabuleiro.elo import Tally
    from tabuleiro.match import Match, Pair

HELP = both(
    "Joga um encontro: A e B são level:3, alphabeta:time=0.1, greedy, random ou outro programa (ugi:, uci:, gtp:).",
    "Play a match: A and B are level:3, alphabeta:time=0.1, greedy, random or another program (ugi:, uci:, gtp:).",
)

SecondsOption = Annotated[
    float,
    typer.Option(
        "--time",
        metavar="S",
        min=0.001,
        max=3600,
        help=both(
            "Segundos por jogada de quem não tem limite seu (0.1 se nada disseres).",
            "Seconds a move for players without a limit of their own (0.1 if not given).",
        ),
    ),
]
SeedOption = Annotated[int, typer.Option(metavar="N", help=both("Número do sorteio.", "Seed of the match."))]


def match(
    game: GameArgument,
    one: Annotated[
        str,
        typer.Argument(
            metavar="A", show_default=False, help=both("Um jogador, como level:3.", "A player, as level:3.")
        ),
    ],
    two: Annotated[
        str, typer.Argument(metavar="B", show_default=False, help=both("O outro jogador.", "The other player."))
    ],
    option: OptionOption = None,
    games: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=2,
            max=1_000_000,
            help=both(
                "Quantas partidas, no máximo (100 se nada disseres).", "How many games at most (100 if not given)."
            ),
        ),
    ] = 100,
    seconds: SecondsOption = 0.1,
    plies: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=100, help=both("Jogadas ao acaso na abertura.", "Random plies of the openings.")
        ),
    ] = None,
    seed: SeedOption = 1,
    processes: ProcessesOption = None,
    ray: RayOption = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="E0,E1",
            help=both(
                "Acaba assim que se sabe se A vale E1 ou só E0 pontos Elo a mais.",
                "End as soon as it is known whether A is E1 or only E0 Elo stronger.",
            ),
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=both(
                "Guarda aqui os pares acabados, e continua a partir deles.",
                "Keep the finished pairs here, and go on from them.",
            ),
        ),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE", help=both("Guarda as partidas neste ficheiro.", "Save the games to this file.")),
    ] = None,
    json: JsonOption = False,
) -> None:
    from tabuleiro.match import Match, PairFile, opening_plies, play_match
    from tabuleiro.players import parse_name

    kind = find_game(game)
    names = parse_name(one).text, parse_name(two).text
    asked = Match(
        kind.id,
        read_options(kind, option).changed(),
        *names,
        seconds,
        seed,
        opening_plies(kind.id) if plies is None else plies,
    )
    crew = crew_of(processes, ray)
    standing = Standing(asked, _read_sprt(sprt), crew=crew)
    kept = PairFile(file_path(resume), asked) if resume is not None else None
    for pair in kept.pairs if kept is not None else []:
        standing.add(pair)
    with saving(save, list(standing.pairs)) as write, showing(standing, quiet=json) as show:
        done = {pair.number for pair in standing.pairs}
        rest = [number for number in range((games + 1) // 2) if number not in done]
        if not standing.decided:
            for pair in play_match(asked, rest, crew):
                standing.add(pair)
                write(pair)
                if kept is not None:
                    kept.add(pair)
                show()
                if standing.decided:
                    break
    if json:
        print_json(standing.values())
    elif not sys.stdout.isatty():
        print_rich(standing.table())


def _read_sprt(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(-?[0-9]{1,4}(?:\.[0-9]+)?),(-?[0-9]{1,4}(?:\.[0-9]+)?)", text.replace(" ", ""))
    if found is None or float(found[1]) >= float(found[2]):
        raise UsageError(
            Text(
                "--sprt são dois números, o menor primeiro, como 0,20", "--sprt is two numbers, smaller first, as 0,20"
            )
        )
    return float(found[1]), float(found[2])


@dataclass
class Standing:
    """How a match stands."""

    match: "Match"
    sprt: tuple[float, float] | None = None
    pairs: "list[Pair]" = field(default_factory=list)
    #: Who plays it.
    crew: "Crew | None" = None

    def add(self, pair: "Pair") -> None:
        self.pairs.append(pair)

    @property
    def tally(self) -> "Tally":
        from tabuleiro.match import tally_of

        return tally_of(self.pairs)

    @property
    def decided(self) -> bool:
        from tabuleiro.elo import Verdict

        return self.sprt is not None and self.tally.test(*self.sprt) is not Verdict.UNDECIDED

    def _time(self, side: int) -> tuple[float, float]:
        """Milliseconds a move, on average and at most."""
        moves = sum(pair.moves[side] for pair in self.pairs)
        spent = sum(pair.seconds[side] for pair in self.pairs)
        return 1000 * spent / max(moves, 1), 1000 * max((pair.longest[side] for pair in self.pairs), default=0.0)

    def values(self) -> dict[str, Any]:
        tally = self.tally
        finite = 0 < tally.score < 1
        return {
            "game": self.match.game,
            "players": [self.match.one, self.match.two],
            "games": 2 * tally.pairs,
            "score": tally.score,
            "error": tally.error,
            "elo": round(tally.elo, 1) if finite else None,
            "pentanomial": list(tally.counts),
            "ms_per_move": [round(self._time(side)[0], 2) for side in (0, 1)],
            "ms_longest": [round(self._time(side)[1], 2) for side in (0, 1)],
            "sprt": None
            if self.sprt is None
            else {
                "elo0": self.sprt[0],
                "elo1": self.sprt[1],
                "llr": round(tally.log_likelihood(*self.sprt), 3),
                "verdict": tally.test(*self.sprt).value,
            },
        }

    def table(self) -> "Table":
        from rich.table import Table

        tally = self.tally
        caption = tr(
            f"pares 0 · ½ · 1 · 1½ · 2: {' · '.join(map(str, tally.counts))}",
            f"pairs 0 · ½ · 1 · 1½ · 2: {' · '.join(map(str, tally.counts))}",
        )
        if self.sprt is not None:
            low, high = self.sprt
            caption += (
                f"\nSPRT {low:g},{high:g}: LLR {tally.log_likelihood(low, high):+.2f} {tally.test(low, high).value}"
            )
        if self.crew is not None and self.crew.size > 1:
            caption += f"\n{crew_line(self.crew)}"
        table = Table(title=f"{self.match.game}: {2 * tally.pairs}", caption=caption)
        table.add_column(tr("jogador", "player"), overflow="fold")
        for title in (tr("pontos", "points"), "%", "Elo", tr("ms/jogada", "ms/move"), tr("máx.", "max")):
            table.add_column(title, justify="right", no_wrap=True)
        error = f" ± {figure(100 * tally.error, 1)}"
        for side, name in enumerate((self.match.one, self.match.two)):
            score = 1 - tally.score if side else tally.score
            points = 2 * tally.pairs - tally.points if side else tally.points
            mean, longest = self._time(side)
            elo = "" if side else tally.elo_text()
            shown = figure(points, 0 if points == int(points) else 1), f"{figure(100 * score, 1)}{error}", elo
            table.add_row(name, *shown, figure(mean, 1), figure(longest))
        return table


@contextmanager
def showing(standing: Any, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """A live table on a terminal; the function given shows how things stand."""
    if quiet or not sys.stdout.isatty():
        yield lambda: None
        return
    from rich.live import Live

    with Live(standing.table(), auto_refresh=False) as live:
        yield lambda: live.update(standing.table(), refresh=True)


@contextmanager
def saving(save: str | None, finished: "list[Pair]") -> Iterator[Callable[["Pair"], None]]:
    """Writes the records of pairs to a file, first those of the finished ones. It must be new, or hold nothing else."""
    if save is None:
        yield lambda pair: None
        return
    path: Path = file_path(save)
    begun = "\n".join(record for pair in finished for record in pair.records)
    if os.path.lexists(path) and not (path.is_file() and finished and begun.encode().startswith(path.read_bytes())):
        raise TabuleiroError(
            Text(f"{path} já existe; escolhe outro nome", f"{path} exists already; choose another name")
        )
    with path.open("w", encoding="utf-8") as stream:
        stream.write(begun)

        def write(pair: "Pair") -> None:
            for record in pair.records:
                stream.write(("\n" if stream.tell() else "") + record)
            stream.flush()

        yield write
