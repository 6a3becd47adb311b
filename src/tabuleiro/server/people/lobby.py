"""Who is here, and telling them what concerns them wherever they are on the site: a game that begins for them, a class
that they look at. Every page of a person who is signed in holds one connection, `/ws/v1/me`."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson

from tabuleiro.server.errors import SIGN_IN_FIRST, Refusal, RefusedError
from tabuleiro.server.log import Attendant, Event, EventLog, Guest, Json, OpenStream
from tabuleiro.server.people.circle import Present
from tabuleiro.server.people.class_view import class_view
from tabuleiro.server.people.hall import Hall
from tabuleiro.server.people.school_class import SchoolClass
from tabuleiro.server.people.store import classes_of
from tabuleiro.server.tasks import Tasks

#: The messages that a browser may leave unread before its connection is given up.
MAX_UNREAD = 64
#: Seconds for which somebody whose last connection ended counts as here.
GRACE = 5.0
#: Seconds for which a game of a round calls those who were not connected when it began.
CALLING = 60.0
#: Seconds for which changes of a class are gathered, to be told together.
CLASS_DELAY = 0.3
#: A process that has not said for this many seconds who is there has nobody.
REMEMBERED = 30.0


class Line:
    """A connection of somebody who is signed in. Messages wait here until the connection takes them."""

    def __init__(self, guest: Guest, sign_in: int) -> None:
        self.guest = guest
        #: By which they act; it may be ended at any time.
        self.sign_in = sign_in
        #: Whether nobody looks at it now: its page is in the background.
        self.away = False
        self.unread: asyncio.Queue[str | None] = asyncio.Queue()
        self.closed = False
        #: Why it must not come back, if it must not.
        self.refusal: Refusal | None = None

    def say(self, message: Json) -> None:
        self.send(orjson.dumps(message).decode())

    def send(self, message: str) -> None:
        if self.closed:
            return
        if self.unread.qsize() >= MAX_UNREAD:
            self.close()
        else:
            self.unread.put_nowait(message)

    def close(self, refusal: Refusal | None = None) -> None:
        self.closed = True
        self.refusal = self.refusal or refusal
        self.unread.put_nowait(None)


class Elsewhere(NamedTuple):
    """Who is connected to another process."""

    guests: frozenset[Guest]
    away: frozenset[Guest]
    #: When that was said, by `time.monotonic`.
    heard: float


class Lobby(Attendant):
    """It also attends to classes: what happens in one is told to those who look at it and to those it concerns."""

    def __init__(self, log: EventLog, tell: Callable[[Json], None], now: Callable[[], float], tasks: Tasks) -> None:
        """`tell` sends news to the other processes."""
        self._log = log
        self._tell = tell
        self._tasks = tasks
        self._here: dict[Guest, set[Line]] = {}
        self._elsewhere: dict[str, Elsewhere] = {}
        #: Who looks at which class.
        self._followers: dict[str, set[Line]] = {}
        self._telling: dict[str, asyncio.TimerHandle] = {}
        self.hall = Hall(log.store, self.present, now, tasks)

    def close(self) -> None:
        self.hall.close()
        for timer in self._telling.values():
            timer.cancel()

    def lines(self) -> Iterator[Line]:
        for connections in self._here.values():
            yield from connections

    def sign_ins(self) -> set[int]:
        return {line.sign_in for line in self.lines()}

    def end(self, ended: Collection[int]) -> None:
        """Close the connections of sign-ins that were ended."""
        for line in [*self.lines()]:
            if line.sign_in in ended:
                line.close(SIGN_IN_FIRST)

    # -- who is here ------------------------------------------------------------------------------------------------

    def guests(self) -> set[Guest]:
        """Everybody who is connected, here or at another process."""
        return set(self._here).union(*(there.guests for there in self._elsewhere.values()))

    def present(self) -> Present:
        """Who is connected, and who of them has no page that they look at."""
        here = self.guests()
        looking = {guest for guest, lines in self._here.items() if any(not line.away for line in lines)}
        looking.update(*(there.guests - there.away for there in self._elsewhere.values()))
        return Present(here, here - looking)

    def set_away(self, line: Line, away: bool) -> None:
        if line.away != away:
            line.away = away
            self.changed(line.guest)
            self.tell_elsewhere()

    def come(self, line: Line) -> None:
        first = line.guest not in self._here
        self._here.setdefault(line.guest, set()).add(line)
        if first:
            self.changed(line.guest)
            self.tell_elsewhere()

    def leave(self, line: Line) -> None:
        self.unfollow(line)
        self.hall.unfollow(line)
        self._here[line.guest].discard(line)
        if not self._here[line.guest]:
            # Who goes from page to page, or whose phone slept for a moment, is here all the while.
            asyncio.get_running_loop().call_later(GRACE, self._gone, line.guest)

    def _gone(self, guest: Guest) -> None:
        if guest in self._here and not self._here[guest]:
            del self._here[guest]
            self.changed(guest)
            self.tell_elsewhere()

    def tell_elsewhere(self) -> None:
        """Say to the other processes who is here."""
        away = [guest for guest, lines in self._here.items() if all(line.away for line in lines)]
        self._tell({"about": "here", "guests": [*self._here], "away": away})

    def sweep(self) -> None:
        """Forget processes of which nothing was heard for long, and say again who is here."""
        longest = time.monotonic() - REMEMBERED
        self._elsewhere = {process: there for process, there in self._elsewhere.items() if there.heard > longest}
        self.tell_elsewhere()

    def hear(self, news: Json) -> bool:
        """Another process says who is there, or has a message for somebody who may be here."""
        if news["about"] == "message":
            self._send(news["guest"], news["message"])
        elif news["about"] == "here":
            self._hear_who_is_there(news)
        return news["about"] in ("message", "here")

    def _hear_who_is_there(self, news: Json) -> None:
        before = self._elsewhere.get(news["from"], _NOBODY)
        now = Elsewhere(frozenset(news["guests"]), frozenset(news["away"]), time.monotonic())
        self._elsewhere[news["from"]] = now
        for guest in (now.guests ^ before.guests) | (now.away ^ before.away):
            self.changed(guest)

    def send(self, guest: Guest, message: Json) -> None:
        """Tell somebody something, wherever they are connected."""
        self._send(guest, message)
        self._tell({"about": "message", "guest": guest, "message": message})

    def _send(self, guest: Guest, message: Json) -> None:
        for line in self._here.get(guest, ()):
            line.say(message)

    # -- classes ----------------------------------------------------------------------------------------------------

    def follow(self, line: Line, opened: OpenStream[SchoolClass]) -> None:
        """Somebody looks at a class, and is told how it stands, now and whenever that changes."""
        self.unfollow(line)
        self._followers.setdefault(opened.stream.id, set()).add(line)
        self._soon(opened.stream.id)

    def unfollow(self, line: Line) -> None:
        for class_id, followers in [*self._followers.items()]:
            followers.discard(line)
            if not followers:
                del self._followers[class_id]

    def happened(self, opened: OpenStream[Any], events: Sequence[Event], *, here: bool) -> None:
        self._soon(opened.stream.id)
        if any(event.kind in ("pupils", "remove", "bring_back") for event in events):
            self.hall.start_anew({*opened.stream.pupils, *opened.stream.teachers})
        for event in events:
            if event.kind == "round" and here:
                for one, two, _, session in event.data["pairings"]:
                    for pupil in (one, two):
                        if pupil is not None:
                            self.send(pupil, _game(session, event.data["game"]))

    async def call(self, line: Line, now: float) -> None:
        """Tell somebody who has just come of a game that began for them a moment ago, if they are not playing yet."""
        found = await self._log.store.read(lambda connection: classes_of(connection, [line.guest]))
        for class_id in found.get(line.guest, {}):
            opened = await self._log.get(class_id)
            if opened is None or not opened.stream.rounds or now > opened.stream.rounds[-1].at + CALLING:
                continue
            held = opened.stream.rounds[-1]
            for pairing in held.pairings:
                if line.guest not in (pairing.one, pairing.two):
                    continue
                session = await self._log.get(pairing.session)
                if session is not None and session.stream.outcome is None and len(session.stream.history) < 2:
                    line.say(_game(pairing.session, held.game))

    def in_use(self, opened: OpenStream[Any]) -> bool:
        return opened.stream.id in self._followers

    def session_changed(self, guests: Sequence[Guest]) -> None:
        """Something happened in a game of these."""
        for guest in guests:
            self.changed(guest)

    def changed(self, guest: Guest) -> None:
        """Somebody came, went, began or ended a game."""
        self.hall.changed(guest)
        for class_id in self._followers:
            opened = self._log.open.get(class_id)
            if opened is not None and guest in opened.stream.pupils:
                self._soon(class_id)

    def _soon(self, class_id: str) -> None:
        if class_id in self._followers and class_id not in self._telling:
            self._telling[class_id] = asyncio.get_running_loop().call_later(
                CLASS_DELAY, lambda: self._tasks.spawn(self._show(class_id))
            )

    async def _show(self, class_id: str) -> None:
        del self._telling[class_id]
        followers = self._followers.get(class_id)
        if not followers or (opened := await self._log.get(class_id)) is None:
            return
        with contextlib.suppress(RefusedError):  # one that was dropped meanwhile is asked for again
            async with opened.held() as school_class:
                shown = await self._log.store.read(partial(class_view, school_class=school_class, here=self.guests()))
            message = orjson.dumps({"type": "class", "class": shown}).decode()
            for line in [*followers]:
                line.send(message)


_NOBODY = Elsewhere(frozenset(), frozenset(), 0.0)


def _game(session: str, game: str) -> Json:
    return {"type": "game", "session": session, "game": game}
