"""The routes of those who want to understand a game: analyses, reports, positions set up by hand, records, pictures."""

import asyncio
import contextlib
import io
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Request
from pydantic import Field, StringConstraints
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from tabuleiro import games, svg
from tabuleiro.core import EMPTY, MAX_MOVE_LENGTH, Player, Position, TabuleiroError
from tabuleiro.hexformats import read_hexworld, read_sgf, write_hexworld, write_sgf
from tabuleiro.language import Language, Text
from tabuleiro.record import Game, Line, Node, RecordError, naming_move, read_games, write_game
from tabuleiro.server import schemas, views
from tabuleiro.server.analyses import Analyses, Json, Requester
from tabuleiro.server.api import IN_TURN, WHOLE, Body, GameId, OptionTexts, PositionBody, PositionText
from tabuleiro.server.errors import refusal_of
from tabuleiro.server.guard import BOT_HASH, json_response, refusal_response
from tabuleiro.server.limits import client_of
from tabuleiro.text import UNMOVED

MAX_LINES = 5
MAX_SECONDS = 60.0
#: The moves of a record that is read or written, variations included.
MAX_NODES = 3000
MAX_CELLS = 1000
PICTURE_WIDTH = 960

#: What any of these routes may answer besides what it is asked for.
REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"content": schemas.REFUSED, "description": "a move, option, position or record that the rules do not know"},
    401: {"content": schemas.REFUSED, "description": "the token of a bot that does not exist, or was revoked"},
    403: {
        "content": schemas.REFUSED,
        "description": "the request comes from another site, or the position is being played in a championship",
    },
    413: {"content": schemas.REFUSED, "description": "the body is too large"},
    422: {"content": schemas.REFUSED, "description": "the request cannot be understood"},
    429: {"content": schemas.REFUSED, "description": "too many requests, or too many analyses at once"},
    503: {"content": schemas.REFUSED, "description": "too many people are analysing"},
}

router = APIRouter(tags=["analysis"], responses=REFUSALS)


class Picture(Response):
    media_type = "image/svg+xml"


class AnalysisBody(PositionBody):
    """A position after some moves, and how long to think about it."""

    lines: Annotated[int, Field(strict=True, ge=1, le=MAX_LINES), WHOLE] = 3
    seconds: Annotated[float, Field(gt=0, le=MAX_SECONDS)] = 15.0


class ReportBody(PositionBody):
    """A whole game. `winner` says who won when people ended it rather than the rules."""

    winner: Literal[1, 2] | None = None


class EditorBody(Body):
    """A position to begin setting up with."""

    game: GameId
    options: OptionTexts = Field(default_factory=dict)
    position: PositionText | None = None


Symbol = Annotated[str, StringConstraints(max_length=4, pattern=r"^\S+$")]


class EditedPositionBody(Body):
    """What stands on each cell (`.` for nothing) and the other fields of a position."""

    game: GameId
    options: OptionTexts = Field(default_factory=dict)
    cells: Annotated[list[Symbol], Field(max_length=MAX_CELLS)]
    values: Annotated[list[Annotated[str, StringConstraints(max_length=20, pattern=r"^\S+$")]], Field(max_length=20)]


