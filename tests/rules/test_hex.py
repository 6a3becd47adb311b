"""Hex: the rules, a sentence each."""

import random

import pytest

from helpers import after, ended, moves, placed, refuses_options, refuses_position, start
from tabuleiro.core import IllegalMoveError, Outcome, Player, Position
from tabuleiro.record import random_game

LETTERS = "abcdefghijk"


def neighbours(position: Position, cell: str) -> set[str]:
    geometry = position.geometry
    return {geometry.names[neighbour] for neighbour in geometry.neighbours[geometry.index[cell]]}


def reached(position: Position, stones: set[str], found: set[str]) -> set[str]:
    """The stones joined to those already found."""
    while beside := {cell for known in found for cell in neighbours(position, known)} & stones - found:
        found = found | beside
    return found


def with_stones(white: str = "", black: str = "", fields: str = "w -", **options: object) -> Position:
    """A position with stones on the cells named."""
    stones = dict.fromkeys(white.split(), "w") | dict.fromkeys(black.split(), "b")
    return placed("hex", stones, fields, **options)


def test_the_board_is_eleven_by_eleven_empty_and_white_begins() -> None:
    position = start("hex")
    assert str(position) == "/".join(["11"] * 11) + " w -"
    assert position.colour(Player.ONE) == "white"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("f6", "e6 g6 f5 f7 g5 e7"),
        ("a1", "b1 a2"),
        ("k11", "j11 k10"),
        ("a11", "a10 b11 b10"),
        ("k1", "j1 k2 j2"),
    ],
)
def test_cells_touch_six_others_and_fewer_at_the_rim(cell: str, expected: str) -> None:
    assert neighbours(start("hex"), cell) == set(expected.split())


def test_black_joins_number_one_with_number_eleven() -> None:
    position = with_stones(black=" ".join(f"f{n}" for n in range(1, 12)))
    assert ended(position) == Outcome(Player.TWO, "connected")


def test_white_joins_letter_a_with_letter_k() -> None:
    position = with_stones(white=" ".join(f"{letter}6" for letter in LETTERS), fields="b -")
    assert ended(position) == Outcome(Player.ONE, "connected")


def test_joining_the_other_colours_sides_wins_nothing() -> None:
    assert with_stones(white=" ".join(f"f{n}" for n in range(1, 12))).outcome() is None
    assert with_stones(black=" ".join(f"{letter}6" for letter in LETTERS)).outcome() is None


def test_corner_cells_belong_to_both_their_sides() -> None:
    # A path along the side of number 1 from corner to corner is White's; one along letter a is Black's.
    assert ended(with_stones(white=" ".join(f"{letter}1" for letter in LETTERS))).winner is Player.ONE
    assert ended(with_stones(black=" ".join(f"a{n}" for n in range(1, 12)))).winner is Player.TWO


def test_the_stone_that_completes_the_path_wins_at_once() -> None:
    chain = " ".join(f"f{n}" for n in range(2, 12))
    position = with_stones(black=chain, fields="b -")
    assert position.outcome() is None
    assert ended(after(position, "f1")) == Outcome(Player.TWO, "connected")
    assert ended(after(position, "g1")) == Outcome(Player.TWO, "connected")
    assert after(position, "e1").outcome() is None


def test_a_bridge_to_the_side_cannot_be_cut() -> None:
    # g2 touches g1 and h1: whichever White takes, Black takes the other.
    chain = "g2 " + " ".join(f"g{n}" for n in range(3, 12))
    for cut, answer in (("g1", "h1"), ("h1", "g1")):
        position = with_stones(black=chain, fields="w -")
        assert ended(after(position, cut, answer)) == Outcome(Player.TWO, "connected")


def test_a_stone_goes_to_any_empty_cell_and_stays() -> None:
    position = after(start("hex", swap=False), "f6")
    assert len(moves(position)) == 120
    with pytest.raises(IllegalMoveError):
        position.parse_move("f6")


def test_the_first_stone_may_go_to_any_of_the_121_cells() -> None:
    assert moves(start("hex")) == {f"{letter}{n}" for letter in LETTERS for n in range(1, 12)}


def test_only_at_the_second_ply_the_swap_is_one_more_move() -> None:
    first = after(start("hex"), "g2")
    assert len(moves(first)) == 121
    assert "swap" in moves(first)
    assert len(moves(after(first, "swap"))) == 120
    assert len(moves(after(first, "a1"))) == 119
    for position in (start("hex"), after(first, "swap"), after(first, "a1"), after(first, "a1", "b1")):
        assert "swap" not in moves(position)
        with pytest.raises(IllegalMoveError):
            position.parse_move("swap")


