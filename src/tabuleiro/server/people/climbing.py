"""The ladder of a class: who beats somebody a few rungs above takes their rung. Pure."""

from collections.abc import Iterable, Sequence

from tabuleiro.server.log import Guest

#: Rungs above one's own that a win may reach.
REACH = 3


def climb(order: Sequence[Guest], pupils: Sequence[Guest], wins: Iterable[tuple[Guest, Guest]]) -> list[Guest]:
    """The pupils from the top, after games in the order in which they ended: winner and loser of each. Who came after
    the ladder began stands below all others.

    >>> climb([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6], [(3, 1), (2, 5), (5, 3)])
    [3, 1, 2, 4, 5, 6]
    """
    rungs = [*order, *(pupil for pupil in pupils if pupil not in order)]
    for winner, loser in wins:
        if winner not in rungs or loser not in rungs:
            continue
        below, above = rungs.index(winner), rungs.index(loser)
        if 0 < below - above <= REACH:
            rungs.insert(above, rungs.pop(below))
    return [guest for guest in rungs if guest in pupils]
