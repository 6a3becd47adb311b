"""Places the levels of a game so that each beats the one below it as often as the next one does.

    python training/levels.py avanco --write

Levels lie on two curves: careless ones look two plies ahead and grow more careful, then come careful ones that look at
more and more positions (in Hex: at the nearest cells, then trees of more and more simulations). Some settings on the
curves play matches with their neighbours, level 10 with the best of them, and the weakest with `greedy`, who plays at
random but takes a win in one. The Elo rating along each curve is fitted to all results. Level 1 stands a little above
`greedy`, so that a child wins sometimes; the others at equal steps from there to level 10. All play their neighbours
again, which makes the curves surer where it matters, and are chosen once more.

Results are kept in a file, so that a second call goes on from there: with more games, or after level 10 has changed
(`--forget-top`). Below level 10 nothing depends on the clock.

    python training/levels.py hex --by-net --temperatures 100 30 10 5 3 2 1.4 1 0.6 0.3 --nodes 1 8 30 --write
"""

import argparse
import json
import math
import sys
import time
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from tabuleiro import games
from tabuleiro.elo import Tally
from tabuleiro.match import Match, opening_plies, play_pair
from tabuleiro.players import Contestant, parse_name
from tabuleiro.players.levels import MOST_NODES, TOP, Level, LevelEngine
from tabuleiro.players.net_levels import NetLevel, NetLevelEngine
from tabuleiro.search import Limit
from tabuleiro.search.nnue import net_for

PLAYERS = Path(__file__).parents[1] / "src/tabuleiro/players"
LEVELS, NET_LEVELS = PLAYERS / "levels.json", PLAYERS / "net_levels.json"
#: How far level 1 stands above a player who plays at random but takes a win in one, in Elo: 64 %.
ABOVE_GREEDY = 100
#: The narrowest and the widest step that levels should be apart, in Elo: 60 % and 85 %.
NARROWEST, WIDEST = 70, 301
#: How carelessly the first of the careful levels chooses, at how many positions it looks, and among how many moves.
CAREFUL, FIRST_NODES, CHOICES = 0.15, 300, 3
#: From this number of positions on only the second best move is considered besides the best: each line costs a search.
MANY_NODES = 10_000
#: At this temperature a level overlooks nothing; each doubling of it adds the second share, up to the third. Games of
#: Semáforo are so short that a level cannot be much weaker than another without overlooking more.
ATTENTIVE, OVERLOOKS, MOST_OVERLOOKED = 0.25, {"semaforo": 0.09}, 0.45
#: No level is more careless than this. What stands for a higher temperature is how often a level has no plan at all:
#: one that never has any stands for so many doublings.
WARMEST, AIMLESS = 6.0, 4.0
DEEP = 60
#: Below this temperature a careless level judges by the net of its game, if there is one: careful ones do, and without
#: that no temperature is nearly as good as the first of them.
JUDICIOUS = 0.88
#: Points of a curve between which it is straight, and how much it usually bends there, in log-odds.
GRID, USUAL_BEND = 14, 1.5
#: What e times as many nodes are worth, in Elo.
ELO_BY_NODES = 150
TOP_NAME, GREEDY = "top", "greedy"

#: How often a level that draws among the moves of a net overlooks what is one move away, at most: after that many
#: doublings of its temperature, from 1.
OVERLOOKED_BY_NETS, FLAT = 0.35, 6

Array = np.ndarray
AnyLevel = Level | NetLevel


def has_net(game: str) -> bool:
    return net_for(games.get(game).start()) is not None


def careless(game: str, temperature: float, *, by_net: bool = False) -> AnyLevel:
    if by_net:
        overlooks = OVERLOOKED_BY_NETS * min(math.log2(temperature + 1) / FLAT, 1.0) ** 2
        return NetLevel(temperature=round(temperature, 2), overlooks=round(overlooks, 2))
    depth = 1 if game == "hex" else 2
    warmth = max(math.log2(temperature / ATTENTIVE), 0.0)
    overlooks = round(min(OVERLOOKS.get(game, 0.055) * warmth, MOST_OVERLOOKED), 2)
    choices = min(CHOICES + 1 + 2.5 * warmth, 8 if game == "hex" else 16)
    wanders = round(min(max(math.log2(temperature / WARMEST) / AIMLESS, 0.0), 1.0), 3)
    nnue = temperature < JUDICIOUS and has_net(game)
    return Level(depth, round(choices), round(min(temperature, WARMEST), 3), overlooks, wanders=wanders, nnue=nnue)


def careful(game: str, nodes: float, *, by_net: bool = False) -> AnyLevel:
    if by_net:
        return NetLevel(nodes=round(nodes))
    if game == "hex":
        return Level(0, 1, 0.0, simulations=round(nodes))
    # A level that sees more is more careful too.
    temperature = round(CAREFUL * min(1.0, math.sqrt(FIRST_NODES / nodes)), 3)
    choices = CHOICES if nodes < MANY_NODES else 2
    return Level(DEEP, choices, temperature, nodes=round(nodes), nnue=has_net(game))


