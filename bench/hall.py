"""A national morning: arbiters enter results from their phones, all within the same minutes, beside running games:

python bench/hall.py --arbiters 300 --games 200 --seconds 120

Some 1,800 invented pupils in 150 groups, drawn and paired by the edition of the sixth championship; each arbiter signs
in by a link, follows one group and enters its results; a projector follows everything. Measured are the time from
sending a result to its acknowledgement, and to the moment the projector shows it. At the end every result is asked for
again.

`Hall` is also what `bench/crash.py` runs while it kills the server.
"""

import argparse
import asyncio
import base64
import contextlib
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

from bench.load import Load, Match, Usage, percentiles
from websockets.asyncio.client import connect

from server.people import ProcessServer
from tabuleiro import GAMES
from tabuleiro.championship.edition import load_template, read_edition
from tabuleiro.championship.rehearsal import invent_table
from tabuleiro.sheets import write_csv

Json = dict[str, Any]
PATH = "/api/v1/championships"
#: People who sign in at the same time.
AT_ONCE = 10


def first_link(arguments: list[str]) -> str:
    """The token of a link for an organiser, as the command line makes it."""
    command = [sys.executable, "-m", "tabuleiro", "people", "link", *arguments]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout  # errors are shown
    return printed.strip().partition("#l.")[2]


class Adult:
    """Somebody who is signed in; the connection may be lost at any time."""

    def __init__(self, address: str) -> None:
        self.web = httpx.AsyncClient(base_url=address, timeout=60)

    async def come_by(self, token: str) -> None:
        door = {"door": {"by": "link", "token": token}}
        (await self.web.post("/api/v1/person/sign-in", json=door)).raise_for_status()

    async def post(self, path: str, body: Json) -> Json:
        answer = await self.web.post(path, json=body)
        answer.raise_for_status()
        told: Json = answer.json()
        return told

    async def get(self, path: str) -> Json:
        answer = await self.web.get(path)
        answer.raise_for_status()
        told: Json = answer.json()
        return told


def open_tables(group: Json) -> list[Json]:
    """Pairings without a result, as results to be sent."""
    return [
        {"group": group["id"], "round": turn["number"], "table": each["table"], "game": len(each["games"]) + 1}
        for turn in group["rounds"]
        for each in turn["pairings"]
        if each["result"] is None
    ]


def key_of(table: Json) -> tuple[str, int, int]:
    return table["group"], table["round"], table["table"]


# ---------------------------------------------------------------------------------------------------------------- crash


class Hall:
    """A championship that is run on, one after the other, while the server is killed and comes back."""

    def __init__(self, address: str, token: str, report: Any) -> None:
        """`report` is called with everything that is wrong."""
        self.organiser = Adult(f"http://{address}")
        self.up = asyncio.Event()
        self._token = token
        self._report = report
        self._signed_in = False
        self.cup = ""
        #: By championship, group, round and table: who was said to have won, and who was when it was acknowledged.
        self.sent: dict[tuple[str, str, int, int], set[int]] = {}
        self.acknowledged: dict[tuple[str, str, int, int], int] = {}
        self.rounds = 0
        self.cups = 0

    async def run(self) -> None:
        while True:
            await self.up.wait()
            # What was under way when the server was killed is looked at when it is back, and done again.
            with contextlib.suppress(httpx.HTTPError):
                await self.go_on()
            await asyncio.sleep(0.02)

    async def play_on(self, cup: str) -> None:
        """A championship that exists is run to its end, and looked at."""
        self.cup = cup
        while self.cup:
            await self.go_on()

    async def sign_in(self) -> None:
        if not self._signed_in:
            await self.organiser.come_by(self._token)
            self._signed_in = True

    async def reach_second_round(self) -> None:
        """Go on until a championship has had a round and is in another."""
        while not (self.cup and any(len(group["rounds"]) > 1 for group in await self.groups())):
            await self.go_on()

    async def groups(self, cup: str = "") -> list[Json]:
        """All groups of a championship, of the present one if nobody says another."""
        told = await self.organiser.get(f"{PATH}/{cup or self.cup}/groups?every=true")
        found: list[Json] = told["groups"]
        return found

    async def go_on(self) -> None:
        """What comes next: a result, a round, another championship."""
        await self.sign_in()
        if not self.cup:
            self.cup = await self._make()
            self.cups += 1
        told = await self.organiser.get(f"{PATH}/{self.cup}")
        groups = (await self.organiser.get(f"{PATH}/{self.cup}/groups"))["groups"]
        tables = [table for group in groups for table in open_tables(group)]
        if tables:
            table, winner = random.choice(tables), random.choice((1, 2))
            key = (self.cup, *key_of(table))
            self.sent.setdefault(key, set()).add(winner)
            await self.organiser.post(f"{PATH}/{self.cup}/results", {**table, "winner": winner})
            self.acknowledged[key] = winner
        elif told["ready"]["groups"]:
            await self.organiser.post(f"{PATH}/{self.cup}/rounds", {})
            self.rounds += 1
        else:
            await self.check()
            self.cup = ""

    async def _make(self) -> str:
        names = "\n".join(f"Aluno {chr(97 + number % 26)}{number}" for number in range(24))
        body = {"template": "one-lesson", "entries": {"names": names}, "begin": True}
        made: str = (await self.organiser.post(PATH, body))["id"]
        return made

    async def check(self) -> None:
        """Every acknowledged result is there, none that nobody entered, and no round is half drawn."""
        found = {}
        for group in await self.groups():
            for turn in group["rounds"]:
                seated = [person for each in turn["pairings"] for person in (each["one"], each["two"]) if person]
                if sorted(seated) != sorted(group["members"]):
                    self._report(f"{self.cup} {group['id']}: round {turn['number']} is half drawn")
                for each in turn["pairings"]:
                    if each["games"] and each["two"] is not None:
                        found[self.cup, group["id"], turn["number"], each["table"]] = each["games"][0]["winner"]
        for key, winner in self.acknowledged.items():
            if key[0] == self.cup and found.get(key) != winner:
                self._report(f"{key}: {winner} was acknowledged, {found.get(key)} is stored")
        for key, winner in found.items():
            if winner not in self.sent.get(key, ()):
                self._report(f"{key}: nobody entered {winner}")


