"""Plays over WebSocket: moves, ends, offers, seats, and connections that come and go."""

import contextlib
import io
import json
import random

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from server.people import LocalServer, Person, Table
from tabuleiro import GAMES
from tabuleiro.core import Player
from tabuleiro.record import read_games
from tabuleiro.server.websocket import BURST

ENGINE = {"kind": "engine", "level": 1}
LOCAL, FRIEND = {"kind": "local"}, {"kind": "friend"}


def seated(ana: Person, rui: Person, game: str = "avanco", **more: object) -> str:
    """A game of Ana (first) against Rui."""
    session_id = ana.create(game, FRIEND, side="first", **more)
    rui.post(f"/api/v1/sessions/{session_id}/join")
    return session_id


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_to_its_end(ana: Person, game: str) -> None:
    chance = random.Random(game)
    small = {"hex": {"size": "5"}, "avanco": {"size": "5"}, "abalone": {"move_limit": "40"}}.get(game, {})
    session_id = ana.create(game, LOCAL, options=small)
    with ana.watch(session_id) as table:
        assert table.first["type"] == "session" and table.session["your_seats"] == [1, 2]
        while table.session["status"] == "playing" and len(table.session["history"]) < 40:
            assert table.move(chance.choice(table.moves()))["type"] == "ack"
        if table.session["status"] == "playing":
            assert table.ask("resign")["type"] == "ack"
            table.until_session(lambda session: session["status"] == "over")
        assert table.session["view"]["outcome"] and table.moves() == []
        over = table.ask("move", ply=len(table.session["history"]), move="a1")
        assert over["code"] == "game_over"
    record = ana.web.get(f"/api/v1/sessions/{session_id}/record").text
    (stored,) = read_games(io.StringIO(record))
    assert [entry["text"] for entry in table.session["history"]] == [
        node.move_text for node in stored.root.line() if node.parent is not None
    ]
    assert stored.outcome is not None and stored.outcome.winner == table.session["view"]["outcome"]["winner"]


def test_two_people_see_each_others_moves(ana: Person, rui: Person) -> None:
    ana.web.put("/api/v1/me", json={"nickname": "Ana"})
    session_id = ana.create("avanco", FRIEND, side="first")
    with ana.watch(session_id) as hers:
        assert hers.session["status"] == "waiting"
        assert hers.ask("move", ply=0, move="a2-a3")["code"] == "waiting"
        joined = rui.post(f"/api/v1/sessions/{session_id}/join")
        assert joined["your_seats"] == [2] and joined["seats"]["1"]["name"] == "Ana"
        assert hers.until_event("join")["session"]["status"] == "playing"
        with rui.watch(session_id) as his:
            assert his.ask("move", ply=0, move="a6-a5")["code"] == "not_your_turn"
            hers.move("a2-a3")
            event = his.until_event("move")
            assert event["number"] == 2 and event["session"]["view"]["last"]["text"] == "a2-a3"
            assert event["session"]["your_seats"] == [2]
            his.move("a6-a5")
            assert hers.until_event("move")["number"] == 3
            his.ask("resign")
            hers.until_event("resign")
            assert hers.session["view"]["outcome"]["winner"] == 1
            assert hers.session["view"]["outcome"]["reason"]["code"] == "resignation"
            assert hers.session["view"]["description"]["pt"] == "Ganharam as Brancas: as Negras desistiram."


def test_two_clients_at_once_one_is_accepted(ana: Person) -> None:
    session_id = ana.create("hex", LOCAL)
    with ana.watch(session_id) as one, ana.watch(session_id) as two:
        refs = {table: table.say("move", ply=0, move=move) for table, move in ((one, "a1"), (two, "b2"))}
        answers = [table.answer(ref) for table, ref in refs.items()]
        assert sorted(answer["type"] for answer in answers) == ["ack", "error"]
        (error,) = (answer for answer in answers if answer["type"] == "error")
        assert error["code"] == "stale" and error["text"]["pt"] and error["text"]["en"]
        loser = two if answers[1] is error else one
        fresh = loser.until(lambda message: message["type"] == "session")
        assert len(fresh["session"]["history"]) == 1
    assert len(ana.get(f"/api/v1/sessions/{session_id}")["history"]) == 1


