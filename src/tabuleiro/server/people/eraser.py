"""Erasing beside a running server: whoever is to go goes in time, and wherever somebody was erased, here, at another
process or at the terminal, nothing of them stays in memory and nobody waits for their move."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import sqlalchemy as sa

from tabuleiro.server.errors import RefusedError
from tabuleiro.server.hub import Hub
from tabuleiro.server.log import Guest
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.people.erasing import erase_in_copies, erase_what_is_due
from tabuleiro.server.sessions import GameSession
from tabuleiro.server.store import ERASED, MAX_ROWS
from tabuleiro.server.tables import erasures, guests, members, streams

#: Seconds between two looks at whether somebody was erased, and between two at whether somebody is to be.
LOOK, DAY = 2.0, 24 * 3600.0


class Eraser:
    def __init__(self, hub: Hub, database: str) -> None:
        self._hub = hub
        self._database = database
        self._store = hub.store
        #: How many had been erased at the last look.
        self._seen: int | None = None

    async def erase_what_is_due(self) -> None:
        """Erase who was removed some days ago, was not seen for long, or came back with an old copy."""
        await self._store.write(lambda connection: erase_what_is_due(connection, self._database, self._hub.now()))

    async def go_on(self) -> None:
        while True:
            for _ in range(int(DAY / LOOK)):
                await self._guarded(self.look)
                await asyncio.sleep(LOOK)
            await self._guarded(self.erase_what_is_due)

    @staticmethod
    async def _guarded(work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Exception as error:
            log_failure("erasing_failed", error)

    async def look(self) -> None:
        """If somebody was erased since the last look, see to what is left of them."""
        count = await self._store.read(_count)
        if count == self._seen:
            return
        for session_id, guest in await self._store.read(_waited_for):
            with contextlib.suppress(RefusedError):  # it ended a moment ago
                opened = await self._hub.get(session_id)
                await self._hub.act(opened, partial(GameSession.decide_resign, guest=guest))
        await self._forget_names()
        await self._forget_games()
        if await asyncio.to_thread(erase_in_copies, self._database, self._hub.now()):
            self._seen = count

    async def _forget_names(self) -> None:
        known = {guest for opened in self._hub.log.open.values() for guest in opened.names}
        for guest, name in (await self._store.nicknames(known)).items():
            if name == ERASED:
                await self._hub.renamed(guest, ERASED, tell=False)

    async def _forget_games(self) -> None:
        """Those that were erased with their only player."""
        open_ids = [*self._hub.log.open]
        there = await self._store.read(lambda connection: _there(connection, open_ids))
        for stream_id in open_ids:
            if stream_id not in there:
                self._hub.log.hear({"about": "erased", "stream": stream_id})


def _count(connection: sa.Connection) -> int:
    return connection.execute(sa.select(sa.func.count()).select_from(erasures)).scalar_one()


def _waited_for(connection: sa.Connection) -> list[tuple[str, Guest]]:
    """The games that go on, and who of their players was erased."""
    query = (
        sa.select(streams.c.id, members.c.guest)
        .join(members, members.c.stream == streams.c.id)
        .join(guests, guests.c.id == members.c.guest)
        .where(guests.c.erased, streams.c.kind == GameSession.kind)
        .where(streams.c.summary["status"].as_string() == "playing")
    )
    return [(row.id, row.guest) for row in connection.execute(query)]


def _there(connection: sa.Connection, stream_ids: Sequence[str]) -> set[str]:
    """Those of these streams that are stored."""
    found: set[str] = set()
    for begin in range(0, len(stream_ids), MAX_ROWS):
        some = stream_ids[begin : begin + MAX_ROWS]
        found.update(connection.scalars(sa.select(streams.c.id).where(streams.c.id.in_(some))))
    return found
