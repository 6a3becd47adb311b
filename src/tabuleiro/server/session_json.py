"""A session as JSON, of which only what has changed is written anew: at every move it is told to all who watch, and
asked for again and again by those who do not."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import lru_cache

import orjson

from tabuleiro.core import Player, Position
from tabuleiro.record import Node
from tabuleiro.server import views
from tabuleiro.server.clock import Pause
from tabuleiro.server.kept import kept_json
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.sessions import MAX_STARTS, GameSession

#: What is kept of one session at the same time: views of the position and of earlier ones, its record.
MAX_KEPT = 50
#: What events say of the board.
NO_BOARD = b'"geometry":null,"first_steps":null'


@lru_cache(MAX_STARTS)
def _start_view(start: Position) -> bytes:
    """What is told of a game before its first move, with the text board."""
    return kept_json(views.view(Node(start), None))


class SessionJson:
    def __init__(self, session: GameSession) -> None:
        self.session = session
        position = session.last.position
        fixed = {
            "id": session.id,
            "game": session.settings.game,
            "name": position.name._asdict(),
            "options": session.settings.options,
            "goal": position.goal()._asdict(),
            "moves_stand": session.settings.moves_stand,
            "coach": session.settings.coach,
            "championship": session.settings.championship,
            "legend": [sentence._asdict() for sentence in position.legend],
        }
        self._fixed = orjson.dumps(fixed)[1:-1]
        #: What only the first message and who asks for the session are told.
        self._board = views.board(type(position), position.geometry)
        #: Of the last event that what follows is about.
        self._number = -1
        #: By what they are.
        self._views: dict[Hashable, bytes] = {}
        #: Every move made, as it is told, and the same written.
        self._moves: list[Json] = []
        self._written: list[bytes] = []
        self._history: bytes | None = None
        #: How many of the moves are as they were when everybody was last told.
        self._told = 0
        self._told_number = -1
        #: What was last written of what changes without an event too, but for the number, and of what that depends.
        self._now = b""
        self._now_key: Hashable = ()
        #: Whether something is hidden from some now, and was before the last event.
        self._hides = self._hid = session.hides

    def _catch_up(self) -> None:
        """Forget what the last events have changed."""
        if self._number == self.session.number:
            return
        self._number = self.session.number
        # What is shown when something is hidden no more may be any earlier move.
        self._hid, self._hides = self._hides, self.session.hides
        self._views.clear()
        self._history = None
        # Moves are added and taken away at the end, and each is an object of its own.
        moves, same = self.session.history, min(len(self._moves), len(self.session.history))
        while same and self._moves[same - 1] is not moves[same - 1]:
            same -= 1
        self._told = min(self._told, same)
        self._moves[same:] = moves[same:]
        self._written[same:] = map(kept_json, moves[same:])

    def _view(self, viewer: Player | None, *, with_text: bool) -> bytes:
        session, live = self.session, self.session.live
        if live is not None and session.outcome is None:
            if not with_text:
                return live.view()  # is told to all at once, so nothing is gained by keeping it
            if not session.history:
                return _start_view(session.last.position)

        def write() -> bytes:
            if live is not None and not with_text and session.outcome is not None and live.has_ended:
                return live.last_view(session.outcome)
            return kept_json(views.view(session.last.seen_by(viewer), session.outcome, with_text=with_text))

        return self.once((viewer, with_text), write)

    def _moves_json(self, viewer: Player | None) -> bytes:
        if self._hides:
            return orjson.dumps(self.session.history_seen_by(viewer))[1:-1]
        if self._history is None:
            self._history = b",".join(self._written)
        return self._history

    def whole(self, viewer: Player | None, now: bytes, *, with_board: bool) -> bytes:
        """All of it, without the brace that opens it; `now` is what `now_json` wrote. With the board and the text board
        or without."""
        self._catch_up()
        return b"".join(
            (
                self._fixed,
                b",",
                self._board if with_board else NO_BOARD,
                b',"view":',
                self._view(viewer, with_text=with_board),
                b',"history":[',
                self._moves_json(viewer),
                b"],",
                now,
            )
        )

    def changed(self, viewer: Player | None, now: bytes) -> bytes | None:
        """What may have changed since everybody was last told; None where that may be all of it."""
        self._catch_up()
        if self._hides or self._hid:
            return None
        history = b'"history":{"kept":%d,"moves":[%b]},' % (self._told, b",".join(self._written[self._told :]))
        if self._told_number == self._number:
            return history + now
        live = self.session.live
        if live is not None and self.session.outcome is None:
            return live.view(history + b'"view":', b"," + now)
        return b"".join((history, b'"view":', self._view(viewer, with_text=False), b",", now))

    def now(
        self,
        names: Mapping[Guest, str | None],
        present: Collection[int],
        spectators: int,
        pauses: Sequence[Pause],
        now: float,
    ) -> bytes:
        """What `now_json` writes. Where no clock runs and nobody waits for anybody, only the number changes."""
        session = self.session
        if session.clock is not None or session.away:
            return now_json(session, names, present, spectators, pauses, now)
        offers = session.offers
        key = session.seated, session.status, present, spectators, *names.values()
        if self._now_key != key or offers["draw"] or offers["takeback"] or session.rematch:
            self._now_key = key
            written = now_json(session, names, present, spectators, pauses, now)
            self._now = bytes(memoryview(written)[written.index(b",") :])
            if offers["draw"] or offers["takeback"] or session.rematch:
                self._now_key = ()
        return b'"number":%d%b' % (session.number, self._now)

    def once(self, key: Hashable, write: Callable[[], bytes]) -> bytes:
        """What `write` gives, kept under a name until something happens."""
        self._catch_up()
        if key not in self._views:
            if len(self._views) >= MAX_KEPT:
                self._views.clear()
            self._views[key] = write()
        return self._views[key]

    def told(self) -> None:
        """Everybody has been told how it stands."""
        self._catch_up()
        self._told, self._told_number = len(self._moves), self._number


def _series(session: GameSession) -> Json | None:
    series = session.series
    return None if series is None else {**series._asdict(), "decided": series.is_decided}


def now_json(
    session: GameSession,
    names: Mapping[Guest, str | None],
    present: Collection[int],
    spectators: int,
    pauses: Sequence[Pause],
    now: float,
) -> bytes:
    """What changes without an event too: who is there, what the clocks say. Without the brace that opens it."""
    clock = None
    if session.clock is not None:
        left = session.clock.left_at(now, pauses)
        clock = {
            **session.clock.rule.as_json(),
            "left": {str(int(player)): round(max(0.0, left[player - 1]), 3) for player in Player},
            "running": session.clock.running,
        }
    seats = {
        str(int(player)): views.seat(
            seat.kind, None if seat.guest is None else names.get(seat.guest), seat.level, present=player in present
        )
        for player, seat in session.seats.items()
    }
    return orjson.dumps(
        {
            "number": session.number,
            "status": session.status,
            "seats": seats,
            "clock": clock,
            "offers": session.offers,
            "claim_in": session.claim_in(now),
            "rematch": session.rematch,
            "series": _series(session),
            "spectators": spectators,
        }
    )[1:]
