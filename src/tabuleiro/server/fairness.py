"""Whose turn it is, where many want what few can have at the same time.

Everybody who asks has a path, from the widest share to the narrowest: an address, a guest behind it, a session of that
guest. Of those who wait, the next one belongs to the share that has had the least at the widest level, then at the
next; within the narrowest, short work comes before long, and who came first before who came later. Where all turns
count the same, who came first within an address comes first; only who asks for a second turn before the first is over
comes as late as if everybody who waits had asked once more. What is free need not suit everybody alike: those it suits
come first, and the others rather than nobody.
"""

import asyncio
import contextlib
import itertools
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from typing import NamedTuple

from tabuleiro.server.errors import TOO_MANY_REQUESTS, RefusedError

#: Shares that nobody uses are remembered while they have had more than others, but no more than this many of them.
MAX_IDLE = 1000


class Level(NamedTuple):
    """What every share of one level may have; None: as much as there is."""

    #: Turns at the same time.
    at_once: int | None = None
    #: Turns and requests that wait for one, together; what is asked for beyond that is refused, or one that yields is
    #: refused in its place.
    asked: int | None = None


class _Share:
    """What one address, guest or session has and has had."""

    __slots__ = ("asked", "floor", "had", "running")

    def __init__(self, had: float) -> None:
        self.running = 0
        self.asked = 0
        #: Seconds.
        self.had = had
        #: What the last one inside it who got a turn had had before: newcomers begin there, without credit.
        self.floor = 0.0


class _Request(NamedTuple):
    #: Whether it may wait, as what nobody looks at: it then comes after all others. That may change while it waits.
    yields: Callable[[], bool]
    #: Whether it comes after all others of the same first share. That may change too.
    last: Callable[[], bool]
    #: Whether what is free now suits it; one that nothing free suits comes after those that something does.
    fits: Callable[[], bool]
    cost: float
    order: int
    shares: tuple[_Share, ...]
    turn: "asyncio.Future[None]"
    #: Whether its turn counts as much as any other.
    counts_the_same: bool

    @property
    def rank(self) -> tuple[float, ...]:
        widest, *narrower = (share.had for share in self.shares)
        inside = () if self.counts_the_same else (*narrower, self.cost)
        return (self.yields(), not self.fits(), widest, self.last(), *inside, self.order)


class FairQueue:
    def __init__(self, levels: Sequence[Level], slots: Callable[[], int] | None = None) -> None:
        """`slots`: turns at the same time of all together, as many as there are now."""
        self._levels = tuple(levels)
        self._slots = slots
        self._running = 0
        self._root = _Share(0.0)
        self._shares: dict[tuple[Hashable, ...], _Share] = {}
        #: Shares that nobody uses now, since longest first.
        self._idle: OrderedDict[tuple[Hashable, ...], None] = OrderedDict()
        self._waiting: list[_Request] = []
        self._order = itertools.count()

    @property
    def asked(self) -> int:
        """Turns and requests that wait for one."""
        return self._root.asked

    @property
    def remembered(self) -> int:
        """Shares of which anything is known."""
        return len(self._shares)

    @contextlib.asynccontextmanager
    async def turn(
        self,
        *path: Hashable,
        cost: float = 0.0,
        yields: Callable[[], bool] = lambda: False,
        last: Callable[[], bool] = lambda: False,
        fits: Callable[[], bool] = lambda: True,
        charge: float | None = None,
    ) -> AsyncIterator[None]:
        """Wait for a turn, for as long as the work inside takes; or refuse who has asked for too much already.
        `cost`: the seconds that it will take, where that is known. `yields`: whether all others go before; `last`:
        whether all others of the same first share do. `fits`: whether what is free now suits it better than what else
        may become free. `charge`: what the turn counts, instead of the seconds that it took: where all turns count the
        same, nobody waits longer for the next one because the last took long."""
        assert len(path) == len(self._levels)
        names = [path[:depth] for depth in range(1, len(path) + 1)]
        for name, level in zip(names, self._levels, strict=True):
            share = self._shares.get(name)
            if share is None or level.asked is None or share.asked < level.asked:
                continue
            if yields() or not self._make_room(share):
                raise RefusedError(*TOO_MANY_REQUESTS)
        shares = self._enter(names)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        order, counts_the_same = next(self._order), charge is not None
        if counts_the_same and len(shares) > 1:
            order += (shares[1].asked - 1) * len(self._waiting)
        request = _Request(yields, last, fits, cost, order, shares, turn, counts_the_same)
        self._waiting.append(request)
        try:
            self._pass_on()
            begun = time.monotonic()
            if not turn.done():
                await turn
                begun = time.monotonic()
            yield
        finally:
            if request in self._waiting:
                self._waiting.remove(request)
            elif turn.done() and not turn.cancelled() and turn.exception() is None:
                self._end(shares, time.monotonic() - begun if charge is None else charge)
            self._leave(names, shares)
            self._pass_on()

    def _make_room(self, share: _Share) -> bool:
        """Refuse the last one of a share that waits and yields; False where there is none."""
        yielding = [request for request in self._waiting if share in request.shares and request.yields()]
        last = max(yielding, key=lambda request: request.rank, default=None)
        if last is None:
            return False
        self._waiting.remove(last)
        if not last.turn.done():
            last.turn.set_exception(RefusedError(*TOO_MANY_REQUESTS))
        return True

    def _enter(self, names: list[tuple[Hashable, ...]]) -> tuple[_Share, ...]:
        inside, shares = self._root, []
        for name in names:
            self._idle.pop(name, None)
            share = self._shares.get(name)
            if share is None:
                share = self._shares[name] = _Share(inside.floor)
            share.had = max(share.had, inside.floor)
            shares.append(share)
            inside = share
        for share in (self._root, *shares):
            share.asked += 1
        return tuple(shares)

    def _end(self, shares: tuple[_Share, ...], seconds: float) -> None:
        self._running -= 1
        for share in shares:
            share.running -= 1
            share.had += seconds

    def _leave(self, names: list[tuple[Hashable, ...]], shares: tuple[_Share, ...]) -> None:
        self._root.asked -= 1
        for name, share in zip(names, shares, strict=True):
            share.asked -= 1
            if not share.asked:
                self._idle[name] = None
        # To forget one who has had no more than a newcomer changes nothing.
        while self._idle:
            oldest = next(iter(self._idle))
            around = self._shares.get(oldest[:-1], self._root)
            if self._shares[oldest].had > around.floor and len(self._idle) <= MAX_IDLE:
                break
            del self._idle[oldest], self._shares[oldest]

    def _pass_on(self) -> None:
        while self._slots is None or self._running < self._slots():
            request = min(filter(self._may_begin, self._waiting), key=lambda request: request.rank, default=None)
            if request is None:
                return
            self._waiting.remove(request)
            if request.turn.done():  # who waited for it has gone away
                continue
            self._running += 1
            inside = self._root
            for share in request.shares:
                share.running += 1
                inside.floor = max(inside.floor, share.had)
                inside = share
            request.turn.set_result(None)

    def _may_begin(self, request: _Request) -> bool:
        return all(
            level.at_once is None or share.running < level.at_once
            for level, share in zip(self._levels, request.shares, strict=True)
        )
