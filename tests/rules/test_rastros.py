"""Rastros: the rules, a sentence each."""

import pytest

from helpers import Solver, after, at, ended, moves, refuses_options, refuses_position, start
from tabuleiro.core import IllegalMoveError, Outcome, Player
from tabuleiro.record import random_game

#: The example of the rule book: what should player 1 do?
EXAMPLE = "7/1##4/##1##2/2##3/3#3/2O#3/3#3 1"


def test_the_marker_begins_on_e5_and_player_one_moves() -> None:
    assert str(start("rastros")) == "7/7/4O2/7/7/7/7 1"


def test_the_goals_are_a1_for_player_one_and_g7_for_player_two() -> None:
    position = start("rastros")
    assert {position.geometry.names[cell]: mark for cell, mark in position.marks().items()} == {"a1": "1", "g7": "2"}


def test_the_marker_goes_one_king_step_and_leaves_a_block() -> None:
    position = start("rastros")
    assert moves(position) == {"d4", "d5", "d6", "e4", "e6", "f4", "f5", "f6"}
    assert str(after(position, "d4")) == "7/7/4#2/3O3/7/7/7 2"


def test_blocked_cells_are_closed_for_ever() -> None:
    position = after(start("rastros"), "d4", "d5", "c6", "d7")
    assert str(position) == "3O3/2#4/3##2/3#3/7/7/7 1"
    assert moves(position) == {"c7", "d6", "e6", "e7"}


@pytest.mark.parametrize(("marker_to", "winner"), [("a1", Player.ONE), ("g7", Player.TWO)])
@pytest.mark.parametrize("mover", [Player.ONE, Player.TWO])
def test_a_goal_wins_for_its_owner_whoever_moved_there(marker_to: str, winner: Player, mover: Player) -> None:
    beside = "7/7/7/7/7/1O5/7" if marker_to == "a1" else "7/5O1/7/7/7/7/7"
    assert ended(after(at("rastros", f"{beside} {mover}"), marker_to)) == Outcome(winner, "goal")


def test_moving_to_the_opponents_goal_is_legal_and_may_be_forced() -> None:
    position = at("rastros", "4#O1/4###/7/7/7/7/7 1")
    assert moves(position) == {"g7"}
    assert ended(after(position, "g7")) == Outcome(Player.TWO, "goal")


def test_the_goal_decides_before_being_blocked() -> None:
    position = after(at("rastros", "7/7/7/7/7/#O5/1#5 2"), "a1")
    assert str(position) == "7/7/7/7/7/##5/O#5 1"
    assert ended(position) == Outcome(Player.ONE, "goal")


def test_whoever_cannot_move_loses() -> None:
    for mover in Player:
        position = after(at("rastros", f"7/7/7/7/2###2/2#1#2/2#O#2 {mover}"), "d2")
        assert str(position) == f"7/7/7/7/2###2/2#O#2/2###2 {mover.other}"
        assert ended(position) == Outcome(mover, "blocked")


def test_by_option_whoever_cannot_move_draws() -> None:
    assert not start("rastros").can_draw
    stuck = at("rastros", "7/7/7/7/2###2/2#O#2/2###2 2", stalemate="draw")
    assert stuck.can_draw
    assert ended(stuck) == Outcome(None, "blocked")


def test_the_marker_may_be_cut_off_from_both_goals() -> None:
    assert moves(at("rastros", "7/7/7/7/###4/O1#4/###4 1")) == {"b2"}


def test_by_option_cutting_the_marker_off_from_both_goals_is_illegal() -> None:
    # g7 is walled off already; any step but a1 leaves b2 blocked behind the marker, and with it the way to a1.
    walled = "7/7/####3/3#3/1#1#3/#O##3/1##4 2"
    free = at("rastros", walled)
    kept = at("rastros", walled, must_keep_goal_reachable=True)
    assert moves(free) == {"a1", "a3", "c3"}
    assert moves(kept) == {"a1"}
    with pytest.raises(IllegalMoveError):
        kept.parse_move("a3")