def place_of(level: AnyLevel) -> float:
    """Where a level stands on its curve: higher is stronger."""
    if isinstance(level, NetLevel):
        return math.log(level.nodes) if is_careful(level) else -math.log(level.temperature)
    if is_careful(level):
        return math.log(level.simulations or level.nodes)
    return -math.log(level.temperature * 2 ** (AIMLESS * level.wanders))


def is_careful(level: AnyLevel) -> bool:
    return level.temperature <= (0 if isinstance(level, NetLevel) else CAREFUL)


def name_of(level: AnyLevel) -> str:
    return json.dumps(asdict(level))


def level_named(name: str) -> AnyLevel:
    settings = json.loads(name)
    return Level(**settings) if "depth" in settings else NetLevel(**settings)


@dataclass
class Results:
    """The points of all matches played, kept in a file."""

    path: Path
    tallies: dict[tuple[str, str], Tally] = field(default_factory=dict)

    def load(self) -> None:
        if self.path.exists():
            for one, two, counts in json.loads(self.path.read_text("utf-8")):
                self.tallies[one, two] = Tally(tuple(counts))

    def save(self) -> None:
        rows = [[one, two, tally.counts] for (one, two), tally in self.tallies.items()]
        self.path.write_text(json.dumps(rows), "utf-8")

    def curves(self) -> "Curves":
        """The ratings along both curves, of `greedy` and of level 10, that make all results likeliest: straight between
        a few grid points, and no more bent than the results demand."""
        ends = (GREEDY, TOP_NAME)
        levels = [level_named(name) for pair in self.tallies for name in pair if name not in ends]
        grids = []
        for careful_ones in (False, True):
            places = [place_of(level) for level in levels if is_careful(level) == careful_ones]
            grids.append(np.linspace(min(places), max(places), GRID))
        size = 2 * GRID + len(ends)

        def row(name: str) -> Array:
            weights = np.zeros(size)
            if name in ends:
                weights[2 * GRID + ends.index(name)] = 1
            else:
                level = level_named(name)
                first = GRID * is_careful(level)
                for point in range(GRID):
                    hat = np.eye(GRID)[point]
                    weights[first + point] = np.interp(place_of(level), grids[is_careful(level)], hat)
            return weights

        rows = np.array([row(one) - row(two) for one, two in self.tallies])
        # One imagined draw a match: a few games that went the same way do not prove too much.
        points = np.array([tally.points + 0.5 for tally in self.tallies.values()])
        number = np.array([2 * tally.pairs + 1 for tally in self.tallies.values()])
        bends = np.zeros((2 * (GRID - 2), size))
        for curve in (0, 1):
            for point in range(GRID - 2):
                bends[curve * (GRID - 2) + point, curve * GRID + point : curve * GRID + point + 3] = (1, -2, 1)
        stiff = bends.T @ bends / USUAL_BEND**2 + 1e-6 * np.eye(size)
        heights = np.zeros(size)
        for _ in range(50):
            chances = 1 / (1 + np.exp(-rows @ heights))
            slope = rows.T @ (points - number * chances) - stiff @ heights
            curve_matrix = (rows * (number * chances * (1 - chances))[:, None]).T @ rows + stiff
            step = np.clip(np.linalg.solve(curve_matrix, slope), -1, 1)
            heights += step
            if np.max(np.abs(step)) < 1e-6:
                break
        elo = heights * 400 / math.log(10)
        low, high = np.maximum.accumulate(elo[:GRID]), np.maximum.accumulate(elo[GRID : 2 * GRID])
        return Curves((grids[0], grids[1]), (low, high), float(elo[-2]), float(elo[-1]))


@dataclass
class Curves:
    """Elo ratings along the curves of the careless and of the careful levels, by their places; of `greedy` and of
    level 10."""

    places: tuple[Array, Array]
    heights: tuple[Array, Array]
    greedy: float
    top: float


