"""What people may expect of every level."""

import time

import pytest

from tabuleiro.core import Position
from tabuleiro.games import GAMES, get
from tabuleiro.record import Game, random_game
from tabuleiro.search import Limit, level_engine
from tabuleiro.search.base import EngineError
from tabuleiro.search.levels import STRONGEST, TOP, levels_of

SEEDS = range(40)


def test_every_game_has_its_levels() -> None:
    assert set(STRONGEST) == set(GAMES)
    for game in GAMES:
        levels = levels_of(game)
        assert len(levels) == TOP - 1
        assert all((level.depth >= 1) != (level.simulations >= 1) for level in levels)
        assert all(level.choices >= 1 and level.temperature >= 0 and 0 <= level.overlooks <= 0.5 for level in levels)


@pytest.mark.parametrize("level", [1, 5, 9])
def test_a_win_in_one_is_mostly_taken(level: int) -> None:
    position = get("avanco").from_str("7/3w3/b6/7/7/w5w/7 w")
    taken = sum(level_engine("avanco", level, seed).play(position, Limit()) in _wins(position) for seed in SEEDS)
    assert taken >= 0.7 * len(SEEDS)


def _wins(position: Position) -> list[int]:
    return [move for move in position.legal_moves() if position.play(move).outcome() is not None]


@pytest.mark.parametrize("level", [1, 5, 9])
def test_a_loss_in_one_is_mostly_stopped(level: int) -> None:
    # Black threatens to walk from c2 to the last row; only b1 can take.
    position = get("avanco").from_str("b6/7/7/w5w/7/2b4/1w5 w")
    stopped = 0
    for seed in SEEDS:
        after = position.play(level_engine("avanco", level, seed).play(position, Limit()))
        stopped += not _wins(after)
    assert stopped >= 0.7 * len(SEEDS)


def test_levels_repeat_with_their_seed_and_vary_without() -> None:
    game = random_game("avanco", 1, 6)
    moves = [level_engine("avanco", 1, seed).play(game, Limit()) for seed in SEEDS]
    assert moves == [level_engine("avanco", 1, seed).play(game, Limit()) for seed in SEEDS]
    assert len(set(moves)) > 3


@pytest.mark.parametrize("game", GAMES)
def test_low_levels_answer_at_once(game: str) -> None:
    line = random_game(game, 2, 2 if game == "semaforo" else 8)
    assert line.outcome is None
    engine = level_engine(game, 5, 1)
    engine.play(line, Limit())
    times = []
    for _ in range(3):
        began = time.thread_time()
        engine.play(line, Limit())
        times.append(time.thread_time() - began)
    assert min(times) < 0.05


@pytest.mark.parametrize("game", GAMES)
def test_the_top_level_keeps_to_its_time(game: str) -> None:
    began = time.monotonic()
    level_engine(game, TOP, table=1).play(Game.new(game), Limit(seconds=0.05))
    assert time.monotonic() - began < 1


@pytest.mark.parametrize("level", [0, 11, -1])
def test_there_are_ten_levels(level: int) -> None:
    with pytest.raises(EngineError):
        level_engine("hex", level)
