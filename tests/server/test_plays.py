"""What may happen in a play, without server, database or clock on the wall."""

import gc
import random
import weakref

import pytest

from tabuleiro import GAMES
from tabuleiro.core import Player
from tabuleiro.server.clock import Clock, ClockRule, Pause, passed
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.plays import Decision, Event, Play, Seat, Setup, move_texts

ANA, RUI = 1, 2


def play_of(game: str = "rastros", clock: ClockRule | None = None, **options: str) -> Play:
    return Play("p", Setup(game, options, None, clock, (Seat("guest", ANA), Seat("guest", RUI))), 0.0)


def happen(play: Play, decision: Decision, now: float = 0.0) -> Event:
    event = play.event(decision, now, [])
    play.apply(event)
    return event


def move(play: Play, text: str, now: float = 0.0) -> Event:
    guest = play.seats[play.turn].guest
    return happen(play, play.decide_move(guest, len(play.history), text), now)


@pytest.mark.parametrize("game", GAMES)
def test_the_events_tell_the_whole_play(game: str) -> None:
    chance = random.Random(game)
    play = play_of(game, ClockRule("fischer", 300, 2))
    events = []
    for ply in range(40):
        if play.outcome is not None:
            break
        events.append(move(play, play.last.position.move_str(chance.choice(play.last.position.legal_moves())), ply))
        if ply % 7 == 6 and play.outcome is None:
            events.append(happen(play, play.decide_ask_takeback(ANA), ply + 0.5))
            events.append(happen(play, play.decide_accept(RUI, "takeback"), ply + 0.7))
    if play.outcome is None:
        events.append(happen(play, play.decide_resign(RUI), 99))
    again = Play("p", Setup.from_json(play.setup.as_json()), 0.0)
    for event in events:
        again.apply(event)
    assert again.game == play.game and again.history == play.history and again.clock == play.clock
    assert again.summary() == play.summary() and again.number == play.number == len(events)


def test_taking_back_returns_to_the_turn_of_who_asked() -> None:
    play = play_of()
    for text in ("d4", "d5", "c6"):
        move(play, text)
    asked = play.decide_ask_takeback(RUI)
    assert asked == Decision("offer", {"what": "takeback", "player": 2})
    happen(play, asked)
    assert play.decide_accept(ANA, "takeback") == Decision("takeback", {"ply": 1})


def test_taking_back_after_moving_twice_running() -> None:
    # South's slam in Ouri gives another move: the last of the two is taken back, not both.
    setup = Setup("ouri", {}, None, None, (Seat("guest", ANA), Seat("engine", level=1)))
    play = Play("p", setup, 0.0)
    chance = random.Random(0)
    for _ in range(3000):
        if play.outcome is not None:
            play = Play("p", setup, 0.0)
        position = play.last.position
        text = position.move_str(chance.choice(position.legal_moves()))
        mover = play.turn
        happen(play, play._move(text))
        if play.turn is mover is Player.ONE and play.outcome is None:
            break
    else:
        pytest.fail("nobody moved twice running")
    length = len(play.history)
    assert play.decide_ask_takeback(ANA) == Decision("takeback", {"ply": length - 1})


def test_the_same_person_may_not_sit_twice_by_joining() -> None:
    play = Play("p", Setup("hex", {}, None, None, (Seat("guest", ANA), Seat("open"))), 0.0)
    assert play.decide_join(ANA) is None and play.summary()["status"] == "waiting"
    happen(play, play.decide_join(RUI) or Decision("", {}))
    assert play.summary()["status"] == "playing"
    with pytest.raises(RefusedError) as refusal:
        play.decide_join(3)
    assert refusal.value.refusal.code == "no_free_seat"


