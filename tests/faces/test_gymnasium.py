"""The games pass Gymnasium's own checks, and play by our rules through its loop."""

import pickle
import random
import warnings

import numpy as np
import pytest

from faces.walks import EXTREMES, MAX_PLIES, PARTS, Beside, named
from tabuleiro import GAMES, Options, Position, TabuleiroError
from tabuleiro.faces import environment_id

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is an extra: pip install tabuleiro[gymnasium]")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from tabuleiro.faces.gymnasium import BoardGameEnv  # noqa: E402


def played(env: BoardGameEnv, beside: Beside, chance: random.Random) -> None:
    """One game of a random learner who plays both sides."""
    _, info = env.reset()
    while True:
        legal = beside.legal()
        assert np.flatnonzero(info["action_mask"]).tolist() == sorted(legal)
        action, mover = chance.choice(sorted(legal)), beside.turn
        beside.play(action)
        observation, reward, terminated, truncated, info = env.step(np.int64(action))
        assert observation in env.observation_space
        assert (terminated, truncated) == (beside.result in (1, 2, 3), beside.result == 4)
        assert reward == (0 if beside.result in (0, 3, 4) else 1 if beside.result == mover else -1)
        assert not info["illegal_action"]
        if terminated or truncated:
            assert not info["action_mask"].any()
            return


@pytest.mark.parametrize(("game", "options"), EXTREMES)
def test_the_own_check_passes(game: type[Position], options: Options) -> None:
    with warnings.catch_warnings():
        # It tries illegal actions too, and is told.
        warnings.filterwarnings("ignore", message=".*illegal action")
        check_env(gymnasium.make(environment_id(game.id), render_mode="ansi", **named(options)).unwrapped)


@pytest.mark.parametrize(("game", "options"), EXTREMES)
def test_a_random_learner_plays_by_our_rules(game: type[Position], options: Options) -> None:
    env = BoardGameEnv(game.id, opponent="self", max_plies=60, **named(options))
    played(env, Beside(game, options, 60), random.Random(1))


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", GAMES)
def test_a_thousand_games_are_played_by_our_rules(name: str, part: int) -> None:
    game, chance = GAMES[name], random.Random(2 + part)
    env = BoardGameEnv(name, opponent="self", max_plies=MAX_PLIES)
    for _ in range(1000 // PARTS):
        played(env, Beside(game, game.options_type()), chance)


def test_an_illegal_action_loses_and_is_told() -> None:
    env = gymnasium.make("tabuleiro/rastros-v1", seat=1)
    _, info = env.reset(seed=3)
    illegal = np.flatnonzero(info["action_mask"] == 0)[0]
    with pytest.warns(UserWarning, match="illegal action"):
        _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1, True, False, True)


@pytest.mark.parametrize("seat", [1, 2])
def test_the_opponent_answers(seat: int) -> None:
    asked = []

    def first(position: Position) -> int:
        asked.append(position.turn)
        return position.legal_moves()[0]

    env = BoardGameEnv("ouri", opponent=first, seat=seat)
    _, info = env.reset(seed=1)
    for _ in range(10):
        assert env.position.turn == seat
        _, _, terminated, _, info = env.step(np.flatnonzero(info["action_mask"])[0])
        if terminated:
            break
    assert {*asked} == {3 - seat}
    with pytest.raises(TabuleiroError):
        BoardGameEnv("ouri", opponent="somebody")


def test_seats_are_drawn_and_chance_comes_from_the_seed() -> None:
    env = BoardGameEnv("avanco")
    seats, games = set(), []
    for seed in (1, 2, 3, 4, 5, 6, 1):
        _, info = env.reset(seed=seed)
        seats.add(int(env.position.turn))
        game = []
        for _ in range(5):
            observation, *_, info = env.step(np.flatnonzero(info["action_mask"])[0])
            game.append(observation.tobytes())
        games.append(game)
    assert seats == {1, 2}
    assert games[0] == games[-1] != games[1]


def test_environments_can_be_pickled() -> None:
    env = pickle.loads(pickle.dumps(BoardGameEnv("hex", size=4, seat=2)))
    assert env.games.start.options.size == 4
    assert "a" in (BoardGameEnv("hex", size=4, render_mode="ansi").render() or "")
