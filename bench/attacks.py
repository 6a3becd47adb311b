"""One address attacks at its full allowance, in ways that once worked, while somebody else plays:

python bench/attacks.py                    # all of them, a line or two each
python bench/attacks.py unread views       # some

For each it is said how long the moves of the others took, how long level 3 took to answer, and how much memory the
server had. The attacker asks as a visitor behind a proxy on this machine, from another process than the others, who do
the same; in `pairing`, `sheets` and `imports` it is an organiser, who may do more than others.
"""

import argparse
import asyncio
import base64
import contextlib
import math
import multiprocessing
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import httpx

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from championship.hostile import PROGRAMS, bomb, championship_file, lying, workbook
from server.people import ProcessServer
from server.school import first_organiser

Json = dict[str, Any]
ATTACKER, HONEST, SCHOOL = "10.9.9.9", "10.1.1.1", "10.2.2.2"
#: Seconds that an attack lasts.
SECONDS = 8.0
#: What must hold meanwhile: seconds for a reply of level 3 and for 95 moves of 100, MiB of the server's process and of
#: each that works for it.
REPLY, MOVE, MEMORY = 2.0, 0.15, 400
#: Attacks in which 99 moves of 100 must be in time.
STRICT = ("pairing", "sheets", "imports")
#: Players of the section that is paired.
SECTION = 500
CUPS = "/api/v1/championships"


class Target(NamedTuple):
    """The server that is attacked, as another process knows it."""

    address: str
    port: int
    pid: int
    #: Of its first organiser.
    cookies: dict[str, str]


def visitor(server: Target, address: str) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=None)
    return httpx.AsyncClient(base_url=server.address, timeout=60, headers={"X-Forwarded-For": address}, limits=limits)


def memory(server: Target) -> float:
    pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def most_memory(server: Target) -> tuple[float, float]:
    """The most MiB that the server has had, and that any of its processes has that live."""
    found = {server.pid: 0.0}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            pid, parent = int(stat.parent.name), int(stat.read_text().rpartition(")")[2].split()[1])
            if server.pid in (pid, parent):
                peak = re.search(r"VmHWM:\s+(\d+) kB", (stat.parent / "status").read_text())
                found[pid] = int(peak[1]) / 1024 if peak else 0.0
    own = found.pop(server.pid)
    return own, max(found.values(), default=0.0)


class Others:
    """People at another address: two at one screen, and one against level 3."""

    def __init__(self, server: Target) -> None:
        self.web = visitor(server, HONEST)
        self.moves: list[float] = []
        self.replies: list[float] = []
        self.refused = 0

    async def _create(self, opponent: Json) -> str:
        made = await self.web.post("/api/v1/sessions", json={"game": "hex", "opponent": opponent})
        return f"/api/v1/sessions/{made.json()['id']}"

    async def _move(self, address: str, session: Json) -> float:
        body = {"ply": len(session["history"]), "move": session["view"]["moves"][0]["text"]}
        begun = time.monotonic()
        answer = await self.web.post(f"{address}/moves", json=body)
        self.refused += answer.status_code == 429
        return time.monotonic() - begun

    async def play(self) -> None:
        await self.web.get("/api/v1/me")
        while True:
            address = await self._create({"kind": "local"})
            while (session := (await self.web.get(address)).json())["status"] == "playing":
                self.moves.append(await self._move(address, session))
                await asyncio.sleep(0.1)

    async def ask_level_3(self) -> None:
        while True:
            address = await self._create({"kind": "engine", "level": 3})
            while (session := (await self.web.get(address)).json())["status"] == "playing":
                await self._ask(address, session)

    async def _ask(self, address: str, session: Json) -> None:
        """Move, and wait for the reply."""
        plies, begun = len(session["history"]), time.monotonic()
        await self._move(address, session)
        while len((session := (await self.web.get(address)).json())["history"]) < plies + 2:
            if session["status"] == "over":
                return
            await asyncio.sleep(0.05)
        self.replies.append(time.monotonic() - begun)

    def _slowest(self, part: float) -> float:
        """The seconds in which so many of the moves were made."""
        moves = sorted(self.moves) or [math.inf]
        return moves[int(part * (len(moves) - 1))]

    def told(self) -> str:
        half, slow, slower = (1000 * self._slowest(part) for part in (0.5, 0.95, 0.99))
        return (
            f"{len(self.moves)} moves, p50 {half:.0f} ms, p95 {slow:.0f} ms, p99 {slower:.0f} ms; "
            f"{len(self.replies)} replies of level 3 after {max(self.replies, default=math.inf):.1f} s at most; "
            f"{self.refused} refused"
        )

    def problems(self, part: float) -> list[str]:
        """What was not as it must be, where so many of the moves must be in time."""
        found = ["others were refused"] if self.refused else []
        if self._slowest(part) > MOVE:
            found.append("moves were slow")
        if max(self.replies, default=math.inf) > REPLY:
            found.append("a reply was slow, or none came")
        return found


