"""Analyses, reports, positions set up by hand, records and pictures."""

import heapq
import json
import math
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from server.people import LocalServer, Person, wait_for
from tabuleiro import GAMES, Game
from tabuleiro.core import EMPTY, MAX_MOVE_LENGTH
from tabuleiro.record import MAX_MOVES, random_game, write_game
from tabuleiro.search import Limit, ReferenceEngine
from tabuleiro.server.analyses import (
    LEAST_LOOK,
    MAX_EACH,
    MOST_LOOK,
    QUESTION_SECONDS,
    REPORT_SECONDS,
    TimeShare,
)

Json = dict[str, Any]


def stream(person: Person, path: str, **body: Any) -> Iterator[Json]:
    with person.web.stream("POST", path, json=body, timeout=60) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line:
                yield json.loads(line.removeprefix("data: "))


def moves_of(game: Game) -> list[str]:
    return [node.move_text for node in game.root.line() if node.parent is not None]


# ----------------------------------------------------------------------------------------------------------- analyses


@pytest.mark.parametrize("game", GAMES)
def test_an_analysis_gives_lines_of_legal_moves(ana: Person, game: str) -> None:
    played = moves_of(random_game(game, seed=4, max_plies=3))
    events = [*stream(ana, "/api/v1/analyses", game=game, moves=played, lines=2, seconds=0.4)]
    assert [event["done"] for event in events] == [False] * (len(events) - 1) + [True]
    for event in events:
        assert 1 <= len(event["lines"]) <= 2
        for line in event["lines"]:
            board = Game.new(game)
            for move in played:
                board.play(move)
            assert line["clicks"] == list(board.position.clicks(board.position.parse_move(line["moves"][0])))
            for move in line["moves"]:
                board.play(move)


def test_what_is_proven_is_said_to_be(ana: Person) -> None:
    *_, last = stream(ana, "/api/v1/analyses", game="avanco", position="7/3w3/7/1b5/7/7/7 w")
    assert last["exact"] and last["score"]["worth"] == "win" and last["score"]["plies"] == 1
    assert last["lines"][0]["moves"][0] in ("d6-c7", "d6-d7", "d6-e7")
    *_, lost = stream(ana, "/api/v1/analyses", game="semaforo", position="GG2/4/4 1", seconds=20)
    assert lost["exact"]


def test_the_verdicts_of_short_games_are_those_of_exhaustive_search(ana: Person) -> None:
    for seed in (1, 3, 6, 7):
        line = random_game("rastros", seed=seed)
        node = [*line.root.line()][-6]
        *_, last = stream(ana, "/api/v1/analyses", game="rastros", position=str(node.position), lines=1)
        truth = ReferenceEngine().analyse(node.position, Limit(nodes=20_000))
        assert last["exact"] and truth.exact and truth.score.worth is not None
        assert last["score"]["worth"] == truth.score.worth.name.lower()


def test_a_game_that_is_over_has_no_lines(ana: Person) -> None:
    played = moves_of(random_game("semaforo", seed=1))
    (only,) = stream(ana, "/api/v1/analyses", game="semaforo", moves=played)
    assert only["over"] and only["exact"] and only["done"] and only["lines"] == []


@pytest.mark.parametrize("path", ["/api/v1/analyses", "/api/v1/reports"])
def test_what_cannot_be_analysed_is_refused_with_a_sentence(ana: Person, path: str) -> None:
    for body, code in (
        ({"game": "avanco", "moves": ["a1-a7"]}, "illegal_move"),
        ({"game": "avanco", "moves": ["nonsense"]}, "invalid_move"),
        ({"game": "avanco", "position": "nonsense"}, "invalid_position"),
        ({"game": "avanco", "options": {"size": "99"}}, "option"),
        ({"game": "chess"}, "unknown_game"),
    ):
        answer = ana.web.post(path, json=body)
        assert answer.status_code == 400, body
        error = answer.json()["error"]
        assert error["code"] == code and error["text"]["pt"] and error["text"]["en"]
    assert ana.web.post(path, json={"game": "avanco", "lines": 0, "winner": 3}).status_code == 422


