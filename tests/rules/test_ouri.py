"""Ouri: the rules, a sentence each."""

import pytest

from helpers import after, at, ended, moves, played, refuses_options, refuses_position, start
from tabuleiro.core import IllegalMoveError, Outcome, Player
from tabuleiro.record import random_game

#: Two seeds that follow each other round the board for ever: after these moves the position is the same again.
CHASE = "1,0,0,0,0,0/1,0,0,0,0,0 24-22 S"
LAP = "aAbBcCdDeEfF"


def test_twelve_houses_of_four_seeds_and_south_begins() -> None:
    assert str(start("ouri")) == "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S"
    assert moves(start("ouri")) == set("abcdef")
    assert start("ouri").colour(Player.ONE) == "south"


def test_seeds_are_sown_one_by_one_anticlockwise_and_never_into_the_stores() -> None:
    position = after(start("ouri"), "d")
    assert str(position) == "4,4,4,0,5,5/5,5,4,4,4,4 0-0 N"
    assert str(after(position, "E")) == "5,5,5,0,5,5/5,5,4,4,0,5 0-0 S"


@pytest.mark.parametrize(
    ("before", "house", "sown"),
    [
        ("0,0,12,0,0,0/2,2,2,2,2,2 12-12 S", "c", "1,1,0,2,1,1/3,3,3,3,3,3 12-12 N"),
        ("12,0,0,0,0,0/1,1,1,1,1,1 15-15 S", "a", "0,2,1,1,1,1/2,2,2,2,2,2 15-15 N"),
        ("0,0,0,0,0,23/1,1,1,1,1,1 9-10 S", "f", "2,2,2,2,2,0/4,3,3,3,3,3 9-10 N"),
    ],
)
def test_a_house_of_twelve_or_more_is_skipped_on_every_lap_and_ends_empty(before: str, house: str, sown: str) -> None:
    assert str(after(at("ouri", before), house)) == sown


# --------------------------------------------------------------------------------------------------------- singles


@pytest.mark.parametrize(
    ("south", "stores", "expected"),
    [("1,0,2,0,1,1", "15-10", "c"), ("1,0,1,0,0,1", "15-12", "acf"), ("1,2,3,0,0,0", "12-12", "bc")],
)
def test_a_single_seed_may_not_be_played_while_an_own_house_has_more(south: str, stores: str, expected: str) -> None:
    # North's houses, all of them with more, do not matter.
    assert moves(at("ouri", f"{south}/3,3,3,3,3,3 {stores} S")) == set(expected)


def test_the_rule_of_singles_holds_for_north_too() -> None:
    assert moves(at("ouri", "3,3,3,3,3,3/1,0,2,0,1,1 15-10 N")) == {"C"}


# -------------------------------------------------------------------------------------------------------- captures


def test_a_last_seed_that_makes_two_or_three_captures_backwards_until_another_number() -> None:
    position = at("ouri", "1,0,2,0,5,6/3,1,1,0,1,2 13-13 S")
    assert moves(position) == {"c", "e", "f"}
    assert str(after(position, "f")) == "1,0,2,0,5,0/4,2,2,1,0,0 18-13 N"


def test_a_chain_takes_b_and_then_a() -> None:
    assert str(after(at("ouri", "0,0,0,0,2,2/1,1,1,0,0,4 18-19 S"), "f")) == "0,0,0,0,2,0/0,0,1,0,0,4 22-19 N"


@pytest.mark.parametrize("before", ["0,0,0,0,0,1/3,0,0,0,0,0 22-22 S", "0,0,0,0,0,1/0,3,0,0,0,0 22-22 S"])
def test_four_seeds_or_one_are_not_captured(before: str) -> None:
    assert str(after(at("ouri", before), "f")).split()[1] == "22-22"


def test_nothing_is_captured_on_the_own_side() -> None:
    assert str(after(at("ouri", "2,1,1,0,0,0/0,0,4,0,0,0 20-20 S"), "a")) == "0,2,2,0,0,0/0,0,4,0,0,0 20-20 N"


def test_the_capture_stops_at_the_end_of_the_opponents_row() -> None:
    # f and e hold two and three seeds as well, but they are South's own.
    position = after(at("ouri", "0,0,0,1,2,2/1,2,0,0,0,9 15-16 S"), "e")
    assert str(position) == "0,0,0,1,0,3/0,2,0,0,0,9 17-16 N"


def test_capturing_is_compulsory() -> None:
    # There is one way to play f, and it takes the seeds.
    position = at("ouri", "0,0,0,0,0,1/1,0,0,4,0,0 21-21 S")
    assert [str(position.play(move)) for move in position.legal_moves()] == ["0,0,0,0,0,0/0,0,0,4,0,0 23-21 N"]


# --------------------------------------------------------------------------------------------------------- feeding


def test_an_opponent_without_seeds_must_be_fed() -> None:
    assert moves(at("ouri", "2,0,0,0,3,1/0,0,0,0,0,0 20-22 S")) == {"e"}
    assert moves(at("ouri", "0,0,0,0,0,0/2,0,0,0,3,1 22-20 N")) == {"E"}


