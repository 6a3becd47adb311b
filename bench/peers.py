"""Other programs at the same work, in the same run: OpenSpiel's breakthrough, hex and oware.

    python bench/peers.py --seconds 2 [--game hex] [--json]

Many games at once, with Pgx and PettingZoo too: `python bench/batches.py --peers`.

The others live in an environment of their own in the user's cache folder, made at first use. OpenSpiel is measured in
the two ways it offers: a loop in Python over its positions, and its own rollouts in C++; and at tree search in C++.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.batch_peers import SAME_GAME, environment, run
from rich.console import Console, Group

from tabuleiro.cli.bench import native_games_per_second, new_table, short
from tabuleiro.core import Position
from tabuleiro.games import get
from tabuleiro.search import Limit, MctsEngine
from tabuleiro.search.mcts import PLAIN

ROUNDS = 3
#: The simulations of each tree that is measured.
SIMULATIONS = 3_000

#: Runs in the other environment, which has no Tabuleiro: random games/s in CPU time, by both of its ways, and
#: simulations/s of its tree search with one random game each.
PEER_PROGRAM = """
import json, random, sys, time
import pyspiel

game, seconds, simulations = pyspiel.load_game(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])

def rate(play, batch):
    games, began = 0, time.thread_time()
    while (passed := time.thread_time() - began) < seconds:
        play()
        games += batch
    return games / passed

def loop():
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))

# Its rollouts can be had only through a search; one of a single simulation does nothing else.
batch = 100
search = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(batch, 1), 1.0, 1, 100, False, 1, False)
start = game.new_initial_state()
tree = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, simulations, 1000, True, 1, False)
print(json.dumps({
    "loop": rate(loop, 1),
    "rollouts": rate(lambda: search.step(start), batch),
    "tree": rate(lambda: tree.step(start), simulations),
}))
"""


def compare(games: Mapping[str, tuple[dict[str, str], str]], seconds: float) -> dict[str, Any]:
    """Random games/s and simulations/s, ours and the peer's by turns, the median of each over the rounds."""
    python = environment()
    measured = {}
    for name, (pairs, peer) in games.items():
        start: Position = get(name).start(get(name).options_type.parse(pairs))
        ours: list[float] = []
        trees: list[float] = []
        theirs: list[dict[str, float]] = []
        for _ in range(ROUNDS):
            ours.append(native_games_per_second(start, seconds)[0])
            trees.append(simulations_per_second(start, seconds))
            theirs.append(json.loads(run([python, "-c", PEER_PROGRAM, peer, str(seconds), str(SIMULATIONS)])))
        measured[name] = {
            "peer": peer,
            "ours": median(ours),
            "peer_python_loop": median(their["loop"] for their in theirs),
            "peer_rollouts": median(their["rollouts"] for their in theirs),
            "our_tree": median(trees),
            "peer_tree": median(their["tree"] for their in theirs),
        }
    return {"peer": "OpenSpiel", "games": measured}


def simulations_per_second(start: Position, seconds: float) -> float:
    """Simulations of the textbook's tree search, with random games to the end, in trees of some thousand nodes."""
    engine = MctsEngine(style=PLAIN, knowledge=False)
    simulations, began = 0, thread_time()
    while (passed := thread_time() - began) < seconds:
        engine.forget()
        simulations += engine.analyse(start, Limit(nodes=SIMULATIONS)).nodes
    return simulations / passed


def _peer_tables(measured: dict[str, Any]) -> Group:
    loop, native, ratio = (
        "OpenSpiel, Python loop",
        "OpenSpiel, in C++",
        "ratio",
    )
    games = new_table("game", "games/s", loop, ratio, native, ratio)
    trees = new_table("game", "tree simulations/s", native, ratio)
    for name, row in measured["games"].items():
        games.add_row(name, *_beside(row, "ours", "peer_python_loop", "peer_rollouts"))
        trees.add_row(name, *_beside(row, "our_tree", "peer_tree"))
    return Group(games, trees)


def _beside(row: dict[str, float], ours: str, *peers: str) -> Iterator[str]:
    """Our rate, and for each peer its rate and by how much ours is greater."""
    yield short(row[ours])
    for peer in peers:
        yield short(row[peer])
        yield f"{row[ours] / row[peer]:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=SAME_GAME, help="only this game; may be repeated")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each measure (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="for programs")
    arguments = parser.parse_args()
    chosen = {name: SAME_GAME[name] for name in arguments.game or SAME_GAME}
    measured = compare(chosen, arguments.seconds)
    if arguments.json:
        print(json.dumps(measured))
    else:
        Console().print(_peer_tables(measured))


if __name__ == "__main__":
    main()
