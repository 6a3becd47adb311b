"""What is proven of a position, told to a class: every move by name, or that it is not known."""

from tabuleiro.learn import truth
from tabuleiro.learn.task import DRAW, MOVER, OTHER
from tabuleiro.search.base import Score, Worth
from tabuleiro.server.learning.proven import Values
from tabuleiro.server.log import Json

#: Positions that may be looked at: a class waits a second or two for the truth.
POSITIONS = 5 * truth.QUICK
WORTHS = {Worth.WIN: "win", Worth.DRAW: "draw", Worth.LOSS: "loss"}
WINNERS = {Worth.WIN: MOVER, Worth.DRAW: DRAW, Worth.LOSS: OTHER}


def told(values: Values) -> Json:
    """Who wins, in how many plies, and what each move is worth."""
    score = values.score
    return {
        "winner": None if score is None or score.worth is None else WINNERS[score.worth],
        "plies": None if score is None else score.plies,
        "moves": {move: _worth(each) for move, each in values.moves.items()},
    }


def _worth(score: Score | None) -> Json | None:
    if score is None or score.worth is None:
        return None
    return {"worth": WORTHS[score.worth], "plies": score.plies}
