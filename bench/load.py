"""Many live games at once, played from this process against a server of its own on loopback:

python bench/load.py --games 1000 --seconds 60
python bench/load.py --games 200 --workers 2          # two processes with PostgreSQL and Redis
python bench/load.py --games 100 --flood 200          # while somebody sends without end over that many connections

Each game has two players, each with a connection of their own, and moves once a second. Measured are the time from
sending a move to its acknowledgement, and to the moment the opponent sees it. At the end every game is asked for again:
whatever was acknowledged must be there. With several processes, a connection is served by whichever takes it; it is
said in how many games the players are at different ones.
"""

import argparse
import asyncio
import base64
import contextlib
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, cast

import httpx
import orjson
import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.neighbours import running_postgresql, running_redis
from server.people import ProcessServer
from tabuleiro import GAMES

Json = dict[str, Any]
TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
#: Connections and requests that are being made at the same time.
AT_ONCE = 20


class Connection(asyncio.Protocol):
    """A WebSocket with the bare necessities: it costs this process little, so that the server has the machine."""

    def __init__(self, host: str, path: str, cookie: str, hear: Callable[[bytes], None]) -> None:
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: tabuleiro={cookie}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
        )
        self._hear = hear
        self._buffer = bytearray()
        self._upgraded = False
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request.encode())

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._upgraded:
            head, separator, rest = self._buffer.partition(b"\r\n\r\n")
            if not separator:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._buffer, self._upgraded = rest, True
        while (frame := self._take_frame()) is not None:
            kind, payload = frame
            if kind == TEXT:
                self._hear(payload)
            elif kind == PING:
                self._send(PONG, payload)
            elif kind == CLOSE:
                self._transport.close()

    def _take_frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        length, start = buffer[1], 2
        if length >= 126:
            start = 4 if length == 126 else 10
            if len(buffer) < start:
                return None
            length = int.from_bytes(buffer[2:start])
        if len(buffer) < start + length:
            return None
        payload = bytes(buffer[start : start + length])
        kind = buffer[0] & 0x0F
        del buffer[: start + length]
        return kind, payload

    def say(self, message: Json) -> None:
        self._send(TEXT, orjson.dumps(message))

    def _send(self, kind: int, payload: bytes) -> None:
        # A mask of zeros leaves the text as it is.
        length = len(payload).to_bytes(1) if len(payload) < 126 else b"\x7e" + len(payload).to_bytes(2)
        self._transport.write(bytes([0x80 | kind, 0x80 | length[0]]) + length[1:] + bytes(4) + payload)

    def close(self) -> None:
        self._transport.close()

    @property
    def port(self) -> int:
        """Its end here."""
        port: int = self._transport.get_extra_info("sockname")[1]
        return port


class Tally:
    def __init__(self) -> None:
        self.acknowledged: list[float] = []
        self.shown: list[float] = []
        self.errors: dict[str, int] = {}
        self.late = 0
        self.counting = False

    def error(self, code: str) -> None:
        self.errors[code] = self.errors.get(code, 0) + 1


