"""Abalone: the rules, a sentence each."""

from typing import Any

import pytest

from helpers import after, at, ended, moves, placed, played, refuses_options, refuses_position, start
from tabuleiro.core import IllegalMoveError, Outcome, Player, Position

LAYOUTS = {
    "standard": "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb",
    "belgian_daisy": "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww",
    "german_daisy": "5/ww2bb/www1bbb/1ww2bb1/9/1bb2ww1/bbb1www/bb2ww/5",
    "dutch_daisy": "ww1bb/wbwbwb/1ww1bb1/8/9/8/1bb1ww1/bwbwbw/bb1ww",
    "swiss_daisy": "5/ww2bb/wbw1bwb/1ww2bb1/9/1bb2ww1/bwb1wbw/bb2ww/5",
}


def row_e(row: str, fields: str = "b 0-0", **options: Any) -> Position:
    """A position with marbles on the middle row alone."""
    return at("abalone", f"5/6/7/8/{row}/8/7/6/5 {fields}", **options)


def pushed(before: str, move: str, **options: Any) -> tuple[str, str]:
    """The middle row and the marbles lost after a move along it."""
    board, _, lost = str(after(row_e(before, **options), move)).split()
    return board.split("/")[4], lost


def is_legal(position: Position, move: str) -> bool:
    try:
        position.parse_move(move)
    except IllegalMoveError:
        return False
    return True


def test_black_stands_below_white_above_and_black_begins() -> None:
    position = start("abalone")
    assert str(position) == f"{LAYOUTS['standard']} b 0-0"
    assert position.colour(Player.ONE) == "black"
    black, white = (
        " ".join(position.geometry.names[cell] for cell, piece in position.pieces().items() if piece.colour == colour)
        for colour in ("black", "white")
    )
    assert black == "A1 A2 A3 A4 A5 B1 B2 B3 B4 B5 B6 C3 C4 C5"
    assert white == "G5 G6 G7 H4 H5 H6 H7 H8 H9 I5 I6 I7 I8 I9"


def test_the_board_has_sixty_one_cells_with_six_neighbours_inside() -> None:
    geometry = start("abalone").geometry
    assert len(geometry) == 61
    names = {geometry.names[cell] for cell in geometry.neighbours[geometry.index["E5"]]}
    assert names == {"E4", "E6", "D4", "D5", "F5", "F6"}
    assert len(geometry.neighbours[geometry.index["A1"]]) == 3


@pytest.mark.parametrize(("layout", "count"), [("standard", 44), ("belgian_daisy", 52)])
def test_the_layouts_have_known_numbers_of_first_moves(layout: str, count: int) -> None:
    assert len(moves(start("abalone", layout=layout))) == count


@pytest.mark.parametrize("layout", LAYOUTS)
def test_by_option_the_game_begins_with_another_layout(layout: str) -> None:
    position = start("abalone", layout=layout)
    assert str(position) == f"{LAYOUTS[layout]} b 0-0"
    colours = [piece.colour for piece in position.pieces().values()]
    assert colours.count("black") == colours.count("white") == 14


# ----------------------------------------------------------------------------------------------------------- moving


def test_one_marble_goes_to_any_empty_neighbour() -> None:
    assert moves(row_e("4b4")) == {"E5E4", "E5E6", "E5D4", "E5D5", "E5F5", "E5F6"}


def test_own_marbles_never_leave_the_board() -> None:
    assert moves(row_e("b8")) == {"E1E2", "E1D1", "E1F2"}
    assert not is_legal(row_e("bb7"), "E2E1")


def test_two_or_three_marbles_move_along_their_line() -> None:
    assert pushed("2bb5", "E3E4") == ("3bb4", "0-0")
    assert pushed("2bbb4", "E3E4") == ("3bbb3", "0-0")


def test_a_column_of_three_advances_along_its_diagonal() -> None:
    position = after(start("abalone"), "A1B2")
    assert str(position) == "wwwww/wwwwww/2www2/8/9/3b4/2bbb2/bbbbbb/1bbbb w 0-0"


def test_two_or_three_marbles_move_sideways_together() -> None:
    position = start("abalone")
    assert {"C3C5D3", "C3C5D4", "C3C4D3", "C4C5D5"} <= moves(position)
    assert str(after(position, "C3C5D3")).split("/")[5:7] == ["2bbb3", "7"]
    assert str(after(position, "C3C5D4")).split("/")[5:7] == ["3bbb2", "7"]