def test_one_open_goal_is_enough() -> None:
    # a1 is walled in, but the way to g7 is open.
    position = at("rastros", "7/7/7/3O3/7/##5/1#5 1", must_keep_goal_reachable=True)
    assert moves(position) == {"c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"}


def test_a_game_has_at_most_forty_eight_moves_and_no_draw() -> None:
    for seed in range(40):
        game = random_game("rastros", seed)
        assert len(game.moves) <= 48
        assert game.outcome is not None
        assert game.outcome.winner is not None


@pytest.mark.parametrize(
    ("size", "marker", "goal"),
    [(4, "c3", "d4"), (5, "d4", "e5"), (6, "d4", "f6"), (7, "e5", "g7"), (8, "e5", "h8")],
)
def test_on_other_boards_the_marker_begins_up_and_right_of_the_centre(size: int, marker: str, goal: str) -> None:
    position = start("rastros", size=size)
    names = position.geometry.names
    assert [names[cell] for cell in position.pieces()] == [marker]
    assert {names[cell]: mark for cell, mark in position.marks().items()} == {"a1": "1", goal: "2"}


@pytest.mark.parametrize(
    "options",
    [{"size": 3}, {"size": 9}, {"stalemate": "win"}, {"stalemate": None}, {"must_keep_goal_reachable": "true"}],
)
def test_senseless_options_are_refused(options: dict[str, object]) -> None:
    refuses_options("rastros", **options)


# ------------------------------------------------------------------------------------- the example of the rule book


def test_the_example_takes_its_side_to_move_from_the_string_not_from_the_blocks() -> None:
    # Eleven blocks would make it player 2's turn.
    assert at("rastros", EXAMPLE).turn is Player.ONE
    assert moves(at("rastros", EXAMPLE)) == {"b1", "b2", "b3", "c1", "c3"}


def test_in_the_example_c1_wins_at_the_next_turn() -> None:
    position = after(at("rastros", EXAMPLE), "c1")
    assert moves(position) == {"b1", "b2"}
    for answer in ("b1", "b2"):
        assert ended(after(position, answer, "a1")) == Outcome(Player.ONE, "goal")


def test_in_the_example_b1_gives_the_goal_away() -> None:
    position = after(at("rastros", EXAMPLE), "b1", "c1")
    assert moves(position) == {"b2"}
    position = after(position, "b2", "c3")
    assert moves(position) == {"b3", "b4"}
    assert "a4" in moves(after(position, "b3"))


def test_the_example_is_won_by_c1_b3_and_c3_only() -> None:
    solver = Solver()
    position = at("rastros", EXAMPLE)
    assert solver.winning_moves(position) == {"c1", "b3", "c3"}
    # After b1 the only good answers are those of the rule book.
    line = after(position, "b1", "c1", "b2", "c3")
    assert solver.winning_moves(after(line, "b3")) == {"a4"}
    assert solver.winning_moves(after(line, "b4")) == {"c5"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("7/7/4O2/7/7/7/7", "2 parts"),
        ("7/7/4O2/7/7/7/7 1 2", "2 parts"),
        ("7/7/4O2/7/7/7/7 3", "side to move"),
        ("7/7/4O2/7/7/7/7 w", "side to move"),
        ("7/7/7/7/7/7/7 1", "exactly one marker"),
        ("7/7/4OO1/7/7/7/7 1", "exactly one marker"),
        ("7/7/4o2/7/7/7/7 1", "means nothing"),
        ("7/7/4O3/7/7/7/7 1", "8 cells instead of 7"),
        ("7/7/4O2/7/7/7 1", "6 ranks"),
        ("8/8/8/4O3/8/8/8/8 1", "8 ranks"),
    ],
)
def test_what_is_not_a_position_is_refused(text: str, why: str) -> None:
    refuses_position("rastros", text, why)