def test_a_seat_belongs_to_its_cookie(ana: Person, rui: Person, server: LocalServer) -> None:
    session_id = seated(ana, rui)
    stranger = Person(server.address)
    assert stranger.web.post(f"/api/v1/sessions/{session_id}/join").status_code == 409
    assert stranger.get(f"/api/v1/sessions/{session_id}")["your_seats"] == []
    for table in (stranger.watch(session_id), Table(server.address, session_id, {})):
        with table:
            assert table.session["your_seats"] == [] and table.session["seats"]["1"]["kind"] == "guest"
            for message in ("move", "resign", "offer_draw", "accept_draw", "ask_takeback", "rematch", "hint"):
                more = {"ply": 0, "move": "a2-a3"} if message == "move" else {}
                assert table.ask(message, **more)["code"] == "not_your_game", message
    forged = Table(server.address, session_id, {"tabuleiro": "A" * 43})
    assert forged.ask("move", ply=0, move="a2-a3")["code"] == "not_your_game"
    assert ana.get(f"/api/v1/sessions/{session_id}")["number"] == 1


def test_joining_twice_changes_nothing(ana: Person, rui: Person) -> None:
    session_id = ana.create("rastros", FRIEND, side="second")
    assert ana.post(f"/api/v1/sessions/{session_id}/join")["status"] == "waiting"
    assert rui.post(f"/api/v1/sessions/{session_id}/join")["your_seats"] == [1]
    again = rui.post(f"/api/v1/sessions/{session_id}/join")
    assert again["your_seats"] == [1] and again["number"] == 1


def test_bad_moves_change_nothing(ana: Person) -> None:
    session_id = ana.create("avanco", LOCAL)
    with ana.watch(session_id) as table:
        for move, code in (("a2-a4", "illegal_move"), ("z9-z8", "invalid_move"), ("", "invalid_move")):
            answer = table.ask("move", ply=0, move=move)
            assert answer["type"] == "error" and answer["code"] == code
            assert set(answer["text"]) == {"pt", "en"}
        assert table.ask("move", ply=7, move="a2-a3")["code"] == "stale"
        assert table.move("A2A3")["type"] == "ack"
        assert table.session["history"] == [{"ply": 1, "text": "a2-a3", "player": 1}]


def test_a_tap_that_leads_nowhere_is_told_why(ana: Person, rui: Person) -> None:
    session_id = seated(ana, rui)
    with ana.watch(session_id) as hers, rui.watch(session_id) as his:
        cell = [found["name"] for found in hers.session["geometry"]["cells"]].index

        def why(watcher: Table, *cells: str) -> str | None:
            answer = watcher.ask("why", cells=[cell(name) for name in cells])
            assert answer["type"] == "why_not"
            return None if answer["text"] is None else answer["text"]["pt"]

        assert why(hers, "d2") is None and why(hers, "d2", "d3") is None
        assert why(hers, "d6") == "a peça em d6 é das Negras, e agora jogam as Brancas"
        assert why(hers, "d2", "d4") == "uma peça avança uma só casa, em frente ou na diagonal"
        assert why(his, "d6") == "não é a tua vez"
        assert hers.ask("why", move="d2-d1")["text"]["en"].endswith("pieces only go forward, never back or sideways")
        for nonsense in ({}, {"cells": "d2"}, {"cells": [1.5]}, {"cells": [True]}, {"cells": [0] * 21}, {"move": 3}):
            assert hers.ask("why", **nonsense)["code"] == "invalid_request"
        assert why(hers, "a1", "a2", "a3", "a4") is not None
        assert hers.ask("why", cells=[-1])["text"] is not None
        his.ask("resign")
        assert why(hers, "d2") == "a partida já terminou"
    assert ana.get(f"/api/v1/sessions/{session_id}")["number"] == 2, "asking changes nothing"


