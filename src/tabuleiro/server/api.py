"""The REST half of the server."""

import io
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Annotated, Any, Literal

import orjson
import segno
from fastapi import APIRouter, Depends, Path, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from starlette.responses import Response

from tabuleiro import games
from tabuleiro.core import MAX_MOVE_LENGTH, MAX_POSITION_LENGTH, Outcome, Player
from tabuleiro.language import Language, Text
from tabuleiro.record import MAX_MOVES, Line, write_game
from tabuleiro.results import side_name
from tabuleiro.server import dangers, schemas, views
from tabuleiro.server.clock import ClockRule
from tabuleiro.server.engines import LEVELS
from tabuleiro.server.errors import NO_BOTS, NOT_FOUND, RefusedError
from tabuleiro.server.guard import BOT_HASH, address_of, bot_hash_of, json_response, new_token
from tabuleiro.server.guests import MAX_NICKNAME, Guests, read_nickname
from tabuleiro.server.hub import Hub
from tabuleiro.server.identity import Who
from tabuleiro.server.ids import ID_LENGTH, ID_LETTERS
from tabuleiro.server.kept import kept_json
from tabuleiro.server.limits import client_of
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.policy import AccessPolicy, AdvicePolicy
from tabuleiro.server.sessions import ACTIONS, MAX_TOUCHED, GameSession, Seat, SessionSettings
from tabuleiro.server.store import ERASED, Summary
from tabuleiro.server.thinking import OpenSession

MAX_LISTED = 100
MAX_BOTS = 20


