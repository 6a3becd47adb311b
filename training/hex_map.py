"""Pictures of the openings of Hex that win without the swap: those cells are tinted. White, who joins a to the last
letter, begins.

    python training/hex_map.py docs/games --sizes 3 4 5 6

Sizes up to 6 take seconds; 7 takes an hour or more.
"""

import argparse
from pathlib import Path

from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.search import Score
from tabuleiro.solve import solver_for
from tabuleiro.svg import draw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="*", default=[3, 4, 5, 6])
    arguments = parser.parse_args()
    for size in arguments.sizes:
        start = Hex.start(HexOptions(size=size, swap=False))
        solution = solver_for(start).solve(start)
        winning = [move for move, score in solution.moves.items() if score == Score.win()]
        file = arguments.folder / f"hex-openings-{size}.svg"
        file.write_text(draw(start, highlights=winning, width=60 * size), "utf-8")
        effort = f"{solution.nodes} positions, {solution.seconds:.1f} s"
        print(f"{size}x{size}: {len(winning)} of {size * size} win; {effort}")


if __name__ == "__main__":
    main()