def test_one_who_leaves_is_forgotten_at_once(ana: Person, server: LocalServer) -> None:
    analyses = server.app.state.analyses
    events = stream(ana, "/api/v1/analyses", game="abalone", seconds=60)
    next(events)
    assert analyses.running == 1
    events.close()  # type: ignore[attr-defined]
    wait_for(lambda: analyses.running == 0, 2)
    begun = time.monotonic()
    next(stream(ana, "/api/v1/analyses", game="avanco", seconds=0.2))
    assert time.monotonic() - begun < 10


def test_one_who_asks_for_too_much_is_refused(ana: Person, server: LocalServer) -> None:
    ana.create("rastros", {"kind": "local"})  # a cookie that nobody knows might be made up
    open_streams = [stream(ana, "/api/v1/analyses", game="abalone", seconds=60) for _ in range(MAX_EACH)]
    for events in open_streams:
        next(events)
    refused = ana.web.post("/api/v1/analyses", json={"game": "abalone"})
    assert refused.status_code == 429 and refused.json()["error"]["code"] == "too_many_analyses"
    another = Person(server.address)
    assert next(stream(another, "/api/v1/analyses", game="abalone", seconds=0.2))["lines"]
    for events in open_streams:
        events.close()  # type: ignore[attr-defined]
    wait_for(lambda: server.app.state.analyses.running == 0)


def test_a_class_behind_one_address_analyses_at_once(server: LocalServer) -> None:
    pupils = [Person(server.address) for _ in range(20)]
    streams = [stream(pupil, "/api/v1/analyses", game="abalone", seconds=60) for pupil in pupils]
    with ThreadPoolExecutor(len(streams)) as pool:
        assert all(event["lines"] for event in pool.map(next, streams))
    assert server.app.state.analyses.running == len(pupils)
    for events in streams:
        events.close()  # type: ignore[attr-defined]
    wait_for(lambda: server.app.state.analyses.running == 0)


