"""What is tried in every game: in some of them at every run, in all of them in the long run."""

from typing import Any

import pytest

from tabuleiro.games import GAMES


def some_games(*usual: str) -> list[Any]:
    """The games as parameters of a test; all but the usual ones are marked as long."""
    assert set(usual) <= set(GAMES)
    return [game if game in usual else pytest.param(game, marks=pytest.mark.long) for game in GAMES]
