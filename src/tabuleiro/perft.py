"""Counting the tree of a game to a depth: the classical check that two sets of rules agree."""

from tabuleiro.core import Position


def perft(position: Position, depth: int) -> int:
    """How many different sequences of `depth` moves there are. A finished game has no successors."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_moves())
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves())


def divide(position: Position, depth: int) -> dict[str, int]:
    """The perft below each move, by the move's text."""
    return {position.move_str(move): perft(position.play(move), depth - 1) for move in position.legal_moves()}
