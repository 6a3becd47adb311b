"""Looks for positions that take the engines long, to test that a search can be stopped in them.

    python bench/slow.py --game avanco --seconds 60 --seed 1

Hill climbing over games: the end of a game that led to a slow position is played differently, at random, and what is
slower is kept. The cost of a position is the processor time of the smallest questions that can be asked about it: what
each engine does before it can first be stopped, and the first depth of alpha-beta with its captures. Prints the slowest
positions found, as tests/data/slow_positions.txt has them.
"""

import argparse
import random
import time
from collections.abc import Callable

from tabuleiro import get, native
from tabuleiro.core import Options, Position
from tabuleiro.games import GAMES
from tabuleiro.search import AlphaBetaEngine, Limit, MctsEngine, ProofEngine
from tabuleiro.search.mcts import TEXTBOOK
from tabuleiro.solve import solver_for

#: The options under which positions are looked for: the usual ones, and those that make a game largest.
BOARDS: dict[str, tuple[str, ...]] = {
    "avanco": ("", "size=5", "size=8"),
    "rastros": ("", "size=8"),
    "hex": ("", "size=19,swap=false"),
    "semaforo": ("", "board=4x4"),
    "konane": ("", "opening=traditional"),
}
#: How many slow games are kept while climbing.
KEPT = 20
#: Plies of a new game, and how many may be played differently at its end.
PLIES = range(1, 90)
CHANGED = (1, 1, 2, 3, 5, 9, 16)
#: Nodes that alpha-beta may take for its first depth, as a low level may.
FIRST_DEPTH_NODES = 200_000


def questions(start: Position) -> list[Callable[[Position], object]]:
    """The smallest questions, each by an engine or solver."""
    searcher, tree, textbook = AlphaBetaEngine(table=1), MctsEngine(memory=16), MctsEngine(memory=16, style=TEXTBOOK)
    prover, solver = ProofEngine(table=1), solver_for(start)
    return [
        lambda position: searcher.analyse(position, Limit(depth=1, nodes=FIRST_DEPTH_NODES), lines=16),
        lambda position: tree.analyse(position, Limit(nodes=1)),
        lambda position: textbook.analyse(position, Limit(nodes=1)),
        lambda position: prover.analyse(position, Limit(nodes=1)),
        lambda position: solver.solve(position, Limit(nodes=1), every_move=False),
    ]


class Climb:
    """The slow games found so far of one game under one set of options."""

    def __init__(self, start: Position, chance: random.Random) -> None:
        self._start = start
        self._chance = chance
        kernel = native.kernel(start)
        assert kernel is not None
        self._kernel = kernel
        self._questions = questions(start)
        self._cost(start)  # reads what is read once
        #: The cost of the last position of each game, in seconds, and the positions of the game as words.
        self.found: list[tuple[float, list[tuple[int, ...]]]] = []

    def step(self) -> None:
        if len(self.found) < KEPT or self._chance.random() < 0.1:
            game, more = [tuple(self._start.encode())], self._chance.choice(PLIES)
        else:
            game, more = list(self._chance.choice(self.found)[1]), self._chance.choice(CHANGED)
            del game[max(len(game) - self._chance.choice(CHANGED), 1) :]
        for _ in range(more):
            after = tuple(self._kernel.play(game[-1], self._chance.choice(self._kernel.moves(game[-1]))))
            if self._kernel.outcome(after) != native.ONGOING:
                break
            game.append(after)
        cost = self._cost(self.position(game))
        if len(self.found) == KEPT and cost > self.found[-1][0]:
            cost = min(cost, self._cost(self.position(game)))  # other programs make some measures long
        self.found.append((cost, game))
        self.found.sort(key=lambda kept: kept[0], reverse=True)
        del self.found[KEPT:]

    def position(self, game: list[tuple[int, ...]]) -> Position:
        return type(self._start).decode(game[-1], self._start.options)

    def _cost(self, position: Position) -> float:
        slowest = 0.0
        for ask in self._questions:
            began = time.process_time()
            ask(position)
            slowest = max(slowest, time.process_time() - began)
        return slowest


def parsed(kind: type[Position], board: str) -> Options:
    return kind.options_type.parse(dict(pair.split("=") for pair in board.split(",") if pair))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, action="append", help="all of them if not given")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each board")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=1, help="how many of the slowest positions")
    given = parser.parse_args()
    for game in given.game or GAMES:
        for board in BOARDS.get(game, ("",)):
            kind = get(game)
            climb = Climb(kind.start(parsed(kind, board)), random.Random(given.seed))
            end = time.monotonic() + given.seconds
            while time.monotonic() < end:
                climb.step()
            for cost, played in climb.found[: given.show]:
                print(f"{game}\t{board or '-'}\t{climb.position(played)}\t# {1000 * cost:.1f} ms", flush=True)


if __name__ == "__main__":
    main()