def test_whoever_cannot_feed_collects_his_own_seeds_and_the_game_ends() -> None:
    assert ended(at("ouri", "2,1,0,0,0,0/0,0,0,0,0,0 22-23 S")) == Outcome(Player.ONE, "cannot_feed", (25, 23))
    assert ended(at("ouri", "0,0,0,0,0,0/2,1,0,0,0,0 23-22 N")) == Outcome(Player.TWO, "cannot_feed", (23, 25))


def test_when_only_a_single_could_feed_the_rule_of_singles_is_stronger() -> None:
    position = at("ouri", "2,0,0,0,0,1/0,0,0,0,0,0 22-23 S")
    assert ended(position) == Outcome(Player.ONE, "cannot_feed", (25, 23))


def test_by_option_feeding_is_stronger_than_the_rule_of_singles() -> None:
    position = at("ouri", "2,0,0,0,0,1/0,0,0,0,0,0 22-23 S", feed_overrides_singles=True)
    assert moves(position) == {"f"}
    # It is suspended only when nothing else feeds.
    assert moves(at("ouri", "0,0,0,0,2,1/0,0,0,0,0,0 22-23 S", feed_overrides_singles=True)) == {"e"}


def test_feeding_means_sowing_a_seed_there_even_if_it_is_captured_again() -> None:
    # Seventeen seeds make a two in each of North's houses, and all are captured. North was fed: South moves again.
    position = after(at("ouri", "0,0,0,0,2,17/0,0,0,0,0,0 8-21 S"), "f")
    assert str(position) == "1,1,1,1,3,0/0,0,0,0,0,0 20-21 S"
    assert moves(position) == {"e"}


# ------------------------------------------------------------------------------------------------ taking everything


def test_whoever_captures_everything_moves_again_and_must_feed() -> None:
    position = after(at("ouri", "0,0,0,3,0,2/1,1,0,0,0,0 20-21 S"), "f")
    assert str(position) == "0,0,0,3,0,0/0,0,0,0,0,0 24-21 S"
    assert position.turn is Player.ONE
    assert moves(position) == {"d"}


def test_north_moves_again_too() -> None:
    position = after(at("ouri", "1,1,0,0,0,0/0,0,0,3,0,2 21-20 N"), "F")
    assert str(position) == "0,0,0,0,0,0/0,0,0,3,0,0 21-24 N"
    assert moves(position) == {"D"}


def test_if_the_extra_move_cannot_feed_the_game_ends() -> None:
    position = after(at("ouri", "0,2,0,0,0,2/1,1,0,0,0,0 20-22 S"), "f")
    assert ended(position) == Outcome(Player.ONE, "cannot_feed", (26, 22))


def test_twenty_five_seeds_end_the_game_before_any_extra_move() -> None:
    position = after(at("ouri", "0,0,1,1,1,0/0,1,0,4,1,17 10-12 N"), "F")
    assert str(position).split()[:2] == ["0,0,0,0,0,0/1,2,1,5,2,0", "10-27"]
    assert ended(position) == Outcome(Player.TWO, "majority", (10, 27))


def test_the_extra_move_may_capture() -> None:
    position = after(at("ouri", "0,0,0,0,13,2/1,1,0,0,0,0 15-16 S"), "f")
    assert str(position) == "0,0,0,0,13,0/0,0,0,0,0,0 19-16 S"
    assert str(after(position, "e")) == "1,1,1,1,0,2/0,1,1,1,1,1 21-16 N"


# ------------------------------------------------------------------------------------------------------ how it ends


def test_twenty_five_seeds_win_at_once() -> None:
    position = after(at("ouri", "0,0,0,0,0,1/1,0,0,4,0,1 24-17 S"), "f")
    assert ended(position) == Outcome(Player.ONE, "majority", (26, 17))


def test_twenty_four_seeds_each_are_a_draw() -> None:
    assert start("ouri").can_draw
    assert ended(at("ouri", "0,0,0,0,0,0/0,0,0,0,0,0 24-24 S")) == Outcome(None, "cannot_feed", (24, 24))
    assert ended(at("ouri", "1,0,0,0,0,0/0,0,0,0,0,0 23-24 S")) == Outcome(None, "cannot_feed", (24, 24))


def test_an_empty_board_ends_the_game_and_the_stores_decide() -> None:
    position = after(at("ouri", "0,0,0,0,0,1/1,0,0,0,0,0 22-24 S"), "f")
    assert str(position) == "0,0,0,0,0,0/0,0,0,0,0,0 24-24 S"
    assert ended(position).winner is None


def test_the_third_time_a_position_occurs_the_stores_decide_and_the_board_counts_for_nobody() -> None:
    twice = played(at("ouri", CHASE), *LAP)
    assert str(twice.position) == CHASE
    assert twice.outcome is None
    assert played(at("ouri", CHASE), *LAP, *LAP[:-1]).outcome is None
    assert played(at("ouri", CHASE), *LAP, *LAP).outcome == Outcome(Player.ONE, "cycle", (24, 22))


