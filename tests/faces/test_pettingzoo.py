"""The games pass PettingZoo's own checks, and play by our rules through its loop."""

import random
import warnings

import numpy as np
import pytest

from faces.walks import EXTREMES, MAX_PLIES, PARTS, Beside, named
from tabuleiro import GAMES, Options, Position

pytest.importorskip("pettingzoo", reason="PettingZoo is an extra: pip install tabuleiro[pettingzoo]")
from pettingzoo.test import api_test, seed_test

from tabuleiro.faces.pettingzoo import env, raw_env


def played(game: type[Position], options: Options, chance: random.Random, max_plies: int) -> None:
    table, beside = raw_env(game.id, max_plies=max_plies, **named(options)), Beside(game, options, max_plies)
    table.reset()
    total = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, _ = table.last()
        total[agent] += reward
        if terminated or truncated:
            table.step(None)
            continue
        legal = beside.legal()
        assert agent == f"player_{beside.turn}"
        assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(legal)
        assert not table.observe(f"player_{3 - beside.turn}")["action_mask"].any()
        action = chance.choice(sorted(legal))
        beside.play(action)
        table.step(action)
        assert any(table.terminations.values()) == (beside.result in (1, 2, 3))
        assert any(table.truncations.values()) == (beside.result == 4)
    one = {1: 1, 2: -1}.get(beside.result, 0)
    assert total == {"player_1": one, "player_2": -one}


@pytest.mark.parametrize(("game", "options"), EXTREMES)
def test_the_own_checks_pass(game: type[Position], options: Options) -> None:
    with warnings.catch_warnings():
        # Planes and masks are not what it knows as pictures, and it says so.
        warnings.simplefilter("ignore")
        api_test(env(game.id, **named(options)), num_cycles=30)
        seed_test(lambda: env(game.id, **named(options)), num_cycles=10)


@pytest.mark.parametrize(("game", "options"), EXTREMES)
def test_random_learners_play_by_our_rules(game: type[Position], options: Options) -> None:
    played(game, options, random.Random(1), 60)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", GAMES)
def test_a_thousand_games_are_played_by_our_rules(name: str, part: int) -> None:
    chance = random.Random(2 + part)
    for _ in range(1000 // PARTS):
        played(GAMES[name], GAMES[name].options_type(), chance, MAX_PLIES)


def test_an_illegal_action_ends_the_game_as_pettingzoo_ends_it() -> None:
    table = env("rastros")
    table.reset(seed=1)
    seen, *_ = table.last()
    table.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert table.rewards == {"player_1": -1, "player_2": 0}
    assert all(table.terminations.values())
    for _ in table.agent_iter():
        table.step(None)
    assert not table.agents
    table.reset()
    assert table.agents == ["player_1", "player_2"]


def test_the_board_is_drawn_as_text() -> None:
    table = raw_env("hex", size=4, render_mode="ansi")
    table.reset()
    assert "a" in (table.render() or "")
    assert raw_env("hex").metadata["name"] == "tabuleiro/hex-v1"
