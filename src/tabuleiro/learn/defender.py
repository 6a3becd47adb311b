"""Who plays against the pupil: what is proven it plays perfectly, a lost position it holds as long as it can."""

from tabuleiro.core import Move
from tabuleiro.learn import truth
from tabuleiro.players import level_engine
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Worth
from tabuleiro.search.reference import detached
from tabuleiro.solve.base import Solution

#: The most plies of a refutation that are shown.
SHOWN = 12


def answer(node: Node, positions: int = truth.QUICK) -> Move:
    """The best move: the quickest win, else a draw, else the loss that lasts longest. Of moves of which nothing is
    proven, and of losses of which nobody knows how long they last, the one that a search likes best."""
    return chosen(node, truth.values(node, positions))


def chosen(node: Node, solution: Solution) -> Move:
    """The same, where what is known was asked for already."""
    known = {move: score for move, score in solution.moves.items() if score is not None}
    best = max(known.values(), default=None)
    unknown = [move for move in solution.moves if move not in known]
    if best is not None and (best.worth is Worth.WIN or (best.worth is Worth.DRAW and not unknown)):
        return next(move for move, score in known.items() if score == best)
    if unknown:
        return _best_liked(node, unknown)
    longest = max(score.plies or 0 for score in known.values())
    return _best_liked(node, [move for move, score in known.items() if (score.plies or longest) == longest])


def _best_liked(node: Node, moves: list[Move]) -> Move:
    if len(moves) == 1:
        return moves[0]
    return next(line.moves[0] for line in truth.look(node) if line.moves[0] in moves)


def refutation(node: Node, positions: int = truth.QUICK) -> tuple[Move, ...]:
    """What follows a wrong move while both play as well as they can: as far as it is proven before so many positions
    were looked at, and at least one move."""
    node = detached(node)
    made: list[Move] = []
    while node.outcome is None and len(made) < SHOWN and (positions > 0 or not made):
        solution = truth.values(node, positions)
        if made and solution.score is None:
            break
        positions -= truth.spent(node.position, solution)
        made.append(chosen(node, solution))
        node = node.play(made[-1])
    return tuple(made)


def level_answer(node: Node, level: int, seed: int) -> Move:
    """What a level plays."""
    return level_engine(node.position.id, level, seed).play(node, Limit())
