"""Games as the kernels hold them: whatever is told of them is told, byte for byte, as the rules in Python have it."""

import random

import pytest

from tabuleiro import games
from tabuleiro._native import TABLES_OF_GAMES
from tabuleiro.core import Player
from tabuleiro.record import Game
from tabuleiro.server import live, views
from tabuleiro.server.kept import kept_json
from tabuleiro.server.log import Event
from tabuleiro.server.sessions import GameSession, Seat, SessionSettings

#: Of each game: options under which something else is told, or ends it.
PLAYED = [
    ("avanco", {}),
    ("avanco", {"size": "5"}),
    ("rastros", {}),
    ("rastros", {"size": "8", "stalemate": "draw", "must_keep_goal_reachable": "true"}),
    ("hex", {}),
    ("hex", {"size": "3", "first": "black"}),
    ("hex", {"size": "19", "swap": "false"}),
    ("semaforo", {}),
    ("semaforo", {"board": "4x4"}),
    ("ouri", {}),
    ("ouri", {"rules": "oware", "cycle_threshold": "2", "no_capture_limit": "6"}),
    ("ouri", {"cycle_threshold": "off", "feed_overrides_singles": "true"}),
    ("konane", {}),
    ("konane", {"size": "6", "opening": "removal"}),
    ("konane", {"size": "5", "opening": "traditional"}),
    ("abalone", {}),
    ("abalone", {"layout": "belgian_daisy", "ejections": "1", "move_limit": "60"}),
    ("guerreiros", {}),
    ("guerreiros", {"first": "north", "south_king": "e", "north_king": "a", "line_distance": "up_to"}),
    (
        "guerreiros",
        {
            "teleport": "immediate",
            "teleport_each_arrival": "true",
            "cumulative_arrivals": "true",
            "line_step_over_occupied": "true",
            "line_field": "capture_only",
            "strict_first_move": "true",
            "no_progress_limit": "8",
        },
    ),
    ("guerreiros", {"teleport": "persistent", "first_move_leap": "true", "frozen_immune": "true"}),
]


def _new(game: str, options: dict[str, str]) -> Game:
    return Game.new(game, games.get(game).options_type.parse(options))


def _view(game: Game) -> bytes:
    return kept_json(views.view(game.last, game.outcome, with_text=False))


@pytest.mark.parametrize(("name", "options"), PLAYED)
def test_told_the_same(name: str, options: dict[str, str]) -> None:
    rng = random.Random(f"{name}{options}")
    for _ in range(2):
        game = _new(name, options)
        held = live.begin(game.start)
        assert held is not None
        while game.outcome is None and game.last.ply < 70:
            assert held.view(b"<", b">") == b"<" + _view(game) + b">"
            assert held.look()[0] == game.position.turn
            assert held.look()[2] == [game.position.colour(player) for player in Player]
            texts = game.position.move_texts()
            assert {text: held.find(text) for text in texts} == texts
            assert held.find("no move") is None and held.make("no move") is None
            # A move that captures or pushes leads elsewhere; so that games end, it is made twice as often.
            text = rng.choice([*texts, *(text for text in texts if "x" in text)])
            if rng.random() < 0.5:
                held.play(texts[text])
            else:
                assert held.make(text) == texts[text]
            game.play(text)
            assert held.position() == game.position
            assert held.look()[1] == held.has_ended == (game.outcome is not None)
        if game.outcome is not None:
            assert game.last.move is not None
            outcome = held.outcome(game.last.move)
            assert (outcome, outcome.cells, outcome.motions) == (
                game.outcome,
                game.outcome.cells,
                game.outcome.motions,
            )
            assert held.last_view(outcome) == _view(game)
            assert all(held.find(text) is None for text in texts)
        back = min(3, game.last.ply)
        held.take_back(back)
        for _ in range(back):
            game.undo()
        assert held.view() == _view(game)


@pytest.mark.parametrize(
    ("name", "options", "moves", "reason"),
    [
        ("abalone", {"repetition": "3"}, ["c3c2", "g7g8", "c2c3", "g8g7"] * 2, "repetition"),
        ("abalone", {"move_limit": "1"}, ["a1b2"], "move_limit"),
        ("ouri", {"no_capture_limit": "2"}, ["a", "A"], "no_capture"),
    ],
)
def test_rules_that_look_back(name: str, options: dict[str, str], moves: list[str], reason: str) -> None:
    game = _new(name, options)
    held = live.begin(game.start)
    assert held is not None
    for text in moves:
        assert not held.has_ended
        move = held.read(text)[0]
        held.play(move)
        game.play(move)
    assert held.has_ended
    assert game.outcome is not None
    assert game.outcome.reason == reason
    assert held.outcome(move) == game.outcome
    assert held.last_view(game.outcome) == _view(game)


def test_agreement_where_a_position_came_up_before() -> None:
    """What is told of the same position changes with what was before it."""
    start = games.get("ouri").from_str("1,0,0,0,0,0/1,0,0,0,0,0 23-23 S", None)
    game, held, told = Game(start), live.begin(start), set[bool]()
    assert held is not None
    while game.outcome is None:
        assert held.view() == _view(game)
        told.add(b"players may agree" in held.view())
        move = game.position.legal_moves()[-1]
        held.play(move)
        game.play(move)
    assert told == {True, False}
    assert game.outcome.reason == "cycle"
    assert held.outcome(move) == game.outcome


@pytest.mark.parametrize(
    ("name", "options"), [("guerreiros", {"hidden_kings": "true"}), ("ouri", {"cycle_collect": "owners"})]
)
def test_what_the_kernels_cannot_tell(name: str, options: dict[str, str]) -> None:
    assert live.begin(_new(name, options).start) is None


def test_a_text_that_is_read_by_the_rules() -> None:
    held = live.begin(games.get("avanco").start())
    assert held is not None
    move, written = held.read("D2 d3")
    assert written == "d2-d3"
    assert held.find(written) == move


def test_positions_are_worked_out_when_somebody_asks() -> None:
    seats = (Seat("guest", 1), Seat("guest", 2))
    session = GameSession("s", SessionSettings("konane", {}, None, None, seats), 0.0)
    game = _new("konane", {})
    rng = random.Random(3)
    for number in range(1, 9):
        text = rng.choice([*game.position.move_texts()])
        game.play(text)
        session.apply(Event(number, "move", {"move": text}, float(number)))
    assert session.turn is game.position.turn
    assert session.last.position == game.position
    session.apply(Event(9, "takeback", {"ply": 6}, 9.0))
    game.undo()
    game.undo()
    assert session.turn is game.position.turn
    assert session.last.position == game.position
    assert session.live is not None
    assert session.live.position() == game.position


def test_nonsense_is_refused() -> None:
    table = TABLES_OF_GAMES["avanco"]((7,), games.get("avanco").start().geometry.ranks)
    with pytest.raises(ValueError, match="another number of words"):
        table.begin((1, 2))
    with pytest.raises(ValueError, match="no such cell"):
        table.teach_piece(400, 1, "w", b"{}")
    with pytest.raises(ValueError, match="off the board"):
        TABLES_OF_GAMES["avanco"]((7,), ((49,),)).begin(games.get("avanco").start().encode())
    held = table.begin(games.get("avanco").start().encode())
    assert held.view() is None, "nothing was taught"
    assert held.last() == b"null"
    for refused in (lambda: held.play(0), lambda: held.take_back(1), lambda: held.take_back(-1), lambda: held.words(1)):
        with pytest.raises(ValueError):
            refused()
    assert held.plies == 0
