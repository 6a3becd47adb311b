"""Random games end by the rules. `pytest tests/test_random_play.py --games 1000` plays as many of each."""

import pytest

from option_sets import extremes, label
from tabuleiro import GAMES, Options, Position
from tabuleiro.record import random_game

CASES = [(game, options) for game in GAMES.values() for options in extremes(game)]


@pytest.mark.parametrize(("game", "options"), CASES, ids=[label(*case) for case in CASES])
def test_random_games_end_by_the_rules(game: type[Position], options: Options, request: pytest.FixtureRequest) -> None:
    for seed in range(request.config.getoption("--games")):
        played = random_game(game.start(options), seed=seed)
        assert played.outcome is not None
        assert played.result in ("1-0", "0-1", "1/2-1/2")
        assert played.result != "1/2-1/2" or played.position.can_draw
