"""The REST half of the server."""

import asyncio
import io
import secrets
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Literal

import orjson
import segno
from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response

from tabuleiro import games
from tabuleiro.core import MAX_MOVE_LENGTH, MAX_POSITION_LENGTH, Outcome, Player, TabuleiroError
from tabuleiro.language import Language, Text
from tabuleiro.record import Game, write_game
from tabuleiro.server import faces
from tabuleiro.server.clock import ClockRule
from tabuleiro.server.engines import LEVELS
from tabuleiro.server.errors import NOT_FOUND
from tabuleiro.server.guard import address_of, json_response
from tabuleiro.server.guests import Guests, read_nickname
from tabuleiro.server.hub import ID_LENGTH, ID_LETTERS, Hub, Live
from tabuleiro.server.plays import Guest, Json, Play, Seat, Setup

MAX_LISTED = 100
MAX_LINE = 500

router = APIRouter()

GameId = Annotated[str, StringConstraints(max_length=40)]
PlayId = Annotated[str, Path(pattern=f"^[{ID_LETTERS}]{{{ID_LENGTH}}}$")]
OptionTexts = Annotated[
    dict[Annotated[str, StringConstraints(max_length=40)], Annotated[str, StringConstraints(max_length=40)]],
    Field(max_length=40),
]
PositionText = Annotated[str, StringConstraints(max_length=MAX_POSITION_LENGTH)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class NicknameBody(Body):
    nickname: Annotated[str, StringConstraints(max_length=200)]


class PositionBody(Body):
    game: GameId
    options: OptionTexts = Field(default_factory=dict)
    position: PositionText | None = None
    play: Annotated[list[Annotated[str, StringConstraints(max_length=MAX_MOVE_LENGTH)]], Field(max_length=MAX_LINE)] = (
        Field(default_factory=list)
    )


class EngineOpponent(Body):
    kind: Literal["engine"]
    level: Annotated[int, Field(strict=True, ge=LEVELS[0], le=LEVELS[-1])]


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


class PlayBody(Body):
    game: GameId
    options: OptionTexts = Field(default_factory=dict)
    position: PositionText | None = None
    opponent: Annotated[EngineOpponent | PersonOpponent, Field(discriminator="kind")]
    side: Literal["first", "second", "random"] = "first"
    clock: Annotated[FischerClock | MoveClock, Field(discriminator="kind")] | None = None


# ------------------------------------------------------------------------------------------------------------- people


def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


def _guests(request: Request) -> Guests:
    guests: Guests = request.app.state.guests
    return guests


async def _known_guest(request: Request) -> Guest | None:
    return await _guests(request).find(request.state.token_hash)


@router.get("/healthz")
async def healthz(request: Request) -> Response:
    hub = _hub(request)
    try:
        await asyncio.wait_for(hub.store.last_alive(), 5)
        ok = True
    except (SQLAlchemyError, TimeoutError):
        ok = False
    sockets = sum(len(live.sockets) for live in hub.lives.values())
    answer = {"ok": ok, "plays": len(hub.lives), "connections": sockets}
    return json_response(orjson.dumps(answer), 200 if ok else 503)


@router.get("/api/me")
async def me(request: Request) -> Response:
    return json_response(orjson.dumps({"nickname": await _guests(request).nickname(request.state.token_hash)}))


@router.put("/api/me")
async def set_nickname(request: Request, body: NicknameBody) -> Response:
    nickname = read_nickname(body.nickname)
    guest = await _guests(request).admit(request.state.token_hash)
    await _hub(request).store.rename(guest, nickname)
    await _hub(request).renamed(guest, nickname)
    return json_response(orjson.dumps({"nickname": nickname}))


# ------------------------------------------------------------------------------------------------------- games, rules


@router.get("/api/games")
def list_games() -> Response:
    return json_response(_games(tuple(games.GAMES)))


@cache
def _games(_: tuple[str, ...]) -> bytes:
    return faces.games()


@router.get("/api/games/{game}/rules/{language}")
def rules(game: GameId, language: Language) -> Response:
    if game not in games.GAMES:
        raise NOT_FOUND
    return json_response(_rules(game, language))


@cache
def _rules(game: str, language: Language) -> bytes:
    return faces.rules(games.get(game), language)


@router.post("/api/positions")
def position(body: PositionBody) -> Response:
    options = games.get(body.game).options_type.parse(body.options)
    game = Game.new(body.game, options, body.position)
    for number, move in enumerate(body.play, start=1):
        try:
            game.play(move)
        except TabuleiroError as error:
            said = error.text
            error.text = Text(f"jogada {number}: {said.pt}", f"move {number}: {said.en}")
            raise
    answer = {"geometry": faces.geometry(game.position.geometry), "view": faces.view(game.last, game.outcome)}
    return json_response(orjson.dumps(answer))


# -------------------------------------------------------------------------------------------------------------- plays


@router.post("/api/plays")
async def create(request: Request, body: PlayBody) -> Response:
    guest = await _guests(request).admit(request.state.token_hash)
    mine = {"first": Player.ONE, "second": Player.TWO, "random": secrets.choice([*Player])}[body.side]
    me = Seat("guest", guest)
    other = {"local": me, "friend": Seat("open")}.get(body.opponent.kind)
    if isinstance(body.opponent, EngineOpponent):
        other = Seat("engine", level=body.opponent.level)
    assert other is not None
    setup = Setup(
        body.game,
        games.get(body.game).options_type.parse(body.options).changed(),
        body.position,
        None if body.clock is None else body.clock.rule(),
        (me, other) if mine is Player.ONE else (other, me),
    )
    setup.new_game()  # refuses what is no position of the game before anything is stored
    names = {guest: await _guests(request).nickname(request.state.token_hash)}
    play_id = await _hub(request).create(setup, names)
    return json_response(orjson.dumps({"id": play_id}), 201)


@router.get("/api/plays")
async def my_plays(request: Request) -> Response:
    guest = await _known_guest(request)
    found = [] if guest is None else await _hub(request).store.plays_of(guest, MAX_LISTED)
    return json_response(
        orjson.dumps(
            [
                {
                    "id": entry.id,
                    "game": entry.summary["game"],
                    "status": entry.summary["status"],
                    "turn": entry.summary["turn"],
                    "your_seats": [
                        number for number, seat in enumerate(entry.summary["seats"], 1) if seat["guest"] == guest
                    ],
                    "players": {
                        str(number): {
                            "kind": seat["kind"],
                            "name": entry.nicknames.get(seat["guest"]),
                            "level": seat["level"],
                        }
                        for number, seat in enumerate(entry.summary["seats"], 1)
                    },
                    "outcome": _outcome(entry.summary["outcome"]),
                    "moves": entry.summary["moves"],
                    "updated": entry.updated,
                }
                for entry in found
            ]
        )
    )


def _outcome(stored: Json | None) -> Json | None:
    if stored is None:
        return None
    winner = None if stored["winner"] is None else Player(stored["winner"])
    score = None if stored["score"] is None else (stored["score"][0], stored["score"][1])
    return faces.outcome_json(Outcome(winner, stored["reason"], score))


@router.get("/api/plays/{play_id}")
async def show(request: Request, play_id: PlayId) -> Response:
    live = await _hub(request).get(play_id)
    return await _shown(request, live, await _known_guest(request))


@router.post("/api/plays/{play_id}/join")
async def join(request: Request, play_id: PlayId) -> Response:
    live = await _hub(request).get(play_id)
    guest = await _guests(request).admit(request.state.token_hash)
    await _hub(request).act(live, lambda play: play.decide_join(guest))
    return await _shown(request, live, guest)


async def _shown(request: Request, live: Live, guest: Guest | None) -> Response:
    address = address_of(request.scope, request.app.state.settings.lan_address)
    return json_response(await _hub(request).show(live, guest, address))


@router.get("/api/plays/{play_id}/at/{ply}")
async def view_at(request: Request, play_id: PlayId, ply: Annotated[int, Path(ge=0, lt=10**6)]) -> Response:
    live = await _hub(request).get(play_id)
    async with live.held() as play:
        nodes = [*play.game.root.line()]
        if ply >= len(nodes):
            raise NOT_FOUND
        outcome = play.outcome if ply == len(nodes) - 1 else None
    return json_response(orjson.dumps(faces.view(nodes[ply], outcome)))


@router.get("/api/plays/{play_id}/record")
async def record(request: Request, play_id: PlayId) -> Response:
    live = await _hub(request).get(play_id)
    async with live.held() as play:
        play.game.tags |= _tags(play, live.names)
        return Response(write_game(play.game), media_type="text/plain; charset=utf-8")


def _tags(play: Play, names: dict[Guest, str | None]) -> dict[str, str]:
    tags = {"Date": datetime.fromtimestamp(play.created, UTC).strftime("%Y-%m-%d")}
    for player, seat in play.seats.items():
        name = f"Tabuleiro {seat.level}" if seat.kind == "engine" else names.get(seat.guest or 0)
        if name is not None:
            tags[f"Player{player}"] = name
    return tags


@router.get("/api/plays/{play_id}/qr.svg")
async def qr(request: Request, play_id: PlayId) -> Response:
    live = await _hub(request).get(play_id)
    address = address_of(request.scope, request.app.state.settings.lan_address)
    picture = io.BytesIO()
    segno.make(f"{address}/g/{live.play.id}").save(
        picture, kind="svg", border=2, light="#fff", svgclass=None, lineclass=None, omitsize=True
    )
    return Response(picture.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})
