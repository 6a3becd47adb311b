"""`tabuleiro worker`: engines for servers on other machines, which they are asked by way of Redis (`letters.py`).

A worker takes as many questions as it has threads, and holds as many more in its hand: of those it answers moves first,
then whom it thinks least for at present, then what must be answered first. What it thinks about it claims again and
again; what is in its hand, or was with a worker that died or stands still, another that is free claims after a moment.
"""

import asyncio
import contextlib
import os
import secrets
import signal
import socket
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from tabuleiro.server.engines import Pool, WorkerLostError
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.letters import (
    ANALYSES,
    BEAT,
    GONE,
    GROUP,
    MOVES,
    STOPS,
    VERSION,
    WORKERS,
    AnswerLetter,
    QuestionLetter,
    StopLetter,
    WorkerCard,
    answers_to,
    own_games,
    worker_key,
)
from tabuleiro.server.loglines import log, log_failure
from tabuleiro.server.questions import KINDS
from tabuleiro.server.remote import question_in
from tabuleiro.server.tasks import Tasks

#: Milliseconds after which an entry that nobody has claimed anew may be claimed by another; and the seconds between two
#: times at which a worker claims what it thinks about.
STANDS_STILL, CLAIM_AGAIN = 1000, 0.3
#: Milliseconds for which a worker that has nothing to do waits for a question before it looks around.
WAITING = 200
#: Seconds that questions in the making have when a worker is asked to leave.
LEAVING = 5.0
#: Milliseconds after which nothing is remembered of a worker that was not heard of.
FORGOTTEN = 3_600_000


@dataclass(eq=False)
class _Entry:
    """A question that is in the hand, or thought about."""

    stream: str
    id: str
    letter: QuestionLetter
    #: When it must be answered, by the clock of this process.
    deadline: float
    taken: float