def test_a_broadside_may_be_written_from_either_end() -> None:
    position = start("abalone")
    assert position.parse_move("C5C3D5") == position.parse_move("C3C5D3")


def test_more_than_three_marbles_never_move_together() -> None:
    position = row_e("2bbbb3")
    assert not is_legal(position, "E3E4")
    assert is_legal(position, "E4E5")
    assert not is_legal(position, "E3E6F3")
    assert is_legal(position, "E3E5F3")


def test_a_broadside_needs_every_cell_empty_and_never_pushes() -> None:
    for stone in "wb":
        position = placed("abalone", {"E3": "b", "E4": "b", "E5": "b", "F5": stone}, "b 0-0")
        assert not is_legal(position, "E3E5F3")
        assert not is_legal(position, "E3E5F4")
        assert is_legal(position, "E3E5D3")


def test_marbles_must_stand_in_one_line_to_move_together() -> None:
    position = placed("abalone", {"E3": "b", "E4": "b", "F5": "b"}, "b 0-0")
    assert not is_legal(position, "E3F5F3")
    assert {text for text in moves(position) if len(text) == 6 and text[:2] == "E3"} == {
        f"E3E4{target}" for target in ("F3", "D2", "D3")
    }


# ---------------------------------------------------------------------------------------------------------- pushing


@pytest.mark.parametrize(
    ("before", "move", "row", "lost"),
    [
        ("3bbw3", "E4E5", "4bbw2", "0-0"),
        ("3bbbw2", "E4E5", "4bbbw1", "0-0"),
        ("3bbbww1", "E4E5", "4bbbww", "0-0"),
        ("4bbbww", "E5E6", "5bbbw", "0-1"),
        ("6bbw", "E7E8", "7bb", "0-1"),
        ("wbb6", "E3E2", "bb7", "0-1"),
    ],
)
def test_more_marbles_push_fewer_and_the_rim_is_a_free_space(before: str, move: str, row: str, lost: str) -> None:
    assert pushed(before, move) == (row, lost)


def test_white_pushes_black_and_the_loss_is_blacks() -> None:
    position = after(row_e("6wwb", "w 0-0"), "E7E8")
    assert str(position) == "5/6/7/8/7ww/8/7/6/5 b 1-0"
    assert position.score() == (0, 1)


@pytest.mark.parametrize(
    ("before", "move"),
    [
        ("3bw4", "E4E5"),
        ("5bbww", "E6E7"),
        ("3bbbwww", "E4E5"),
        ("2bbbbwww", "E3E4"),
        ("2bbbbwww", "E4E5"),
        ("4bbwww", "E5E6"),
    ],
)
def test_equal_forces_block_each_other_and_more_than_three_do_not_count(before: str, move: str) -> None:
    position = row_e(before)
    assert not is_legal(position, move)
    assert position.outcome() is None


def test_of_four_or_more_in_a_line_the_front_three_push() -> None:
    assert pushed("2bbbbw2", "E4E5") == ("2b1bbbw1", "0-0")
    assert pushed("1bbbbww2", "E3E4") == ("1b1bbbww1", "0-0")


def test_across_a_gap_marbles_only_advance() -> None:
    assert pushed("3bb1w2", "E4E5") == ("4bbw2", "0-0")


def test_marbles_with_another_right_behind_them_cannot_be_pushed() -> None:
    assert not is_legal(row_e("3bbbwb1"), "E4E5")
    assert not is_legal(row_e("3bbbwwb"), "E4E5")
    assert is_legal(row_e("3bbbw1b"), "E4E5")


def test_pushes_go_along_every_line() -> None:
    position = placed("abalone", {"C3": "b", "D4": "b", "E5": "w"}, "b 0-0")
    pieces = after(position, "C3D4").pieces()
    names = position.geometry.names
    assert {names[cell]: piece.symbol for cell, piece in pieces.items()} == {"D4": "b", "E5": "b", "F6": "w"}
    edge = placed("abalone", {"G7": "b", "H8": "b", "I9": "w"}, "b 0-0")
    assert str(after(edge, "G7H8")).endswith(" w 0-1")


def test_pushing_is_optional_and_nobody_may_pass() -> None:
    position = row_e("3bbw3")
    assert len(moves(position)) > 1
    assert all(str(position.play(move)).split()[0] != str(position).split()[0] for move in position.legal_moves())


