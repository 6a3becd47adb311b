"""Guerreiros: the rules, a sentence each."""

from typing import Any

import pytest

from helpers import after, at, ended, moves, placed, played, refuses_options, refuses_position, start
from tabuleiro import games
from tabuleiro.core import IllegalMoveError, InvalidPositionError, Outcome, Player, Position
from tabuleiro.record import random_game

#: Both kings on e.
BEGUN = "w'w'w'w'k'w'w'w'w'/9/9/9/9/9/9/9/9/W'W'W'W'K'W'W'W'W' S - -"


def board(south: str, north: str, fields: str = "S - -", **options: Any) -> Position:
    """A position with pieces written as `Ke1 Wd4`; those with `'` have not moved yet."""
    pieces = {}
    for text, lower in ((south, False), (north, True)):
        for piece in text.split():
            symbol = piece[0].lower() if lower else piece[0]
            pieces[piece[1:].rstrip("'")] = symbol + ("'" if piece.endswith("'") else "")
    return placed("guerreiros", pieces, fields, **options)


def line_captures(position: Position) -> set[str]:
    return {text for text in moves(position) if "-" in text and "x" in text}


def moves_from(position: Position, cell: str) -> set[str]:
    return {text for text in moves(position) if text.startswith((f"{cell}-", f"{cell}x"))}


def targets(position: Position, cell: str) -> set[str]:
    return {text[len(cell) + 1 :] for text in moves_from(position, cell)}


def teleports(position: Position) -> set[str]:
    return {text for text in moves(position) if "@" in text}


def rights(position: Position) -> str:
    """The kings' rights to teleport, South's and North's."""
    return " ".join(str(position).split()[2:4])


ROW_SIX = {f"K@{column}6" for column in "abcdefghi"}
ROW_FIVE = {f"K@{column}5" for column in "abcdefghi"}


# --------------------------------------------------------------------------------------------------- placing kings


def test_south_places_the_king_on_any_column_then_north_then_south_moves() -> None:
    columns = {f"K={column}" for column in "abcdefghi"}
    position = start("guerreiros")
    assert str(position) == "9/9/9/9/9/9/9/9/9/9 S setup"
    assert moves(position) == columns
    position = after(position, "K=e")
    assert str(position) == "9/9/9/9/9/9/9/9/9/W'W'W'W'K'W'W'W'W' N setup"
    assert moves(position) == columns
    assert str(after(position, "K=e")) == BEGUN


@pytest.mark.parametrize(("south", "north"), [("a", "i"), ("e", "e"), ("h", "b")])
def test_from_any_columns_there_are_forty_eight_first_moves(south: str, north: str) -> None:
    position = after(start("guerreiros"), f"K={south}", f"K={north}")
    steps = {text for text in moves(position) if text[3:].startswith(text[0])}
    assert len(moves(position)) == 48
    assert len(steps) == 18


def test_by_option_north_places_and_moves_first() -> None:
    position = start("guerreiros", first="north")
    assert str(position).endswith(" N setup")
    assert position.colour(Player.ONE) == "north"
    position = after(position, "K=a", "K=b")
    assert str(position).endswith("/W'K'W'W'W'W'W'W'W' N - -")


def test_by_option_the_columns_of_the_kings_are_fixed() -> None:
    assert str(start("guerreiros", south_king="e", north_king="e")) == BEGUN
    one_fixed = start("guerreiros", south_king="c")
    assert str(one_fixed) == "9/9/9/9/9/9/9/9/9/W'W'K'W'W'W'W'W'W' N setup"
    assert str(after(one_fixed, "K=a")).endswith(" S - -")
    assert str(start("guerreiros", north_king="c")) == "w'w'k'w'w'w'w'w'w'/9/9/9/9/9/9/9/9/9 S setup"


