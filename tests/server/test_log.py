"""A second kind of stream, added by a class and a line: it is stored, read again, caught up with and seen to as game
sessions are, by a log that knows nothing of it."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest
import sqlalchemy as sa

from tabuleiro.language import Text
from tabuleiro.server import log as log_module
from tabuleiro.server.clock import Pause
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.log import Attendant, Decision, Event, EventLog, Json, OpenStream, Stream
from tabuleiro.server.metrics import Metrics
from tabuleiro.server.settings import sqlite_url
from tabuleiro.server.store import Store
from tabuleiro.server.streams import STREAMS


class Tally(Stream):
    """Somebody counts; a minute after the last count the tally closes by itself. A closed one may begin another."""

    kind: ClassVar[str] = "tally"

    def __init__(self, stream_id: str, step: int, created: float) -> None:
        self.id, self.step, self.created, self.number = stream_id, step, created, 0
        self.count, self.closed, self.last = 0, False, created

    @classmethod
    def begin(cls, stream_id: str, settings: Json, created: float) -> Self:
        return cls(stream_id, settings["step"], created)

    def settings_json(self) -> Json:
        return {"step": self.step}

    def apply(self, event: Event) -> None:
        assert event.number == self.number + 1
        self.number, self.last = event.number, event.at
        self.count += self.step if event.kind == "count" else 0
        self.closed = event.kind == "close"

    def due(self, now: float, pauses: Sequence[Pause]) -> float | None:
        return None if self.closed else self.last + 60

    def decide_due(self, now: float, pauses: Sequence[Pause]) -> Decision | None:
        return Decision("close", {}) if not self.closed and now >= self.last + 60 else None

    def summary(self) -> Json:
        return {"count": self.count, "closed": self.closed}

    def decide_count(self) -> Decision:
        if self.closed:
            raise RefusedError("closed", Text("está fechada", "it is closed"), 409)
        return Decision("count", {"said": "one more"})


#: The line.
KINDS: dict[str, type[Stream]] = {**STREAMS, Tally.kind: Tally}


class Told(Attendant):
    def __init__(self) -> None:
        self.heard: list[tuple[int, str, bool]] = []

    def happened(self, opened: OpenStream[Any], events: Sequence[Event], *, here: bool) -> None:
        self.heard += [(event.number, event.kind, here) for event in events]


class Process:
    """A server process, as far as the log is concerned."""

    def __init__(self, url: str, wall: list[float], news: Callable[[Json], None] = lambda news: None) -> None:
        self.store = Store(url)
        self.log = EventLog(self.store, KINDS, Metrics(), lambda: wall[0], [], news, alone=False)
        self.told = self.log.attendants[Tally.kind] = Told()

    async def tally(self) -> OpenStream[Tally]:
        opened = await self.log.get("t")
        assert opened is not None
        return opened

    async def close(self) -> None:
        await self.log.close()
        await self.store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    database: str = request.getfixturevalue("postgresql")
    engine = sa.create_engine(database.replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text("DROP DATABASE IF EXISTS tallies"))
        connection.execute(sa.text("CREATE DATABASE tallies"))
    engine.dispose()
    return database.rpartition("/")[0] + "/tallies"


def with_processes(url: str, count: int, work: Callable[..., Awaitable[None]]) -> None:
    async def run() -> None:
        wall = [1000.0]
        processes = [Process(url, wall) for _ in range(count)]
        try:
            await work(wall, *processes)
        finally:
            for process in processes:
                await process.close()

    asyncio.run(run())


def test_it_is_stored_and_read_again(url: str) -> None:
    async def work(wall: list[float], one: Process, two: Process) -> None:
        opened = await one.log.create(Tally("t", 3, wall[0]), {})
        assert [await one.log.act(opened, Tally.decide_count) for _ in range(2)] == [1, 2]
        again = await two.tally()
        assert again.stream.count == 6 and again.stream.settings_json() == {"step": 3}
        assert one.told.heard == [(1, "count", True), (2, "count", True)]
        missed = await two.log.missed(again, 1)
        assert missed is not None and missed.number == 2 and missed.data == {"said": "one more"}
        assert await two.log.missed(again, 2) is None and await two.log.missed(again, None) is None
        assert await one.log.get("nothing") is None

    with_processes(url, 2, work)


def test_of_two_processes_that_write_the_same_number_one_is_first(url: str) -> None:
    async def work(wall: list[float], one: Process, two: Process) -> None:
        await one.log.create(Tally("t", 1, wall[0]), {})
        here, there = await one.tally(), await two.tally()
        numbers = await asyncio.gather(one.log.act(here, Tally.decide_count), two.log.act(there, Tally.decide_count))
        assert sorted(numbers) == [1, 2], "the one that came too late met what was stored, and was counted after it"
        for process, opened in ((one, here), (two, there)):
            await process.log.catch_up(opened)
            assert opened.stream.count == 2
            assert [number for number, *_ in process.told.heard] == [1, 2]
            assert [was_here for *_, was_here in process.told.heard].count(True) == 1

    with_processes(url, 2, work)


def test_news_of_an_event_are_caught_up_with(url: str) -> None:
    async def work(wall: list[float], one: Process, two: Process) -> None:
        opened = await one.log.create(Tally("t", 1, wall[0]), {})
        there = await two.tally()
        await one.log.act(opened, Tally.decide_count)
        two.log.hear({"about": "event", "stream": "t", "number": 1})
        async with asyncio.timeout(10):
            while there.stream.number == 0:
                await asyncio.sleep(0.01)
        assert two.told.heard == [(1, "count", False)]

    with_processes(url, 2, work)


def test_costly_events_of_another_process_are_replayed_in_a_thread(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    in_the_loop: list[bool] = []
    loop_thread = threading.current_thread()
    apply_all = Tally.apply_all

    def noted(self: Tally, events: Sequence[Event]) -> None:
        in_the_loop.append(threading.current_thread() is loop_thread)
        apply_all(self, events)

    async def work(wall: list[float], one: Process, two: Process) -> None:
        opened = await one.log.create(Tally("t", 1, wall[0]), {})
        there = await two.tally()
        before = there.stream
        for _ in range(3):
            await one.log.act(opened, Tally.decide_count)
        monkeypatch.setattr(Tally, "is_costly", lambda self, event: event.number == 2)
        monkeypatch.setattr(Tally, "apply_all", noted)
        await two.log.catch_up(there)
        assert there.stream is not before and there.stream.count == 3
        assert two.told.heard == [(1, "count", False), (2, "count", False), (3, "count", False)]

    with_processes(url, 2, work)
    assert in_the_loop == [False]


def test_what_is_due_happens_also_after_a_restart(url: str) -> None:
    async def before(wall: list[float], one: Process) -> None:
        opened = await one.log.create(Tally("t", 1, wall[0]), {})
        wall[0] += 59
        await one.log.sweep(0)
        assert not opened.stream.closed
        await one.log.act(opened, Tally.decide_count)

    async def after(wall: list[float], one: Process) -> None:
        wall[0] += 59 + 59
        await one.log.sweep(0)
        assert not one.log.open, "nothing is due, so nothing was read"
        wall[0] += 2
        await one.log.sweep(0)
        opened = await one.tally()
        assert opened.stream.closed and one.told.heard == [(2, "close", True)]
        assert await one.store.due(wall[0] + 1000) == []

    with_processes(url, 1, before)
    with_processes(url, 1, after)


def test_an_action_meets_what_was_due_before_it(url: str) -> None:
    async def work(wall: list[float], one: Process) -> None:
        opened = await one.log.create(Tally("t", 1, wall[0]), {})
        wall[0] += 61
        with pytest.raises(RefusedError):
            await one.log.act(opened, Tally.decide_count)
        assert opened.stream.closed and opened.stream.number == 1

    with_processes(url, 1, work)


def test_what_could_not_be_stored_is_dropped(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any, **more: Any) -> bool:
        raise OSError("disk full")

    async def work(wall: list[float], one: Process) -> None:
        opened = await one.log.create(Tally("t", 1, wall[0]), {})
        with monkeypatch.context() as patch:
            patch.setattr(one.store, "append", broken)
            with pytest.raises(RefusedError, match="saved"):
                await one.log.act(opened, Tally.decide_count)
        assert opened.dropped
        fresh = await one.tally()
        assert fresh is not opened and fresh.stream.count == 0
        assert await one.log.act(fresh, Tally.decide_count) == 1

    with_processes(url, 1, work)


def test_what_nobody_uses_is_forgotten_and_erased_is_gone_everywhere(url: str) -> None:
    async def work(wall: list[float], one: Process, two: Process) -> None:
        opened = await one.log.create(Tally("t", 1, wall[0]), {})
        await one.log.act(opened, lambda tally: Decision("close", {}))
        opened.touched = time.monotonic() - log_module.IDLE - 1
        await one.log.sweep(0)
        assert not one.log.open
        opened, there = await one.tally(), await two.tally()
        async with opened.held():
            await one.log.leave(opened, 1)
        two.log.hear({"about": "erased", "stream": "t"})
        assert there.dropped and await two.log.get("t") is None and await one.log.get("t") is None

    with_processes(url, 2, work)