# ------------------------------------------------------------------------------------------------------ how it ends


@pytest.mark.parametrize("ejections", range(1, 7))
def test_the_sixth_ejection_wins_or_by_option_an_earlier_one(ejections: int) -> None:
    position = row_e("4bbbww", f"b 0-{ejections - 1}", ejections=ejections)
    assert ended(after(position, "E5E6")) == Outcome(Player.ONE, "ejections", (ejections, 0))
    if ejections > 1:
        early = row_e("4bbbww", f"b 0-{ejections - 2}", ejections=ejections)
        assert after(early, "E5E6").outcome() is None


def test_white_wins_by_six_ejections_too() -> None:
    position = after(row_e("4wwwbb", "w 5-3"), "E5E6")
    assert ended(position) == Outcome(Player.TWO, "ejections", (3, 6))


def test_a_player_without_a_move_draws() -> None:
    assert start("abalone").can_draw
    # Black's only marble is shut in a corner.
    position = placed("abalone", {"A1": "b", "A2": "w", "B1": "w", "B2": "w"}, "b 0-0")
    assert ended(position) == Outcome(None, "blocked", (0, 0))


BACK_AND_FORTH = ("E3E4", "E7E6", "E4E3", "E6E7")


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    position = row_e("2b3w2")
    assert played(position, *BACK_AND_FORTH, *BACK_AND_FORTH[:-1]).outcome is None
    assert played(position, *BACK_AND_FORTH, *BACK_AND_FORTH).outcome == Outcome(None, "repetition", (0, 0))


def test_by_option_positions_may_repeat_for_ever() -> None:
    assert played(row_e("2b3w2", repetition=None), *BACK_AND_FORTH * 5).outcome is None


def test_by_option_a_limit_of_moves_ends_the_game_for_whoever_ejected_more() -> None:
    for lost, winner in (("0-1", Player.ONE), ("2-1", Player.TWO), ("1-1", None)):
        position = row_e("2b3w2", f"b {lost}", move_limit=3)
        assert played(position, "E3E4", "E7E6").outcome is None
        outcome = played(position, "E3E4", "E7E6", "E4E3").outcome
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (winner, "move_limit")


def test_without_the_option_there_is_no_limit_of_moves() -> None:
    walk = ("E3E4", "E7E8", "E4E3", "E8E9", "E3E2", "E9E8", "E2E1")
    assert played(row_e("2b3w2"), *walk).outcome is None


# ------------------------------------------------------------------------------------------------ options, positions


@pytest.mark.parametrize(
    "options",
    [
        {"layout": "french_daisy"},
        {"layout": None},
        {"repetition": 2},
        {"repetition": 0},
        {"move_limit": 0},
        {"move_limit": 10_001},
        {"ejections": 0},
        {"ejections": 7},
        {"ejections": None},
    ],
)
def test_senseless_options_are_refused(options: dict[str, object]) -> None:
    refuses_options("abalone", **options)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("5/6/7/8/4b4/8/7/6/5 b", "3 parts"),
        ("5/6/7/8/4b4/8/7/6/5 b 0-0 0", "3 parts"),
        ("5/6/7/8/4b4/8/7/6/5 B 0-0", "side to move"),
        ("5/6/7/8/4b4/8/7/6/5 b 0", "marbles lost"),
        ("5/6/7/8/4b4/8/7/6/5 b x-0", "marbles lost"),
        ("5/6/7/8/4b4/8/7/6/5 b 7-0", "lost 6"),
        ("5/6/7/8/4b4/8/7/6/5 b 6-6", "lost 6"),
        ("5/6/7/8/4b4/8/7/6 b 0-0", "8 ranks"),
        ("6/6/7/8/4b4/8/7/6/5 b 0-0", "6 cells instead of 5"),
        ("5/6/7/8/4x4/8/7/6/5 b 0-0", "means nothing"),
        ("bbbbb/bbbbbb/bbbb3/8/9/8/7/6/5 b 0-0", "14 marbles"),
        ("bbbbb/bbbbbb/bb5/8/9/8/7/6/5 b 2-0", "14 marbles"),
    ],
)
def test_what_is_not_a_position_is_refused(text: str, why: str) -> None:
    refuses_position("abalone", text, why)
