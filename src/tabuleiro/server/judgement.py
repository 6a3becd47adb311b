"""What was good and bad in a game, from what engines and solvers say of each of its positions. Nothing here thinks.

A move gave away what its player had before it, less what was left after it: certain wins and draws where they are
proven, chances of winning elsewhere.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from tabuleiro.core import Player
from tabuleiro.search.base import Score, Worth

#: The chance of winning, from 0 to 1, that makes a move one of these when it gives it away.
INACCURACY, MISTAKE, BLUNDER = 0.10, 0.20, 0.30
#: Below this chance a game counts as lost, when nothing is proven.
LOST = 0.25

Fault = Literal["inaccuracy", "mistake", "blunder", "threw_win", "threw_draw"]


class Seen(NamedTuple):
    """A position of a game, as it was judged."""

    turn: Player
    #: For the player to move; where the game is over, for the player who would be.
    score: Score
    #: The best move found and the move that was made, as people write them; None at the end.
    best: str | None
    played: str | None


class Judgement(NamedTuple):
    """What a move did to the chances of the player who made it."""

    #: How many moves were made once it was.
    ply: int
    player: Player
    move: str
    fault: Fault | None
    #: The chance of winning that it gave away, from 0 to 1.
    gave: float
    #: The move that was thought better.
    better: str | None


def judge(game: Sequence[Seen]) -> list[Judgement]:
    """Every move of a game, given its positions from the start to the end."""
    judgements = []
    for ply, (before, after) in enumerate(pairwise(game), start=1):
        assert before.played is not None
        left = _for(before.turn, after)
        fault, gave = _fault(before, left)
        better = before.best if before.best != before.played and gave > 0 else None
        judgements.append(Judgement(ply, before.turn, before.played, fault, gave, better))
    return judgements


def losing_move(game: Sequence[Seen], winner: Player | None) -> int | None:
    """The ply of the move that lost the game: after it, and not before it, the loser was lost for good.

    None for a draw, and for a game that was lost from its beginning.
    """
    if winner is None:
        return None
    moves = [(ply, before, _for(before.turn, after)) for ply, (before, after) in enumerate(pairwise(game), start=1)]
    own = [(ply, before, left) for ply, before, left in moves if before.turn is winner.other]
    for ply, before, left in reversed(own):
        if not _is_lost(before.score) and _is_lost(left):
            return ply
    faults = [(_fault(before, left)[1], ply) for ply, before, left in own]
    worst = max(faults, default=(0.0, 0))
    return worst[1] if worst[0] > 0 else None


def hastening_move(game: Sequence[Seen], winner: Player | None) -> int | None:
    """In a game that was lost from its beginning, the ply of the move that brought the end nearest."""
    hastened = []
    for ply, (before, after) in enumerate(pairwise(game), start=1):
        left = _for(before.turn, after)
        lost = before.score.worth is left.worth is Worth.LOSS
        if lost and before.turn is not winner and before.score.plies is not None and left.plies is not None:
            hastened.append((before.score.plies - 1 - left.plies, -ply))
    most, place = max(hastened, default=(0, 0))
    return -place if most > 0 else None


def _for(player: Player, seen: Seen) -> Score:
    return seen.score if seen.turn is player else -seen.score


def _is_lost(score: Score) -> bool:
    return score.worth is Worth.LOSS if score.exact else score.chance < LOST


def _fault(before: Seen, left: Score) -> tuple[Fault | None, float]:
    """What is wrong with a move, and the chance that it gave away."""
    had = before.score
    if had.exact and left.exact:
        assert had.worth is not None and left.worth is not None
        if left.worth >= had.worth:
            return None, 0.0
        return ("threw_win" if had.worth is Worth.WIN else "threw_draw"), had.chance - left.chance
    if before.played == before.best:
        # What the engine itself would have played is no fault of the player, even if it sees more afterwards.
        return None, 0.0
    gave = max(0.0, had.chance - left.chance)
    for fault, least in _GRADES:
        if gave >= least:
            return fault, gave
    return None, gave


_GRADES: tuple[tuple[Fault, float], ...] = (("blunder", BLUNDER), ("mistake", MISTAKE), ("inaccuracy", INACCURACY))
