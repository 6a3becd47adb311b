"""Which games and options the faces are tried with, and the rules in Python beside them."""

from dataclasses import fields
from typing import Any

import pytest

from option_sets import extremes, label
from tabuleiro import GAMES, Options, Position, native
from tabuleiro.batches import GIVEN_UP
from tabuleiro.nn import View
from tabuleiro.record import Game

#: Games without an end are given up.
MAX_PLIES = 400
#: A thousand games of one kind are as many tests, so that all cores play them.
PARTS = 10
EXTREMES = [
    pytest.param(game, options, id=label(game, options)) for game in GAMES.values() for options in extremes(game)
]


def named(options: Options) -> dict[str, Any]:
    return {field.name: getattr(options, field.name) for field in fields(options)}


class Beside:
    """A game by the rules in Python, which is told the actions of a face and asked what that should say."""

    def __init__(self, game: type[Position], options: Options, max_plies: int = MAX_PLIES) -> None:
        self.view, self.max_plies = View(game, options), max_plies
        self.start = game.start(options)
        self.node = Game(self.start).root
        self._legal = self.view.actions(self.start)

    def legal(self) -> dict[int, int]:
        """Legal moves by their actions."""
        return self._legal

    def play(self, action: int) -> None:
        self.node = self.node.play(self._legal[action])
        self._legal = {} if self.result else self.view.actions(self.node.position)

    @property
    def turn(self) -> int:
        return int(self.node.position.turn)

    @property
    def result(self) -> int:
        if self.node.outcome is None and self.node.ply >= self.max_plies:
            return GIVEN_UP
        return native.outcome_number(self.node.outcome)
