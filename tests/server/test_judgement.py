"""What was good and bad in a game."""

from tabuleiro.core import Player
from tabuleiro.search import Score
from tabuleiro.server.judgement import Seen, judge, losing_move

ONE, TWO = Player.ONE, Player.TWO


def game(*chances_of_one: float | Score, best: str = "best", played: str = "played") -> list[Seen]:
    """Players take turns; each position is given by the chance of player ONE, or by a score for ONE."""
    seen = []
    for ply, given in enumerate(chances_of_one):
        score = given if isinstance(given, Score) else Score.estimate(0, given)
        turn = TWO if ply % 2 else ONE
        last = ply == len(chances_of_one) - 1
        seen.append(Seen(turn, score if turn is ONE else -score, None if last else best, None if last else played))
    return seen


def faults(seen: list[Seen]) -> list[str | None]:
    return [judgement.fault for judgement in judge(seen)]


def test_a_move_is_judged_by_the_chance_it_gave_away() -> None:
    assert faults(game(0.50, 0.45, 0.45)) == [None, None]
    assert faults(game(0.50, 0.38, 0.38)) == ["inaccuracy", None]
    assert faults(game(0.50, 0.28, 0.28)) == ["mistake", None]
    assert faults(game(0.50, 0.15, 0.15)) == ["blunder", None]
    assert faults(game(0.50, 0.50, 0.85)) == [None, "blunder"]


def test_what_the_other_gives_away_is_no_gain_of_ones_own() -> None:
    (mine, _) = judge(game(0.3, 0.6, 0.6))
    assert mine.fault is None and mine.gave == 0


def test_the_move_the_engine_would_have_made_is_no_fault() -> None:
    assert faults(game(0.5, 0.1, 0.1, best="a1", played="a1")) == [None, None]


def test_a_certain_win_thrown_away_is_said_so() -> None:
    win, draw, loss = Score.win(3), Score.draw(), Score.loss(4)
    assert faults(game(win, loss, loss)) == ["threw_win", None]
    assert faults(game(win, draw, draw)) == ["threw_win", None]
    assert faults(game(draw, loss, loss)) == ["threw_draw", None]
    assert faults(game(win, Score.win(8), Score.win(7))) == [None, None]
    assert faults(game(loss, loss, loss)) == [None, None]


def test_a_better_move_is_named_where_something_was_given_away() -> None:
    first, second = judge(game(0.5, 0.2, 0.2))
    assert first.better == "best" and second.better is None


def test_the_losing_move_is_the_last_one_after_which_all_was_lost() -> None:
    loss, win = Score.loss(3), Score.win(3)
    # ONE threw the game away, was given it back, and threw it away again.
    assert losing_move(game(win, loss, win, loss, loss), TWO) == 3
    assert losing_move(game(0.5, 0.2, 0.6, 0.6, 0.6, 0.1, loss), TWO) == 5
    assert losing_move(game(0.5, 0.5, 0.9, win), ONE) == 2


def test_without_a_turning_point_the_worst_move_lost() -> None:
    assert losing_move(game(0.60, 0.55, 0.55, 0.40, 0.40), TWO) == 3


def test_nobody_lost_a_draw_or_a_game_that_was_lost_from_its_beginning() -> None:
    loss = Score.loss(5)
    assert losing_move(game(0.5, 0.1, 0.5), None) is None
    assert losing_move(game(loss, loss, loss, loss), TWO) is None
