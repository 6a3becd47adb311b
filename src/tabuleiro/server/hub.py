"""The sessions that are going on in this process: who watches them, what happens in them, and what must happen in time.

A session is touched only while its lock is held. An event is applied, stored, and only then told to anybody; when it
cannot be stored, what we thought we knew is thrown away and read again.
"""

import asyncio
import contextlib
import math
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import orjson

from tabuleiro.core import Player, TabuleiroError
from tabuleiro.language import Text
from tabuleiro.record import Line
from tabuleiro.server import views
from tabuleiro.server.bus import Bus, NoBus, RedisBus
from tabuleiro.server.clock import Pause
from tabuleiro.server.engines import THINKING, Engines, WorkerLostError
from tabuleiro.server.errors import NO_SUCH_SESSION, NOT_SAVED, UNKNOWN_TOKEN, Refusal, RefusedError
from tabuleiro.server.ids import new_id
from tabuleiro.server.logs import log, log_failure
from tabuleiro.server.metrics import Metrics
from tabuleiro.server.sessions import Decision, Event, GameSession, Guest, Json, SessionSettings, find_move
from tabuleiro.server.settings import Settings
from tabuleiro.server.store import NewSession, Store

#: A process says so often that it runs, and is taken for dead when it has not for so long.
BEAT, SILENCE = 2.0, 6.0
#: So often we look for sessions that nobody looks after, and say again who is watching.
SWEEP = 10.0
#: Whoever looks after a session does so when it is due; after so long somebody else does.
OVERDUE = 5.0
#: A session that nobody watches is forgotten after so long; its events are in the database.
IDLE = 60.0
#: What a browser may leave unread before its connection is given up.
MAX_UNREAD = 64
#: Questions of one guest that engines have at the same time.
MAX_QUESTIONS = 2
#: Comings and goings are told together.
PRESENCE_DELAY = 0.1
#: Between the bad news and the end of a connection.
PARTING = 0.1


class Socket:
    """One connection that watches a session. Messages wait here until the connection takes them."""

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
    """Who watches a session from one process."""

    seats: tuple[int, ...]
    spectators: int
    heard: float


class OpenSession:
    """A session in memory."""

    def __init__(self, session: GameSession, names: dict[Guest, str | None]) -> None:
        self.session = session
        self.names = names
        self.lock = asyncio.Lock()
        self.sockets: set[Socket] = set()
        #: Who watches from other processes.
        self.elsewhere: dict[str, Presence] = {}
        self.timer: asyncio.TimerHandle | None = None
        self.thinking: asyncio.Task[None] | None = None
        self.telling: asyncio.TimerHandle | None = None
        self.touched = time.monotonic()
        #: What it holds may differ from what is stored, so nobody may use it any more.
        self.dropped = False

    @contextlib.asynccontextmanager
    async def held(self) -> AsyncIterator[GameSession]:
        """The session, for as long as nobody else may touch it."""
        async with self.lock:
            if self.dropped:
                raise RefusedError(*NOT_SAVED)
            yield self.session

    def presence(self) -> Presence:
        """Who watches from here."""
        present: set[Player] = set()
        spectators = 0
        for socket in self.sockets:
            seats = self.session.seats_of(socket.guest)
            present.update(seats)
            spectators += not seats
        return Presence(tuple(sorted(present)), spectators, time.monotonic())

    def present(self) -> set[Player]:
        """The players who are connected, here or at another process."""
        everywhere = (self.presence(), *self.elsewhere.values())
        return {Player(seat) for process in everywhere for seat in process.seats}

    def face(self, pauses: list[Pause], now: float, *, whole: bool) -> bytes:
        """The session as everybody sees it; `seen_by` adds what differs from one to the other. Events are not whole:
        they leave out the board, which does not change, and the text board, which few want."""
        session, here, present = self.session, self.presence(), self.present()
        clock = None
        if session.clock is not None:
            left = session.clock.left_at(now, pauses)
            clock = {
                **session.clock.rule.as_json(),
                "left": {str(int(player)): round(max(0.0, left[player - 1]), 3) for player in Player},
                "running": session.clock.running,
            }
        return orjson.dumps(
            {
                "id": session.id,
                "number": session.number,
                "game": session.settings.game,
                "name": session.last.position.name._asdict(),
                "options": session.settings.options,
                "geometry": views.geometry(session.last.position.geometry) if whole else None,
                "status": session.status,
                "seats": {
                    str(int(player)): views.seat(
                        seat.kind,
                        None if seat.guest is None else self.names.get(seat.guest),
                        seat.level,
                        present=player in present,
                    )
                    for player, seat in session.seats.items()
                },
                "clock": clock,
                "view": views.view(session.last, session.outcome, with_text=whole),
                "history": session.history,
                "offers": session.offers,
                "rematch": session.rematch,
                "spectators": here.spectators + sum(other.spectators for other in self.elsewhere.values()),
            }
        )

    def seen_by(self, face: bytes, guest: Guest | None, address: str) -> bytes:
        own = orjson.dumps({"your_seats": self.session.seats_of(guest), "share": f"{address}/g/{self.session.id}"})
        return own[:-1] + b"," + face[1:]


