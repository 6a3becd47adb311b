"""What may happen in a session, without server, database or clock on the wall."""

import gc
import random
import weakref

import pytest

from tabuleiro import GAMES
from tabuleiro.core import Player
from tabuleiro.server.clock import Clock, ClockRule, Pause, passed
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.log import Decision, Event
from tabuleiro.server.sessions import GameSession, Seat, SessionSettings

ANA, RUI = 1, 2


def session_of(game: str = "rastros", clock: ClockRule | None = None, **options: str) -> GameSession:
    return GameSession("p", SessionSettings(game, options, None, clock, (Seat("guest", ANA), Seat("guest", RUI))), 0.0)


def happen(session: GameSession, decision: Decision, now: float = 0.0) -> Event:
    event = session.event(decision, now, [])
    session.apply(event)
    return event


def move(session: GameSession, text: str, now: float = 0.0) -> Event:
    guest = session.seats[session.turn].guest
    return happen(session, session.decide_move(guest, len(session.history), text), now)


@pytest.mark.parametrize("game", GAMES)
def test_the_events_tell_the_whole_play(game: str) -> None:
    chance = random.Random(game)
    session = session_of(game, ClockRule("fischer", 300, 2))
    events = []
    for ply in range(40):
        if session.outcome is not None:
            break
        events.append(
            move(session, session.last.position.move_str(chance.choice(session.last.position.legal_moves())), ply)
        )
        if ply % 7 == 6 and session.outcome is None:
            events.append(happen(session, session.decide_ask_takeback(ANA), ply + 0.5))
            events.append(happen(session, session.decide_accept(RUI, "takeback"), ply + 0.7))
    if session.outcome is None:
        events.append(happen(session, session.decide_resign(RUI), 99))
    again = GameSession("p", SessionSettings.from_json(session.settings.as_json()), 0.0)
    for event in events:
        again.apply(event)
    assert again.game == session.game and again.history == session.history and again.clock == session.clock
    assert again.summary() == session.summary() and again.number == session.number == len(events)


def test_taking_back_returns_to_the_turn_of_who_asked() -> None:
    session = session_of()
    for text in ("d4", "d5", "c6"):
        move(session, text)
    asked = session.decide_ask_takeback(RUI)
    assert asked == Decision("offer", {"what": "takeback", "player": 2})
    happen(session, asked)
    assert session.decide_accept(ANA, "takeback") == Decision("takeback", {"ply": 1})


def test_taking_back_after_moving_twice_running() -> None:
    # South's slam in Ouri gives another move: the last of the two is taken back, not both.
    setup = SessionSettings("ouri", {}, None, None, (Seat("guest", ANA), Seat("engine", level=1)))
    session = GameSession("p", setup, 0.0)
    chance = random.Random(0)
    for _ in range(3000):
        if session.outcome is not None:
            session = GameSession("p", setup, 0.0)
        position = session.last.position
        text = position.move_str(chance.choice(position.legal_moves()))
        mover = session.turn
        happen(session, session._move(text))
        if session.turn is mover is Player.ONE and session.outcome is None:
            break
    else:
        pytest.fail("nobody moved twice running")
    length = len(session.history)
    assert session.decide_ask_takeback(ANA) == Decision("takeback", {"ply": length - 1})


def test_the_same_person_may_not_sit_twice_by_joining() -> None:
    session = GameSession("p", SessionSettings("hex", {}, None, None, (Seat("guest", ANA), Seat("open"))), 0.0)
    assert session.decide_join(ANA) is None and session.summary()["status"] == "waiting"
    happen(session, session.decide_join(RUI) or Decision("", {}))
    assert session.summary()["status"] == "playing"
    with pytest.raises(RefusedError) as refusal:
        session.decide_join(3)
    assert refusal.value.refusal.code == "no_free_seat"


def test_nothing_happens_in_a_play_that_is_over() -> None:
    session = session_of("ouri")
    move(session, "a")
    happen(session, session.decide_resign(ANA))
    for decide in (
        lambda: session.decide_move(RUI, 1, "A"),
        lambda: session.decide_resign(RUI),
        lambda: session.decide_offer_draw(RUI),
        lambda: session.decide_ask_takeback(RUI),
        lambda: session.decide_accept(RUI, "draw"),
        lambda: session.decide_decline(RUI, "draw"),
        lambda: session.require_hint(RUI),
    ):
        with pytest.raises(RefusedError, match="over"):
            decide()
    assert session.decide_due(1e12, []) is None


# -------------------------------------------------------------------------------------------------------------- clocks


def test_time_without_a_server_is_not_charged() -> None:
    assert passed(10, 20, []) == 10
    assert passed(10, 20, [Pause(12, 15)]) == 7
    assert passed(10, 20, [Pause(12, 15), Pause(14, 16)]) == 6, "two servers may have noted the same pause"
    assert passed(10, 20, [Pause(0, 12), Pause(19, 20)]) == 7
    assert passed(10, 20, [Pause(0, 20)]) == 0
    assert passed(10, 20, [Pause(0, 12), Pause(19, 30)]) == 8, "a pause that has not ended yet is none"
    assert passed(20, 10, []) == 0, "a clock on the wall that is put back charges nobody"


