"""Who watches which stream, from this process and from others, and how they are told what happens.

What happens is written once for all who see the same, and those who do not read are not written for: what they were not
told they are told together, as the stream then stands.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple, Protocol

import orjson

from tabuleiro.language import Text
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.log import Guest, Json, OpenStream
from tabuleiro.server.shares import Share
from tabuleiro.server.tasks import Tasks

#: Connections that watch one stream from this process; those of its members come in all the same.
MAX_WATCHERS = 500
#: Connections of one guest that watch the same stream.
MAX_OF_ONE = 20
#: The seconds for which comings and goings are gathered, to be told together.
PRESENCE_DELAY = 0.1
#: The seconds between the bad news and the end of a connection.
PARTING = 0.1
#: A process that has not said for this many seconds who watches there has nobody who does.
REMEMBERED = 30.0
#: The code with which a connection is closed that may come back and ask for what it missed.
TRY_AGAIN = 1013

CROWDED = Refusal(
    "too_many_watchers",
    Text("já há muita gente a ver esta partida; tenta mais tarde", "many people watch this game; try again later"),
    429,
)


class Wire(Protocol):
    """A connection to somebody."""

    #: Called when what waited has been read.
    when_read: Callable[[], None] | None
    #: Called with each text message, by who would rather not be woken for it.
    hear: Callable[[str], None] | None

    @property
    def share(self) -> Share:
        """To what it is put down what is done for them."""

    def heed(self, willing: bool) -> None:
        """Read on, or no more until who hears has caught up."""

    @property
    def is_full(self) -> bool:
        """Whether so much waits to be read that only how things stand may follow."""

    def tell(self, *parts: bytes) -> None:
        """Send a text message, given in parts."""

    def end(self, code: int, reason: str = "") -> None:
        """Close the connection, with a code and a word that say why."""


class Watcher:
    """One connection that watches a stream."""

    def __init__(self, guest: Guest | None, address: str, wire: Wire, bot: str | None = None) -> None:
        self.guest = guest
        #: The hash of the token of a program, which may be revoked at any time.
        self.bot = bot
        #: The sign-in of a person, which may be ended at any time.
        self.sign_in: int | None = None
        #: How the browser reaches this server, `http://host:port`.
        self.address = address
        #: Whether it wants to be told what an event changed, rather than the whole stream with each.
        self.wants_changes = False
        #: Whether something was not told, because too much waited to be read.
        self.is_behind = False
        self.closed = False
        #: What differs from one to the other, as it was last told, and for which members that was so.
        self.own: tuple[dict[int, Guest], bytes] | None = None
        self._wire = wire

    def say(self, message: Json) -> None:
        """Answer what was said."""
        self._wire.tell(orjson.dumps(message))

    def show(self, *parts: bytes) -> None:
        """Tell how things stand, or what has happened; not to one who does not read, who is told later."""
        if self._wire.is_full:
            self.is_behind = True
        else:
            self._wire.tell(*parts)

    def when_read(self, call: Callable[[], None]) -> None:
        self._wire.when_read = call

    def close(self, refusal: Refusal | None = None) -> None:
        """Give the connection up; unless it is refused, it may come back and ask for what it missed."""
        if self.closed:
            return
        self.closed = True
        if refusal is None:
            self._wire.end(TRY_AGAIN)
        else:
            self.say({"type": "error", "ref": None, **refusal.as_json()})
            self._wire.end(4000 + refusal.status, refusal.code)


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

    def hides(self, opened: OpenStream[Any]) -> bool:
        """Whether not all who look at the stream see the same; else the viewer is None for all of them."""

    def viewer(self, opened: OpenStream[Any], guest: Guest | None) -> Hashable:
        """As whom somebody looks at the stream: all of whom this is equal are shown the same."""

    def shown(self, opened: OpenStream[Any], viewer: Any, *, whole: bool) -> bytes:
        """The stream as such a viewer sees it: JSON without the brace that opens it. Events are not whole: they leave
        out what does not change."""

    def changed(self, opened: OpenStream[Any], viewer: Any) -> bytes | None:
        """The same of what may have changed since everybody was last told; None where all of it may."""

    def told(self, opened: OpenStream[Any]) -> None:
        """Everybody has been told how it stands."""

    def own(self, opened: OpenStream[Any], guest: Guest | None, address: str) -> bytes:
        """What differs from one to the other: a JSON object up to the comma after which the rest follows. It changes
        with the members of the stream alone."""


class _Watched:
    """Who watches one stream."""

    def __init__(self) -> None:
        self.here: set[Watcher] = set()
        self.elsewhere: dict[str, Presence] = {}
        self.telling: asyncio.TimerHandle | None = None
        #: What `everywhere` last found, and the members by whom; None since somebody came or went.
        self.found: tuple[frozenset[int], int] | None = None
        self.members: dict[int, Guest] = {}


class Audience:
    """All who watch streams of one kind from this process, and what is known of those at others."""

    def __init__(self, face: Face, tell: Callable[[Json], None] | None, tasks: Tasks) -> None:
        """`tell` sends news to the other processes, if there are any."""
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

    def everywhere(self, opened: OpenStream[Any]) -> tuple[frozenset[int], int]:
        """The places of the members who are connected, here or at another process, and how many others watch."""
        if (watched := self._watched.get(opened.stream.id)) is None:
            return frozenset(), 0
        members = opened.stream.members()
        if watched.found is None or watched.members is not members:
            here = self._here(opened)
            places, spectators = set(here.places), here.spectators
            for there in watched.elsewhere.values():
                places.update(there.places)
                spectators += there.spectators
            watched.found, watched.members = (frozenset(places), spectators), members
        return watched.found

    # -- telling ----------------------------------------------------------------------------------------------------

    def whole(self, opened: OpenStream[Any], guest: Guest | None, address: str) -> tuple[bytes, bytes]:
        """The stream for one person, as JSON in two parts."""
        viewer = self._face.viewer(opened, guest)
        return self._face.own(opened, guest, address), self._face.shown(opened, viewer, whole=True)

    def broadcast(self, opened: OpenStream[Any], kind: str, number: int | None) -> None:
        """Tell what has happened, with the stream as it is now; what is not kept has no number."""
        watched = self._watched.get(opened.stream.id)
        if watched is not None and watched.here:
            told: dict[tuple[Hashable, bool], tuple[bytes, bytes]] = {}
            members, hides = opened.stream.members(), self._face.hides(opened)
            for watcher in watched.here:
                seen = self._face.viewer(opened, watcher.guest) if hides else None, watcher.wants_changes
                if (message := told.get(seen)) is None:
                    message = told[seen] = self._told(opened, kind, number, *seen)
                head, shown = message
                if watcher.own is None or watcher.own[0] is not members:
                    watcher.own = members, self._face.own(opened, watcher.guest, watcher.address)
                watcher.show(head, watcher.own[1], shown, b"}")
        self._face.told(opened)

    def _told(
        self, opened: OpenStream[Any], kind: str, number: int | None, viewer: Hashable, changes: bool
    ) -> tuple[bytes, bytes]:
        """An event, before and after what differs from one to the other."""
        shown = self._face.changed(opened, viewer) if changes else None
        head = _event_head(opened, "event" if shown is None else "change", kind, number)
        if shown is None:
            shown = self._face.shown(opened, viewer, whole=False)
        return head, shown

    def require_room(self, opened: OpenStream[Any], guest: Guest | None) -> None:
        """Refuse one more who wants to watch, where many do."""
        watched = self._watched.get(opened.stream.id)
        if watched is None:
            return
        if guest is not None and sum(watcher.guest == guest for watcher in watched.here) >= MAX_OF_ONE:
            raise RefusedError(*CROWDED)
        if len(watched.here) >= MAX_WATCHERS and (guest is None or guest not in opened.stream.members().values()):
            raise RefusedError(*CROWDED)

    def welcome(self, opened: OpenStream[Any], watcher: Watcher, kind: str | None, number: int) -> None:
        """A connection comes, and is told the event that it missed (of that kind and number), or how things stand."""
        watched = self._watched.setdefault(opened.stream.id, _Watched())
        watched.here.add(watcher)
        watched.found = None
        watcher.when_read(lambda: self._has_read(opened, watcher))
        self.show(opened, watcher, kind, number)

    def show(
        self, opened: OpenStream[Any], watcher: Watcher, kind: str | None = None, number: int | None = None
    ) -> None:
        """Tell one how the stream stands, perhaps as the event that led to it."""
        name = opened.stream.kind.encode()
        head = b'{"type":"%b","%b":' % (name, name) if kind is None else _event_head(opened, "event", kind, number)
        watcher.show(head, *self.whole(opened, watcher.guest, watcher.address), b"}")

    def _has_read(self, opened: OpenStream[Any], watcher: Watcher) -> None:
        """One who did not read has read, and hears now how things stand."""
        if watcher.is_behind and not watcher.closed:
            watcher.is_behind = False
            self._tasks.spawn(self._show_newest(opened, watcher))

    async def _show_newest(self, opened: OpenStream[Any], watcher: Watcher) -> None:
        with contextlib.suppress(RefusedError):  # it was dropped: they come back and read what is stored
            async with opened.held():
                self.show(opened, watcher)

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
            watched.found = None
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
        if self._tell is None:
            return
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
        watched.found = None
        if changed:
            self._tasks.spawn(self._tell_presence(opened, elsewhere=first))

    def forget_silent(self) -> None:
        """Forget processes of which nothing was heard for long."""
        longest = time.monotonic() - REMEMBERED
        for stream_id, watched in [*self._watched.items()]:
            watched.elsewhere = {
                process: presence for process, presence in watched.elsewhere.items() if presence.heard > longest
            }
            watched.found = None
            if not watched.here and not watched.elsewhere and watched.telling is None:
                del self._watched[stream_id]

    # -- the end ----------------------------------------------------------------------------------------------------

    def say_all(self, opened: OpenStream[Any], message: Json) -> None:
        """The same to all who watch here."""
        if (watched := self._watched.get(opened.stream.id)) is not None:
            for watcher in watched.here:
                watcher.say(message)

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


def _event_head(opened: OpenStream[Any], kind_of_message: str, kind: str, number: int | None) -> bytes:
    counted = "null" if number is None else number
    return f'{{"type":"{kind_of_message}","number":{counted},"kind":"{kind}","{opened.stream.kind}":'.encode()
