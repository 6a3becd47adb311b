"""Connections come in a few at a time, and nobody who is in, or asks for something, waits for those who come."""

import asyncio
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from tabuleiro.server.turnstile import Turnstile

MANY, AT_ONCE = 20, 3


class Hall:
    """Lets people in when told to, and counts them."""

    def __init__(self) -> None:
        self.coming = self.most = self.inside = self.answered = 0
        self.may_come = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, _: Send) -> None:
        if scope["type"] == "http":
            self.answered += 1
            return
        await receive()
        self.coming += 1
        self.most = max(self.most, self.coming)
        await self.may_come.wait()
        self.coming -= 1
        if scope.get("refused"):
            raise PermissionError
        self.inside += 1
        await receive()


async def _nothing(_: Message) -> None:
    pass


def visitor(door: Turnstile, leave: asyncio.Event, **more: Any) -> asyncio.Task[None]:
    said = iter(("websocket.connect", "websocket.disconnect"))

    async def receive() -> Message:
        kind = next(said)
        if kind == "websocket.disconnect":
            await leave.wait()
        return {"type": kind}

    return asyncio.create_task(door({"type": "websocket", **more}, receive, _nothing))


async def settled() -> None:
    for _ in range(10 * MANY):
        await asyncio.sleep(0)


def test_a_whole_hall_comes_in_a_few_at_a_time() -> None:
    async def run() -> None:
        hall, leave = Hall(), asyncio.Event()
        door = Turnstile(hall, AT_ONCE, patience=60)
        visitors = [visitor(door, leave) for _ in range(MANY)]
        await settled()
        assert hall.coming == AT_ONCE
        await door({"type": "http"}, _never, _nothing)
        assert hall.answered == 1, "who asks for something does not wait for those who come"
        hall.may_come.set()
        await settled()
        assert (hall.inside, hall.most) == (MANY, AT_ONCE), "who stays keeps nobody out"
        leave.set()
        await asyncio.gather(*visitors)

    asyncio.run(run())


def test_who_is_refused_makes_room() -> None:
    async def run() -> None:
        hall, leave = Hall(), asyncio.Event()
        hall.may_come.set()
        door = Turnstile(hall, 1, patience=60)
        refused = [visitor(door, leave, refused=True) for _ in range(3)]
        outcomes = await asyncio.gather(*refused, return_exceptions=True)
        assert [type(each) for each in outcomes] == [PermissionError] * 3
        stays = visitor(door, leave)
        await settled()
        assert hall.inside == 1
        leave.set()
        await stays

    asyncio.run(run())


def test_who_takes_long_keeps_nobody_out() -> None:
    """One who never reads what is said first, say: everybody else would wait for ever."""

    async def run() -> None:
        hall, leave = Hall(), asyncio.Event()
        door = Turnstile(hall, AT_ONCE, patience=0.01)
        visitors = [visitor(door, leave) for _ in range(MANY)]
        while hall.coming < MANY:
            await asyncio.sleep(0.01)
        hall.may_come.set()
        leave.set()
        await asyncio.gather(*visitors)

    asyncio.run(asyncio.wait_for(run(), 30))


async def _never() -> Message:
    raise AssertionError("nothing is received of a request here")