class Match:
    """One game and its two players, one of whom moves every second."""

    def __init__(self, load: "Load", game: str) -> None:
        self.load = load
        self.game = game
        #: The tokens that the server gave the players.
        self.cookies: dict[int, str] = {}
        self.lines: dict[int, Connection] = {}
        self.session_id = ""
        #: The last message with a position that each player was sent.
        self.newest: dict[int, bytes] = {}
        self.moves: list[str] = []
        #: Whether an answer is awaited, and the move that was sent, if it was one.
        self.waiting = False
        self.move: str | None = None
        self.mover = 0
        self.sent_at = 0.0
        self.rematch: asyncio.Future[str] | None = None

    async def begin(self) -> None:
        wish = {"game": self.game, "opponent": {"kind": "friend"}, "side": "first"}
        made, self.cookies[1] = await self.load.arrive("/api/v1/sessions", wish)
        self.session_id = made["id"]
        _, self.cookies[2] = await self.load.arrive(f"/api/v1/sessions/{self.session_id}/join")
        await self._sit_down()

    async def _sit_down(self) -> None:
        self.newest.clear()
        for seat, cookie in self.cookies.items():
            self.lines[seat] = await self.load.connect(self.session_id, cookie, partial(self._hear, seat))
        while len(self.newest) < 2:
            await asyncio.sleep(0.01)

    def _hear(self, seat: int, text: bytes) -> None:
        now, tally = time.perf_counter(), self.load.tally
        if text.startswith(b'{"type":"ack"'):
            if self.move is not None:
                self.moves.append(self.move)
                if tally.counting:
                    tally.acknowledged.append(now - self.sent_at)
            self.move, self.waiting = None, False
        elif text.startswith((b'{"type":"change"', b'{"type":"event"', b'{"type":"session"')):
            if b'"kind":"move"' in text[:60] and seat != self.mover and tally.counting:
                tally.shown.append(now - self.sent_at)
            if b'"view":' in text:  # who came or went changes no position
                self.newest[seat] = text
            if b'"kind":"rematch"' in text[:60] and self.rematch is not None and not self.rematch.done():
                self.rematch.set_result(orjson.loads(text)["session"]["rematch"])
        else:
            tally.error(orjson.loads(text).get("code", "strange"))

    async def play(self) -> None:
        """Move once a second until told otherwise; when the game is over, begin the next."""
        due = time.perf_counter() + random.random()
        while not self.load.ending:
            # By a clock of its own: were the next second counted from now, all who were late once would move together
            # ever after, more of them with every minute, as no people do.
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await self._move()
            due += 1

    async def _move(self) -> None:
        if any(line.lost for line in self.lines.values()):
            self.load.tally.error("connection lost")
            await self._sit_down()
        if self.waiting:
            self.load.tally.late += self.load.tally.counting
            return
        session = orjson.loads(max(self.newest.values(), key=_number))["session"]
        if session["status"] == "over":
            await self._play_again()
            return
        self.mover = session["view"]["turn"]
        self.move, self.waiting = random.choice(session["view"]["moves"])["text"], True
        self.sent_at = time.perf_counter()
        self.lines[self.mover].say({"type": "move", "ply": _plies(session["history"]), "move": self.move})

    async def _play_again(self) -> None:
        self.load.finished.append((self.session_id, self.moves))
        self.rematch = asyncio.get_running_loop().create_future()
        self.waiting = True
        self.lines[1].say({"type": "rematch"})
        self.session_id = await self.rematch
        while self.waiting:
            await asyncio.sleep(0.01)
        for line in self.lines.values():
            line.close()
        self.cookies = {1: self.cookies[2], 2: self.cookies[1]}
        self.moves = []
        await self._sit_down()


def _plies(history: Any) -> int:
    """How many moves were made: a change tells how many are as they were, and those that follow."""
    return history["kept"] + len(history["moves"]) if isinstance(history, dict) else len(history)


def _number(message: bytes) -> int:
    """The number of the last event that a message knows of."""
    start = message.index(b'"number":', message.index(b'"session":')) + 9
    return int(message[start : message.index(b",", start)])


