"""Many games against level 10 at once, on a server of its own: how long its replies take, what the processors do.

python bench/level10.py --games 30 --seconds 60
python bench/level10.py --games 30 --pause 5            # people who think for five seconds

Every game has one person, who makes a random move and waits for the reply. The processor time of the processes that
think is set against the cores of this machine, and beside it what other programs took meanwhile: let nothing else run.
"""

import argparse
import asyncio
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path
from random import choice
from typing import Any

import httpx
import orjson
import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.load import Connection, Load, Usage, percentiles

from server.people import ProcessServer
from tabuleiro.server.engines import PLAYERS_GIVE_WAY

Json = dict[str, Any]


class Table:
    """A person and the computer."""

    def __init__(self, load: Load, game: str, level: int, pause: float, replies: list[float]) -> None:
        self._load, self._game, self._level, self._pause, self._replies = load, game, level, pause, replies
        self._cookie = secrets.token_urlsafe(32)
        self._newest: Json = {}
        self._heard = asyncio.Event()

    def _hear(self, text: bytes) -> None:
        message = orjson.loads(text)
        if "session" in message:
            self._newest = message["session"]
            self._heard.set()

    async def play(self) -> None:
        while not self._load.ending:
            wish = {"game": self._game, "opponent": {"kind": "engine", "level": self._level}, "side": "second"}
            session_id = (await self._load.post("/api/v1/sessions", self._cookie, wish))["id"]
            line = await self._load.connect(session_id, self._cookie, self._hear)
            await self._play_one(line)
            line.close()

    async def _play_one(self, line: Connection) -> None:
        asked: float | None = None
        ply = -1
        while not self._load.ending:
            await self._heard.wait()
            self._heard.clear()
            session = self._newest
            if session["status"] == "over":
                return
            if session["view"]["turn"] != 2 or len(session["history"]) == ply:
                continue
            if asked is not None and self._load.tally.counting:
                self._replies.append(time.monotonic() - asked)
            await asyncio.sleep(self._pause)
            ply = len(session["history"])
            line.say({"type": "move", "ply": ply, "move": choice(session["view"]["moves"])["text"]})
            asked = time.monotonic()


def thinkers(root: int) -> set[int]:
    """The processes of a server that play: they give way to it, but less than analysts do."""
    return {each for each in Usage(root).processes() if os.getpriority(os.PRIO_PROCESS, each) == PLAYERS_GIVE_WAY}


def processor_seconds(processes: set[int]) -> float:
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def busy_seconds() -> float:
    """What all programs of this machine took."""
    user, nice, system, *_ = map(int, Path("/proc/stat").read_text().split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


async def run(server: ProcessServer, given: argparse.Namespace) -> None:
    async with httpx.AsyncClient(base_url=server.address, timeout=60) as web:
        load = Load(server.address, web)
        replies: list[float] = []
        tables = [Table(load, given.game, given.level, given.pause, replies) for _ in range(given.games)]
        playing = [asyncio.create_task(table.play()) for table in tables]
        await asyncio.sleep(given.warm)
        minds = thinkers(server.process.pid)
        load.tally.counting = True
        begun, thought, busy = time.monotonic(), processor_seconds(minds), busy_seconds()
        await asyncio.sleep(given.seconds)
        lasted = (time.monotonic() - begun) * (os.cpu_count() or 1)
        share, all_share = (processor_seconds(minds) - thought) / lasted, (busy_seconds() - busy) / lasted
        load.tally.counting, load.ending = False, True
        print(f"{given.games} games: {len(replies)} replies, {percentiles(replies)}")
        print(
            f"{len(minds)} processes think, {share:.0%} of all cores ({all_share:.0%} with every other program),"
            f" {Usage.memory(minds) / max(len(minds), 1):.0f} MiB each"
        )
        for task in playing:
            task.cancel()
        for ended in await asyncio.gather(*playing, return_exceptions=True):
            if not isinstance(ended, asyncio.CancelledError | None):
                raise ended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="hex")
    parser.add_argument("--level", type=int, default=10)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm", type=float, default=15, help="seconds before anything is counted")
    parser.add_argument("--pause", type=float, default=0, help="seconds for which people think")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="tabuleiro-level10-") as folder,
        (Path(folder) / "log.jsonl").open("wb") as log,
        ProcessServer("--data", folder, log=log) as server,
    ):
        uvloop.run(run(server, given))


if __name__ == "__main__":
    main()