async def repeat(pace: float, ask: Callable[[], Awaitable[Any]]) -> int:
    """Ask again and again, so many times a second, without waiting for answers; how often."""
    asked: list[asyncio.Task[Any]] = []
    ends, begun = time.monotonic() + SECONDS, time.monotonic()
    while time.monotonic() < ends:
        while len(asked) < pace * (time.monotonic() - begun):
            asked.append(asyncio.ensure_future(ask()))
        await asyncio.sleep(0.01)
    await asyncio.gather(*asked, return_exceptions=True)
    return len(asked)


async def nothing(server: Target) -> str:
    """Nobody attacks: what this machine gives the others."""
    await asyncio.sleep(SECONDS)
    return "nobody attacks"


async def views(server: Target) -> str:
    """A session with a large board is asked for as often as one address may."""
    async with visitor(server, ATTACKER) as web:
        wish = {"game": "hex", "options": {"size": "19"}, "opponent": {"kind": "local"}}
        address = f"/api/v1/sessions/{(await web.post('/api/v1/sessions', json=wish)).json()['id']}"
        return f"{await repeat(200, lambda: web.get(address))} views"


async def codes(server: Target) -> str:
    """The QR code of a session is."""
    async with visitor(server, ATTACKER) as web:
        wish = {"game": "rastros", "opponent": {"kind": "local"}}
        address = f"/api/v1/sessions/{(await web.post('/api/v1/sessions', json=wish)).json()['id']}/qr.svg"
        return f"{await repeat(200, lambda: web.get(address))} QR codes"


async def bodies(server: Target) -> str:
    """Lines as long as a body may be."""
    body = {"game": "ouri", "moves": ["a" * 20] * 20_000}
    statuses: list[int] = []

    async with visitor(server, ATTACKER) as web:

        async def ask() -> None:
            statuses.append((await web.post("/api/v1/positions", json=body)).status_code)

        count = await repeat(50, ask)
    return f"{count} bodies of 500 KiB, {statuses.count(429)} refused"


def _socket(server: Target, path: str, cookie: str = "") -> socket.socket:
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", server.port))
    line.sendall(
        f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {ATTACKER}\r\nCookie: {cookie}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode()
    )
    return line


async def unread(server: Target) -> str:
    """Many watch a long game and do not read."""
    async with visitor(server, ATTACKER) as web:
        wish = {"game": "ouri", "opponent": {"kind": "local"}, "options": {"cycle_threshold": "off"}}
        name = (await web.post("/api/v1/sessions", json=wish)).json()["id"]
        address = f"/api/v1/sessions/{name}"
        before = memory(server)
        lines = [_socket(server, f"/ws/v1/sessions/{name}") for _ in range(150)]
        ends = time.monotonic() + SECONDS
        moves = 0
        while time.monotonic() < ends:
            session = (await web.get(address)).json()
            if session["status"] != "playing":
                break
            body = {"ply": len(session["history"]), "move": session["view"]["moves"][-1]["text"]}
            await web.post(f"{address}/moves", json=body)
            moves += 1
        after = memory(server)
        for line in lines:
            line.close()
    return f"150 who do not read, {moves} moves: memory {before:.0f} -> {after:.0f} MiB"