# ----------------------------------------------------------------------------------------------------------------- load


class Phones:
    """The arbiters of a national morning, and the projector."""

    def __init__(self, server: ProcessServer, organiser: Adult, cup: str) -> None:
        self.server, self.organiser, self.cup = server, organiser, cup
        self.acknowledged: list[float] = []
        #: When each of them was sent.
        self.sent: list[float] = []
        self.seen: list[float] = []
        #: How late this program was, looked at a hundred times a second.
        self.late: list[float] = []
        #: When each result was acknowledged, until the projector shows it.
        self.waiting: dict[tuple[str, int, int], float] = {}
        self.entered: dict[tuple[str, int, int], int] = {}
        self.errors: list[str] = []
        self._door = asyncio.Semaphore(AT_ONCE)
        #: The number up to which the projector knows everything.
        self._known = 0

    async def arbiter(self, number: int, group: str, share: list[Json], seconds: float) -> None:
        async with self._door:
            link = (await self.organiser.post(f"{PATH}/{self.cup}/arbiters", {"name": f"Árbitro {number}"}))["link"]
            phone = Adult(self.server.address)
            await phone.come_by(link.partition("#l.")[2])
        self.ready += 1
        await self.go.wait()
        cookie = "; ".join(f"{name}={value}" for name, value in phone.web.cookies.items())
        address = f"ws://127.0.0.1:{self.server.port}/ws/v1/championships/{self.cup}?group={group}"
        async with connect(address, additional_headers={"Cookie": cookie}):
            for table in share:
                await asyncio.sleep(random.random() * seconds / len(share))
                winner, begun = random.choice((1, 2)), time.perf_counter()
                try:
                    await phone.post(f"{PATH}/{self.cup}/results", {**table, "winner": winner})
                except httpx.HTTPError as error:
                    self.errors.append(repr(error))
                    continue
                self.acknowledged.append(time.perf_counter() - begun)
                self.sent.append(begun)
                self.entered[key_of(table)] = winner
                self.waiting[key_of(table)] = time.perf_counter()
                await phone.get(f"{PATH}/{self.cup}/groups/{group}")

    ready = 0

    async def projector(self) -> None:
        """Is told that something has changed, and asks for all of it, as the page does."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.organiser.web.cookies.items())
        address = f"ws://127.0.0.1:{self.server.port}/ws/v1/championships/{self.cup}"
        async with connect(address, additional_headers={"Cookie": cookie}) as socket:
            while True:
                await socket.recv()
                await asyncio.sleep(0.1)
                while True:  # what came meanwhile is looked at together
                    try:
                        await asyncio.wait_for(socket.recv(), 0.001)
                    except TimeoutError:
                        break
                await self._look()

    async def _look(self) -> None:
        answer = await self.organiser.web.get(f"{PATH}/{self.cup}/groups?since={self._known}")
        told = orjson.loads(answer.content)
        self._known = told["number"]
        shown = {
            (group["id"], turn["number"], each["table"])
            for group in told["groups"]
            for turn in group["rounds"]
            for each in turn["pairings"]
            if each["result"] is not None
        }
        now = time.perf_counter()
        for key in [*self.waiting]:
            if key in shown:
                self.seen.append(now - self.waiting.pop(key))

    async def lost(self) -> int:
        groups = (await self.organiser.get(f"{PATH}/{self.cup}/groups"))["groups"]
        stored = {
            (group["id"], turn["number"], each["table"]): each["winner"]
            for group in groups
            for turn in group["rounds"]
            for each in turn["pairings"]
        }
        return sum(stored.get(key) != winner for key, winner in self.entered.items())

    go: asyncio.Event

    async def listen_to_oneself(self) -> None:
        """This program is one process that shares the machine: how late it is itself is in all times measured."""
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(0.01)
            self.late.append(time.perf_counter() - begun - 0.01)


async def national_morning(organiser: Adult, pupils: int, schools: int) -> str:
    edition = read_edition(load_template("cnjm6"))
    rows = write_csv(invent_table(edition, pupils, schools, seed=1))
    begun = time.monotonic()
    body = {"template": "cnjm6", "entries": {"file": base64.b64encode(rows).decode()}}
    answer = await organiser.web.post(f"{PATH}", json={"template": "cnjm6"})
    cup: str = answer.json()["id"]
    await organiser.post(f"{PATH}/{cup}/entries", body["entries"])  # type: ignore[arg-type]
    print(f"{pupils} pupils registered in {time.monotonic() - begun:.1f} s", flush=True)
    begun = time.monotonic()
    await organiser.post(f"{PATH}/{cup}/draws", {})
    done = await organiser.post(f"{PATH}/{cup}/rounds", {})
    print(f"{len(done['done'])} groups drawn and paired in {time.monotonic() - begun:.1f} s", flush=True)
    return cup


async def run(server: ProcessServer, token: str, wanted: argparse.Namespace) -> bool:
    organiser = Adult(server.address)
    await organiser.come_by(token)
    cup = await national_morning(organiser, wanted.pupils, wanted.schools)
    phones = Phones(server, organiser, cup)
    phones.go = asyncio.Event()
    groups = (await organiser.get(f"{PATH}/{cup}/groups"))["groups"]
    tables = {group["id"]: open_tables(group) for group in groups}
    names = [*tables]
    of_group = {
        name: [number for number in range(wanted.arbiters) if names[number % len(names)] == name] for name in names
    }
    arbiters = []
    for name, numbers in of_group.items():
        for place, number in enumerate(numbers):
            share = tables[name][place :: len(numbers)]
            arbiters.append(asyncio.create_task(phones.arbiter(number, name, share, wanted.seconds)))
    while phones.ready < len(arbiters):
        await asyncio.sleep(0.5)
        for task in arbiters:
            if task.done():
                task.result()
    print(f"{len(arbiters)} arbiters have signed in", flush=True)
    forgetful = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=server.address, timeout=60, limits=limits, cookies=forgetful) as web:
        load = Load(server.address, web)
        every = [*GAMES]
        matches = [Match(load, every[number % len(every)]) for number in range(wanted.games)]
        await asyncio.gather(*(match.begin() for match in matches))
        playing = [asyncio.create_task(match.play()) for match in matches]
        await asyncio.sleep(3)
        usage = Usage(server.process.pid)
        serving = {*usage.processes()}
        load.tally.counting = True
        begun, cpu = time.monotonic(), usage.cpu(serving)
        projector = asyncio.create_task(phones.projector())
        listening = asyncio.create_task(phones.listen_to_oneself())
        phones.go.set()
        start = time.perf_counter()
        await asyncio.gather(*arbiters)
        lasted = time.monotonic() - begun
        busy = (usage.cpu(serving) - cpu) / lasted
        await asyncio.sleep(3)
        load.tally.counting, load.ending = False, True
        projector.cancel()
        listening.cancel()
        await asyncio.gather(projector, listening, *playing, return_exceptions=True)
        lost, moves = await phones.lost(), await load.missing(matches)
    print(f"{len(phones.acknowledged)} results in {lasted:.0f} s beside {wanted.games} games; {busy:.0%} of a core")
    print(f"results acknowledged: {percentiles(phones.acknowledged)}")
    slowest = sorted(zip(phones.acknowledged, phones.sent, strict=True), reverse=True)[:10]
    print("the slowest:", ", ".join(f"{took:.2f} s, sent after {sent - start:.1f} s" for took, sent in slowest))
    print(f"this program itself was late by: {percentiles(phones.late)}")
    print(f"shown by the projector: {percentiles(phones.seen)}; not shown: {len(phones.waiting)}")
    print(f"moves acknowledged: {percentiles(load.tally.acknowledged)}")
    print(f"lost results: {lost}; lost moves: {moves}; errors: {phones.errors[:3] or 'none'}")
    return not lost and not moves and not phones.errors and not phones.waiting


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arbiters", type=int, default=300)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--pupils", type=int, default=1800)
    parser.add_argument("--schools", type=int, default=340)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tabuleiro-hall-") as folder:
        where = ["--data", folder]
        with (Path(folder) / "log.jsonl").open("wb") as log, ProcessServer(*where, log=log) as server:
            sound = uvloop.run(run(server, first_link(where), wanted))
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
