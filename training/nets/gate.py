"""The gate: a net in the tree search against the engine whose place it is to take, at equal time on one thread each.

    python -m training.nets.gate hex size=11 --card src/tabuleiro/nn/models/hex-11.json
    python -m training.nets.gate hex size=11 --first net:model=new.onnx --second net --even old.onnx

Any two engines may meet, by their names, and nets of other makers (`rim:PATH`: see foreign.py); `net:nodes=1` plays the
move that a net likes best. Openings are random, each
played with both colours; with `--even NET` only those that this net calls even (strong nets win the others with
whichever side is better). Both think in this process, in turn, for `--seconds` each, unless a name has a limit of its
own. The match ends by the sequential test of `--sprt`, or after `--games`. `--card` enters the result in the card of a
net; a board on which it won may then stand in the card's `boards`.
"""

import argparse
import json
import shlex
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.nets.foreign import foreign_engine, is_foreign
from training.nets.match import OurNet, Table, openings
from training.pairs import read_pairs

from tabuleiro import Game, get
from tabuleiro.core import Player, Position
from tabuleiro.elo import Tally, Verdict
from tabuleiro.players import make_engine, parse_name
from tabuleiro.search import Engine, Limit


class Side:
    """An engine of a match, and the processor time it took."""

    def __init__(self, name: str, game: str, table: Table, limit: Limit) -> None:
        self.name = name
        self.engine: Engine
        if is_foreign(name):
            self.engine, self.limit = foreign_engine(name, table, limit)
        else:
            self.engine, self.limit = make_engine(name, game), parse_name(name).limit or limit
        self.seconds, self.moves, self.nodes = 0.0, 0, 0

    def move(self, game: Game) -> str:
        begun = time.process_time()
        found = self.engine.analyse(game, self.limit)
        self.seconds += time.process_time() - begun
        self.moves += 1
        self.nodes += found.nodes
        return game.position.move_str(found.move)

    @property
    def per_move(self) -> float:
        return self.seconds / max(self.moves, 1)


@dataclass
class Gate:
    first: Side
    second: Side
    #: Pairs in which the first side won twice, and so on.
    tally: Tally = field(default_factory=Tally)

    def play(self, starts: Iterator[Position], sprt: tuple[float, float]) -> Iterator[Verdict]:
        """Plays a pair of games for each start until the test has an answer."""
        for number, start in enumerate(starts):
            points = 0.0
            for player in Player:
                for side in (self.first, self.second):
                    side.engine.begin(number)
                game = Game(start)
                while game.outcome is None:
                    side = self.first if game.position.turn is player else self.second
                    game.play(side.move(game))
                points += 0.5 if game.outcome.winner is None else game.outcome.winner is player
            self.tally = self.tally.with_pair(points)
            verdict = self.tally.test(*sprt)
            yield verdict
            if verdict is not Verdict.UNDECIDED:
                return

    def __str__(self) -> str:
        tally, sides = self.tally, (self.first, self.second)
        spent = " v ".join(f"{1000 * side.per_move:.0f}" for side in sides)
        nodes = " v ".join(f"{side.nodes / max(side.moves, 1):.0f}" for side in sides)
        return (
            f"{2 * tally.pairs} games: {100 * tally.score:.1f} ± {100 * tally.error:.1f} %, {tally.elo_text()} Elo;"
            f" {spent} ms of processor time and {nodes} nodes a move"
        )

    def entry(self, board: dict[str, str], verdict: Verdict) -> dict[str, Any]:
        """The match as a card has it."""
        return {
            "against": self.second.name,
            "board": board,
            "games": 2 * self.tally.pairs,
            "score": round(self.tally.score, 4),
            "error": round(self.tally.error, 4),
            "sprt": verdict.value,
            "seconds": [round(side.per_move, 4) for side in (self.first, self.second)],
            "command": shlex.join(["python", "-m", "training.nets.gate", *sys.argv[1:]]),
        }


def enter(card: Path, entry: dict[str, Any]) -> None:
    """Puts a match into a card, in the place of an earlier one against the same engine on the same board."""
    kept = json.loads(card.read_text("utf-8"))
    same = [entry[key] for key in ("against", "board")]
    matches = [match for match in kept["matches"] if [match["against"], match["board"]] != same]
    kept["matches"] = [*matches, entry]
    card.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("options", help="OPTION=VALUE,… or -")
    parser.add_argument("--first", default="net")
    parser.add_argument("--second", default="mcts")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--games", type=int, default=100, help="at most")
    parser.add_argument("--sprt", default="0,50", help="ELO0,ELO1")
    parser.add_argument("--plies", type=int, default=2, help="random moves at the start")
    parser.add_argument("--even", type=Path, help="a net that says which openings are even")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e9, help="no pair begins later than this")
    parser.add_argument("--card", type=Path)
    given = parser.parse_args()
    kind = get(given.game)
    board = read_pairs(given.options)
    table = Table(kind, kind.options_type.parse(board))
    judge = None if given.even is None else OurNet(given.even)
    starts = openings(table, (given.games + 1) // 2, given.plies, given.seed, judge)
    limit = Limit(seconds=given.seconds)
    first, second = (Side(name, given.game, table, limit) for name in (given.first, given.second))
    gate = Gate(first, second)
    low, high = map(float, given.sprt.split(","))
    begun, verdict = time.monotonic(), Verdict.UNDECIDED
    for verdict in gate.play((kind.decode(words.tolist(), table.view.options) for words in starts), (low, high)):
        print(f"{gate} {verdict.value}", flush=True)
        if time.monotonic() - begun > 60 * given.minutes:
            break
    if given.card is not None:
        enter(given.card, gate.entry(board, verdict))


if __name__ == "__main__":
    main()
