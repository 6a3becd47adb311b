"""The solver of Hex: virtual connections, must-play regions and cells that do not matter (native/hex/solver.hpp).

The player who may swap wins whatever the first stone is: if it wins he takes it, and if it does not he plays on.
"""

from functools import cached_property

from tabuleiro import _native
from tabuleiro.core import Move, Options, Player
from tabuleiro.games.hex import MAY_SWAP, Hex
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Score
from tabuleiro.solve.base import Progress, SearchBudget, Solution, Solver

#: The memory of the table in MiB; it is taken as it is needed.
TABLE = 512
#: With no more empty cells than this a position is most often solved at once.
SOON = 30

COLOURS = ("white", "black")


class HexSolver(Solver):
    memory = TABLE << 20

    def __init__(self, options: Options) -> None:
        self._options = options

    @cached_property
    def _made(self) -> _native.HexSolver:
        return _native.HexSolver.make(self._options.encode(), TABLE)

    def within_reach(self, node: Node, seconds: float) -> bool:
        return len(node.position.legal_moves()) <= SOON

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        assert isinstance(node.position, Hex)
        return _Work(self._made, node.position, limit, stop, progress).run(every_move=every_move)


class _Work:
    def __init__(
        self, solver: _native.HexSolver, position: Hex, limit: Limit, stop: _native.StopFlag, progress: Progress
    ) -> None:
        self.solver = solver
        self.position = position
        self.stop = stop
        self.progress = progress
        self.budget = SearchBudget(limit, stop)
        self.moves: dict[Move, Score | None] = dict.fromkeys(position.legal_moves())

    def run(self, *, every_move: bool) -> Solution:
        winner, best = self._winner(self.position)
        score = None if winner is None else Score.win() if winner is self.position.turn else Score.loss()
        if score == Score.loss():
            self.moves = dict.fromkeys(self.moves, score)
        if best is not None:
            self.moves[best] = score
        for done, move in enumerate(self.moves):
            if score is None or (not every_move and score in self.moves.values()):
                break
            if self.moves[move] is None:
                self.progress(done / len(self.moves), self.budget.nodes)
                self.moves[move] = self._value_of(move)
            for twin in self._twins(move):
                self.moves[twin] = self.moves[move]
        exact = score in self.moves.values() and not (every_move and None in self.moves.values())
        return Solution(score, self.moves, self.budget.nodes, self.budget.seconds, exact and score is not None)

    def _twins(self, move: Move) -> list[Move]:
        """The moves that a symmetry of the position makes of a move."""
        position = self.position
        turns = [turn for turn in position.symmetries() if position.transform(turn) == position]
        return [position.transform_move(move, turn) for turn in turns]

    def _value_of(self, move: Move) -> Score | None:
        child = self.position.play(move)
        outcome = child.outcome()
        winner = self._winner(child)[0] if outcome is None else outcome.winner
        return None if winner is None else Score.win() if winner is self.position.turn else Score.loss()

    def _winner(self, position: Hex) -> tuple[Player | None, Move | None]:
        """Who wins a game that goes on, and a move that does it if that is known."""
        if position.options.swap and position == Hex.start(position.options):
            return position.turn.other, None
        may_swap = position.swap == MAY_SWAP
        colour, move = self._ask(position)
        if colour is None:
            return (position.turn if may_swap else None), None
        if may_swap and position.colour(position.turn) != colour:
            return position.turn, len(position.board)
        return next(player for player in Player if position.colour(player) == colour), move

    def _ask(self, position: Hex) -> tuple[str | None, Move | None]:
        """The colour that wins without a swap, and where it does if it is to move and that is known."""
        if self.budget.spent:
            return None, None
        left = self.budget.left()
        winner, move, more = self.solver.solve(position.encode(), left.nodes or 0, left.seconds or 0.0, self.stop)
        self.budget.nodes += more
        return None if winner is None else COLOURS[winner], move
