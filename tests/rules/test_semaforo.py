"""Semáforo: the rules, a sentence each."""

from itertools import product

import pytest

from helpers import Solver, after, at, ended, moves, placed, refuses_options, refuses_position, start
from tabuleiro.core import IllegalMoveError, Outcome, Player, Position
from tabuleiro.record import random_game

LINES = [
    "a1b1c1",
    "b1c1d1",
    "a2b2c2",
    "b2c2d2",
    "a3b3c3",
    "b3c3d3",
    "a1a2a3",
    "b1b2b3",
    "c1c2c3",
    "d1d2d3",
    "a1b2c3",
    "b1c2d3",
    "c1b2a3",
    "d1c2b3",
]


def lit(light: str, cells: set[str], mover: int = 1) -> Position:
    """The 3x4 board with the same light on some cells."""
    return placed("semaforo", dict.fromkeys(cells, light), str(mover))


def immediate_wins(position: Position) -> set[str]:
    return {text for text in moves(position) if after(position, text).outcome() is not None}


def test_the_board_of_three_rows_and_four_columns_begins_empty() -> None:
    assert str(start("semaforo")) == "4/4/4 1"
    assert moves(start("semaforo")) == {f"{column}{row}" for column in "abcd" for row in (1, 2, 3)}


def test_a_cell_turns_green_then_yellow_then_red_and_red_is_final() -> None:
    position = start("semaforo")
    shown = []
    for _ in range(3):
        position = after(position, "b2")
        shown.append(str(position))
    assert shown == ["4/1G2/4 2", "4/1Y2/4 1", "4/1R2/4 2"]
    assert moves(position) == moves(start("semaforo")) - {"b2"}
    with pytest.raises(IllegalMoveError):
        position.parse_move("b2")


@pytest.mark.parametrize("light", "GYR")
@pytest.mark.parametrize("line", LINES)
def test_each_of_the_fourteen_lines_wins_in_each_colour(line: str, light: str) -> None:
    assert ended(lit(light, {line[:2], line[2:4], line[4:]}, mover=2)) == Outcome(Player.ONE, "line")


@pytest.mark.parametrize("cells", ["a1 b1 d1", "a1 c1 d1", "a1 b2 a3", "d1 c2 d3", "a2 b3 c3", "b1 c2 c3"])
def test_three_that_are_not_neighbours_in_a_line_win_nothing(cells: str) -> None:
    assert lit("G", set(cells.split())).outcome() is None


def test_a_line_of_mixed_colours_wins_nothing() -> None:
    assert at("semaforo", "4/GYG1/4 1").outcome() is None


@pytest.mark.parametrize("mover", [Player.ONE, Player.TWO])
def test_the_line_belongs_to_whoever_completes_it(mover: Player) -> None:
    assert ended(after(at("semaforo", f"4/GG2/4 {mover}"), "c2")) == Outcome(mover, "line")


def test_the_example_has_exactly_three_immediate_wins() -> None:
    # a3 makes a yellow column, d1 a red diagonal, c1 a green diagonal.
    assert immediate_wins(at("semaforo", "GR2/YGR1/Y2Y 1")) == {"a3", "d1", "c1"}


def test_in_the_lost_ending_three_moves_do_not_lose_at_once_but_all_lose() -> None:
    position = at("semaforo", "Y1YR/RRGG/Y1GY 1")
    assert immediate_wins(position) == set()
    assert {text for text in moves(position) if not immediate_wins(after(position, text))} == {"b1", "d1", "d2"}
    assert Solver().winning_moves(position) == set()


def test_on_three_by_three_the_first_player_wins() -> None:
    assert Solver().wins(start("semaforo", board="3x3"))


def test_eight_lights_of_a_colour_are_enough() -> None:
    # So many cells of one colour always hold a line, so none is ever missing.
    cells = [f"{column}{row}" for column in "abcd" for row in (1, 2, 3)]
    most = 0
    for chosen in product((False, True), repeat=12):
        held = {cell for cell, taken in zip(cells, chosen, strict=True) if taken}
        if len(held) > most and lit("R", held).outcome() is None:
            most = len(held)
    assert most == 7


def test_nobody_draws_and_somebody_always_can_move() -> None:
    assert not start("semaforo").can_draw
    # A board without moves is all red, and has lines.
    assert ended(at("semaforo", "RRRR/RRRR/RRRR 1")).winner is Player.TWO
    for seed in range(50):
        outcome = random_game("semaforo", seed).outcome
        assert outcome is not None
        assert outcome.reason == "line"


@pytest.mark.parametrize(
    ("board", "empty", "row_at_the_end", "column"),
    [
        ("3x3", "3/3/3 1", "3/3/GGG 1", "G2/G2/G2 1"),
        ("3x4", "4/4/4 1", "4/4/1GGG 1", "G3/G3/G3 1"),
        ("3x5", "5/5/5 1", "5/5/2GGG 1", "4G/4G/4G 1"),
        ("4x4", "4/4/4/4 1", "4/4/4/1GGG 1", "4/G3/G3/G3 1"),
    ],
)
def test_other_boards_have_rows_and_columns_in_that_order(
    board: str, empty: str, row_at_the_end: str, column: str
) -> None:
    assert str(start("semaforo", board=board)) == empty
    for text in (row_at_the_end, column):
        assert ended(at("semaforo", text, board=board)).reason == "line"


@pytest.mark.parametrize("board", ["4x3", "5x5", "3", "", None, 34])
def test_other_boards_are_refused(board: object) -> None:
    refuses_options("semaforo", board=board)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4/4/4", "2 parts"),
        ("4/4/4 1 2", "2 parts"),
        ("4/4/4 0", "side to move"),
        ("4/4/4 w", "side to move"),
        ("4/4 1", "2 ranks"),
        ("4/4/4/4 1", "4 ranks"),
        ("4/5/4 1", "5 cells instead of 4"),
        ("4/g3/4 1", "means nothing"),
        ("4/B3/4 1", "means nothing"),
    ],
)
def test_what_is_not_a_position_is_refused(text: str, why: str) -> None:
    refuses_position("semaforo", text, why)
