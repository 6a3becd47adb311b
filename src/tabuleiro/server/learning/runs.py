"""How far people came in runs of puzzles, read from what is kept of their tries. What is not async works inside a
transaction that the caller has begun."""

import time

import sqlalchemy as sa

from tabuleiro.server.identity import Who
from tabuleiro.server.learning import puzzles, tries
from tabuleiro.server.log import Guest
from tabuleiro.server.store import Store
from tabuleiro.server.tables import tries as tried

#: A streak that began so many seconds ago is not offered any more.
STALE = 30 * 24 * 3600.0


def solved_in_runs(connection: sa.Connection, guest: Guest | None, mode: puzzles.Mode) -> dict[str, int]:
    """The runs of somebody, the last one last, and how many puzzles they solved at once and in time in each."""
    query = (
        sa.select(tried.c.given, tried.c.at, tried.c.solved, tried.c.mistakes, tried.c.hints)
        .where(tried.c.guest == guest, tried.c.given.startswith(mode))
        .order_by(tried.c.id)
    )
    found: dict[str, int] = {}
    for row in connection.execute(query):
        run = puzzles.read_run(row.given, row.at)
        if run is not None:
            in_time = run.ends is None or row.at <= run.ends
            clean = row.solved and not row.mistakes and not row.hints and in_time
            found[row.given] = found.pop(row.given, 0) + int(clean)
    return found


def going_on(connection: sa.Connection, guest: Guest | None, streaks: dict[str, int], now: float) -> str | None:
    """The last streak of somebody, if it has not ended."""
    run = puzzles.read_run([*streaks][-1], now) if streaks else None
    if run is None or guest is None or run.began < now - STALE:
        return None
    return run.name if how_it_stands(connection, guest, run, now).puzzle is not None else None


def how_it_stands(connection: sa.Connection, guest: Guest, run: puzzles.Run, now: float) -> puzzles.Stands:
    mine = {each.task: each for each in tries.tries_for(connection, run.name, [guest])}
    return puzzles.stands(run, mine, now)


async def is_given(store: Store, given: str, ref: str, who: Who) -> bool:
    """Whether a task is the one that comes now in somebody's run, or came before."""
    now = time.time()
    run, guest = puzzles.read_run(given, now), who.guest
    if run is None or guest is None:
        return False

    def read(connection: sa.Connection) -> bool:
        if tries.find(connection, guest, ref, given) is not None:
            return True
        puzzle = how_it_stands(connection, guest, run, now).puzzle
        return puzzle is not None and puzzle.ref == ref

    return await store.read(read)