def test_reconnecting_brings_what_was_missed(ana: Person) -> None:
    session_id = ana.create("rastros", LOCAL)
    with ana.watch(session_id) as table:
        table.move("d4")
        table.move("d5")
    with ana.watch(session_id, since=1) as table:
        assert (table.first["type"], table.first["number"], table.first["kind"]) == ("event", 2, "move")
        assert len(table.session["history"]) == 2
    for since in (0, 2, 99):
        with ana.watch(session_id, since=since) as table:
            assert table.first["type"] == "session" and table.session["number"] == 2


def test_numbers_are_consecutive(ana: Person, rui: Person) -> None:
    session_id = seated(ana, rui)
    with ana.watch(session_id) as hers, rui.watch(session_id) as his:
        for move, table in (("a2-a3", hers), ("a6-a5", his), ("b2-b3", hers)):
            table.until_session(lambda session: session["view"]["turn"] in session["your_seats"])
            table.move(move)
        his.ask("ask_takeback")
        hers.until_event("offer")
        hers.ask("accept_takeback")
        his.until_event("takeback")
        numbers = [message["number"] for message in his.heard if message["type"] == "event" and message["number"]]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_taking_back_is_asked_of_a_person(ana: Person, rui: Person) -> None:
    session_id = seated(ana, rui)
    with ana.watch(session_id) as hers, rui.watch(session_id) as his:
        assert hers.ask("ask_takeback")["code"] == "nothing_to_take_back"
        hers.move("a2-a3")
        his.until_event("move")
        hers.ask("ask_takeback")
        assert his.until_event("offer")["session"]["offers"] == {"draw": None, "takeback": 1}
        assert hers.ask("accept_takeback")["code"] == "nothing_asked", "nobody grants themselves anything"
        his.ask("decline_takeback")
        assert hers.until_event("decline")["session"]["offers"]["takeback"] is None
        assert his.ask("accept_takeback")["code"] == "nothing_asked"
        hers.ask("ask_takeback")
        his.until_event("offer")
        his.ask("accept_takeback")
        hers.until_event("takeback")
        assert (
            hers.session["history"] == []
            and hers.session["view"]["turn"] == 1
            and hers.session["offers"]["takeback"] is None
        )


def test_taking_back_is_free_at_one_screen_and_against_the_computer(ana: Person) -> None:
    with ana.watch(ana.create("hex", LOCAL)) as table:
        table.move("a1")
        table.move("b2")
        table.ask("ask_takeback")
        assert len(table.session["history"]) == 1
    with ana.watch(ana.create("hex", ENGINE)) as table:
        table.move("a1")
        table.until_session(lambda session: len(session["history"]) == 2)
        table.ask("ask_takeback")
        assert table.session["history"] == [] and table.session["view"]["turn"] == 1


def test_draws_by_agreement_only_where_the_game_has_them(ana: Person, rui: Person) -> None:
    with ana.watch(seated(ana, rui)) as hers:
        assert hers.session["view"]["can_draw"] is False
        assert hers.ask("offer_draw")["code"] == "no_draws"
    session_id = seated(ana, rui, "abalone")
    with ana.watch(session_id) as hers, rui.watch(session_id) as his:
        hers.ask("offer_draw")
        assert his.until_event("offer")["session"]["offers"]["draw"] == 1
        hers.move("A1B2")
        assert his.until_event("move")["session"]["offers"]["draw"] is None, "a move withdraws the offer"
        his.ask("offer_draw")
        hers.until_event("offer")
        hers.ask("accept_draw")
        outcome = his.until_event("draw")["session"]["view"]["outcome"]
        assert outcome["winner"] is None and outcome["reason"]["code"] == "agreement"


