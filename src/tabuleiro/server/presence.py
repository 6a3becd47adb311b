"""Who watches which stream, from this process and from others, and how they are told what happens."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import orjson

from tabuleiro.server.errors import Refusal
from tabuleiro.server.log import Guest, Json, OpenStream
from tabuleiro.server.tasks import Tasks

#: The messages that a browser may leave unread before its connection is given up.
MAX_UNREAD = 64
#: The seconds for which comings and goings are gathered, to be told together.
PRESENCE_DELAY = 0.1
#: The seconds between the bad news and the end of a connection.
PARTING = 0.1
#: A process that has not said for this many seconds who watches there has nobody who does.
REMEMBERED = 30.0


class Watcher:
    """One connection that watches a stream. Messages wait here until the connection takes them."""

    def __init__(self, guest: Guest | None, address: str, bot: str | None = None) -> None:
        self.guest = guest
        #: The hash of the token of a program, which may be revoked at any time.
        self.bot = bot
        #: How the browser reaches this server, `http://host:port`.
        self.address = address
        self.unread: asyncio.Queue[str | None] = asyncio.Queue()
        self.closed = False
        #: Why it must not come back, if it must not.
        self.refusal: Refusal | None = None

    def send(self, message: str) -> None:
        if self.closed:
            return
        if self.unread.qsize() >= MAX_UNREAD:
            self.close()
        else:
            self.unread.put_nowait(message)

    def close(self, refusal: Refusal | None = None) -> None:
        """Give the connection up; unless it is refused, it may come back and ask for what it missed."""
        self.closed = True
        self.refusal = self.refusal or refusal
        self.unread.put_nowait(None)


class Presence(NamedTuple):
    """Who watches a stream from one process."""

    #: The places of its members who do.
    places: tuple[int, ...]
    #: The others who do.
    spectators: int
    #: When that was said, by `time.monotonic`.
    heard: float


class Face(Protocol):
    """How a kind of stream is shown."""

    def viewer(self, opened: OpenStream[Any], watcher: Watcher) -> Any:
        """As whom somebody looks at the stream: all of whom this is equal are shown the same."""

    def shown(self, opened: OpenStream[Any], viewer: Any, *, whole: bool) -> bytes:
        """The stream as such a viewer sees it, as JSON. Events are not whole: they leave out what does not change."""

    def own(self, opened: OpenStream[Any], watcher: Watcher) -> Json:
        """What differs from one to the other."""


class _Watched:
    """Who watches one stream."""

    def __init__(self) -> None:
        self.here: set[Watcher] = set()
        self.elsewhere: dict[str, Presence] = {}
        self.telling: asyncio.TimerHandle | None = None


class Audience:
    """All who watch streams of one kind from this process, and what is known of those at others."""

    def __init__(self, face: Face, tell: Callable[[Json], None], tasks: Tasks) -> None:
        """`tell` sends news to the other processes."""
        self._face = face
        self._tell = tell
        self._tasks = tasks
        self._watched: dict[str, _Watched] = {}

    def watchers(self) -> Iterator[Watcher]:
        for watched in self._watched.values():
            yield from watched.here

    @property
    def size(self) -> int:
        return sum(len(watched.here) for watched in self._watched.values())

    def is_watched(self, opened: OpenStream[Any]) -> bool:
        return opened.stream.id in self._watched and bool(self._watched[opened.stream.id].here)

    def is_watched_anywhere(self, opened: OpenStream[Any]) -> bool:
        """From this process or another."""
        watched = self._watched.get(opened.stream.id)
        return watched is not None and (
            bool(watched.here) or any(there.places or there.spectators for there in watched.elsewhere.values())
        )

    # -- who is there -----------------------------------------------------------------------------------------------

    def _here(self, opened: OpenStream[Any]) -> Presence:
        members = opened.stream.members()
        places: set[int] = set()
        spectators = 0
        watched = self._watched.get(opened.stream.id)
        for watcher in () if watched is None else watched.here:
            taken = [place for place, guest in members.items() if guest == watcher.guest]
            places.update(taken)
            spectators += not taken
        return Presence(tuple(sorted(places)), spectators, time.monotonic())

    def _everywhere(self, opened: OpenStream[Any]) -> tuple[Presence, ...]:
        watched = self._watched.get(opened.stream.id)
        return (self._here(opened), *(() if watched is None else watched.elsewhere.values()))

    def present(self, opened: OpenStream[Any]) -> set[int]:
        """The places of the members who are connected, here or at another process."""
        return {place for presence in self._everywhere(opened) for place in presence.places}

    def spectators(self, opened: OpenStream[Any]) -> int:
        return sum(presence.spectators for presence in self._everywhere(opened))

    # -- telling ----------------------------------------------------------------------------------------------------

    def show(self, opened: OpenStream[Any], watcher: Watcher, shown: bytes) -> bytes:
        """The stream for one person."""
        return orjson.dumps(self._face.own(opened, watcher))[:-1] + b"," + shown[1:]

    def whole(self, opened: OpenStream[Any], watcher: Watcher) -> bytes:
        return self.show(opened, watcher, self._face.shown(opened, self._face.viewer(opened, watcher), whole=True))

    def broadcast(self, opened: OpenStream[Any], kind: str, number: int | None) -> None:
        """Tell what has happened, with the stream as it is now; what is not kept has no number."""
        if not self.is_watched(opened):
            return
        shown: dict[Any, bytes] = {}
        head = _event_head(opened, kind, number)
        for watcher in self._watched[opened.stream.id].here:
            viewer = self._face.viewer(opened, watcher)
            if viewer not in shown:
                shown[viewer] = self._face.shown(opened, viewer, whole=False)
            watcher.send((head + self.show(opened, watcher, shown[viewer]) + b"}").decode())

    def welcome(self, opened: OpenStream[Any], watcher: Watcher, kind: str | None, number: int) -> None:
        """A connection comes, and is told the event that it missed (of that kind and number), or how things stand."""
        name = opened.stream.kind.encode()
        head = b'{"type":"%b","%b":' % (name, name) if kind is None else _event_head(opened, kind, number)
        self._watched.setdefault(opened.stream.id, _Watched()).here.add(watcher)
        watcher.send((head + self.whole(opened, watcher) + b"}").decode())

    def came_or_went(self, opened: OpenStream[Any]) -> None:
        """Tell everybody, soon."""
        watched = self._watched.get(opened.stream.id)
        if watched is not None and watched.telling is None:
            watched.telling = asyncio.get_running_loop().call_later(
                PRESENCE_DELAY, lambda: self._tasks.spawn(self._tell_presence(opened))
            )

    def leave(self, opened: OpenStream[Any], watcher: Watcher) -> None:
        opened.touched = time.monotonic()
        watched = self._watched.get(opened.stream.id)
        if watched is not None and watcher in watched.here:
            watched.here.remove(watcher)
            self.came_or_went(opened)

    async def _tell_presence(self, opened: OpenStream[Any], *, elsewhere: bool = True) -> None:
        if (watched := self._watched.get(opened.stream.id)) is not None:
            watched.telling = None
        async with opened.held():
            self.broadcast(opened, "presence", None)
        if elsewhere:
            self.tell_elsewhere(opened)

    def tell_elsewhere(self, opened: OpenStream[Any]) -> None:
        """Say to the other processes who watches here."""
        places, spectators, _ = self._here(opened)
        news = {"about": "presence", "stream": opened.stream.id, "places": places, "spectators": spectators}
        self._tell(news)

    def hear(self, opened: OpenStream[Any], news: Json) -> None:
        """Another process says who watches there."""
        watched, speaker = self._watched.setdefault(opened.stream.id, _Watched()), news["from"]
        first = speaker not in watched.elsewhere
        heard = Presence(tuple(news["places"]), news["spectators"], time.monotonic())
        changed = first or watched.elsewhere[speaker][:2] != heard[:2]
        watched.elsewhere[speaker] = heard
        if changed:
            self._tasks.spawn(self._tell_presence(opened, elsewhere=first))

    def forget_silent(self) -> None:
        """Forget processes of which nothing was heard for long."""
        longest = time.monotonic() - REMEMBERED
        for stream_id, watched in [*self._watched.items()]:
            watched.elsewhere = {
                process: presence for process, presence in watched.elsewhere.items() if presence.heard > longest
            }
            if not watched.here and not watched.elsewhere and watched.telling is None:
                del self._watched[stream_id]

    # -- the end ----------------------------------------------------------------------------------------------------

    def say_last(self, opened: OpenStream[Any], message: str) -> None:
        """A last word to all who watch here."""
        if (watched := self._watched.get(opened.stream.id)) is not None:
            for watcher in watched.here:
                watcher.send(message)

    def dismiss(self, opened: OpenStream[Any]) -> None:
        """The stream is no longer in memory: who watched comes back and reads what is stored."""
        if (watched := self._watched.pop(opened.stream.id, None)) is not None:
            if watched.telling is not None:
                watched.telling.cancel()
            for watcher in watched.here:
                # A moment later, so that the one who asked hears why.
                asyncio.get_running_loop().call_later(PARTING, watcher.close)

    def close(self) -> None:
        for watched in self._watched.values():
            if watched.telling is not None:
                watched.telling.cancel()


def _event_head(opened: OpenStream[Any], kind: str, number: int | None) -> bytes:
    head = orjson.dumps({"type": "event", "number": number, "kind": kind})
    return head[:-1] + b',"%b":' % opened.stream.kind.encode()
