"""Throws random and hostile HTTP and WebSocket messages at a server of its own while some people play on:

python bench/hostile.py --messages 10000

The server may refuse as it likes. It must not answer 5xx, not log a failure, not lose a move of those who play, and use
no more memory at the end than after the first fifth. Then one address asks computer players for far more than they can
think about, and level 3 must still answer somebody at another address in time; `--messages 0` tries that alone.
Anything else is printed, and the exit status is 1.
"""

import argparse
import asyncio
import base64
import contextlib
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.people import ProcessServer
from tabuleiro import GAMES

Json = dict[str, Any]
AT_ONCE = 8
#: Connections that are opened before, say little or nothing, and stay.
HELD = 200
#: How much larger the server may have become, in MiB: caches fill, and memory is given back in large pieces.
FLAT = 8.0
#: Games that level 10 begins, all from one address, and the seconds in which level 3 must move for somebody at another.
QUESTIONS, REPLY = 60, 2.0

TEXTS = [
    "", "hex", "a1", "d4", "first", "local", "engine", "\x00", "\ud800", "é" * 40, "a" * 3000, "../../etc/passwd",
    "%00", "<script>alert(1)</script>", "'; DROP TABLE plays; --", "{{7*7}}", "\u202e", "-1", "1e999", "NaN", "null",
]  # fmt: skip
NAMES = [
    "game", "options", "position", "moves", "opponent", "side", "clock", "nickname", "kind", "level", "ply", "move",
    "type", "ref", "action", "name", "minutes", "increment", "seconds", "size", "__proto__", "lines", "moves",
]  # fmt: skip
TYPES = [
    "move", "resign", "offer_draw", "accept_draw", "decline_draw", "ask_takeback", "accept_takeback", "hint",
    "decline_takeback", "rematch", "ping", "nonsense",
]  # fmt: skip
HOLES = ["hex", "pt", "0", "-1", "99999999999999999999", "%2e%2e%2f", "%ff"]
HEADERS = ["Cookie", "Authorization", "Origin", "X", "Content-Type", "Range", "Accept-Encoding", "Transfer-Encoding"]
VALUES = ["tabuleiro=" + "B" * 43, "Bearer x", "http://evil.example", "bytes=-1", "gzip", "\xff" * 9, "chunked"]
METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW"]


