"""What is forgotten in time: guests who were not here for long, games that nobody went on with, games that nobody is
left to keep. A little at a time, so that no move waits for it. Nothing of analyses is stored, so there is nothing to
forget of them.
"""

import asyncio
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.server.loglines import log
from tabuleiro.server.store import MAX_PAUSES, Store, forget_guest, keepers, remove_streams
from tabuleiro.server.tables import bots, guests, members, mistakes, pauses, people, searched, streams, tries

DAY = 24 * 3600.0
#: The kind of stream that a vote is (`teaching.vote`).
VOTE = "vote"
#: Days after which a game that nobody joined, or in which nobody moved, is forgotten.
KEEP_UNBEGUN = 7
#: Days after which a guest is forgotten who has no games and no bots.
KEEP_IDLE = 30
#: Days after which a vote of a class is forgotten.
KEEP_VOTES = 7
#: How many are forgotten in one transaction, and the seconds between two.
SOME, BREATH = 200, 0.05


class Swept(NamedTuple):
    """How many were forgotten."""

    games: int
    guests: int


async def sweep(
    store: Store,
    now: float,
    *,
    kind: str,
    keep_guests: int,
    keep_unfinished: int,
    in_use: Callable[[], Collection[str]],
) -> Swept:
    """Forget what has had its time, in days; 0: never. `in_use`: streams in memory, which are left alone."""
    begun = time.perf_counter()
    people = await _all(store, partial(_forget_idle, seen_before=now - KEEP_IDLE * DAY))
    if keep_guests:
        people += await _all(store, partial(_forget_guests, seen_before=now - keep_guests * DAY))
    games = 0
    for old in _old_streams(kind, now, keep_unfinished):
        games += await _all(store, partial(_remove, old=old, in_use=in_use))
    await store.write(_forget_pauses)
    if games or people:
        log("swept", games=games, guests=people, seconds=round(time.perf_counter() - begun, 3))
    return Swept(games, people)


async def _all(store: Store, forget_some: Callable[[sa.Connection], int]) -> int:
    """Forget some, and some more, until there are none."""
    total = 0
    while some := await store.write(forget_some):
        total += some
        await asyncio.sleep(BREATH)
    return total


def _old_streams(kind: str, now: float, keep_unfinished: int) -> "list[sa.ColumnElement[bool]]":
    status, plies = streams.c.summary["status"].as_string(), streams.c.summary["plies"].as_integer()
    one_kind = streams.c.kind == kind
    found = [
        sa.and_(one_kind, streams.c.updated < now - KEEP_UNBEGUN * DAY, status != "over", plies == 0),
        # Who is left may have gone a moment ago, and somebody may just be looking.
        sa.and_(one_kind, streams.c.updated < now - DAY, ~keepers(streams.c.id)),
        sa.and_(streams.c.kind == VOTE, streams.c.updated < now - KEEP_VOTES * DAY),
    ]
    if keep_unfinished:
        found.append(sa.and_(one_kind, streams.c.updated < now - keep_unfinished * DAY, status != "over"))
    return found


def _remove(connection: sa.Connection, old: "sa.ColumnElement[bool]", in_use: Callable[[], Collection[str]]) -> int:
    used = in_use()
    found = connection.scalars(sa.select(streams.c.id).where(old).limit(SOME + len(used))).all()
    removed = [stream_id for stream_id in found if stream_id not in used]
    remove_streams(connection, removed)
    return len(removed)


def _forget_guests(connection: sa.Connection, seen_before: float) -> int:
    """People whose cookie has gone stale: their games stay for those who played them."""
    unused = sa.select(guests.c.id).where(guests.c.seen < seen_before, ~guests.c.erased, _is_a_browser()).limit(SOME)
    found = connection.scalars(unused).all()
    for guest in found:
        forget_guest(connection, guest)
    return len(found)


def _forget_idle(connection: sa.Connection, seen_before: float) -> int:
    """Guests of whom there is nothing to keep."""
    plays = sa.select(members.c.guest).where(members.c.guest == guests.c.id).exists()
    owns = sa.select(bots.c.guest).where(bots.c.owner == guests.c.id).exists()
    learns = sa.select(tries.c.guest).where(tries.c.guest == guests.c.id).exists()
    errs = sa.select(mistakes.c.guest).where(mistakes.c.guest == guests.c.id).exists()
    nothing = (~plays, ~owns, ~learns, ~errs)
    idle = sa.select(guests.c.id).where(guests.c.seen < seen_before, *nothing, _is_a_browser()).limit(SOME)
    found = connection.scalars(idle).all()
    connection.execute(sa.delete(searched).where(searched.c.guest.in_(found)))
    connection.execute(sa.delete(guests).where(guests.c.id.in_(found)))
    return len(found)


def _is_a_browser() -> "sa.ColumnElement[bool]":
    """Bots are revoked, and people erased, by those who made them."""
    bot = sa.select(bots.c.guest).where(bots.c.guest == guests.c.id).exists()
    person = sa.select(people.c.guest).where(people.c.guest == guests.c.id).exists()
    return ~bot & ~person


def _forget_pauses(connection: sa.Connection) -> None:
    newest = sa.select(pauses.c.began).order_by(pauses.c.began.desc()).limit(MAX_PAUSES)
    connection.execute(sa.delete(pauses).where(pauses.c.began.not_in(newest.scalar_subquery())))