def test_by_option_a_king_is_not_seen_before_both_are_placed() -> None:
    assert after(start("guerreiros"), "K=e").pieces() != {}
    hidden = after(start("guerreiros", hidden_kings=True), "K=e")
    assert len(hidden.seen_by(Player.ONE).pieces()) == 9
    assert hidden.seen_by(Player.TWO).pieces() == hidden.seen_by(None).pieces() == {}
    both = after(hidden, "K=a")
    assert both.seen_by(None) is both
    assert len(both.pieces()) == 18


def test_who_cannot_see_that_the_other_has_placed_may_place() -> None:
    unseen = "9/9/9/9/9/9/9/9/9/9 N setup"
    game = games.get("guerreiros")
    position = game.from_str(unseen, game.options_type.parse({"hidden_kings": "true"}))
    assert len(position.legal_moves()) == 9
    assert str(after(position, "K=a")) == "k'w'w'w'w'w'w'w'w'/9/9/9/9/9/9/9/9/9 S setup"
    with pytest.raises(InvalidPositionError):
        game.from_str(unseen)  # where kings are seen, South places first


# ------------------------------------------------------------------------------------------------- moving and taking


def test_any_piece_steps_one_cell_in_eight_directions() -> None:
    around = {"c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"}
    assert targets(board("Ka1 Wd4", "Ki10"), "d4") == around
    assert targets(board("Kd4", "Ki10"), "d4") == around


def test_an_own_piece_blocks_and_an_enemy_is_taken_by_displacement() -> None:
    position = board("Ka1 Wd4 Wd5", "Ki10 Wd3")
    assert "d4-d5" not in moves(position)
    assert "d4xd3" in moves(position)
    taken = after(position, "d4xd3")
    assert len(taken.pieces()) == len(position.pieces()) - 1
    assert str(taken).split()[1] == "N"


def test_capturing_is_optional_and_gives_no_second_move() -> None:
    position = board("Ka1 Wd4", "Ki10 Wd5")
    assert {"d4xd5", "d4-d3"} <= moves(position)
    assert after(position, "d4xd5").turn is Player.TWO


def test_the_king_takes_beside_him() -> None:
    assert "d4xe5" in moves(board("Kd4", "Ki10 We5"))


def test_the_first_move_of_each_piece_may_be_two_cells_forward_or_diagonally() -> None:
    position = at("guerreiros", BEGUN)
    assert targets(position, "d1") == {"c2", "d2", "e2", "b3", "d3", "f3"}
    assert targets(position, "e1") == {"d2", "e2", "f2", "c3", "e3", "g3"}
    # It is each piece's first move that counts, not the game's.
    later = after(position, "d1-d3", "a10-a8")
    assert targets(later, "f1") == {"e2", "f2", "g2", "f3", "h3"}
    assert "d3-d5" not in moves(later)


def test_north_goes_two_cells_down() -> None:
    assert targets(after(at("guerreiros", BEGUN), "a1-a2"), "d10") == {"c9", "d9", "e9", "b8", "d8", "f8"}


def test_a_step_of_one_uses_up_the_right_to_two() -> None:
    position = after(at("guerreiros", BEGUN), "d1-d2", "a10-a9")
    assert "d2-d4" not in moves(position)
    assert "d2-d3" in moves(position)


def test_the_two_cells_lie_in_one_direction() -> None:
    position = at("guerreiros", BEGUN)
    for text in ("d1-c3", "d1-e3"):
        with pytest.raises(IllegalMoveError):
            position.parse_move(text)


def test_a_first_move_may_be_a_single_step_sideways_and_never_two() -> None:
    position = board("Ka1' Wd1'", "Ki10")
    assert targets(position, "d1") == {"c1", "e1", "c2", "d2", "e2", "b3", "d3", "f3"}


def test_by_option_the_first_step_of_a_piece_must_go_forward() -> None:
    position = board("Ka1' Wd1'", "Ki10 We1", strict_first_move=True)
    assert targets(position, "d1") == {"c2", "d2", "e2", "b3", "d3", "f3"}
    moved = board("Ka1' Wd1", "Ki10 We1", strict_first_move=True)
    assert targets(moved, "d1") == {"c1", "e1", "c2", "d2", "e2"}


