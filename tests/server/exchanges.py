"""Recorded WebSocket exchanges: what was sent, and what every open connection received because of it.

`python tests/server/exchanges.py --write` records them in `data/exchanges.jsonl`, a line each; `test_exchanges.py`
compares. Random names and addresses are replaced by numbers in the order in which they appear, the clock of the server
stands still unless a scenario moves it, and long constant parts are replaced by their hash. Read the difference before
writing it.
"""

import contextlib
import hashlib
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from server.cup import PATH as CUPS
from server.cup import group_of, knockout, open_tables
from server.people import PATIENCE, Json, LocalServer, Person
from server.school import organiser, pupil, school_class, teacher
from tabuleiro import GAMES
from tabuleiro.record import Line
from tabuleiro.server.settings import Settings, sqlite_url

FILE = Path(__file__).parent / "data" / "exchanges.jsonl"
#: Parts of a message that never change within a session, and are long.
CONSTANT = ("geometry", "first_steps", "goal", "legend")
#: Kinds of messages that the server sends some time after what they tell of, several at once.
IN_THEIR_OWN_TIME = ("class", "lobby", "lobby_people", "changed", "vote", "tally")
#: Session, stream and challenge ids, in addresses too.
_ID = re.compile(r"\b(?=[a-z0-9]*[a-z])[a-z0-9]{12}\b")
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


class Names:
    """Replaces what is random by numbers."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def plain(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: _digest(each) if key in CONSTANT and each else self._known(key, each)
                for key, each in value.items()
            }
        if isinstance(value, list):
            return [self.plain(each) for each in value]
        return self._text(value) if isinstance(value, str) else value

    def _known(self, key: str, value: Any) -> Any:
        if key == "connected":  # told in its own time
            return None
        if key == "code" and isinstance(value, str) and value.isupper():
            return "CODE"
        return self.plain(value)

    def _text(self, text: str) -> str:
        def number(found: "re.Match[str]") -> str:
            return self._ids.setdefault(found[0], f"id-{len(self._ids) + 1}")

        return _ADDRESS.sub("http://here", _ID.sub(number, text))


def _digest(value: Any) -> str:
    return "sha256:" + hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


class Socket:
    """A connection of a person to any of the server's WebSockets."""

    def __init__(self, name: str, person: Person, path: str) -> None:
        self.name = name
        cookie = "; ".join(f"{key}={value}" for key, value in person.web.cookies.items())
        address = person.address.replace("http", "ws", 1) + path
        headers = {"Cookie": cookie} if cookie else {}
        self._opened = connect(address, additional_headers=headers, open_timeout=PATIENCE).__enter__()
        self.is_open = True
        #: Messages that came while another was waited for, and of which kinds they may be.
        self._waited: list[Json] = []

    def send(self, text: str) -> None:
        self._opened.send(text)

    def received(self) -> list[Json]:
        """Everything until now but what comes in its own time, and how the connection ended if it did. A ping is
        answered after what came before it."""
        found: list[Json] = []
        if not self.is_open:
            return found
        with contextlib.suppress(ConnectionClosed):
            self.send('{"type":"ping"}')
        try:
            while (message := json.loads(self._opened.recv(PATIENCE))) != {"type": "pong"}:
                in_its_own_time = message["type"] in IN_THEIR_OWN_TIME or message.get("kind") == "presence"
                (self._waited if in_its_own_time else found).append(message)
        except ConnectionClosed as closed:
            self.is_open = False
            assert closed.rcvd is not None
            found.append({"closed": closed.rcvd.code, "reason": closed.rcvd.reason})
        return found

    def wait(self, wanted: Callable[[Json], bool]) -> Json:
        """Return the first message that is wanted, from those that came already on."""
        while self._waited:
            if wanted(message := self._waited.pop(0)):
                return message
        while not wanted(message := json.loads(self._opened.recv(PATIENCE))):
            pass
        return message

    def close(self) -> None:
        self._opened.close()


