"""Avanço: the rules, a sentence each."""

import pytest

from helpers import after, at, ended, moves, refuses_options, refuses_position, start
from tabuleiro.core import IllegalMoveError, Outcome, Player
from tabuleiro.record import random_game


def test_white_begins_with_two_rows_each_on_seven_by_seven() -> None:
    assert str(start("avanco")) == "bbbbbbb/bbbbbbb/7/7/7/wwwwwww/wwwwwww w"
    assert start("avanco").colour(Player.ONE) == "white"


def test_the_first_move_is_one_of_nineteen() -> None:
    expected = {f"{c}2-{c}3" for c in "abcdefg"}
    expected |= {f"{a}2-{b}3" for a, b in zip("abcdef", "bcdefg", strict=True)}
    expected |= {f"{b}2-{a}3" for a, b in zip("abcdef", "bcdefg", strict=True)}
    assert moves(start("avanco")) == expected
    assert len(expected) == 19


def test_a_piece_steps_forward_straight_or_diagonally_white_up_and_black_down() -> None:
    text = "7/7/4b2/w6/7/7/7"
    assert moves(at("avanco", f"{text} w")) == {"a4-a5", "a4-b5"}
    assert moves(at("avanco", f"{text} b")) == {"e5-d4", "e5-e4", "e5-f4"}


def test_captures_are_diagonal_and_a_straight_step_never_captures() -> None:
    position = at("avanco", "7/7/2bbb2/3w3/7/7/7 w")
    assert moves(position) == {"d4xc5", "d4xe5"}
    with pytest.raises(IllegalMoveError):
        position.parse_move("d4-d5")


def test_a_captured_piece_leaves_the_board() -> None:
    assert str(after(at("avanco", "7/7/2bbb2/3w3/7/7/7 w"), "d4xc5")) == "7/7/2wbb2/7/7/7/7 b"


def test_captures_are_optional() -> None:
    assert moves(at("avanco", "7/7/2b4/3w3/7/7/7 w")) == {"d4xc5", "d4-d5", "d4-e5"}


def test_an_own_piece_blocks_straight_and_diagonally() -> None:
    assert moves(at("avanco", "6b/7/2www2/3w3/7/7/7 w")) == {
        f"{origin}5-{target}6"
        for origin, targets in zip("cde", ("bcd", "cde", "def"), strict=True)
        for target in targets
    }


@pytest.mark.parametrize(
    ("before", "move", "winner"),
    [("7/6w/7/7/7/b6/7 w", "g6-g7", Player.ONE), ("b6/6w/7/7/7/b6/w6 b", "a2-b1", Player.TWO)],
)
def test_the_opponents_first_row_wins_at_once(before: str, move: str, winner: Player) -> None:
    assert ended(after(at("avanco", before), move)) == Outcome(winner, "reached_last_row")


def test_a_player_without_pieces_loses_at_once() -> None:
    position = after(at("avanco", "7/7/7/2b4/1w5/7/7 w"), "b3xc4")
    assert ended(position) == Outcome(Player.ONE, "no_pieces")
    assert ended(after(at("avanco", "7/7/7/2b4/1w5/7/7 b"), "c4xb3")) == Outcome(Player.TWO, "no_pieces")


def test_whoever_is_to_move_always_can_and_nobody_draws() -> None:
    assert not start("avanco").can_draw
    for seed in range(30):
        game = random_game("avanco", seed)
        assert game.outcome is not None
        assert game.outcome.winner is not None
        assert game.outcome.reason in ("reached_last_row", "no_pieces")


@pytest.mark.parametrize(("size", "count"), [(5, 13), (6, 16), (7, 19), (8, 22)])
def test_the_board_may_have_sides_of_five_to_eight(size: int, count: int) -> None:
    position = start("avanco", size=size)
    rows = ["b" * size] * 2 + [str(size)] * (size - 4) + ["w" * size] * 2
    assert str(position) == "/".join(rows) + " w"
    assert len(moves(position)) == count


@pytest.mark.parametrize("size", [4, 9, 0, -7, True, "7", None])
def test_other_sizes_are_refused(size: object) -> None:
    refuses_options("avanco", size=size)


def test_a_position_says_who_moves_even_if_no_game_leads_there() -> None:
    assert moves(at("avanco", "7/7/7/3b3/7/7/w6 b")) == {"d4-c3", "d4-d3", "d4-e3"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "2 parts"),
        ("bbbbbbb/bbbbbbb/7/7/7/wwwwwww/wwwwwww", "2 parts"),
        ("bbbbbbb/bbbbbbb/7/7/7/wwwwwww/wwwwwww w -", "2 parts"),
        ("bbbbbbb/bbbbbbb/7/7/7/wwwwwww/wwwwwww x", "side to move"),
        ("bbbbbbb/bbbbbbb/7/7/7/wwwwwww/wwwwwww W", "side to move"),
        ("bbbbbbb/bbbbbbb/7/7/wwwwwww/wwwwwww w", "6 ranks"),
        ("bbbbbbb/bbbbbbb/7/7/7/wwwwwww/wwwwww w", "6 cells instead of 7"),
        ("bbbbbbb/bbbbbbb/7/8/7/wwwwwww/wwwwwww w", "8 cells instead of 7"),
        ("bbbbbbb/bbbbbbb/7/07/7/wwwwwww/wwwwwww w", "means nothing"),
        ("bbbbbbb/bbbbbbb/7/3q3/7/wwwwwww/wwwwwww w", "means nothing"),
        ("bbbbbbb/bbbbbbb/7/3b3/7/wwwwwww/wwwwwww w", "at most 14"),
        ("bbbbbbb/bbbbbbb/7/3w3/7/wwwwwww/wwwwwww w", "at most 14"),
        ("7/7/7/7/7/7/7 w", "empty"),
        ("w6/7/7/7/7/7/b6 w", "both"),
        ("7/" * 600, "too long"),
    ],
)
def test_what_is_not_a_position_is_refused(text: str, why: str) -> None:
    refuses_position("avanco", text, why)
