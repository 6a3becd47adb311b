"""How good each opening of Hex is for the player who makes it, by our own play: the table of native/hex/openings.hpp.

    python training/hex_openings.py > native/hex/openings.hpp

Without the swap the first player wins, but not with every opening. Boards up to 6x6 are solved. On 11x11 the engine
plays against itself from each opening on the two outer lines until the winner is proven (from half of them: a half turn
gives the others), and neighbours are averaged; the cells inside are taken to win, as all but the outermost do on 5x5
and 6x6. Every other board takes what holds for the cell that is as far from the sides on the nearest of these, the
middle being all alike.

A digit is the chance of the first stone, in tenths: 0 a proven or certain loss, 9 a proven or certain win.
"""

import argparse
import itertools
from collections.abc import Callable
from functools import partial

from tabuleiro.core import Player
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.record import Game
from tabuleiro.search import Limit, MctsEngine
from tabuleiro.search.base import Score, Worth
from tabuleiro.solve import solver_for

PROVEN = (3, 4, 5, 6)
PLAYED = 11
#: The lines along the sides on which an opening may lose.
OUTER = 2

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


def proven(size: int) -> list[float]:
    start = Hex.start(HexOptions(size=size, swap=False))
    solution = solver_for(start).solve(start)
    return [float(score == Score.win()) for score in solution.moves.values()]


def played(size: int, cell: int, *, games: int, simulations: int) -> float:
    """The share of games that the first stone wins, a game more being drawn, so that nothing is certain."""
    if all(OUTER <= number < size - OUTER for number in (cell // size, cell % size)):
        return 1.0
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


def smoothed(size: int, chances: list[float]) -> list[float]:
    """Chances that came by chance: each with half the weight of its neighbours as near to the sides."""

    def nearness(row: int, column: int) -> int:
        return min(row, column, size - 1 - row, size - 1 - column)

    found = []
    for row, column in itertools.product(range(size), repeat=2):
        beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        alike = [each for each in beside if nearness(*each) == nearness(row, column)]
        chances_alike = [chances[each[0] * size + each[1]] for each in alike]
        found.append((2 * chances[row * size + column] + sum(chances_alike)) / (2 + len(alike)))
    return found


def stretched(chances: list[float], size: int, wanted: int) -> list[float]:
    """The chances on another board: each cell as the one that is as far from the nearer sides."""

    def nearer(number: int) -> int:
        return min(number, size // 2) if number < wanted // 2 else max(number - (wanted - size), size // 2)

    return [chances[nearer(cell // wanted) * size + nearer(cell % wanted)] for cell in range(wanted * wanted)]


def table(size: int, chances: list[float]) -> str:
    digits = "".join(str(min(9, int(10 * chance))) for chance in chances)
    ranks = [digits[start : start + size] for start in range(0, size * size, size)]
    return "    // {0}x{0}\n{1},\n".format(size, "\n".join(f'    "{rank}"' for rank in ranks))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=8, help="from each opening of 11x11")
    parser.add_argument("--simulations", type=int, default=200, help="for each move of those games")
    arguments = parser.parse_args()
    print(HEAD, end="")
    known = {size: proven(size) for size in PROVEN}
    games = by_halves(PLAYED, partial(played, PLAYED, games=arguments.games, simulations=arguments.simulations))
    known[PLAYED] = smoothed(PLAYED, games)
    for size in range(3, 20):
        nearest = min(known, key=lambda other: abs(other - size))
        print(table(size, stretched(known[nearest], nearest, size)), end="")
    print(TAIL, end="")


if __name__ == "__main__":
    main()
