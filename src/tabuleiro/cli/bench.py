"""`tabuleiro bench`: how fast the Python rules are, in CPU time of one thread; and the signature of the search.

The signature is how many nodes a search of fixed positions to fixed depths visits: a change of the code that leaves it
as it was did not change what the search does.
"""

import platform
import random
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from time import thread_time
from typing import Annotated

import typer

from tabuleiro.cli.arguments import JsonOption, file_path, find_game, naming
from tabuleiro.cli.speech import both, print_json, print_rich, tr
from tabuleiro.core import Position, TabuleiroError
from tabuleiro.games import GAMES
from tabuleiro.language import Text
from tabuleiro.perft import perft

HELP = both(
    "Mede a velocidade das regras, ou a assinatura da procura.",
    "Measure how fast the rules are, or the search’s signature.",
)

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
    search: Annotated[
        bool,
        typer.Option(
            "--search",
            help=both(
                "Em vez disso, a assinatura da procura: nós por jogo.",
                "Instead, the signature of the search: nodes a game.",
            ),
        ),
    ] = False,
    positions: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            help=both(
                "As posições de --search (bench/positions se nada disseres).",
                "The positions of --search (bench/positions if not given).",
            ),
        ),
    ] = "bench/positions",
    json: JsonOption = False,
) -> None:
    chosen = [find_game(name) for name in game] if game else list(GAMES.values())
    if search:
        nodes = {kind.id: signature(kind, file_path(positions) / f"{kind.id}.txt") for kind in chosen}
        if json:
            print_json(nodes)
        else:
            print("\n".join(f"{name} {count}" for name, count in nodes.items()))
        return
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


def signature(game: type[Position], path: Path) -> int:
    """The nodes of searching each position of a file, a depth and a position a line, with one thread."""
    from tabuleiro.search import AlphaBetaEngine, Limit

    engine = AlphaBetaEngine(table=16)
    nodes = 0
    with naming(str(path)):
        for line in path.read_text("utf-8").splitlines():
            depth, _, position = line.partition(" ")
            if not re.fullmatch("[1-9][0-9]?", depth):
                raise TabuleiroError(
                    Text("cada linha é uma profundidade e uma posição", "each line is a depth and a position")
                )
            engine.forget()
            nodes += engine.analyse(game.from_str(position), Limit(depth=int(depth))).nodes
    return nodes


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
