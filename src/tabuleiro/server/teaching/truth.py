"""What is proven of a position, told to a class: every move by name, or that it is not known. Asked of a process of its
own, so that nobody waits for it."""

from collections.abc import Callable
from typing import NamedTuple

from tabuleiro.learn import truth
from tabuleiro.learn.task import DRAW, MOVER, OTHER
from tabuleiro.record import Line
from tabuleiro.search.base import Score, Worth
from tabuleiro.server.log import Json

#: Positions that may be looked at: a class waits a second or two for the truth.
POSITIONS = 5 * truth.QUICK
#: Seconds after which whoever was asked is lost: some positions take longer than others.
PATIENCE = 60.0
WORTHS = {Worth.WIN: "win", Worth.DRAW: "draw", Worth.LOSS: "loss"}
WINNERS = {Worth.WIN: MOVER, Worth.DRAW: DRAW, Worth.LOSS: OTHER}


class WhatIsTrue(NamedTuple):
    """What each move of the last position of a line is worth, and who wins."""

    line: Line

    @property
    def game(self) -> str:
        return self.line.game

    @property
    def patience(self) -> float:
        return PATIENCE

    def answer(self, stop: Callable[[], bool]) -> Json:
        node = self.line.replay().last
        solution = truth.values(node, POSITIONS)
        worth = None if solution.score is None else solution.score.worth
        return {
            "winner": None if worth is None else WINNERS[worth],
            "plies": None if solution.score is None else solution.score.plies,
            "moves": {node.position.move_str(move): _told(score) for move, score in solution.moves.items()},
        }


def _told(score: Score | None) -> Json | None:
    if score is None or score.worth is None:
        return None
    return {"worth": WORTHS[score.worth], "plies": score.plies}