def test_one_address_does_not_take_every_place(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabuleiro.server.analyses.MAX_ADDRESS", 2)
    streams = [stream(Person(server.address), "/api/v1/analyses", game="abalone", seconds=60) for _ in range(2)]
    for events in streams:
        next(events)
    third = Person(server.address)
    refused = third.web.post("/api/v1/analyses", json={"game": "abalone"})
    assert refused.status_code == 429 and refused.json()["error"]["code"] == "too_many_analyses_here"
    third.web.headers["X-Forwarded-For"] = "9.9.9.9"
    assert next(stream(third, "/api/v1/analyses", game="abalone", seconds=0.2))["lines"], "another address has room"
    for events in streams:
        events.close()  # type: ignore[attr-defined]
    wait_for(lambda: server.app.state.analyses.running == 0)


def test_made_up_cookies_are_one_guest_and_who_has_most_makes_room(
    ana: Person, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabuleiro.server.analyses.MAX_STRANGERS", 3)
    monkeypatch.setattr("tabuleiro.server.analyses.MAX_ADDRESS", 4)
    ana.create("rastros", {"kind": "local"})
    strangers = [Person(server.address) for _ in range(4)]
    streams = [stream(each, "/api/v1/analyses", game="abalone", seconds=60) for each in strangers[:3]]
    for events in streams:
        next(events)
    refused = strangers[3].web.post("/api/v1/analyses", json={"game": "abalone"})
    assert refused.json()["error"]["code"] == "too_many_analyses"
    streams.append(stream(ana, "/api/v1/analyses", game="abalone", seconds=60))
    assert next(streams[-1])["lines"]
    rui = Person(server.address)
    rui.create("rastros", {"kind": "local"})
    streams.append(stream(rui, "/api/v1/analyses", game="abalone", seconds=60))
    assert next(streams[-1])["lines"], "the strangers have three, so one of theirs makes room"
    assert [*streams[2]][-1]["code"] == "busy"
    for events in streams:
        events.close()  # type: ignore[attr-defined]
    wait_for(lambda: server.app.state.analyses.running == 0)


def test_many_share_the_workers(server: LocalServer) -> None:
    """Everybody sees something before anybody has seen all; one who asks twice gets no more than the others."""
    order: list[tuple[int, bool]] = []

    def analyse(number: int, person: Person) -> None:
        for event in stream(person, "/api/v1/analyses", game="abalone", seconds=1.5):
            order.append((number, event["done"]))

    people = [Person(server.address) for _ in range(4)]
    threads = [threading.Thread(target=analyse, args=entry) for entry in enumerate(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first_end = next(place for place, (_, done) in enumerate(order) if done)
    assert {number for number, _ in order[:first_end]} == {0, 1, 2, 3}


def test_a_live_game_goes_on_while_others_analyse(ana: Person, rui: Person, server: LocalServer) -> None:
    events = stream(rui, "/api/v1/analyses", game="abalone", seconds=60)
    next(events)
    session_id = ana.create("rastros", {"kind": "engine", "level": 1})
    with ana.watch(session_id) as table:
        for _ in range(3):
            plies = len(table.session["history"])
            table.move(table.moves()[0])
            while len(table.session["history"]) < plies + 2 and table.session["status"] != "over":
                table.next()
            if table.session["status"] == "over":
                break
    events.close()  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------------------------------------ reports


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports that are made in a hurry."""
    monkeypatch.setattr("tabuleiro.server.analyses.REPORT_SECONDS", 1.0)
    monkeypatch.setattr("tabuleiro.server.analyses.REPORT_ENDS", 1.5)


def judged(positions: int, workers: int, slowness: float) -> tuple[float, list[float]]:
    """By a clock of its own: when the last position of a game is judged, and how long each is looked at, where besides
    thinking every question costs 10 ms and every position 2 ms, times `slowness`."""
    budget, waiting = TimeShare(REPORT_SECONDS, workers, 0.0), positions
    looks: list[float] = []
    #: When each worker is free, and what it was asked: how many positions, how many of them it sees, how long for each.
    busy = [(0.0, worker, 0, 0, 0.0, 0.0) for worker in range(workers)]
    ended = 0.0
    while busy:
        now, worker, count, seen, share, began = heapq.heappop(busy)
        if count:
            budget.answered(count, seen * share, now - began)
            looks += [share] * seen
            waiting += count - seen
            ended = now
        if waiting:
            count, share = budget.portion(waiting, now)
            assert 1 <= count <= waiting and LEAST_LOOK <= share <= MOST_LOOK
            assert count == 1 or count * share <= QUESTION_SECONDS
            waiting -= count
            each = share + 0.002 * slowness
            seen = min(count, math.ceil(count * share / each))
            heapq.heappush(busy, (now + 0.010 * slowness + seen * each, worker, count, seen, share, now))
    return ended, looks


@pytest.mark.parametrize("slowness", [0.1, 1, 3])
@pytest.mark.parametrize("workers", [1, 2, 8])
@pytest.mark.parametrize("positions", [1, 2, 12, 45, 165, 279, 450, 501])
def test_a_report_of_any_length_keeps_to_its_time(positions: int, workers: int, slowness: float) -> None:
    ended, looks = judged(positions, workers, slowness)
    assert len(looks) == positions
    assert ended <= REPORT_SECONDS + 1
    ordered = sorted(looks)
    assert ordered[positions // 10] >= ordered[positions // 2] / 3, "few positions are looked at much less than others"


def test_where_time_is_short_every_position_still_gets_a_look() -> None:
    budget = TimeShare(REPORT_SECONDS, 1, 0.0)
    for waiting in (1, 40, 400):
        count, share = budget.portion(waiting, REPORT_SECONDS + 3)
        assert share == LEAST_LOOK and 1 <= count <= waiting
    _, looks = judged(501, 1, 30)
    assert len(looks) == 501


@pytest.mark.usefixtures("brief")
def test_a_long_report_asks_about_many_positions_at_once(ana: Person, server: LocalServer) -> None:
    line = random_game("abalone", seed=5, max_plies=400)
    asked: list[Any] = []
    analyses = server.app.state.analyses
    ask = analyses._ask

    def count(client: str, question: Any) -> Any:
        asked.append(question)
        return ask(client, question)

    analyses._ask = count
    try:
        events = [*stream(ana, "/api/v1/reports", game="abalone", moves=moves_of(line), winner=1)]
    finally:
        del analyses._ask
    assert {event["ply"] for event in events if event["type"] == "position"} == {*range(line.last.ply + 1)}
    assert len(asked) < line.last.ply / 2
    assert len(events[-1]["moves"]) == line.last.ply


@pytest.mark.usefixtures("brief")
def test_lines_may_be_as_long_as_games(ana: Person) -> None:
    line = random_game("abalone", seed=0, max_plies=620)
    moves, plies = moves_of(line), line.last.ply
    assert plies == 620
    *positions, verdict = stream(ana, "/api/v1/reports", game="abalone", moves=moves, winner=2)
    assert {event["ply"] for event in positions if event["type"] == "position"} == {*range(plies + 1)}
    assert verdict["done"] and [move["move"] for move in verdict["moves"]] == moves
    *_, last = stream(ana, "/api/v1/analyses", game="abalone", moves=moves, seconds=0.2)
    assert last["turn"] == line.position.turn
    body = {"game": "abalone", "moves": moves}
    assert ana.post("/api/v1/positions", body)["view"]["position"] == str(line.position)
    assert ana.web.post("/api/v1/pictures", json=body).status_code == 200


def test_the_longest_game_of_a_session_fits_in_a_body(ana: Person) -> None:
    """Twenty thousand moves: what is wrong with them is said by the rules, so the body was read."""
    longest = ["a" * MAX_MOVE_LENGTH] * MAX_MOVES
    answer = ana.web.post("/api/v1/positions", json={"game": "abalone", "moves": longest})
    assert answer.status_code == 400
    answer = ana.web.post("/api/v1/positions", json={"game": "abalone", "moves": [*longest, "a"]})
    assert answer.status_code == 422 and answer.json()["error"]["code"] == "invalid_request"


@pytest.mark.usefixtures("brief")
def test_a_report_judges_every_position_and_names_the_losing_move(ana: Person) -> None:
    # White may take the runner and does not: Black reaches the first row.
    start, played = "7/7/7/7/7/2b4/1w1w1w1 w", ["f1-f2", "c2-c1"]
    events = [*stream(ana, "/api/v1/reports", game="avanco", position=start, moves=played)]
    assert {event["ply"] for event in events if event["type"] == "position"} == {0, 1, 2}
    verdict = events[-1]
    assert verdict["type"] == "verdict" and verdict["done"] and verdict["losing"] == 1
    first, second = verdict["moves"]
    assert first["loses"] and first["fault"] == "threw_win" and first["better"] in ("b1xc2", "d1xc2")
    assert not second["loses"] and second["fault"] is None


@pytest.mark.usefixtures("brief")
def test_a_report_of_a_game_that_was_given_up(ana: Person) -> None:
    """People ended it; the one who they say has lost made the losing move."""
    for winner in (1, 2):
        *_, verdict = stream(
            ana, "/api/v1/reports", game="avanco", moves=["a2-a3", "a6-a5", "b2-b3", "b6-b5"], winner=winner
        )
        losing = verdict["losing"]
        assert losing is None or verdict["moves"][losing - 1]["player"] == 3 - winner


@pytest.mark.usefixtures("brief")
def test_a_win_that_was_played_proves_the_positions_before_it(ana: Person) -> None:
    line = random_game("hex", seed=2)
    positions: dict[int, Json] = {}
    for event in stream(ana, "/api/v1/reports", game="hex", moves=moves_of(line)):
        if event["type"] == "position":
            positions[event["ply"]] = event
    assert sorted(positions) == [*range(line.last.ply + 1)]
    for ply in range(line.last.ply):
        before, after = positions[ply], positions[ply + 1]
        won_after = "loss" if after["turn"] != before["turn"] else "win"
        if after["score"]["worth"] == won_after:
            assert before["score"]["worth"] == "win", ply


# --------------------------------------------------------------------------------------------------------- setting up


@pytest.mark.parametrize("game", GAMES)
def test_any_position_can_be_set_up(ana: Person, game: str) -> None:
    line = random_game(game, seed=8, max_plies=12)
    for position in (GAMES[game].setup_start(), line.position):
        setup = ana.post("/api/v1/editor", {"game": game, "position": str(position)})
        assert len(setup["values"]) == len(setup["fields"])
        for field, value in zip(setup["fields"], setup["values"], strict=True):
            assert field["pair"] or value in [choice["value"] for choice in field["choices"]]
            assert field["label"]["pt"] and field["label"]["en"]
        body = {"game": game, "cells": setup["cells"], "values": setup["values"]}
        assert ana.post("/api/v1/editor/position", body)["view"]["position"] == str(position)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_that_is_none_is_refused_with_a_reason(ana: Person, game: str) -> None:
    setup = ana.post("/api/v1/editor", {"game": game})
    changes: list[Json] = [{"cells": setup["cells"][1:]}, {"cells": ["?", *setup["cells"][1:]]}, {"values": []}]
    for change in changes:
        body = {"game": game, "cells": setup["cells"], "values": setup["values"], **change}
        answer = ana.web.post("/api/v1/editor/position", json=body)
        assert answer.status_code == 400 and answer.json()["error"]["text"]["pt"], change


def test_every_piece_of_the_palette_may_stand_somewhere(ana: Person) -> None:
    for game in GAMES:
        setup = ana.post("/api/v1/editor", {"game": game})
        symbols = {piece["symbol"] for piece in setup["pieces"]}
        if setup["pieces"][0]["kind"] != "seeds":
            assert {cell for cell in setup["cells"] if cell != EMPTY} <= symbols
        assert all(piece["name"]["pt"] for piece in setup["pieces"])


# ---------------------------------------------------------------------------------------------------- records, pictures


def grown(game: str, seed: int) -> Game:
    """A game with variations."""
    chance = random.Random(seed)
    line = random_game(game, seed=seed, max_plies=12)
    for node in [*line.root.line()][:6:2]:
        for _ in range(3):
            if node.outcome is None:
                node = node.play(chance.choice(node.position.legal_moves()))
    return line


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_read_and_written_with_its_variations(ana: Person, game: str) -> None:
    made = grown(game, 3)
    made.root.children[0].comment = "bem visto"
    (read,) = ana.post("/api/v1/records/read", {"text": write_game(made)})["games"]
    nodes = [{key: node[key] for key in ("parent", "move", "comment")} for node in read["nodes"]]
    assert len(nodes) == sum(1 for _ in made.nodes()) - 1
    body = {key: read[key] for key in ("game", "options", "position")}
    answer = ana.web.post("/api/v1/records/write", json={**body, "nodes": nodes})
    assert answer.text == write_game(made)
    checked = ana.post("/api/v1/records/check", {**body, "nodes": nodes})
    assert [node["player"] for node in checked["nodes"]] == [node["player"] for node in read["nodes"]]


def test_hex_records_of_other_houses(ana: Person) -> None:
    body = {
        "game": "hex",
        "options": {"size": "7", "first": "black"},
        "nodes": [{"parent": 0, "move": "a3"}, {"parent": 1, "move": "d4"}],
    }
    for form in ("sgf", "hexworld"):
        text = ana.web.post("/api/v1/records/write", json={**body, "format": form}).text
        (read,) = ana.post("/api/v1/records/read", {"text": text})["games"]
        assert [node["move"] for node in read["nodes"]] == ["a3", "d4"] and read["options"]["size"] == "7"
    refused = ana.web.post("/api/v1/records/write", json={"game": "ouri", "format": "sgf"})
    assert refused.status_code == 400


def test_a_damaged_record_is_refused_with_its_line(ana: Person) -> None:
    answer = ana.web.post("/api/v1/records/read", json={"text": '[Game "avanco"]\n\n1. a2-a4 *'})
    assert answer.status_code == 400 and "3" in answer.json()["error"]["text"]["en"]
    for text in ("nonsense", "(;GM[1])", "https://example.org/", '[Game "nosuch"]\n*', ";"):
        assert ana.web.post("/api/v1/records/read", json={"text": text}).status_code == 400, text
    forward = {"game": "hex", "nodes": [{"parent": 1, "move": "a1"}]}
    assert ana.web.post("/api/v1/records/write", json=forward).status_code == 400


def test_a_picture_of_a_position(ana: Person) -> None:
    for theme in ("light", "dark"):
        body = {"game": "hex", "moves": ["a1", "b2"], "language": "en", "theme": theme}
        answer = ana.web.post("/api/v1/pictures", json=body)
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert ElementTree.fromstring(answer.text).tag == "{http://www.w3.org/2000/svg}svg"


def test_streams_come_from_our_own_pages_only(server: LocalServer) -> None:
    answer = httpx.post(
        f"{server.address}/api/v1/analyses", json={"game": "hex"}, headers={"Origin": "http://elsewhere"}
    )
    assert answer.status_code == 403
