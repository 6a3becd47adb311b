"""The commands of training/ that make the numbers of the evaluations and levels."""

import dataclasses
import importlib.util
import sys
from itertools import islice, pairwise
from math import log
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tabuleiro.elo import Tally, score_of
from tabuleiro.games import get
from tabuleiro.players.levels import Level
from tabuleiro.players.net_levels import NetLevel
from tabuleiro.record import random_game
from tabuleiro.search import Limit
from tabuleiro.search.native import Weights, searcher

TRAINING = Path(__file__).parents[1] / "training"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"training_{name}", TRAINING / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


tune, levels, konane_patterns = load("tune"), load("levels"), load("konane_patterns")


def random_positions(seed: int) -> list[tuple[int, ...]]:
    """Those of a game that goes on."""
    return [
        node.position.encode() for node in random_game("konane", seed=seed).root.line() if node.position.legal_moves()
    ]


def test_the_fit_finds_the_weights_that_made_the_labels() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(20_000, 3))
    truth = np.array([1.0, -0.5, 0.0])
    labels = (chance.random(20_000) < 1 / (1 + np.exp(-rows @ truth))).astype(float)
    assert tune.fit(rows, labels, np.zeros(3), 1e-4) == pytest.approx(truth, abs=0.05)
    # Where the positions say nothing, the weights of before stay.
    rows[:, 2] = 0
    assert tune.fit(rows, labels, np.array([0.0, 0.0, 7.0]), 1e-4)[2] == pytest.approx(7.0)


def test_tuning_repeats_and_learns_what_a_piece_is_worth() -> None:
    ignorant = Weights(100, dict.fromkeys(Weights.of("avanco").features, (10, 10)))
    first, again = (tune.gather(get("avanco").start(), ignorant, 60, 100, seed=3) for _ in range(2))
    assert np.array_equal(first.rows, again.rows) and np.array_equal(first.labels, again.labels)
    assert 0 <= first.labels.min() < first.labels.max() <= 1
    new = tune.tuned(first, ignorant)
    assert new == tune.tuned(again, ignorant)
    assert new.features["pieces"][0] / new.scale > 0.1
    assert Weights.parse(new.dump()) == new
    searcher("avanco", get("avanco").start().options, new)


@pytest.mark.parametrize("by_net", [False, True])
def test_levels_are_placed_at_equal_steps(tmp_path: Path, by_net: bool) -> None:
    """The results of matches follow ratings that we make up: by the same ratings the levels must be a step apart."""

    def rating(level: Level | NetLevel) -> float:
        place: float = levels.place_of(level)
        return 100 * (place - log(300)) + 200 * log(4) if levels.is_careful(level) else 200 * place

    results = levels.Results(tmp_path / "results.json")
    knots = [levels.careless("avanco", each, by_net=by_net) for each in (8, 4, 2, 1, 0.5, 0.25)]
    knots += [levels.careful("avanco", each, by_net=by_net) for each in (300, 1_000, 3_000, 10_000, 30_000)]
    top = 900.0
    # Whoever plays at random stands so that level 1 is where the weakest knot is.
    heights = {levels.GREEDY: rating(knots[0]) - levels.ABOVE_GREEDY}
    heights |= {levels.name_of(level): rating(level) for level in knots} | {levels.TOP_NAME: top}
    for below, above in pairwise(heights):
        wins = round(1000 * score_of(heights[above] - heights[below]))
        results.tallies[above, below] = Tally((1000 - wins, 0, 0, 0, wins))
    results.save()
    kept = levels.Results(tmp_path / "results.json")
    kept.load()
    placed = levels.Ladder("avanco", kept, Limit(nodes=1), 0, by_net=by_net).place()
    assert len(placed) == 9
    step = (top - heights[levels.name_of(knots[0])]) / 9
    for number, level in enumerate(placed):
        assert rating(level) == pytest.approx(top - (9 - number) * step, abs=20)


def test_patterns_of_konane_learn_who_wins(tmp_path: Path) -> None:
    found = list(islice(konane_patterns.positions(12, 20, seconds=60, seed=1), 3000))
    assert all(12 <= konane_patterns.stones(words) <= 20 and value in (0, 1) for words, value in found)
    file = tmp_path / "positions.txt"
    file.write_text("".join(f"{words[0]} {words[1]} {int(words[2])} {value:g}\n" for words, value in found))
    patterns = konane_patterns.Patterns()
    konane_patterns.fit(patterns, konane_patterns.read([file], patterns), passes=8, decay=3.0)
    weights = dataclasses.replace(Weights.of("konane"), patterns=patterns.encode())
    assert Weights.parse(weights.dump()) == weights
    search = searcher("konane", get("konane").start().options, weights)
    right = [(search.evaluate(words) > 0) == (value > 0.5) for words, value in found]
    assert np.mean(right) > 0.8


def test_native_patterns_add_up_what_the_parts_of_the_board_are_worth() -> None:
    """With worths at random: the tables that are looked up hold sums over many parts."""
    patterns, chance = konane_patterns.Patterns(), np.random.default_rng(2)
    unit = konane_patterns.UNIT / konane_patterns.SCALE
    patterns.worths = unit * 8 * chance.integers(-3, 4, patterns.worths.shape)
    patterns.even_out()
    patterns.turn = unit * np.array([7, -3])
    weights = dataclasses.replace(Weights.of("konane"), patterns=patterns.encode())
    search = searcher("konane", get("konane").start().options, weights)
    for game in range(20):
        for words in random_positions(game):
            taken = np.array([(words[0] | words[1]) >> cell & 1 for cell in range(64)], dtype=np.int32).reshape(1, 8, 8)
            worths = (patterns.worths[:, patterns.entries(taken)[0]] * patterns.signs).sum(1)
            late, early = (worths if words[2] == 1 else -worths) + patterns.turn
            share = (min(max(int(taken.sum()), 12), 44) - 12) / 32
            told = (early * share + late * (1 - share)) * konane_patterns.SCALE
            assert search.evaluate(words) == pytest.approx(told, abs=4.01)
