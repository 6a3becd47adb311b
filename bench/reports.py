"""How soon a finished game is understood: games of level 3 against level 5, analysed by a server on loopback.

python bench/reports.py [GAME …]

Measured are the seconds until the last position of the graph is there, until the losing move is first named, and until
the report is done.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.people import ProcessServer
from tabuleiro import GAMES, Game
from tabuleiro.players import level_engine
from tabuleiro.search import Limit

LEVELS = (3, 5)
LONGEST = 300


def played(name: str) -> Game:
    """A game of two computer players, the same every time."""
    players = [level_engine(name, level, seed=level) for level in LEVELS]
    game = Game.new(name)
    while game.outcome is None and game.last.ply < LONGEST:
        game.play(players[game.position.turn - 1].play(game, Limit(seconds=1)))
    return game


def report(web: httpx.Client, game: Game) -> str:
    moves = [node.move_text for node in game.root.line() if node.parent is not None]
    winner = None if game.outcome is None else game.outcome.winner
    begun, graph, named, said, exact = time.monotonic(), 0.0, 0.0, "", set()
    waiting = {*range(len(moves) + 1)}
    with web.stream(
        "POST", "/api/v1/reports", json={"game": game.start.id, "moves": moves, "winner": winner}
    ) as answer:
        answer.raise_for_status()
        for line in filter(None, answer.iter_lines()):
            event, now = json.loads(line.removeprefix("data: ")), time.monotonic() - begun
            if event["type"] == "position":
                waiting.discard(event["ply"])
                graph = graph or (now if not waiting else 0.0)
                exact |= {event["ply"]} if event["exact"] else set()
            elif event["type"] == "error":
                return f"{game.start.id}: {event['text']['en']}"
            else:
                named = named or now
                losing = event["losing"]
                said = "none" if losing is None else f"{losing} {moves[losing - 1]}"
    return (
        f"{game.start.id:12}{len(moves):4} moves, {len(exact):3} positions proven; graph {graph:5.1f} s, "
        f"named {named:5.1f} s, done {time.monotonic() - begun:5.1f} s; losing move: {said}"
    )


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessServer("--data", folder) as server,
        httpx.Client(base_url=server.address, timeout=60) as web,
    ):
        for name in sys.argv[1:] or GAMES:
            print(report(web, played(name)), flush=True)


if __name__ == "__main__":
    main()
