"""`tabuleiro bench`: how fast the Python rules are, in CPU time of one thread."""

import platform
import random
from dataclasses import asdict, dataclass
from time import thread_time
from typing import Annotated

import typer

from tabuleiro.cli.arguments import JsonOption, find_game
from tabuleiro.cli.speech import both, print_json, print_rich, tr
from tabuleiro.core import Position
from tabuleiro.games import GAMES
from tabuleiro.perft import perft

HELP = both("Mede a velocidade das regras.", "Measure how fast the rules are.")

#: Random play can wander for ever in some games; longer ones are cut.
LONGEST_GAME = 500


@dataclass(frozen=True)
class Speed:
    games_per_second: float
    moves_per_second: float
    leaves_per_second: float
    perft_depth: int


def bench(
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game", metavar="GAME", help=both("Só este jogo; pode repetir-se.", "Only this game; may be repeated.")
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            metavar="S",
            min=0.01,
            max=600,
            help=both(
                "Segundos de cada medida, de 0.01 a 600 (1 se nada disseres).",
                "Seconds for each measure, from 0.01 to 600 (1 if not given).",
            ),
        ),
    ] = 1,
    json: JsonOption = False,
) -> None:
    chosen = [find_game(name) for name in game] if game else list(GAMES.values())
    speeds = {kind.id: measure(kind, seconds) for kind in chosen}
    if json:
        print_json(
            {"python": platform.python_version(), "games": {name: asdict(speed) for name, speed in speeds.items()}}
        )
        return
    from rich.table import Table

    table = Table()
    table.add_column(tr("jogo", "game"))
    for title in (
        tr("partidas/s", "games/s"),
        tr("jogadas/s", "moves/s"),
        tr("folhas de perft/s", "perft leaves/s"),
        tr("profundidade", "depth"),
    ):
        table.add_column(title, justify="right")
    for name, speed in speeds.items():
        rates = (speed.games_per_second, speed.moves_per_second, speed.leaves_per_second)
        table.add_row(name, *(f"{rate:,.1f}" for rate in rates), str(speed.perft_depth))
    print_rich(table)


def measure(game: type[Position], seconds: float) -> Speed:
    games, moves, playing = _random_games(game, seconds)
    depth, leaves, counting = 0, 1, 0.0
    while counting < seconds / 4 and leaves:
        depth += 1
        began = thread_time()
        leaves = perft(game.start(), depth)
        counting = thread_time() - began
    return Speed(
        games_per_second=games / playing,
        moves_per_second=moves / playing,
        leaves_per_second=leaves / counting,
        perft_depth=depth,
    )


def _random_games(game: type[Position], seconds: float) -> tuple[int, int, float]:
    """Random games for so many seconds: how many, their moves, and the time they took."""
    chance = random.Random(0)
    start = game.start()
    games = moves = 0
    began = thread_time()
    while (passed := thread_time() - began) < seconds:
        position = start
        for _ in range(LONGEST_GAME):
            if not (legal := position.legal_moves()):
                break
            position = position.play(chance.choice(legal))
            moves += 1
        games += 1
    return games, moves, passed
