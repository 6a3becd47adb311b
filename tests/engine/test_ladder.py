"""The ladder that ratings stand on is that of the levels as they are."""

import pytest

from tabuleiro.games import GAMES
from tabuleiro.players import TOP
from tabuleiro.players.ladder import ladder_of, ladder_version


@pytest.mark.parametrize("game", GAMES)
def test_a_ladder_was_measured_with_the_levels_there_are(game: str) -> None:
    if (ladder := ladder_of(game)) is not None:
        assert len(ladder.elo) == TOP - 1 and [*ladder.elo] == sorted({*ladder.elo})
        assert ladder.version == ladder_version(game, ladder.elo), f"run training/ladder.py {game} --write"
