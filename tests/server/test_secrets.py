"""What one player hides from the other is in nothing that the other, or who only watches, is ever sent."""

import io
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from server.people import Json, LocalServer, Person, Table
from tabuleiro import games
from tabuleiro.core import Player
from tabuleiro.record import HIDDEN, Game, Line, Node, read_games
from tabuleiro.search import Limit
from tabuleiro.search.base import Analysis, Engine, Flag, Listener, Score, ScoredLine

OPTIONS = {"hidden_kings": "true"}
#: Two games that differ in nothing but the secret.
SECRETS = ("K=c", "K=g")


def served(server: LocalServer, session_id: str, cookies: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Everything that somebody with these cookies can ask for about a session, by address."""
    with httpx.Client(base_url=server.address, cookies=cookies) as web:
        family = "/api/v1/sessions"
        for path in ("", "/at/0", "/at/1", "/record", "/qr.svg"):
            answer = web.get(f"{family}/{session_id}{path}")
            assert answer.status_code == 200, (path, answer.text)
            yield f"{family}/…{path}", answer.text
        yield family, web.get(family).text
        yield f"{family}/…/at/2", web.get(f"{family}/{session_id}/at/2").text
        yield "page", web.get(f"/g/{session_id}").text
    for since in (None, 1):
        with Table(server.address, session_id, cookies, since) as table:
            yield f"stream since {since}", json.dumps(table.first, sort_keys=True)


def without_names(text: str, session_id: str) -> str:
    """What may differ from game to game: its address, which a QR code shows too, and the time."""
    text = re.sub(r'"updated": ?[0-9.]+', '"updated":0', text.replace(session_id, "ID"))
    text = re.sub(r'"claim_in": ?[0-9.]+', '"claim_in":0', text)
    return "QR" if text.startswith("<?xml") or "<svg" in text[:200] else text


def traces(text: str) -> list[str]:
    """Pieces that stand somewhere, which only somebody who knows the secret can say while it is one."""
    return re.findall(r"K'|W'|\"kind\": ?\"(?:king|warrior)\"", text)


def played(server: LocalServer, secret: str) -> dict[str, dict[str, str]]:
    """What the opponent and a spectator are sent of a game in which ONE has placed the king, by who and address."""
    ana, rui, eva = (Person(server.address) for _ in range(3))
    session_id = ana.create("guerreiros", {"kind": "friend"}, side="first", options=OPTIONS)
    rui.post(f"/api/v1/sessions/{session_id}/join")
    seen: dict[str, dict[str, str]] = {}
    with ExitStack() as stack:
        tables = {
            "opponent": stack.enter_context(rui.watch(session_id)),
            "spectator": stack.enter_context(Table(server.address, session_id, {})),
        }
        with ana.watch(session_id) as mine:
            assert mine.move(secret)["type"] == "ack"
            assert mine.session["history"] == [{"ply": 1, "text": secret, "player": 1}]
            assert sum(piece["kind"] == "king" for piece in mine.session["view"]["pieces"]) == 1
        for who, table in tables.items():
            told = table.until_event("move")["session"]
            told["spectators"] = told["seats"] = None  # who else looks is told apart, and in any order
            seen[who] = {"event": json.dumps(told, sort_keys=True)}
            assert not [trace for message in table.heard for trace in traces(json.dumps(message))]
    for who, cookies in (("opponent", dict(rui.web.cookies)), ("spectator", {}), ("guest", dict(eva.web.cookies))):
        seen.setdefault(who, {}).update(served(server, session_id, cookies))
    return {who: {where: without_names(text, session_id) for where, text in told.items()} for who, told in seen.items()}


def test_two_games_that_differ_only_in_the_secret_are_the_same_to_all_others(server: LocalServer) -> None:
    one, other = (played(server, secret) for secret in SECRETS)
    for who, told in one.items():
        for where, text in told.items():
            # Presence is told with a delay, so whether the first player is still there may differ.
            blind = [re.sub(r'"(connected|spectators)": ?\w+', "", each) for each in (text, other[who][where])]
            assert blind[0] == blind[1], (who, where)
            assert traces(text) == [], (who, where)
    assert HIDDEN in one["spectator"]["/api/v1/sessions/…"]


def test_the_player_who_hides_sees_it_and_both_see_all_once_both_are_placed(ana: Person, rui: Person) -> None:
    session_id = ana.create("guerreiros", {"kind": "friend"}, side="first", options=OPTIONS)
    rui.post(f"/api/v1/sessions/{session_id}/join")
    place(ana, session_id, 0, "K=c")
    assert "K=c" in ana.web.get(f"/api/v1/sessions/{session_id}/record").text
    shown = rui.get(f"/api/v1/sessions/{session_id}")
    assert shown["history"] == [{"ply": 1, "text": HIDDEN, "player": 1}]
    assert (shown["view"]["pieces"], shown["view"]["last"]) == ([], None)
    assert len(shown["view"]["moves"]) == 9, "one may place without seeing"
    place(rui, session_id, 1, "K=g")
    for person in (ana, rui):
        shown = person.get(f"/api/v1/sessions/{session_id}")
        assert [entry["text"] for entry in shown["history"]] == ["K=c", "K=g"]
        assert len(person.get(f"/api/v1/sessions/{session_id}/at/1")["pieces"]) == 9
        text = person.web.get(f"/api/v1/sessions/{session_id}/record").text
        (game,) = read_games(io.StringIO(text))
        assert len(game.moves) == 2


def test_what_was_seen_cannot_be_hidden_again(ana: Person, rui: Person) -> None:
    session_id = ana.create("guerreiros", {"kind": "friend"}, side="first", options=OPTIONS)
    rui.post(f"/api/v1/sessions/{session_id}/join")
    place(ana, session_id, 0, "K=c")
    place(rui, session_id, 1, "K=g")
    answer = rui.web.post(f"/api/v1/sessions/{session_id}/actions", json={"action": "ask_takeback"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "shown")


def test_a_record_of_the_hidden_phase_begins_with_what_is_seen(ana: Person, rui: Person) -> None:
    session_id = ana.create("guerreiros", {"kind": "friend"}, side="first", options=OPTIONS)
    rui.post(f"/api/v1/sessions/{session_id}/join")
    place(ana, session_id, 0, "K=c")
    text = rui.web.get(f"/api/v1/sessions/{session_id}/record").text
    (game,) = read_games(io.StringIO(text))
    assert (game.moves, str(game.position)) == ([], "9/9/9/9/9/9/9/9/9/9 N setup")


def test_at_one_screen_nobody_sees_the_other_king(ana: Person) -> None:
    session_id = ana.create("guerreiros", {"kind": "local"}, options=OPTIONS)
    place(ana, session_id, 0, "K=c")
    assert ana.get(f"/api/v1/sessions/{session_id}")["view"]["pieces"] == []


def place(person: Person, session_id: str, ply: int, move: str) -> Json:
    answer: Json = person.post(f"/api/v1/sessions/{session_id}/moves", {"ply": ply, "move": move})
    return answer


# ------------------------------------------------------------------------------------------------------------ engines


def hidden_game(secret: str) -> Game:
    return Line.from_texts("guerreiros", OPTIONS, None, [secret]).replay()


class Curious(Engine):
    """Remembers what it was asked about."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Node] = []

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        self.asked.append(node)
        return Analysis((ScoredLine(Score.estimate(0, 0.5), (node.position.legal_moves()[0],)),), 1, 1, 0.0, False)

    def forget(self) -> None:
        pass


def test_an_engine_is_asked_about_what_its_player_may_know() -> None:
    engine = Curious()
    for secret in SECRETS:
        engine.play(hidden_game(secret), Limit())
        with engine.start(hidden_game(secret), Limit()) as running:
            running.result()
    assert len({(str(node.position), node.parent) for node in engine.asked}) == 1
    assert engine.asked[0].position.pieces() == {}


def test_a_computer_player_places_its_king_without_seeing_the_other(server: LocalServer, ana: Person) -> None:
    session_id = ana.create("guerreiros", {"kind": "engine", "level": 1}, side="first", options=OPTIONS)
    with ana.watch(session_id) as table:
        table.move("K=e")
        table.until_plies(2)
    asked = []
    for secret in SECRETS:
        session_id = ana.create("guerreiros", {"kind": "friend"}, side="first", options=OPTIONS)
        Person(server.address).post(f"/api/v1/sessions/{session_id}/join")
        place(ana, session_id, 0, secret)
        asked.append(server.hub.log.open[session_id].stream.line())
    assert asked[0] == asked[1]


@pytest.mark.parametrize("player", [*Player, None])
def test_the_views_of_the_game_itself(player: Player | None) -> None:
    game = hidden_game("K=c")
    seen = game.seen_by(player)
    assert (seen is game) == (player is Player.ONE)
    assert game.moves_seen_by(player) == ["K=c" if player is Player.ONE else HIDDEN]
    game.play("K=a")
    assert game.seen_by(player) is game
    assert game.moves_seen_by(player) == ["K=c", "K=a"]
    other = games.get("hex").start()
    assert other.seen_by(player) is other
