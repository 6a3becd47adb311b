"""What is proven of a position, asked of a process of its own, so that nobody else waits for it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from tabuleiro.learn import truth
from tabuleiro.search.base import Score
from tabuleiro.server.learning.asked import AboutLine


class Values(NamedTuple):
    """What the position is worth, and each move by its name, for the player to move; None where that is not proven."""

    score: Score | None
    moves: dict[str, Score | None]


@dataclass(frozen=True)
class WhatIsProven(AboutLine):
    """Of the last position of a line and its moves, after a look at so many positions."""

    positions: int

    def answer(self, _: Callable[[], bool]) -> Values:
        node = self.line.replay().last
        if node.outcome is not None:
            return Values(None, {})
        found = truth.values(node, self.positions)
        moves = {node.position.move_str(move): _proven(score) for move, score in found.moves.items()}
        return Values(_proven(found.score), moves)


def _proven(score: Score | None) -> Score | None:
    return None if score is None or score.worth is None else score
