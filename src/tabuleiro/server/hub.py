"""The plays that are going on in this process: who watches them, what happens in them, and what must happen in time.

A play is touched only while its lock is held. An event is applied, stored, and only then told to anybody; when it
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
from tabuleiro.server import faces
from tabuleiro.server.bus import Bus, NoBus, RedisBus
from tabuleiro.server.clock import Pause
from tabuleiro.server.engines import THINKING, EngineError, Engines
from tabuleiro.server.errors import NO_SUCH_PLAY, NOT_SAVED, UNKNOWN_TOKEN, Refusal, RefusedError
from tabuleiro.server.logs import log, log_failure
from tabuleiro.server.metrics import Metrics
from tabuleiro.server.plays import Decision, Event, Guest, Json, Play, Setup, find_move
from tabuleiro.server.settings import Settings
from tabuleiro.server.store import NewPlay, Store

#: A process says so often that it runs, and is taken for dead when it has not for so long.
BEAT, SILENCE = 2.0, 6.0
#: So often we look for plays that nobody looks after, and say again who is watching.
SWEEP = 10.0
#: Whoever looks after a play does so when it is due; after so long somebody else does.
OVERDUE = 5.0
#: A play that nobody watches is forgotten after so long; its events are in the database.
IDLE = 60.0
#: What a browser may leave unread before its connection is given up.
MAX_UNREAD = 64
#: Questions of one guest that engines have at the same time.
MAX_QUESTIONS = 2
#: Comings and goings are told together.
PRESENCE_DELAY = 0.1
#: Between the bad news and the end of a connection.
PARTING = 0.1
ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 12


def new_id() -> str:
    """An address nobody guesses: whoever knows it may watch, and take a free seat."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


class Socket:
    """One connection that watches a play. Messages wait here until the connection takes them."""

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
    """Who watches a play from one process."""

    seats: tuple[int, ...]
    spectators: int
    heard: float


class Live:
    """A play in memory."""

    def __init__(self, play: Play, names: dict[Guest, str | None]) -> None:
        self.play = play
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
    async def held(self) -> AsyncIterator[Play]:
        """The play, for as long as nobody else may touch it."""
        async with self.lock:
            if self.dropped:
                raise RefusedError(*NOT_SAVED)
            yield self.play

    def presence(self) -> Presence:
        """Who watches from here."""
        present: set[Player] = set()
        spectators = 0
        for socket in self.sockets:
            seats = self.play.seats_of(socket.guest)
            present.update(seats)
            spectators += not seats
        return Presence(tuple(sorted(present)), spectators, time.monotonic())

    def face(self, pauses: list[Pause], now: float, *, whole: bool) -> bytes:
        """The play as everybody sees it; `seen_by` adds what differs from one to the other. Events are not whole: they
        leave out the board, which does not change, and the text board, which few want."""
        play, here = self.play, self.presence()
        present = {*here.seats, *(seat for other in self.elsewhere.values() for seat in other.seats)}
        clock = None
        if play.clock is not None:
            left = play.clock.left_at(now, pauses)
            clock = {
                **play.clock.rule.as_json(),
                "left": {str(int(player)): round(max(0.0, left[player - 1]), 3) for player in Player},
                "running": play.clock.running,
            }
        return orjson.dumps(
            {
                "id": play.id,
                "number": play.number,
                "game": play.setup.game,
                "name": play.last.position.name._asdict(),
                "options": play.setup.options,
                "geometry": faces.geometry(play.last.position.geometry) if whole else None,
                "status": play.status,
                "seats": {
                    str(int(player)): {
                        "kind": seat.kind,
                        "name": None if seat.guest is None else self.names.get(seat.guest),
                        "level": seat.level,
                        "connected": seat.kind == "engine" or player in present,
                    }
                    for player, seat in play.seats.items()
                },
                "clock": clock,
                "view": faces.view(play.last, play.outcome, with_text=whole),
                "history": play.history,
                "offers": play.offers,
                "rematch": play.rematch,
                "spectators": here.spectators + sum(other.spectators for other in self.elsewhere.values()),
            }
        )

    def seen_by(self, face: bytes, guest: Guest | None, address: str) -> bytes:
        own = orjson.dumps({"your_seats": self.play.seats_of(guest), "share": f"{address}/g/{self.play.id}"})
        return own[:-1] + b"," + face[1:]