def test_players_may_agree_to_end_a_cycle_once_the_position_has_come_back_and_the_stores_decide() -> None:
    new, again = played(at("ouri", CHASE)), played(at("ouri", CHASE), *LAP)
    assert new.last.why_no_agreement() is not None
    assert again.last.why_no_agreement() is None
    again.end(None, "agreement")
    assert again.outcome == Outcome(Player.ONE, "agreement", (24, 22))


def test_by_option_the_second_time_is_enough() -> None:
    assert played(at("ouri", CHASE, cycle_threshold=2), *LAP).outcome == Outcome(Player.ONE, "cycle", (24, 22))


def test_by_option_no_position_ends_the_game_by_coming_back() -> None:
    assert played(at("ouri", CHASE, cycle_threshold=None), *LAP * 4).outcome is None


def test_by_option_after_a_cycle_the_owners_collect_what_is_left() -> None:
    game = played(at("ouri", CHASE, cycle_threshold=2, cycle_collect="owners"), *LAP)
    assert game.outcome == Outcome(Player.ONE, "cycle", (25, 23))


def test_by_option_too_many_moves_without_a_capture_end_the_game() -> None:
    assert played(at("ouri", CHASE, no_capture_limit=4), *"aAb").outcome is None
    assert played(at("ouri", CHASE, no_capture_limit=4), *"aAbB").outcome == Outcome(Player.ONE, "no_capture", (24, 22))


def test_a_capture_begins_the_count_of_moves_without_a_capture_again() -> None:
    position = at("ouri", "0,0,0,0,1,1/1,0,0,2,0,0 21-22 S", no_capture_limit=2)
    assert played(position, "f", "D").outcome is None
    assert played(position, "f", "D", "e").outcome == Outcome(Player.ONE, "no_capture", (23, 22))


def test_there_are_always_forty_eight_seeds_and_whoever_moves_has_some() -> None:
    for seed in range(30):
        for position in random_game("ouri", seed).positions():
            *counts, turn = position.encode()
            assert sum(counts) == 48
            own_row = counts[:6] if turn == Player.ONE else counts[6:12]
            assert any(own_row) or position.outcome() is not None


# ----------------------------------------------------------------------------------------------------------- oware


def test_in_oware_singles_move_freely() -> None:
    assert moves(at("ouri", "1,0,2,0,1,1/3,3,3,3,3,3 15-10 S", rules="oware")) == {"a", "c", "e", "f"}


def test_in_oware_a_move_that_would_take_everything_takes_nothing() -> None:
    position = after(at("ouri", "0,0,0,3,0,2/1,1,0,0,0,0 20-21 S", rules="oware"), "f")
    assert str(position) == "0,0,0,3,0,0/2,2,0,0,0,0 20-21 N"


def test_in_oware_a_move_that_leaves_seeds_captures_as_always() -> None:
    position = after(at("ouri", "0,0,0,0,2,2/1,1,1,0,0,4 18-19 S", rules="oware"), "f")
    assert str(position) == "0,0,0,0,2,0/0,0,1,0,0,4 22-19 N"


def test_in_oware_a_single_may_feed() -> None:
    assert moves(at("ouri", "2,0,0,0,0,1/0,0,0,0,0,0 22-23 S", rules="oware")) == {"f"}


# ------------------------------------------------------------------------------------------------ options, positions


@pytest.mark.parametrize(
    "options",
    [
        {"rules": "awari"},
        {"rules": "oware", "feed_overrides_singles": True},
        {"feed_overrides_singles": 1},
        {"cycle_threshold": 1},
        {"cycle_threshold": 4},
        {"cycle_collect": "all"},
        {"no_capture_limit": 0},
        {"no_capture_limit": -1},
        {"no_capture_limit": 10_001},
    ],
)
def test_senseless_options_are_refused(options: dict[str, object]) -> None:
    refuses_options("ouri", **options)


def test_a_house_of_the_other_side_is_not_a_legal_move() -> None:
    with pytest.raises(IllegalMoveError):
        start("ouri").parse_move("A")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4,4,4,4,4,4/4,4,4,4,4,4 0-0", "3 parts"),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0-0 S S", "3 parts"),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0-0 s", "side to move"),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0-0 1", "side to move"),
        ("4,4,4,4,4,4 0-24 S", "two rows of six"),
        ("4,4,4,4,4/4,4,4,4,4,4 4-0 S", "two rows of six"),
        ("4,4,4,4,4,-4/4,4,4,4,4,4 4-4 S", "two rows of six"),
        ("4,4,4,4,4,x/4,4,4,4,4,4 4-0 S", "two rows of six"),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0 S", "two stores"),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0:0 S", "two stores"),
        ("4,4,4,4,4,4/4,4,4,4,4,4 1-0 S", "49 seeds instead of 48"),
        ("4,4,4,4,4,3/4,4,4,4,4,4 0-0 S", "47 seeds instead of 48"),
    ],
)
def test_what_is_not_a_position_is_refused(text: str, why: str) -> None:
    refuses_position("ouri", text, why)
