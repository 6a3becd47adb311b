"""`tabuleiro bench`: how fast the rules are, in CPU time of one thread.

With `--search`, the signature of the search: how many nodes it visits in fixed positions to fixed depths. A change of
the code that leaves it as it was did not change what the search does. With `--speed` as well, how many nodes a second.
Many games at once, records and other people's programs are measured by `batches.py`, `records.py` and `peers.py` in the
folder `bench` of the source tree.
"""

import platform
import random
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import thread_time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabuleiro.cli.arguments import JsonOption, file_path, find_game, naming
from tabuleiro.cli.frame import UsageError
from tabuleiro.cli.speech import both, print_json, print_rich, tr
from tabuleiro.core import Position, TabuleiroError
from tabuleiro.games import GAMES, get
from tabuleiro.language import Text

if TYPE_CHECKING:
    from rich.table import Table

HELP = both(
    "Mede a velocidade das regras, ou a assinatura da procura.",
    "Measure how fast the rules are, or the search’s signature.",
)

#: Random play with the Python rules alone looks at no history, and can wander for ever in some games.
LONGEST_GAME = 500


@dataclass(frozen=True)
class Speed:
    """Random games and their moves, and perft leaves (counted at the last ply, and each one played), per second."""

    games: float
    moves: float
    leaves_counted: float
    leaves_played: float
    #: The same moves by the Python rules.
    python_moves: float


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
    speed: Annotated[
        bool,
        typer.Option(
            "--speed",
            help=both(
                "Com --search: nós por segundo, com um fio de execução e com dois.",
                "With --search: nodes a second, with one thread and with two.",
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
    if speed and not search:
        raise UsageError(Text("--speed vai com --search", "--speed goes with --search"))
    if search:
        files = {kind: file_path(positions) / f"{kind.id}.txt" for kind in chosen}
        if speed:
            rates = {kind.id: asdict(search_speed(kind, path, seconds)) for kind, path in files.items()}
            _show({"games": rates}, json, _search_table)
            return
        nodes = {kind.id: signature(kind, path) for kind, path in files.items()}
        if json:
            print_json(nodes)
        else:
            print("\n".join(f"{name} {count}" for name, count in nodes.items()))
        return
    speeds = {kind.id: asdict(measure(kind.start(), seconds)) for kind in chosen}
    if not game or "ouri" in game:
        oware = get("ouri").options_type.parse({"rules": "oware"})
        speeds["ouri rules=oware"] = asdict(measure(get("ouri").start(oware), seconds))
    _show({"python": platform.python_version(), "machine": platform.machine(), "games": speeds}, json, _speed_table)


def _show(measured: dict[str, Any], json: bool, table: "Callable[[dict[str, Any]], Table]") -> None:
    if json:
        print_json(measured)
    else:
        print_rich(table(measured))


def new_table(*titles: str) -> "Table":
    from rich.table import Table

    table = Table()
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if number else "left")
    return table


def _speed_table(measured: dict[str, Any]) -> "Table":
    table = new_table(
        tr("jogo", "game"),
        tr("partidas/s", "games/s"),
        tr("jogadas/s", "moves/s"),
        tr("folhas contadas/s", "leaves counted/s"),
        tr("folhas jogadas/s", "leaves played/s"),
        tr("jogadas/s em Python", "moves/s in Python"),
    )
    for name, speed in measured["games"].items():
        table.add_row(name, *(short(rate) for rate in speed.values()))
    return table


def short(rate: float) -> str:
    """Three digits and a letter: 1.27 M."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"


def _search_table(measured: dict[str, Any]) -> "Table":
    table = new_table(
        tr("jogo", "game"), tr("nós/s, um fio", "nodes/s, one thread"), tr("dois", "two"), tr("razão", "ratio")
    )
    for name, speed in measured["games"].items():
        one, two = speed["one_thread"], speed["two_threads"]
        table.add_row(name, short(one), short(two), f"{two / one:.2f}")
    return table


def signature(game: type[Position], path: Path) -> int:
    """The nodes of searching each position of a file to its depth, with one thread."""
    from tabuleiro.players import make_engine
    from tabuleiro.search import Limit

    engine = make_engine("alphabeta:table=16", game.id)
    nodes = 0
    for depth, position in _searched(game, path):
        engine.forget()
        nodes += engine.analyse(position, Limit(depth=depth)).nodes
    return nodes


def _searched(game: type[Position], path: Path) -> list[tuple[int, Position]]:
    """The positions of a file, a depth and a position a line."""
    found = []
    with naming(str(path)):
        for line in path.read_text("utf-8").splitlines():
            depth, _, position = line.partition(" ")
            if not re.fullmatch("[1-9][0-9]?", depth):
                raise TabuleiroError(
                    Text("cada linha é uma profundidade e uma posição", "each line is a depth and a position")
                )
            found.append((int(depth), game.from_str(position)))
    return found


@dataclass(frozen=True)
class SearchSpeed:
    """Nodes of alpha-beta a second, as the clock on the wall has it."""

    one_thread: float
    two_threads: float


def search_speed(game: type[Position], path: Path, seconds: float) -> SearchSpeed:
    """Each position of a file is searched by one thread and by two in turn; what is proven early ends early."""
    from tabuleiro.players import make_engine
    from tabuleiro.search import Limit

    engines = [make_engine("alphabeta", game.id, threads=threads) for threads in (1, 2)]
    nodes, passed = [0, 0], [0.0, 0.0]
    positions = _searched(game, path)
    for _, position in positions:
        for number, engine in enumerate(engines):
            engine.forget()
            found = engine.analyse(position, Limit(seconds=seconds / len(positions)))
            nodes[number] += found.nodes
            passed[number] += found.seconds
    return SearchSpeed(nodes[0] / passed[0], nodes[1] / passed[1])


def measure(start: Position, seconds: float) -> Speed:
    from tabuleiro import native

    if native.kernel(start) is None:
        python = python_moves_per_second(start, seconds)
        return Speed(0, 0, 0, 0, python)
    games, moves = native_games_per_second(start, seconds)
    return Speed(
        games=games,
        moves=moves,
        leaves_counted=_leaves_per_second(start, seconds, bulk=True),
        leaves_played=_leaves_per_second(start, seconds, bulk=False),
        python_moves=python_moves_per_second(start, seconds),
    )


def native_games_per_second(start: Position, seconds: float) -> tuple[float, float]:
    """Random games, and moves in them, per second of one call that takes about that many seconds."""
    from tabuleiro import native

    games = 1
    while True:
        began = thread_time()
        played = native.random_games(start, games, seed=1)
        passed = thread_time() - began
        if passed >= seconds / 2:
            return games / passed, sum(played.lengths) / passed
        games *= max(2, min(16, int(seconds / max(passed, 1e-6))))


def _leaves_per_second(start: Position, seconds: float, *, bulk: bool) -> float:
    """Perft at the first depth that takes a tenth of the time given; a deeper one could take a hundred times that."""
    from tabuleiro import native

    depth = 1
    while True:
        began = thread_time()
        leaves = native.perft(start, depth, bulk=bulk)
        passed = thread_time() - began
        if passed >= seconds / 10 or leaves == 0:
            return leaves / passed
        depth += 1


def python_moves_per_second(start: Position, seconds: float) -> float:
    chance = random.Random(0)
    moves = 0
    began = thread_time()
    while (passed := thread_time() - began) < seconds:
        position = start
        for _ in range(LONGEST_GAME):
            if not (legal := position.legal_moves()):
                break
            position = position.play(chance.choice(legal))
            moves += 1
    return moves / passed