class Hub:
    def __init__(
        self, settings: Settings, store: Store, metrics: Metrics, now: Callable[[], float] = time.time
    ) -> None:
        self.store = store
        self.metrics = metrics
        self.now = now
        self.engines = Engines(settings.engine_workers)
        self.open: dict[str, OpenSession] = {}
        self.pauses: list[Pause] = []
        self._alone = settings.redis is None
        self._redis = settings.redis
        self._process = secrets.token_hex(8)
        self._bus: Bus = NoBus()
        self._loading: dict[str, asyncio.Task[OpenSession | None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        #: Whose turn it is to ask an engine, for each guest who has asked.
        self._turns: WeakValueDictionary[Guest, asyncio.Semaphore] = WeakValueDictionary()

    # -- beginning and end ------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Note how long no server was running, and go on with what was going on."""
        self.pauses = await self.store.pauses()
        await self.beat(certainly=self._alone)
        if self._redis is not None:
            self._bus = RedisBus(self._redis, self._process, self._hear, self._catch_up_all)
        self._spawn(self._beat_forever())
        self._spawn(self._sweep_forever())

    async def close(self) -> None:
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for open_session in self.open.values():
            _stop_timers(open_session)
        await self._bus.close()
        await self.engines.close()
        await self.store.beat(self._process, self.now())

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, TabuleiroError):
            log_failure("task_failed", error)

    async def _beat_forever(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self.beat()
                await self.end_revoked()
            except Exception as error:
                log_failure("beat_failed", error)

    async def beat(self, *, certainly: bool = False) -> None:
        """Say that we are running. If nobody did until now, or this machine slept, no player is charged for that."""
        now, alive = self.now(), await self.store.last_alive()
        if alive is not None and now > alive and (certainly or now - alive > SILENCE):
            pause = Pause(alive, now)
            self.pauses.append(pause)
            await self.store.add_pause(pause)
        await self.store.beat(self._process, now)

    async def _sweep_forever(self) -> None:
        overdue = -math.inf
        while True:
            try:
                await self.sweep(overdue)
                overdue = OVERDUE
            except Exception as error:
                log_failure("sweep_failed", error)
            await asyncio.sleep(SWEEP)

    async def sweep(self, overdue: float) -> None:
        """Look after the sessions that should have been looked after so long ago; forget those that nobody watches."""
        for session_id in await self.store.due(self.now() - overdue):
            try:
                await self.look_after(session_id)
            except Exception as error:
                log_failure("look_after_failed", error)  # one session that cannot be read must not stop the others
        longest = time.monotonic() - IDLE
        for open_session in [*self.open.values()]:
            if open_session.sockets:
                self._tell_presence_elsewhere(open_session)
            elif open_session.touched < longest and open_session.timer is None and not open_session.lock.locked():
                del self.open[open_session.session.id]
                open_session.session.let_go()
            open_session.elsewhere = {
                process: presence
                for process, presence in open_session.elsewhere.items()
                if presence.heard > time.monotonic() - 3 * SWEEP
            }

    # -- sessions ------------------------------------------------------------------------------------------------------

    async def create(self, settings: SessionSettings, names: dict[Guest, str | None]) -> str:
        """A new session; the computer moves at once if it begins."""
        now = self.now()
        session = GameSession(new_id(), settings, now)
        await self._saving(self.store.create(NewSession(session, session.due(now, self.pauses))))
        log("session_created", game=settings.game, seats=[seat.kind for seat in settings.seats])
        await self._begin(session, names)
        return session.id

    async def _begin(self, session: GameSession, names: dict[Guest, str | None]) -> None:
        open_session = self.open[session.id] = OpenSession(session, dict(names))
        async with open_session.held():
            self._go_on(open_session)

    async def get(self, session_id: str) -> OpenSession:
        """A session, from memory or from the database."""
        if (open_session := self.open.get(session_id)) is None:
            if (loading := self._loading.get(session_id)) is None:
                loading = self._loading[session_id] = self._spawn(self._load(session_id))
            open_session = await asyncio.shield(loading)
        if open_session is None:
            raise RefusedError(*NO_SUCH_SESSION)
        open_session.touched = time.monotonic()
        return open_session

    async def _load(self, session_id: str) -> OpenSession | None:
        try:
            if (session := await self.store.load(session_id)) is None:
                return None
            open_session = OpenSession(session, {})
            await self._learn_names(open_session)
            self.open[session_id] = open_session
            self._set_timer(open_session)
            if not self._alone:
                await self._catch_up(open_session)  # news that came while we were reading found no session to tell
            return open_session
        finally:
            del self._loading[session_id]

    def seated_here(self, session_id: str) -> set[Player]:
        """The players of a session who are connected, as far as this process knows."""
        open_session = self.open.get(session_id)
        return set() if open_session is None else open_session.present()

    async def _learn_names(self, open_session: OpenSession) -> None:
        guests = {seat.guest for seat in open_session.session.seats.values() if seat.guest is not None}
        if unknown := guests - open_session.names.keys():
            open_session.names |= await self.store.nicknames(unknown)

    async def show(self, open_session: OpenSession, guest: Guest | None, address: str) -> bytes:
        """The session for one person."""
        async with open_session.held():
            return open_session.seen_by(open_session.face(self.pauses, self.now(), whole=True), guest, address)

    async def act(self, open_session: OpenSession, decide: Callable[[GameSession], Decision | None]) -> int:
        """Let something happen in a session, or raise what speaks against it. The number of the last event."""
        # Whoever asked may go away while it is being stored; then it happens all the same.
        return int(await asyncio.shield(self._spawn(self._act(open_session, decide))))

    async def _act(self, open_session: OpenSession, decide: Callable[[GameSession], Decision | None]) -> int:
        asked = time.perf_counter()
        try:
            return await self._decide(open_session, decide)
        finally:
            self.metrics.measure("action", time.perf_counter() - asked)

    async def _decide(self, open_session: OpenSession, decide: Callable[[GameSession], Decision | None]) -> int:
        async with open_session.held():
            for _ in range(3):
                await self._end_if_flag_fell(open_session)
                decision = decide(open_session.session)
                if decision is None or await self._happens(open_session, decision):
                    return open_session.session.number
                # Somebody at another process was first: what is asked for now meets another position.
            raise RefusedError(*NOT_SAVED)

    async def _end_if_flag_fell(self, open_session: OpenSession) -> None:
        if (decision := open_session.session.decide_timeout(self.now(), self.pauses)) is not None:
            await self._happens(open_session, decision)

    async def _happens(self, open_session: OpenSession, decision: Decision) -> bool:
        """Apply, store, tell. False if another event was stored first, which is then known."""
        now, session = self.now(), open_session.session
        event = session.event(decision, now, self.pauses)
        rematch = None
        if event.kind == "rematch":
            again = GameSession(event.data["play"], session.rematch_settings(), now)
            rematch = NewSession(again, again.due(now, self.pauses))
        session.apply(event)
        try:
            stored: bool = await self._saving(self.store.append(session, event, session.due(now, self.pauses), rematch))
            if not stored:
                fresh = await self._saving(self.store.load(session.id))
                assert fresh is not None
                open_session.session = fresh
            await self._learn_names(open_session)
        except Exception:
            # What we hold may differ from what is stored: forget it.
            self._drop(open_session)
            raise
        if stored:
            self.metrics.count("events", kind=event.kind)
            self._bus.tell({"about": "event", "session": session.id, "number": event.number})
            self._announce(open_session, [event])
            self._go_on(open_session)
            if rematch is not None:
                await self._begin(rematch.session, open_session.names)
            if open_session.session.status == "over" and event.kind != "rematch":
                log("session_over", game=session.settings.game, moves=len(session.history), by=event.kind)
        else:
            self._announce(open_session, await self.store.events(session.id, event.number - 1))
            self._stop_thinking(open_session)
            self._set_timer(open_session)
        return stored

    async def _saving(self, work: Coroutine[Any, Any, Any]) -> Any:
        try:
            return await work
        except Exception as error:
            log_failure("not_saved", error)
            raise RefusedError(*NOT_SAVED) from error

    async def erase(self, open_session: OpenSession, guest: Guest | None) -> None:
        """A player wants nothing of a session to be left."""
        async with open_session.held() as session:
            session.require_erasable(guest)
            await self._saving(self.store.erase(session.id))
            self._bus.tell({"about": "erased", "session": session.id})
            self._forget_erased(open_session)

    def _forget_erased(self, open_session: OpenSession) -> None:
        for socket in open_session.sockets:
            socket.send('{"type":"erased"}')
        self._drop(open_session)

    def _drop(self, open_session: OpenSession) -> None:
        open_session.dropped = True
        _stop_timers(open_session)
        self.open.pop(open_session.session.id, None)
        for socket in open_session.sockets:
            # A moment later, so that whoever asked hears why.
            asyncio.get_running_loop().call_later(PARTING, socket.close)

    # -- telling ----------------------------------------------------------------------------------------------------

    def _announce(self, open_session: OpenSession, events: list[Event]) -> None:
        """Send every new number, each with the whole session as it is now."""
        for event in events:
            self._broadcast(open_session, event.kind, event.number)

    def _broadcast(self, open_session: OpenSession, kind: str, number: int | None) -> None:
        if not open_session.sockets:
            return
        face = open_session.face(self.pauses, self.now(), whole=False)
        head = orjson.dumps({"type": "event", "number": number, "kind": kind})[:-1] + b',"session":'
        for socket in open_session.sockets:
            socket.send((head + open_session.seen_by(face, socket.guest, socket.address) + b"}").decode())

    async def watch(self, open_session: OpenSession, socket: Socket, since: int | None) -> None:
        """A connection comes and is told how things stand, or, if it knows an earlier number, what it missed."""
        async with open_session.held():
            known = since is not None and 0 < since <= open_session.session.number
            face = open_session.face(self.pauses, self.now(), whole=True)
            session = open_session.seen_by(face, socket.guest, socket.address)
            if not known or since == open_session.session.number:
                head = b'{"type":"session","session":'
            else:
                newest = (await self.store.events(open_session.session.id, open_session.session.number - 1))[0]
                about = {"type": "event", "number": newest.number, "kind": newest.kind}
                head = orjson.dumps(about)[:-1] + b',"session":'
            open_session.sockets.add(socket)
            socket.send((head + session + b"}").decode())
        self._presence_changed(open_session)

    def leave(self, open_session: OpenSession, socket: Socket) -> None:
        open_session.sockets.discard(socket)
        open_session.touched = time.monotonic()
        self._presence_changed(open_session)

    async def end_revoked(self) -> None:
        """Close the connections of programs whose token was revoked, here, elsewhere or at the command line."""
        programs = [
            socket for open_session in self.open.values() for socket in open_session.sockets if socket.bot is not None
        ]
        if programs:
            known = await self.store.known_tokens({socket.bot for socket in programs if socket.bot is not None})
            for socket in programs:
                if socket.bot not in known:
                    socket.close(UNKNOWN_TOKEN)

    def _presence_changed(self, open_session: OpenSession) -> None:
        if open_session.telling is None:
            open_session.telling = asyncio.get_running_loop().call_later(
                PRESENCE_DELAY, lambda: self._spawn(self._tell_presence(open_session))
            )

    async def _tell_presence(self, open_session: OpenSession, *, elsewhere: bool = True) -> None:
        open_session.telling = None
        async with open_session.held():
            self._broadcast(open_session, "presence", None)
        if elsewhere:
            self._tell_presence_elsewhere(open_session)

    def _tell_presence_elsewhere(self, open_session: OpenSession) -> None:
        seats, spectators, _ = open_session.presence()
        self._bus.tell(
            {"about": "presence", "session": open_session.session.id, "seats": seats, "spectators": spectators}
        )

    async def renamed(self, guest: Guest, nickname: str | None, *, tell: bool = True) -> None:
        """A guest has a new nickname: whoever watches a session of theirs sees it."""
        if tell:
            self._bus.tell({"about": "name", "guest": guest})
        for open_session in [*self.open.values()]:
            if open_session.session.seats_of(guest):
                open_session.names[guest] = nickname
                with contextlib.suppress(RefusedError):  # a session that was dropped meanwhile has nobody watching
                    async with open_session.held():
                        self._broadcast(open_session, "rename", None)

    # -- hearing the other processes --------------------------------------------------------------------------------

    async def _hear(self, news: Json) -> None:
        if news["about"] == "name":
            guest = news["guest"]
            names = await self.store.nicknames({guest})
            await self.renamed(guest, names.get(guest), tell=False)
            return
        if (open_session := self.open.get(news["session"])) is None:
            return
        if news["about"] == "erased":
            self._forget_erased(open_session)
            return
        if news["about"] == "event":
            if news["number"] > open_session.session.number:
                self._spawn(self._catch_up(open_session))
            return
        speaker = news["from"]
        first = speaker not in open_session.elsewhere
        heard = Presence(tuple(news["seats"]), news["spectators"], time.monotonic())
        changed = first or open_session.elsewhere[speaker][:2] != heard[:2]
        open_session.elsewhere[speaker] = heard
        if changed:
            self._spawn(self._tell_presence(open_session, elsewhere=first))

    async def _catch_up(self, open_session: OpenSession) -> None:
        """Read the events that were stored elsewhere."""
        async with open_session.held():
            missed = await self.store.events(open_session.session.id, open_session.session.number)
            for event in missed:
                open_session.session.apply(event)
            if missed:
                await self._learn_names(open_session)
                self._stop_thinking(open_session)
                self._announce(open_session, missed)
                self._set_timer(open_session)

    async def _catch_up_all(self) -> None:
        for open_session in [*self.open.values()]:
            await self._catch_up(open_session)
            self._tell_presence_elsewhere(open_session)

    # -- what must happen in time -----------------------------------------------------------------------------------

    async def look_after(self, session_id: str) -> None:
        """A flag may have fallen, or a computer player may have to move."""
        open_session = await self.get(session_id)
        async with open_session.held():
            await self._end_if_flag_fell(open_session)
            if open_session.session.due(self.now(), self.pauses) is None:
                await self.store.forget_due(session_id)
            if open_session.thinking is None:
                self._go_on(open_session)

    def _set_timer(self, open_session: OpenSession) -> None:
        if open_session.timer is not None:
            open_session.timer.cancel()
            open_session.timer = None
        now = self.now()
        if (due := open_session.session.due(now, self.pauses)) is not None:
            open_session.timer = asyncio.get_running_loop().call_later(
                max(0.0, due - now), lambda: self._spawn(self.look_after(open_session.session.id))
            )

    def _go_on(self, open_session: OpenSession) -> None:
        """After something has happened: the clock runs, and a computer player whose turn it is begins to think."""
        self._set_timer(open_session)
        self._stop_thinking(open_session)
        if (level := open_session.session.engine_level) is not None:
            open_session.thinking = self._spawn(self._think(open_session, level))

    def _stop_thinking(self, open_session: OpenSession) -> None:
        if open_session.thinking is not None:
            open_session.thinking.cancel()
            open_session.thinking = None

    async def _think(self, open_session: OpenSession, level: int) -> None:
        session = open_session.session
        ply = len(session.history)
        seconds = THINKING
        if session.clock is not None:
            seconds = min(THINKING, session.clock.left[session.turn - 1] / 20)
        try:
            async with self._turn_of(next(seat.guest for seat in session.seats.values() if seat.kind == "guest")):
                move = await self._choose(session, level, seconds)
        finally:
            if open_session.thinking is asyncio.current_task():
                open_session.thinking = None
        await self._act(open_session, lambda session: session.decide_engine_move(ply, move))

    async def _choose(self, session: GameSession, level: int, seconds: float) -> str:
        line = _line(session)
        for _ in range(2):
            try:
                return await self.engines.choose(line, level, seconds)
            except WorkerLostError:
                continue
        return await self.engines.choose(line, level, seconds)

    def _turn_of(self, guest: Guest | None) -> asyncio.Semaphore:
        """Somebody with a hundred games against the computer has two places in the queue, as everybody else."""
        return self._turns.setdefault(guest or 0, asyncio.Semaphore(MAX_QUESTIONS))

    async def hint(self, open_session: OpenSession, guest: Guest | None) -> Json:
        """A good move for whoever is to session."""
        async with open_session.held():
            open_session.session.require_hint(guest)
            line, number = _line(open_session.session), open_session.session.number
        async with self._turn_of(guest):
            move = await self.engines.hint(line)
        async with open_session.held():
            if open_session.session.number != number:
                raise RefusedError(
                    "stale", Text("entretanto a partida mudou", "the game has changed in the meantime"), 409
                )
            return {
                "move": move,
                "clicks": open_session.session.last.position.clicks(find_move(open_session.session.last, move)),
            }


def _line(session: GameSession) -> Line:
    """What an engine needs to know about a session."""
    moves = (entry["text"] for entry in session.history)
    return Line.from_texts(session.settings.game, session.settings.options, session.settings.position, moves)


def _stop_timers(open_session: OpenSession) -> None:
    for timer in (open_session.timer, open_session.telling):
        if timer is not None:
            timer.cancel()
    if open_session.thinking is not None:
        open_session.thinking.cancel()
