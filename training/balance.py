"""Who wins between equal players? By game and option: the share of the player who begins, draws, and lengths.

    python -m training.balance games.jsonl --games 200 --processes 14
    python -m training.balance games.jsonl --games 0

Both sides are the same strong engine with a fixed number of nodes a move. The first moves of every game are drawn among
the best ones, so that no two games are alike and none begins badly. Games are played a few of every variant in turn;
each is a line of the file, to which a later call adds. Errors are of 95 %.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tabuleiro import games
from tabuleiro.core import Player
from tabuleiro.crew import Each, gather
from tabuleiro.games.abalone import LAYOUTS
from tabuleiro.players import make_engine, parse_name
from tabuleiro.players.levels import Level, LevelEngine
from tabuleiro.players.net_levels import NetLevel, NetLevelEngine
from tabuleiro.players.nets import has_net
from tabuleiro.record import Game
from tabuleiro.search import Engine, Limit

#: Who plays: alpha-beta with all it knows, in Hex the tree search with its net.
ENGINES = {"hex": "net:nodes=100"}
USUAL_ENGINE = "alphabeta:nodes=20000,nnue=on,tables=on"
#: Moves drawn at the beginning, among the best so many, at a temperature of the odds (see players/levels.py), with a
#: short look. Where there is a net, by its opinion of the moves.
DRAWN = 8
DRAWING = Level(depth=60, choices=4, temperature=0.25, nodes=2000, nnue=True)
BY_NET = NetLevel(temperature=1.0)
#: Plies: a game this long counts as a draw.
LONGEST_GAME = 600
SIGMAS = 1.96


@dataclass(frozen=True)
class Variant:
    game: str
    options: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.options.items())])


def variants() -> list[Variant]:
    """Those of the unsolved games that somebody might choose between."""
    guerreiros = [
        {"strict_first_move": "true"},
        {"first_move_leap": "true"},
        {"line_distance": "up_to"},
        {"line_step_over_occupied": "true"},
        {"line_field": "capture_only"},
        {"frozen_immune": "true"},
        {"cumulative_arrivals": "true"},
        {"teleport": "immediate"},
        {"teleport": "persistent"},
        {"teleport_each_arrival": "true"},
    ]
    return [
        *(Variant("avanco", {"size": size}) for size in ("5", "6", "7", "8")),
        *(Variant("hex", {"size": size, "swap": "false"}) for size in ("9", "11", "13")),
        *(Variant("hex", {"size": size, "swap": "true"}) for size in ("9", "11", "13")),
        *(Variant("konane", {"opening": opening}) for opening in ("fixed", "removal", "traditional")),
        *(Variant("abalone", {"layout": layout}) for layout in LAYOUTS),
        *(Variant("guerreiros", options) for options in ({}, *guerreiros)),
        Variant("ouri"),
        Variant("ouri", {"rules": "oware"}),
    ]


Task = tuple[Variant, int]


class Table:
    """The engines of the variant that a process plays now."""

    now: "Table | None" = None

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        kind = games.get(variant.game)
        self.start = kind.start(kind.options_type.parse(variant.options))
        name = ENGINES.get(variant.game, USUAL_ENGINE)
        self.engine = make_engine(name, variant.game)
        self.limit = parse_name(name).limit or Limit()
        self.drawing: Engine = LevelEngine(variant.game, DRAWING, 0)
        if has_net(self.start):
            self.drawing = NetLevelEngine(variant.game, BY_NET, self.drawing)

    @classmethod
    def of(cls, variant: Variant) -> "Table":
        if cls.now is None or cls.now.variant != variant:
            cls.now = cls(variant)
        return cls.now


def play(task: Task) -> dict[str, Any]:
    variant, number = task
    table = Table.of(variant)
    table.drawing.begin(number)
    table.engine.begin(number)
    game = Game(table.start)
    while game.outcome is None and game.last.ply < LONGEST_GAME:
        drawn = game.last.ply < DRAWN
        game.play((table.drawing if drawn else table.engine).play(game, Limit() if drawn else table.limit))
    winner = None if game.outcome is None else game.outcome.winner
    result = 0.5 if winner is None else float(winner is Player.ONE)
    return {"variant": variant.name, "number": number, "result": result, "plies": game.last.ply}


def tasks(chosen: list[Variant], wanted: int, known: dict[str, set[int]], few: int, end: float) -> Iterator[Task]:
    """A few games of every variant, and a few more, until all have as many as are wanted."""
    for first in range(0, wanted, few):
        for variant in chosen:
            for number in range(first, min(first + few, wanted)):
                if number not in known.get(variant.name, ()) and time.monotonic() < end:
                    yield variant, number


def told(variant: str, rows: list[dict[str, Any]]) -> str:
    n = len(rows)
    shares = [sum(row["result"] == result for row in rows) / n for result in (1.0, 0.5, 0.0)]
    score = shares[0] + shares[1] / 2
    spread = math.sqrt(sum((row["result"] - score) ** 2 for row in rows) / n)
    error = SIGMAS * max(spread, 1 / math.sqrt(n)) / math.sqrt(n)
    lengths = sorted(row["plies"] for row in rows)
    first, draws, second = (f"{100 * share:.1f}" for share in shares)
    middle = f"{lengths[n // 2]} ({lengths[n // 10]}–{lengths[9 * n // 10]})"
    return f"| {variant} | {n} | {first} | {draws} | {second} | {100 * score:.1f} ± {100 * error:.1f} | {middle} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="games that were played, and where new ones are added")
    parser.add_argument("--games", type=int, default=200, help="of every variant, with those in the file; 0: only tell")
    parser.add_argument("--few", type=int, default=10, help="of a variant before the next one has its turn")
    parser.add_argument("--only", nargs="*", default=[*games.GAMES], metavar="GAME")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="no game begins later than this")
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    if given.file.exists():
        rows = [json.loads(line) for line in given.file.read_text("utf-8").splitlines()]
    known: dict[str, set[int]] = {}
    for row in rows:
        known.setdefault(row["variant"], set()).add(row["number"])
    end = time.monotonic() + 60 * given.minutes
    chosen = [variant for variant in variants() if variant.game in given.only]
    with given.file.open("a", encoding="utf-8") as file:
        to_do = tasks(chosen, given.games, known, given.few, end)
        for finished in gather(given.processes).finished(Each(play), to_do):
            (variant, number), game = finished.unit, finished.result
            if game is None:
                print(f"{variant.name} {number}: {finished.error!r}", file=sys.stderr, flush=True)
                continue
            rows.append(game)
            print(json.dumps(game), file=file, flush=True)
    print("| variant | games | first wins, % | draws, % | second wins, % | score of the first, % | plies (tenths) |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for variant in variants():
        if mine := [row for row in rows if row["variant"] == variant.name]:
            print(told(variant.name, mine))


if __name__ == "__main__":
    main()