class Hub:
    def __init__(
        self, settings: Settings, store: Store, metrics: Metrics, now: Callable[[], float] = time.time
    ) -> None:
        self.store = store
        self.metrics = metrics
        self.now = now
        self.engines = Engines(settings.engine_workers)
        self.lives: dict[str, Live] = {}
        self.pauses: list[Pause] = []
        self._alone = settings.redis is None
        self._redis = settings.redis
        self._process = secrets.token_hex(8)
        self._bus: Bus = NoBus()
        self._loading: dict[str, asyncio.Task[Live | None]] = {}
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
        for live in self.lives.values():
            _stop_timers(live)
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
        """Look after the plays that should have been looked after so long ago; forget those that nobody watches."""
        for play_id in await self.store.due(self.now() - overdue):
            try:
                await self.look_after(play_id)
            except Exception as error:
                log_failure("look_after_failed", error)  # one play that cannot be read must not stop the others
        longest = time.monotonic() - IDLE
        for live in [*self.lives.values()]:
            if live.sockets:
                self._tell_presence_elsewhere(live)
            elif live.touched < longest and live.timer is None and not live.lock.locked():
                del self.lives[live.play.id]
                live.play.let_go()
            live.elsewhere = {
                process: presence
                for process, presence in live.elsewhere.items()
                if presence.heard > time.monotonic() - 3 * SWEEP
            }

    # -- plays ------------------------------------------------------------------------------------------------------

    async def create(self, setup: Setup, names: dict[Guest, str | None]) -> str:
        """A new play; the computer moves at once if it begins."""
        now = self.now()
        play = Play(new_id(), setup, now)
        await self._saving(self.store.create(NewPlay(play, play.due(now, self.pauses))))
        log("play_created", game=setup.game, seats=[seat.kind for seat in setup.seats])
        live = self.lives[play.id] = Live(play, dict(names))
        async with live.held():
            self._go_on(live)
        return play.id

    async def get(self, play_id: str) -> Live:
        """A play, from memory or from the database."""
        if (live := self.lives.get(play_id)) is None:
            if (loading := self._loading.get(play_id)) is None:
                loading = self._loading[play_id] = self._spawn(self._load(play_id))
            live = await asyncio.shield(loading)
        if live is None:
            raise RefusedError(*NO_SUCH_PLAY)
        live.touched = time.monotonic()
        return live

    async def _load(self, play_id: str) -> Live | None:
        try:
            if (play := await self.store.load(play_id)) is None:
                return None
            live = Live(play, {})
            await self._learn_names(live)
            self.lives[play_id] = live
            self._set_timer(live)
            if not self._alone:
                await self._catch_up(live)  # news that came while we were reading found no play to tell
            return live
        finally:
            del self._loading[play_id]

    async def _learn_names(self, live: Live) -> None:
        guests = {seat.guest for seat in live.play.seats.values() if seat.guest is not None}
        if unknown := guests - live.names.keys():
            live.names |= await self.store.nicknames(unknown)

    async def show(self, live: Live, guest: Guest | None, address: str) -> bytes:
        """The play for one person."""
        async with live.held():
            return live.seen_by(live.face(self.pauses, self.now(), whole=True), guest, address)

    async def act(self, live: Live, decide: Callable[[Play], Decision | None]) -> int:
        """Let something happen in a play, or raise what speaks against it. The number of the last event."""
        # Whoever asked may go away while it is being stored; then it happens all the same.
        return int(await asyncio.shield(self._spawn(self._act(live, decide, None))))

    async def rematch(self, live: Live, guest: Guest | None) -> int:
        return int(await asyncio.shield(self._spawn(self._rematch(live, guest))))

    async def _rematch(self, live: Live, guest: Guest | None) -> int:
        play = Play(new_id(), live.play.rematch_setup(), self.now())
        new = NewPlay(play, play.due(self.now(), self.pauses))
        number = await self._act(live, lambda old: old.decide_rematch(guest, play.id), new)
        fresh = self.lives[play.id] = Live(play, dict(live.names))
        async with fresh.held():
            self._go_on(fresh)
        return number

    async def _act(self, live: Live, decide: Callable[[Play], Decision | None], rematch: NewPlay | None) -> int:
        asked = time.perf_counter()
        try:
            return await self._decide(live, decide, rematch)
        finally:
            self.metrics.measure("action", time.perf_counter() - asked)

    async def _decide(self, live: Live, decide: Callable[[Play], Decision | None], rematch: NewPlay | None) -> int:
        async with live.held():
            for _ in range(3):
                await self._end_if_flag_fell(live)
                decision = decide(live.play)
                if decision is None or await self._happens(live, decision, rematch):
                    return live.play.number
                # Somebody at another process was first: what is asked for now meets another position.
            raise RefusedError(*NOT_SAVED)

    async def _end_if_flag_fell(self, live: Live) -> None:
        if (decision := live.play.decide_timeout(self.now(), self.pauses)) is not None:
            await self._happens(live, decision)

    async def _happens(self, live: Live, decision: Decision, rematch: NewPlay | None = None) -> bool:
        """Apply, store, tell. False if another event was stored first, which is then known."""
        now, play = self.now(), live.play
        event = play.event(decision, now, self.pauses)
        play.apply(event)
        try:
            stored: bool = await self._saving(self.store.append(play, event, play.due(now, self.pauses), rematch))
            if not stored:
                fresh = await self._saving(self.store.load(play.id))
                assert fresh is not None
                live.play = fresh
            await self._learn_names(live)
        except Exception:
            # What we hold may differ from what is stored: forget it.
            self._drop(live)
            raise
        if stored:
            self.metrics.count("events", kind=event.kind)
            self._bus.tell({"about": "event", "play": play.id, "number": event.number})
            self._announce(live, [event])
            self._go_on(live)
            if live.play.status == "over" and event.kind != "rematch":
                log("play_over", game=play.setup.game, moves=len(play.history), by=event.kind)
        else:
            self._announce(live, await self.store.events(play.id, event.number - 1))
            self._stop_thinking(live)
            self._set_timer(live)
        return stored

    async def _saving(self, work: Coroutine[Any, Any, Any]) -> Any:
        try:
            return await work
        except Exception as error:
            log_failure("not_saved", error)
            raise RefusedError(*NOT_SAVED) from error

    async def erase(self, live: Live, guest: Guest | None) -> None:
        """A player wants nothing of a play to be left."""
        async with live.held() as play:
            play.require_erasable(guest)
            await self._saving(self.store.erase(play.id))
            self._bus.tell({"about": "erased", "play": play.id})
            self._forget_erased(live)

    def _forget_erased(self, live: Live) -> None:
        for socket in live.sockets:
            socket.send('{"type":"erased"}')
        self._drop(live)

    def _drop(self, live: Live) -> None:
        live.dropped = True
        _stop_timers(live)
        self.lives.pop(live.play.id, None)
        for socket in live.sockets:
            # A moment later, so that whoever asked hears why.
            asyncio.get_running_loop().call_later(PARTING, socket.close)

    # -- telling ----------------------------------------------------------------------------------------------------

    def _announce(self, live: Live, events: list[Event]) -> None:
        """Send every new number, each with the whole play as it is now."""
        for event in events:
            self._broadcast(live, event.kind, event.number)

    def _broadcast(self, live: Live, kind: str, number: int | None) -> None:
        if not live.sockets:
            return
        face = live.face(self.pauses, self.now(), whole=False)
        head = orjson.dumps({"type": "event", "number": number, "kind": kind})[:-1] + b',"play":'
        for socket in live.sockets:
            socket.send((head + live.seen_by(face, socket.guest, socket.address) + b"}").decode())

    async def watch(self, live: Live, socket: Socket, since: int | None) -> None:
        """A connection comes and is told how things stand, or, if it knows an earlier number, what it missed."""
        async with live.held():
            known = since is not None and 0 < since <= live.play.number
            face = live.face(self.pauses, self.now(), whole=True)
            play = live.seen_by(face, socket.guest, socket.address)
            if not known or since == live.play.number:
                head = b'{"type":"play","play":'
            else:
                newest = (await self.store.events(live.play.id, live.play.number - 1))[0]
                about = {"type": "event", "number": newest.number, "kind": newest.kind}
                head = orjson.dumps(about)[:-1] + b',"play":'
            live.sockets.add(socket)
            socket.send((head + play + b"}").decode())
        self._presence_changed(live)

    def leave(self, live: Live, socket: Socket) -> None:
        live.sockets.discard(socket)
        live.touched = time.monotonic()
        self._presence_changed(live)

    async def end_revoked(self) -> None:
        """Close the connections of programs whose token was revoked, here, elsewhere or at the command line."""
        programs = [socket for live in self.lives.values() for socket in live.sockets if socket.bot is not None]
        if programs:
            known = await self.store.known_tokens({socket.bot for socket in programs if socket.bot is not None})
            for socket in programs:
                if socket.bot not in known:
                    socket.close(UNKNOWN_TOKEN)

    def _presence_changed(self, live: Live) -> None:
        if live.telling is None:
            live.telling = asyncio.get_running_loop().call_later(
                PRESENCE_DELAY, lambda: self._spawn(self._tell_presence(live))
            )

    async def _tell_presence(self, live: Live, *, elsewhere: bool = True) -> None:
        live.telling = None
        async with live.held():
            self._broadcast(live, "presence", None)
        if elsewhere:
            self._tell_presence_elsewhere(live)

    def _tell_presence_elsewhere(self, live: Live) -> None:
        seats, spectators, _ = live.presence()
        self._bus.tell({"about": "presence", "play": live.play.id, "seats": seats, "spectators": spectators})

    async def renamed(self, guest: Guest, nickname: str | None, *, tell: bool = True) -> None:
        """A guest has a new nickname: whoever watches a play of theirs sees it."""
        if tell:
            self._bus.tell({"about": "name", "guest": guest})
        for live in [*self.lives.values()]:
            if live.play.seats_of(guest):
                live.names[guest] = nickname
                with contextlib.suppress(RefusedError):  # a play that was dropped meanwhile has nobody watching
                    async with live.held():
                        self._broadcast(live, "rename", None)

    # -- hearing the other processes --------------------------------------------------------------------------------

    async def _hear(self, news: Json) -> None:
        if news["about"] == "name":
            guest = news["guest"]
            names = await self.store.nicknames({guest})
            await self.renamed(guest, names.get(guest), tell=False)
            return
        if (live := self.lives.get(news["play"])) is None:
            return
        if news["about"] == "erased":
            self._forget_erased(live)
            return
        if news["about"] == "event":
            if news["number"] > live.play.number:
                self._spawn(self._catch_up(live))
            return
        speaker = news["from"]
        first = speaker not in live.elsewhere
        heard = Presence(tuple(news["seats"]), news["spectators"], time.monotonic())
        changed = first or live.elsewhere[speaker][:2] != heard[:2]
        live.elsewhere[speaker] = heard
        if changed:
            self._spawn(self._tell_presence(live, elsewhere=first))

    async def _catch_up(self, live: Live) -> None:
        """Read the events that were stored elsewhere."""
        async with live.held():
            missed = await self.store.events(live.play.id, live.play.number)
            for event in missed:
                live.play.apply(event)
            if missed:
                await self._learn_names(live)
                self._stop_thinking(live)
                self._announce(live, missed)
                self._set_timer(live)

    async def _catch_up_all(self) -> None:
        for live in [*self.lives.values()]:
            await self._catch_up(live)
            self._tell_presence_elsewhere(live)

    # -- what must happen in time -----------------------------------------------------------------------------------

    async def look_after(self, play_id: str) -> None:
        """A flag may have fallen, or a computer player may have to move."""
        live = await self.get(play_id)
        async with live.held():
            await self._end_if_flag_fell(live)
            if live.play.due(self.now(), self.pauses) is None:
                await self.store.forget_due(play_id)
            if live.thinking is None:
                self._go_on(live)

    def _set_timer(self, live: Live) -> None:
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        now = self.now()
        if (due := live.play.due(now, self.pauses)) is not None:
            live.timer = asyncio.get_running_loop().call_later(
                max(0.0, due - now), lambda: self._spawn(self.look_after(live.play.id))
            )

    def _go_on(self, live: Live) -> None:
        """After something has happened: the clock runs, and a computer player whose turn it is begins to think."""
        self._set_timer(live)
        self._stop_thinking(live)
        if (level := live.play.engine_level) is not None:
            live.thinking = self._spawn(self._think(live, level))

    def _stop_thinking(self, live: Live) -> None:
        if live.thinking is not None:
            live.thinking.cancel()
            live.thinking = None

    async def _think(self, live: Live, level: int) -> None:
        play = live.play
        ply = len(play.history)
        seconds = THINKING
        if play.clock is not None:
            seconds = min(THINKING, play.clock.left[play.turn - 1] / 20)
        try:
            async with self._turn_of(next(seat.guest for seat in play.seats.values() if seat.kind == "guest")):
                move = await self._choose(play, level, seconds)
        finally:
            if live.thinking is asyncio.current_task():
                live.thinking = None
        await self._act(live, lambda play: play.decide_engine_move(ply, move), None)

    async def _choose(self, play: Play, level: int, seconds: float) -> str:
        line = _line(play)
        for _ in range(2):
            try:
                return await self.engines.choose(line, level, seconds)
            except EngineError:
                continue
        return await self.engines.choose(line, level, seconds)

    def _turn_of(self, guest: Guest | None) -> asyncio.Semaphore:
        """Somebody with a hundred games against the computer has two places in the queue, as everybody else."""
        return self._turns.setdefault(guest or 0, asyncio.Semaphore(MAX_QUESTIONS))

    async def hint(self, live: Live, guest: Guest | None) -> Json:
        """A good move for whoever is to play."""
        async with live.held():
            live.play.require_hint(guest)
            line, number = _line(live.play), live.play.number
        async with self._turn_of(guest):
            move = await self.engines.hint(line)
        async with live.held():
            if live.play.number != number:
                raise RefusedError(
                    "stale", Text("entretanto a partida mudou", "the game has changed in the meantime"), 409
                )
            return {"move": move, "clicks": live.play.last.position.clicks(find_move(live.play.last, move))}


def _line(play: Play) -> Line:
    """What an engine needs to know about a play."""
    moves = (entry["text"] for entry in play.history)
    return Line.from_texts(play.setup.game, play.setup.options, play.setup.position, moves)


def _stop_timers(live: Live) -> None:
    for timer in (live.timer, live.telling):
        if timer is not None:
            timer.cancel()
    if live.thinking is not None:
        live.thinking.cancel()
