"""Semáforo against plain exhaustive search with the Python rules."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from tabuleiro.core import EMPTY, Player
from tabuleiro.games.semaforo import Semaforo, SemaforoOptions
from tabuleiro.search import Score
from tabuleiro.solve import solver_for


@cache
def plies_to_the_end(position: Semaforo) -> int:
    """Odd for a win of the player to move, who hurries; even for a loss, who delays."""
    if position.outcome() is not None:
        return 0
    after = [plies_to_the_end(position.play(move)) for move in position.legal_moves()]
    wins = [plies for plies in after if plies % 2 == 0]
    return 1 + (min(wins) if wins else max(after))


def expected(plies: int) -> Score:
    return Score.win(plies) if plies % 2 else Score.loss(plies)


def check(position: Semaforo) -> None:
    solution = solver_for(position).solve(position)
    assert solution.exact and solution.score == expected(plies_to_the_end(position)), position
    assert solution.moves == {
        move: expected(1 + plies_to_the_end(position.play(move))) for move in position.legal_moves()
    }, position
    assert solution.best is not None and solution.moves[solution.best] == solution.score


def random_positions(options: SemaforoOptions, plies: int, wanted: int) -> Iterator[Semaforo]:
    """Positions of games that go on, after that many moves or more: a cell takes three, to be red."""
    chance = random.Random(plies)
    cells = len(Semaforo.start(options).board)
    while wanted:
        digits = [chance.randrange(4) for _ in range(cells)]
        position = Semaforo(Player.ONE, options, "".join((EMPTY, "G", "Y", "R")[digit] for digit in digits))
        if sum(digits) >= plies and position.outcome() is None:
            wanted -= 1
            yield position


def test_the_second_player_wins_on_3x4_whatever_the_first_move() -> None:
    solution = solver_for(Semaforo.start()).solve(Semaforo.start())
    assert solution.score == Score.loss(26)
    assert len(solution.moves) == 12
    assert all(score is not None and score <= Score.loss(26) for score in solution.moves.values())


def test_the_first_player_wins_on_3x3() -> None:
    start = Semaforo.start(SemaforoOptions(board="3x3"))
    solution = solver_for(start).solve(start)
    assert solution.score == Score.win(17)


@pytest.mark.parametrize("plies", [10, 13])
def test_positions_of_3x3_agree_with_exhaustive_search(plies: int) -> None:
    for position in random_positions(SemaforoOptions(board="3x3"), plies, 150):
        check(position)


@pytest.mark.parametrize("plies", [19, 22])
def test_late_positions_of_3x4_agree_with_exhaustive_search(plies: int) -> None:
    for position in random_positions(SemaforoOptions(), plies, 150):
        check(position)


def test_the_official_figure_is_lost_and_three_moves_last_longest() -> None:
    position = Semaforo.from_str("Y1YR/RRGG/Y1GY 1")
    solution = solver_for(position).solve(position)
    assert solution.score is not None and solution.score < Score.draw()
    longer = {position.move_str(move) for move, score in solution.moves.items() if score != Score.loss(2)}
    assert longer == {"b1", "d1", "d2"}