def _refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What else a route may answer; every route may say that it does not understand, or that it is asked too often."""
    return {status: {"model": schemas.Refusal, "description": REFUSALS[status]} for status in (*statuses, 422, 429)}


def _other(media_type: str) -> dict[int | str, dict[str, Any]]:
    """The answer of a route that does not answer with JSON."""
    return {200: {"content": {media_type: {}}, "description": "done"}}


REFUSALS = {
    400: "a move, option or position that the rules do not know",
    401: "the token of a bot that does not exist, or was revoked",
    403: "the request comes from a page of another site, or somebody else sits there",
    404: "there is no such thing",
    409: "not now: it is not your turn, the game is over or has changed",
    413: "the body is too large",
    422: "the request cannot be understood",
    429: "too many requests; `Retry-After` says when to come back",
    503: "it could not be saved; try again",
}

router = APIRouter()

#: Described as one of ours; a request for another is told which there are.
GameId = Annotated[
    str,
    StringConstraints(max_length=40),
    Field(json_schema_extra=lambda schema: schema.update(enum=[*games.GAMES])),
]
#: What is wrong with a name is told in a sentence, so of its length only the description speaks.
Name = Annotated[
    str, StringConstraints(max_length=200), Field(json_schema_extra={"minLength": 1, "maxLength": MAX_NICKNAME})
]
SessionId = Annotated[str, Path(pattern=f"^[{ID_LETTERS}]{{{ID_LENGTH}}}$")]
OptionTexts = Annotated[
    dict[Annotated[str, StringConstraints(max_length=40)], Annotated[str, StringConstraints(max_length=40)]],
    Field(max_length=40),
]
MoveTexts = Annotated[
    list[Annotated[str, StringConstraints(max_length=MAX_MOVE_LENGTH)]],
    Field(max_length=MAX_MOVES, description="the moves of a line, as they are written"),
]
PositionText = Annotated[str, StringConstraints(max_length=MAX_POSITION_LENGTH)]


#: To JSON 2 and 2.0 are the same number; "2" and true are none.
WHOLE = BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value)


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class PositionBody(Body):
    game: GameId
    options: OptionTexts = Field(default_factory=dict)
    position: PositionText | None = None
    moves: MoveTexts = Field(default_factory=list)


class WhyBody(PositionBody):
    cells: Annotated[list[Annotated[int, Field(strict=True, ge=0, lt=1000), WHOLE]], Field(max_length=MAX_TOUCHED)] = (
        Field(default_factory=list, description="the cells touched so far, in order")
    )
    move: Annotated[str, StringConstraints(max_length=MAX_MOVE_LENGTH)] | None = Field(
        default=None, description="a move as somebody writes it, instead of cells"
    )


class EngineOpponent(Body):
    kind: Literal["engine"]
    level: Annotated[int, Field(strict=True, ge=LEVELS[0], le=LEVELS[-1]), WHOLE]


class PersonOpponent(Body):
    kind: Literal["local", "friend"]


class FischerClock(Body):
    kind: Literal["fischer"]
    minutes: Annotated[float, Field(gt=0, le=180)]
    increment: Annotated[float, Field(ge=0, le=180)]

    def rule(self) -> ClockRule:
        return ClockRule("fischer", self.minutes * 60, self.increment)


class MoveClock(Body):
    kind: Literal["move"]
    seconds: Annotated[float, Field(ge=1, le=3600)]

    def rule(self) -> ClockRule:
        return ClockRule("move", self.seconds)


class SessionBody(Body):
    game: GameId
    options: OptionTexts = Field(default_factory=dict)
    position: PositionText | None = None
    opponent: Annotated[EngineOpponent | PersonOpponent, Field(discriminator="kind")]
    side: Literal["first", "second", "random"] = "first"
    clock: Annotated[FischerClock | MoveClock, Field(discriminator="kind")] | None = None
    moves_stand: Annotated[bool, Field(strict=True, description="nothing is taken back, and no hints are given")] = (
        False
    )
    coach: Annotated[
        bool,
        Field(
            strict=True,
            description="against the computer: a coach asks before something proven is thrown away, helps in steps; "
            "such a game counts for no rating",
        ),
    ] = False


class MoveBody(Body):
    ply: Annotated[int, Field(strict=True, ge=0, lt=10**6, description="how many moves you have seen"), WHOLE]
    move: Annotated[str, StringConstraints(max_length=MAX_MOVE_LENGTH)] = Field(description="as in `view.moves[].text`")


class ActionBody(Body):
    action: schemas.Action


class BotBody(Body):
    name: Name


# ------------------------------------------------------------------------------------------------------------- people


def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


def _guests(request: Request) -> Guests:
    guests: Guests = request.app.state.guests
    return guests


def _doorkeeper(request: Request) -> AccessPolicy:
    doorkeeper: AccessPolicy = request.app.state.doorkeeper
    return doorkeeper


async def _who(request: Request) -> Who:
    who = await _guests(request).who(request.state.token_hash)
    _hub(request).thinking.heard_of(who.guest, client_of(request.scope))
    return who


async def _known_guest(request: Request) -> Guest | None:
    return (await _who(request)).guest


async def _watched(request: Request, session_id: str) -> tuple[OpenSession, Guest | None]:
    """A session, for somebody who may see it."""
    open_session, who = await _hub(request).get(session_id), await _who(request)
    await _doorkeeper(request).watch(who, open_session.stream)
    return open_session, who.guest


async def admitted_guest(request: Request) -> Guest:
    """Who asks, who is given a token if they have none that we gave out."""
    guest = await _guests(request).find(request.state.token_hash)
    if guest is None:
        guest, request.state.new_token = await _guests(request).make()
    _hub(request).thinking.heard_of(guest, client_of(request.scope))
    return guest


def rules_turn(request: Request) -> AbstractAsyncContextManager[None]:
    """A turn for what the rules work out in a thread."""
    address, queue = client_of(request.scope), request.app.state.rules_queue
    turn: AbstractAsyncContextManager[None] = queue.turn(address, request.state.token_hash or address)
    return turn


async def _turn(request: Request) -> AsyncIterator[None]:
    async with rules_turn(request):
        yield


#: For what the rules work out in a thread: nobody keeps all threads to themselves.
IN_TURN = [Depends(_turn)]


@router.get("/healthz", response_model=schemas.Health, tags=["server"])
async def healthz(request: Request) -> Response:
    """Whether the server can do its work: 200, else 503. `database`: something could be written; `engines`: computers
    can think; `disk`: there is space left where the database is a file."""
    hub, health = _hub(request), await request.app.state.doctor.look()
    answer = {**health.as_json(), "sessions": len(hub.log.open), "connections": hub.audience.size}
    return json_response(orjson.dumps(answer), 200 if health.ok else 503)


@router.get("/metrics", tags=["server"], response_class=Response, responses=_other("text/plain"))
async def metrics(request: Request) -> Response:
    """What this process has counted and measured, as Prometheus reads it."""
    hub = _hub(request)
    gauges = {
        "sessions": len(hub.log.open),
        "connections": hub.audience.size,
        "computers_thinking": len(hub.thinking),
    }
    if (remote := hub.remote) is not None:
        gauges |= {"workers": remote.workers, "worker_threads": remote.threads, "worker_questions_open": remote.asked}
    return Response(request.app.state.metrics.text(gauges), media_type="text/plain; version=0.0.4")


# --------------------------------------------------------------------------------------------------------------- bots


@router.post(
    "/api/v1/bots",
    response_model=schemas.NewBot,
    tags=["bots"],
    status_code=201,
    responses=_refusals(400, 401, 403, 409, 413, 503),
)
async def make_bot(request: Request, body: BotBody) -> Response:
    """A token for a program that plays by itself. It is shown this once; only its hash is kept. Programs make none."""
    name = read_nickname(body.name)
    if (request.state.token_hash or "").startswith(BOT_HASH):
        raise RefusedError(*NO_BOTS)
    owner = await admitted_guest(request)
    store = _hub(request).store
    if len(await store.bots_of(owner)) >= MAX_BOTS:
        raise RefusedError(
            "too_many_bots", Text("já tens muitos robôs; anula um", "you have many bots; revoke one"), 409
        )
    token = new_token()
    bot = await store.make_bot(owner, name, bot_hash_of(token), _hub(request).now())
    return json_response(orjson.dumps({"id": bot, "name": name, "token": token}), 201)


@router.get("/api/v1/bots", response_model=list[schemas.Bot], tags=["bots"], responses=_refusals(401))
async def list_bots(request: Request) -> Response:
    """The bots that you made: `id`, `name`, `created`."""
    owner = await _known_guest(request)
    found = [] if owner is None else await _hub(request).store.bots_of(owner)
    return json_response(orjson.dumps([bot._asdict() for bot in found]))


@router.delete(
    "/api/v1/bots/{bot}", response_model=schemas.Nothing, tags=["bots"], responses=_refusals(401, 403, 404, 503)
)
async def revoke_bot(request: Request, bot: Annotated[int, Path(ge=1, lt=2**31)]) -> Response:
    """Revoke the token of a bot. Its connections end, its games stay."""
    owner = await _known_guest(request)
    if owner is None or not await _hub(request).store.revoke_bot(bot, owner):
        raise RefusedError(*NOT_FOUND)
    await _hub(request).end_revoked()
    return json_response(b"{}")


# ------------------------------------------------------------------------------------------------------- games, rules


@router.get("/api/v1/games", response_model=list[schemas.Game], tags=["games"], responses=_refusals())
def list_games() -> Response:
    """The games with their options and a board to look at."""
    return json_response(_games(tuple(games.GAMES)))


@cache
def _games(_: tuple[str, ...]) -> bytes:
    return views.games()


@router.get(
    "/api/v1/games/{game}/rules/{language}", response_model=schemas.Rules, tags=["games"], responses=_refusals(404)
)
def rules(game: GameId, language: Language) -> Response:
    """The rules of a game as headings, paragraphs and boards."""
    if game not in games.GAMES:
        raise RefusedError(*NOT_FOUND)
    return json_response(_rules(game, language))


@cache
def _rules(game: str, language: Language) -> bytes:
    return views.rules(games.get(game), language)


@router.get(
    "/api/v1/games/{game}/mathematics/{language}",
    response_model=schemas.Rules,
    tags=["games"],
    responses=_refusals(404),
)
def mathematics(game: GameId, language: Language) -> Response:
    """What is known of a game, proven and open, as headings, paragraphs and boards."""
    written = _mathematics(game, language) if game in games.GAMES else None
    if written is None:
        raise RefusedError(*NOT_FOUND)
    return json_response(written)


@cache
def _mathematics(game: str, language: Language) -> bytes | None:
    return views.mathematics(games.get(game), language)


@router.post(
    "/api/v1/positions",
    response_model=schemas.PositionAnswer,
    tags=["games"],
    dependencies=IN_TURN,
    responses=_refusals(400, 403, 413),
)
def position(body: PositionBody) -> Response:
    """A position after some moves: what stands where, and what may be played. Nothing is stored."""
    game = Line.from_texts(body.game, body.options, body.position, body.moves).replay()
    answer = {"geometry": views.geometry(game.position.geometry), "view": views.view(game.last, game.outcome)}
    return json_response(orjson.dumps(answer))


@router.post(
    "/api/v1/positions/why",
    response_model=schemas.Why,
    tags=["games"],
    dependencies=IN_TURN,
    responses=_refusals(400, 403, 413),
)
def why_not(body: WhyBody) -> Response:
    """Why a move cannot be made in a position: by the cells touched so far, or as it is written. In a session, ask with
    the message `why` of its WebSocket."""
    game = Line.from_texts(body.game, body.options, body.position, body.moves).replay()
    reason = game.last.why_not(body.cells if body.move is None else body.move)
    return json_response(orjson.dumps({"text": reason and reason._asdict()}))


# ----------------------------------------------------------------------------------------------------------- sessions


@router.post(
    "/api/v1/sessions",
    response_model=schemas.NewSession,
    tags=["sessions"],
    status_code=201,
    responses=_refusals(400, 401, 403, 409, 413, 503),
)
async def create(request: Request, body: SessionBody) -> Response:
    """Begin a session against the computer (`engine`), at one screen (`local`), or with the person who joins
    (`friend`). The answer holds its `id`; `/g/{id}` is the page on which a friend joins."""
    guest = await admitted_guest(request)
    mine = {"first": Player.ONE, "second": Player.TWO, "random": secrets.choice([*Player])}[body.side]
    me = Seat("guest", guest)
    other = {"local": me, "friend": Seat("open")}.get(body.opponent.kind)
    if isinstance(body.opponent, EngineOpponent):
        other = Seat("engine", level=body.opponent.level)
    assert other is not None
    house = await _doorkeeper(request).begin(await _who(request), body.game, other.level)
    settings = SessionSettings(
        body.game,
        games.get(body.game).options_type.parse(body.options).changed(),
        body.position,
        None if body.clock is None else body.clock.rule(),
        (me, other) if mine is Player.ONE else (other, me),
        body.moves_stand or house == (False, False),
        house,
        coach=body.coach,
    )
    if settings.coach:
        _require_coachable(settings)
    settings.new_game()  # refuses what is no position of the game before anything is stored
    if other.kind == "engine" and settings.position is not None:
        embargo: AdvicePolicy = request.app.state.embargo
        await embargo.require_free(Line.from_texts(settings.game, settings.options, settings.position))
    names = {guest: await _guests(request).nickname(guest)}
    session_id = await _hub(request).create(settings, names)
    return json_response(orjson.dumps({"id": session_id}), 201)


def _require_coachable(settings: SessionSettings) -> None:
    """Refuse a coach where another person plays, or no help is given."""
    if all(seat.kind != "engine" for seat in settings.seats):
        raise RefusedError(
            "no_coach", Text("só há treinador contra o computador", "there is a coach only against the computer"), 409
        )
    if settings.moves_stand or (settings.house is not None and not settings.house.hints):
        raise RefusedError("no_coach", Text("nesta partida não há ajudas", "no help is given in this game"), 409)


@router.get("/api/v1/sessions", response_model=schemas.SessionList, tags=["sessions"], responses=_refusals(401))
async def my_sessions(request: Request) -> Response:
    """The sessions in which you sit, the newest first."""
    guest = await _known_guest(request)
    found = [] if guest is None else await _hub(request).store.streams_of(guest, GameSession.kind, MAX_LISTED)
    listed = [_summary(entry, guest, _hub(request).connected_players(entry.id)) for entry in found]
    return json_response(orjson.dumps({"sessions": listed}))


def _summary(entry: Summary, guest: Guest | None, here: set[Player]) -> Json:
    """A line of somebody's list; `here` are the players whose connections this process holds."""
    seats = {Player(number): seat for number, seat in enumerate(entry.summary["seats"], 1)}
    return {
        "id": entry.id,
        "game": entry.summary["game"],
        "status": entry.summary["status"],
        "turn": entry.summary["turn"],
        "your_seats": [player for player, seat in seats.items() if seat["guest"] == guest],
        "seats": {
            str(int(player)): views.seat(
                seat["kind"], entry.nicknames.get(seat["guest"]), seat["level"], present=player in here
            )
            for player, seat in seats.items()
        },
        "outcome": _outcome(entry.summary["outcome"], entry.summary.get("colours", (None, None))),
        "plies": entry.summary["plies"],
        "updated": entry.updated,
    }


