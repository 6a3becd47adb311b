"""Who looks at a vote, and is told how it stands: whoever runs it, and the phones. What happens many times in a moment
is told once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from tabuleiro.server.log import Attendant, Event, Guest, OpenStream
from tabuleiro.server.presence import Watcher
from tabuleiro.server.teaching import vote_view

#: Seconds for which votes are gathered, to be told together.
DELAY = 0.15


@dataclass(eq=False)
class Follower:
    watcher: Watcher
    guest: Guest | None
    runs: bool


class Voters(Attendant):
    def __init__(self) -> None:
        self._followers: dict[str, list[Follower]] = {}
        #: The streams of which there is something to tell, and whether more than the tally has changed.
        self._news: dict[str, bool] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()

    def come(self, opened: OpenStream[Any], follower: Follower) -> None:
        self._followers.setdefault(opened.stream.id, []).append(follower)
        self._show(opened, follower)

    def leave(self, opened: OpenStream[Any], follower: Follower) -> None:
        left = [each for each in self._followers.get(opened.stream.id, ()) if each is not follower]
        if left:
            self._followers[opened.stream.id] = left
        else:
            self._followers.pop(opened.stream.id, None)

    def happened(self, opened: OpenStream[Any], events: Sequence[Event], *, here: bool) -> None:
        stream_id = opened.stream.id
        is_new = any(event.kind in ("ask", "end") for event in events)
        self._news[stream_id] = self._news.get(stream_id, False) or is_new
        if stream_id not in self._timers:
            loop = asyncio.get_running_loop()
            self._timers[stream_id] = loop.call_later(DELAY, self._send, opened)

    def _send(self, opened: OpenStream[Any]) -> None:
        vote = opened.stream
        del self._timers[vote.id]
        is_new = self._news.pop(vote.id)
        followers = self._followers.get(vote.id, ())
        if is_new:
            for follower in followers:
                self._show(opened, follower)
            return
        told = {runs: _message(vote_view.tally(vote, runs=runs)) for runs in (True, False)}
        for follower in followers:
            follower.watcher.show(told[follower.runs])

    @staticmethod
    def _show(opened: OpenStream[Any], follower: Follower) -> None:
        told = vote_view.whole(opened.stream, runs=follower.runs, guest=follower.guest)
        follower.watcher.show(orjson.dumps(told))

    def in_use(self, opened: OpenStream[Any]) -> bool:
        return opened.stream.id in self._followers

    def let_go(self, opened: OpenStream[Any]) -> None:
        """What we hold may differ from what is stored: those who look come back and read it again."""
        for follower in self._followers.pop(opened.stream.id, ()):
            follower.watcher.close()


def _message(tally: Any) -> bytes:
    return orjson.dumps({"type": "tally", "tally": tally})