class Scene:
    """A scenario with its connections."""

    def __init__(self, title: str, server: LocalServer, now: list[float], stack: ExitStack, out: list[Json]) -> None:
        self.server, self.now = server, now
        self._title, self._stack, self._out = title, stack, out
        self._names = Names()
        self._sockets: list[Socket] = []

    def person(self) -> Person:
        return Person(self.server.address)

    def open(self, name: str, person: Person, path: str) -> Socket:
        socket = Socket(name, person, path)
        self._stack.callback(socket.close)
        self._sockets.append(socket)
        self._put(name, {"open": path})
        return socket

    def leave(self, socket: Socket) -> None:
        socket.close()
        self._sockets.remove(socket)

    def say(self, socket: Socket, message: Json | str) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        socket.send(text)
        self._put(socket.name, message)

    def wait(self, socket: Socket, what: str, wanted: Callable[[Json], bool]) -> None:
        """Record a message that comes in its own time."""
        line = {"scene": self._title, "by": socket.name, "waits": what, "received": socket.wait(wanted)}
        self._out.append(self._names.plain(line))

    def do(self, name: str, done: Callable[[], Any], what: str) -> Any:
        """Something done over HTTP, of which connections hear."""
        result = done()
        self._put(name, {"do": what})
        return result

    def _put(self, name: str, sent: Any) -> None:
        # The sender first: once it is answered, what the others are told of it is on its way.
        in_order = sorted(self._sockets, key=lambda socket: socket.name != name)
        received = {socket.name: socket.received() for socket in in_order}
        line = {
            "scene": self._title,
            "by": name,
            "sent": sent,
            "received": {each: messages for each, messages in received.items() if messages},
        }
        self._out.append(self._names.plain(line))


SCENES: list[Callable[[Scene], None]] = []


def scene(play: Callable[[Scene], None]) -> Callable[[Scene], None]:
    SCENES.append(play)
    return play


def session_path(session: str, more: str = "") -> str:
    return f"/ws/v1/sessions/{session}{more}"


def moves(scene: Scene, sockets: list[Socket], texts: list[str], first: int = 0) -> None:
    """Alternate moves, from the ply `first` on."""
    for ply, text in enumerate(texts, first):
        scene.say(sockets[ply % len(sockets)], {"type": "move", "ref": ply, "ply": ply, "move": text})


@scene
def two_friends(scene: Scene) -> None:
    ana, rui, eva = (scene.person() for _ in range(3))
    session = ana.create("semaforo", {"kind": "friend"}, side="first")
    one = scene.open("ana", ana, session_path(session, "?changes=1"))
    scene.do("rui", partial(rui.post, f"/api/v1/sessions/{session}/join"), "join")
    two = scene.open("rui", rui, session_path(session, "?changes=1"))
    three = scene.open("eva", eva, session_path(session))
    for text in ("a1", "b9", ""):
        scene.say(two, {"type": "move", "ref": text, "ply": 0, "move": text})
    scene.say(three, {"type": "move", "ply": 0, "move": "a1"})
    moves(scene, [one, two], ["a1", "b2", "c3"])
    scene.say(one, {"type": "move", "ref": "late", "ply": 1, "move": "d1"})
    scene.say(two, {"type": "ask_takeback", "ref": 1})
    scene.say(two, {"type": "ask_takeback", "ref": 2})
    scene.say(one, {"type": "decline_takeback", "ref": 3})
    scene.say(two, {"type": "ask_takeback", "ref": 4})
    scene.say(one, {"type": "accept_takeback", "ref": 5})
    scene.say(one, {"type": "offer_draw", "ref": 6})
    scene.say(one, {"type": "why", "ref": 7, "cells": [0]})
    scene.say(two, {"type": "why", "ref": 8, "move": "z9"})
    scene.say(three, {"type": "resign", "ref": 9})
    scene.say(two, {"type": "resign", "ref": 10})
    scene.say(two, {"type": "resign", "ref": 11})
    scene.say(one, {"type": "rematch", "ref": 12})
    scene.say(two, {"type": "rematch", "ref": 13})


@scene
def unreadable_messages(scene: Scene) -> None:
    ana = scene.person()
    one = scene.open("ana", ana, session_path(ana.create("rastros", {"kind": "local"}), "?changes=1"))
    for text in (
        "",
        "{",
        "[]",
        "null",
        '{"type":1}',
        '{"type":"dance"}',
        '{"type":"move"}',
        '{"type":"move","ply":"0","move":"d5"}',
        '{"type":"move","ply":0,"move":5}',
        '{"type":"move","ply":0,"move":"d5","ref":[]}',
        '{"type":"move","ply":true,"move":"d5"}',
        '{"type":"why"}',
        '{"type":"why","cells":["a"]}',
        '{"type":"why","cells":[0],"move":"d5"}',
        '{"type":"coach","step":0}',
        '{"type":"coach","step":1}',
        json.dumps({"type": "move", "ply": 0, "move": "x" * 500}),
        json.dumps({"type": "ping", "ref": "x" * 100}),
        json.dumps({"type": "ping", "more": "x" * 2000}),
    ):
        scene.say(one, text)