def _outcome(stored: Json | None, colours: Sequence[str | None]) -> Json | None:
    if stored is None:
        return None
    winner = None if stored["winner"] is None else Player(stored["winner"])
    score = None if stored["score"] is None else (stored["score"][0], stored["score"][1])
    sides = {player: side_name(colour, player) for player, colour in zip(Player, colours, strict=True)}
    return views.outcome_json(Outcome(winner, stored["reason"], score), sides)


@router.get(
    "/api/v1/sessions/{session_id}",
    response_model=schemas.GameSession,
    tags=["sessions"],
    responses=_refusals(400, 401, 403, 404, 503),
)
async def show(request: Request, session_id: SessionId) -> Response:
    """How a session stands. `view.moves` are the legal moves; `your_seats` says which players you are."""
    return await _shown(request, *await _watched(request, session_id))


@router.delete(
    "/api/v1/sessions/{session_id}",
    response_model=schemas.Nothing,
    tags=["sessions"],
    responses=_refusals(400, 401, 403, 404, 409, 503),
)
async def erase(request: Request, session_id: SessionId) -> Response:
    """Erase a session in which you sit: you see no more of it. When nobody is left who wants to keep it, everything
    that happened in it is removed. While it goes on against another person, resign first."""
    open_session = await _hub(request).get(session_id)
    await _hub(request).erase(open_session, await _known_guest(request))
    return json_response(b"{}")