def test_nothing_happens_in_a_play_that_is_over() -> None:
    play = play_of("ouri")
    move(play, "a")
    happen(play, play.decide_resign(ANA))
    for decide in (
        lambda: play.decide_move(RUI, 1, "A"),
        lambda: play.decide_resign(RUI),
        lambda: play.decide_offer_draw(RUI),
        lambda: play.decide_ask_takeback(RUI),
        lambda: play.decide_accept(RUI, "draw"),
        lambda: play.decide_decline(RUI, "draw"),
        lambda: play.require_hint(RUI),
    ):
        with pytest.raises(RefusedError, match="over"):
            decide()
    assert play.decide_timeout(1e12, []) is None


# -------------------------------------------------------------------------------------------------------------- clocks


def test_time_without_a_server_is_not_charged() -> None:
    assert passed(10, 20, []) == 10
    assert passed(10, 20, [Pause(12, 15)]) == 7
    assert passed(10, 20, [Pause(12, 15), Pause(14, 16)]) == 6, "two servers may have noted the same pause"
    assert passed(10, 20, [Pause(0, 12), Pause(19, 30)]) == 7
    assert passed(10, 20, [Pause(0, 30)]) == 0
    assert passed(20, 10, []) == 0, "a clock on the wall that is put back charges nobody"


def test_fischer_clock() -> None:
    play = play_of(clock=ClockRule("fischer", 60, 2))
    assert play.clock is not None
    move(play, "d4", 100)
    assert play.clock.running is None, "nobody's clock runs before both have seen the board"
    move(play, "d5", 200)
    assert play.clock.running is Player.ONE and play.clock.left == (60, 60)
    move(play, "c6", 210)
    assert play.clock.left == (52, 60) and play.clock.running is Player.TWO
    assert play.game.last.clock == 52
    assert play.clock.left_at(225, []) == (52, 45)
    assert play.clock.flag_falls(225, []) == 270
    assert play.decide_timeout(269.9, []) is None
    assert play.decide_timeout(270, []) == Decision("timeout", {"player": 2})
    assert play.decide_timeout(270, [Pause(230, 250)]) is None
    happen(play, play.decide_ask_takeback(ANA), 230)
    assert play.clock.left == (52, 40), "asking costs time but gives no increment"
    happen(play, play.decide_accept(RUI, "takeback"), 231)
    assert (play.clock.left == (52, 39) and play.clock.running is Player.ONE) or play.clock.running is None
    happen(play, play.decide_resign(ANA), 240)
    assert play.clock.running is None


def test_clock_for_each_move() -> None:
    play = play_of(clock=ClockRule("move", 10))
    assert play.clock is not None
    move(play, "d4", 0)
    move(play, "d5", 50)
    move(play, "c6", 59)
    assert play.clock.left == (10, 10) and play.clock.running is Player.TWO
    assert play.due(60, []) == 69
    happen(play, Decision("timeout", {"player": 2}), 70)
    assert play.outcome is not None and (play.outcome.winner, play.outcome.reason) == (Player.ONE, "time")


def test_a_new_clock_shows_what_was_agreed() -> None:
    assert Clock.new(ClockRule("fischer", 300, 5)).left == (300, 300)


def test_a_play_that_is_let_go_leaves_no_garbage() -> None:
    play = Play("p", Setup("abalone", {}, None, None, (Seat("guest", 1), Seat("guest", 1))), 0.0)
    for _ in range(5):
        text = play.last.position.move_str(play.last.position.legal_moves()[0])
        play.apply(play.event(play.decide_move(1, len(play.history), text), 1.0, []))
    middle = weakref.ref(play.last.parent.position)  # type: ignore[union-attr]
    gc.disable()
    try:
        play.let_go()
        del play
        move_texts.cache_clear()
        assert middle() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("game", GAMES)
def test_of_earlier_positions_only_what_they_are_is_kept(game: str) -> None:
    play = play_of(game)
    for ply in range(5):
        move(play, play.last.position.move_str(play.last.position.legal_moves()[ply % 2]))
    for node in [*play.game.root.line()][:-2]:
        assert vars(node.position).keys() <= node.position.__dataclass_fields__.keys()
