"""Tunes the weights of a game's evaluation by games that it plays against itself, and proves them in a match.

    python training/tune.py avanco
    python training/tune.py avanco --write
    python training/tune.py ouri --option rules=oware --option cycle_collect=owners --serves rules

1. Self-play from random openings with a few hundred nodes a move, with the weights of today. Each search leaves one
   position: the end of the line it expects, where all noise has been played out. That is what an evaluation must judge.
2. Each position is labelled with what came of it: the result of the game, blended with what the searches of the
   following moves thought (more of them, the nearer they are).
3. Logistic regression of the labels on the features, early and late: two weights a feature, by Newton's method, held to
   the weights of today as far as the positions say nothing. Every fifth game is held out, and judges the fit.
4. A match between new and old, sides exchanged, at equal nodes. With `--write` the file of weights is replaced, if the
   match says that the new ones are stronger. Weights for some options alone, those that `--serves` names, go to a file
   of their own, which says so: `ouri-oware.json`.

The same command gives the same weights again.
"""

import argparse
import dataclasses
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.progress import Progress

from tabuleiro import _native, crew, games, native
from tabuleiro.core import Player, Position
from tabuleiro.elo import Tally, Verdict
from tabuleiro.match import Match, opening_plies, play_match
from tabuleiro.record import Game
from tabuleiro.search.native import WIN_SCORE, Weights, searcher

WEIGHTS = Path(__file__).parents[1] / "src/tabuleiro/search/weights"
#: How much of a label comes from later than the next move, at each step back from the end of the game.
PATIENCE = 0.9
#: Plies: a game this long counts as a draw.
LONGEST_GAME = 300
#: How much the weights of today hold, against all positions together.
HOLD = 1e-3
#: The differences of strength between which the match decides, in Elo, and the fewest games of it.
NOT_STRONGER, STRONGER = 0, 30
LEAST_GAMES = 100
LARGEST_WEIGHT = 30_000

Array = np.ndarray


@dataclass(frozen=True)
class Positions:
    #: A row a position: the features times the share of the early phase, then times that of the late one.
    rows: Array
    #: The share of a win that the player to move there got.
    labels: Array
    #: The number of the game each is from.
    games: Array


class SelfPlay:
    def __init__(self, start: Position, weights: Weights, nodes: int, seed: int) -> None:
        self.start = start
        self.weights = weights
        self.nodes = nodes
        self.seed = seed
        kernel = native.kernel(self.start)
        assert kernel is not None
        self.kernel = kernel
        self.search = searcher(start.id, start.options, weights, table=1)

    def play(self, number: int) -> tuple[list[tuple[int, ...]], list[float]]:
        """One game: features and phase of its positions, and their labels."""
        chance = random.Random(f"{self.seed} {number}")
        game = Game(self.start)
        for _ in range(chance.randrange(1, 3 * opening_plies(self.start.id))):
            if game.outcome is None:
                game.play(chance.choice(game.position.legal_moves()))
        features: list[tuple[int, ...]] = []
        turns: list[tuple[int, Player]] = []
        chances: list[float] = []
        self.search.forget()
        result: float | None = None  # of the first player
        while game.outcome is None and game.last.ply < LONGEST_GAME:
            turn = game.position.turn
            request = _native.SearchRequest(start=self.start.encode(), moves=game.moves, nodes=self.nodes)
            _, _, _, decided, lines, _ = self.search.search(request, _native.StopFlag(), lambda _: None)
            score, floor, _, line = lines[0]
            if decided:
                result = _for_first(turn, (floor + 1) / 2)
                break
            leaf = game.position.encode()
            for move in line:
                leaf = self.kernel.play(leaf, move)
            if abs(score) < WIN_SCORE - 1000 and self.kernel.outcome(leaf) == native.ONGOING:
                features.append(self.search.features(leaf))
                turns.append((len(chances), Player(self.kernel.turn(leaf))))
            chances.append(_for_first(turn, self.weights.chance(score)))
            game.play(line[0])
        if result is None:
            winner = None if game.outcome is None else game.outcome.winner
            result = 0.5 if winner is None else float(winner is Player.ONE)
        # What came of each move, from the last to the first.
        later = [result]
        for thought in reversed(chances[1:]):
            later.append((1 - PATIENCE) * thought + PATIENCE * later[-1])
        later.reverse()
        return features, [_for_first(turn, later[at]) for at, turn in turns]


def _for_first(turn: Player, share: float) -> float:
    """The share of the first player, from that of the player whose turn it is; and back."""
    return share if turn is Player.ONE else 1 - share


def gather(start: Position, weights: Weights, n_games: int, nodes: int, seed: int) -> Positions:
    play = SelfPlay(start, weights, nodes, seed)
    features, labels, numbers = [], [], []
    with Progress(transient=True) as bar:
        task = bar.add_task(f"{start.id}: self-play", total=n_games)
        for number in range(n_games):
            seen, came = play.play(number)
            features += seen
            labels += came
            numbers += [number] * len(seen)
            bar.update(task, advance=1)
    table = np.array(features, dtype=float)
    early = table[:, -1:] / 256
    values = table[:, :-1]
    return Positions(np.hstack([values * early, values * (1 - early)]), np.array(labels), np.array(numbers))


def loss(rows: Array, labels: Array, weights: Array) -> float:
    """The mean surprise of the labels, in nats."""
    odds = rows @ weights
    return float(np.mean(np.logaddexp(0, odds) - labels * odds))


