"""Which puzzles are the same, or nearly: seen through a symmetry, or with a cell or two that differ."""

from collections import defaultdict

from tabuleiro.core import Move, Piece, Position
from tabuleiro.geometry import Cell

#: In so many cells two puzzles of the same solution may differ and still be nearly the same; on few cells fewer.
NEAR, NEAR_ON_FEW, FEW = 2, 1, 16

Board = dict[Cell, Piece]


class Seen:
    """The puzzles so far. A new one that is like one of them is refused."""

    def __init__(self) -> None:
        self._boards: dict[tuple[str, ...], list[Board]] = defaultdict(list)
        self._exact: set[str] = set()

    def position(self, position: Position) -> bool:
        """Whether a position is new; from now on it is not."""
        new = not self.has(position)
        self._exact.add(_name(position))
        return new

    def has(self, position: Position) -> bool:
        return _name(position) in self._exact

    def puzzle(self, position: Position, goal: str, answer: frozenset[Move]) -> bool:
        """Whether a puzzle is unlike all others; from now on it is one of them."""
        seen, moves = upright(position, answer)
        group = self._boards[(str(position.options), goal, *moves)]
        board = seen.pieces()
        near = NEAR_ON_FEW if len(position.geometry) <= FEW else NEAR
        if any(_differ(board, other) <= near for other in group):
            return False
        group.append(board)
        return True


def _name(position: Position) -> str:
    return f"{position.options} {upright(position, ())[0]}"


def upright(position: Position, answer: frozenset[Move] | tuple[Move, ...]) -> tuple[Position, tuple[str, ...]]:
    """A position and moves of it, seen through the symmetry that makes the least of its text."""
    best, moves = position, tuple(sorted(position.move_str(move) for move in answer))
    for symmetry in position.symmetries():
        turned = position.transform(symmetry)
        if str(turned) < str(best):
            best = turned
            moves = tuple(sorted(turned.move_str(position.transform_move(move, symmetry)) for move in answer))
    return best, moves


def _differ(one: Board, two: Board) -> int:
    return sum(one.get(cell) != two.get(cell) for cell in one.keys() | two.keys())
