"""A conversation with every address of before version 1, told as the shape and the names of each answer.

`python tests/server/old_addresses.py ADDRESS > tests/server/data/old_addresses.json` wrote the answers of the last
server that knew no other addresses; `test_legacy.py` compares.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

Json = Any
#: Of these the value is compared, of everything else the type.
TOLD = {
    "type",
    "code",
    "kind",
    "status",
    "pt",
    "en",
    "game",
    "level",
    "action",
    "ply",
    "player",
    "number",
    "ref",
    "turn",
}
#: Sentences inside these are long and may be worded anew: only errors are compared word by word.
SENTENCES = {"pt", "en"}
PATIENCE = 60.0


def shape(value: Json, *, words: bool = False, key: str = "") -> Json:
    """What a program relies on: names, types, and the values of what names a kind."""
    if isinstance(value, dict):
        return {
            name: shape(part, words=words or name == "error" or value.get("type") == "error", key=name)
            for name, part in sorted(value.items())
        }
    if isinstance(value, list):
        kinds = {json.dumps(shape(part, words=words, key=key), sort_keys=True) for part in value}
        return [json.loads(kind) for kind in sorted(kinds)]
    if key in TOLD and (key not in SENTENCES or words):
        return value
    return type(value).__name__


def steady(told: Json) -> Json:
    """Ids differ from one server to the next."""
    return json.loads(re.sub(r'"/((?:api|ws)/plays)/(?!nonsense)[a-z0-9]{12}', r'"/\1/ID', json.dumps(told)))


class Conversation:
    def __init__(self, address: str) -> None:
        self.address = address
        self.told: list[Json] = []

    def browser(self) -> httpx.Client:
        web = httpx.Client(base_url=self.address, timeout=PATIENCE)
        assert web.get("/api/me").status_code == 200
        return web

    def ask(self, web: httpx.Client, method: str, path: str, body: Json = None, **more: Any) -> Json:
        answer = web.request(method, path, json=body, **more) if body is not None else web.request(method, path, **more)
        kind = answer.headers.get("content-type", "").partition(";")[0]
        if kind == "application/json":
            said = shape(answer.json())
        elif kind == "text/event-stream":
            events = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
            said = sorted({json.dumps(_stream_shape(event), sort_keys=True) for event in events})
        else:
            said = kind
        heard = {"method": method, "path": re.sub(r"/bots/\d+", "/bots/N", path), "status": answer.status_code}
        if "allow" in answer.headers:
            heard["allow"] = answer.headers["allow"]
        self.told.append(heard | {"cookie": "set-cookie" in answer.headers, "answer": said})
        return answer.json() if kind == "application/json" else answer.text

    def watch(self, web: httpx.Client, play: str, since: int | None = None) -> ClientConnection:
        path = f"/ws/plays/{play}" + ("" if since is None else f"?since={since}")
        self.told.append({"watches": path})
        cookie = "; ".join(f"{name}={value}" for name, value in web.cookies.items())
        return connect(
            self.address.replace("http", "ws", 1) + path,
            additional_headers={"Cookie": cookie},
            open_timeout=PATIENCE,
        ).__enter__()

    def hear(self, socket: ClientConnection) -> Json:
        """The next message; who comes and goes is told when it is told, so that is left out."""
        while True:
            try:
                message = json.loads(socket.recv(PATIENCE))
            except ConnectionClosed as closed:
                assert closed.rcvd is not None
                self.told.append({"closed": [closed.rcvd.code, closed.rcvd.reason]})
                return None
            if message.get("kind") != "presence":
                self.told.append({"heard": shape(message)})
                return message

    def say(self, socket: ClientConnection, message: Json) -> None:
        socket.send(message if isinstance(message, str) else json.dumps(message))


def _stream_shape(event: Json) -> Json:
    """Which moves are faults, and whether something is proven, differs from one run to the next."""
    return {"type": event["type"], "names": sorted(event)}


def converse(address: str) -> list[Json]:
    talk = Conversation(address)
    ana, rui, nobody = talk.browser(), talk.browser(), httpx.Client(base_url=address, timeout=PATIENCE)
    ask = talk.ask
    _people(talk, ana, nobody)
    _positions(talk, ana)
    _plays(talk, ana, rui)
    _sockets(talk, ana, rui)
    for method, path in (("GET", "/api/nonsense"), ("GET", "/api/sessions"), ("POST", "/api/editor"), ("GET", "/api/")):
        ask(ana, method, path)
    ask(ana, "PATCH", "/api/plays")
    ask(ana, "POST", "/api/plays", {}, headers={"Origin": "http://elsewhere.example"})
    return list(map(steady, talk.told))


def _people(talk: Conversation, ana: httpx.Client, nobody: httpx.Client) -> None:
    ask = talk.ask
    ask(nobody, "GET", "/api/me")
    ask(ana, "GET", "/api/me")
    ask(ana, "PUT", "/api/me", {"nickname": "Ana"})
    ask(ana, "PUT", "/api/me", {"nickname": "x" * 30})
    ask(ana, "PUT", "/api/me", {"name": "Ana"})
    ask(ana, "GET", "/api/bots")
    made = ask(ana, "POST", "/api/bots", {"name": "Robô"})
    ask(ana, "GET", "/api/bots")
    bearer = {"Authorization": f"Bearer {made['token']}"}
    ask(httpx.Client(base_url=talk.address), "GET", "/api/me", headers=bearer)
    ask(ana, "DELETE", f"/api/bots/{made['id']}")
    ask(ana, "DELETE", f"/api/bots/{made['id']}")
    ask(httpx.Client(base_url=talk.address), "GET", "/api/plays", headers=bearer)
    ask(ana, "GET", "/api/games")
    ask(ana, "GET", "/api/games/rastros/rules/pt")
    ask(ana, "GET", "/api/games/ouri/rules/en")
    ask(ana, "GET", "/api/games/chess/rules/en")


def _positions(talk: Conversation, ana: httpx.Client) -> None:
    ask = talk.ask
    for body in (
        {"game": "rastros", "play": ["d4", "d5"]},
        {"game": "rastros"},
        {"game": "rastros", "play": ["d4", "a1"]},
        {"game": "rastros", "play": "d4"},
        {"game": "rastros", "play": ["d4", 5]},
        {"game": "rastros", "moves": ["d4"]},
        {"game": "chess", "play": []},
        {"game": "rastros", "options": {"size": "99"}, "play": []},
        ["rastros"],
    ):
        ask(ana, "POST", "/api/positions", body)
    ask(ana, "POST", "/api/positions", content=b"{", headers={"Content-Type": "application/json"})
    line = {"game": "rastros", "play": ["d4", "d5"]}
    ask(ana, "POST", "/api/analyses", {**line, "seconds": 0.2, "lines": 1})
    ask(ana, "POST", "/api/analyses", {**line, "play": ["d4", "a1"]})
    ask(ana, "POST", "/api/analyses", {**line, "lines": 99})
    ask(ana, "POST", "/api/reports", {**line, "winner": 1})
    ask(ana, "POST", "/api/reports", {**line, "play": ["nonsense"]})
    edited = ask(ana, "POST", "/api/setups", {"game": "rastros"})
    ask(ana, "POST", "/api/setups", {"game": "rastros", "play": []})
    body = {"game": "rastros", "cells": edited["cells"], "values": edited["values"]}
    ask(ana, "POST", "/api/setups/position", body)
    ask(ana, "POST", "/api/setups/position", {**body, "cells": []})
    record = ask(ana, "POST", "/api/records/write", {"game": "rastros", "nodes": [{"parent": 0, "move": "d4"}]})
    ask(ana, "POST", "/api/records/read", {"text": record})
    ask(ana, "POST", "/api/records/check", {"game": "rastros", "nodes": [{"parent": 0, "move": "d4"}]})
    ask(ana, "POST", "/api/records/check", {"game": "rastros", "nodes": [{"parent": 0, "move": "a1"}]})
    ask(ana, "POST", "/api/pictures", {"game": "rastros", "play": ["d4"], "theme": "dark"})
    ask(ana, "POST", "/api/pictures", {"game": "rastros", "play": ["a1"]})


def _plays(talk: Conversation, ana: httpx.Client, rui: httpx.Client) -> None:
    ask = talk.ask
    ask(ana, "GET", "/api/plays")
    for wish in (
        {"game": "rastros"},
        {"game": "rastros", "opponent": {"kind": "engine", "level": 11}},
        {"game": "rastros", "opponent": {"kind": "local"}, "position": "nonsense"},
    ):
        ask(ana, "POST", "/api/plays", wish)
    clock = {"kind": "fischer", "minutes": 5, "increment": 2}
    play = ask(ana, "POST", "/api/plays", {"game": "rastros", "opponent": {"kind": "friend"}, "clock": clock})["id"]
    for web in (ana, rui):
        ask(web, "GET", f"/api/plays/{play}")
    ask(ana, "POST", f"/api/plays/{play}/moves", {"ply": 0, "move": "d4"})
    ask(rui, "POST", f"/api/plays/{play}/join")
    ask(rui, "POST", f"/api/plays/{play}/moves", {"ply": 0, "move": "d4"})
    ask(ana, "POST", f"/api/plays/{play}/moves", {"ply": 0, "move": "d4"})
    ask(ana, "POST", f"/api/plays/{play}/moves", {"ply": 0, "move": "d4"})
    ask(rui, "POST", f"/api/plays/{play}/moves", {"ply": 1, "move": "a1"})
    ask(rui, "POST", f"/api/plays/{play}/moves", {"ply": "1", "move": "d5"})
    ask(rui, "POST", f"/api/plays/{play}/moves", {"ply": 1, "move": "d5"})
    for action in ("ask_takeback", "offer_draw", "decline_draw", "accept_draw", "fly", "rematch"):
        ask(ana, "POST", f"/api/plays/{play}/actions", {"action": action})
    ask(rui, "POST", f"/api/plays/{play}/actions", {"action": "accept_takeback"})
    ask(rui, "DELETE", f"/api/plays/{play}")
    ask(rui, "POST", f"/api/plays/{play}/actions", {"action": "resign"})
    ask(ana, "POST", f"/api/plays/{play}/actions", {"action": "rematch"})
    ask(ana, "POST", f"/api/plays/{play}/actions", {"action": "rematch"})
    ask(ana, "GET", f"/api/plays/{play}")
    for more in ("at/0", "at/99", "record", "qr.svg"):
        ask(rui, "GET", f"/api/plays/{play}/{more}")
    ask(ana, "GET", "/api/plays")
    ask(httpx.Client(base_url=talk.address), "DELETE", f"/api/plays/{play}")
    ana.delete(f"/api/plays/{play}")  # today it goes when nobody keeps it
    ask(rui, "DELETE", f"/api/plays/{play}")
    ask(rui, "GET", f"/api/plays/{play}")
    ask(ana, "GET", "/api/plays/nonsense")


def _sockets(talk: Conversation, ana: httpx.Client, rui: httpx.Client) -> None:
    hear, say = talk.hear, talk.say
    play = talk.ask(ana, "POST", "/api/plays", {"game": "avanco", "opponent": {"kind": "friend"}})["id"]
    hers = talk.watch(ana, play)
    hear(hers)
    talk.ask(rui, "POST", f"/api/plays/{play}/join")
    hear(hers)
    first = talk.ask(ana, "GET", f"/api/plays/{play}")["view"]["moves"][0]["text"]
    say(hers, {"type": "move", "ply": 0, "move": first, "ref": 1})
    for _ in range(2):  # the event and the acknowledgement
        hear(hers)
    say(hers, {"type": "move", "ply": 0, "move": first, "ref": "again"})
    for _ in range(2):  # the refusal, and how things stand
        hear(hers)
    for wrong in ("{", {"type": "fly", "ref": 3}, {"type": "move", "ref": 4}, {"type": "accept_draw", "ref": 5}):
        say(hers, wrong)
        hear(hers)
    say(hers, {"type": "hint", "ref": 6})
    hear(hers)
    say(hers, {"type": "ping"})
    hear(hers)
    his = talk.watch(rui, play, since=1)
    hear(his)
    say(his, {"type": "resign", "ref": 7})
    for _ in range(2):
        hear(his)
    his.close()
    hear(hers)
    talk.ask(rui, "PUT", "/api/me", {"nickname": "Rui"})
    hear(hers)
    say(hers, {"type": "rematch", "ref": 8})
    for _ in range(2):
        hear(hers)
    rui.delete(f"/api/plays/{play}")  # today it goes when nobody keeps it
    talk.ask(ana, "DELETE", f"/api/plays/{play}")
    for _ in range(2):
        hear(hers)
    nowhere = talk.watch(ana, "nonsense1234")
    for _ in range(2):
        hear(nowhere)
    alone = talk.ask(ana, "POST", "/api/plays", {"game": "rastros", "opponent": {"kind": "local"}})["id"]
    hinted = talk.watch(ana, alone)
    hear(hinted)
    say(hinted, {"type": "hint", "ref": 9})
    hear(hinted)
    hinted.close()


if __name__ == "__main__":
    print(json.dumps(converse(sys.argv[1]), indent=1, sort_keys=True, ensure_ascii=False))