@scene
def wrong_addresses(scene: Scene) -> None:
    ana = scene.person()
    for path in (
        "/ws/v1/me",
        session_path("aaaaaaaaaaaa"),
        "/ws/v1/championships/aaaaaaaaaaaa",
        "/ws/v1/votes/aaaaaaaaaaaa",
    ):
        scene.open(path, ana, path)


@scene
def coming_back(scene: Scene) -> None:
    ana, rui = scene.person(), scene.person()
    session = ana.create("semaforo", {"kind": "friend"}, side="first")
    rui.post(f"/api/v1/sessions/{session}/join")
    one, two = (scene.open(name, who, session_path(session)) for name, who in (("ana", ana), ("rui", rui)))
    moves(scene, [one, two], ["a1", "a1"])
    scene.leave(two)
    scene.say(one, {"type": "move", "ref": 3, "ply": 2, "move": "a1"})
    for since in ("?since=0", "?since=2", "?since=9", "?since=x", "?since=3&changes=1"):
        scene.open(f"rui {since}", rui, session_path(session, since))


@scene
def clocks(scene: Scene) -> None:
    ana, rui = scene.person(), scene.person()
    clock = {"kind": "fischer", "minutes": 3, "increment": 2}
    session = ana.create("semaforo", {"kind": "friend"}, side="first", clock=clock)
    rui.post(f"/api/v1/sessions/{session}/join")
    sockets = [scene.open(name, who, session_path(session, "?changes=1")) for name, who in (("ana", ana), ("rui", rui))]
    for ply, text in enumerate(["a1", "b1", "c2", "d3"]):
        scene.now[0] += 7
        scene.say(sockets[ply % 2], {"type": "move", "ref": ply, "ply": ply, "move": text})
    scene.say(sockets[1], {"type": "claim", "ref": 9})
    scene.now[0] += 1000
    scene.say(sockets[0], {"type": "move", "ref": 10, "ply": 4, "move": "a2"})


@scene
def every_game_at_one_screen(scene: Scene) -> None:
    ana = scene.person()
    small = {"avanco": {"size": "5"}, "hex": {"size": "3"}, "konane": {"size": "4"}}
    for game in GAMES:
        options = small.get(game, {})
        session = ana.create(game, {"kind": "local"}, options=options)
        socket = scene.open(game, ana, session_path(session, "?changes=1"))
        played = Line.from_texts(game, options).replay()
        for ply in range(6):
            if not (legal := played.position.legal_moves()):
                break
            text = played.position.move_str(legal[7 * ply % len(legal)])
            scene.say(socket, {"type": "move", "ref": ply, "ply": ply, "move": text})
            played.play(text)
        scene.say(socket, {"type": "ask_takeback", "ref": 20})
        scene.say(socket, {"type": "resign", "ref": 21})
        scene.leave(socket)


@scene
def a_class_and_its_lobby(scene: Scene) -> None:
    boss = organiser(scene.server)
    maria = teacher(boss)
    made = school_class(maria)
    ana, rui = (pupil(scene.server.address, card) for card in made["cards"][:2])
    there = scene.open("maria", maria, "/ws/v1/me")
    scene.say(there, {"type": "follow", "class": made["id"]})
    one = scene.open("ana", ana, "/ws/v1/me")
    two = scene.open("rui", rui, "/ws/v1/me")
    scene.wait(there, "both are here", lambda message: sum(each["here"] for each in message["class"]["pupils"]) == 2)
    for socket in (one, two):
        scene.say(socket, {"type": "lobby"})
        scene.wait(socket, "the lobby", lambda message: sum(each["state"] == "free" for each in message["people"]) == 2)
    scene.say(one, {"type": "away", "away": True})
    scene.wait(two, "ana is away", lambda message: any(each["state"] == "away" for each in message["people"]))
    scene.say(one, {"type": "away", "away": "yes"})
    scene.say(one, {"type": "away", "away": False})
    scene.say(one, {"type": "follow", "class": made["id"]})
    scene.say(one, {"type": "follow", "class": "nowhere"})
    scene.say(two, {"type": "leave_lobby"})
    scene.say(two, {"type": "lobby"})
    to = made["cards"][1]["guest"]
    scene.do("ana", partial(ana.post, "/api/v1/challenges", {"to": to, "game": "semaforo"}), "challenge")
    wish = rui.get("/api/v1/lobby")["challenges"][0]["id"]
    scene.do("rui", partial(rui.web.post, f"/api/v1/challenges/{wish}/accept"), "accept")
    scene.say(there, {"type": "unfollow"})
    scene.say(there, {"type": "dance"})
    scene.say(there, "{")


