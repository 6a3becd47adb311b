"""How often each first move wins, by games of a net against itself.

    python -m training.nets.first_moves hex size=11,swap=off training/checkpoints/hex-11.pt first.json --seconds 120

Every game begins with a random move; all others are searched for, as in training. The file gets, for every first move,
how many games began with it and how many of those the player who made it won (a draw is half); `training/hex_map.py
--played` draws it. Games that are not over at the end are not counted.
"""

import argparse
import json
import time
from pathlib import Path

import torch
from training.nets.net import loaded
from training.nets.selfplay import SearchSettings, SelfPlay
from training.pairs import read_pairs

from tabuleiro import get
from tabuleiro.native import DRAW

#: Steps of the games between two looks at what is over.
STEPS = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("options", help="OPTION=VALUE,… or -")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--games", type=int, default=2048, help="at the same time")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    kind = get(given.game)
    start = kind.start(kind.options_type.parse(read_pairs(given.options)))
    checkpoint = torch.load(given.checkpoint, map_location="cpu", weights_only=True)
    net = loaded(checkpoint["shape"], checkpoint["mean"]).eval().to(given.device)
    play = SelfPlay(
        net.shape,
        start,
        SearchSettings(simulations=given.simulations, opening_share=1.0, opening_plies=1),
        device=torch.device(given.device),
        games=given.games,
        threads=given.threads,
        seed=given.seed,
        compiled=given.compiled,
        records=True,
    )
    play.learn(net)
    first = int(start.turn)
    games: dict[str, int] = dict.fromkeys(map(start.move_str, start.legal_moves()), 0)
    won: dict[str, float] = dict.fromkeys(games, 0.0)
    begun = time.monotonic()
    while time.monotonic() - begun < given.seconds:
        for _ in range(STEPS):
            play.step()
        play.lessons()
        for moves, result in play.records():
            name = start.move_str(moves[0])
            games[name] += 1
            won[name] += 0.5 if result == DRAW else float(result == first)
    kept = {
        "simulations": given.simulations,
        "minutes_of_training": checkpoint["minutes"],
        "moves": {name: [games[name], won[name]] for name in games},
    }
    given.file.write_text(json.dumps(kept), "utf-8")
    print(f"{sum(games.values())} games, {min(games.values())} to {max(games.values())} a first move")


if __name__ == "__main__":
    main()
