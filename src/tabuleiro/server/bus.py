"""News for the other server processes: which session has a new event, who is watching, who has a new name.

A process that serves alone has nobody to tell. Several share a Redis; each tells the others and hears them.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import orjson
from redis.asyncio import Redis
from redis.exceptions import RedisError

from tabuleiro.server.loglines import log, log_failure

Json = dict[str, Any]

CHANNEL = "tabuleiro"
#: News that wait while Redis is away; the oldest go first. A process that missed some catches up when Redis is back.
MAX_WAITING = 10_000


class Bus(Protocol):
    def tell(self, news: Json) -> None:
        """Send news to the other processes, without waiting."""

    async def close(self) -> None: ...


class NoBus:
    """The bus of a process that serves alone."""

    def tell(self, news: Json) -> None:
        pass

    async def close(self) -> None:
        pass


class RedisBus:
    def __init__(
        self,
        url: str,
        process: str,
        hear: Callable[[Json], Awaitable[None]],
        catch_up: Callable[[], Awaitable[None]],
    ) -> None:
        """`hear` gets the news of the others; `catch_up` is called when some may have been missed."""
        self._redis = Redis.from_url(url, socket_connect_timeout=5, socket_timeout=None, health_check_interval=15)
        self._process = process
        self._hear = hear
        self._catch_up = catch_up
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue(MAX_WAITING)
        self._tasks = [asyncio.create_task(self._speak()), asyncio.create_task(self._listen())]

    def tell(self, news: Json) -> None:
        if self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait(orjson.dumps({**news, "from": self._process}))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()

    async def _speak(self) -> None:
        while True:
            message = await self._waiting.get()
            while True:
                try:
                    await self._redis.publish(CHANNEL, message)
                    break
                except (RedisError, OSError) as error:
                    log("redis_away", level="warning", error=type(error).__name__)
                    await asyncio.sleep(1)

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    await self._catch_up()
                    async for message in channel.listen():
                        if message["type"] == "message":
                            news = orjson.loads(message["data"])
                            if news["from"] != self._process:
                                await self._hear(news)
            except (RedisError, OSError) as error:
                log("redis_away", level="warning", error=type(error).__name__)
            except Exception as error:
                log_failure("news_failed", error)
            await asyncio.sleep(1)
