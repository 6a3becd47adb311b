"""The WebSocket of a session: what browsers send while they play or watch, and how each message is read."""

import asyncio
import re
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any

import orjson
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from tabuleiro.core import MAX_MOVE_LENGTH, TabuleiroError
from tabuleiro.language import Text
from tabuleiro.learn import coach
from tabuleiro.server.coaching import NOTHING_THROWN, About, Coached, CoachQuestion
from tabuleiro.server.connections import MAX_UNHEARD, WIRE
from tabuleiro.server.errors import (
    BROKEN,
    FOREIGN_ORIGIN,
    UNKNOWN_TOKEN,
    UNREADABLE,
    Refusal,
    RefusedError,
    refusal_of,
)
from tabuleiro.server.guard import BOT_HASH, address_of, same_origin
from tabuleiro.server.guests import Guests
from tabuleiro.server.hub import Hub
from tabuleiro.server.limits import client_of
from tabuleiro.server.log import Decision, Json
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.moves import find_move
from tabuleiro.server.policy import AccessPolicy, AdvicePolicy
from tabuleiro.server.presence import Watcher, Wire
from tabuleiro.server.sessions import ACTIONS, MAX_TOUCHED, GameSession
from tabuleiro.server.thinking import OpenSession
from tabuleiro.server.token_bucket import Rate, TokenBucket

#: Characters.
MAX_MESSAGE = 2000
MAX_REF = 64
#: The messages that a connection may send: a second in the long run, and at once.
PACE, BURST = 10, 60

TOO_FAST = Refusal("too_fast", Text("devagar! são demasiadas mensagens", "slow down: too many messages"), 429)

PATH = "/ws/v1/sessions/{session_id}"
_ADDRESS = re.compile(PATH.replace("{session_id}", "([^/]+)"))