def test_fischer_clock() -> None:
    session = session_of(clock=ClockRule("fischer", 60, 2))
    assert session.clock is not None
    move(session, "d4", 100)
    assert session.clock.running is None, "nobody's clock runs before both have seen the board"
    move(session, "d5", 200)
    assert session.clock.running is Player.ONE and session.clock.left == (60, 60)
    move(session, "c6", 210)
    assert session.clock.left == (52, 60) and session.clock.running is Player.TWO
    assert session.game.last.clock == 52
    assert session.clock.left_at(225, []) == (52, 45)
    assert session.clock.flag_falls(225, []) == 270
    assert session.decide_due(269.9, []) is None
    assert session.decide_due(270, []) == Decision("timeout", {"player": 2})
    assert session.decide_due(270, [Pause(230, 250)]) is None
    happen(session, session.decide_ask_takeback(ANA), 230)
    assert session.clock.left == (52, 40), "asking costs time but gives no increment"
    happen(session, session.decide_accept(RUI, "takeback"), 231)
    assert (session.clock.left == (52, 39) and session.clock.running is Player.ONE) or session.clock.running is None
    happen(session, session.decide_resign(ANA), 240)
    assert session.clock.running is None


def test_clock_for_each_move() -> None:
    session = session_of(clock=ClockRule("move", 10))
    assert session.clock is not None
    move(session, "d4", 0)
    move(session, "d5", 50)
    move(session, "c6", 59)
    assert session.clock.left == (10, 10) and session.clock.running is Player.TWO
    assert session.due(60, []) == 69
    happen(session, Decision("timeout", {"player": 2}), 70)
    assert session.outcome is not None and (session.outcome.winner, session.outcome.reason) == (Player.ONE, "time")


def test_where_moves_stand_nothing_is_taken_back_and_no_hints_are_given() -> None:
    setup = SessionSettings("rastros", {}, None, None, (Seat("guest", ANA), Seat("guest", ANA)), moves_stand=True)
    session = GameSession("p", SessionSettings.from_json(setup.as_json()), 0.0)
    move(session, session.last.position.move_str(session.last.position.legal_moves()[0]))
    for refused in (session.decide_ask_takeback, session.require_hint):
        with pytest.raises(RefusedError) as caught:
            refused(ANA)
        assert caught.value.refusal.code == "moves_stand"
        assert "fica feita" in caught.value.refusal.text.pt
    assert session.rematch_settings().moves_stand


def test_sessions_stored_before_moves_could_stand_go_on() -> None:
    setup = SessionSettings("rastros", {}, None, None, (Seat("guest", ANA), Seat("guest", ANA)))
    stored = setup.as_json()
    del stored["moves_stand"]
    assert SessionSettings.from_json(stored) == setup


def test_a_new_clock_shows_what_was_agreed() -> None:
    assert Clock.new(ClockRule("fischer", 300, 5)).left == (300, 300)


def test_a_play_that_is_let_go_leaves_no_garbage() -> None:
    session = GameSession("p", SessionSettings("abalone", {}, None, None, (Seat("guest", 1), Seat("guest", 1))), 0.0)
    for _ in range(5):
        text = session.last.position.move_str(session.last.position.legal_moves()[0])
        session.apply(session.event(session.decide_move(1, len(session.history), text), 1.0, []))
    middle = weakref.ref(session.last.parent.position)  # type: ignore[union-attr]
    gc.disable()
    try:
        session.let_go()
        del session
        assert middle() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("game", GAMES)
def test_of_earlier_positions_only_what_they_are_is_kept(game: str) -> None:
    session = session_of(game)
    for ply in range(5):
        move(session, session.last.position.move_str(session.last.position.legal_moves()[ply % 2]))
    for node in [*session.game.root.line()][:-2]:
        assert vars(node.position).keys() <= node.position.__dataclass_fields__.keys()


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].start().can_draw])
def test_a_session_without_end_ends_in_a_draw(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabuleiro.server.sessions.LONGEST", 5)
    session = session_of(game)
    events = []
    while len(session.history) < 5:
        assert session.decide_due(0.0, []) is None
        events.append(move(session, next(iter(session.last.position.move_texts()))))
    assert session.due(7.0, []) == 7.0
    decision = session.decide_due(7.0, [])
    assert decision is not None
    events.append(happen(session, decision, 7.0))
    assert session.outcome is not None and session.outcome.winner is None and session.outcome.reason == "too_long"
    assert session.decide_due(8.0, []) is None and session.due(8.0, []) is None
    monkeypatch.setattr("tabuleiro.server.sessions.LONGEST", 2)
    again = GameSession("p", session.settings, 0.0)  # one that was stored when sessions could be longer
    for event in events:
        again.apply(event)
    assert again.outcome == session.outcome and len(again.history) == 5


def test_a_game_that_may_go_on_for_ever_can_be_drawn() -> None:
    """So a session that is too long can always end."""
    for game in GAMES.values():
        assert game.start().can_draw or game.start().history_rules().repetition is None, game.id