def test_the_cell_between_must_be_empty() -> None:
    assert "d3" not in targets(board("Ka1 Wd1' Wd2", "Ki10"), "d1")
    assert "b3" not in targets(board("Ka1 Wd1' Wc2", "Ki10"), "d1")
    assert "d3" not in targets(board("Ka1 Wd1'", "Ki10 Wd2"), "d1")


def test_by_option_the_double_step_leaps() -> None:
    assert "d3" in targets(board("Ka1 Wd1' Wd2", "Ki10", first_move_leap=True), "d1")
    leapt = after(board("Ka1 Wd1'", "Ki10 Wd2", first_move_leap=True), "d1-d3")
    assert len(leapt.pieces()) == 4


def test_the_double_step_never_captures() -> None:
    for leap in (False, True):
        position = board("Kh7 Wd1'", "Ki10 Wd3", first_move_leap=leap)
        assert "d3" not in {text[-2:] for text in moves_from(position, "d1")}


def test_a_king_may_be_left_to_be_taken() -> None:
    position = board("Ke4 Wa1", "Ki10 We5")
    assert "a1-a2" in moves(position)
    assert ended(after(position, "a1-a2", "e5xe4")) == Outcome(Player.TWO, "king_captured")


# --------------------------------------------------------------------------------------------------- line captures


@pytest.mark.parametrize(
    ("south", "north", "expected"),
    [
        ("Ke1 Wd4", "Ke10 Wh5", {"d4-d5xh5"}),  # forward to row 4, then 4 cells
        ("Ke1 Wc3", "Ke10 Wg4 Wa4", {"c3-d4xa4", "c3-d4xg4"}),  # to row 3, then 3 cells
        ("Kh1 Wd1", "Ke10 Wf2 Wb2", {"d1-c2xb2", "d1-e2xf2"}),  # to row 1, then 1 cell
        ("Ke6 Wd7", "Ke10 Wg8", {"d7-e8xg8"}),  # to row 2 of the enemy's field, then 2 cells
    ],
)
def test_a_warrior_steps_and_then_runs_as_many_cells_as_the_row_says(
    south: str, north: str, expected: set[str]
) -> None:
    assert line_captures(board(south, north)) == expected


def test_the_captured_piece_goes_and_the_warrior_stands_there() -> None:
    position = after(board("Ke1 Wd4", "Ke10 Wh5"), "d4-d5xh5")
    assert str(position) == "4k4/9/9/9/9/7W1/9/9/9/4K4 N - -"


def test_the_run_passes_over_pieces_of_both_sides() -> None:
    position = board("Ke1 Wd4 We5 Wf5", "Ke10 Wg5 Wh5")
    assert line_captures(position) == {"d4-c5xg5", "d4-d5xh5", "e5-d5xh5"}
    assert "f5xg5" in moves(position)


def test_the_step_may_go_sideways_on_the_same_row_and_the_run_back_over_the_origin() -> None:
    assert line_captures(board("Ke1 Wd4", "Ke10 Wh4 Wf4")) == {"d4-e4xh4", "d4-c4xf4"}


def test_the_step_is_obligatory_and_the_run_has_exactly_the_length_of_its_row() -> None:
    # Three cells along row 3, without a step, would take g4.
    assert line_captures(board("Ke1 Wd4", "Ke10 Wg4")) == set()


def test_by_option_the_run_may_be_shorter() -> None:
    assert line_captures(board("Ke1 Wd4", "Ke10 Wg4", line_distance="up_to")) != set()
    # Several steps lead to h5, but from where to where is one move.
    position = board("Ke1 Wd4", "Ke10 Wh5", line_distance="up_to")
    assert len(line_captures(position)) == 1
    assert position.parse_move("d4-d5xh5") == position.parse_move("d4-e5xh5")
    assert line_captures(board("Ke1 Wd4", "Ke10 Wi4", line_distance="up_to")) == set()


