"""Those who look at the lobby: each is told who is there, and from then on what changes, once for all who see the same
people."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Protocol

import orjson

from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people.circle import Circle, Present, lines
from tabuleiro.server.store import Store
from tabuleiro.server.tasks import Tasks

#: Seconds for which changes are gathered, to be told together.
DELAY = 0.5


class Follower(Protocol):
    """A connection."""

    guest: Guest

    def say(self, message: Json) -> None: ...

    def send(self, message: str) -> None: ...


class Hall:
    def __init__(self, store: Store, present: Callable[[], Present], now: Callable[[], float], tasks: Tasks) -> None:
        self._store = store
        self._present = present
        self._now = now
        self._tasks = tasks
        self._followers: dict[Circle, set[Follower]] = {}
        #: Of whom something may have changed since it was last told.
        self._changed: set[Guest] = set()
        self._timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    async def follow(self, follower: Follower, circle: Circle) -> None:
        """Somebody looks: those of their circle, and who is here where the lobby is open."""
        self.unfollow(follower)
        self._followers.setdefault(circle, set()).add(follower)
        follower.say({"type": "lobby", "open": circle.is_open, "people": await self.told(follower.guest, circle)})

    async def told(self, guest: Guest, circle: Circle) -> list[Json]:
        """Everybody of a circle but oneself."""
        present = self._present()
        seen = {*circle.members, *(present.here if circle.is_open else ())} - {guest}
        return await self._store.read(partial(lines, guests=seen, present=present, now=self._now()))

    def unfollow(self, follower: Follower) -> None:
        for circle, followers in [*self._followers.items()]:
            followers.discard(follower)
            if not followers:
                del self._followers[circle]

    def start_anew(self, guests: Collection[Guest] | None = None) -> None:
        """Who meets whom has changed, for these or for all: they ask again."""
        for circle, followers in [*self._followers.items()]:
            for follower in [*followers]:
                if guests is None or follower.guest in guests or not circle.members.isdisjoint(guests):
                    self.unfollow(follower)
                    follower.say({"type": "lobby_anew"})

    def changed(self, guest: Guest) -> None:
        """Somebody came, went, began or ended a game."""
        if self._followers and any(circle.includes(guest) for circle in self._followers):
            self._changed.add(guest)
            if self._timer is None:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(DELAY, lambda: self._tasks.spawn(self._tell()))

    async def _tell(self) -> None:
        self._timer, guests = None, self._changed
        self._changed = set()
        present = self._present()
        told = await self._store.read(partial(lines, guests=guests, present=present, now=self._now()))
        written = {line["guest"]: orjson.dumps(line) for line in told}
        for circle, followers in [*self._followers.items()]:
            some = {guest: line for guest, line in written.items() if circle.includes(guest)}
            message = _people(some.values())
            for follower in [*followers]:
                if follower.guest not in some:
                    others = message
                else:  # nobody is told of oneself
                    others = _people(line for guest, line in some.items() if guest != follower.guest)
                if some.keys() - {follower.guest}:
                    follower.send(others)


def _people(written: Iterable[bytes]) -> str:
    return (b'{"type":"lobby_people","people":[%b]}' % b",".join(written)).decode()
