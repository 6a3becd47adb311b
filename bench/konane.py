"""How long the solver of Konane takes for late positions: every move's value, the table empty at the start.

    python bench/konane.py --stones 30 --random 1000 --played 300

Random positions come from random games, played ones from games of alpha-beta with 400 nodes a move and now and then a
random move. Times are CPU seconds of one thread.
"""

import argparse
import random
import time

from tabuleiro import native
from tabuleiro.games.konane import Konane
from tabuleiro.search import AlphaBetaEngine, Limit
from tabuleiro.solve.konane import KonaneSolver

#: Random plies at the beginning of a played game, and how often a later one is random.
OPENING, SLIPS = 6, 0.1


def late_position(stones: int, chance: random.Random, engine: AlphaBetaEngine | None) -> Konane:
    """The first position of a game with so few stones where it goes on."""
    start = Konane.start()
    kernel = native.kernel(start)
    assert kernel is not None
    while True:
        words, ply = start.encode(), 0
        while (moves := kernel.moves(words)) and (words[0] | words[1]).bit_count() > stones:
            if engine is None or ply < OPENING or chance.random() < SLIPS:
                move = chance.choice(moves)
            else:
                move = engine.play(Konane.decode(words), Limit(nodes=400))
            words = kernel.play(words, move)
            ply += 1
        if moves:
            return Konane.decode(words)


def measure(name: str, positions: list[Konane]) -> None:
    times = []
    for position in positions:
        solver = KonaneSolver(position.options)
        begin = time.process_time()
        if not solver.solve(position).exact:
            raise RuntimeError(str(position))
        times.append(time.process_time() - begin)
    times.sort()
    print(f"{name}: {len(times)} positions, mean {sum(times) / len(times):.3f} s,", end=" ")
    print(f"median {times[len(times) // 2]:.3f} s, worst {times[-1]:.3f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stones", type=int, default=30)
    parser.add_argument("--random", type=int, default=1000, help="positions of random games")
    parser.add_argument("--played", type=int, default=300, help="positions of played games")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    for name, wanted, engine in (
        ("random", arguments.random, None),
        ("played", arguments.played, AlphaBetaEngine(table=1)),
    ):
        if wanted:
            measure(name, [late_position(arguments.stones, chance, engine) for _ in range(wanted)])


if __name__ == "__main__":
    main()