def fit(rows: Array, labels: Array, begin: Array, hold: float) -> Array:
    """The weights, in log-odds, that surprise least."""
    weights = begin.copy()
    holds = 2 * hold * np.mean(rows**2, axis=0) + 1e-9
    for _ in range(30):
        chances = 1 / (1 + np.exp(-np.clip(rows @ weights, -50, 50)))
        slope = rows.T @ (chances - labels) / len(labels) + holds * (weights - begin)
        curve = (rows * (chances * (1 - chances))[:, None]).T @ rows / len(labels) + np.diag(holds)
        step = np.linalg.solve(curve, slope)

        def cost(tried: Array) -> float:
            return loss(rows, labels, tried) + float(np.sum(holds * (tried - begin) ** 2)) / 2

        size = 1.0
        while cost(weights - size * step) > cost(weights) and size > 1e-6:
            size /= 2
        weights = weights - size * step
        if np.max(np.abs(size * step) * np.sqrt(np.mean(rows**2, axis=0))) < 1e-6:
            break
    return weights


def tuned(positions: Positions, old: Weights) -> Weights:
    """New weights in points as large as the old ones; prints how well both foretell the games held out."""
    points = np.array([[early, late] for early, late in old.features.values()], dtype=float).T.ravel()
    learn = positions.games % 5 != 0
    rows, labels = positions.rows[learn], positions.labels[learn]
    held_rows, held_labels = positions.rows[~learn], positions.labels[~learn]
    unit = fit((rows @ points)[:, None], labels, np.array([1 / old.scale]), 0.0)[0]
    before = loss(held_rows, held_labels, unit * points)
    fitted = fit(rows, labels, unit * points, HOLD)
    after = loss(held_rows, held_labels, fitted)
    scale = float(np.median(np.abs(rows @ points)) / np.median(np.abs(rows @ fitted)))
    print(f"positions {len(positions.labels)}, held out {len(held_labels)}, loss {before:.4f} -> {after:.4f}")
    values = np.clip(np.rint(fitted * scale), -LARGEST_WEIGHT, LARGEST_WEIGHT).astype(int)
    half = len(values) // 2
    pairs = zip(values[:half].tolist(), values[half:].tolist(), strict=True)
    features = dict(zip(old.features, pairs, strict=True))
    return dataclasses.replace(old, scale=round(scale, 1), features=features)


def compare(
    game: str, options: dict[str, str], new: Weights, n_games: int, nodes: int, seed: int, processes: int
) -> tuple[Tally, bool]:
    """The match of the new weights against those of the package, and whether the new ones are stronger."""
    with tempfile.TemporaryDirectory() as folder, Progress(transient=True) as bar:
        path = Path(folder, "new.json")
        path.write_text(new.dump(), "utf-8")
        old_name = f"alphabeta:nodes={nodes}"
        match = Match(game, options, f"{old_name},weights={path}", old_name, 1.0, seed, opening_plies(game))
        task = bar.add_task(f"{game}: new against old", total=n_games // 2)
        tally = Tally()
        for pair in play_match(match, list(range(n_games // 2)), crew.gather(processes)):
            tally = tally.with_pair(pair.points)
            bar.update(task, advance=1, description=f"{game}: {100 * tally.score:.1f} %")
            if 2 * tally.pairs >= LEAST_GAMES and tally.test(NOT_STRONGER, STRONGER) is not Verdict.UNDECIDED:
                break
    # Undecided at the end: the likelier of the two it is.
    return tally, tally.log_likelihood(NOT_STRONGER, STRONGER) > 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(_native.SEARCHERS))
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the games played")
    parser.add_argument("--serves", action="append", default=[], metavar="NAME", help="the weights are for this option")
    parser.add_argument("--games", type=int, default=1500, help="of self-play (1500)")
    parser.add_argument("--nodes", type=int, default=500, help="a move of self-play (500)")
    parser.add_argument("--match", type=int, default=200, help="games of the match at most (200)")
    parser.add_argument("--match-nodes", type=int, default=10_000, help="a move of the match (10000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1, help="that play the match (1)")
    parser.add_argument("--write", action="store_true", help="replace the file of weights if the new ones are stronger")
    arguments = parser.parse_args()
    given = dict(option.split("=", 1) for option in arguments.option)
    kind = games.get(arguments.game)
    start = kind.start(kind.options_type.parse(given))
    old = Weights.of(arguments.game, start.options)
    if old.patterns:
        parser.error(f"{arguments.game} is judged by patterns: see training/{arguments.game}_patterns.py")
    serves = {name: given[name] for name in arguments.serves}
    positions = gather(start, old, arguments.games, arguments.nodes, arguments.seed)
    new = dataclasses.replace(tuned(positions, old), options=serves)
    print(new.dump(), end="", flush=True)
    tally, stronger = compare(
        arguments.game, given, new, arguments.match, arguments.match_nodes, arguments.seed, arguments.processes
    )
    print(f"new against old: {100 * tally.score:.1f} ± {100 * tally.error:.1f} % of {2 * tally.pairs} games,", end=" ")
    print(f"Elo {tally.elo_text()}: {'stronger' if stronger else 'not stronger'}")
    if stronger and arguments.write:
        (WEIGHTS / f"{'-'.join((arguments.game, *serves.values()))}.json").write_text(new.dump(), "utf-8")
    sys.exit(0 if stronger else 1)


if __name__ == "__main__":
    main()
