"""Breaks everything a server stands on, one thing after another by chance, while people play on:

python bench/chaos.py --minutes 30                       a SQLite file
python bench/chaos.py --minutes 30 --kind postgresql     PostgreSQL, Redis, two processes, behind nginx

Killed without warning: the server, one of its processes, a computer player, PostgreSQL, Redis, nginx. Stopped for
seconds: the same. The disk is full, or slow; the clock on the wall steps by a year; connections are left half-open.
What died is started again, as an init system would, and nothing else is done to help. A ledger holds every move that
was acknowledged: at the end all of them must be there, in their places, no move that nobody made, no clock may show
more time spent than has passed, and every game must go on. Anything else is printed, and the exit status is 1.
"""

import argparse
import asyncio
import contextlib
import os
import random
import resource
import shutil
import signal
import socket
import sqlite3
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.services import Nginx, Postgresql, Redis, Server, Service
from tabuleiro import GAMES

Json = dict[str, Any]
CLOCK = {"kind": "fischer", "minutes": 180, "increment": 0}
#: What a clock may be off by, in seconds: the server notes every two seconds that it runs.
CLOCK_SLACK = 10.0
#: The longest that a game may need, after the last fault is mended, until its next move is acknowledged.
RECOVERY = 120.0


class Match:
    """A game of two people, and the ledger of what they were told."""

    def __init__(self, chaos: "Chaos", number: int) -> None:
        self.chaos = chaos
        self.game = [*GAMES][number % len(GAMES)]
        #: Limits are by address, and a school is one; these people are not.
        self.headers = {"X-Forwarded-For": f"10.{number // 250}.{number % 250}.1"}
        self.id = ""
        self.cookies: dict[int, str] = {}
        self.begun = time.monotonic()
        #: Moves by ply: those acknowledged, and those that were sent and may have been stored.
        self.ledger: dict[int, str] = {}
        self.sent: dict[int, set[str]] = {}
        self.over = False
        self.went_on = time.monotonic()

    async def ask(self, method: str, path: str, player: int, body: Json | None = None) -> httpx.Response:
        cookie = {"Cookie": f"tabuleiro={self.cookies[player]}"} if player in self.cookies else {}
        answer = await self.chaos.web.request(method, path, json=body, headers={**self.headers, **cookie})
        if "set-cookie" in answer.headers:
            self.cookies[player] = SimpleCookie(answer.headers["set-cookie"])["tabuleiro"].value
        return answer

    async def begin(self) -> None:
        wish = {"game": self.game, "opponent": {"kind": "friend"}, "side": "first", "clock": CLOCK}
        made = await self.ask("POST", "/api/v1/sessions", 1, wish)
        if made.status_code != 201:
            return
        (await self.ask("POST", f"/api/v1/sessions/{made.json()['id']}/join", 2)).raise_for_status()
        self.id = made.json()["id"]

    async def play(self) -> None:
        """Move after move; whatever goes wrong is tried again."""
        while not self.over and not self.chaos.ending:
            with contextlib.suppress(httpx.HTTPError):
                if not self.id:
                    await self.begin()
                elif await self.move():
                    await asyncio.sleep(self.chaos.pace * random.uniform(0.5, 1.5))
                    continue
            await asyncio.sleep(0.3)

    async def move(self) -> bool:
        shown = await self.ask("GET", f"/api/v1/sessions/{self.id}", 1)
        if shown.status_code == 404:
            self.chaos.lost(f"{self.id} is gone")
            self.over = True
        if shown.status_code != 200:
            self.chaos.answers[shown.status_code] += 1
            return False
        session = shown.json()
        self.check(session)
        if session["status"] == "over":
            self.over = True
            return True
        ply, turn = len(session["history"]), session["view"]["turn"]
        text = random.choice(session["view"]["moves"])["text"]
        self.sent.setdefault(ply, set()).add(text)
        answer = await self.ask("POST", f"/api/v1/sessions/{self.id}/moves", turn, {"ply": ply, "move": text})
        self.chaos.answers[answer.status_code] += 1
        if answer.status_code == 200:
            self.ledger[ply] = text
            self.went_on = time.monotonic()
            self.chaos.acknowledged += 1
        return answer.status_code == 200

    def check(self, session: Json, *, at_the_end: bool = False) -> None:
        """What is shown holds everything that was acknowledged, nothing that nobody played, and no lost time. One of
        several processes may not have heard yet what another has stored, while Redis is away: that counts at the
        end."""
        shown = [entry["text"] for entry in session["history"]]
        for ply, text in self.ledger.items():
            if ply >= len(shown) and not at_the_end and self.chaos.services:
                self.chaos.late += 1
            elif ply >= len(shown) or shown[ply] != text:
                instead = shown[ply] if ply < len(shown) else "nothing"
                self.chaos.lost(f"{self.id}: move {ply + 1}, {text}, was acknowledged; now it is {instead}")
        for ply, text in enumerate(shown):
            if text not in self.sent.get(ply, ()):
                self.chaos.lost(f"{self.id}: nobody played {text} as move {ply + 1}")
        spent = 2 * session["clock"]["initial"] - sum(session["clock"]["left"].values())
        if spent > time.monotonic() - self.begun + CLOCK_SLACK or spent < -1:
            self.chaos.lost(f"{self.id}: the clocks say that {spent:.0f} s were spent")