def test_the_step_needs_an_empty_cell() -> None:
    for pieces in (("Ke1 Wd4 Wd5", "Ke10 Wh5"), ("Ke1 Wd4", "Ke10 Wh5 Wd5")):
        assert "d4-d5xh5" not in moves(board(*pieces))


def test_by_option_the_step_passes_over_an_occupied_cell_without_taking() -> None:
    for pieces in (("Ke1 Wd4 Wd5", "Ke10 Wh5"), ("Ke1 Wd4", "Ke10 Wh5 Wd5")):
        position = board(*pieces, line_step_over_occupied=True)
        assert "d4-d5xh5" in moves(position)
        assert len(after(position, "d4-d5xh5").pieces()) == len(position.pieces()) - 1


def test_without_a_capture_there_is_no_run() -> None:
    assert targets(board("Ke1 Wd4", "Ke10"), "d4") == {"c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"}
    assert "d4-d5xh5" not in moves(board("Ke1 Wd4 Wh5", "Ke10"))


def test_row_zero_gives_no_line_capture() -> None:
    assert line_captures(board("Ke2 Wc1", "Kg10 We1 Wa1")) == set()


def test_a_line_capture_that_a_step_makes_too_is_listed_once_as_the_step() -> None:
    position = board("Ke1 Wc1", "Ke10 Wc2")
    assert moves_from(position, "c1") & {"c1xc2", "c1-b2xc2", "c1-d2xc2"} == {"c1xc2"}


def test_without_the_king_in_the_field_there_is_no_line_capture() -> None:
    assert line_captures(board("Ke7 Wd4", "Ke10 Wh5")) == set()


def test_the_invading_king_takes_the_right_from_the_king_at_home() -> None:
    pieces = ("Ke1 Wd4 Wb5", "Ka3 Wh5 Wf4")
    assert line_captures(board(*pieces, "S - -")) == set()
    assert line_captures(board(*pieces, "N - -")) == {"h5-g4xd4", "f4-f5xb5", "f4-g4xd4"}


def test_kings_in_each_others_fields_both_have_the_right_there() -> None:
    pieces = ("Ke6 Wd7 Wg3", "Ke5 Wg8 Wd4")
    assert line_captures(board(*pieces, "S - -")) == {"d7-e8xg8"}
    assert line_captures(board(*pieces, "N - -")) == {"d4-e3xg3"}


def test_a_field_without_kings_has_only_captures_beside() -> None:
    position = board("Ke1 Wd7", "Kc2 Wg8 We8")
    assert line_captures(position) == set()
    assert "d7xe8" in moves(position)


def test_a_line_capture_never_crosses_the_middle_line() -> None:
    assert line_captures(board("Ke8 Wd5", "Ke10 Wh6")) == set()
    assert line_captures(board("Ke1 Wd5", "Ke10 Wh6")) == set()


def test_by_option_only_the_captured_piece_must_be_in_the_kings_field() -> None:
    assert line_captures(board("Ke8 Wd5", "Ke10 Wh6", line_field="capture_only")) == {"d5-d6xh6"}
    assert line_captures(board("Ke1 Wd5", "Ke10 Wh6", line_field="capture_only")) == set()


def test_the_king_never_captures_in_line_but_may_be_captured_so() -> None:
    assert line_captures(board("Kd4", "Ke10 Wh5")) == set()
    position = board("Ke6 Wd7", "Kg8")
    assert line_captures(position) == {"d7-e8xg8"}
    assert ended(after(position, "d7-e8xg8")) == Outcome(Player.ONE, "king_captured")


# --------------------------------------------------------------------------------------- arriving, teleporting, ends


