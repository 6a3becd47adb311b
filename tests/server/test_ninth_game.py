"""A ninth game, made as CONTRIBUTING says, is played on the server without a change to it."""

from server.people import Person
from tabuleiro import Position
from test_toy_game import tictactoe

__all__ = ["tictactoe"]  # the fixture that registers the game


def test_the_ninth_game_is_played_over_the_network(tictactoe: type[Position], ana: Person, rui: Person) -> None:
    (game,) = (game for game in ana.get("/api/v1/games") if game["id"] == "tictactoe")
    assert len(game["geometry"]["cells"]) == 9 and game["name"]["en"]
    assert ana.get("/api/v1/games/tictactoe/rules/pt")["blocks"]
    tried = ana.post("/api/v1/positions", {"game": "tictactoe", "moves": ["b2"]})["view"]
    assert len(tried["moves"]) == 8 and tried["pieces"][0]["name"]["pt"]
    session_id = ana.create("tictactoe", {"kind": "friend"}, side="first")
    rui.post(f"/api/v1/sessions/{session_id}/join")
    with ana.watch(session_id) as hers, rui.watch(session_id) as his:
        for number, move in enumerate(("b2", "a1", "b1", "a2", "b3")):
            table = his if number % 2 else hers
            table.until_plies(number)
            assert table.move(move)["type"] == "ack"
        his.until_plies(5)
        assert his.session["view"]["outcome"]["winner"] == 1
    record = ana.web.get(f"/api/v1/sessions/{session_id}/record").text
    assert record.startswith('[Game "tictactoe"]') and record.rstrip().endswith("1-0")


def test_positions_of_the_ninth_game_are_set_up(tictactoe: type[Position], ana: Person) -> None:
    setup = ana.post("/api/v1/editor", {"game": "tictactoe"})
    assert [piece["symbol"] for piece in setup["pieces"]] == ["X", "O"] and len(setup["fields"]) == 1
    body = {"game": "tictactoe", "cells": ["X", *["."] * 8], "values": ["2"]}
    view = ana.post("/api/v1/editor/position", body)["view"]
    assert view["turn"] == 2 and len(view["pieces"]) == 1
    assert tictactoe.from_str(view["position"])
