"""Many matches at once, on all cores, from a plan.

    python -m training.matches training/plans/strength.json pairs.jsonl --processes 14 \\
        --with mohex=/opt/mohex --with fairy=/usr/games/fairy-stockfish --with hexhex=11_2w4_2000.onnx …
    python -m training.matches training/plans/strength.json pairs.jsonl --processes 0

A plan is a list of matches, those that matter most first: `name`, `game`, `options`, the players `one` and `two`,
`games`, and where they differ from the usual `seconds` a move, `seed`, random `plies` of the openings, and `even`, a
net that must call every opening even. Players are named as everywhere, nets of other makers as in `training/nets`
(`rim:PATH`); `${mohex}` stands for what `--with mohex=…` says.

Every pair of games, sides exchanged, is a line of the file; with the same file the plan goes on where it was. Time is
the processor's, that of other programs included. A program that fails is started and asked once more; if it fails
again, level 10 ends the game in its place, and the game is counted apart too.
"""

import argparse
import json
import random
import string
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tabuleiro import games
from tabuleiro.core import Move, Position
from tabuleiro.crew import Each, gather
from tabuleiro.elo import Tally
from tabuleiro.match import Match, opening_plies, play_pair
from tabuleiro.players import Contestant, make_engine
from tabuleiro.programs import ProgramEngine
from tabuleiro.record import Game
from tabuleiro.search import EngineError, Limit


@dataclass(frozen=True)
class Planned:
    """A match as a plan has it."""

    name: str
    game: str
    one: str
    two: str
    games: int
    options: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.5
    seed: int = 1
    plies: int | None = None
    even: str | None = None

    @property
    def match(self) -> Match:
        plies = opening_plies(self.game) if self.plies is None else self.plies
        return Match(self.game, self.options, self.one, self.two, self.seconds, self.seed, plies)

    @property
    def start(self) -> Position:
        kind = games.get(self.game)
        return kind.start(kind.options_type.parse(self.options))


def read_plan(path: Path, places: dict[str, str]) -> list[Planned]:
    return [Planned(**match) for match in json.loads(string.Template(path.read_text("utf-8")).substitute(places))]


class Timed(Contestant):
    """A player whose processor time is measured, and for whom level 10 steps in where it fails twice."""

    def __init__(self, name: str, start: Position, limit: Limit) -> None:
        from training.nets.foreign import foreign_engine, is_foreign
        from training.nets.match import Table

        if is_foreign(name):
            self.name = name
            self.engine, self.limit = foreign_engine(name, Table(type(start), start.options), limit)
        else:
            super().__init__(name, start, limit)
        self._game = start.id
        self._usual = limit
        #: What went wrong in the games of a pair, in words.
        self.failures: list[str] = []
        #: How many moves level 10 made in its place.
        self.replaced = 0
        self._gone = False

    def begin(self, seed: int) -> None:
        self._gone = False
        super().begin(seed)

    def choose(self, game: Game) -> tuple[Move, float]:
        for _ in range(0 if self._gone else 2):
            begun = self._spent()
            try:
                move = self.engine.play(game, self.limit)
                return move, self._spent() - begun
            except EngineError as error:
                self.failures.append(f"ply {game.last.ply}: {error}")
        self._gone = True
        self.replaced += 1
        return make_engine("level:10", self._game).play(game, self._usual), 0.0

    def _spent(self) -> float:
        if isinstance(self.engine, ProgramEngine):
            return self.engine.processor_seconds()
        return time.process_time()


def even_opening(planned: Planned, number: int) -> Game:
    """The first random opening of a row that the net calls even."""
    import numpy
    from training.nets.match import EVEN, OurNet, Table

    assert planned.even is not None
    start, plies = planned.start, planned.match.plies
    judge, table = OurNet(Path(planned.even)), Table(type(start), start.options)
    attempt = 0
    while True:
        chance = random.Random(f"{planned.seed} {number} {attempt}")
        attempt += 1
        game = Game(start)
        for _ in range(plies + chance.randrange(2)):
            game.play(chance.choice(game.position.legal_moves()))
        words = numpy.array([game.position.encode()], numpy.uint64)
        if abs(float(judge.value(table.planes(words))[0])) < EVEN:
            return game


