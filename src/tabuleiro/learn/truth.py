"""What is true of a position: the value of every move, proven or not known. Lessons, puzzles, the coach and reviews ask
here and nobody else, so that none of them can say more than was proven.

>>> from tabuleiro import get
>>> from tabuleiro.learn import truth
>>> position = get("semaforo").from_str("GRGY/R2R/R2Y 1")
>>> solution = truth.values(position)
>>> {position.move_str(move): str(score) for move, score in solution.moves.items() if score > score.loss(2)}
{'b1': '-#8', 'c3': '#5'}

How much may be looked at is a number of positions, not of seconds: what is known must not depend on how busy the
machine is.
"""

import threading
from dataclasses import replace

from tabuleiro import _native
from tabuleiro.core import Move, Player, Position
from tabuleiro.language import Text
from tabuleiro.record import Node
from tabuleiro.search.base import Engine, Limit, Score, ScoredLine, Subject, Worth, ended, node_of
from tabuleiro.search.native import AlphaBetaEngine
from tabuleiro.search.reference import ReferenceEngine, detached
from tabuleiro.solve.base import Solution, SolveError
from tabuleiro.solve.ouri import final_gains
from tabuleiro.solve.registry import solver_for

#: Positions that may be looked at: where somebody waits for the answer (some 300 ms), and where a lesson or puzzle is
#: proven (some 10 s).
QUICK, THOROUGH = 200_000, 10_000_000
#: Where a solver does so much at a position that it looks at fewer of them in the same time, how many times fewer.
_WORK = {"hex": 200, "abalone": 8, "guerreiros": 5, "avanco": 2}
#: Positions of the search for what happens soon, and how soon, where the solver does not say. In Hex each takes three
#: times as long as elsewhere, and a refutation asks at every move.
_SOON, _SOON_IN = 20_000, {"hex": 7_000}


def _soon(position: Position) -> int:
    return _SOON_IN.get(position.id, _SOON)