class Attack:
    def __init__(self, server: ProcessServer, chance: random.Random) -> None:
        self.server = server
        self.chance = chance
        self.sessions: list[str] = []
        #: Addresses, each with the methods that it knows.
        self.routes: list[tuple[str, list[str]]] = []
        self.answers: Counter[str] = Counter()
        self.problems: list[str] = []

    # -- what is thrown ---------------------------------------------------------------------------------------------

    def value(self, depth: int = 0) -> Any:
        chance = self.chance
        sort = chance.randrange(9 if depth < 3 else 6)
        if sort == 0:
            return chance.choice([None, True, False])
        if sort == 1:
            return chance.choice([0, 1, -1, 2**31, 2**63, 10**40, 0.5, 1e308, -0.0])
        if sort < 6:
            return chance.choice([*TEXTS, *GAMES, *TYPES])
        if sort == 6:
            return [self.value(depth + 1) for _ in range(chance.choice([0, 1, 3, 50]))]
        return {chance.choice(NAMES): self.value(depth + 1) for _ in range(chance.randrange(6))}

    def sound_body(self) -> Any:
        """What a browser would send, with perhaps something put wrong."""
        chance = self.chance
        body: Json = chance.choice(
            [
                {"game": chance.choice([*GAMES]), "opponent": {"kind": chance.choice(["local", "friend"])}},
                {"game": chance.choice([*GAMES]), "opponent": {"kind": "engine", "level": chance.randrange(-1, 12)}},
                {"game": chance.choice([*GAMES]), "moves": [chance.choice(TEXTS) for _ in range(chance.randrange(4))]},
                {"game": chance.choice([*GAMES]), "position": chance.choice(TEXTS), "options": {"size": "5"}},
                {"nickname": chance.choice(TEXTS)},
                {"name": chance.choice(TEXTS)},
                {"ply": chance.randrange(3), "move": chance.choice(TEXTS)},
                {"action": chance.choice(TYPES)},
            ]
        )
        if chance.random() < 0.5:
            body[chance.choice(NAMES)] = self.value()
        return body

    def text(self) -> str:
        chance = self.chance
        kind = chance.randrange(6)
        if kind == 0:
            return "[" * chance.choice([10, 1000, 30_000])
        if kind == 1:
            return "".join(chr(chance.randrange(1, 0x2FF)) for _ in range(chance.randrange(200)))
        written = json.dumps(self.sound_body() if kind > 3 else self.value())
        return written[: chance.randrange(len(written) + 1)] if kind == 2 else written

    # -- HTTP -------------------------------------------------------------------------------------------------------

    async def http(self) -> None:
        chance = self.chance
        path, methods = chance.choice(self.routes)
        path = path.replace("{session_id}", chance.choice([*self.sessions, "abcdefghjkmn", "..", "%00"]))
        for hole in ("{game}", "{language}", "{ply}", "{bot}"):
            path = path.replace(hole, chance.choice(HOLES))
        if chance.random() < 0.1:
            path = "/" + "".join(chr(chance.randrange(33, 127)) for _ in range(chance.choice([5, 300, 5000])))
        headers = {
            "Host": self.server.address.removeprefix("http://"),
            "X-Forwarded-For": f"10.{chance.randrange(256)}.{chance.randrange(256)}.1",
            "Cookie": f"tabuleiro={chance.choice('ABC') * 43}",
            chance.choice(HEADERS): chance.choice(VALUES),
        }
        body = self.text().encode("utf-8", "surrogatepass")
        if chance.random() < 0.02:
            body = b"x" * 100_000
        if chance.random() < 0.7:
            headers["Content-Type"] = "application/json"
        whole = chance.random() < 0.95
        headers["Content-Length"] = str(len(body) if whole else chance.choice([0, -1, "x", 10**12]))
        method = chance.choice(methods if chance.random() < 0.8 else METHODS)
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items())
        request = (head + "Connection: close\r\n\r\n").encode("latin-1") + body
        if chance.random() < 0.05:
            request, whole = os.urandom(chance.randrange(1, 400)) + b"\r\n\r\n", False
        if chance.random() < 0.05:
            request, whole = request[: chance.randrange(len(request))], False
        await self._exchange(request, whole)

    async def _exchange(self, request: bytes, whole: bool) -> None:
        """Send something, and no more after it if it is not a whole request: the server would wait for the rest."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        answer = b""
        with contextlib.suppress(TimeoutError, ConnectionError):
            writer.write(request)
            await writer.drain()
            if not whole:
                writer.write_eof()
            answer = await asyncio.wait_for(reader.read(64), 10)
        status = answer[9:12].decode("latin-1") if answer.startswith(b"HTTP/1.1 ") else "no answer"
        self.answers[status] += 1
        if status.startswith("5"):
            self.problems.append(f"{status} for {request[:300]!r}")
        writer.close()

    async def hold(self) -> asyncio.StreamWriter:
        """A connection that is kept open for nothing."""
        _, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        request = b"POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"
        writer.write(request[: self.chance.randrange(len(request) + 1)])
        return writer

    # -- WebSocket --------------------------------------------------------------------------------------------------

    async def talk(self, count: int) -> None:
        """One connection with some messages, ended one way or another."""
        chance = self.chance
        watched = chance.choice([*self.sessions, *self.sessions, "abcdefghjkmn", "x" * 100])
        since = chance.choice(["", "?since=1", "?since=-1", "?since=" + "9" * 50, "?since=%ff"])
        headers = {"X-Forwarded-For": f"10.1.{chance.randrange(256)}.{chance.randrange(256)}"}
        if chance.random() < 0.8:
            headers["Cookie"] = "tabuleiro=" + chance.choice("ABC") * 43
        if chance.random() < 0.1:
            headers["Authorization"] = chance.choice(["Bearer x", "Basic eA==", "Bearer " + "A" * 43])
        address = f"{self.server.address.replace('http', 'ws', 1)}/ws/v1/sessions/{watched}{since}"
        with contextlib.suppress(WebSocketException, OSError, TimeoutError):
            async with connect(address, additional_headers=headers, close_timeout=1) as socket:
                for _ in range(count):
                    await self._say(socket)
                if chance.random() < 0.3:
                    socket.transport.abort()

    async def _say(self, socket: ClientConnection) -> None:
        chance = self.chance
        kind = chance.randrange(10)
        if kind == 0:
            await socket.send(os.urandom(chance.randrange(100)))
        elif kind == 1:
            await socket.send(self.text()[:3000].encode("utf-8", "replace").decode())
        else:
            message = {"type": chance.choice(TYPES), "ref": chance.randrange(9), "ply": chance.randrange(3)}
            message["move"] = chance.choice(["d4", "a1", "a", "a2-a3"])
            if chance.random() < 0.5:
                message[chance.choice(NAMES)] = self.value()
            await socket.send(json.dumps(message))
        with contextlib.suppress(TimeoutError):
            answer = json.loads(await asyncio.wait_for(socket.recv(), 0.05))
            self.answers[f"ws {answer['type']}"] += 1
            if answer.get("code") == "broken":
                self.problems.append("the server says over WebSocket that it made a mistake")

    async def break_frames(self) -> None:
        """A handshake, then bytes that are no frames of the protocol."""
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET /ws/v1/sessions/{self.chance.choice(self.sessions)} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        )
        await self._exchange(head.encode() + os.urandom(self.chance.randrange(1, 500)), whole=False)


class Honest:
    """Two people at one screen who play on whatever happens around them."""

    def __init__(self, address: str, game: str) -> None:
        self.web = httpx.AsyncClient(base_url=address, timeout=30)
        self.game = game
        self.moves: list[str] = []

    async def begin(self) -> str:
        await self.web.get("/api/v1/me")
        made = await self.web.post("/api/v1/sessions", json={"game": self.game, "opponent": {"kind": "local"}})
        self.id = str(made.json()["id"])
        return self.id

    async def play(self, chance: random.Random) -> None:
        while (session := (await self.web.get(f"/api/v1/sessions/{self.id}")).json())["status"] == "playing":
            move = chance.choice(session["view"]["moves"])["text"]
            body = {"ply": len(self.moves), "move": move}
            (await self.web.post(f"/api/v1/sessions/{self.id}/moves", json=body)).raise_for_status()
            self.moves.append(move)
            await asyncio.sleep(0.5)

    async def has_lost(self) -> bool:
        session = (await self.web.get(f"/api/v1/sessions/{self.id}")).json()
        # One more may be stored, whose answer was under way when the run ended.
        return [entry["text"] for entry in session["history"]][: len(self.moves)] != self.moves


async def run(server: ProcessServer, log: Path, messages: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    attack = Attack(server, chance)
    honest = [Honest(server.address, game) for game in GAMES]
    attack.sessions = [await one.begin() for one in honest]
    described = (await honest[0].web.get("/api/v1/openapi.json")).json()["paths"]
    attack.routes = [(path, [method.upper() for method in methods]) for path, methods in described.items()]
    attack.routes += [
        (path, ["GET"]) for path in ("/", "/g/x", "/assets/../../x", "/ws/v1/sessions/x", "/api/" + "a" * 3000)
    ]
    for game in GAMES:  # games of their own, in which they may do as they like
        wish = {"game": game, "opponent": {"kind": "local"}}
        made = httpx.post(f"{server.address}/api/v1/sessions", json=wish)
        attack.sessions.append(made.json()["id"])
    held = [await attack.hold() for _ in range(HELD)]
    playing = [asyncio.create_task(one.play(random.Random(number))) for number, one in enumerate(honest)]
    sent = 0
    first = 0.0

    async def throw() -> None:
        nonlocal sent
        while sent < messages:
            kind = chance.random()
            count = chance.randrange(1, 20) if kind < 0.1 else 1
            sent += count
            with contextlib.suppress(ConnectionError, TimeoutError):
                if kind < 0.1:
                    await attack.talk(count)
                elif kind < 0.15:
                    await attack.break_frames()
                else:
                    await attack.http()

    throwers = [asyncio.create_task(throw()) for _ in range(AT_ONCE)]
    told = 0
    while not all(thrower.done() for thrower in throwers):
        await asyncio.sleep(0.5)
        if not first and sent >= messages / 5:
            first = _memory(server)
        if sent - told >= messages / 5:
            told = sent
            print(f"{sent} messages, {_memory(server):.0f} MiB, {len(attack.problems)} problems", flush=True)
    await asyncio.gather(*throwers)
    for writer in held:
        writer.close()
    for ended in playing:
        ended.cancel()
    for outcome in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(outcome, Exception):
            attack.problems.append(f"somebody who played was disturbed: {outcome!r}")
    for one in honest:
        if await one.has_lost():
            attack.problems.append(f"{one.game}: a move is missing")
    print(f"{sum(len(one.moves) for one in honest)} moves of {len(honest)} games played meanwhile")
    print("answers:", ", ".join(f"{count} {status}" for status, count in sorted(attack.answers.items())))
    last = _memory(server)
    print(f"memory after a fifth of the messages {first:.0f} MiB, at the end {last:.0f} MiB")
    if last > first + FLAT:
        attack.problems.append("memory grew")
    for line in log.read_text("utf-8", "replace").splitlines():
        if '"trace"' in line or '"level": "error"' in line or "Traceback" in line:
            attack.problems.append(line[:2000])
    return attack.problems


async def reply_seconds(web: httpx.AsyncClient) -> float:
    """How long level 3 takes for its first move in a new game."""
    wish = {"game": "rastros", "opponent": {"kind": "engine", "level": 3}}
    address = f"/api/v1/sessions/{(await web.post('/api/v1/sessions', json=wish)).json()['id']}"
    begun = time.monotonic()
    (await web.post(f"{address}/moves", json={"ply": 0, "move": "d4"})).raise_for_status()
    while len((await web.get(address)).json()["history"]) < 2:
        await asyncio.sleep(0.02)
    return time.monotonic() - begun


async def ask_too_much(server: ProcessServer) -> list[str]:
    """One address fills the queue of the computer players: how long others wait for theirs."""
    wish = {"game": "hex", "opponent": {"kind": "engine", "level": 10}, "side": "second"}
    async with httpx.AsyncClient(base_url=server.address, timeout=600) as web:
        await web.get("/api/v1/me")
        await reply_seconds(web)  # the first one waits until engines have started
        alone = await reply_seconds(web)
        for _ in range(QUESTIONS):
            headers = {"X-Forwarded-For": "10.9.9.9"}
            httpx.post(f"{server.address}/api/v1/sessions", json=wish, headers=headers).raise_for_status()
        beside = [await reply_seconds(web) for _ in range(3)]
    longest = max(beside)
    print(f"level 3 moves after {alone:.1f} s; beside {QUESTIONS} questions of another address after {longest:.1f} s")
    return [f"a reply took {longest:.1f} s"] if longest > REPLY else []


def _memory(server: ProcessServer) -> float:
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}")
    with tempfile.TemporaryDirectory(prefix="tabuleiro-hostile-") as folder:
        log = Path(folder) / "log.jsonl"
        with log.open("wb") as file, ProcessServer("--data", folder, log=file) as server:
            problems = asyncio.run(run(server, log, wanted.messages, wanted.seed)) if wanted.messages else []
            problems += asyncio.run(ask_too_much(server))
    for problem in problems[:20]:
        print(f"PROBLEM: {problem}")
    print("it stood" if not problems else f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
