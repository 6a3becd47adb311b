"""What those who watch are told: changes, and how things stand for those who do not read."""

import socket
import time

import pytest

from server.people import LocalServer, Person, Table, wait_for
from tabuleiro.server import presence, websocket
from tabuleiro.server.connections import UNREAD

LOCAL, FRIEND = {"kind": "local"}, {"kind": "friend"}


def changed(session: dict, change: dict) -> dict:  # type: ignore[type-arg]
    """A session after a change, as the page does it."""
    history = change["history"]
    assert history["kept"] <= len(session["history"])
    moves = session["history"][: history["kept"]] + history["moves"]
    return {**session, **change, "view": change.get("view") or session["view"], "history": moves}


def same(one: dict, other: dict) -> bool:  # type: ignore[type-arg]
    """Whether two are told the same; the first message alone has the board and the text."""
    whole = ("geometry", "first_steps")
    one, other = ({name: value for name, value in each.items() if name not in whole} for each in (one, other))
    return {**one, "view": {**one["view"], "text": None}} == {**other, "view": {**other["view"], "text": None}}


def test_changes_lead_to_what_the_others_are_told(ana: Person, rui: Person) -> None:
    session_id = ana.create("avanco", FRIEND, side="first")
    whole = ana.watch(session_id)
    changes = ana.watch(session_id, changes=True)
    told = changes.session
    rui.post(f"/api/v1/sessions/{session_id}/join")
    his = rui.watch(session_id)
    for kind, says, more in (
        ("move", whole, {"ply": 0, "move": "a2-a3"}),
        ("move", his, {"ply": 1, "move": "a6-a5"}),
        ("ask_takeback", his, {}),
        ("accept_takeback", whole, {}),
        ("move", his, {"ply": 1, "move": "b6-b5"}),
        ("resign", whole, {}),
        ("rematch", his, {}),
    ):
        assert says.ask(kind, **more)["type"] == "ack"
    last = ana.get(f"/api/v1/sessions/{session_id}")
    while told["number"] < last["number"]:
        message = changes.next()
        assert message["type"] in ("change", "event")
        if message["type"] == "change":
            assert "geometry" not in message["session"] and "options" not in message["session"]
            told = changed(told, message["session"])
        else:
            told = message["session"]
    whole.until_session(lambda session: session["number"] == last["number"])
    assert same(told, whole.session) and told["history"] == last["history"]
    assert [message["type"] for message in changes.heard].count("change") >= 7
    for table in (whole, changes, his):
        table.socket.close()


def test_a_long_game_is_told_in_few_bytes(ana: Person) -> None:
    with ana.watch(ana.create("ouri", LOCAL), changes=True) as table:
        for ply in range(30):
            moves = table.session["view"]["moves"]
            table.ask("move", ply=ply, move=moves[0]["text"])
            event = next(m for m in reversed(table.heard) if m.get("kind") == "move")
            table.session = {"view": event["session"]["view"]}
            assert len(event["session"]["history"]["moves"]) == 1


def silent(server: LocalServer, session_id: str) -> socket.socket:
    """A connection that never reads."""
    host, port = server.address.removeprefix("http://").split(":")
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect((host, int(port)))
    line.sendall(
        f"GET /ws/v1/sessions/{session_id} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode()
    )
    return line


def test_who_does_not_read_is_not_written_for_and_then_told_how_things_stand(
    ana: Person, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "BURST", 1000)  # she moves quicker than a person
    session_id = ana.create("hex", LOCAL)
    lines = [silent(server, session_id) for _ in range(5)]
    wait_for(lambda: server.hub.audience.size == 5)
    watchers = [*server.hub.audience.watchers()]
    cells = [f"{letter}{number}" for letter in "abcdefghijk" for number in range(1, 12)]
    with ana.watch(session_id) as hers:
        for ply, cell in enumerate(cells[:70]):
            if hers.session["status"] == "over":
                break
            assert hers.move(cell)["type"] == "ack", ply
        wait_for(lambda: all(watcher.is_behind for watcher in watchers))
        waiting = [watcher._wire.transport.get_write_buffer_size() for watcher in watchers]  # type: ignore[attr-defined]
        assert max(waiting) < UNREAD + 40_000
        heard = b""
        lines[0].settimeout(5)
        until = time.monotonic() + 10
        newest = b'"number":%d' % hers.session["number"]
        while newest not in heard[heard.rfind(b'{"type":"session"') :] and time.monotonic() < until:
            heard += lines[0].recv(65536)
        assert heard.count(b'{"type":"session"') == 2, "what was not told is told together"
        assert heard.count(b'{"type":"event"') < 70
    for line in lines:
        line.close()


def test_many_may_watch_a_session_and_its_players_always(
    ana: Person, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "MAX_WATCHERS", 3)
    monkeypatch.setattr(presence, "MAX_OF_ONE", 2)
    session_id = ana.create("rastros", LOCAL)
    tables = [Table(server.address, session_id, {}) for _ in range(3)]
    refused = Table(server.address, session_id, {})
    assert refused.first["code"] == "too_many_watchers" and refused.end() == (4429, "too_many_watchers")
    tables += [ana.watch(session_id) for _ in range(2)]
    assert tables[-1].first["type"] == "session"
    assert ana.watch(session_id).first["code"] == "too_many_watchers"
    for table in tables:
        table.socket.close()