@router.post(
    "/api/v1/sessions/{session_id}/moves",
    response_model=schemas.Stored,
    tags=["sessions"],
    responses=_refusals(400, 401, 403, 404, 409, 413, 503),
)
async def move(request: Request, session_id: SessionId, body: MoveBody) -> Response:
    """Make a move. The answer holds the number of its event; it is stored by then."""
    open_session = await _hub(request).get(session_id)
    guest = await _known_guest(request)
    number = await _hub(request).act(open_session, lambda session: session.decide_move(guest, body.ply, body.move))
    return json_response(orjson.dumps({"number": number}))


@router.post(
    "/api/v1/sessions/{session_id}/actions",
    response_model=schemas.Stored,
    tags=["sessions"],
    responses=_refusals(400, 401, 403, 404, 409, 413, 503),
)
async def act(request: Request, session_id: SessionId, body: ActionBody) -> Response:
    """Resign, offer or answer a draw or a takeback, or begin the rematch."""
    open_session = await _hub(request).get(session_id)
    guest = await _known_guest(request)
    hub = _hub(request)
    number = await hub.act(open_session, lambda session: ACTIONS[body.action](session, guest, hub.now()))
    return json_response(orjson.dumps({"number": number}))


@router.post(
    "/api/v1/sessions/{session_id}/join",
    response_model=schemas.GameSession,
    tags=["sessions"],
    responses=_refusals(400, 401, 403, 404, 409, 413, 503),
)
async def join(request: Request, session_id: SessionId) -> Response:
    """Take the free seat of a session. Who sits there already stays."""
    open_session = await _hub(request).get(session_id)
    await _doorkeeper(request).join(await _who(request), open_session.stream)
    guest = await admitted_guest(request)
    await _hub(request).act(open_session, lambda session: session.decide_join(guest))
    return await _shown(request, open_session, guest)