class SessionSockets:
    """Connections to sessions, ahead of the routes: to find the route and to read what it asks for takes longer than to
    let somebody in."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and (asked := _ADDRESS.fullmatch(scope["path"])) is not None:
            await _watch(WebSocket(scope, receive, send), asked[1])
        else:
            await self.app(scope, receive, send)


async def _watch(websocket: WebSocket, session_id: str) -> None:
    hub: Hub = websocket.app.state.hub
    guests: Guests = websocket.app.state.guests
    doorkeeper: AccessPolicy = websocket.app.state.doorkeeper
    await websocket.accept()
    wire = websocket.scope["extensions"][WIRE]
    watcher = Watcher(None, "", wire)
    try:
        if not same_origin(websocket.headers):
            raise RefusedError(*FOREIGN_ORIGIN)
        caller = websocket.state.token_hash
        who = await guests.who(caller)
        hub.thinking.heard_of(who.guest, client_of(websocket.scope))
        open_session = await hub.get(session_id)
        await doorkeeper.watch(who, open_session.stream)
        watcher.guest, watcher.sign_in = who.guest, who.sign_in
        watcher.bot = caller if caller is not None and caller.startswith(BOT_HASH) else None
        watcher.address = address_of(websocket.scope, websocket.app.state.settings.lan_address)
        watcher.wants_changes = websocket.query_params.get("changes") == "1"
        await hub.watch(open_session, watcher, _since(websocket.query_params.get("since", "")))
    except TabuleiroError as error:
        watcher.close(refusal_of(error))
        return
    except Exception as error:
        log_failure("watch_failed", error)
        watcher.close(BROKEN)
        return
    try:
        embargo: AdvicePolicy = websocket.app.state.embargo
        await _Conversation(hub, guests, embargo, open_session, watcher, wire).listen(websocket)
    finally:
        hub.leave(open_session, watcher)
        watcher.close()


def _since(text: str) -> int | None:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else None


def _error(ref: Any, refusal: Refusal) -> Json:
    return {"type": "error", "ref": ref, **refusal.as_json()}


class _Conversation:
    """What one connection says."""

    def __init__(
        self, hub: Hub, guests: Guests, embargo: AdvicePolicy, open_session: OpenSession, watcher: Watcher, wire: Wire
    ) -> None:
        self.hub = hub
        self.guests = guests
        self.embargo = embargo
        self.session = open_session
        self.watcher = watcher
        self.wire = wire
        #: What was said while something said before is answered.
        self._unheard: deque[str | None] = deque()
        self._answering = False
        #: Set once all is answered, by who waits for that.
        self._answered: asyncio.Future[None] | None = None
        self._bucket = TokenBucket(Rate(BURST, PACE))
        self._hint: asyncio.Task[None] | None = None
        self._coaching: asyncio.Task[None] | None = None

    async def listen(self, websocket: WebSocket) -> None:
        """Until the connection ends. What is said before anybody listens comes by `receive`, then at once."""
        self.wire.hear = self._heard
        try:
            while (message := await websocket.receive())["type"] != "websocket.disconnect":
                self._heard(message.get("text"))
            if self._answering:
                self._answered = asyncio.get_running_loop().create_future()
                await self._answered
        finally:
            self.wire.hear = None
            if self._hint is not None:
                self._hint.cancel()

    def _heard(self, text: str | None) -> None:
        """Something was said, and is answered after what was said before."""
        if self.watcher.closed:
            return
        if not self._bucket.take():
            self.watcher.say(_error(None, TOO_FAST))
            self.watcher.close()
            return
        if not self._answering and not self._unheard:
            self._answering = True
            self._begin_answer(text)
            return
        self._unheard.append(text)
        if not self._answering:
            self._answer_next()
        elif len(self._unheard) > MAX_UNHEARD:
            self.wire.heed(False)

    def _answer_next(self) -> None:
        """Answer what was said first of what waits. Whoever has answered it calls this again."""
        self._answering = bool(self._unheard) and not self.watcher.closed
        if self._answering:
            self._begin_answer(self._unheard.popleft())
            return
        self.wire.heed(True)
        if self._answered is not None and not self._answered.done():
            self._answered.set_result(None)

    def _begin_answer(self, text: str | None) -> None:
        if not self._move_at_once(text):
            self.hub.spawn(self.wire.share.meter(self._answer(text)))

    def _move_at_once(self, text: str | None) -> bool:
        """Nearly all that is said are moves, and against nearly none of them speaks anything. False for all else."""
        if self.watcher.bot is not None:
            return False  # its token may have been revoked a moment ago
        try:
            data = _read(text)
            if data["type"] != "move" or self._may_be_doubted(data):
                return False
            decide = self._mover(*_read_move(data))
            return self.hub.log.act_at_once(self.session, decide, partial(self._moved, data.get("ref")))
        except TabuleiroError:
            return False  # it is found again, and said, by who may wait

    def _moved(self, ref: Any, number: int | Exception) -> None:
        if isinstance(number, Exception):
            self._say_refusal(ref, number)
        else:
            self._acknowledge(ref, number)
        self._answer_next()

    async def _answer(self, text: str | None) -> None:
        try:
            await self._hear(text)
        finally:
            self._answer_next()

    async def _hear(self, text: str | None) -> None:
        ref: Any = None
        try:
            data = _read(text)
            ref = data.get("ref")
            if self.watcher.bot is not None:
                await self.guests.find(self.watcher.bot)
            await self._obey(data, ref)
        except Exception as error:
            await self._refuse(ref, error)

    async def _refuse(self, ref: Any, error: Exception) -> None:
        """Say why something was not done; to who did not know how things stand, that too."""
        if self._say_refusal(ref, error) == "stale":
            await self.hub.show_to(self.session, self.watcher)

    def _say_refusal(self, ref: Any, error: Exception) -> str:
        """Say why something was not done; the code of that."""
        refusal = BROKEN
        if isinstance(error, TabuleiroError):
            refusal = refusal_of(error)
        else:
            log_failure("message_failed", error)
        if refusal == UNKNOWN_TOKEN:
            self.watcher.close(refusal)
        else:
            self.watcher.say(_error(ref, refusal))
        return refusal.code

    def _mover(self, ply: int, move: str) -> Callable[[GameSession], Decision]:
        """What decides a move."""
        guest = self.watcher.guest
        return lambda session: session.decide_move(guest, ply, move)

    def _may_be_doubted(self, data: Json) -> bool:
        """Whether the coach looks at a move before it is made."""
        return self.session.stream.settings.coach and data.get("sure") is not True

    async def _obey(self, data: Json, ref: Any) -> None:
        kind, guest = data["type"], self.watcher.guest
        if kind == "ping":
            self.watcher.say({"type": "pong"})
        elif kind == "move":
            ply, move = _read_move(data)
            if self._may_be_doubted(data):
                self._ask_coach(self._move_if_sure(ref, ply, move))
            else:
                self._acknowledge(ref, await self.hub.act_here(self.session, self._mover(ply, move)))
        elif kind == "why":
            tried = _tried(data)
            async with self.session.held() as session:
                reason = session.why_not(guest, tried)
            self.watcher.say({"type": "why_not", "ref": ref, "text": reason and reason._asdict()})
        elif kind in ACTIONS:
            self._acknowledge(
                ref,
                await self.hub.act_here(self.session, lambda session: ACTIONS[kind](session, guest, self.hub.now())),
            )
        elif kind == "coach":
            self._ask_coach(self._coach(ref, data.get("step"), data.get("move")))
        elif kind == "hint":
            if self._hint is not None and not self._hint.done():
                raise RefusedError("thinking", Text("a ajuda vem já", "the hint is on its way"), 409)
            self._hint = asyncio.create_task(self._give_hint(ref))
        else:
            raise RefusedError(*UNREADABLE)

    def _acknowledge(self, ref: Any, number: int) -> None:
        self.watcher.say({"type": "ack", "ref": ref, "number": number})

    # -- the coach --------------------------------------------------------------------------------------------------

    def _ask_coach(self, work: Coroutine[Any, Any, None]) -> None:
        """One thing after the other; what else is said is heard meanwhile."""
        if self._coaching is not None and not self._coaching.done():
            work.close()
            raise RefusedError("thinking", Text("o treinador está a pensar", "the coach is thinking"), 409)
        self._coaching = self.hub.spawn(work)

    async def _move_if_sure(self, ref: Any, ply: int, move: str) -> None:
        """Make a move, unless the coach doubts it."""
        guest = self.watcher.guest
        try:
            async with self.session.held() as session:
                decision = session.decide_move(guest, ply, move)  # refuses what cannot be played, before anybody thinks
                question = CoachQuestion(session.line(), "doubt", decision.data["move"])
            try:
                await self.embargo.require_free(replace(question.line, moves=(*question.line.moves, question.move)))
                doubt = await self.hub.thinking.coach(self.session, guest, question)
            except TabuleiroError:
                doubt = None  # a coach who may not speak, or cannot, holds nobody up
            if doubt is None:
                self._acknowledge(ref, await self.hub.act_here(self.session, self._mover(ply, move)))
            else:
                self._say_coached(ref, "doubt", ply, None, doubt)
        except Exception as error:
            await self._refuse(ref, error)

    async def _coach(self, ref: Any, step: Any, move: Any) -> None:
        """A step of help, or why a move throws something away."""
        try:
            is_step = move is None and type(step) is int and 1 <= step <= coach.STEPS
            is_why = step is None and isinstance(move, str) and len(move) <= MAX_MOVE_LENGTH
            if not is_step and not is_why:
                raise RefusedError(*UNREADABLE)
            async with self.session.held() as session:
                node = session.require_coach(self.watcher.guest, None)
                ply, line = len(session.history), session.line()
                if is_why:
                    move = node.position.move_str(find_move(node.position, move))
            await self.embargo.require_free(line if is_step else replace(line, moves=(*line.moves, move)))
            question = CoachQuestion(line, "step", step=step) if is_step else CoachQuestion(line, "why", move)
            said = await self.hub.thinking.coach(self.session, self.watcher.guest, question)
            self._say_coached(ref, question.about, ply, step, said or NOTHING_THROWN)
        except Exception as error:
            await self._refuse(ref, error)

    def _say_coached(self, ref: Any, about: About, ply: int, step: int | None, said: Coached) -> None:
        self.watcher.say({"type": "coach", "ref": ref, "about": about, "ply": ply, "step": step, **said.as_json()})

    async def _give_hint(self, ref: Any) -> None:
        try:
            async with self.session.held() as session:
                line = session.line()
            await self.embargo.require_free(line)
            hint = await self.hub.thinking.hint(self.session, self.watcher.guest)
        except TabuleiroError as error:
            self.watcher.say(_error(ref, refusal_of(error)))
        else:
            self.watcher.say({"type": "hint", "ref": ref, **hint})


def _read_move(data: Json) -> tuple[int, str]:
    """The plies that somebody has seen, and the move that they make."""
    ply, move = data.get("ply"), data.get("move")
    if type(ply) is not int or not isinstance(move, str) or len(move) > MAX_MOVE_LENGTH:
        raise RefusedError(*UNREADABLE)
    return ply, move


def _tried(data: Json) -> str | list[int]:
    """What somebody tried: a move as it is written, or the cells touched."""
    move, cells = data.get("move"), data.get("cells")
    if isinstance(move, str) and len(move) <= MAX_MOVE_LENGTH and cells is None:
        return move
    if (
        move is None
        and isinstance(cells, list)
        and len(cells) <= MAX_TOUCHED
        and all(type(cell) is int for cell in cells)
    ):
        return cells
    raise RefusedError(*UNREADABLE)


def _read(text: str | None) -> Json:
    """A message that is a message: an object with a type, and a short `ref` if any."""
    if text is None or len(text) > MAX_MESSAGE:
        raise RefusedError(*UNREADABLE)
    try:
        data = orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError):
        raise RefusedError(*UNREADABLE) from None
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise RefusedError(*UNREADABLE)
    ref = data.get("ref")
    if not (ref is None or type(ref) is int or (isinstance(ref, str) and len(ref) <= MAX_REF)):
        raise RefusedError(*UNREADABLE)
    return data
