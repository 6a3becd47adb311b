"""The game sessions of this process. What is asked of them goes to the log; what happens goes on from there to those
who watch (`presence.py`), to computer players (`thinking.py`) and to the other processes (`bus.py`)."""

import asyncio
import contextlib
import math
import random
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from tabuleiro.core import Player
from tabuleiro.server import housekeeping
from tabuleiro.server.bus import Bus, NoBus, RedisBus
from tabuleiro.server.engines import Engines
from tabuleiro.server.errors import NO_SUCH_SESSION, SIGN_IN_FIRST, UNKNOWN_TOKEN, RefusedError
from tabuleiro.server.guests import living_sign_ins
from tabuleiro.server.heartbeat import BEAT, Heartbeat
from tabuleiro.server.housekeeping import Swept
from tabuleiro.server.ids import is_id, new_id
from tabuleiro.server.log import OVERDUE, Attendant, Decision, Event, EventLog, Guest, Json, Stream
from tabuleiro.server.loglines import log, log_failure
from tabuleiro.server.metrics import Metrics
from tabuleiro.server.presence import Audience, Watcher
from tabuleiro.server.remote import RemoteEngines
from tabuleiro.server.session_json import SessionJson
from tabuleiro.server.sessions import GameSession, SessionSettings
from tabuleiro.server.settings import Settings
from tabuleiro.server.store import ERASED, Also, Store
from tabuleiro.server.tasks import Tasks
from tabuleiro.server.thinking import OpenSession, Thinking

#: Seconds between two looks for streams that nobody has seen to; then it is also said again who watches.
SWEEP = 10.0
#: Seconds between two looks for what has had its time.
HOUSEKEEPING = 3600.0
#: The seconds for which somebody who asked for a session, without watching it, is taken to wait for what happens there.
POLLED = 10.0


T = TypeVar("T")


class Extension(Protocol):
    """What else goes on beside the sessions of a process, and hears of them (`people.lobby`)."""

    def session_changed(self, guests: Sequence[Guest]) -> None:
        """A session of these guests has begun, ended or changed otherwise than by a move."""

    def sign_ins(self) -> set[int]:
        """Return the sign-ins whose connections it holds."""

    def end(self, sign_ins: Collection[int]) -> None:
        """Close the connections of sign-ins that were ended."""

    def sweep(self) -> None:
        """Forget other processes that are silent, and say again what is here. Called every `SWEEP` seconds."""

    def hear(self, news: Json) -> bool:
        """Take news of another process; return False if they are for somebody else."""

    def close(self) -> None: ...