def test_a_warrior_that_arrives_moves_no_more_but_blocks_its_cell() -> None:
    position = board("Ke1 Wd10 Wd9", "Ka10")
    assert moves_from(position, "d10") == set()
    assert "d9-d10" not in moves(position)


def test_a_warrior_that_arrived_can_be_taken_from_beside() -> None:
    position = board("Ke1 Wd10", "Kc9", "N - -")
    assert "c9xd10" in moves(position)


def test_by_option_a_warrior_that_arrived_is_safe() -> None:
    assert "c9xd10" not in moves(board("Ke1 Wd10", "Kc9", "N - -", frozen_immune=True))
    assert "c9xd8" in moves(board("Ke1 Wd8", "Kc9", "N - -", frozen_immune=True))


def test_a_warrior_on_its_own_row_zero_moves() -> None:
    assert moves_from(board("Ke1 Wd1", "Ka10"), "d1") != set()


ARRIVAL = ("Ke1 Wd9 Wa2", "Ka10 Wh5")


def test_an_arrival_lets_the_king_go_to_any_cell_of_row_four_at_the_next_turn() -> None:
    position = after(board(*ARRIVAL), "d9-d10")
    assert rights(position) == "! -"
    assert position.turn is Player.TWO
    assert teleports(position) == set()
    position = after(position, "a10-a9")
    assert teleports(position) == ROW_SIX
    gone = after(position, "K@g6")
    assert rights(gone) == "u -"
    assert str(gone).split("/")[4] == "6K2"


def test_norths_king_goes_to_rank_five() -> None:
    position = after(board("Ki1 Wh6", "Ka10 Wd2", "N - -"), "d2-d1", "h6-h7")
    assert teleports(position) == ROW_FIVE


def test_the_right_is_lost_by_playing_something_else() -> None:
    position = after(board(*ARRIVAL), "d9-d10", "a10-a9", "a2-a3")
    assert rights(position) == "- -"
    assert teleports(after(position, "a9-a10")) == set()


def test_a_right_given_up_comes_back_with_another_arrival() -> None:
    position = after(board("Ke1 Wd9 Wg9", "Ka10 Wh5"), "d9-d10", "a10-a9", "e1-e2", "a9-a10", "g9-g10")
    assert rights(position) == "! -"


def test_an_arrival_instead_of_the_teleport_gives_the_right_again() -> None:
    position = after(board("Ke1 Wd9 Wg9", "Ka10 Wh5"), "d9-d10", "a10-a9", "g9-g10")
    assert rights(position) == "! -"


def test_after_a_teleport_no_arrival_gives_a_new_right() -> None:
    position = board("Ke6 Wd10 Wg9", "Ka10 Wh5", "S u -")
    assert rights(after(position, "g9-g10")) == "u -"


def test_by_option_every_arrival_gives_a_new_right() -> None:
    position = board("Ke6 Wd10 Wg9", "Ka10 Wh5", "S u -", teleport_each_arrival=True)
    arrived = after(position, "g9-g10")
    assert rights(arrived) == "! -"
    assert teleports(after(arrived, "a10-a9")) == ROW_SIX - {"K@e6"}


def test_the_king_goes_to_empty_cells_only() -> None:
    assert teleports(board("Ke1 Wd10 Wa6", "Ka9 Wh6", "S ! -")) == ROW_SIX - {"K@a6", "K@h6"}


def test_the_right_stays_if_the_warrior_that_earned_it_is_taken() -> None:
    position = after(board("Ke1 Wd9", "Kc9 Wh5"), "d9-d10", "c9xd10")
    assert rights(position) == "! -"
    assert teleports(position) == ROW_SIX


def test_a_teleport_is_the_kings_first_move() -> None:
    position = after(board("Ke1' Wd10", "Ka9", "S ! -"), "K@e6", "a9-a8")
    assert targets(position, "e6") == {"d5", "d6", "d7", "e5", "e7", "f5", "f6", "f7"}


