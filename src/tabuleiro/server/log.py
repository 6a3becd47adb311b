"""Streams of numbered events, of any kind: a game session is one. The events are the truth; a stream is what they tell.

A stream is touched only while its lock is held. An event is applied, stored, and only then told to anybody; when it
cannot be stored, what we thought we knew is thrown away and read again. Where two processes write the same number the
database accepts one, and the other reads what it missed. When a stream must go on by itself is stored with each event,
so that after a restart, or when another process died, a process that runs sees to it.

A new kind of stream is a class in a file of its own and a line in `streams.py`.
"""

import asyncio
import math
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import sqlalchemy as sa

from tabuleiro.core import TabuleiroError
from tabuleiro.server.clock import Pause
from tabuleiro.server.errors import NOT_SAVED, RefusedError, refusal_of
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.metrics import Metrics
from tabuleiro.server.store import Also, Append, EventRow, Head, Store
from tabuleiro.server.tasks import Tasks

Guest = int
Json = dict[str, Any]
T = TypeVar("T")

#: The process that holds a stream sees to it when it is due; these seconds later any other does.
OVERDUE = 5.0
#: Seconds after which a stream that nobody uses is forgotten; its events are in the database.
IDLE = 60.0
#: How often something that other processes were quicker with is tried before it is refused.
MOST_TRIES = 3


class Event(NamedTuple):
    number: int
    kind: str
    data: Json
    #: When it was decided, by the server's time, in seconds since 1970.
    at: float


class Decision(NamedTuple):
    """What somebody's action, or the time, would add to a stream."""

    kind: str
    data: Json
    #: What else is written in the same transaction: both are stored, or neither.
    also: Also | None = None


class Stream(ABC):
    """What the log must know of a stream. Nothing here waits, writes or looks at the time by itself."""

    #: The name of this kind of stream, as it is stored.
    kind: ClassVar[str]
    id: str
    #: Seconds since 1970.
    created: float
    #: Of the last event.
    number: int

    @classmethod
    @abstractmethod
    def begin(cls, stream_id: str, settings: Json, created: float) -> Self:
        """The stream before its first event, from what `settings_json` wrote."""

    @abstractmethod
    def settings_json(self) -> Json:
        """What was settled at the beginning."""

    @abstractmethod
    def apply(self, event: Event) -> None:
        """What an event changes."""

    def apply_all(self, events: Sequence[Event]) -> None:
        """Apply many events. It may take long: a thread does it."""
        for event in events:
            self.apply(event)

    def is_costly(self, event: Event) -> bool:
        """Return True if applying an event takes so long that a thread must do it, by replaying the stream."""
        return False

    def event(self, decision: Decision, now: float, pauses: Sequence[Pause]) -> Event:
        """The event to store for a decision."""
        return Event(self.number + 1, decision.kind, decision.data, now)

    @abstractmethod
    def due(self, now: float, pauses: Sequence[Pause]) -> float | None:
        """When something must happen although nobody acts, if it must."""

    @abstractmethod
    def decide_due(self, now: float, pauses: Sequence[Pause]) -> Decision | None:
        """What must happen by now although nobody acts, if anything must."""

    @abstractmethod
    def summary(self) -> Json:
        """Its line in a list, stored with each event so that lists need no replay."""

    def members(self) -> dict[int, Guest]:
        """The guests in whose lists it stands, each by their place."""
        return {}

    def successors(self, event: Event) -> "Sequence[Stream]":
        """Streams that begin with an event of this one, and are stored with it or not at all."""
        return ()

    def let_go(self) -> None:  # noqa: B027 - most have nothing to undo
        """It is forgotten: undo what would keep its memory."""


S = TypeVar("S", bound=Stream)


class _Lock:
    """Held by one at a time, and handed on in the order in which it was asked for. Who finds it free takes it without
    waiting."""

    def __init__(self) -> None:
        self.is_held = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self) -> bool:
        """Take it, if it is free."""
        if self.is_held:
            return False
        self.is_held = True
        return True

    async def acquire(self) -> None:
        if self.take():
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.release()  # it was handed on to us a moment before
            raise

    def release(self) -> None:
        while self._waiting:
            if not (turn := self._waiting.popleft()).done():
                turn.set_result(None)  # held all along, by the next
                return
        self.is_held = False