async def _shown(request: Request, open_session: OpenSession, guest: Guest | None) -> Response:
    address = address_of(request.scope, request.app.state.settings.lan_address)
    return json_response(await _hub(request).show(open_session, guest, address))


@router.get(
    "/api/v1/sessions/{session_id}/at/{ply}",
    response_model=schemas.View,
    tags=["sessions"],
    responses=_refusals(400, 401, 403, 404, 503),
)
async def view_at(request: Request, session_id: SessionId, ply: Annotated[int, Path(ge=0, lt=10**6)]) -> Response:
    """The position of a session after its first `ply` moves, as far as you may know it now."""
    open_session, guest = await _watched(request, session_id)
    async with open_session.held() as session:
        plies, viewer = len(session.history), session.viewer(guest)
        if ply > plies:
            raise RefusedError(*NOT_FOUND)

        def write() -> bytes:
            outcome = session.outcome if ply == plies else None
            return kept_json(views.view(session.game.node_seen_by(viewer, ply), outcome))

        return json_response(_hub(request).written(open_session).once(("at", viewer, ply), write))


@router.get(
    "/api/v1/sessions/{session_id}/dangers",
    response_model=schemas.Dangers,
    tags=["sessions"],
    dependencies=IN_TURN,
    responses=_refusals(400, 401, 403, 404, 503),
)
async def dangers_of(request: Request, session_id: SessionId) -> Response:
    """What of yours the opponent could capture at once, and, where hints are given, how they could win at once. Not in
    a championship, nor where one of its games stands so."""
    open_session = await _hub(request).get(session_id)
    guest = await _known_guest(request)
    embargo: AdvicePolicy = request.app.state.embargo
    open_session.stream.require_player(guest)
    await embargo.require_no_help(open_session.stream)
    async with open_session.held() as session:
        player = session.require_player(guest)
        position = session.last.position.seen_by(player)
        is_over, hints = session.outcome is not None, session.gives_hints(player)
    wins = (dangers.winning(position, player) if not is_over else []) if hints else None
    answer = {"attacked": [] if is_over else dangers.attacked(position, player), "wins": wins}
    return json_response(orjson.dumps(answer))


