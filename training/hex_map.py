"""Pictures of the openings of Hex without the swap: which of them win. White, who joins a to the last letter, begins.

    python training/hex_map.py docs/games --sizes 3 4 5 6
    python training/hex_map.py docs/games --judged 11 --engine net:nodes=400
    python training/hex_map.py docs/games --played 11 first.json

Solved boards have the cells tinted that win. Sizes up to 6 take seconds; 7 takes an hour or more. On a judged board
every cell has its chance to win in percent, as the engine sees it, and the cells that win more often than not are
tinted: the fairest first stones, where the swap is played, are those nearest 50. A cell and the one opposite are judged
apart: half of what they differ by, and how far such chances are from what becomes of games (`--trust`, in percent, from
`training.nets.calibration`), are the error. On a played board the chances are shares of games, as
`training.nets.first_moves` counts them, a cell and the one opposite together, with errors of 95 %.
"""

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path

from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.players import make_engine, parse_name
from tabuleiro.search import Limit, Score
from tabuleiro.solve import solver_for
from tabuleiro.svg import UNIT, draw

#: How chances are written, in the units of the picture.
TEXT, SMALL_TEXT = 'font-size="34" text-anchor="middle"', 'font-size="22" text-anchor="middle"'
SIGMAS = 1.96


def solved(folder: Path, size: int) -> None:
    start = Hex.start(HexOptions(size=size, swap=False))
    solution = solver_for(start).solve(start)
    winning = [move for move, score in solution.moves.items() if score == Score.win()]
    (folder / f"hex-openings-{size}.svg").write_text(draw(start, highlights=winning, width=60 * size), "utf-8")
    effort = f"{solution.nodes} positions, {solution.seconds:.1f} s"
    print(f"{size}x{size}: {len(winning)} of {size * size} win; {effort}")


def judged(folder: Path, size: int, name: str, trust: float) -> None:
    start = Hex.start(HexOptions(size=size, swap=False))
    engine = make_engine(name, "hex")
    limit = parse_name(name).limit or Limit(seconds=1)
    alone = []
    for cell in range(size * size):
        engine.forget()
        alone.append(1 - engine.analyse(start.play(cell), limit).score.chance)
        print(f"{start.geometry.names[cell]} {100 * alone[-1]:.0f}", end=" " if (cell + 1) % size else "\n", flush=True)
    chances = [(here + there) / 2 for here, there in zip(alone, reversed(alone), strict=True)]
    spread = math.sqrt(
        sum((here - there) ** 2 for here, there in zip(alone, reversed(alone), strict=True)) / len(alone)
    )
    error = math.hypot(1.96 * spread / 2, trust / 100)
    write(folder, size, chances)
    print(f"chances are good to ± {100 * error:.0f} % (95 %)")


def played(folder: Path, size: int, file: Path) -> None:
    start = Hex.start(HexOptions(size=size, swap=False))
    moves = json.loads(file.read_text("utf-8"))["moves"]
    counted = [moves[name] for name in start.geometry.names]
    games = [here[0] + there[0] for here, there in zip(counted, reversed(counted), strict=True)]
    won = [here[1] + there[1] for here, there in zip(counted, reversed(counted), strict=True)]
    chances = [points / number for points, number in zip(won, games, strict=True)]
    errors = [SIGMAS * math.sqrt((p * (1 - p) + 1 / n) / n) for p, n in zip(chances, games, strict=True)]
    write(folder, size, chances, errors)
    print(f"{sum(games) // 2} games; the fairest are good to ± {100 * max(errors):.0f} % (95 %)")


def write(folder: Path, size: int, chances: Sequence[float], errors: Sequence[float] = ()) -> None:
    """Draws the map, and says in words what it shows."""
    start = Hex.start(HexOptions(size=size, swap=False))
    winning = [cell for cell, chance in enumerate(chances) if chance > 0.5]
    marks = "".join(
        f'<text x="{UNIT * x:.1f}" y="{UNIT * y + (2 if errors else 12):.1f}" {TEXT}>{100 * chance:.0f}</text>'
        for (x, y), chance in zip(start.geometry.centres, chances, strict=True)
    )
    marks += "".join(
        f'<text x="{UNIT * x:.1f}" y="{UNIT * y + 28:.1f}" {SMALL_TEXT}>±{100 * error:.0f}</text>'
        for (x, y), error in zip(start.geometry.centres, errors, strict=False)
    )
    picture = draw(start, highlights=winning, width=60 * size).replace("</svg>", f"{marks}</svg>")
    (folder / f"hex-openings-{size}.svg").write_text(picture, "utf-8")
    fair = sorted(range(size * size), key=lambda cell: abs(chances[cell] - 0.5))[:6]
    names = ", ".join(f"{start.geometry.names[cell]} {100 * chances[cell]:.0f} %" for cell in fair)
    print(f"{size}x{size}: {len(winning)} of {size * size} win more often than not; fairest: {names}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="*", default=[], help="boards to solve")
    parser.add_argument("--judged", type=int, nargs="*", default=[], help="boards to judge")
    parser.add_argument("--played", nargs=2, metavar=("SIZE", "FILE"), help="a board, and how its first moves fared")
    parser.add_argument("--engine", default="net:nodes=400")
    parser.add_argument("--trust", type=float, default=0.0)
    given = parser.parse_args()
    for size in given.sizes:
        solved(given.folder, size)
    for size in given.judged:
        judged(given.folder, size, given.engine, given.trust)
    if given.played:
        played(given.folder, int(given.played[0]), Path(given.played[1]))


if __name__ == "__main__":
    main()
