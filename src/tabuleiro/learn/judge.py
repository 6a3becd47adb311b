"""Which moves reach a goal, as far as that can be proven: what verifies lessons, and what judges the pupil."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from tabuleiro.core import Move, Position
from tabuleiro.games.abalone import Abalone
from tabuleiro.learn import truth
from tabuleiro.learn.goals import Goal
from tabuleiro.learn.task import DRAW, MOVER, OTHER
from tabuleiro.record import Node
from tabuleiro.search.base import Score, Worth

#: For each legal move, whether it reaches the goal; None where that is not proven.
Right = Mapping[Move, bool | None]


def right_moves(goal: Goal, node: Node, positions: int = truth.QUICK) -> Right:
    """Which moves of the player to move reach a goal that is reached by a move."""
    position = node.position
    match goal.kind:
        case "win" if goal.number is not None:
            return truth.all_that_win_within(node, 2 * goal.number - 1, positions)
        case "win" | "connect" | "refute" | "play":
            return _by_worth(node, lambda worth: worth is Worth.WIN, positions)
        case "save" if goal.number is not None:
            lost = truth.all_that_lose_within(node, 2 * goal.number - 1, positions)
            return {move: None if loses is None else not loses for move, loses in lost.items()}
        case "save":
            return _by_worth(node, lambda worth: worth is not Worth.LOSS, positions)
        case "eject":
            assert goal.number is not None
            return truth.all_that_win_within(Node(next_ejection_wins(position)), 2 * goal.number - 1, positions)
        case "most seeds":
            return _most(truth.gains(node))
        case "capture":
            least = goal.number or 1
            return {move: truth.taken(position, move) >= least for move in position.legal_moves()}
        case "mark":
            return _marked(goal, node, positions)
        case _:
            raise ValueError(f"{goal} is not reached by a move")


def _marked(goal: Goal, node: Node, positions: int) -> Right:
    position = node.position
    legal = position.legal_moves()
    match goal.marked:
        case "winning":
            return _by_worth(node, lambda worth: worth is Worth.WIN, positions)
        case "losing":
            return _by_worth(node, lambda worth: worth is Worth.LOSS, positions)
        case "safe":
            return {move: truth.is_safe(position, move) for move in legal}
        case "immediate":
            return {move: truth.wins_at_once(position, move) for move in legal}
        case "captures":
            return {move: truth.taken(position, move) > 0 for move in legal}
        case _:
            return dict.fromkeys(legal, True)


def _by_worth(node: Node, reaches: Callable[[Worth], bool], positions: int) -> Right:
    def of(score: Score | None) -> bool | None:
        return None if score is None or score.worth is None else reaches(score.worth)

    solution = truth.values(node, positions)
    return {move: of(solution.moves.get(move)) for move in node.position.legal_moves()}


def _most(gains: Mapping[Move, int | None]) -> Right:
    known = [gain for gain in gains.values() if gain is not None]
    if len(known) < len(gains):
        return dict.fromkeys(gains)
    return {move: gain == max(known) for move, gain in gains.items()}


def next_ejection_wins(position: Position) -> Position:
    """Abalone: the same as if whoever ejects the next marble won."""
    assert isinstance(position, Abalone)
    return replace(position, lost=(0, 0), options=replace(position.options, ejections=1))


def who_wins(node: Node, may_pass: bool, positions: int = truth.QUICK) -> str | None:
    """Who wins with best play, as tasks write it; None where that is not proven, or none of the answers fits."""
    turn = node.position.turn
    winner = truth.winner_of(node, positions)
    if not may_pass:
        if winner is None or winner is Worth.DRAW:
            return None if winner is None else DRAW
        return MOVER if winner is turn else OTHER
    other = truth.winner_of(truth.other_to_move(node.position), positions)
    if winner is None or other is None:
        return None
    if winner is other:
        return DRAW if winner is Worth.DRAW else str(int(winner))
    if Worth.DRAW in (winner, other):
        return None
    return MOVER if winner is turn else OTHER