class Ladder:
    def __init__(self, game: str, results: Results, top: Limit, budget: float, *, by_net: bool) -> None:
        self.game = game
        self.by_net = by_net
        self.results = results
        self.top = top
        self.budget = budget

    def player(self, name: str) -> Contestant:
        start = games.get(self.game).start()
        if name == TOP_NAME:
            return Contestant(parse_name(f"level:{TOP}"), start, self.top)
        if name == GREEDY:
            return Contestant(parse_name(GREEDY), start, Limit())
        player = Contestant(parse_name("level:1"), start, Limit())
        level = level_named(name)
        if isinstance(level, NetLevel):
            player.engine = NetLevelEngine(self.game, level, player.engine)
        else:
            player.engine = LevelEngine(self.game, level, 0)
        return player

    def play(self, one: str, two: str, n_games: int) -> None:
        """Bring the match between two up to its number of games, or to the time that one match may take."""
        tally = self.results.tallies.get((one, two), Tally())
        match = Match(self.game, {}, one, two, 0.1, 2, opening_plies(self.game))
        players = self.player(one), self.player(two)
        begun = time.process_time()
        while 2 * tally.pairs < n_games and time.process_time() - begun < self.budget:
            pair = play_pair(match, tally.pairs, *players)
            tally = tally.with_pair(pair.points)
            self.results.tallies[one, two] = tally
        self.results.save()
        print(f"{100 * tally.score:3.0f} ± {100 * tally.error:2.0f} % of {2 * tally.pairs:3}  {one}  {two}", flush=True)

    def place(self) -> list[AnyLevel]:
        curves = self.results.curves()
        low, high = curves.heights
        step = (curves.top - curves.greedy - ABOVE_GREEDY) / (TOP - 1)
        levels: list[AnyLevel] = []
        for number in range(1, TOP):
            wanted = curves.top - (TOP - number) * step
            if wanted <= (low[-1] + high[0]) / 2:
                temperature = math.exp(-np.interp(wanted, low, curves.places[0]))
                levels.append(careless(self.game, temperature, by_net=self.by_net))
            else:
                place = float(np.interp(wanted, high, curves.places[1]))
                # Above the highest setting that has played the curve goes on as steeply as it usually does.
                place += max(wanted - high[-1], 0) / ELO_BY_NODES
                levels.append(careful(self.game, min(math.exp(place), MOST_NODES), by_net=self.by_net))
        note = "" if NARROWEST <= step <= WIDEST else ", which nine equal steps cannot avoid"
        print(f"step {step:.0f} Elo{note}; greedy {curves.greedy - curves.top:.0f}")
        print("below level 10, at temperatures and at nodes:")
        for sign, places, heights in ((-1, curves.places[0], low), (1, curves.places[1], high)):
            print(
                "  ".join(
                    f"{math.exp(sign * x):.3g}: {y - curves.top:.0f}" for x, y in zip(places, heights, strict=True)
                )
            )
        return levels


def write(game: str, levels: list[AnyLevel], path: Path) -> None:
    tables = json.loads(path.read_text("utf-8"))
    usual = asdict(NetLevel() if path == NET_LEVELS else Level(-1, -1, -1.0))
    tables[game] = [{key: value for key, value in asdict(level).items() if value != usual[key]} for level in levels]
    blocks = []
    for name, rows in tables.items():
        lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        blocks.append(f'  "{name}": [\n{lines}\n  ]')
    path.write_text("{\n" + ",\n".join(blocks) + "\n}\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(games.GAMES))
    parser.add_argument("--knot-games", type=int, default=60, help="of each match between settings on the curves (60)")
    parser.add_argument("--games", type=int, default=100, help="of each match between levels (100)")
    parser.add_argument("--budget", type=float, default=60, help="processor seconds that one match may take (60)")
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move of level 10 (0.1)")
    parser.add_argument("--top-nodes", type=int, help="nodes a move of level 10 instead, for a machine that is busy")
    parser.add_argument("--temperatures", type=float, nargs="*", default=[48, 24, 12, 6, 3, 1.5, 0.75, 0.4, 0.25])
    parser.add_argument("--nodes", type=float, nargs="*", default=[300, 1000, 3000, 10000, 30000])
    parser.add_argument("--by-net", action="store_true", help="levels that draw among the moves of the game's net")
    parser.add_argument("--rounds", type=int, default=1, help="of placing levels and playing them (1)")
    parser.add_argument("--keep", type=Path, help="the file of results (build/levels-GAME.json)")
    parser.add_argument("--forget-top", action="store_true", help="level 10 has changed")
    parser.add_argument("--no-top", action="store_true", help="play no match with level 10 now")
    parser.add_argument("--write", action="store_true", help="write the levels into levels.json")
    arguments = parser.parse_args()
    game = arguments.game
    results = Results(arguments.keep or Path("build") / f"levels-{game}.json")
    results.load()
    if arguments.forget_top:
        results.tallies = {pair: tally for pair, tally in results.tallies.items() if TOP_NAME not in pair}
    top = Limit(nodes=arguments.top_nodes) if arguments.top_nodes else Limit(seconds=arguments.time)
    by_net: bool = arguments.by_net
    ladder = Ladder(game, results, top, arguments.budget, by_net=by_net)
    knots = [careless(game, each, by_net=by_net) for each in arguments.temperatures]
    knots += [careful(game, each, by_net=by_net) for each in arguments.nodes]
    for below, above in pairwise(knots):
        ladder.play(name_of(above), name_of(below), arguments.knot_games)
    for knot in knots[:3]:
        ladder.play(name_of(knot), GREEDY, 2 * arguments.knot_games)
    if not arguments.no_top:
        for knot in knots[-2:]:
            ladder.play(TOP_NAME, name_of(knot), arguments.knot_games)
    if not any(TOP_NAME in pair for pair in results.tallies):
        sys.exit("level 10 has not played yet")
    levels = ladder.place()
    for _ in range(arguments.rounds):
        ladder.play(name_of(levels[0]), GREEDY, 2 * arguments.games)
        for below, above in pairwise(levels):
            ladder.play(name_of(above), name_of(below), arguments.games)
        if not arguments.no_top:
            ladder.play(TOP_NAME, name_of(levels[-1]), arguments.games)
        levels = ladder.place()
    for level in levels:
        print(json.dumps(asdict(level)))
    if arguments.write:
        write(game, levels, NET_LEVELS if by_net else LEVELS)


if __name__ == "__main__":
    main()