def test_ouri_is_ended_by_agreement_only_in_a_cycle_and_the_stores_decide(ana: Person, rui: Person) -> None:
    session_id = seated(ana, rui, "ouri", position="1,0,0,0,0,0/1,0,0,0,0,0 24-22 S")
    with ana.watch(session_id) as hers, rui.watch(session_id) as his:
        refused = hers.ask("offer_draw")
        assert refused["code"] == "no_agreement" and "às voltas" in refused["text"]["pt"]
        assert hers.session["view"]["no_agreement"] == refused["text"]
        for south, north in zip("abcdef", "ABCDEF", strict=True):
            hers.move(south)
            his.until_event("move")
            his.move(north)
            view = hers.until_event("move")["session"]["view"]
            while view["turn"] != 1:
                view = hers.until_event("move")["session"]["view"]
        assert view["no_agreement"] is None
        hers.ask("offer_draw")
        his.until_event("offer")
        his.ask("accept_draw")
        outcome = hers.until_event("draw")["session"]["view"]["outcome"]
    assert (outcome["winner"], outcome["reason"]["code"], outcome["score"]) == (1, "agreement", [24, 22])
    assert ana.get(f"/api/v1/sessions/{session_id}")["view"]["outcome"] == outcome


def test_rematch_exchanges_the_sides(ana: Person, rui: Person) -> None:
    session_id = seated(ana, rui, "rastros", options={"size": "8"})
    with ana.watch(session_id) as hers, rui.watch(session_id) as his:
        assert his.ask("rematch")["code"] == "not_over"
        his.ask("resign")
        hers.until_event("resign")
        hers.ask("rematch")
        new_id = his.until_event("rematch")["session"]["rematch"]
        assert his.ask("rematch")["code"] == "rematch_exists"
    assert rui.get(f"/api/v1/sessions/{new_id}")["your_seats"] == [1]
    session = ana.get(f"/api/v1/sessions/{new_id}")
    assert session["your_seats"] == [2] and session["status"] == "playing" and session["options"] == {"size": "8"}


def test_the_computer_plays_and_helps(ana: Person) -> None:
    session_id = ana.create("semaforo", {"kind": "engine", "level": 10}, side="second")
    with ana.watch(session_id) as table:
        while True:
            table.until_session(lambda session: session["status"] == "over" or session["view"]["turn"] == 2)
            if table.session["status"] == "over":
                break
            hint = table.ask("hint")
            assert hint["type"] == "hint" and hint["move"] in table.moves()
            assert {"text": hint["move"], "clicks": hint["clicks"]}.items() <= {
                **next(move for move in table.session["view"]["moves"] if move["text"] == hint["move"])
            }.items()
            table.move(hint["move"])
    assert table.session["view"]["outcome"]["reason"]["code"] == "line"


def test_no_hints_against_a_person(ana: Person, rui: Person) -> None:
    with ana.watch(seated(ana, rui)) as hers:
        assert hers.ask("hint")["code"] == "no_hints"


def test_who_is_there_and_who_watches(ana: Person, rui: Person, server: LocalServer) -> None:
    session_id = seated(ana, rui)
    with ana.watch(session_id) as hers:
        hers.until_session(
            lambda session: session["seats"]["1"]["connected"] and not session["seats"]["2"]["connected"]
        )
        his = rui.watch(session_id)
        hers.until_session(lambda session: session["seats"]["2"]["connected"])
        with Table(server.address, session_id, {}):
            hers.until_session(lambda session: session["spectators"] == 1)
        his.socket.close()
        hers.until_session(lambda session: session["spectators"] == 0 and not session["seats"]["2"]["connected"])
        rui.web.put("/api/v1/me", json={"nickname": "Rui 2"})
        event = hers.until_event("rename")
        assert event["number"] is None and event["session"]["seats"]["2"]["name"] == "Rui 2"


