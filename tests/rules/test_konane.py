"""Konane: the rules, a sentence each."""

import itertools

import pytest

from helpers import after, at, ended, moves, refuses_options, refuses_position, start
from tabuleiro.core import IllegalMoveError, Outcome, Player
from tabuleiro.record import random_game

FULL = "bwbwbwbw/wbwbwbwb/bwbwbwbw/wbwbwbwb/bwbwbwbw/wbwbwbwb/bwbwbwbw/wbwbwbwb"
RIM = {f"{column}{row}" for column in "abcdefgh" for row in range(1, 9) if column in "ah" or row in (1, 8)}


def is_white(cell: str) -> bool:
    return ("abcdefgh".index(cell[0]) + int(cell[1])) % 2 == 1


def test_a1_is_white_d4_and_e4_are_empty_and_white_begins() -> None:
    assert str(start("konane")) == ("bwbwbwbw/wbwbwbwb/bwbwbwbw/wbwbwbwb/bwb2wbw/wbwbwbwb/bwbwbwbw/wbwbwbwb w")
    assert start("konane").colour(Player.ONE) == "white"


def test_white_has_three_first_moves() -> None:
    assert moves(start("konane")) == {"b4-d4", "d2-d4", "d6-d4"}


def test_a_stone_jumps_over_an_enemy_to_the_empty_cell_beyond_and_takes_it() -> None:
    assert str(after(at("konane", "8/8/8/8/8/2wb4/8/8 w"), "c3-e3")) == "8/8/8/8/8/4w3/8/8 b"
    assert moves(at("konane", "8/8/8/8/8/2wb4/8/8 b")) == {"d3-b3"}


@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/8/8/2ww4/8/7b w",  # an own stone
        "8/8/8/8/8/2wbb3/8/8 w",  # no room beyond
        "8/8/8/8/8/2w1b3/8/8 w",  # not beside
        "8/8/8/8/3b4/2w5/8/8 w",  # diagonal
        "8/8/8/8/8/6wb/8/8 w",  # beyond the rim
        "8/8/8/8/8/8/8/w7 w",  # nobody to take
    ],
)
def test_without_a_jump_there_is_no_move_and_that_loses(text: str) -> None:
    assert ended(at("konane", text)) == Outcome(Player.TWO, "blocked")


def test_black_without_a_jump_loses_too() -> None:
    assert ended(at("konane", "8/8/8/8/2b1b3/6w1/8/8 b")) == Outcome(Player.ONE, "blocked")


def test_a_stone_may_go_on_jumping_the_same_way_and_may_stop_at_any_landing() -> None:
    position = at("konane", "8/8/8/8/2b1b3/2wb1b2/8/8 w")
    assert moves(position) == {"c3-c5", "c3-e3", "c3-g3"}
    assert str(after(position, "c3-e3")) == "8/8/8/8/2b1b3/4wb2/8/8 b"
    assert str(after(position, "c3-g3")) == "8/8/8/8/2b1b3/6w1/8/8 b"


def test_a_stone_never_turns_while_jumping() -> None:
    position = at("konane", "8/8/8/8/2b1b3/2wb1b2/8/8 w")
    for text in ("c3-e5", "c3-e3-e5"):
        with pytest.raises(IllegalMoveError):
            position.parse_move(text)


def test_a_jump_may_be_written_with_its_landings() -> None:
    position = at("konane", "8/8/8/8/2b1b3/2wb1b2/8/8 w")
    assert position.parse_move("c3-e3-g3") == position.parse_move("c3-g3")


def test_after_the_double_jump_of_the_example_black_has_lost() -> None:
    position = after(at("konane", "8/8/8/8/2b1b3/2wb1b2/8/8 w"), "c3-g3")
    assert ended(position) == Outcome(Player.ONE, "blocked")


def test_the_second_example_has_three_moves_and_ends_after_the_longest() -> None:
    position = at("konane", "8/8/8/1b1b4/1wb1b3/1b6/1w6/1b6 w")
    assert moves(position) == {"b4-b6", "b4-d4", "b4-f4"}
    assert ended(after(position, "b4-f4")) == Outcome(Player.ONE, "blocked")


def test_every_move_captures_so_every_game_ends_with_a_winner() -> None:
    assert not start("konane").can_draw
    for seed in range(20):
        game = random_game("konane", seed)
        counts = [len(position.pieces()) for position in game.positions()]
        assert all(later < earlier for earlier, later in itertools.pairwise(counts))
        assert game.outcome is not None
        assert game.outcome.winner is not None


# -------------------------------------------------------------------------------------------------------- openings


def test_by_option_white_first_removes_a_stone_of_the_centre_or_of_the_rim() -> None:
    position = start("konane", opening="removal")
    assert str(position) == f"{FULL} w"
    assert moves(position) == {"d4", "e5"} | {cell for cell in RIM if is_white(cell)}


def test_then_black_removes_a_stone_beside_the_gap_and_white_moves() -> None:
    position = after(start("konane", opening="removal"), "d4")
    assert moves(position) == {"c4", "e4", "d3", "d5"}
    position = after(position, "e4")
    assert str(position) == f"{start('konane')}"
    assert moves(position) == {"b4-d4", "d2-d4", "d6-d4"}


def test_beside_a_gap_in_the_corner_stand_two_stones() -> None:
    assert moves(after(start("konane", opening="removal"), "a1")) == {"a2", "b1"}


def test_by_option_black_begins_as_tradition_has_it() -> None:
    position = start("konane", opening="traditional")
    assert str(position) == f"{FULL} b"
    assert position.colour(Player.ONE) == "black"
    assert moves(position) == {"d5", "e4"} | {cell for cell in RIM if not is_white(cell)}
    position = after(position, "e4")
    assert moves(position) == {"d4", "f4", "e3", "e5"}
    position = after(position, "d4")
    assert str(position).endswith(" b")
    assert moves(position) == {"g4-e4", "e2-e4", "e6-e4"}


def test_on_a_fixed_opening_nothing_is_ever_removed() -> None:
    assert ended(at("konane", f"{FULL} w")) == Outcome(Player.TWO, "blocked")


@pytest.mark.parametrize(("size", "gaps"), [(4, "b2 c2"), (5, "b2 c2"), (6, "c3 d3"), (7, "c3 d3"), (8, "d4 e4")])
def test_on_every_size_the_gaps_are_in_the_row_just_below_the_middle(size: int, gaps: str) -> None:
    position = start("konane", size=size)
    names = position.geometry.names
    assert {name for cell, name in enumerate(names) if cell not in position.pieces()} == set(gaps.split())
    assert position.pieces()[0].colour == "white"


def test_on_an_odd_board_the_centre_is_one_cell() -> None:
    names = {
        name for name in moves(start("konane", size=5, opening="removal")) if name[0] in "bcd" and name[1] in "234"
    }
    assert names == {"c3"}


@pytest.mark.parametrize("options", [{"size": 3}, {"size": 9}, {"opening": "free"}, {"opening": None}])
def test_senseless_options_are_refused(options: dict[str, object]) -> None:
    refuses_options("konane", **options)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FULL, "2 parts"),
        (f"{FULL} w -", "2 parts"),
        (f"{FULL} 1", "side to move"),
        ("8/8/8/8/8/8/8 w", "7 ranks"),
        ("8/8/8/8/8/8/8/9 w", "9 cells instead of 8"),
        ("8/8/8/8/8/8/8/w6 w", "7 cells instead of 8"),
        ("8/8/8/8/8/8/8/x7 w", "means nothing"),
    ],
)
def test_what_is_not_a_position_is_refused(text: str, why: str) -> None:
    refuses_position("konane", text, why)