class OpenStream(Generic[S]):
    """A stream in memory."""

    def __init__(self, stream: S, names: Mapping[Guest, str | None]) -> None:
        self.stream = stream
        #: The nicknames of its members.
        self.names = dict(names)
        self.lock = _Lock()
        self.timer: asyncio.TimerHandle | None = None
        self.touched = time.monotonic()
        #: When somebody last asked for it, by `time.monotonic`.
        self.asked_for = -math.inf
        #: What it holds may differ from what is stored, so nobody may use it any more.
        self.dropped = False

    def held(self) -> "_Held[S]":
        """The stream, for as long as nobody else may touch it."""
        return _Held(self)


class _Held(Generic[S]):
    """As a class, because this happens several times at every move."""

    def __init__(self, opened: OpenStream[S]) -> None:
        self._opened = opened

    async def __aenter__(self) -> S:
        await self._opened.lock.acquire()
        if self._opened.dropped:
            self._opened.lock.release()
            raise RefusedError(*NOT_SAVED)
        return self._opened.stream

    async def __aexit__(self, *_: object) -> None:
        self._opened.lock.release()


class Attendant:
    """Goes on from what has happened in streams of one kind. All of this is called while the stream is held."""

    def stored_with(self, opened: OpenStream[Any], event: Event) -> Also | None:
        """What is written in the transaction of an event, which has been applied: both are stored, or neither."""
        return None

    def begun(self, opened: OpenStream[Any]) -> None:
        """A stream was made here and is stored."""

    def happened(self, opened: OpenStream[Any], events: Sequence[Event], *, here: bool) -> None:
        """Events were stored, by this process or by another."""

    def looked_after(self, opened: OpenStream[Any]) -> None:
        """What was due has happened."""

    def in_use(self, opened: OpenStream[Any]) -> bool:
        """Whether it must be kept in memory."""
        return False

    def erased(self, opened: OpenStream[Any]) -> None:
        """It was removed, with everything that happened in it; it is let go next."""

    def let_go(self, opened: OpenStream[Any]) -> None:
        """It is no longer in memory."""


