"""Whether level 10 ever loses a game that is proven to be won for its side: games from the start against everybody.

    python bench/unbeaten.py semaforo --games 1000
    python bench/unbeaten.py rastros --games 1000

Level 10 sits where the solved game is won: second at Semáforo, first at Rastros. Each opponent in turn begins with some
random moves, so that no two games need be alike, and then plays as well as it can. Ends with an error if any is lost.
"""

import argparse
import random
import sys
from collections import Counter

from tabuleiro import games
from tabuleiro.core import Player
from tabuleiro.players import Contestant, parse_name
from tabuleiro.record import Game, write_game
from tabuleiro.search import Limit
from tabuleiro.search.base import Worth
from tabuleiro.solve.registry import solver_for

SIDES = {"semaforo": Player.TWO, "rastros": Player.ONE}
OPPONENTS = [
    "random",
    *(f"level:{level}" for level in range(1, 11)),
    "alphabeta",
    "alphabeta:depth=4",
    "mcts",
    "uct",
    "uct:nodes=500",
]
#: The most random moves with which an opponent begins.
LOOSE = 5


def play(start: Game, side: Player, ours: Contestant, theirs: Contestant, chance: random.Random) -> tuple[Game, float]:
    """A game from the start, and the longest time that one of our moves took."""
    game, longest = Game(start.start), 0.0
    for player in (ours, theirs):
        player.begin(chance.getrandbits(32))
    loose = chance.randrange(LOOSE + 1)
    while game.outcome is None:
        position = game.position
        if position.turn is side:
            move, spent = ours.choose(game)
            longest = max(longest, spent)
        elif game.last.ply < 2 * loose:
            move = chance.choice(position.legal_moves())
        else:
            move, _ = theirs.choose(game)
        game.play(move)
    return game, longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=SIDES)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    side = SIDES[arguments.game]
    start = Game(games.get(arguments.game).start())
    proven = solver_for(start.root).solve(start.root)
    assert proven.score is not None
    assert proven.score.worth is (Worth.WIN if side is start.position.turn else Worth.LOSS)
    limit = Limit(seconds=arguments.time)
    ours = Contestant(parse_name("level:10"), start.position, limit)
    table = [Contestant(parse_name(name), start.position, limit) for name in OPPONENTS]
    chance = random.Random(arguments.seed)
    lost: list[Game] = []
    met, seen, slowest = Counter[str](), set[tuple[int, ...]](), 0.0
    for number in range(arguments.games):
        theirs = table[number % len(table)]
        game, longest = play(start, side, ours, theirs, chance)
        slowest = max(slowest, longest)
        met[theirs.name] += 1
        seen.add(tuple(game.moves))
        assert game.outcome is not None
        if game.outcome.winner is not side:
            lost.append(game)
            print(f"\nlost to {theirs.name}:\n{write_game(game)}", flush=True)
        if sys.stderr.isatty() or number % 100 == 99:
            print(f"\r{number + 1} games, {len(lost)} lost", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(
        f"{arguments.game}, level 10 as player {side.value}: {sum(met.values())} games, {len(seen)} different,", end=" "
    )
    print(f"{len(lost)} not won; the slowest move took {1000 * slowest:.0f} ms")
    print("against " + ", ".join(f"{name} {count}" for name, count in met.items()))
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
