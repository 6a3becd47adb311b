"""Kills the server again and again in the middle of many games, and proves that nothing acknowledged is missing:

python bench/crash.py --kills 100
python bench/crash.py --kills 100 --database postgresql

People play over loopback: two in two browsers, one against the computer, two at one screen; some with clocks. After
every kill -9 the server is started again and everybody comes back by themselves. Whatever a player was told (a move
acknowledged, an event shown) must be there, a move nobody made must not be, no clock may have run while no server did,
and every game must go on. Beside them a championship is run: every result that was acknowledged must be there, and no
round may be half drawn. At the end that championship is taken from its last backup into a second data folder, as on
another laptop, and run to its end there. Anything else is printed, and the exit status is 1.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.hall import Hall, first_link

from server.neighbours import running_postgresql
from server.people import free_port
from tabuleiro import GAMES
from tabuleiro.server.championships.keeping import GATHER
from tabuleiro.server.people.erasing import backup_folder
from tabuleiro.server.settings import sqlite_url

Json = dict[str, Any]
CLOCK = {"kind": "fischer", "minutes": 180, "increment": 0}
#: What we may be off by in saying how long a server ran, on a busy machine.
CLOCK_SLACK = 3.0


class Losses:
    """What went wrong, told as it is found."""

    def __init__(self) -> None:
        self.count = 0

    def report(self, what: str) -> None:
        self.count += 1
        print(f"LOST: {what}", flush=True)


class Table:
    """One game and what its players know of it for certain."""

    def __init__(self, session_id: str, downtime: float, losses: Losses) -> None:
        self.id = session_id
        #: How long no server was running before this game began.
        self.downtime = downtime
        self.losses = losses
        #: The longest history that any player was shown, and the last number acknowledged or shown.
        self.moves: list[str] = []
        self.number = 0
        #: Moves that were sent and not answered: they may have been stored or not.
        self.sent: set[tuple[int, str]] = set()
        self.begun = time.monotonic()
        self.over = False
        self.acknowledged = 0
        self.went_on = asyncio.Event()

    def told(self, session: Json, downtime: float) -> None:
        """A player was shown the session: it must hold everything that was known before, and no clock may have run in
        the time in which the server was down."""
        shown = [entry["text"] for entry in session["history"]]
        known = min(len(shown), len(self.moves))
        if shown[:known] != self.moves[:known]:
            self.losses.report(f"{self.id}: the moves {self.moves[:known]} became {shown[:known]}")
        if len(shown) < len(self.moves) and session["number"] >= self.number:
            self.losses.report(f"{self.id}: {len(self.moves)} moves were known, {len(shown)} are left")
        for ply, entry in enumerate(session["history"][len(self.moves) :], start=len(self.moves)):
            by_computer = session["seats"][str(entry["player"])]["kind"] == "engine"
            if not by_computer and (ply, entry["text"]) not in self.sent:
                self.losses.report(f"{self.id}: nobody played {entry['text']}")
        if session["clock"] is not None:
            charged = 2 * session["clock"]["initial"] - sum(session["clock"]["left"].values())
            if charged > max(0.0, time.monotonic() - self.begun - downtime) + CLOCK_SLACK:
                self.losses.report(f"{self.id}: {charged:.1f} s were charged, {downtime:.1f} s passed without a server")
        if len(shown) >= len(self.moves):
            self.moves = shown
        self.number = max(self.number, session["number"])
        self.over = self.over or session["status"] == "over"

    def acknowledge(self, number: int) -> None:
        self.acknowledged += 1
        self.number = max(self.number, number)
        self.went_on.set()


class Crash:
    def __init__(self, port: int, games: int, pace: float, losses: Losses) -> None:
        self.address = f"127.0.0.1:{port}"
        self.games = games
        self.pace = pace
        self.losses = losses
        self.tables: list[Table] = []
        self.finished: list[Table] = []
        self.players: set[asyncio.Task[None]] = set()
        self.up = asyncio.Event()
        #: How long no server was running so far.
        self.downtime = 0.0

    async def begin(self, kind: str, game: str) -> None:
        """Set up a game and its players."""
        async with httpx.AsyncClient(base_url=f"http://{self.address}", timeout=30) as ana:
            await ana.get("/api/v1/me")
            opponent = {"kind": "engine", "level": 1} if kind == "engine" else {"kind": kind}
            wish = {"game": game, "opponent": opponent, "clock": random.choice([None, CLOCK])}
            answer = await ana.post("/api/v1/sessions", json=wish)
            answer.raise_for_status()
            table = Table(answer.json()["id"], self.downtime, self.losses)
            cookies = [ana.cookies["tabuleiro"]]
        if kind == "friend":
            async with httpx.AsyncClient(base_url=f"http://{self.address}", timeout=30) as rui:
                await rui.get("/api/v1/me")
                (await rui.post(f"/api/v1/sessions/{table.id}/join")).raise_for_status()
                cookies.append(rui.cookies["tabuleiro"])
        self.tables.append(table)
        for cookie in cookies:
            player = asyncio.create_task(self._play(table, cookie))
            self.players.add(player)
            player.add_done_callback(self.players.discard)

    async def _play(self, table: Table, cookie: str) -> None:
        """A player: whenever the connection is lost, they come back and go on."""
        while not table.over:
            await self.up.wait()
            with contextlib.suppress(WebSocketException, InvalidHandshake, OSError, TimeoutError):
                address = f"ws://{self.address}/ws/v1/sessions/{table.id}?since={table.number}"
                async with connect(address, additional_headers={"Cookie": f"tabuleiro={cookie}"}) as socket:
                    await self._talk(table, socket)
            await asyncio.sleep(0.05)

    async def _talk(self, table: Table, socket: ClientConnection) -> None:
        session: Json | None = None
        waiting = False
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "error":
                self.losses.report(f"{table.id}: {message['code']}")
                return
            if message["type"] == "ack":
                waiting = False
                table.acknowledge(message["number"])
            else:
                if session is None and message["session"]["number"] < table.number:
                    self.losses.report(
                        f"{table.id}: {table.number} was known, {message['session']['number']} is stored"
                    )
                table.told(message["session"], self.downtime - table.downtime)
                session = message["session"]
            if session is None or session["status"] == "over":
                return
            if not waiting and session["view"]["turn"] in session["your_seats"]:
                await asyncio.sleep(random.expovariate(1 / self.pace))
                move = (len(session["history"]), random.choice(session["view"]["moves"])["text"])
                table.sent.add(move)
                waiting = True
                await socket.send(json.dumps({"type": "move", "ply": move[0], "move": move[1]}))

    async def keep_going(self) -> None:
        """Replace the games that are over, so that as many as wanted are always running."""
        names = [*GAMES]
        kinds = ["friend", "local", "engine"]
        while True:
            self.finished += [table for table in self.tables if table.over]
            self.tables = [table for table in self.tables if not table.over]
            await self.up.wait()  # by then it is known how long no server ran, which no game may be charged for
            with contextlib.suppress(httpx.HTTPError):
                while len(self.tables) < self.games:
                    number = len(self.tables) + len(self.finished)
                    await self.begin(kinds[number % len(kinds)], names[number % len(names)])
            await asyncio.sleep(0.2)

    async def all_go_on(self) -> None:
        """Wait until a move has been acknowledged in every running game since now."""
        for table in self.tables:
            table.went_on.clear()
        for table in [*self.tables]:
            while not table.over and not table.went_on.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(table.went_on.wait(), 0.5)

    async def check_finished(self) -> None:
        """Games that ended are as they ended."""
        async with httpx.AsyncClient(base_url=f"http://{self.address}", timeout=30) as anybody:
            for table in self.finished:
                session = (await anybody.get(f"/api/v1/sessions/{table.id}")).json()
                if [entry["text"] for entry in session["history"]] != table.moves or session["status"] != "over":
                    self.losses.report(f"{table.id}: it was over after {len(table.moves)} moves")


class Starter:
    """Starts the server in little time, one after the other (`preloaded.py`). At the end nothing of it is left, even if
    something went wrong: who waits for what this program prints would wait for the server too."""

    def __init__(self, log: Path) -> None:
        self._log = log
        command = [sys.executable, str(Path(__file__).with_name("preloaded.py"))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        #: Its process id, 0 while none runs.
        self._server = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._server:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._server, signal.SIGKILL)
        self._process.communicate()

    def start(self, port: int, arguments: list[str]) -> None:
        assert self._process.stdin is not None
        order = {"arguments": ["--port", str(port), *arguments], "log": str(self._log)}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        self._server = int(self._said())
        up_to = time.monotonic() + 120
        while not _answers(port):
            assert time.monotonic() < up_to, "the server does not start"
            os.kill(self._server, 0)  # raises where it has gone already
            time.sleep(0.02)

    def end(self, how: signal.Signals) -> None:
        os.kill(self._server, how)
        self._said()
        self._server = 0

    def _said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


def _answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    except httpx.TransportError:
        return False


def started_at(log: Path) -> float:
    """When the server says that it began, in seconds since 1970."""
    lines = [line for line in log.read_text().splitlines() if '"event": "started"' in line]
    when: float = json.loads(lines[-1])["at"]
    return when


async def go_on_elsewhere(hall: Hall, backups: Path, folder: Path, losses: Losses, starter: Starter) -> None:
    """The laptop is gone: its last backup is taken into another data folder, and the championship is run to its end.
    Whatever was acknowledged in the rounds before the last one drawn must be there."""
    backup = max(backups.glob(f"{hall.cup}-*"))
    command = [sys.executable, "-m", "tabuleiro", "championship", "import", str(backup), "--server", "--json"]
    begun = time.monotonic()
    made = subprocess.run([*command, "--data", str(folder)], check=True, stdout=subprocess.PIPE)
    cup: str = json.loads(made.stdout)["championship"]
    where = ["--data", str(folder)]
    port = free_port()
    await asyncio.to_thread(starter.start, port, where)
    token = await asyncio.to_thread(first_link, where)
    there = Hall(f"127.0.0.1:{port}", token, losses.report)
    await there.sign_in()
    drawn = {group["id"]: len(group["rounds"]) for group in await there.groups(cup)}
    took = time.monotonic() - begun
    known = {key: winner for key, winner in hall.acknowledged.items() if key[0] == hall.cup}
    there.acknowledged = {(cup, *key[1:]): winner for key, winner in known.items() if key[2] < drawn.get(key[1], 0)}
    there.sent = {(cup, *key[1:]): winners for key, winners in hall.sent.items() if key[0] == hall.cup}
    expected = len(there.acknowledged)
    await asyncio.wait_for(there.play_on(cup), 120)
    await asyncio.to_thread(starter.end, signal.SIGTERM)
    done = f"{expected} results acknowledged before its last draw must be there, {len(there.acknowledged)} at the end"
    print(f"a second data folder had the championship of {backup.name} after {took:.1f} s; {done}", flush=True)


async def run(
    arguments: list[str], kills: int, games: int, pace: float, log: Path, backups: Path | None, starter: Starter
) -> int:
    """`backups`: where the server keeps those of championships, if that is known here."""
    port, losses = free_port(), Losses()
    crash = Crash(port, games, pace, losses)
    hall: Hall | None = None
    keeper = asyncio.create_task(crash.keep_going())
    running = keeper
    begun, killed_at = time.monotonic(), time.time()
    for kill in range(kills + 1):
        await asyncio.to_thread(starter.start, port, arguments)
        # Not until we have heard that it is there, which on a busy machine is long after.
        crash.downtime += max(0.0, started_at(log) - killed_at)
        crash.up.set()
        if hall is None:
            token = await asyncio.to_thread(first_link, arguments)
            hall = Hall(crash.address, token, losses.report)
            await hall.sign_in()  # the next start of the server makes another link, and this one worthless
            running = asyncio.create_task(hall.run())
        hall.up.set()
        try:
            while len(crash.tables) < games:
                await asyncio.sleep(0.1)
            if kill == kills or random.random() < 0.75:
                await asyncio.wait_for(crash.all_go_on(), 120)
            if kill < kills:  # else some kills come while everybody is just coming back
                await asyncio.sleep(2 * random.random())
        except TimeoutError:
            losses.report(f"{sum(not table.went_on.is_set() for table in crash.tables)} games do not go on")
        crash.up.clear()
        hall.up.clear()
        if kill < kills:
            killed_at = time.time()
            await asyncio.to_thread(starter.end, signal.SIGKILL)
            if kill % 10 == 9 or kills < 10:
                moves = sum(table.acknowledged for table in (*crash.tables, *crash.finished))
                done = f"{kill + 1} kills, {moves} moves acknowledged, {len(crash.finished)} games finished, "
                done += f"{len(hall.acknowledged)} results and {hall.rounds} rounds of {hall.cups} championships"
                print(f"{time.monotonic() - begun:5.0f} s: {done}, {losses.count} losses", flush=True)
    assert hall is not None
    keeper.cancel()
    running.cancel()
    for player in [*crash.players]:
        player.cancel()
    await asyncio.gather(keeper, running, *crash.players, return_exceptions=True)
    await crash.check_finished()
    await hall.reach_second_round()
    await hall.check()
    await asyncio.sleep(2 * GATHER)
    await asyncio.to_thread(starter.end, signal.SIGTERM)
    if backups is not None:
        with tempfile.TemporaryDirectory(prefix="tabuleiro-second-") as second:
            await go_on_elsewhere(hall, backups, Path(second), losses, starter)
    if not hall.acknowledged:
        losses.report("no result was acknowledged")
    for line in log.read_text().splitlines():
        if '"level": "error"' in line:
            losses.report(line)
    print("nothing acknowledged is missing, every game went on" if losses.count == 0 else f"{losses.count} losses")
    return losses.count


@contextmanager
def database(kind: str, folder: str) -> Iterator[list[str]]:
    """What to tell `tabuleiro serve` about the database."""
    if kind == "sqlite":
        yield ["--data", folder]
    else:
        with running_postgresql() as url:
            yield ["--database", url]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--pace", type=float, default=0.3, help="seconds a player thinks about a move")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tabuleiro-crash-") as folder, database(wanted.database, folder) as where:
        backups = backup_folder(sqlite_url(Path(folder))) if wanted.database == "sqlite" else None
        log = Path(folder) / "log.jsonl"
        with Starter(log) as starter:
            losses = asyncio.run(run(where, wanted.kills, wanted.games, wanted.pace, log, backups, starter))
    sys.exit(1 if losses else 0)


if __name__ == "__main__":
    main()