class Load:
    def __init__(self, address: str, web: httpx.AsyncClient) -> None:
        self.host = address.removeprefix("http://")
        self.web = web
        self.tally = Tally()
        self.finished: list[tuple[str, list[str]]] = []
        self.ending = False
        #: What analyses have told.
        self.analysed = 0
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def arrive(self, path: str, body: Json | None = None) -> tuple[Json, str]:
        """Ask for something as somebody who was not here before: the answer, and the token one is given with it."""
        async with self._gate:
            answer = await self.web.post(path, json=body)
        answer.raise_for_status()
        found: Json = answer.json()
        return found, SimpleCookie(answer.headers["set-cookie"])["tabuleiro"].value

    async def connect(self, session_id: str, cookie: str, hear: Callable[[bytes], None]) -> Connection:
        name, _, port = self.host.partition(":")
        async with self._gate:
            _, line = await asyncio.get_running_loop().create_connection(
                lambda: Connection(self.host, f"/ws/v1/sessions/{session_id}?changes=1", cookie, hear), name, int(port)
            )
        return line

    async def analyse(self, game: str) -> None:
        """Have a position analysed until told otherwise, as somebody with the page open: what is proven at once is not
        asked for again at once."""
        _, token = await self.arrive("/api/v1/sessions", {"game": game, "opponent": {"kind": "local"}})
        headers = {"Cookie": f"tabuleiro={token}"}
        while not self.ending:
            body = {"game": game, "lines": 3, "seconds": 60}
            async with self.web.stream("POST", "/api/v1/analyses", json=body, headers=headers) as answer:
                if answer.status_code != 200:
                    self.tally.error(f"analysis {answer.status_code}")
                    return
                async for _ in answer.aiter_lines():
                    self.analysed += 1
                    if self.ending:
                        return
            await asyncio.sleep(1)

    async def missing(self, matches: list[Match]) -> int:
        """How many acknowledged moves the server does not know. A process that has not heard yet of what another stored
        is asked once more."""
        played = [*self.finished, *((match.session_id, match.moves) for match in matches)]
        if behind := [game for game in played if await self._lacks(*game)]:
            print(f"{len(behind)} games were asked of a process that had not heard of their last moves yet", flush=True)
            await asyncio.sleep(5)
        return sum([await self._lacks(*game) for game in behind])

    async def _lacks(self, session_id: str, moves: list[str]) -> int:
        session = (await self.web.get(f"/api/v1/sessions/{session_id}")).json()
        stored = [entry["text"] for entry in session["history"]]
        return sum(stored[ply : ply + 1] != [move] for ply, move in enumerate(moves))


class Usage:
    """Processor time and memory of the server's processes."""

    def __init__(self, root: int) -> None:
        self.root = root

    def processes(self) -> list[int]:
        family, waiting = [], [self.root]
        while waiting:
            family.append(process := waiting.pop())
            for tasks in Path(f"/proc/{process}/task").glob("*/children"):
                waiting += [int(child) for child in tasks.read_text().split()]
        return family

    @staticmethod
    def cpu(processes: set[int]) -> float:
        """The seconds for which some processes ran."""
        ticks = 0
        for process in processes:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    @staticmethod
    def memory(processes: set[int]) -> float:
        """Of some processes, in MiB."""
        pages = sum(int(Path(f"/proc/{process}/statm").read_text().split()[1]) for process in processes)
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def homes(self, port: int) -> dict[int, int]:
        """Which process serves each connection to a port, by the port at the other end. Takes long with many: nobody
        must be playing meanwhile."""
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        ends = {fields[9]: int(fields[2][-4:], 16) for fields in lines if int(fields[1][-4:], 16) == port}
        homes = {}
        for process in self.processes():
            for file in Path(f"/proc/{process}/fd").iterdir():
                with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                    inode = str(file.readlink()).removeprefix("socket:[").removesuffix("]")
                    if ends.get(inode):
                        homes[ends[inode]] = process
        return homes


def percentiles(times: list[float]) -> str:
    ordered = sorted(times) or [0.0]
    points = {f"p{point}": ordered[min(len(ordered) - 1, int(len(ordered) * point / 100))] for point in (50, 90, 99)}
    return ", ".join(f"{name} {1000 * value:.1f} ms" for name, value in {**points, "max": ordered[-1]}.items())


def flood(port: int, count: int) -> None:
    """Another program at another address, whose connections send requests, a head or pings without end."""
    ask = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    upgrade = (
        b"GET /ws/v1/sessions/abcdefghjkmn HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    ping = bytes([0x80 | PING, 0x80 | 125]) + bytes(4 + 125)
    sayings = [(b"", ask * 100), (b"GET / HTTP/1.1\r\n", b"X: " + b"a" * 10_000), (upgrade, ping * 100)]

    async def rave(first: bytes, more: bytes) -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
                writer.write(first)
                while not reader.at_eof() and not writer.is_closing():
                    writer.write(more)
                    await writer.drain()
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(1 << 20), 0.01)
                writer.transport.abort()

    async def all_of_them() -> None:
        await asyncio.gather(*(rave(*sayings[number % len(sayings)]) for number in range(count)))

    asyncio.run(all_of_them())