class Chaos:
    def __init__(self, kind: str, folder: Path, games: int, pace: float) -> None:
        self.folder, self.pace, self.ending = folder, pace, False
        self.acknowledged, self.losses, self.slowest = 0, 0, 0.0
        #: How often a process showed less than another had acknowledged.
        self.late = 0
        self.answers: Counter[int] = Counter()
        self.done: Counter[str] = Counter()
        self.services: list[Service] = []
        if kind == "sqlite":
            self.database = folder / "data" / "tabuleiro.sqlite3"
            self.server = Server(folder, ["--data", str(folder / "data")])
            self.port = self.server.port
            faults = [self.full_disk, self.slow_file]
        else:
            self.postgresql, self.redis = Postgresql(folder), Redis(folder)
            self.services += [self.postgresql, self.redis]
            where = ["--database", self.postgresql.url, "--redis", self.redis.url, "--workers", "2"]
            self.server = Server(folder, where)
            self.nginx = Nginx(folder, self.server.port)
            self.port = self.nginx.port
            self.services.append(self.nginx)
            faults = [self.kill_neighbour, self.freeze_neighbour, self.lose_parent, self.slow_table]
        self.faults: list[Callable[[], Awaitable[None]]] = [
            *faults, self.kill_server, self.kill_process, self.freeze_server, self.half_open,
            *([self.step_clock] if self.server.can_step else []),
        ]  # fmt: skip
        # Everybody uses the same client, so it must keep no cookies.
        forgetful, limits = CookieJar(DefaultCookiePolicy(allowed_domains=[])), httpx.Limits(max_connections=200)
        self.web = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self.port}", timeout=10, limits=limits, cookies=forgetful
        )
        self.matches = [Match(self, number) for number in range(games)]

    def lost(self, what: str) -> None:
        self.losses += 1
        if self.losses <= 50:
            print(f"LOST: {what}", flush=True)

    # -- faults -----------------------------------------------------------------------------------------------------

    async def _up(self) -> None:
        await asyncio.to_thread(self.server.wait_until_up)

    async def kill_server(self) -> None:
        self.server.kill()
        await asyncio.sleep(random.uniform(0, 3))
        self.server.start()
        await self._up()

    async def kill_process(self) -> None:
        """A computer player, or one of several servers: the others replace it."""
        if children := self.server.children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(random.choice(children), signal.SIGKILL)
        await self._up()

    async def lose_parent(self) -> None:
        """The first process alone dies: those that it started must not hold the port for ever."""
        assert self.server.process is not None
        self.server.process.kill()
        self.server.wait()
        await asyncio.sleep(4)
        self.server.start()
        await self._up()

    async def freeze_server(self) -> None:
        self.server.signal(signal.SIGSTOP)
        await asyncio.sleep(random.uniform(0.5, 9))
        self.server.signal(signal.SIGCONT)
        await self._up()

    async def kill_neighbour(self) -> None:
        service = random.choice(self.services)
        self.done[f"kill {service.name}"] += 1
        service.kill()
        await asyncio.sleep(random.uniform(0, 4))
        service.start()
        await self._up()

    async def freeze_neighbour(self) -> None:
        service = random.choice(self.services)
        service.signal(signal.SIGSTOP)
        await asyncio.sleep(random.uniform(0.5, 6))
        service.signal(signal.SIGCONT)
        await self._up()

    async def full_disk(self) -> None:
        """No file of the server may grow any more, its log included."""
        assert self.server.process is not None
        pid = self.server.process.pid
        _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, most))
        await asyncio.sleep(random.uniform(1, 6))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))
        await self._up()

    async def slow_file(self) -> None:
        """Nobody can write for seconds."""

        def hold() -> None:
            with contextlib.closing(sqlite3.connect(self.database, isolation_level=None, timeout=5)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                time.sleep(random.uniform(1, 6))
                connection.execute("ROLLBACK")

        with contextlib.suppress(sqlite3.OperationalError):
            await asyncio.to_thread(hold)

    async def slow_table(self) -> None:
        def hold() -> None:
            engine = sa.create_engine(self.postgresql.url.replace("://", "+psycopg://"))
            with engine.begin() as connection:
                connection.exec_driver_sql("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
                time.sleep(random.uniform(1, 6))
            engine.dispose()

        with contextlib.suppress(sa.exc.OperationalError):
            await asyncio.to_thread(hold)

    async def step_clock(self) -> None:
        self.server.step(random.choice((-365, -1, 1, 365)))
        await asyncio.sleep(random.uniform(2, 6))
        self.server.step(0)

    async def half_open(self) -> None:
        """Connections that ask half a question, or never read the answer, and end without a word."""
        held, beginnings = [], (b"GET /api/v1/games HTTP/1.1\r\nHost: x\r\n\r\n" * 3, b"GET / HT", b"")
        for _ in range(50):
            with contextlib.suppress(OSError):
                connection = socket.create_connection(("127.0.0.1", self.port), timeout=2)
                connection.sendall(random.choice(beginnings))
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                held.append(connection)
        await asyncio.sleep(random.uniform(1, 4))
        for connection in held:
            connection.close()

    # -- the whole --------------------------------------------------------------------------------------------------

    async def run(self, seconds: float) -> None:
        for service in (*self.services, self.server):
            service.start()
        playing: list[asyncio.Task[None]] = []
        try:
            await self._up()
            playing = [asyncio.create_task(match.play()) for match in self.matches]
            await asyncio.sleep(3)
            until = said = time.monotonic() + seconds
            while time.monotonic() < until:
                await self._one_fault()
                if (now := time.monotonic()) - said > 60 or said == until:
                    said = now
                    print(f"{until - now:5.0f} s left: {self._sums()}", flush=True)
            await self._all_go_on()
            self.ending = True
            await asyncio.gather(*playing)
            self.server.kill()  # what is told at the end must be on the disk, not in memory
            self.server.start()
            await self._up()
            await self._check_all()
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            await self.web.aclose()
            for service in (self.server, *reversed(self.services)):
                service.stop()

    async def _one_fault(self) -> None:
        fault = random.choice(self.faults)
        before, begun = self.acknowledged, time.monotonic()
        await fault()
        self.done[fault.__name__.replace("_", " ")] += 1
        while self.acknowledged == before and time.monotonic() - begun < RECOVERY:
            await asyncio.sleep(0.1)
        self.slowest = max(self.slowest, time.monotonic() - begun)
        await asyncio.sleep(random.uniform(0, 4))

    async def _all_go_on(self) -> None:
        mended = time.monotonic()
        waiting = [match for match in self.matches if not match.over]
        while waiting and time.monotonic() - mended < RECOVERY:
            await asyncio.sleep(0.5)
            waiting = [match for match in waiting if not match.over and match.went_on < mended]
        for match in waiting:
            self.lost(f"{match.id or 'a game that did not begin'} does not go on")
        print(f"all games went on {time.monotonic() - mended:.1f} s after the last fault", flush=True)

    async def _check_all(self) -> None:
        last = time.monotonic() + RECOVERY
        for match in self.matches:
            while match.id:
                try:
                    shown = await match.ask("GET", f"/api/v1/sessions/{match.id}", 1)
                    shown.raise_for_status()
                except httpx.HTTPError:  # a busy machine may need longer than who asks waits
                    if time.monotonic() > last:
                        raise
                    await asyncio.sleep(1)
                else:
                    match.check(shown.json(), at_the_end=True)
                    break

    def _sums(self) -> str:
        told = ", ".join(f"{count} {name}" for name, count in self.done.most_common())
        answers = ", ".join(f"{count} x {status}" for status, count in sorted(self.answers.items()))
        known = f"{self.acknowledged} moves acknowledged, {self.losses} losses, {self.late} shown late"
        return f"{known}; {told}; answers {answers}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two moves of a game")
    parser.add_argument("--kind", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--seed", type=int, default=None)
    wanted = parser.parse_args()
    seed = wanted.seed if wanted.seed is not None else random.SystemRandom().randrange(1 << 30)
    random.seed(seed)
    print(f"seed {seed}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="tabuleiro-chaos-"))
    chaos = Chaos(wanted.kind, folder, wanted.games, wanted.pace)
    if not chaos.server.can_step:
        print("libfaketime is not installed: the clock is left alone")
    asyncio.run(chaos.run(wanted.minutes * 60))
    print(f"{chaos._sums()}; the slowest recovery took {chaos.slowest:.1f} s", flush=True)
    if chaos.losses:
        print(f"{chaos.losses} losses; the logs are in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)
    print("nothing acknowledged is missing, every game went on")


if __name__ == "__main__":
    main()