def solver_positions(position: Position, positions: int) -> int:
    """How many positions the solver of a game may look at, where so many may be looked at in general."""
    return max(positions // _WORK.get(position.id, 1), 1)


def _limit(position: Position, positions: int) -> Limit:
    return Limit(nodes=solver_positions(position, positions))


def values(subject: Subject, positions: int = QUICK) -> Solution:
    """The value of every legal move for the player who makes it, None where it is not known; with its length where that
    is known. What is said is proven."""
    node = node_of(subject)
    solution = solver_for(node).solve(node, _limit(node.position, positions))
    return _with_what_is_near(node, solution)


def value(subject: Subject, positions: int = QUICK) -> Score | None:
    """The value of a position for the player to move; a game that is over has one too."""
    node = Node(subject) if isinstance(subject, Position) else subject
    if isinstance(node, Node) and node.outcome is not None:
        return ended(node.outcome, node.position.turn)
    node = node_of(node)
    return solver_for(node).solve(node, _limit(node.position, positions), every_move=False).score


def spent(position: Position, solution: Solution) -> int:
    """How many positions were looked at for an answer, in the measure of what may be looked at in general."""
    return solution.nodes * _WORK.get(position.id, 1)


def throws_away(solution: Solution, move: Move) -> Worth | None:
    """What a move throws away, a win or a draw; None where it throws nothing away, or that is not proven. Where nobody
    knows what the position is worth, another move may still be proven to be better."""
    left = solution.moves.get(move)
    if left is None or left.worth is None:
        return None
    proven = [score.worth for score in (solution.score, *solution.moves.values()) if score is not None]
    best = max(worth for worth in proven if worth is not None)
    return best if left.worth < best else None


def _with_what_is_near(node: Node, solution: Solution) -> Solution:
    """The same with what a short search of all moves at once sees: wins and losses that are near, and their lengths. It
    says nothing of draws, nor in Ouri of anything: a cycle within one search is true of the best move alone."""
    moves = {move: solution.moves.get(move) for move in node.position.legal_moves()}
    open_ones = [score for score in moves.values() if score is None or (score.worth and score.plies is None)]
    nodes = solution.nodes
    if open_ones and node.position.id != "ouri":
        nodes += solver_positions(node.position, _SOON)
        for line in look(node):
            known = moves[line.moves[0]]
            if line.score.plies is not None and (known is None or known.worth is line.score.worth):
                moves[line.moves[0]] = line.score if known is None else max(known, line.score, key=_shortness)
    worths = [score for score in moves.values() if score is not None]
    best = max(worths, default=None)
    if best is None or (len(worths) < len(moves) and best.worth is not Worth.WIN):
        # What the solver knows of the position itself it may know of no single move.
        best = solution.score
    exact = best is not None and len(worths) == len(moves)
    return replace(solution, score=best, moves=moves, nodes=nodes, exact=exact)


def look(node: Node) -> tuple[ScoredLine, ...]:
    """A short look at every move, the one that a search likes best first: mostly estimates, which prove nothing."""
    lines = len(node.position.legal_moves())
    return _full_width(node.position).analyse(node, Limit(nodes=_soon(node.position)), lines=lines).lines


def _shortness(score: Score) -> int:
    """Greater for a length that is known, and for a shorter one: both bounds hold, and the lesser says more."""
    return -(1 << 30) if score.plies is None else -score.plies


# ------------------------------------------------------------------------------------------------- within some plies


def wins_within(node: Node, move: Move, plies: int, positions: int = QUICK) -> bool | None:
    """Whether a move wins in that many plies at most, itself the first, whatever the other does; None where that would
    take a longer look. Turns must alternate."""
    return _within(node, move, Worth.LOSS, plies - 1, positions)[0]


def loses_within(node: Node, move: Move, plies: int, positions: int = QUICK) -> bool | None:
    """Whether the other wins in that many plies at most after a move, the first of them the answer."""
    return _within(node, move, Worth.WIN, plies, positions)[0]


def wins_later(node: Node, move: Move, number: int, positions: int = QUICK) -> bool:
    """Whether a move that does not win in so many moves of who makes it is proven to win all the same. Mostly it takes
    one move more or two, and to ask just that sees more than to ask who wins at all."""
    for more in (1, 2):
        if wins_within(node, move, 2 * (number + more) - 1, positions // 4):
            return True
    child = detached(node).play(move)
    score = value(child, positions // 2)
    return score is not None and score.worth is (Worth.WIN if child.position.turn is node.position.turn else Worth.LOSS)


def all_that_win_within(node: Node, plies: int, positions: int = QUICK) -> dict[Move, bool | None]:
    """`wins_within` of every move; they share the positions that may be looked at."""
    return _shared(node, Worth.LOSS, plies - 1, positions)


def all_that_lose_within(node: Node, plies: int, positions: int = QUICK) -> dict[Move, bool | None]:
    """`loses_within` of every move; they share the positions that may be looked at."""
    return _shared(node, Worth.WIN, plies, positions)


def _shared(node: Node, worth: Worth, plies: int, positions: int) -> dict[Move, bool | None]:
    legal, found = node.position.legal_moves(), dict[Move, bool | None]()
    for number, move in enumerate(legal):
        found[move], seen = _within(node, move, worth, plies, max(positions // (len(legal) - number), 1))
        positions -= seen
    return found


def _within(node: Node, move: Move, worth: Worth, plies: int, positions: int) -> tuple[bool | None, int]:
    """Whether who moves after a move wins, or loses, in that many plies at most; and how many positions were seen."""
    child = detached(node).play(move)
    if child.outcome is not None:
        winner = node.position.turn if worth is Worth.LOSS else node.position.turn.other
        return child.outcome.winner is winner, 1
    if plies < 1:
        return False, 1
    found = _full_width(child.position).analyse(child, Limit(nodes=positions, depth=plies))
    score = found.score
    if score.worth is worth and score.plies is not None and score.plies <= plies:
        return True, found.nodes
    return (False if found.exact or found.depth >= plies else None), found.nodes


#: A search for each thread: one must not forget what another is searching with.
_own = threading.local()


def _full_width(position: Position) -> Engine:
    """A search that says the fewest plies, and depends on nothing but what it is asked."""
    if position.id not in _native.SEARCHERS:
        return ReferenceEngine()
    if not hasattr(_own, "engine"):
        _own.engine = AlphaBetaEngine(table=8, full_width=True)
    engine: Engine = _own.engine
    engine.forget()
    return engine


# -------------------------------------------------------------------------------------------------- by the rules alone


def wins_at_once(position: Position, move: Move) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner is position.turn


def is_safe(position: Position, move: Move) -> bool:
    """Whether the other cannot win at once after a move."""
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        return outcome.winner is not position.turn.other
    if after.turn is position.turn:
        return True
    return not any(wins_at_once(after, answer) for answer in after.legal_moves())


def taken(position: Position, move: Move) -> int:
    """How many pieces of the other's, or seeds, a move takes."""
    player, after = position.turn, position.play(move)
    before_points, after_points = position.score(), after.score()
    if before_points is not None and after_points is not None:
        return after_points[player - 1] - before_points[player - 1]
    colour = position.colour(player.other)
    counts = [sum(piece.colour == colour for piece in board.pieces().values()) for board in (position, after)]
    return counts[0] - counts[1]


def gains(node: Node) -> dict[Move, int | None]:
    """Ouri: how many seeds more than the other the mover still collects after each move, if both play for seeds until
    none are left to take; None where the tables do not reach."""
    return final_gains(node)


def other_to_move(position: Position) -> Position:
    """The same position with the other to move, as if a player might pass."""
    passed = replace(position, turn=position.turn.other)
    try:
        return type(position).from_str(str(passed), position.options)
    except ValueError as error:
        raise SolveError(
            Text("nesta posição não faz sentido passar", "passing makes no sense in this position")
        ) from error


def winner_of(subject: Subject, positions: int = QUICK) -> Player | Worth | None:
    """Who wins with best play: a player, DRAW, or None where it is not known."""
    score = value(subject, positions)
    if score is None or score.worth is None:
        return None
    turn = (Node(subject) if isinstance(subject, Position) else node_of(subject)).position.turn
    return Worth.DRAW if score.worth is Worth.DRAW else turn if score.worth is Worth.WIN else turn.other