class RecordText(Body):
    """A record: ours, a Hex game in SGF, or a link to HexWorld."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=60_000)]


class RecordNode(Body):
    """A move, and after which node it was made: 0 is the start, 1 the first node of the list."""

    parent: Annotated[int, Field(strict=True, ge=0), WHOLE]
    move: Annotated[str, StringConstraints(max_length=MAX_MOVE_LENGTH)]
    comment: Annotated[str, StringConstraints(max_length=2000)] = ""


class TreeBody(EditorBody):
    """A game with its variations: the first node to follow another goes on with its line."""

    nodes: Annotated[list[RecordNode], Field(max_length=MAX_NODES)] = Field(default_factory=list)


class RecordBody(TreeBody):
    format: Literal["record", "sgf", "hexworld"] = "record"


class PictureBody(PositionBody):
    language: Language = "pt"
    theme: Literal["light", "dark"] = "light"
    flipped: bool = False
    coordinates: bool = True


# ----------------------------------------------------------------------------------------------------------- thinking


class EventStream(Response):
    """What happens, as it happens (text/event-stream). One who goes away ends it at once; what goes wrong before the
    first event is an ordinary refusal."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[Json, None]) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        telling = asyncio.create_task(self._tell(scope, receive, send))
        leaving = asyncio.create_task(_until_gone(receive))
        try:
            await asyncio.wait({telling, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (telling, leaving):
                task.cancel()
            await asyncio.gather(telling, leaving, return_exceptions=True)
        if not telling.cancelled() and (error := telling.exception()) is not None:
            raise error

    async def _tell(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with contextlib.aclosing(self._events) as events:
            begun = False
            try:
                async for event in events:
                    if not begun:
                        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                        begun = True
                    await send({"type": "http.response.body", "body": _event(event), "more_body": True})
            except TabuleiroError as error:
                if not begun:
                    await refusal_response(refusal_of(error))(scope, receive, send)
                    return
                await send(
                    {
                        "type": "http.response.body",
                        "body": _event({"type": "error", **refusal_of(error).as_json()}),
                        "more_body": True,
                    }
                )
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def _event(event: Json) -> bytes:
    return b"data: " + orjson.dumps(event) + b"\n\n"


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _analyses(request: Request) -> Analyses:
    analyses: Analyses = request.app.state.analyses
    return analyses


async def requester_of(request: Request) -> Requester:
    """Who asks: a guest or a bot who did something before. A token that nobody knows may be made up: all who send one,
    or none, from one address are one."""
    known = await request.app.state.guests.find(request.state.token_hash)
    return Requester(None if known is None else str(known), client_of(request.scope))


async def _told(request: Request, events: AsyncGenerator[Json, None]) -> Response:
    """A stream for the one who asks; a program is told nothing more once its token is revoked."""
    caller, guests = request.state.token_hash, request.app.state.guests
    if caller is None or not caller.startswith(BOT_HASH):
        return EventStream(events)
    await guests.find(caller)

    async def until_revoked() -> AsyncGenerator[Json, None]:
        async with contextlib.aclosing(events):
            async for event in events:
                await guests.find(caller)
                yield event

    return EventStream(until_revoked())


async def _line(request: Request, body: PositionBody) -> Line:
    """The line that is asked about, if anybody may ask now."""
    games.get(body.game)
    line = Line.from_texts(body.game, body.options, body.position, body.moves)
    await request.app.state.embargo.require_free(line)
    return line


@router.post(
    "/api/v1/analyses",
    status_code=200,
    response_class=EventStream,
    responses=schemas.stream(schemas.AnalysisEvent),
)
async def analyse(request: Request, body: AnalysisBody) -> Response:
    """The best lines of a position, better and better, as a stream of events until they are proven or time is up."""
    asks, line = await requester_of(request), await _line(request, body)
    return await _told(request, _analyses(request).position(asks, line, body.lines, body.seconds))


@router.post(
    "/api/v1/reports",
    status_code=200,
    response_class=EventStream,
    responses=schemas.stream(schemas.ReportEvent),
)
async def report(request: Request, body: ReportBody) -> Response:
    """Every position of a game judged, then its mistakes and the move that lost, as a stream of events."""
    winner = None if body.winner is None else Player(body.winner)
    asks, line = await requester_of(request), await _line(request, body)
    return await _told(request, _analyses(request).report(asks, line, winner))


# ------------------------------------------------------------------------------------------------------- setting up


@router.post("/api/v1/editor", response_model=schemas.Editor, dependencies=IN_TURN)
def editor(body: EditorBody) -> Response:
    """What may be chosen when setting up a position by hand, beginning with one."""
    kind = games.get(body.game)
    options = kind.options_type.parse(body.options)
    position = kind.setup_start(options) if body.position is None else kind.from_str(body.position, options)
    fields = kind.setup_fields(options)
    if len(position.setup_values()) != len(fields):
        position = kind.setup_start(options)
    answer = {
        "geometry": views.geometry(position.geometry),
        "marks": [{"cell": cell, "text": mark} for cell, mark in sorted(position.marks().items())],
        "pieces": [_palette(piece.symbol, views.piece(piece)) for piece in kind.setup_pieces()],
        "cells": _symbols(position),
        "values": position.setup_values(),
        "fields": [
            {
                "label": field.label._asdict(),
                "choices": [{"value": value, "name": name._asdict()} for value, name in field.choices.items()],
                "pair": None if field.pair is None else [name._asdict() for name in field.pair],
            }
            for field in fields
        ],
    }
    return json_response(orjson.dumps(answer))


def _palette(symbol: str, piece: Json) -> Json:
    if not symbol.endswith(UNMOVED):
        return piece
    name = piece["name"]
    return {**piece, "name": {"pt": f"{name['pt']} (por mover)", "en": f"{name['en']} (not moved yet)"}}


def _symbols(position: Position) -> list[str]:
    cells = [EMPTY] * len(position.geometry)
    for cell, piece in position.pieces().items():
        cells[cell] = piece.symbol
    return cells


@router.post("/api/v1/editor/position", response_model=schemas.PositionAnswer, dependencies=IN_TURN)
def edited_position(body: EditedPositionBody) -> Response:
    """The position that was set up, or what is wrong with it."""
    kind = games.get(body.game)
    options = kind.options_type.parse(body.options)
    board = kind.setup_start(options).geometry
    if len(body.cells) != len(board):
        raise TabuleiroError(Text(f"este tabuleiro tem {len(board)} casas", f"this board has {len(board)} cells"))
    game = Game(kind.from_setup(body.cells, body.values, options))
    answer = {"geometry": views.geometry(board), "view": views.view(game.root, game.outcome)}
    return json_response(orjson.dumps(answer))


# ---------------------------------------------------------------------------------------------------- records, pictures


@router.post("/api/v1/records/read", response_model=schemas.Records, dependencies=IN_TURN)
def read_record(body: RecordText) -> Response:
    """The games of a record, each as its moves with their variations."""
    text = body.text.strip()
    if text.startswith(("https://", "http://")):
        found = [read_hexworld(text)]
    elif text.startswith("("):
        found = read_sgf(text)
    else:
        found = [*read_games(io.StringIO(text))]
    if not found:
        raise RecordError(Text("não há nenhuma partida no registo", "there is no game in the record"))
    return json_response(orjson.dumps({"games": [_game_json(game) for game in found]}))


def _game_json(game: Game) -> Json:
    start, outcome = game.start, game.outcome
    numbers: dict[Node, int] = {}
    nodes = []
    for node in game.nodes():
        numbers[node] = len(numbers)
        if node.parent is not None:
            nodes.append(
                {
                    "parent": numbers[node.parent],
                    "move": node.move_text,
                    "player": node.parent.position.turn,
                    "comment": node.comment,
                }
            )
    return {
        "game": start.id,
        "options": start.options.changed(),
        "position": None if start == type(start).start(start.options) else str(start),
        "tags": game.tags,
        "nodes": nodes,
        "outcome": None if outcome is None else views.outcome_json(outcome, game.position.sides()),
    }


@router.post("/api/v1/records/check", response_model=schemas.RecordedGame, dependencies=IN_TURN)
def check_record(body: TreeBody) -> Response:
    """A game with its variations, every move checked by the rules and written as it should be."""
    return json_response(orjson.dumps(_game_json(_built(body))))


@router.post("/api/v1/records/write", dependencies=IN_TURN, response_class=PlainTextResponse)
def write_record(body: RecordBody) -> Response:
    """A game with its variations as a record."""
    write = {"record": write_game, "sgf": write_sgf, "hexworld": write_hexworld}[body.format]
    text = write(_built(body))
    return PlainTextResponse(text, headers={"Cache-Control": "no-store"})


def _built(body: TreeBody) -> Game:
    game = Line.from_texts(body.game, body.options, body.position).replay()
    made = [game.root]
    for number, entry in enumerate(body.nodes, start=1):
        if entry.parent >= number:
            raise RecordError(
                Text(f"a jogada {number} vem antes da que a precede", f"move {number} comes before the one it follows")
            )
        with naming_move(number):
            made.append(made[entry.parent].play(entry.move))
        made[-1].comment = entry.comment
    return game


@router.post("/api/v1/pictures", dependencies=IN_TURN, response_class=Picture)
def picture(body: PictureBody) -> Response:
    """A position as an SVG document."""
    node = Line.from_texts(body.game, body.options, body.position, body.moves).replay().last
    drawn = svg.draw(
        node.position,
        last=node.clicks,
        outcome=node.outcome,
        flipped=body.flipped,
        theme=body.theme,
        coordinates=body.coordinates,
        width=PICTURE_WIDTH,
        language=body.language,
    )
    return Picture(drawn, headers={"Cache-Control": "no-store"})