def test_events_leave_the_text_board_to_those_who_ask(ana: Person) -> None:
    session_id = ana.create("rastros", LOCAL)
    with ana.watch(session_id) as table:
        assert "Player 1 to move" in table.session["view"]["text"]["en"]
        table.ask("move", ply=0, move="d4")
        assert next(m for m in table.heard if m.get("kind") == "move")["session"]["view"]["text"] is None
    assert "Joga o jogador 2" in ana.get(f"/api/v1/sessions/{session_id}/at/1")["text"]["pt"]
    assert ana.get(f"/api/v1/sessions/{session_id}/at/0")["position"] == str(GAMES["rastros"].start())
    assert ana.web.get(f"/api/v1/sessions/{session_id}/at/2").status_code == 404


# ---------------------------------------------------------------------------------------------------------- hostility


def test_a_page_of_another_site_gets_nothing(ana: Person) -> None:
    session_id = ana.create("rastros", LOCAL)
    address = f"{ana.address.replace('http', 'ws', 1)}/ws/v1/sessions/{session_id}"
    with connect(address, origin=Origin("http://evil.example")) as socket:
        assert json.loads(socket.recv())["code"] == "foreign_origin"
        with pytest.raises(ConnectionClosed):
            socket.recv()


def test_a_play_that_does_not_exist(server: LocalServer) -> None:
    for session_id in ("abcdefghjkmn", "x", "a" * 300, "%00"):
        table = Table(server.address, session_id, {})
        assert table.first["code"] == "no_such_session" and table.is_closed()


HOSTILE = (
    "", "null", "[]", "1", '"move"', "{", "[" * 1000, '{"type": 1}', '{"type": "move"}', '{"type": "nonsense"}',
    '{"type": "move", "ply": "0", "move": "a2-a3"}', '{"type": "move", "ply": true, "move": "a2-a3"}',
    '{"type": "move", "ply": 0, "move": ["a2-a3"]}', '{"type": "move", "ply": 1e400, "move": "a2-a3"}',
    '{"type": "move", "ply": 0, "move": "\\ud800"}', '{"type": "move", "ply": 0, "move": "' + "a" * 500 + '"}',
    '{"type": "resign", "ref": {"deep": []}}', '{"type": "resign", "ref": "' + "r" * 100 + '"}',
    '{"type": "move", "ply": 0, "move": "a2-a3\\u0000"}', '{"type": "__class__"}', "a" * 2100,
)  # fmt: skip


def test_messages_that_are_none_change_nothing(ana: Person) -> None:
    session_id = ana.create("avanco", LOCAL)
    with ana.watch(session_id) as table:
        for message in HOSTILE:
            table.socket.send(message)
            answer = table.until(lambda m: m["type"] == "error")
            assert answer["text"]["pt"] and answer["text"]["en"], message
        table.socket.send(b"\x00\xff")
        assert table.until(lambda m: m["type"] == "error")["code"] == "invalid_request"
        table.socket.send('{"type":"ping"}')
        assert table.next()["type"] == "pong"
    assert ana.get(f"/api/v1/sessions/{session_id}")["number"] == 0


def test_floods_end_the_connection_and_nothing_else(ana: Person) -> None:
    session_id = ana.create("avanco", LOCAL)
    with ana.watch(session_id) as calm, ana.watch(session_id) as table:
        # The connection may end while we are still sending; what was said before that is read all the same.
        with contextlib.suppress(ConnectionClosed):
            for _ in range(3 * BURST):
                table.socket.send('{"type":"ping"}')
        with pytest.raises(ConnectionClosed):
            while True:
                table.next()
        assert any(message.get("code") == "too_fast" for message in table.heard)
        assert calm.move("a2-a3")["type"] == "ack"


def test_a_message_too_large_for_anything_ends_the_connection(ana: Person) -> None:
    session_id = ana.create("avanco", LOCAL)
    with ana.watch(session_id) as table:
        table.socket.send("x" * 100_000)
        assert table.is_closed()
    assert httpx.get(f"{ana.address}/healthz").json()["ok"]
    assert Player(ana.get(f"/api/v1/sessions/{session_id}")["view"]["turn"]) is Player.ONE
