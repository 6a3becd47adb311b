"""When servers ran and when none did: no player is charged for a time in which nobody could move."""

from collections.abc import Callable

from tabuleiro.server.clock import Pause
from tabuleiro.server.store import Store

#: Seconds between two notes that a process runs, and the seconds without one after which it is taken for dead.
BEAT, SILENCE = 2.0, 6.0


class Heartbeat:
    def __init__(self, store: Store, process: str, now: Callable[[], float]) -> None:
        self._store = store
        self._process = process
        self._now = now
        self.pauses: list[Pause] = []

    async def start(self, *, alone: bool) -> None:
        """Note how long no server was running; who serves alone knows that none was."""
        await self._store.correct(self._now() + SILENCE)
        self.pauses += await self._store.pauses()
        await self.beat(certainly=alone)

    async def beat(self, *, certainly: bool = False) -> None:
        """Say that we are running. If nobody did until now, or this machine slept, no player is charged for that."""
        now, alive = self._now(), await self._store.last_alive()
        if alive is not None and now > alive and (certainly or now - alive > SILENCE):
            pause = Pause(alive, now)
            self.pauses.append(pause)
            await self._store.add_pause(pause)
        await self._store.beat(self._process, now)

    async def probe(self) -> None:
        """Write something, or raise."""
        await self._store.beat(self._process, self._now())

    async def stop(self) -> None:
        await self._store.beat(self._process, self._now())
