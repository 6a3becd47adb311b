"""Avanço 5x5 against plain exhaustive search with the Python rules."""

import random
from collections.abc import Iterator
from functools import cache

from tabuleiro import _native
from tabuleiro.core import EMPTY, Player
from tabuleiro.games.avanco import Avanco, AvancoOptions
from tabuleiro.search import Limit, Score
from tabuleiro.solve import solver_for
from tabuleiro.solve.search import SearchSolver

BOARD = AvancoOptions(size=5)


@cache
def wins(position: Avanco) -> bool:
    """Whether the player to move wins."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner is position.turn
    return any(not wins(position.play(move)) for move in position.legal_moves())


def late_positions(wanted: int, pieces: int) -> Iterator[Avanco]:
    """Random positions of few pieces, in games that go on."""
    chance = random.Random(pieces)
    while wanted:
        cells = [EMPTY] * 25
        for number in range(pieces):
            cells[chance.randrange(25)] = "wb"[number % 2]
        position = Avanco(chance.choice(list(Player)), BOARD, "".join(cells))
        if position.outcome() is None:
            wanted -= 1
            yield position


def test_late_positions_agree_with_exhaustive_search() -> None:
    for pieces, wanted in ((4, 150), (6, 100), (8, 40)):
        for position in late_positions(wanted, pieces):
            solution = solver_for(position).solve(position)
            assert solution.exact and solution.score == (Score.win() if wins(position) else Score.loss()), position
            for move, score in solution.moves.items():
                assert score == (Score.loss() if wins(position.play(move)) else Score.win()), (position, move)


def test_the_value_alone_is_found_with_a_move_that_keeps_it() -> None:
    for position in late_positions(40, 6):
        solution = solver_for(position).solve(position, every_move=False)
        assert solution.exact and solution.score == (Score.win() if wins(position) else Score.loss())
        assert solution.best is not None and wins(position.play(solution.best)) is not wins(position)


def test_what_is_not_proven_in_time_is_not_said() -> None:
    start = Avanco.start(BOARD)
    solution = solver_for(start).solve(start, Limit(seconds=0.2))
    assert solution.score is None and not solution.exact and set(solution.moves.values()) == {None}


def test_a_solver_can_be_stopped() -> None:
    start, stop = Avanco.start(BOARD), _native.StopFlag()
    stop.set()
    assert solver_for(start).solve(start, stop=stop).score is None


def test_other_boards_are_searched() -> None:
    assert isinstance(solver_for(Avanco.start()), SearchSolver)
