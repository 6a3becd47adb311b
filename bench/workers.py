"""Games against the computer while the engine workers that think for the server die and freeze:

python bench/workers.py                          # 50 games at level 8, two workers: one is killed, one is frozen
python bench/workers.py --games 50 --threads 2

A server of its own on loopback, a Redis, and two workers. A third of the way one worker is killed, and two thirds of
the way the other is frozen (SIGSTOP), under whatever they think about. Measured are the seconds from sending a move to
seeing the reply, and who gave the replies. A game that is not over at the end, or whose moves the server does not have,
is lost.
"""

import argparse
import asyncio
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.thinking import Seat

from server.neighbours import running_redis
from server.people import ProcessServer
from server.workers import WorkerProcess
from tabuleiro import GAMES

#: Seconds that nobody waits longer than for a reply.
PROMISE = 10.0


class Game:
    def __init__(self, address: str, game: str, level: int, plies: int) -> None:
        self.seat = Seat(address, game, level)
        self.plies = plies
        self.waits: list[float] = []
        self.done = False

    async def play(self, chance: random.Random) -> None:
        """Moves at random until the game is over, or long enough."""
        seat = self.seat
        await seat.begin(None, "first")
        await seat.reply()
        while not seat.over and seat.plies < self.plies:
            await seat.play(chance.choice(seat.session["view"]["moves"])["text"])
            asked = time.monotonic()
            await seat.reply()
            self.waits.append(time.monotonic() - asked)
        self.done = True
        await seat.end()


async def until(is_so: Callable[[], bool], patience: float = 120) -> None:
    async with asyncio.timeout(patience):
        while not is_so():
            await asyncio.sleep(0.2)


async def run(given: argparse.Namespace, address: str, workers: list[WorkerProcess]) -> list[Game]:
    await until(lambda: counted(address, "tabuleiro_workers ") == len(workers))
    chance = random.Random(given.seed)
    kinds = given.game or [*GAMES]
    games = [Game(address, kind, given.level, given.plies) for kind in islice(cycle(kinds), given.games)]
    began = time.monotonic()
    playing = asyncio.gather(*(game.play(chance) for game in games))

    def replies() -> int:
        return sum(len(game.waits) for game in games)

    # The computer makes every second ply.
    expected = given.games * given.plies // 2
    await until(lambda: replies() > expected // 3 or playing.done())
    workers[0].kill()
    print(f"after {time.monotonic() - began:.0f} s and {replies()} replies: one worker is killed", flush=True)
    await until(lambda: replies() > 2 * expected // 3 or playing.done())
    workers[1].freeze()
    print(f"after {time.monotonic() - began:.0f} s and {replies()} replies: the other is frozen", flush=True)
    await asyncio.wait_for(playing, given.patience)
    return games


def counted(address: str, what: str) -> int:
    lines = httpx.get(f"{address}/metrics", timeout=30).text.splitlines()
    return sum(int(float(line.split()[-1])) for line in lines if line.startswith(what))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="at the same time (50)")
    parser.add_argument("--game", action="append", choices=[*GAMES], help="only this game; may be given again")
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--plies", type=int, default=16, help="after which a game is left (16)")
    parser.add_argument("--threads", type=int, default=1, help="of each worker (1)")
    parser.add_argument("--patience", type=float, default=200, help="seconds for all of it (200)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        (Path(folder) / "log").open("w+b") as log,
        running_redis() as redis,
        ProcessServer("--database", f"sqlite:///{folder}/games.db", "--redis", redis, log=log) as server,
        WorkerProcess(redis, given.threads) as one,
        WorkerProcess(redis, given.threads) as two,
    ):
        games = asyncio.run(run(given, server.address, [one, two]))
        told = httpx.get(f"{server.address}/metrics", timeout=30).text
        lost = [game for game in games if not game.done or not kept(server.address, game)]
    waits = sorted(wait for game in games for wait in game.waits)
    print(
        f"{given.games} games at level {given.level}, {len(waits)} replies: half of them within "
        f"{waits[len(waits) // 2]:.2f} s, 99 % within {waits[int(0.99 * len(waits))]:.2f} s, the slowest after "
        f"{waits[-1]:.2f} s; games lost: {len(lost)}"
    )
    for labels, count in re.findall(r"tabuleiro_worker_questions_total{(.*)} (\d+)", told):
        print(f"asked of workers: {labels} {count}")
    sys.exit(bool(lost) or waits[-1] > PROMISE)


def kept(address: str, game: Game) -> bool:
    """Whether the server has all moves of a game."""
    answer = httpx.get(f"{address}/api/v1/sessions/{game.seat.session['id']}", timeout=30)
    return answer.status_code == 200 and len(answer.json()["history"]) >= game.seat.plies


if __name__ == "__main__":
    main()
