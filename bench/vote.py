"""A class votes on a position: how long it takes until the wall shows all votes, and until every phone has heard the
truth once it is told:

python bench/vote.py --phones 25 --questions 10

All phones vote in the same moment; each holds its own connection, as in a classroom.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import orjson

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.load import Connection, percentiles

from server.people import ProcessServer

Json = dict[str, Any]
POSITION = {"game": "semaforo", "position": "GRGY/R2R/R2Y 1"}
CHOICES = ("c3", "b1", "b2", "c1")
#: Seconds.
PATIENCE = 30.0


class Screen:
    """A phone or the wall: a cookie, and the last thing it was told of the vote."""

    def __init__(self, host: str, cookie: str) -> None:
        self.host = host
        self.cookie = cookie
        self.tally: Json = {}
        self.changed = asyncio.Event()

    async def follow(self, vote: str) -> None:
        name, _, port = self.host.partition(":")
        await asyncio.get_running_loop().create_connection(
            lambda: Connection(self.host, f"/ws/v1/votes/{vote}", self.cookie, self._hear), name, int(port)
        )

    def _hear(self, message: bytes) -> None:
        told = orjson.loads(message)
        if told["type"] in ("vote", "tally"):
            self.tally = told["tally"] or {}
            self.changed.set()

    async def until(self, **wanted: Any) -> float:
        """When the tally was as wanted, by `time.perf_counter`."""
        async with asyncio.timeout(PATIENCE):
            while any(self.tally.get(name) != value for name, value in wanted.items()):
                self.changed.clear()
                await self.changed.wait()
        return time.perf_counter()


class Classroom:
    def __init__(self, address: str, web: httpx.AsyncClient) -> None:
        self.host = address.removeprefix("http://")
        self.web = web

    async def ask(self, cookie: str, path: str, body: Any = None) -> httpx.Response:
        headers = {"Cookie": f"tabuleiro={cookie}"} if cookie else {}
        answer = await self.web.post(f"/api/v1{path}", json=body, headers=headers)
        answer.raise_for_status()
        return answer

    async def come(self, path: str, body: Any) -> str:
        """The cookie that somebody is given."""
        answer = await self.ask("", path, body)
        return answer.headers["set-cookie"].partition("tabuleiro=")[2].partition(";")[0]

    async def lesson(self, link: str, phones: int, questions: int) -> None:
        token = link.partition("#l.")[2]
        teacher = await self.come("/person/sign-in", {"door": {"by": "link", "token": token}})
        names = "\n".join(f"Aluno {number}" for number in range(1, phones + 1))
        made = (await self.ask(teacher, "/classes", {"name": "7.º B", "names": names})).json()
        vote = (await self.ask(teacher, f"/classes/{made['id']}/votes")).json()
        wall, hands = Screen(self.host, teacher), []
        for card in made["cards"]:
            door = {"by": "card", "token": card["link"].partition("#c.")[2]}
            hands.append(Screen(self.host, await self.come("/person/sign-in", {"door": door})))
        for screen in (wall, *hands):
            await screen.follow(vote["id"])
        path = f"/votes/{vote['id']}"
        stored, shown, told = list[float](), list[float](), list[float]()
        for number in range(1, questions + 1):
            await self.ask(teacher, f"{path}/questions", POSITION)
            await asyncio.gather(*(hand.until(number=number) for hand in hands))
            begun = time.perf_counter()

            async def cast(place: int, hand: Screen, number: int = number, begun: float = begun) -> None:
                choice = CHOICES[place % len(CHOICES)]
                await self.ask(hand.cookie, f"{path}/votes", {"number": number, "choice": choice})
                stored.append(time.perf_counter() - begun)

            *_, seen = await asyncio.gather(
                *(cast(place, hand) for place, hand in enumerate(hands)), wall.until(number=number, voters=phones)
            )
            assert isinstance(seen, float)
            shown.append(seen - begun)
            await self.ask(teacher, f"{path}/reveal")
            begun = time.perf_counter()
            ends = await asyncio.gather(*(hand.until(status="revealed") for hand in hands))
            told.append(max(0.0, max(ends) - begun))
        print(f"{phones} phones, {questions} questions")
        for name, times in (
            ("a vote is stored", stored),
            ("the wall shows the last of all votes", shown),
            ("every phone has heard the truth, once it is stored", told),
        ):
            print(f"{name}: {percentiles(times)}")
        print("within a second" if max(shown) < 1 else "NOT within a second")


async def run(arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder, ProcessServer("--data", folder) as server:
        command = [sys.executable, "-m", "tabuleiro", "people", "link", "--data", folder]
        link = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        jar = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        async with httpx.AsyncClient(base_url=server.address, cookies=jar, timeout=PATIENCE) as web:
            await Classroom(server.address, web).lesson(link, arguments.phones, arguments.questions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phones", type=int, default=25)
    parser.add_argument("--questions", type=int, default=10)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