async def connections(server: Target) -> str:
    """One visitor behind the proxy holds 800 connections."""
    head = f"POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {ATTACKER}\r\nContent-Length: 9\r\n\r\n"
    held = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(800)]
    for _, writer in held:
        writer.write(head.encode())
    async with visitor(server, SCHOOL) as web:
        statuses = [(await web.get("/api/v1/me")).status_code for _ in range(108)]
    await asyncio.sleep(SECONDS / 2)
    for _, writer in held:
        writer.transport.abort()
    return f"800 connections of one visitor: of 108 requests of another {statuses.count(429)} refused"


async def cookies(server: Target) -> str:
    """A hundred made-up cookies analyse; then somebody who has played wants to."""
    refused: list[int] = []
    async with visitor(server, ATTACKER) as web:

        async def analyse(cookie: str) -> None:
            body = {"game": "abalone", "seconds": 60}
            headers = {"Cookie": f"tabuleiro={cookie}"}
            async with web.stream("POST", "/api/v1/analyses", json=body, headers=headers) as answer:
                refused.append(answer.status_code)
                async for _ in answer.aiter_lines():
                    pass

        running = [asyncio.create_task(analyse(secrets.token_urlsafe(32))) for _ in range(100)]
        await asyncio.sleep(SECONDS / 2)
        # Somebody behind the same address who has begun a game.
        await web.get("/api/v1/me")
        await web.post("/api/v1/sessions", json={"game": "rastros", "opponent": {"kind": "local"}})
        async with web.stream("POST", "/api/v1/analyses", json={"game": "abalone", "seconds": 1}) as answer:
            status = answer.status_code
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    return f"100 made-up cookies analyse, {refused.count(429)} are refused; a pupil behind the same address: {status}"


async def messages(server: Target) -> str:
    """Connections to games of their own, each of which says something as often as it may: moves that are illegal."""
    async with visitor(server, ATTACKER) as web:
        lines = []
        for _ in range(10):
            made = await web.post("/api/v1/sessions", json={"game": "hex", "opponent": {"kind": "local"}})
            path, cookie = f"/ws/v1/sessions/{made.json()['id']}", f"tabuleiro={web.cookies['tabuleiro']}"
            lines += [_socket(server, path, cookie) for _ in range(40)]
    await asyncio.sleep(1)
    text = b'{"type":"move","ply":0,"move":"z99"}'
    message = bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text
    sent, ends = 0, time.monotonic() + SECONDS
    while time.monotonic() < ends:
        for line in lines:
            line.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                line.send(message)
                sent += 1
                line.recv(65_536)
        await asyncio.sleep(0.1)
    for line in lines:
        line.close()
    return f"{len(lines)} connections say {sent} things"


async def fragments(server: Target) -> str:
    """Connections begin a message and go on with empty fragments, at the bytes a second that a connection may send."""
    async with visitor(server, ATTACKER) as web:
        made = await web.post("/api/v1/sessions", json={"game": "hex", "opponent": {"kind": "local"}})
    lines = [_socket(server, f"/ws/v1/sessions/{made.json()['id']}") for _ in range(16)]
    await asyncio.sleep(1)
    before, begin, empty = memory(server), b"\x01\x80" + bytes(4), b"\x00\x80" + bytes(4)
    for line in lines:
        line.setblocking(False)
        line.send(begin)
    dropped: set[socket.socket] = set()
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        for line in {*lines} - dropped:
            try:
                line.send(empty * 500)
            except BlockingIOError:
                pass
            except OSError:
                dropped.add(line)
        await asyncio.sleep(0.1)
    after = memory(server)
    for line in lines:
        line.close()
    return f"{len(lines)} messages of empty fragments, {len(dropped)} dropped: memory {before:.0f} -> {after:.0f} MiB"


#: What costs the server most to answer, of what anybody may ask for; the times a second that one address may.
COSTLY_PAGES = ("/api/v1/worksheets/hex", "/api/v1/openapi.json", "/api/v1/puzzles", "/api/v1/championships/templates")
COSTLY_QUESTIONS = (
    ("/api/v1/pictures", {"game": "hex", "options": {"size": "19"}, "moves": []}, 60),
    ("/api/v1/positions", {"game": "hex", "options": {"size": "19"}, "moves": []}, 50),
    ("/api/v1/openings", {"game": "hex", "moves": []}, 50),
)


