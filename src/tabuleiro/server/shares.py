"""How much of the one thread that answers everybody may go to one address.

Some answers cost a hundred times what others do, so counting requests is not enough. What each answer took of the
processor is put down to the address that asked. One that has had more than its share is answered once that is made up
for, its requests one after another in the order in which they came: it is not refused, and nobody else waits for it.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from tabuleiro.server.token_bucket import Rate, Recent, TokenBucket

#: Seconds of the processor that an address may have at once, and in a second in the long run.
QUOTA = Rate(0.5, 0.4)
#: Answers to an address that begin in the same round of the loop; between two rounds everybody else is heard.
AT_ONCE = 4
#: What an answer is expected to take, in seconds, before any is known; and how much one answer counts in it.
FIRST_GUESS, WEIGHT = 0.002, 0.1
#: Addresses are remembered for as long as there is room; those not heard of for longest go first.
MAX_REMEMBERED = 10_000


class Share:
    """What one address has left, and what of it waits for more."""

    def __init__(self) -> None:
        self._bucket = TokenBucket(QUOTA)
        self._expected = FIRST_GUESS
        self._waiting: deque[Callable[[], None]] = deque()
        self._next: asyncio.Handle | None = None

    @property
    def is_behind(self) -> bool:
        """Whether it has had more than its share, or did when those began to wait that still do."""
        return bool(self._waiting) or self._bucket.left() < 0

    def begin(self, answer: Callable[[], None]) -> None:
        """Call `answer` as soon as the address may have one."""
        self._waiting.append(answer)
        if self._next is None:
            self._go_on()

    def spend(self, seconds: float) -> None:
        """Put down what something took."""
        self._bucket.spend(seconds)

    def _go_on(self) -> None:
        """Let a few begin, and see to those who come meanwhile in the next round."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            self._next = None
        elif (seconds := self._bucket.wait()) > 0:
            self._next = loop.call_later(seconds, self._go_on)
        else:
            self._next = loop.call_soon(self._go_on)
            for _ in range(min(AT_ONCE, len(self._waiting))):
                self._waiting.popleft()()

    async def meter(self, work: Awaitable[None]) -> float:
        """Put down what some work takes; the seconds."""
        metered = _Metered(work)
        try:
            await metered
        finally:
            self.spend(metered.seconds)
        return metered.seconds

    def metered(self, app: ASGIApp) -> ASGIApp:
        """The same, with what it takes put down to the address. Called when it begins: what is expected is put down
        then, because others begin before this has taken anything."""
        expected = self._expected
        self._bucket.spend(expected)

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                seconds = await self.meter(app(scope, receive, send))
                self._expected += WEIGHT * (seconds - self._expected)
            finally:
                self._bucket.spend(-expected)

        return answer


class _Metered:
    """Something to be awaited, and the seconds of this thread's processor that it took."""

    def __init__(self, work: Any) -> None:
        self._work: Coroutine[Any, Any, None] = work
        self.seconds = 0.0

    def __await__(self) -> Generator[Any, Any, None]:
        go_on, value = self._work.send, None
        while True:
            begun = time.thread_time()
            try:
                awaited = go_on(value)
            except StopIteration:
                return
            finally:
                self.seconds += time.thread_time() - begun
            try:
                go_on, value = self._work.send, (yield awaited)
            except BaseException as error:
                go_on, value = self._work.throw, error


class Shares(Recent[str, Share]):
    """The share of each address."""

    def __init__(self) -> None:
        super().__init__(lambda _: Share(), MAX_REMEMBERED)