class EventLog:
    """The streams that this process has in memory."""

    def __init__(
        self,
        store: Store,
        kinds: Mapping[str, type[Stream]],
        metrics: Metrics,
        now: Callable[[], float],
        pauses: Sequence[Pause],
        tell: Callable[[Json], None],
        *,
        alone: bool,
    ) -> None:
        """`tell` sends news to the other processes; who serves `alone` has none to hear from."""
        self.open: dict[str, OpenStream[Any]] = {}
        self.attendants: dict[str, Attendant] = {}
        self.store = store
        self._kinds = kinds
        self._action_took = metrics.timing("action")
        self._count_event = metrics.counter("events", "kind")
        self._now = now
        self._pauses = pauses
        self._tell = tell
        self._alone = alone
        self._loading: dict[str, asyncio.Task[OpenStream[Any] | None]] = {}
        self._tasks = Tasks()

    async def close(self) -> None:
        await self._tasks.close()
        for opened in self.open.values():
            _stop_timer(opened)

    def _attendant(self, opened: OpenStream[Any]) -> Attendant:
        return self.attendants.get(opened.stream.kind, _NOBODY)

    # -- reading ----------------------------------------------------------------------------------------------------

    async def get(self, stream_id: str) -> OpenStream[Any] | None:
        """A stream, from memory or from the database; None where there is none."""
        if (opened := self.open.get(stream_id)) is None:
            if (loading := self._loading.get(stream_id)) is None:
                loading = self._loading[stream_id] = self._tasks.spawn(self._load(stream_id))
            opened = await asyncio.shield(loading)
        if opened is not None:
            opened.touched = time.monotonic()
        return opened

    async def _load(self, stream_id: str) -> OpenStream[Any] | None:
        try:
            if (stream := await self._replay(stream_id)) is None:
                return None
            opened = OpenStream(stream, {})
            await self._learn_names(opened)
            self.open[stream_id] = opened
            self._set_timer(opened)
            if not self._alone:
                await self.catch_up(opened)  # news that came while we were reading found no stream to tell
            return opened
        finally:
            del self._loading[stream_id]

    async def _replay(self, stream_id: str) -> Stream | None:
        """A stream as its events tell it."""

        def replay(kind: str, settings: Json, created: float, events: Sequence[EventRow]) -> Stream | None:
            if kind not in self._kinds:
                return None
            stream = self._kinds[kind].begin(stream_id, settings, created)
            stream.apply_all(self._read(events))
            return stream

        return await self.store.load(stream_id, replay)

    def _read(self, rows: Sequence[EventRow]) -> list[Event]:
        """Events as they are stored. One that a server stored whose time was wrong cannot have happened after now."""
        now = self._now()
        return [Event(number, kind, data, min(at, now)) for number, kind, data, at in rows]

    async def _learn_names(self, opened: OpenStream[Any]) -> None:
        if unknown := set(opened.stream.members().values()) - opened.names.keys():
            opened.names |= await self.store.nicknames(unknown)

    async def missed(self, opened: OpenStream[Any], since: int | None) -> Event | None:
        """What to tell somebody who knows a stream up to a number: the newest event, with which the whole state is
        told; None where nothing was missed, or where they know nothing of it."""
        newest = opened.stream.number
        if since is None or not 0 < since < newest:
            return None
        return self._read(await self.store.events(opened.stream.id, newest - 1))[0]

    # -- writing ----------------------------------------------------------------------------------------------------

    async def create(self, stream: S, names: Mapping[Guest, str | None], also: Also | None = None) -> OpenStream[S]:
        """A new stream. `also`: what else is stored with it or not at all."""
        await self.saving(self.store.create(self._head(stream, self._now()), also))
        return await self._begin(stream, names)

    async def _begin(self, stream: S, names: Mapping[Guest, str | None]) -> OpenStream[S]:
        opened = OpenStream(stream, names)
        self.open[stream.id] = opened
        async with opened.held():
            self._set_timer(opened)
            self._attendant(opened).begun(opened)
        return opened

    def _head(self, stream: Stream, now: float) -> Head:
        return Head(
            stream.id,
            stream.kind,
            stream.settings_json(),
            stream.created,
            stream.summary(),
            stream.due(now, self._pauses),
            stream.members(),
        )

    async def act(self, opened: OpenStream[S], decide: Callable[[S], Decision | None]) -> int:
        """Let something happen in a stream, or raise what speaks against it. The number of the last event, which is
        stored by then."""
        # The one who asked may go away while it is being stored; then it happens all the same.
        return await asyncio.shield(self._tasks.spawn(self.act_here(opened, decide)))

    async def act_here(self, opened: OpenStream[S], decide: Callable[[S], Decision | None]) -> int:
        """The same, for who does not go away."""
        asked = time.perf_counter()
        try:
            async with opened.held():
                return await self._act_held(opened, decide, MOST_TRIES)
        finally:
            self._action_took(time.perf_counter() - asked)

    async def _act_held(self, opened: OpenStream[S], decide: Callable[[S], Decision | None], tries: int) -> int:
        for _ in range(tries):
            await self._see_to_what_is_due(opened)
            try:
                decision = decide(opened.stream)
            except TabuleiroError:
                # Who asks may have seen at another process what we have not heard of yet.
                if self._alone or not await self._read_missed(opened):
                    raise
                continue
            if decision is None or await self._happens(opened, decision):
                return opened.stream.number
            # Somebody at another process was first: what is asked for now meets another state.
        raise RefusedError(*NOT_SAVED)

    def act_at_once(
        self,
        opened: OpenStream[S],
        decide: Callable[[S], Decision | None],
        then: Callable[[int | Exception], None],
    ) -> bool:
        """The same for who waits for nothing, where nothing stands in the way: once it is stored `then` is called with
        the number of the event, or else with what went wrong. False where `act_here` must do it. Nearly every move goes
        this way, which costs half as much."""
        asked, lock = time.perf_counter(), opened.lock
        if not lock.take():
            return False
        try:
            stream, now = opened.stream, self._now()
            if (
                opened.dropped
                or stream.decide_due(now, self._pauses) is not None
                or (decision := decide(stream)) is None
            ):
                lock.release()
                return False
            change = self._apply(opened, decision, now)
        except BaseException:
            lock.release()
            raise

        def stored(result: Any, error: Exception | None) -> None:
            if error is not None or not result or change.joined or change.successors:
                self._tasks.spawn(self._finish(opened, decide, change, result, error, then))
                return
            told: int | Exception = change.event.number
            try:
                self._tell_stored(opened, change)
            except Exception as failure:
                told = failure
            lock.release()
            self._action_took(time.perf_counter() - asked)
            then(told)

        self.store.append_soon(change.append, stored)
        return True

    async def _finish(
        self,
        opened: OpenStream[S],
        decide: Callable[[S], Decision | None],
        change: "_Change",
        stored: bool,
        error: Exception | None,
        then: Callable[[int | Exception], None],
    ) -> None:
        """What is left to do of an event that `act_at_once` began, where that is more than to tell it."""
        try:
            if error is not None:
                self._drop(opened)
                raise _not_saved(error)
            if not await self._settle(opened, change, stored):
                await self._act_held(opened, decide, MOST_TRIES - 1)
        except Exception as failure:
            then(failure)
        else:
            then(opened.stream.number)
        finally:
            opened.lock.release()

    async def _see_to_what_is_due(self, opened: OpenStream[Any]) -> None:
        if (decision := opened.stream.decide_due(self._now(), self._pauses)) is not None:
            await self._happens(opened, decision)

    async def _happens(self, opened: OpenStream[Any], decision: Decision) -> bool:
        """Apply, store, tell. False if another event was stored first, which is then known."""
        change = self._apply(opened, decision, self._now())
        try:
            stored = await self.saving(self.store.append(change.append))
        except Exception:
            self._drop(opened)
            raise
        return await self._settle(opened, change, stored)

    def _apply(self, opened: OpenStream[Any], decision: Decision, now: float) -> "_Change":
        """Let the stream be as it is after a decision; what is to be stored of it."""
        stream = opened.stream
        event = stream.event(decision, now, self._pauses)
        successors = stream.successors(event)
        before = stream.members()
        stream.apply(event)
        joined: Mapping[int, Guest] = _NONE
        if (after := stream.members()) is not before:
            joined = {place: guest for place, guest in after.items() if before.get(place) != guest}
        begun = [self._head(successor, now) for successor in successors] if successors else ()
        due = stream.due(now, self._pauses)
        also = _both(decision.also, self._attendant(opened).stored_with(opened, event))
        append = Append(stream.id, event, stream.summary(), due, joined, begun, also)
        return _Change(event, append, joined, successors)

    async def _settle(self, opened: OpenStream[Any], change: "_Change", stored: bool) -> bool:
        """What follows once we know whether an event was stored."""
        stream, event = opened.stream, change.event
        try:
            if not stored:
                fresh = await self.saving(self._replay(stream.id))
                assert fresh is not None
                opened.stream = fresh
            if change.joined or not stored:
                await self._learn_names(opened)
        except Exception:
            self._drop(opened)
            raise
        if not stored:
            told = self._read(await self.store.events(stream.id, event.number - 1))
            self._set_timer(opened)
            self._attendant(opened).happened(opened, told, here=False)
            return False
        self._tell_stored(opened, change)
        for successor in change.successors:
            await self._begin(successor, opened.names)
        return True

    def _tell_stored(self, opened: OpenStream[Any], change: "_Change") -> None:
        event = change.event
        self._count_event(event.kind)
        if not self._alone:
            self._tell({"about": "event", "stream": opened.stream.id, "number": event.number})
        if opened.timer is not None or change.append.due is not None:
            self._set_timer(opened)
        self._attendant(opened).happened(opened, (event,), here=True)

    async def saving(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return await work
        except Exception as error:
            raise _not_saved(error) from error

    async def leave(self, opened: OpenStream[Any], guest: Guest) -> None:
        """A member wants to see no more of a stream, which is held. It is removed, with everything that happened in it,
        when no other member is left who does."""
        if not await self.saving(self.store.leave(opened.stream.id, guest)):
            return
        self._tell({"about": "erased", "stream": opened.stream.id})
        self._forget_erased(opened)

    def _forget_erased(self, opened: OpenStream[Any]) -> None:
        self._attendant(opened).erased(opened)
        self._drop(opened)

    def _drop(self, opened: OpenStream[Any]) -> None:
        opened.dropped = True
        _stop_timer(opened)
        self.open.pop(opened.stream.id, None)
        self._attendant(opened).let_go(opened)

    # -- the other processes ----------------------------------------------------------------------------------------

    def hear(self, news: Json) -> None:
        """Another process has stored an event, or erased a stream."""
        if (opened := self.open.get(news["stream"])) is None:
            return
        if news["about"] == "erased":
            self._forget_erased(opened)
        elif news["number"] > opened.stream.number:
            self._tasks.spawn(self.catch_up(opened))

    async def catch_up(self, opened: OpenStream[Any]) -> None:
        """Read the events that were stored elsewhere."""
        async with opened.held():
            await self._read_missed(opened)

    async def _read_missed(self, opened: OpenStream[Any]) -> bool:
        """The same of a stream that is held; whether there were any."""
        missed = self._read(await self.store.events(opened.stream.id, opened.stream.number))
        if any(opened.stream.is_costly(event) for event in missed):
            fresh = await self.saving(self._replay(opened.stream.id))
            assert fresh is not None
            if fresh.number > missed[-1].number:  # others followed
                missed = self._read(await self.store.events(opened.stream.id, opened.stream.number))
                missed = [event for event in missed if event.number <= fresh.number]
            opened.stream = fresh
        else:
            for event in missed:
                opened.stream.apply(event)
        if missed:
            await self._learn_names(opened)
            self._set_timer(opened)
            self._attendant(opened).happened(opened, missed, here=False)
        return bool(missed)

    # -- what must happen in time -----------------------------------------------------------------------------------

    async def sweep(self, overdue: float) -> None:
        """See to the streams that were due this many seconds ago and have not been seen to; forget those that nobody
        uses."""
        for stream_id in await self.store.due(self._now() - overdue):
            try:
                await self.look_after(stream_id)
            except Exception as error:
                log_failure("look_after_failed", error)  # one stream that cannot be read must not stop the others
        longest = time.monotonic() - IDLE
        for opened in [*self.open.values()]:
            idle = opened.touched < longest and opened.timer is None and not opened.lock.is_held
            if idle and not self._attendant(opened).in_use(opened):
                del self.open[opened.stream.id]
                self._attendant(opened).let_go(opened)
                opened.stream.let_go()

    async def look_after(self, stream_id: str) -> None:
        """Something may be due in a stream."""
        if (opened := await self.get(stream_id)) is None:
            return
        async with opened.held():
            await self._see_to_what_is_due(opened)
            if opened.stream.due(self._now(), self._pauses) is None:
                await self.store.forget_due(stream_id)
            self._set_timer(opened)
            self._attendant(opened).looked_after(opened)

    def _set_timer(self, opened: OpenStream[Any]) -> None:
        _stop_timer(opened)
        now = self._now()
        if (due := opened.stream.due(now, self._pauses)) is not None:
            opened.timer = asyncio.get_running_loop().call_later(
                max(0.0, due - now), lambda: self._tasks.spawn(self.look_after(opened.stream.id))
            )


_NOBODY = Attendant()
_NONE: Mapping[int, Guest] = {}


class _Change(NamedTuple):
    """An event that was applied, and what is to be done with it."""

    event: Event
    append: Append
    joined: Mapping[int, Guest]
    successors: Sequence[Stream]


def _not_saved(error: Exception) -> Exception:
    """What is said of something that could not be stored."""
    if isinstance(error, RefusedError) and refusal_of(error) != NOT_SAVED:
        return error  # what was to be stored with it says no
    log_failure("not_saved", error)
    return RefusedError(*NOT_SAVED)


def _both(first: Also | None, second: Also | None) -> Also | None:
    if first is None or second is None:
        return first or second

    def both(connection: sa.Connection) -> None:
        first(connection)
        second(connection)

    return both


def _stop_timer(opened: OpenStream[Any]) -> None:
    if opened.timer is not None:
        opened.timer.cancel()
        opened.timer = None