class Worker:
    def __init__(self, url: str, threads: int) -> None:
        self._redis = Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5)
        self._hearing = Redis.from_url(url, socket_connect_timeout=5, socket_timeout=None, health_check_interval=15)
        self.name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self.threads = threads
        self._card = WorkerCard(name=self.name, version=VERSION, threads=threads, games=own_games())
        self._pool: Pool | None = None
        self._hand: list[_Entry] = []
        self._thinking: dict[_Entry, asyncio.Task[None]] = {}
        self._free = asyncio.Event()
        self._tasks = Tasks()

    async def run(self) -> None:
        """Until somebody cancels it. Questions that are thought about then are answered first, if they are soon."""
        self._pool = Pool(self.threads, give_way=0)
        await self._pool.ready()
        always = [asyncio.create_task(self._over_and_over(step)) for step in (self._announce, self._claim, self._take)]
        always.append(asyncio.create_task(self._over_and_over(self._hear_stops)))
        try:
            await asyncio.gather(*always)
        finally:
            for task in always:
                task.cancel()
            await asyncio.gather(*always, return_exceptions=True)
            await self._leave()

    async def _leave(self) -> None:
        with contextlib.suppress(RedisError, OSError):
            await self._redis.delete(worker_key(self.name))
            await self._redis.zrem(WORKERS, self.name)
        if self._thinking:
            await asyncio.wait([*self._thinking.values()], timeout=LEAVING)
        await self._tasks.close()
        if not self._hand:  # else another claims what is there
            for stream in (MOVES, ANALYSES):
                with contextlib.suppress(RedisError, OSError):
                    await self._redis.xgroup_delconsumer(stream, GROUP, self.name)
        assert self._pool is not None
        await self._pool.close()
        for client in (self._redis, self._hearing):
            with contextlib.suppress(RedisError, OSError):
                await client.aclose()

    async def _over_and_over(self, step: Any) -> None:
        while True:
            try:
                await step()
            except (RedisError, OSError) as error:
                log("redis_away", level="warning", error=type(error).__name__)
                await asyncio.sleep(1)
            except Exception as error:
                log_failure("worker_failed", error)
                await asyncio.sleep(1)

    async def _announce(self) -> None:
        seconds, micros = await self._redis.time()
        now = 1000 * seconds + micros // 1000
        async with self._redis.pipeline(transaction=False) as pipe:
            pipe.set(worker_key(self.name), self._card.model_dump_json(), px=int(1000 * GONE))
            pipe.zadd(WORKERS, {self.name: now})
            pipe.zremrangebyscore(WORKERS, 0, now - FORGOTTEN)
            await pipe.execute()
        await asyncio.sleep(BEAT)

    async def _claim(self) -> None:
        """What is thought about is ours for a moment more."""
        await asyncio.sleep(CLAIM_AGAIN)
        for stream in (MOVES, ANALYSES):
            ours: list[Any] = [entry.id for entry in self._thinking if entry.stream == stream]
            if ours:
                await self._redis.xclaim(stream, GROUP, self.name, min_idle_time=0, message_ids=ours, justid=True)

    async def _hear_stops(self) -> None:
        async with self._hearing.pubsub() as channel:
            await channel.subscribe(STOPS)
            async for message in channel.listen():
                if message["type"] == "message":
                    await self._stop(StopLetter.model_validate_json(message["data"]))

    async def _stop(self, letter: StopLetter) -> None:
        for entry in self._hand:
            if entry.letter.number == letter.number and not letter.hurry:
                self._hand.remove(entry)
                await self._forget(entry)
                return
        for entry, thinking in self._thinking.items():
            if entry.letter.number == letter.number:
                if letter.hurry and entry.letter.place is not None:
                    assert self._pool is not None
                    self._pool.hurry(entry.letter.place)
                elif not letter.hurry:
                    thinking.cancel()

    # -- taking questions -------------------------------------------------------------------------------------------

    async def _take(self) -> None:
        for entry in [entry for entry in self._hand if time.monotonic() > entry.deadline]:
            self._hand.remove(entry)
            await self._forget(entry)  # the server has given it to its own engines
        idle = self.threads - len(self._thinking)
        # Who is idle takes no more than that: others may be idle, too.
        room = (idle or self.threads) - len(self._hand)
        if room > 0:
            await self._read(room, WAITING if idle and not self._hand else None)
        if idle > len(self._hand):
            await self._claim_from_others(idle - len(self._hand))
        while len(self._thinking) < self.threads and self._hand:
            entry = min(self._hand, key=self._rank)
            self._hand.remove(entry)
            if await self._is_ours(entry):
                self._thinking[entry] = self._tasks.spawn(self._think(entry))
        if len(self._thinking) == self.threads:
            self._free.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._free.wait(), WAITING / 1000)

    def _rank(self, entry: _Entry) -> tuple[bool, int, float]:
        askers = Counter(other.letter.asker for other in self._thinking)
        return (entry.stream != MOVES, askers[entry.letter.asker], entry.deadline)

    async def _read(self, count: int, wait: int | None) -> None:
        streams: dict[Any, Any] = {MOVES: ">", ANALYSES: ">"}
        try:
            found: Any = await self._redis.xreadgroup(GROUP, self.name, streams, count=count, block=wait)
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
            await self._make_groups()
            return
        for stream, entries in found or []:
            for id_, fields in entries:
                await self._receive(stream.decode(), id_.decode(), fields)

    async def _make_groups(self) -> None:
        for stream in (MOVES, ANALYSES):
            try:
                await self._redis.xgroup_create(stream, GROUP, id="0", mkstream=True)
            except ResponseError as error:
                if not str(error).startswith("BUSYGROUP"):
                    raise

    async def _claim_from_others(self, count: int) -> None:
        for stream in (MOVES, ANALYSES):
            found: Any = await self._redis.xautoclaim(
                stream, GROUP, self.name, min_idle_time=STANDS_STILL, start_id="0-0", count=count
            )
            for id_, fields in found[1]:
                log("worker_claims", stream=stream, entry=id_.decode())
                await self._receive(stream, id_.decode(), fields)

    async def _receive(self, stream: str, id_: str, fields: dict[bytes, bytes] | None) -> None:
        """An entry whose time is over, or that cannot be read, is nobody's."""
        try:
            letter = QuestionLetter.model_validate_json((fields or {})[b"letter"])
            seconds, micros = await self._redis.time()
            age = seconds + micros / 1e6 - int(id_.partition("-")[0]) / 1000
        except (KeyError, ValueError):
            await self._drop(stream, id_)
            return
        now = time.monotonic()
        entry = _Entry(stream, id_, letter, now + letter.within - age, now)
        if age > letter.within or letter.kind not in KINDS:
            await self._drop(stream, id_)
        elif not any(other.id == id_ and other.stream == stream for other in (*self._hand, *self._thinking)):
            self._hand.append(entry)

    async def _is_ours(self, entry: _Entry) -> bool:
        """Whether nobody has claimed an entry from our hand meanwhile."""
        if 1000 * (time.monotonic() - entry.taken) < STANDS_STILL / 2:
            return True
        found = await self._redis.xpending_range(entry.stream, GROUP, entry.id, entry.id, 1, consumername=self.name)
        return bool(found)

    # -- answering --------------------------------------------------------------------------------------------------

    async def _think(self, entry: _Entry) -> None:
        try:
            letter = await self._answer(entry.letter)
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.publish(answers_to(entry.letter.server), letter.model_dump_json())
                pipe.xack(entry.stream, GROUP, entry.id)
                pipe.xdel(entry.stream, entry.id)
                await pipe.execute()
        except asyncio.CancelledError:
            await self._forget(entry)
            raise
        except (RedisError, OSError) as error:
            log("redis_away", level="warning", error=type(error).__name__)
        finally:
            self._thinking.pop(entry, None)
            self._free.set()

    async def _answer(self, letter: QuestionLetter) -> AnswerLetter:
        assert self._pool is not None
        try:
            said = await self._pool.ask(question_in(letter), letter.place)
            return AnswerLetter(number=letter.number, answer=KINDS[letter.kind].answer.dump_json(said).decode())
        except RefusedError as error:
            refusal = (error.refusal.code, (error.refusal.text.pt, error.refusal.text.en), error.refusal.status)
            return AnswerLetter(number=letter.number, refusal=refusal)
        except (WorkerLostError, ValueError) as error:
            log_failure("question_failed", error)
            return AnswerLetter(number=letter.number)

    async def _forget(self, entry: _Entry) -> None:
        with contextlib.suppress(RedisError, OSError):
            await self._drop(entry.stream, entry.id)

    async def _drop(self, stream: str, id_: str) -> None:
        async with self._redis.pipeline(transaction=True) as pipe:
            pipe.xack(stream, GROUP, id_)
            pipe.xdel(stream, id_)
            await pipe.execute()


async def work(url: str, threads: int) -> None:
    """The life of a worker: until it is interrupted, or asked to end."""
    worker = Worker(url, threads)
    running = asyncio.create_task(worker.run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, running.cancel)
    log("worker_started", worker=worker.name, threads=threads)
    with contextlib.suppress(asyncio.CancelledError):
        await running
    log("worker_stopped", worker=worker.name)
