"""Who looks at a championship, and hears that it has changed: what has, they ask for themselves. What happens many
times in a moment is told once. A round that is drawn, and one that is over, is written to a file, too
(`keeping.py`)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabuleiro.server.championships.stream import concern
from tabuleiro.server.championships.view import Views
from tabuleiro.server.log import Attendant, Event, OpenStream
from tabuleiro.server.presence import Watcher

#: Seconds for which changes are gathered, to be told together.
DELAY = 0.2
#: What a file is written after, and what it is written after where no result is missing.
DRAWS = ("round_paired", "stage_drawn")
RESULTS = ("result", "corrected", "playoff", "lots")


@dataclass
class Follower:
    watcher: Watcher
    #: The only group it wants to hear of; None for everything.
    group: str | None
    #: Whether it hears of calls for an arbiter.
    is_staff: bool


@dataclass
class _News:
    number: int = 0
    #: Groups and sections; None once everything may have changed.
    groups: set[str] | None = field(default_factory=set)
    calls: bool = False


class Followers(Attendant):
    def __init__(self, views: Views, keep: Callable[[str], None], game_begun: Callable[[], None]) -> None:
        """`keep` is called with the id of a championship in which a round was drawn, or is over."""
        self._views = views
        self._keep = keep
        self._game_begun = game_begun
        self._followers: dict[str, list[Follower]] = {}
        self._news: dict[str, _News] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()

    def come(self, stream_id: str, follower: Follower) -> None:
        self._followers.setdefault(stream_id, []).append(follower)

    def leave(self, stream_id: str, follower: Follower) -> None:
        left = [each for each in self._followers.get(stream_id, ()) if each is not follower]
        if left:
            self._followers[stream_id] = left
        else:
            self._followers.pop(stream_id, None)

    # -- what happens -------------------------------------------------------------------------------------------------

    def happened(self, opened: OpenStream[Any], events: Sequence[Event], *, here: bool) -> None:
        stream = opened.stream
        for event in events:
            self._note(stream.id, event.number, concern(event))
            if here and (event.kind in DRAWS or (event.kind in RESULTS and not stream.waits_for_results())):
                self._keep(stream.id)
            if event.kind == "game_begun":
                self._game_begun()

    def _note(self, stream_id: str, number: int, concerned: str | None) -> None:
        news = self._news.setdefault(stream_id, _News())
        news.number = number
        if concerned is None:
            news.groups = None
        elif not concerned:
            news.calls = True
        elif news.groups is not None:
            news.groups.add(concerned)
        if stream_id not in self._timers:
            loop = asyncio.get_running_loop()
            self._timers[stream_id] = loop.call_later(DELAY, self._send, stream_id)

    def _send(self, stream_id: str) -> None:
        del self._timers[stream_id]
        news = self._news.pop(stream_id)
        message = {
            "type": "changed",
            "number": news.number,
            "groups": None if news.groups is None else sorted(news.groups),
            "calls": news.calls,
        }
        for follower in [*self._followers.get(stream_id, ())]:
            concerned = news.groups is None or (follower.group is None and news.groups) or follower.group in news.groups
            if concerned or (news.calls and follower.is_staff):
                follower.watcher.say(message)

    def in_use(self, opened: OpenStream[Any]) -> bool:
        return opened.stream.id in self._followers

    def erased(self, opened: OpenStream[Any]) -> None:
        for follower in self._followers.get(opened.stream.id, ()):
            follower.watcher.say({"type": "erased"})

    def let_go(self, opened: OpenStream[Any]) -> None:
        self._views.forget(opened.stream.id)
