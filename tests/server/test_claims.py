"""An opponent who has left: the win may be claimed after a while. And what is said of dangers on the board."""

import pytest

from tabuleiro.core import Player
from tabuleiro.games import GAMES
from tabuleiro.server.dangers import attacked, winning
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.sessions import ACTIONS, CLAIM_AFTER, GameSession, Seat, SessionSettings


def between(*guests: int) -> GameSession:
    one, two = (Seat("guest", guest) for guest in guests)
    return GameSession("x", SessionSettings("semaforo", {}, None, None, (one, two)), 0.0)


def test_the_win_over_an_opponent_who_has_left_is_claimed_after_a_while() -> None:
    session = between(7, 8)
    session.note_presence({1, 2}, 0.0)
    assert session.claim_in(0.0) is None
    session.note_presence({2}, 10.0)
    session.note_presence({2}, 20.0)
    assert session.claim_in(20.0) == CLAIM_AFTER - 10
    with pytest.raises(RefusedError, match="wait"):
        ACTIONS["claim"](session, 8, 20.0)
    decision = ACTIONS["claim"](session, 8, 10.0 + CLAIM_AFTER)
    session.apply(session.event(decision, 200.0, ()))
    outcome = session.outcome
    assert outcome is not None and (outcome.winner, outcome.reason) == (Player.TWO, "abandoned")


def test_nothing_is_claimed_from_somebody_who_is_there_or_came_back_or_is_not_to_move() -> None:
    session = between(7, 8)
    session.note_presence({1}, 0.0)
    assert session.claim_in(1000.0) is None  # player 1 is to move, and there
    with pytest.raises(RefusedError):
        ACTIONS["claim"](session, 7, 1000.0)
    session.note_presence({2}, 0.0)
    with pytest.raises(RefusedError):  # the one who is away claims nothing
        ACTIONS["claim"](session, 7, 1000.0)
    session.note_presence({1, 2}, 1000.0)
    with pytest.raises(RefusedError):
        ACTIONS["claim"](session, 8, 1001.0)
    assert between(7, 7).claim_in(1000.0) is None  # two at one screen


@pytest.mark.parametrize(
    ("game", "position", "cells", "wins"),
    [
        ("avanco", "7/7/7/2b4/3w3/7/w6 w", "d3", ""),
        ("avanco", "7/7/7/7/w6/3b3/7 w", "", "d2-c1 d2-d1 d2-e1"),
        ("ouri", "4,4,4,4,1,4/4,4,4,1,4,4 4-2 S", "", ""),
        ("ouri", "1,0,0,0,0,0/0,0,0,0,0,1 23-23 S", "a", "F"),
    ],
)
def test_dangers_are_what_the_opponent_could_do_at_once(game: str, position: str, cells: str, wins: str) -> None:
    here = GAMES[game].from_str(position)
    names = here.geometry.names
    assert [names[cell] for cell in attacked(here, Player.ONE)] == cells.split()
    assert winning(here, Player.ONE) == wins.split()


def test_marbles_that_are_pushed_are_not_in_danger_those_at_the_rim_are() -> None:
    pushed = GAMES["abalone"].from_str("5/6/7/8/2wwwbb2/8/7/6/5 b 0-0")
    assert attacked(pushed, Player.ONE) == []
    at_the_rim = GAMES["abalone"].from_str("5/6/7/8/4wwwbb/8/7/6/5 b 0-0")
    names = at_the_rim.geometry.names
    assert [names[cell] for cell in attacked(at_the_rim, Player.ONE)] == ["E9"]