def test_by_option_the_king_teleports_at_once_or_declines() -> None:
    position = after(board(*ARRIVAL, teleport="immediate"), "d9-d10")
    assert position.turn is Player.ONE
    assert moves(position) == ROW_SIX | {"pass"}
    gone, declined = after(position, "K@e6"), after(position, "pass")
    assert position.parse_move("passa") == position.parse_move("pass")
    assert (gone.turn, rights(gone)) == (Player.TWO, "u -")
    assert (declined.turn, rights(declined)) == (Player.TWO, "- -")


def test_by_option_the_right_is_kept_until_used() -> None:
    position = after(board(*ARRIVAL, teleport="persistent"), "d9-d10", "a10-a9", "a2-a3", "a9-a10")
    assert rights(position) == "! -"
    assert teleports(position) == ROW_SIX
    assert rights(after(position, "K@a6")) == "u -"


def test_taking_the_king_wins() -> None:
    assert ended(after(board("Ka1 Wd4", "Kd5 Wi9"), "d4xd5")) == Outcome(Player.ONE, "king_captured")


def test_a_king_on_the_enemys_row_zero_wins() -> None:
    assert ended(after(board("Ke9", "Ka9"), "e9-e10")) == Outcome(Player.ONE, "king_arrived")
    assert ended(after(board("Ke9", "Ka2", "N - -"), "a2-b1")) == Outcome(Player.TWO, "king_arrived")


def test_three_warriors_standing_on_the_enemys_row_zero_win() -> None:
    position = board("Ke1 Wa10 Wc10 Wg9", "Ki9")
    assert position.outcome() is None
    assert ended(after(position, "g9-g10")) == Outcome(Player.ONE, "three_warriors")


def test_warriors_taken_after_arriving_do_not_count() -> None:
    position = after(board("Ke1 Wa10 Wc10 Wg9", "Kb9", "N - -"), "b9xc10", "g9-g10")
    assert position.outcome() is None


def test_by_option_every_arrival_counts_even_of_warriors_taken_since() -> None:
    position = board("Ke1 Wa10 Wc10 Wg9", "Kb9", "N - - 2-0", cumulative_arrivals=True)
    position = after(position, "b9xc10", "g9-g10")
    assert ended(position) == Outcome(Player.ONE, "three_warriors")
    assert str(position).split()[4] == "3-0"


def test_whoever_is_to_move_always_can() -> None:
    for seed in range(10):
        for position in random_game("guerreiros", seed, max_plies=150).positions():
            outcome = position.outcome()
            assert outcome is None or outcome.reason in ("king_captured", "king_arrived", "three_warriors")


KINGS_DANCE = ("e1-e2", "e10-e9", "e2-e1", "e9-e10")


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    position = board("Ke1", "Ke10")
    assert position.can_draw
    assert played(position, *KINGS_DANCE, *KINGS_DANCE[:-1]).outcome is None
    assert played(position, *KINGS_DANCE * 2).outcome == Outcome(None, "repetition")


def test_a_piece_that_had_not_moved_makes_another_position() -> None:
    position = board("Ke1'", "Ke10'")
    assert played(position, *KINGS_DANCE * 2).outcome is None
    assert played(position, *KINGS_DANCE * 2, *KINGS_DANCE[:2]).outcome == Outcome(None, "repetition")


def test_by_option_positions_may_repeat_for_ever() -> None:
    assert played(board("Ke1", "Ke10", repetition=None), *KINGS_DANCE * 5).outcome is None


def test_by_option_too_many_moves_without_capture_or_arrival_are_a_draw() -> None:
    position = board("Ke1 Wd9 Wa4", "Kh10 Wb5", no_progress_limit=2)
    assert played(position, "e1-e2").outcome is None
    assert played(position, "e1-e2", "h10-h9").outcome == Outcome(None, "no_progress")
    # An arrival or a capture begins the count again.
    for progress in ("d9-d10", "a4xb5"):
        assert played(position, progress, "h10-h9").outcome is None


