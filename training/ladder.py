"""Measures how far apart the levels of a game are, for the ratings of people.

    python training/ladder.py rastros --pairs 20 --seconds 60 --write
    python -m training.matches training/plans/ladder.json pairs.jsonl --processes 16
    python training/ladder.py rastros --played pairs.jsonl --write

Each level below the top plays the one below it, in pairs of games with sides exchanged, until it has played that many
or the processor has worked for that long. One imagined pair of a win each (`elo.IMAGINED`) keeps a step finite that was
won in every game. Nothing here depends on the clock, but how many pairs are played may. On many cores the matches of a
plan are played, and their file is read.
"""

import argparse
import json
import time
from pathlib import Path

from tabuleiro.elo import IMAGINED, Tally, elo_of
from tabuleiro.games import GAMES
from tabuleiro.match import Match, opening_plies, play_match
from tabuleiro.players.ladder import ladder_version
from tabuleiro.players.levels import TOP

LADDER = Path(__file__).parents[1] / "src/tabuleiro/players/ladder.json"
#: At least so many pairs are played, however long they take.
FEWEST = 3


def step(game: str, level: int, pairs: int, seconds: float, seed: int) -> Tally:
    """A level against the one below it."""
    match = Match(game, {}, f"level:{level}", f"level:{level - 1}", 1.0, seed, opening_plies(game))
    tally, begun = Tally(), time.process_time()
    for pair in play_match(match, [*range(pairs)]):
        tally = tally.with_pair(pair.points)
        if tally.pairs >= FEWEST and time.process_time() - begun > seconds:
            break
    return tally


def played(file: Path, game: str, level: int) -> Tally:
    """The same, as it was played by `training.matches`."""
    tally, name = Tally(), f"{game} {level} v {level - 1}"
    for line in file.read_text("utf-8").splitlines():
        pair = json.loads(line)
        if pair["name"] == name:
            tally = tally.with_pair(pair["points"])
    if not tally.pairs:
        raise SystemExit(f"{file} has no pairs of “{name}”")
    return tally


def height(tally: Tally) -> float:
    """Elo of a step, one imagined pair included."""
    imagined = 5 * IMAGINED
    return elo_of((tally.points + imagined) / (2 * (tally.pairs + imagined)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", choices=[*GAMES], metavar="GAME")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0, help="processor seconds for a step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--played", type=Path, metavar="FILE", help="of training.matches: nothing is played now")
    parser.add_argument("--write", action="store_true", help=f"into {LADDER.name}")
    asked = parser.parse_args()
    for game in asked.games:
        steps = [
            played(asked.played, game, level)
            if asked.played
            else step(game, level, asked.pairs, asked.seconds, asked.seed)
            for level in range(2, TOP)
        ]
        elo = [0]
        for tally in steps:
            elo.append(round(elo[-1] + height(tally)))
        print(game, *(f"{tally.points:g}/{2 * tally.pairs}" for tally in steps), elo, flush=True)
        if asked.write:
            known = json.loads(LADDER.read_text("utf-8")) if LADDER.exists() else {}
            known[game] = {
                "version": ladder_version(game, elo),
                "elo": elo,
                "games": [2 * tally.pairs for tally in steps],
            }
            lines = (f"  {json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known))
            LADDER.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
