"""The games pass OpenSpiel's own tests, play by our rules through its states, and its algorithms play them."""

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from faces.walks import EXTREMES, MAX_PLIES, PARTS, Beside
from tabuleiro import GAMES, Options, Position
from tabuleiro.games.guerreiros import GuerreirosOptions

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is an extra: pip install tabuleiro[openspiel]")
from open_spiel.python.algorithms import generate_playthrough, mcts, minimax  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from tabuleiro.faces.openspiel import name_in_openspiel, parameters_of  # noqa: E402

#: Boards on which a few plies are quick.
SMALL: Mapping[str, dict[str, Any]] = {
    "avanco": {"size": 5},
    "hex": {"size": 3},
    "konane": {"size": 4},
    "rastros": {"size": 4},
}


def load(game: type[Position], options: Options, max_plies: int = MAX_PLIES) -> Any:
    return pyspiel.load_game(name_in_openspiel(game.id), {**parameters_of(options), "max_plies": max_plies})


def played(game: type[Position], options: Options, chance: random.Random, max_plies: int) -> None:
    state, beside = load(game, options, max_plies).new_initial_state(), Beside(game, options, max_plies)
    while not state.is_terminal():
        legal = beside.legal()
        assert state.current_player() == beside.turn - 1
        assert state.legal_actions() == sorted(legal)
        action = chance.choice(state.legal_actions())
        assert state.action_to_string(action) == beside.node.position.move_str(legal[action])
        beside.play(action)
        state.apply_action(action)
    assert beside.result
    one = {1: 1, 2: -1}.get(beside.result, 0)
    assert state.returns() == [one, -one]


@pytest.mark.parametrize(("game", "options"), EXTREMES)
def test_the_own_random_simulations_pass(game: type[Position], options: Options) -> None:
    pyspiel.random_sim_test(load(game, options, 25), num_sims=1, serialize=False, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize(("game", "options"), EXTREMES)
def test_the_own_random_simulations_pass_with_serializing(game: type[Position], options: Options) -> None:
    pyspiel.random_sim_test(load(game, options, 100), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize(("game", "options"), EXTREMES)
def test_a_random_game_is_played_by_our_rules(game: type[Position], options: Options) -> None:
    played(game, options, random.Random(1), 40)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", GAMES)
def test_a_thousand_games_are_played_by_our_rules(name: str, part: int) -> None:
    chance = random.Random(2 + part)
    for _ in range(1000 // PARTS):
        played(GAMES[name], GAMES[name].options_type(), chance, MAX_PLIES)


@pytest.mark.parametrize("name", GAMES)
def test_its_playthrough_can_be_written(name: str) -> None:
    kind = GAMES[name]
    options = kind.options_type(**SMALL.get(name, {}))
    text = generate_playthrough.playthrough(str(load(kind, options, 3)), action_sequence=None, seed=1)
    assert f'GameType.short_name = "tabuleiro_{name}"' in text
    assert f"NumDistinctActions() = {load(kind, options).num_distinct_actions()}" in text


@pytest.mark.parametrize("name", GAMES)
def test_its_searches_play(name: str) -> None:
    """A few simulations of its tree search, and its alpha-beta two plies deep: legal moves both."""
    kind = GAMES[name]
    game = load(kind, kind.options_type(**SMALL.get(name, {})), 30)
    state = game.new_initial_state()
    chance = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 8, mcts.RandomRolloutEvaluator(1, chance), random_state=chance)
    state.apply_action(bot.step(state))
    value, action = minimax.alpha_beta_search(
        game, state, value_function=lambda state: 0.0, maximum_depth=1, maximizing_player_id=state.current_player()
    )
    assert action in state.legal_actions()
    assert -1 <= value <= 1


@pytest.mark.long
def test_alpha_beta_solves_a_small_game() -> None:
    """In Hex on 3x3 the one who begins in the middle wins, whatever the other does."""
    game = pyspiel.load_game("tabuleiro_hex(size=3,swap=false)")
    state = game.new_initial_state()
    state.apply_action(next(action for action in state.legal_actions() if state.action_to_string(action) == "b2"))
    value, _ = minimax.alpha_beta_search(game, state, maximum_depth=8, maximizing_player_id=0)
    assert value == 1


def test_what_is_hidden_stays_hidden() -> None:
    kind = GAMES["guerreiros"]
    game = load(kind, GuerreirosOptions(hidden_kings=True))
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    told: dict[int, set[str]] = {0: set(), 1: set()}
    seen: dict[int, set[bytes]] = {0: set(), 1: set()}
    observation = make_observation(game)
    for action in game.new_initial_state().legal_actions():
        state = game.new_initial_state()
        placing = state.current_player()
        state.apply_action(action)
        for player in (0, 1):
            told[player].add(state.information_state_string(player))
            observation.set_from(state, player)
            seen[player].add(observation.tensor.tobytes())
    assert len(told[placing]) == len(seen[placing]) == 9
    assert len(told[1 - placing]) == len(seen[1 - placing]) == 1


def test_copies_go_their_own_ways() -> None:
    state = pyspiel.load_game("tabuleiro_ouri(cycle_threshold=2)").new_initial_state()
    other = state.clone()
    state.apply_action(state.legal_actions()[0])
    other.apply_action(other.legal_actions()[1])
    assert str(state) != str(other)
    assert state.history() != other.history()
    assert str(state.clone()) == str(state)