async def run(server: ProcessServer, games: int, seconds: float, analyses: int, flooding: int) -> bool:
    usage = Usage(server.process.pid)
    # Everybody uses the same client, so it must keep no cookies.
    forgetful = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=server.address, timeout=60, limits=limits, cookies=forgetful) as web:
        load = Load(server.address, web)
        names = [*GAMES]
        matches = [Match(load, names[number % len(names)]) for number in range(games)]
        print(f"setting up {games} games …", flush=True)
        await asyncio.gather(*(match.begin() for match in matches))
        homes = usage.homes(server.port)
        serving = {*homes.values()}
        apart = sum(len({homes.get(line.port) for line in match.lines.values()}) > 1 for match in matches)
        print(f"{len(serving)} processes serve; in {apart} games the players are at different ones", flush=True)
        playing = [asyncio.create_task(match.play()) for match in matches]
        analysing = [asyncio.create_task(load.analyse(names[number % len(names)])) for number in range(analyses)]
        if flooding:
            spawn = multiprocessing.get_context("spawn")
            spawn.Process(target=flood, args=(server.port, flooding), daemon=True).start()
        await asyncio.sleep(5)  # until everybody has begun
        tally = load.tally
        tally.counting = True
        begun, cpu, own = time.monotonic(), usage.cpu(serving), time.process_time()
        print(f"memory at the beginning: {usage.memory(serving):.0f} MiB", flush=True)
        for _ in range(max(1, round(seconds / 10))):
            await asyncio.sleep(min(10, seconds))
            done = f"{len(tally.acknowledged)} moves, {len(load.finished)} games over, {tally.errors or 'no errors'}"
            print(f"{time.monotonic() - begun:4.0f} s: {done}, {usage.memory(serving):.0f} MiB", flush=True)
        tally.counting = False
        lasted = time.monotonic() - begun
        cpu, own = (usage.cpu(serving) - cpu) / lasted, (time.process_time() - own) / lasted
        pace = len(tally.acknowledged) / lasted
        print(f"{pace:.0f} moves a second; server {cpu:.0%} of a core, this program {own:.0%}")
        print(f"{1000 * cpu / max(pace, 1):.2f} ms of processor time a move")
        print(f"acknowledged: {percentiles(tally.acknowledged)}")
        if analyses:
            print(f"{analyses} analyses, {load.analysed} tellings")
        print(f"seen by the opponent: {percentiles(tally.shown)}")
        load.ending = True
        for ended in await asyncio.gather(*playing, *analysing, return_exceptions=True):
            if ended is not None:
                tally.error(repr(ended))
        lost = await load.missing(matches)
        print(f"errors: {tally.errors or 'none'}; moves not answered within a second: {tally.late}; lost moves: {lost}")
        return not lost and not tally.errors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1, help="more than one: with PostgreSQL and Redis")
    parser.add_argument("--analyses", type=int, default=0, help="how many people analyse at the same time")
    parser.add_argument("--flood", type=int, default=0, help="over how many connections somebody sends without end")
    wanted = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tabuleiro-load-"))
        arguments = ["--data", folder]
        if wanted.workers > 1:
            database, redis = stack.enter_context(running_postgresql()), stack.enter_context(running_redis())
            arguments = ["--database", database, "--redis", redis, "--workers", str(wanted.workers)]
        log = stack.enter_context((Path(folder) / "log.jsonl").open("wb"))
        server = stack.enter_context(ProcessServer(*arguments, log=log))
        sound = uvloop.run(run(server, wanted.games, wanted.seconds, wanted.analyses, wanted.flood))
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
