"""Pictures of the openings of Hex without the swap: which of them win. White, who joins a to the last letter, begins.

    python training/hex_map.py docs/games --sizes 3 4 5 6
    python training/hex_map.py docs/games --judged 11 --engine net:nodes=400

Solved boards have the cells tinted that win. Sizes up to 6 take seconds; 7 takes an hour or more. On a judged board
every cell has its chance to win in percent, as the engine sees it, and the cells that win more often than not are
tinted: the fairest first stones, where the swap is played, are those nearest 50. A cell and the one opposite are judged
apart: half of what they differ by, and how far such chances are from what becomes of games (`--trust`, in percent, from
`training.nets.calibration`), are the error.
"""

import argparse
import math
from pathlib import Path

from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.players import make_engine, parse_name
from tabuleiro.search import Limit, Score
from tabuleiro.solve import solver_for
from tabuleiro.svg import UNIT, draw

#: How chances are written, in the units of the picture.
TEXT = 'font-size="34" text-anchor="middle"'


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
    winning = [cell for cell, chance in enumerate(chances) if chance > 0.5]
    marks = "".join(
        f'<text x="{UNIT * x:.1f}" y="{UNIT * y + 12:.1f}" {TEXT}>{100 * chance:.0f}</text>'
        for (x, y), chance in zip(start.geometry.centres, chances, strict=True)
    )
    picture = draw(start, highlights=winning, width=60 * size).replace("</svg>", f"{marks}</svg>")
    (folder / f"hex-openings-{size}.svg").write_text(picture, "utf-8")
    fair = sorted(range(size * size), key=lambda cell: abs(chances[cell] - 0.5))[:6]
    names = ", ".join(f"{start.geometry.names[cell]} {100 * chances[cell]:.0f} %" for cell in fair)
    print(f"{size}x{size}: {len(winning)} of {size * size} win more often than not; fairest: {names}")
    print(f"chances are good to ± {100 * error:.0f} % (95 %)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="*", default=[], help="boards to solve")
    parser.add_argument("--judged", type=int, nargs="*", default=[], help="boards to judge")
    parser.add_argument("--engine", default="net:nodes=400")
    parser.add_argument("--trust", type=float, default=0.0)
    given = parser.parse_args()
    for size in given.sizes:
        solved(given.folder, size)
    for size in given.judged:
        judged(given.folder, size, given.engine, given.trust)


if __name__ == "__main__":
    main()
