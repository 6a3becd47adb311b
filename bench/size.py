"""How much space games take, and how long it takes to forget them:

python bench/size.py --games 2000

Random games of all kinds are stored as a server stores them; then all of them have had their time.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from tabuleiro import GAMES
from tabuleiro.record import random_game
from tabuleiro.server.housekeeping import DAY, sweep
from tabuleiro.server.ids import new_id
from tabuleiro.server.log import Decision
from tabuleiro.server.sessions import GameSession, Seat, SessionSettings
from tabuleiro.server.settings import DATABASE, sqlite_url
from tabuleiro.server.store import Append, Head, Store

#: Moves: what people play, rather than what chance does.
LONGEST = 60


async def fill(store: Store, games: int) -> int:
    """Unfinished games of two guests each; how many moves they have."""
    moves = 0
    for number in range(games):
        name = [*GAMES][number % len(GAMES)]
        one, two = [await store.make_guest(f"{2 * number + seat:064}", 0.0) for seat in (0, 1)]
        settings = SessionSettings(name, {}, None, None, (Seat("guest", one), Seat("guest", two)))
        session = GameSession(new_id(), settings, 0.0)
        head = Head(session.id, "session", settings.as_json(), 0.0, session.summary(), None, session.members())
        await store.create(head)
        waiting = []
        for node in [*random_game(name, seed=number, max_plies=LONGEST).root.line()][1:]:
            event = session.event(Decision("move", {"move": node.move_text}), 0.0, [])
            session.apply(event)
            waiting.append(store.append(Append(session.id, event, session.summary(), None)))
        await asyncio.gather(*waiting)
        moves += len(waiting)
    return moves


async def run(folder: Path, games: int) -> None:
    store = Store(sqlite_url(folder))
    try:
        empty = (folder / DATABASE).stat().st_size
        moves = await fill(store, games)
        await store.write(lambda connection: None)
        used = sum(file.stat().st_size for file in folder.iterdir() if not file.name.endswith(".lock")) - empty
        print(f"{games} games, {moves} moves: {used / games * 1000 / 2**20:.1f} MiB per 1,000 games")
        begun = time.perf_counter()
        swept = await sweep(
            store, 1000 * DAY, kind="session", keep_guests=400, keep_unfinished=180, in_use=lambda: frozenset[str]()
        )
        print(f"{swept.games} games and {swept.guests} guests forgotten in {time.perf_counter() - begun:.1f} s")
    finally:
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    with tempfile.TemporaryDirectory(prefix="tabuleiro-size-") as folder:
        asyncio.run(run(Path(folder), parser.parse_args().games))


if __name__ == "__main__":
    main()