@router.get(
    "/api/v1/sessions/{session_id}/record",
    tags=["sessions"],
    response_class=Response,
    responses=_other("text/plain") | _refusals(400, 401, 403, 404, 503),
)
async def record(request: Request, session_id: SessionId) -> Response:
    """The session as a text record, with who played and when. While something is hidden from you, it begins with the
    position that you see."""
    open_session, guest = await _watched(request, session_id)
    async with open_session.held() as session:
        tags, viewer = _tags(session, open_session.names), session.viewer(guest)

        def write() -> bytes:
            session.game.tags |= tags
            return write_game(session.game.seen_by(viewer)).encode()

        key = "record", viewer, tuple(tags.items())
        text = _hub(request).written(open_session).once(key, write)
    return Response(text, media_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})


def _tags(session: GameSession, names: dict[Guest, str | None]) -> dict[str, str]:
    tags = {"Date": datetime.fromtimestamp(session.created, UTC).strftime("%Y-%m-%d")}
    for player, seat in session.seats.items():
        name = f"Tabuleiro {seat.level}" if seat.kind == "engine" else names.get(seat.guest or 0)
        if name is not None:
            tags[f"Player{player}"] = "jogador apagado" if name == ERASED else name
    return tags


@router.get(
    "/api/v1/sessions/{session_id}/qr.svg",
    tags=["sessions"],
    response_class=Response,
    responses=_other("image/svg+xml") | _refusals(400, 404, 503),
)
async def qr(request: Request, session_id: SessionId) -> Response:
    """A QR code of the page of a session, for a friend's phone."""
    open_session = await _hub(request).get(session_id)
    address = address_of(request.scope, request.app.state.settings.lan_address)
    return qr_response(f"{address}/g/{open_session.stream.id}")


@router.get("/api/v1/site", response_model=schemas.Site, tags=["server"], responses=_refusals())
async def site(request: Request) -> Response:
    """The address at which others reach this site."""
    address = address_of(request.scope, request.app.state.settings.lan_address)
    return json_response(orjson.dumps({"address": address}))


@router.get(
    "/api/v1/site/qr.svg", tags=["server"], response_class=Response, responses=_other("image/svg+xml") | _refusals()
)
async def site_qr(request: Request) -> Response:
    """A QR code of that address, for the projector."""
    return qr_response(address_of(request.scope, request.app.state.settings.lan_address))


def qr_response(address: str) -> Response:
    """A QR code of an address."""
    return Response(_qr_code(address), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


@lru_cache(1000)
def _qr_code(address: str) -> bytes:
    """Drawn once: it takes milliseconds."""
    picture = io.BytesIO()
    segno.make(address).save(picture, kind="svg", border=2, light="#fff", svgclass=None, lineclass=None, omitsize=True)
    return picture.getvalue()
