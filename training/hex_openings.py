"""How good each opening of Hex is for whoever makes it, by our own search: the table of native/hex/openings.hpp.

    python training/hex_openings.py > native/hex/openings.hpp

Without the swap the first player wins, but not with every opening. For each size and each cell (half of them: a half
turn gives the others) the position after that opening is searched, without the swap, until it is decided or a number of
simulations is reached. Boards up to 6x6 are decided outright. A digit is the chance of the first stone, in tenths:
0 a proven or certain loss, 9 a proven or certain win.
"""

import argparse
import sys

from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.search import Limit, MctsEngine

#: Smaller boards are searched until the value is proven.
LARGEST_PROVEN = 6

HEAD = """\
// How good each opening of Hex is, made by training/hex_openings.py, which says how. Do not edit by hand.
//
// A digit is the chance of whoever places the first stone there to win, in tenths; rank 1 first, cells a to the last
// letter. The first stone is White's: for Black letters and numbers are exchanged.
#pragma once

#include <string_view>

namespace tabuleiro::hex {

constexpr int first_size_with_openings = 3;

constexpr std::string_view openings[] = {
"""
TAIL = """\
};

}  // namespace tabuleiro::hex
"""


def chance(size: int, cell: int, simulations: int) -> float:
    position = Hex.start(HexOptions(size=size, swap=False)).play(cell)
    limit = Limit(seconds=600) if size <= LARGEST_PROVEN else Limit(nodes=simulations)
    return 1.0 - MctsEngine(memory=512).analyse(position, limit).score.chance


def table(size: int, simulations: int) -> str:
    cells = size * size
    digits = [""] * cells
    for cell in range((cells + 1) // 2):
        digits[cell] = digits[cells - 1 - cell] = str(min(9, int(10 * chance(size, cell, simulations))))
    ranks = ["".join(digits[start : start + size]) for start in range(0, cells, size)]
    return "    // {0}x{0}\n{1},\n".format(size, "\n".join(f'    "{rank}"' for rank in ranks))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=20_000, help="for each opening of 11x11; fewer if larger")
    parser.add_argument("--sizes", type=int, nargs="*", default=range(3, 20))
    arguments = parser.parse_args()
    print(HEAD, end="")
    for size in arguments.sizes:
        print(table(size, arguments.simulations * 11 * 11 // max(11 * 11, size * size)), end="", flush=True)
        print(f"{size}x{size} done", file=sys.stderr)
    print(TAIL, end="")


if __name__ == "__main__":
    main()
