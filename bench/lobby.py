"""A full lobby beside running games: people who look at the lobby, and challenge each other, while others play:

python bench/lobby.py --people 200 --challenges 60 --games 100 --seconds 60

All are of one class, signed in by card, and hear of every change. Measured are the time from a challenge to the moment
the other hears of it, and, as in `bench/load.py`, that of the moves of the games beside it.
"""

import argparse
import asyncio
import random
import subprocess
import sys
import tempfile
import time
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import orjson
import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.load import Connection, Load, Match, Usage, percentiles

from server.people import ProcessServer
from tabuleiro import GAMES

Json = dict[str, Any]
#: People who sign in at the same time.
AT_ONCE = 10


class Pupil:
    """Somebody with the lobby before them."""

    def __init__(self, bench: "Lobby", card: Json) -> None:
        self.bench = bench
        self.guest: int = card["guest"]
        self.token: str = card["link"].partition("#c.")[2]
        self.cookie = ""
        self.heard = 0
        self.line: Connection | None = None

    async def come(self) -> None:
        answer = await self.bench.ask(self, "POST", "/person/sign-in", {"door": {"by": "card", "token": self.token}})
        self.cookie = answer.headers["set-cookie"].partition("tabuleiro=")[2].partition(";")[0]
        name, _, port = self.bench.host.partition(":")
        _, line = await asyncio.get_running_loop().create_connection(
            lambda: Connection(self.bench.host, "/ws/v1/me", self.cookie, self.hear), name, int(port)
        )
        self.line = line
        await asyncio.sleep(0.1)
        line.say({"type": "lobby"})

    def hear(self, message: bytes) -> None:
        self.heard += 1
        if b'"type":"challenge"' in message:
            told = orjson.loads(message)["challenge"]
            if (sent := self.bench.sent.pop(told["id"], None)) is not None:
                self.bench.arrived.append(time.perf_counter() - sent)
            else:
                self.bench.early[told["id"]] = time.perf_counter()


class Lobby:
    def __init__(self, address: str, web: httpx.AsyncClient) -> None:
        self.host = address.removeprefix("http://")
        self.web = web
        #: When each challenge was sent of which nobody heard yet; when each was heard of that is not acknowledged yet.
        self.sent: dict[str, float] = {}
        self.early: dict[str, float] = {}
        self.arrived: list[float] = []
        self.refused: dict[str, int] = {}
        self.pupils: list[Pupil] = []

    async def ask(
        self, who: Pupil | None, method: str, path: str, body: Json | None, cookie: str = ""
    ) -> httpx.Response:
        token = cookie or (who.cookie if who is not None else "")
        headers = {"Cookie": f"tabuleiro={token}"} if token else {}
        answer = await self.web.request(method, f"/api/v1{path}", json=body, headers=headers)
        if answer.status_code == 409:
            code = answer.json()["error"]["code"]
            self.refused[code] = self.refused.get(code, 0) + 1
        else:
            answer.raise_for_status()
        return answer

    async def fill(self, link: str, people: int) -> None:
        """A class of that many, all of them here."""
        welcome = await self.ask(None, "POST", "/person/sign-in", {"door": {"by": "link", "token": link}})
        cookie = welcome.headers["set-cookie"].partition("tabuleiro=")[2].partition(";")[0]
        names = "\n".join(f"Pupil{number} Number{number}" for number in range(people))
        made = await self.ask(None, "POST", "/classes", {"name": "All", "names": names}, cookie)
        self.pupils = [Pupil(self, card) for card in made.json()["cards"]]
        for begin in range(0, people, AT_ONCE):
            await asyncio.gather(*(pupil.come() for pupil in self.pupils[begin : begin + AT_ONCE]))

    async def challenge(self, chance: random.Random) -> None:
        """Somebody asks somebody, who accepts, declines, or is told that it was withdrawn."""
        by, to = chance.sample(self.pupils, 2)
        begun = time.perf_counter()
        answer = await self.ask(by, "POST", "/challenges", {"to": to.guest, "game": chance.choice([*GAMES])})
        if answer.status_code != 201:
            return
        made = answer.json()["challenge"]
        if (heard := self.early.pop(made, None)) is not None:
            self.arrived.append(heard - begun)
        else:
            self.sent[made] = begun
        await asyncio.sleep(chance.uniform(0.5, 2))
        act = chance.choice(("accept", "decline", "withdraw"))
        if act == "withdraw":
            await self.ask(by, "DELETE", f"/challenges/{made}", None)
        else:
            answered = await self.ask(to, "POST", f"/challenges/{made}/{act}", None)
            if act == "accept" and answered.status_code == 200:
                session = answered.json()["session"]
                await self.ask(to, "POST", f"/sessions/{session}/actions", {"action": "resign"})


async def run(server: ProcessServer, link: str, people: int, pace: float, games: int, seconds: float) -> bool:
    usage = Usage(server.process.pid)
    forgetful = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=server.address, timeout=60, limits=limits, cookies=forgetful) as web:
        load, lobby = Load(server.address, web), Lobby(server.address, web)
        names = [*GAMES]
        matches = [Match(load, names[number % len(names)]) for number in range(games)]
        await asyncio.gather(*(match.begin() for match in matches))
        await lobby.fill(link, people)
        serving = {*usage.homes(server.port).values()}
        playing = [asyncio.create_task(match.play()) for match in matches]
        await asyncio.sleep(5)  # until everybody has begun
        load.tally.counting = True
        begun, cpu, chance, asking = time.monotonic(), usage.cpu(serving), random.Random(1), []
        while time.monotonic() < begun + seconds:
            asking.append(asyncio.create_task(lobby.challenge(chance)))
            await asyncio.sleep(60 / pace)
        await asyncio.gather(*asking)
        load.tally.counting = False
        lasted = time.monotonic() - begun
        print(f"{people} people in the lobby, {len(asking)} challenges in {lasted:.0f} s")
        print(f"refused: {lobby.refused or 'none'}")
        print(f"messages to the lobby: {sum(pupil.heard for pupil in lobby.pupils)}")
        print(f"a challenge is heard of: {percentiles(lobby.arrived)}; never: {len(lobby.sent)}")
        print(f"moves of {games} games, acknowledged: {percentiles(load.tally.acknowledged)}")
        print(f"moves, seen by the opponent: {percentiles(load.tally.shown)}; errors: {load.tally.errors or 'none'}")
        print(f"server {(usage.cpu(serving) - cpu) / lasted:.0%} of a core")
        load.ending = True
        await asyncio.gather(*playing, return_exceptions=True)
        return not load.tally.errors and not lobby.sent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--challenges", type=float, default=60, help="a minute")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    wanted = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="tabuleiro-lobby-") as folder,
        (Path(folder) / "log.jsonl").open("wb") as log,
        ProcessServer("--data", folder, log=log) as server,
    ):
        command = [sys.executable, "-m", "tabuleiro", "people", "link", "--data", folder]
        made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        link = made.strip().partition("#l.")[2]
        sound = uvloop.run(run(server, link, wanted.people, wanted.challenges, wanted.games, wanted.seconds))
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