async def answers(server: Target) -> str:
    """What costs most to answer is asked for, all of it as often as one address may."""
    statuses: list[int] = []

    async with visitor(server, ATTACKER) as web:

        async def ask(method: str, path: str, body: Json | None = None) -> None:
            statuses.append((await web.request(method, path, json=body)).status_code)

        await asyncio.gather(
            *(repeat(200 / len(COSTLY_PAGES), partial(ask, "GET", path)) for path in COSTLY_PAGES),
            *(repeat(pace, partial(ask, "POST", path, body)) for path, body, pace in COSTLY_QUESTIONS),
        )
    return f"{len(statuses)} costly answers, {statuses.count(429)} refused"


async def school(server: Target) -> str:
    """Thirty pupils behind one address: 480 requests, 2,000 moves, 30 analyses, 30 reports in two minutes."""
    statuses: list[int] = []

    async def pupil(number: int) -> None:
        async with visitor(server, SCHOOL) as web:

            async def ask(method: str, path: str, body: Json | None = None) -> Any:
                answer = await web.request(method, path, json=body)
                statuses.append(answer.status_code)
                return answer.json() if answer.headers["content-type"].startswith("application/json") else None

            await ask("GET", "/api/v1/me")
            line: list[str] = []
            for _ in range(2):
                made = await ask("POST", "/api/v1/sessions", {"game": "hex", "opponent": {"kind": "local"}})
                address, line = f"/api/v1/sessions/{made['id']}", []
                for ply in range(34):
                    move = (await ask("GET", address))["view"]["moves"][(7 * number + ply) % 50]["text"]
                    line.append(move)
                    await ask("POST", f"{address}/moves", {"ply": ply, "move": move})
                    await asyncio.sleep(0.5)
            await ask("POST", "/api/v1/analyses", {"game": "hex", "moves": line, "seconds": 1})
            await ask("POST", "/api/v1/reports", {"game": "hex", "moves": line})

    begun = time.monotonic()
    await asyncio.gather(*(pupil(number) for number in range(30)))
    refused = sum(status >= 400 for status in statuses)
    lasted = time.monotonic() - begun
    return f"30 pupils behind one address: {len(statuses)} requests in {lasted:.0f} s, {refused} refused"


def organiser(server: Target) -> httpx.AsyncClient:
    """The first organiser, behind the attacker's address."""
    web = visitor(server, ATTACKER)
    web.cookies.update(server.cookies)
    return web


async def _new_cup(web: httpx.AsyncClient) -> str:
    made = await web.post(CUPS, json={"quick": {"game": "rastros", "format": "swiss"}})
    return f"{CUPS}/{made.json()['id']}"


async def pairing(server: Target) -> str:
    """Sections as large as a championship can have are registered, drawn, paired and looked at."""
    names = "\n".join(f"Aluno {number // 26:03} {chr(65 + number % 26)}" for number in range(SECTION))
    took: list[float] = []
    async with organiser(server) as web:
        ends = time.monotonic() + 2 * SECONDS
        while time.monotonic() < ends:
            cup = await _new_cup(web)
            for path, body in (("entries", {"names": names}), ("draws", {}), ("rounds", {})):
                begun = time.monotonic()
                (await web.post(f"{cup}/{path}", json=body)).raise_for_status()
            took.append(time.monotonic() - begun)
            (await web.get(f"{cup}/groups/rastros-all/1/1")).raise_for_status()
    return f"{len(took)} rounds of {SECTION} paired in {max(took):.1f} s at most"


