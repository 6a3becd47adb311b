"""How good each opening of Hex is for whoever makes it, by our own play: the table of native/hex/openings.hpp.

    python training/hex_openings.py > native/hex/openings.hpp

Without the swap the first player wins, but not with every opening. Boards up to 5x5 and most openings up
to 7x7 are decided outright. Otherwise up to 11x11 the engine plays some games against itself from each opening (half of
them: a half turn gives the others), until the winner is proven. On larger boards an opening is taken to be as good as the one on 11x11 that is as
far from the sides, the middle being all alike.

A digit is the chance of the first stone, in tenths: 0 a proven or certain loss, 9 a proven or certain win.
"""

import argparse
import sys

from tabuleiro.core import Player
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.record import Game
from tabuleiro.search import Limit, MctsEngine
from tabuleiro.search.base import Worth
from tabuleiro.search.mcts import Style

#: An opening that is not decided by so many simulations is played out.
PROOF = 400_000
#: Proofs want connections looked for everywhere; play wants simulations.
STUDIOUS = Style(exploration=1.0, expand_after=1, rave=300.0, study_after=2)
LARGEST_PROVEN = 7
LARGEST_PLAYED = 11

HEAD = """\
// How good each opening of Hex is, made by training/hex_openings.py, which says how; not edited by hand.
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


def proven(size: int, cell: int) -> float | None:
    position = Hex.start(HexOptions(size=size, swap=False)).play(cell)
    analysis = MctsEngine(style=STUDIOUS, memory=512).analyse(position, Limit(nodes=PROOF))
    return 1.0 - analysis.score.chance if analysis.exact else None


def played(size: int, cell: int, games: int, simulations: int) -> float:
    """The share of games that the first stone wins, a game more being drawn, so that nothing is certain."""
    wins = 0.5
    for seed in range(games):
        engine = MctsEngine(seed=seed)
        game = Game(Hex.start(HexOptions(size=size, swap=False)))
        game.play(cell)
        while (analysis := engine.analyse(game, Limit(nodes=simulations))).exact is False:
            game.play(analysis.move)
        wins += (analysis.score.worth is Worth.WIN) == (game.position.turn is Player.ONE)
    return wins / (games + 1)


def chances(size: int, games: int, simulations: int) -> list[float]:
    cells = size * size
    found = [0.0] * cells
    for cell in range((cells + 1) // 2):
        value = proven(size, cell) if size <= LARGEST_PROVEN else None
        if value is None:
            value = played(size, cell, games, simulations)
        found[cell] = found[cells - 1 - cell] = value
    return found


def stretched(chances: list[float], size: int, larger: int) -> list[float]:
    """The chances on a larger board: each cell as the one that is as far from the nearer sides."""

    def nearer(number: int) -> int:
        return min(number, size // 2) if number < larger // 2 else max(number - (larger - size), size // 2)

    return [chances[nearer(cell // larger) * size + nearer(cell % larger)] for cell in range(larger * larger)]


def table(size: int, chances: list[float]) -> str:
    digits = "".join(str(min(9, int(10 * chance))) for chance in chances)
    ranks = [digits[start : start + size] for start in range(0, size * size, size)]
    return "    // {0}x{0}\n{1},\n".format(size, "\n".join(f'    "{rank}"' for rank in ranks))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=12, help="from each opening")
    parser.add_argument("--simulations", type=int, default=1000, help="for each move of those games")
    arguments = parser.parse_args()
    print(HEAD, end="")
    for size in range(3, 20):
        if size <= LARGEST_PLAYED:
            known = chances(size, arguments.games, arguments.simulations)
            print(table(size, known), end="", flush=True)
        else:
            print(table(size, stretched(known, LARGEST_PLAYED, size)), end="")
        print(f"{size}x{size} done", file=sys.stderr)
    print(TAIL, end="")


if __name__ == "__main__":
    main()