# ------------------------------------------------------------------------------------------------ options, positions


@pytest.mark.parametrize(
    "options",
    [
        {"first": "east"},
        {"strict_first_move": 1},
        {"first_move_leap": "yes"},
        {"line_distance": "half"},
        {"line_step_over_occupied": None},
        {"line_field": "origin"},
        {"frozen_immune": 0},
        {"cumulative_arrivals": 3},
        {"teleport": "never"},
        {"teleport_each_arrival": "u"},
        {"south_king": "j"},
        {"north_king": "E"},
        {"hidden_kings": True, "south_king": "e", "north_king": "e"},
        {"repetition": 2},
        {"no_progress_limit": 0},
        {"no_progress_limit": 10_001},
    ],
)
def test_senseless_options_are_refused(options: dict[str, object]) -> None:
    refuses_options("guerreiros", **options)


EMPTY_ROWS = "9/9/9/9/9/9/9/9"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"4k4/{EMPTY_ROWS}/4K4 S -", "4 parts"),
        (f"4k4/{EMPTY_ROWS}/4K4 S - - -", "4 parts"),
        (f"4k4/{EMPTY_ROWS}/4K4 s - -", "side to move"),
        (f"4k4/{EMPTY_ROWS}/4K4 S ? -", "king's right"),
        (f"4k4/{EMPTY_ROWS}/4K4 S - x", "king's right"),
        (f"4k4/{EMPTY_ROWS} S - -", "9 ranks"),
        (f"4k5/{EMPTY_ROWS}/4K4 S - -", "10 cells instead of 9"),
        (f"4q4/{EMPTY_ROWS}/4K4 S - -", "means nothing"),
        (f"9/{EMPTY_ROWS}/9 S - -", "one king"),
        (f"3kk4/{EMPTY_ROWS}/4K4 S - -", "one king"),
        (f"4k4/{EMPTY_ROWS.replace('9', 'wwwwwwwww', 1)}/4K4 S - -", "at most eight"),
        (f"4k4/4w'4/{EMPTY_ROWS[2:]}/4K4 S - -", "e9 has moved"),
        (f"4k4/{EMPTY_ROWS}/3w'K4 S - -", "d1 has moved"),
        (f"4K4/{EMPTY_ROWS}/4k4 S - -", "both players"),
        (f"9/{EMPTY_ROWS}/W'W'W'W'K'W'W'W'W' S setup", "while kings are placed"),
        (f"9/{EMPTY_ROWS}/W'W'W'W'K'W'W'W'1 N setup", "while kings are placed"),
        (f"9/{EMPTY_ROWS}/WWWWKWWWW N setup", "while kings are placed"),
        (f"{BEGUN.split()[0]} S setup", "while kings are placed"),
    ],
)
def test_what_is_not_a_position_is_refused(text: str, why: str) -> None:
    refuses_position("guerreiros", text, why)


def test_arrivals_are_a_field_only_where_they_count() -> None:
    text = f"W3k4/{EMPTY_ROWS}/4K4 S - -"
    assert str(at("guerreiros", f"{text} 1-0", cumulative_arrivals=True)) == f"{text} 1-0"
    refuses_position("guerreiros", text, "5 parts", cumulative_arrivals=True)
    refuses_position("guerreiros", f"{text} 9-0", "arrivals", cumulative_arrivals=True)
    refuses_position("guerreiros", f"{text} 0-0", "more warriors have arrived", cumulative_arrivals=True)
    refuses_position("guerreiros", f"{text} 1-0", "4 parts")


def test_only_the_side_to_move_can_have_an_immediate_right() -> None:
    text = f"W3k4/{EMPTY_ROWS}/4K4 N ! -"
    refuses_position("guerreiros", text, "only the side to move", teleport="immediate")
    assert rights(at("guerreiros", text)) == "! -"
