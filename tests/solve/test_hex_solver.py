"""The solver of Hex: openings of small boards and later positions, against searches that know nothing of Hex."""

import random

import pytest

from tabuleiro import _native
from tabuleiro.core import Move, Player
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.search import Limit, ProofEngine, Score
from tabuleiro.search.base import Worth
from tabuleiro.solve import Solution, solver_for


def solved(position: Hex, limit: Limit = Limit(), *, every_move: bool = True) -> Solution:  # noqa: B008
    return solver_for(position).solve(position, limit, every_move=every_move)


def winning(solution: Solution) -> set[Move]:
    return {move for move, score in solution.moves.items() if score == Score.win()}


def bare(size: int, first: str = "white") -> Hex:
    return Hex.start(HexOptions(size=size, swap=False, first=first))


def wins(position: Hex, known: dict[Hex, bool]) -> bool:
    """Whether the player to move wins, by the Python rules and nothing else."""
    if position not in known:
        known[position] = position.outcome() is None and not all(
            wins(position.play(move), known) for move in position.legal_moves()
        )
    return known[position]


def test_all_openings_of_3x3() -> None:
    start, known = bare(3), dict[Hex, bool]()
    assert winning(solved(start)) == {cell for cell in range(9) if not wins(start.play(cell), known)}


@pytest.mark.parametrize("first", ["white", "black"])
def test_all_openings_of_4x4(first: str) -> None:
    start, prover = bare(4, first), ProofEngine()
    solution = solved(start)
    assert solution.exact and solution.score == Score.win()
    for cell in range(8):
        truth = prover.analyse(start.play(cell), Limit()).score
        assert truth.worth is (Worth.LOSS if solution.moves[cell] == Score.win() else Worth.WIN), start.move_str(cell)


def test_openings_of_6x6_are_the_same_after_half_a_turn_and_for_the_other_colour() -> None:
    """None of these boards is solved by the work done for another."""
    size = 6
    cells = [cell for cell in range(size * size) if cell // size < 2]
    white, black = bare(size), bare(size, "black")
    turned = {cell: size * size - 1 - cell for cell in cells}
    exchanged = {cell: cell % size * size + cell // size for cell in cells}
    for cell in cells[-3:]:
        values = {
            solved(position, every_move=False).score
            for position in (white.play(cell), white.play(turned[cell]), black.play(exchanged[cell]))
        }
        assert len(values) == 1, white.move_str(cell)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_every_move_of_positions_on_the_way(size: int) -> None:
    chance, prover = random.Random(size), ProofEngine()
    seen = 0
    while seen < 8:
        position = bare(size)
        for _ in range(chance.randint(size * size - 17, size * size - 10)):
            if position.outcome() is None:
                position = position.play(chance.choice(position.legal_moves()))
        if position.outcome() is not None:
            continue
        seen += 1
        solution = solved(position)
        assert solution.exact and set(solution.moves) == set(position.legal_moves())
        for move, score in solution.moves.items():
            child = position.play(move)
            truth = Worth.LOSS if child.outcome() is not None else prover.analyse(child, Limit()).score.worth
            assert score is not None and truth is not None and score.worth == -truth, f"{position} {move}"


@pytest.mark.parametrize("first", ["white", "black"])
def test_the_swap(first: str) -> None:
    """It is right exactly when the stone wins; the player who may swap wins anyway."""
    start = Hex.start(HexOptions(size=4, first=first))
    good = winning(solved(bare(4, first)))
    assert solved(start).score == Score.loss()
    for cell in start.legal_moves():
        solution = solved(start.play(cell), every_move=False)
        assert solution.exact and solution.score == Score.win()
        assert (solution.best == 16) == (cell in good)
        assert (solved(start.play(cell)).moves[16] == Score.win()) == (cell in good)


def test_perfect_play_wins_every_game() -> None:
    chance = random.Random(1)
    for _ in range(3):
        position = bare(6).play(14)
        while (outcome := position.outcome()) is None:
            if position.turn is Player.TWO:
                position = position.play(chance.choice(position.legal_moves()))
                continue
            best = solved(position, every_move=False).best
            assert best is not None
            position = position.play(best)
        assert outcome.winner is Player.ONE


def test_limits_end_the_work_without_a_guess() -> None:
    start = bare(11)
    for solution in (solved(start, Limit(nodes=20)), solved(start, Limit(seconds=0.05))):
        assert not solution.exact and solution.score is None and solution.best is None
    stop = _native.StopFlag()
    stop.set()
    assert solver_for(start).solve(start, stop=stop).score is None