class Hub(Attendant):
    def __init__(
        self,
        settings: Settings,
        store: Store,
        metrics: Metrics,
        now: Callable[[], float],
        streams: Mapping[str, type[Stream]],
    ) -> None:
        """`streams`: every kind of stream that the log keeps."""
        self.store = store
        self.now = now
        self._alone = settings.redis is None
        self._redis = settings.redis
        self._process = secrets.token_hex(8)
        self._bus: Bus = NoBus()
        self.tasks = Tasks()
        self.settings = settings
        self.heartbeat = Heartbeat(store, self._process, now)
        self.log = EventLog(store, streams, metrics, now, self.heartbeat.pauses, self.tell, alone=self._alone)
        self.log.attendants[GameSession.kind] = self
        self._extensions: list[Extension] = []
        self.audience = Audience(self, None if self._alone else self.tell, self.tasks)
        #: Connections that are told of something else than a session: `listening.py`.
        self.listeners: set[Watcher] = set()
        #: What was written of each session, by its id.
        self._written: dict[str, SessionJson] = {}
        #: Returns what is stored with the event that ends a session, if anything is.
        self.record_result: Callable[[GameSession, Event], Also | None] = lambda session, event: None
        #: Called with every session that has ended here.
        self.when_over: list[Callable[[GameSession], None]] = []
        #: Engine workers on other machines.
        self.remote = None if settings.redis is None else RemoteEngines(settings.redis, self._process, metrics)
        engines = Engines(settings.engine_workers, self.remote)
        self.thinking = Thinking(engines, self.log.act, self.is_followed, self.tasks)

    # -- beginning and end ------------------------------------------------------------------------------------------

    def extend(self, extension: Extension) -> None:
        """Let something go on beside the sessions; before `start`."""
        self._extensions.append(extension)

    def extension(self, kind: type[T]) -> T:
        """Return the extension of a class."""
        return next(each for each in self._extensions if isinstance(each, kind))

    async def start(self) -> None:
        """Note how long no server was running, and go on with what was going on."""
        await self.heartbeat.start(alone=self._alone)
        if self._redis is not None:
            self._bus = RedisBus(self._redis, self._process, self._hear, self.catch_up_all)
        if self.remote is not None:
            self.remote.start()
        self.tasks.spawn(self._beat_forever())
        self.tasks.spawn(self._sweep_forever())
        self.tasks.spawn(self._keep_house())

    async def close(self) -> None:
        await self.tasks.close()
        await self.log.close()
        self.audience.close()
        for extension in self._extensions:
            extension.close()
        await self._bus.close()
        if self.remote is not None:
            await self.remote.close()
        await self.thinking.engines.close()
        await self.heartbeat.stop()

    async def _beat_forever(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self.heartbeat.beat()
                await self.end_revoked()
                await self.thinking.engines.replace_dead()
            except Exception as error:
                log_failure("beat_failed", error)

    async def _sweep_forever(self) -> None:
        overdue = -math.inf
        while True:
            try:
                await self.sweep(overdue)
                overdue = OVERDUE
            except Exception as error:
                log_failure("sweep_failed", error)
            await asyncio.sleep(SWEEP)

    async def _keep_house(self) -> None:
        while True:
            # Several processes take turns by chance.
            await asyncio.sleep(HOUSEKEEPING * (0.5 + random.random()))
            try:
                await self.keep_house()
            except Exception as error:
                log_failure("housekeeping_failed", error)

    async def keep_house(self) -> Swept:
        """Forget what has had its time."""
        return await housekeeping.sweep(
            self.store,
            self.now(),
            kind=GameSession.kind,
            keep_guests=self.settings.keep_guests,
            keep_unfinished=self.settings.keep_unfinished,
            in_use=lambda: {*self.log.open},
        )

    async def sweep(self, overdue: float) -> None:
        """See to what was due this many seconds ago, forget what nobody uses, and say again who watches."""
        await self.log.sweep(overdue)
        for opened in self.log.open.values():
            if self.audience.is_watched(opened):
                self.audience.tell_elsewhere(opened)
        self.audience.forget_silent()
        for extension in self._extensions:
            extension.sweep()

    # -- sessions ---------------------------------------------------------------------------------------------------

    async def create(self, settings: SessionSettings, names: Mapping[Guest, str | None]) -> str:
        """A new session; the computer moves at once if it begins."""
        opened = await self.log.create(GameSession(new_id(), settings, self.now()), names)
        log("session_created", game=settings.game, seats=[seat.kind for seat in settings.seats])
        return opened.stream.id

    async def get(self, session_id: str) -> OpenSession:
        """A session that somebody asks for, from memory or from the database."""
        opened = await self.log.get(session_id) if is_id(session_id) else None
        if opened is None or not isinstance(opened.stream, GameSession):
            raise RefusedError(*NO_SUCH_SESSION)
        opened.asked_for = time.monotonic()
        return opened

    async def act(self, opened: OpenSession, decide: Callable[[GameSession], Decision | None]) -> int:
        """Let something happen in a session, or raise what speaks against it. The number of the last event."""
        return await self.log.act(opened, decide)

    async def act_here(self, opened: OpenSession, decide: Callable[[GameSession], Decision | None]) -> int:
        """The same, by work that this hub has begun."""
        return await self.log.act_here(opened, decide)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Begin work that goes on whoever goes away."""
        return self.tasks.spawn(work)

    async def show(self, opened: OpenSession, guest: Guest | None, address: str) -> bytes:
        """The session for one person."""
        async with opened.held():
            return b"".join(self.audience.whole(opened, guest, address))

    async def erase(self, opened: OpenSession, guest: Guest | None) -> None:
        """A player wants to see no more of a session, which goes when nobody else wants to keep it either."""
        async with opened.held() as session:
            session.require_erasable(guest)
            assert guest is not None
            await self.log.leave(opened, guest)

    async def erase_guest(self, guest: Guest) -> None:
        """A guest wants nothing to be left of them."""
        await self.leave_games(guest)
        await self.log.saving(self.store.forget_guest(guest))
        await self.renamed(guest, ERASED)
        await self.end_revoked()

    async def leave_games(self, guest: Guest) -> None:
        """Somebody goes. Their games that go on are resigned, and stay for the others."""
        for listed in await self.store.streams_of(guest, GameSession.kind, None):
            opened = await self.get(listed.id)
            if opened.stream.status == "playing":
                with contextlib.suppress(RefusedError):  # it ended a moment ago
                    await self.act(opened, lambda session: session.decide_resign(guest))
            await self.erase(opened, guest)

    def connected_players(self, session_id: str) -> set[Player]:
        """The players of a session who are connected, as far as this process knows."""
        opened = self.log.open.get(session_id)
        return set() if opened is None else {Player(place) for place in self.audience.everywhere(opened)[0]}

    # -- what has happened ------------------------------------------------------------------------------------------

    def stored_with(self, opened: OpenSession, event: Event) -> Also | None:
        """The result of a game, with the event that ended it."""
        if opened.stream.outcome is None or event.kind in ("rematch", "reseat"):
            return None
        return self.record_result(opened.stream, event)

    def begun(self, opened: OpenSession) -> None:
        self.thinking.go_on(opened)
        self._tell_extensions(opened)

    def _tell_extensions(self, opened: OpenSession) -> None:
        guests = [*opened.stream.members().values()]
        for extension in self._extensions:
            extension.session_changed(guests)

    def happened(self, opened: OpenSession, events: Sequence[Event], *, here: bool) -> None:
        is_other = opened.stream.outcome is not None
        for event in events:
            self.audience.broadcast(opened, event.kind, event.number)
            is_other = is_other or event.kind != "move"
        if is_other:
            self._tell_extensions(opened)
        if not here:
            self.thinking.stop(opened)  # the process that stored it goes on
            return
        self.thinking.go_on(opened)
        session, (event,) = opened.stream, events
        if session.status == "over" and event.kind != "rematch":
            log("session_over", game=session.settings.game, moves=len(session.history), by=event.kind)
            for tell in self.when_over:
                tell(session)

    def looked_after(self, opened: OpenSession) -> None:
        if not self.thinking.is_thinking(opened):
            self.thinking.go_on(opened)

    def in_use(self, opened: OpenSession) -> bool:
        return self.audience.is_watched(opened)

    def erased(self, opened: OpenSession) -> None:
        self.audience.say_all(opened, {"type": "erased"})

    def let_go(self, opened: OpenSession) -> None:
        self._written.pop(opened.stream.id, None)
        self.thinking.stop(opened)
        self.audience.dismiss(opened)

    # -- who watches ------------------------------------------------------------------------------------------------

    def hides(self, opened: OpenSession) -> bool:
        return opened.stream.hides

    def viewer(self, opened: OpenSession, guest: Guest | None) -> Player | None:
        return opened.stream.viewer(guest)

    def written(self, opened: OpenSession) -> SessionJson:
        """What was written of a session, which is held."""
        written = self._written.get(opened.stream.id)
        if written is None or written.session is not opened.stream:
            written = self._written[opened.stream.id] = SessionJson(opened.stream)
        return written

    def _now_json(self, opened: OpenSession, written: SessionJson) -> bytes:
        (present, spectators), now = self.audience.everywhere(opened), self.now()
        opened.stream.note_presence(present, now)
        return written.now(opened.names, present, spectators, self.heartbeat.pauses, now)

    def shown(self, opened: OpenSession, viewer: Player | None, *, whole: bool) -> bytes:
        written = self.written(opened)
        return written.whole(viewer, self._now_json(opened, written), with_board=whole)

    def changed(self, opened: OpenSession, viewer: Player | None) -> bytes | None:
        written = self.written(opened)
        return written.changed(viewer, self._now_json(opened, written))

    def told(self, opened: OpenSession) -> None:
        written = self._written.get(opened.stream.id)
        if written is not None and written.session is opened.stream:
            written.told()

    def own(self, opened: OpenSession, guest: Guest | None, address: str) -> bytes:
        seats = ",".join(str(int(player)) for player in opened.stream.seats_of(guest))
        return b'{"your_seats":[%b],"share":"%b/g/%b",' % (seats.encode(), address.encode(), opened.stream.id.encode())

    async def watch(self, opened: OpenSession, watcher: Watcher, since: int | None) -> None:
        """A connection comes and is told how things stand, or, if it knows an earlier number, what it missed."""
        async with opened.held() as session:
            self.audience.require_room(opened, watcher.guest)
            missed = await self.log.missed(opened, since)
            self.audience.welcome(opened, watcher, None if missed is None else missed.kind, session.number)
            self.thinking.ask_again(opened)
        self.audience.came_or_went(opened)

    async def show_to(self, opened: OpenSession, watcher: Watcher) -> None:
        """Tell one who watches how things stand."""
        async with opened.held():
            self.audience.show(opened, watcher)

    def is_followed(self, opened: OpenSession) -> bool:
        """Whether somebody watches a session, or asked for it a moment ago."""
        return self.audience.is_watched_anywhere(opened) or time.monotonic() - opened.asked_for < POLLED

    def leave(self, opened: OpenSession, watcher: Watcher) -> None:
        self.audience.leave(opened, watcher)

    async def end_revoked(self) -> None:
        """Close the connections of programs whose token was revoked, and of people who were signed out, here, elsewhere
        or at the command line."""
        programs = [watcher for watcher in self.audience.watchers() if watcher.bot is not None]
        if programs:
            known = await self.store.known_tokens({watcher.bot for watcher in programs if watcher.bot is not None})
            for watcher in programs:
                if watcher.bot not in known:
                    watcher.close(UNKNOWN_TOKEN)
        watching = (*self.audience.watchers(), *self.listeners)
        signed_in = [watcher for watcher in watching if watcher.sign_in is not None]
        sign_ins = {watcher.sign_in for watcher in signed_in if watcher.sign_in is not None}
        sign_ins = sign_ins.union(*(extension.sign_ins() for extension in self._extensions))
        if sign_ins:
            ended = sign_ins - await self.store.read(lambda connection: living_sign_ins(connection, sign_ins))
            for extension in self._extensions:
                extension.end(ended)
            for watcher in signed_in:
                if watcher.sign_in in ended:
                    watcher.close(SIGN_IN_FIRST)

    async def renamed(self, guest: Guest, nickname: str | None, *, tell: bool = True) -> None:
        """A guest has a new nickname: those who watch a session of theirs see it."""
        if tell:
            self.tell({"about": "name", "guest": guest})
        for opened in [*self.log.open.values()]:
            if guest in opened.stream.members().values():
                opened.names[guest] = nickname
                with contextlib.suppress(RefusedError):  # one that was dropped meanwhile has nobody watching
                    async with opened.held():
                        self.audience.broadcast(opened, "rename", None)

    # -- the other processes ----------------------------------------------------------------------------------------

    def tell(self, news: Json) -> None:
        """Say something to the other processes."""
        self._bus.tell(news)

    async def _hear(self, news: Json) -> None:
        if news["about"] == "name":
            guest = news["guest"]
            names = await self.store.nicknames({guest})
            await self.renamed(guest, names.get(guest), tell=False)
        elif any(extension.hear(news) for extension in self._extensions):
            pass
        elif news["about"] != "presence":
            self.log.hear(news)
        elif (opened := self.log.open.get(news["stream"])) is not None:
            self.audience.hear(opened, news)

    async def catch_up_all(self) -> None:
        """News may have been missed."""
        for opened in [*self.log.open.values()]:
            await self.log.catch_up(opened)
            self.audience.tell_elsewhere(opened)
