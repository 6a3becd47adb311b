"""Pupils who all play level 10 at the same moment, against a server of its own on loopback:

python bench/thinking.py --games 30 --seconds 60                 # answered at once, at random
python bench/thinking.py --games 25 --versus 9 --seconds 240     # level 10 against level 9 under that load

Whoever plays here answers at once, so that there are always as many questions as games. Measured are the seconds from
sending a move to seeing the reply, and the part of all processors that the processes which think have used. With
`--versus` the answers are those of another level, asked of the same server in a session beside: every game has two
sessions, from one opening, and each computer player's move is played in the other's.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.people import ProcessServer
from tabuleiro import GAMES
from tabuleiro.match import Match, opening, opening_plies

Json = dict[str, Any]
#: Of a reply.
PROMISE = 3.0
#: Moves: what has not ended then counts as no game.
LONGEST = 300


@dataclass
class Figures:
    counting: bool = False
    #: The part of all processors that those who think have used.
    share: float = 0.0
    #: Seconds until level 10 replied, by game.
    replies: dict[str, list[float]] = field(default_factory=lambda: {game: [] for game in GAMES})
    #: Points of level 10, and games ended, by game.
    points: dict[str, list[float]] = field(default_factory=lambda: {game: [] for game in GAMES})


class Seat:
    """A person's place in a session against a level."""

    def __init__(self, address: str, game: str, level: int) -> None:
        self.web = httpx.AsyncClient(base_url=address, timeout=60)
        self.address = address
        self.game = game
        self.level = level
        self.socket: ClientConnection | None = None
        self.session: Json = {}

    async def begin(self, position: str | None, side: str) -> None:
        wish = {"game": self.game, "opponent": {"kind": "engine", "level": self.level}, "side": side}
        if position is not None:
            wish["position"] = position
        made = await self.web.post("/api/v1/sessions", json=wish)
        made.raise_for_status()
        cookie = "; ".join(f"{name}={value}" for name, value in self.web.cookies.items())
        path = f"{self.address.replace('http', 'ws', 1)}/ws/v1/sessions/{made.json()['id']}"
        self.socket = await connect(path, additional_headers={"Cookie": cookie}, max_size=None)
        await self.hear()

    async def hear(self) -> None:
        """The next message that shows the session."""
        assert self.socket is not None
        while True:
            message = json.loads(await self.socket.recv())
            if "session" in message:
                self.session = message["session"]
                return
            assert message["type"] != "error", message

    @property
    def plies(self) -> int:
        return len(self.session["history"])

    @property
    def over(self) -> bool:
        return bool(self.session["status"] == "over")

    @property
    def mine(self) -> bool:
        return not self.over and bool(self.session["view"]["turn"] in self.session["your_seats"])

    async def play(self, move: str) -> None:
        assert self.socket is not None
        plies = self.plies
        await self.socket.send(json.dumps({"type": "move", "ply": plies, "move": move}))
        while self.plies == plies:
            await self.hear()

    async def reply(self) -> None:
        """Wait until it is our turn, or nobody's."""
        while not self.over and not self.mine:
            await self.hear()

    async def next_move(self) -> None:
        """Wait until one more move has been made."""
        plies = self.plies
        while self.plies == plies and not self.over:
            await self.hear()

    async def end(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        await self.web.aclose()


async def pupil(address: str, games: Iterator[str], figures: Figures, chance: random.Random) -> None:
    """Plays at random against level 10, one game after the other."""
    while True:
        game = next(games)
        seat = Seat(address, game, 10)
        try:
            await seat.begin(None, "first")
            while True:
                await seat.reply()
                if seat.over or seat.plies > LONGEST:
                    break
                move = chance.choice(seat.session["view"]["moves"])["text"]
                asked = time.monotonic()
                await seat.play(move)
                while not seat.over and not seat.mine:  # it may have more than one move running
                    await seat.next_move()
                    if figures.counting:
                        figures.replies[game].append(time.monotonic() - asked)
                    asked = time.monotonic()
        finally:
            await seat.end()


async def relay(address: str, games: Iterator[tuple[str, int]], figures: Figures, level: int) -> None:
    """Lets level 10 and another level of the server meet, one game after the other."""
    while True:
        game, number = next(games)
        begun = opening(Match(game, {}, "", "", 0.1, 1, opening_plies(game)), number // 2)
        first = begun.position.turn == 1
        top, other = Seat(address, game, 10), Seat(address, game, level)
        # In turn, level 10 has the first move after the opening and the other has it.
        top_moves = number % 2 == 0
        try:
            # Who sits against level 10 has the place of the other.
            await top.begin(str(begun.position), "second" if top_moves == first else "first")
            await other.begin(str(begun.position), "first" if top_moves == first else "second")
            await play_through(top, other, figures)
            outcome = top.session["view"]["outcome"]
            if outcome is not None:
                points = 0.5 if outcome["winner"] is None else float(outcome["winner"] not in top.session["your_seats"])
                figures.points[game].append(points)
        finally:
            await top.end()
            await other.end()


async def play_through(top: Seat, other: Seat, figures: Figures) -> None:
    """A game in two sessions: what a computer player does in one of them is done by the person in the other."""
    while not top.over and top.plies < LONGEST:
        if top.plies != other.plies:
            behind, ahead = (top, other) if top.plies < other.plies else (other, top)
            await behind.play(ahead.session["history"][behind.plies]["text"])
        elif top.mine:
            await other.next_move()
        else:
            asked = time.monotonic()
            await top.next_move()
            if figures.counting:
                figures.replies[top.game].append(time.monotonic() - asked)


# ---------------------------------------------------------------------------------------------------------- processors


def thinkers(server: int) -> list[int]:
    """The processes of a server that think: those that multiprocessing has started for it."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                command = (entry / "cmdline").read_bytes()
            except (OSError, ValueError):
                continue
            if parent == server and b"spawn_main" in command:
                found.append(int(entry.name))
    return found


def processor_seconds(processes: list[int]) -> float:
    """What these processes have used, in user mode: the search makes no system calls to speak of."""
    ticks = 0
    for process in processes:
        ticks += int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11])
    return ticks / os.sysconf("SC_CLK_TCK")


# --------------------------------------------------------------------------------------------------------------- main


async def run(arguments: argparse.Namespace, server: ProcessServer) -> Figures:
    figures, chance = Figures(), random.Random(arguments.seed)
    chosen = arguments.game or [*GAMES]
    if arguments.versus is None:
        games = itertools.cycle(chosen)
        crowd = [pupil(server.address, games, figures, chance) for _ in range(arguments.games)]
    else:
        numbered = ((game, number) for number in itertools.count(arguments.seed * 1000) for game in chosen)
        crowd = [relay(server.address, numbered, figures, arguments.versus) for _ in range(arguments.games)]
    tasks = [asyncio.create_task(each) for each in crowd]
    await asyncio.sleep(arguments.warm_up)
    pids = thinkers(server.process.pid)
    used, begun, figures.counting = processor_seconds(pids), time.monotonic(), True
    done, _ = await asyncio.wait(tasks, timeout=arguments.seconds, return_when=asyncio.FIRST_EXCEPTION)
    figures.counting = False
    cores = os.cpu_count() or 1
    figures.share = (processor_seconds(pids) - used) / (time.monotonic() - begun) / cores
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
    assert not done
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=25, help="that are played at the same time (25)")
    parser.add_argument("--game", action="append", choices=[*GAMES], help="only this game; may be given again")
    parser.add_argument("--seconds", type=float, default=60, help="for which is measured (60)")
    parser.add_argument("--warm-up", type=float, default=10, help="seconds before that (10)")
    parser.add_argument("--versus", type=int, help="the level that level 10 meets, instead of moves at random")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("w+b") as log:
        try:
            with ProcessServer("--database", f"sqlite:///{folder}/games.db", log=log) as server:
                figures = asyncio.run(run(arguments, server))
        finally:
            log.seek(0)
            said = log.read().decode().splitlines(keepends=True)
            sys.stderr.writelines(line for line in said if '"level": "info"' not in line)
    seconds = sorted(second for each in figures.replies.values() for second in each)
    print(
        f"{arguments.games} games at level 10 for {arguments.seconds:.0f} s: {len(seconds)} replies, half of them "
        f"within {seconds[len(seconds) // 2]:.2f} s, the slowest after {seconds[-1]:.2f} s"
    )
    slowest = {game: max(each) for game, each in figures.replies.items() if each}
    print("the slowest in each game:", ", ".join(f"{game} {slow:.2f} s" for game, slow in slowest.items()))
    print(f"processes that think: {100 * figures.share:.0f} % of {os.cpu_count()} processors")
    for game, points in figures.points.items():
        if points:
            print(f"{game}: level 10 has {sum(points):g} of {len(points)} points against level {arguments.versus}")
    if every := [point for points in figures.points.values() for point in points]:
        print(f"all games: {sum(every):g} of {len(every)}, {100 * sum(every) / len(every):.0f} %")
    sys.exit(seconds[-1] > PROMISE)


if __name__ == "__main__":
    main()
