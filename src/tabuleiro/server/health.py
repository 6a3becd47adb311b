"""Whether the server can do its work: store something, let computers think, and go on doing so."""

import asyncio
import shutil
import time
from dataclasses import asdict, dataclass

from tabuleiro.core import TabuleiroError
from tabuleiro.server.datafiles import sqlite_file
from tabuleiro.server.hub import Hub

#: The seconds that the database may take, and those for which an answer is good: to ask is cheap for us, too.
PATIENCE, GOOD_FOR = 5.0, 2.0
#: Bytes: below this a disk is as good as full.
LITTLE_SPACE = 64 << 20


@dataclass(frozen=True)
class Health:
    #: Whether something could be written just now.
    database: bool
    #: Whether a computer player lives.
    engines: bool
    #: Whether the disk of a database file has space left.
    disk: bool

    @property
    def ok(self) -> bool:
        return self.database and self.engines and self.disk

    def as_json(self) -> dict[str, bool]:
        return {"ok": self.ok, **asdict(self)}


class Doctor:
    """Looks now and then, however often it is asked."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._file = sqlite_file(hub.settings.database)
        self._looked = asyncio.Lock()
        self._found: tuple[float, Health] | None = None

    async def look(self) -> Health:
        async with self._looked:
            if self._found is None or time.monotonic() - self._found[0] > GOOD_FOR:
                found = Health(await self._writes(), self._hub.thinking.engines.alive > 0, self._has_space())
                self._found = (time.monotonic(), found)
            return self._found[1]

    async def _writes(self) -> bool:
        try:
            await asyncio.wait_for(self._hub.heartbeat.probe(), PATIENCE)
        except (TabuleiroError, TimeoutError):
            return False
        return True

    def _has_space(self) -> bool:
        if self._file is None:
            return True
        try:
            return shutil.disk_usage(self._file.parent).free >= LITTLE_SPACE
        except OSError:
            return False