Task = tuple[Planned, int]


class Sitting:
    """The two players of the match that a process plays now."""

    now: "Sitting | None" = None

    def __init__(self, planned: Planned) -> None:
        self.planned = planned
        limit = Limit(seconds=planned.seconds)
        self.players = Timed(planned.one, planned.start, limit), Timed(planned.two, planned.start, limit)

    @classmethod
    def of(cls, planned: Planned) -> "Sitting":
        if cls.now is None or cls.now.planned != planned:
            for player in cls.now.players if cls.now else ():
                player.close()
            cls.now = cls(planned)
        return cls.now


def play(task: Task) -> dict[str, Any]:
    planned, number = task
    one, two = players = Sitting.of(planned).players
    for player in players:
        player.failures, player.replaced = [], 0
    begun = even_opening(planned, number) if planned.even else None
    pair = play_pair(planned.match, number, one, two, begun)
    failed = {"failures": [one.failures, two.failures], "replaced": [one.replaced, two.replaced]}
    return {"name": planned.name, **asdict(pair), **failed}


class Standing:
    """How the matches of a plan stand, kept in a file."""

    def __init__(self, path: Path) -> None:
        self.rows: dict[str, dict[int, dict[str, Any]]] = {}
        if path.exists():
            for line in path.read_text("utf-8").splitlines():
                self.add(json.loads(line))
        self._file = path.open("a", encoding="utf-8")

    def add(self, row: dict[str, Any]) -> None:
        self.rows.setdefault(row["name"], {})[row["number"]] = row

    def keep(self, row: dict[str, Any]) -> None:
        self.add(row)
        print(json.dumps(row), file=self._file, flush=True)

    def tell(self, planned: Planned) -> str:
        rows = list(self.rows.get(planned.name, {}).values())
        tally = Tally()
        for row in rows:
            tally = tally.with_pair(row["points"])
        spent = [1000 * sum(r["seconds"][i] for r in rows) / max(sum(r["moves"][i] for r in rows), 1) for i in (0, 1)]
        failed = [sum(sum(r["replaced"]) > 0 for r in rows), sum(len(f) for r in rows for f in r["failures"])]
        return (
            f"{planned.name:24} {2 * tally.pairs:4} games {100 * tally.score:5.1f} ± {100 * tally.error:4.1f} % "
            f"({tally.elo_text()} Elo; pairs {' · '.join(map(str, tally.counts))}), {spent[0]:.0f} v {spent[1]:.0f} ms"
            + (f"; failures {failed[1]}, pairs with moves made by level 10: {failed[0]}" if failed[1] else "")
        )


def tasks(plan: list[Planned], standing: Standing, end: float) -> Iterator[Task]:
    for planned in plan:
        done = standing.rows.get(planned.name, {})
        for number in range((planned.games + 1) // 2):
            if number not in done and time.monotonic() < end:
                yield planned, number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", type=Path)
    parser.add_argument("pairs", type=Path, help="the file of finished pairs")
    parser.add_argument("--processes", type=int, default=1, help="0: only say how the matches stand")
    parser.add_argument("--minutes", type=float, default=1e9, help="no pair begins later than this")
    parser.add_argument("--with", dest="places", action="append", default=[], metavar="NAME=PATH")
    given = parser.parse_args()
    plan = read_plan(given.plan, dict(place.split("=", 1) for place in given.places))
    standing = Standing(given.pairs)
    end = time.monotonic() + 60 * given.minutes
    if given.processes:
        for finished in gather(given.processes).finished(Each(play), tasks(plan, standing, end)):
            (planned, number), row = finished.unit, finished.result
            if row is None:
                print(f"{planned.name} {number}: {finished.error!r}", file=sys.stderr, flush=True)
                continue
            standing.keep(row)
            print(standing.tell(planned), flush=True)
    for planned in plan:
        print(standing.tell(planned))


if __name__ == "__main__":
    main()