async def sheets(server: Target) -> str:
    """Small XLSX files that unpack to much, say so or not, or take long to read."""
    files = (
        bomb(60_000_000),
        lying(workbook(padding=200_000_000), "xl/workbook.xml", 300),
        workbook(strings=b"<si><t>a</t></si>" * 250_000),
        bomb(9_000_000),
    )
    bodies = [{"file": base64.b64encode(file).decode()} for file in files]
    statuses: list[int] = []
    async with organiser(server) as web:
        cup = await _new_cup(web)

        async def ask() -> None:
            for body in bodies:
                statuses.append((await web.post(f"{cup}/entries", json=body)).status_code)

        await asyncio.gather(*(ask() for _ in range(3)), return_exceptions=True)
    sizes = ", ".join(f"{len(file) // 1024} KiB" for file in files)
    return f"{len(statuses)} files of {sizes}: {sum(400 <= status < 500 for status in statuses)} refused"


async def imports(server: Target) -> str:
    """Championship files that hold a query without an end, more of them than a server has threads."""
    with tempfile.TemporaryDirectory() as folder:
        data = championship_file(Path(folder) / "sent", PROGRAMS["an endless view"])
    body = {"file": base64.b64encode(data).decode()}
    statuses: list[int] = []
    async with organiser(server) as web:
        web.timeout = httpx.Timeout(SECONDS)

        async def ask() -> None:
            statuses.append((await web.post(f"{CUPS}/import", json=body)).status_code)

        begun = time.monotonic()
        await asyncio.gather(*(ask() for _ in range(16)), return_exceptions=True)
        lasted = time.monotonic() - begun
        await asyncio.sleep(max(0.0, SECONDS - lasted))
    return f"16 files without an end: {statuses.count(400)} refused within {lasted:.1f} s"


ATTACKS = {
    each.__name__: each
    for each in (
        nothing,
        views,
        codes,
        bodies,
        answers,
        messages,
        fragments,
        unread,
        connections,
        cookies,
        school,
        pairing,
        sheets,
        imports,
    )
}


def attack(name: str, server: Target, told: "Connection[str, str]") -> None:
    """An attack, in a process of its own: else its own work would keep the others waiting who are measured."""
    told.send(asyncio.run(ATTACKS[name](server)))


async def run(names: list[str]) -> list[str]:
    problems: list[str] = []
    for name in names:
        with tempfile.TemporaryDirectory(prefix="tabuleiro-attack-") as folder:
            log = Path(folder) / "log.jsonl"
            with log.open("wb") as file:
                started = ProcessServer("--data", folder, log=file)
                try:
                    with started:
                        cookies = dict(first_organiser(Path(folder), started.address).web.cookies)
                        server = Target(started.address, started.port, started.process.pid, cookies)
                        found = await _suffer(name, server)
                except subprocess.TimeoutExpired:
                    started.process.kill()
                    started.process.wait()
                    found.append("the server does not end when it is told to")
        problems += [f"{name}: {problem}" for problem in found]
    return problems


async def _suffer(name: str, server: Target) -> list[str]:
    """Let a server be attacked while others play; what was not as it must be."""
    spawn = multiprocessing.get_context("spawn")
    others = Others(server)
    playing = [asyncio.create_task(others.play())]
    await asyncio.sleep(2)
    playing.append(asyncio.create_task(others.ask_level_3()))
    await asyncio.sleep(3)  # engines have started
    others.moves.clear()
    others.replies.clear()
    hear, tell = spawn.Pipe(duplex=False)
    attacker = spawn.Process(target=attack, args=(name, server, tell))
    attacker.start()
    tell.close()  # if the attacker fails nobody else is waited for
    said = await asyncio.to_thread(hear.recv)
    attacker.join()
    most, apart = most_memory(server)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await others.web.aclose()
    print(f"{name}: {said}\n    others: {others.told()}; memory {most:.0f} MiB, apart {apart:.0f} MiB", flush=True)
    found = others.problems(0.99 if name in STRICT else 0.95)
    return found + (["too much memory"] if max(most, apart) > MEMORY else [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"some of: {', '.join(ATTACKS)}")
    names: list[str] = parser.parse_args().attacks or [*ATTACKS]
    if unknown := [name for name in names if name not in ATTACKS]:
        parser.error(f"there is no attack {', '.join(unknown)}; there are {', '.join(ATTACKS)}")
    problems = asyncio.run(run(names))
    for problem in problems:
        print(f"PROBLEM: {problem}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
