"""How good each opening of Hex is for whoever makes it, by our own play: the table of native/hex/openings.hpp.

    python training/hex_openings.py > native/hex/openings.hpp

Without the swap the first player wins, but not with every opening. Boards up to 6x6 are decided outright, opening by
opening (half of them: a half turn gives the others). On larger boards two things are averaged: what holds on 6x6 for
the cell that is as far from the sides, the middle being all alike; and games that the engine plays against itself from
that opening until the winner is proven, up to 11x11. Beyond that 11x11 is stretched in the same way.

A digit is the chance of the first stone, in tenths: 0 a proven or certain loss, 9 a proven or certain win.
"""

import argparse
import sys
from collections.abc import Callable
from functools import partial

from tabuleiro.core import Player
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.record import Game
from tabuleiro.search import Limit, MctsEngine
from tabuleiro.search.base import Worth
from tabuleiro.search.mcts import Style

#: Proofs want connections looked for everywhere; play wants simulations.
STUDIOUS = Style(exploration=1.0, expand_after=1, rave=300.0, study_after=2)
LARGEST_PROVEN = 6
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


def proven(size: int, cell: int) -> float:
    position = Hex.start(HexOptions(size=size, swap=False)).play(cell)
    analysis = MctsEngine(style=STUDIOUS, memory=2048).analyse(position, Limit())
    return 1.0 - analysis.score.chance


def played(size: int, cell: int, *, games: int, simulations: int) -> float:
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


def by_halves(size: int, value: Callable[[int], float]) -> list[float]:
    """A value for each cell, the same after a half turn."""
    half = [value(cell) for cell in range((size * size + 1) // 2)]
    return half + half[size * size // 2 - 1 :: -1]


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
    parser.add_argument("--simulations", type=int, default=300, help="for each move of those games")
    arguments = parser.parse_args()
    print(HEAD, end="")
    known: dict[int, list[float]] = {}
    for size in range(3, 20):
        if size <= LARGEST_PROVEN:
            known[size] = by_halves(size, partial(proven, size))
        elif size <= LARGEST_PLAYED:
            games = by_halves(size, partial(played, size, games=arguments.games, simulations=arguments.simulations))
            rule = stretched(known[LARGEST_PROVEN], LARGEST_PROVEN, size)
            known[size] = [(a + b) / 2 for a, b in zip(rule, games, strict=True)]
        else:
            known[size] = stretched(known[LARGEST_PLAYED], LARGEST_PLAYED, size)
        print(table(size, known[size]), end="", flush=True)
        print(f"{size}x{size} done", file=sys.stderr)
    print(TAIL, end="")


if __name__ == "__main__":
    main()