@scene
def a_knockout(scene: Scene) -> None:
    boss = organiser(scene.server)
    cup = knockout(boss, ["Ana Silva", "Rui Costa", "Eva Dias", "Zé Pires"])
    group = next(iter(boss.get(f"{CUPS}/{cup}")["sections"][0]["stages"]))["groups"][0]["id"]
    time.sleep(1)  # what is told of its beginning, some time afterwards, was told to nobody
    one = scene.open("boss", boss, f"/ws/v1/championships/{cup}")
    two = scene.open("group", boss, f"/ws/v1/championships/{cup}?group={group}")
    for socket in (one, two):
        scene.wait(socket, "how it stands", lambda message: message["groups"] is None)
    scene.open("stranger", scene.person(), f"/ws/v1/championships/{cup}")
    for number, table in enumerate(open_tables(group_of(boss, cup, group)), 5):
        body = {**table, "winner": 1}
        scene.do("boss", partial(boss.post, f"{CUPS}/{cup}/results", body), "result")
        for socket in (one, two):
            scene.wait(socket, "the result", partial(_has_number, number=number))
    scene.do("boss", partial(boss.post, f"{CUPS}/{cup}/rounds", {"group": group}), "round")
    for socket in (one, two):
        scene.wait(socket, "the round", partial(_has_number, number=7))


def _has_number(message: Json, number: int) -> bool:
    return bool(message["number"] == number)


@scene
def a_vote(scene: Scene) -> None:
    boss = organiser(scene.server)
    maria = teacher(boss)
    made = school_class(maria)
    ana = pupil(scene.server.address, made["cards"][0])
    vote = maria.post(f"/api/v1/classes/{made['id']}/votes")["id"]
    path = f"/api/v1/votes/{vote}"
    guest = scene.person()
    people = {"maria": maria, "ana": ana, "guest": guest}
    sockets = [scene.open(name, who, f"/ws/v1/votes/{vote}") for name, who in people.items()]

    def all_hear(what: str, wanted: Callable[[Json], bool]) -> None:
        for socket in sockets:
            scene.wait(socket, what, wanted)

    all_hear("how it stands", lambda message: message["question"] is None)
    question = {"game": "semaforo", "position": "GRGY/R2R/R2Y 1", "asks": "move"}
    scene.do("maria", partial(maria.post, f"{path}/questions", question), "ask")
    all_hear("the question", lambda message: message["question"] is not None)
    for name, choice, votes in (
        ("ana", "b1", {"b1": 1}),
        ("guest", "c3", {"b1": 1, "c3": 1}),
        ("ana", "c3", {"c3": 2}),
        ("ana", "z9", {"c3": 2}),
    ):
        body = {"number": 1, "choice": choice}
        scene.do(name, partial(people[name].web.post, f"{path}/votes", json=body), f"vote {choice}")
        if choice != "z9":
            scene.wait(sockets[0], "the votes", partial(_has_votes, votes=votes))
    for act, is_so in (
        ("close", lambda message: _tally(message)["status"] == "closed"),
        ("reveal", lambda message: _tally(message)["status"] == "revealed"),
        ("end", lambda message: message.get("ended")),
    ):
        scene.do("maria", partial(maria.post, f"{path}/{act}"), act)
        all_hear(act, is_so)


def _tally(message: Json) -> Json:
    return message["tally"] or {"status": None, "bars": None}


def _has_votes(message: Json, votes: dict[str, int]) -> bool:
    return {bar["choice"]: bar["votes"] for bar in _tally(message)["bars"] or ()} == votes


def recorded(scenes: Sequence[Callable[[Scene], None]]) -> Iterator[Json]:
    """Play each scenario on a server of its own, and yield the exchanges."""
    for play in scenes:
        out: list[Json] = []
        now = [1_700_000_000.0]
        with tempfile.TemporaryDirectory(prefix="tabuleiro-exchanges-") as folder, ExitStack() as stack:
            server = stack.enter_context(LocalServer(Settings(sqlite_url(Path(folder))), partial(now.__getitem__, 0)))
            play(Scene(play.__name__, server, now, stack, out))
        yield from out


def as_line(exchange: Json) -> str:
    return json.dumps(exchange, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    lines = [as_line(exchange) for exchange in recorded(SCENES)]
    if "--write" in sys.argv:
        FILE.write_text("\n".join(lines) + "\n", "utf-8")
    print(len(lines), "exchanges,", sum(map(len, lines)), "bytes")