def test_the_swap_exchanges_colours_and_leaves_the_stone() -> None:
    before = after(start("hex"), "g2")
    position = after(before, "swap")
    assert str(before).split()[0] == str(position).split()[0]
    assert str(position).split()[1:] == ["b", "x"]
    assert position.turn is Player.ONE
    assert (position.colour(Player.ONE), position.colour(Player.TWO)) == ("black", "white")
    assert (before.colour(Player.ONE), before.colour(Player.TWO)) == ("white", "black")


def test_after_the_swap_the_winner_is_the_player_not_the_colour() -> None:
    white = " ".join(f"{letter}6" for letter in LETTERS)
    assert ended(with_stones(white=white, fields="b x")) == Outcome(Player.TWO, "connected")
    assert ended(with_stones(white=white, fields="b -")) == Outcome(Player.ONE, "connected")


def test_a_swap_declined_never_comes_back() -> None:
    position = after(start("hex"), "g2", "a1")
    assert str(position).split()[1:] == ["w", "-"]
    assert str(after(position, "b1")).split()[1:] == ["b", "-"]


def test_by_option_there_is_no_swap() -> None:
    position = after(start("hex", swap=False), "g2")
    assert str(position).split()[1:] == ["b", "-"]
    assert "swap" not in moves(position)
    assert len(moves(position)) == 120


def test_by_option_black_begins() -> None:
    position = start("hex", first="black")
    assert str(position).split()[1:] == ["b", "-"]
    assert position.colour(Player.ONE) == "black"
    assert str(after(position, "g2", "swap")).split()[1:] == ["w", "x"]


@pytest.mark.parametrize("size", range(3, 20))
def test_the_board_may_have_sides_of_three_to_nineteen(size: int) -> None:
    assert len(moves(start("hex", size=size))) == size * size


@pytest.mark.parametrize("options", [{"size": 2}, {"size": 20}, {"swap": 1}, {"first": "red"}, {"first": None}])
def test_senseless_options_are_refused(options: dict[str, object]) -> None:
    refuses_options("hex", **options)


@pytest.mark.parametrize("size", [3, 5, 8, 11])
def test_a_full_board_has_exactly_one_winner(size: int) -> None:
    rng = random.Random(size)
    names = list(start("hex", size=size).geometry.names)
    last = names[-1]
    for _ in range(40):
        rng.shuffle(names)
        white, black = set(names[: len(names) // 2]), set(names[len(names) // 2 :])
        position = with_stones(" ".join(white), " ".join(black), size=size, swap=False)
        joined = []
        if any(cell[0] == last[0] for cell in reached(position, white, {c for c in white if c[0] == "a"})):
            joined.append(Player.ONE)
        if any(cell[1:] == last[1:] for cell in reached(position, black, {c for c in black if c[1:] == "1"})):
            joined.append(Player.TWO)
        assert joined == [ended(position).winner]


def test_nobody_draws() -> None:
    assert not start("hex").can_draw
    for seed in range(10):
        outcome = random_game(start("hex", size=6), seed).outcome
        assert outcome is not None
        assert outcome.winner is not None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3/3/3 w", "3 parts"),
        ("3/3/3 w - -", "3 parts"),
        ("3/3 w -", "2 ranks"),
        ("3/4/3 w -", "4 cells instead of 3"),
        ("3/1r1/3 w -", "means nothing"),
        ("3/3/3 r -", "side to move"),
        ("3/3/3 w !", "swap"),
        ("3/3/3 w ?", "only after the first stone"),
        ("3/1w1/3 w ?", "only after the first stone"),
        ("3/1b1/3 b ?", "only after the first stone"),
        ("b2/1w1/3 b ?", "only after the first stone"),
        ("3/3/3 b x", "no swap"),
        ("3/1b1/3 w x", "no swap"),
    ],
)
def test_what_is_not_a_position_is_refused(text: str, why: str) -> None:
    refuses_position("hex", text, why, size=3)


def test_a_swap_in_a_game_without_swap_is_refused() -> None:
    refuses_position("hex", "3/1w1/3 b ?", "no swap", size=3, swap=False)
    refuses_position("hex", "3/1w1/3 b x", "no swap", size=3, swap=False)


def test_the_swap_may_be_written_in_portuguese() -> None:
    opened = after(start("hex"), "f6")
    assert opened.parse_move("troca") == opened.parse_move("Troca") == opened.parse_move("swap")
    with pytest.raises(IllegalMoveError):
        start("hex").parse_move("troca")
