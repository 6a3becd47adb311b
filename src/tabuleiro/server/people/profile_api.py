"""The routes of profiles: what somebody has played, for themselves, their teacher and the organiser."""

from typing import Annotated

import orjson
import sqlalchemy as sa
from fastapi import APIRouter, Query, Request
from pydantic import StringConstraints
from starlette.responses import Response

from tabuleiro.server.errors import RefusedError
from tabuleiro.server.identity import Who
from tabuleiro.server.log import Guest
from tabuleiro.server.people import schemas, store
from tabuleiro.server.people.api import RESPONSES, Number, answer, now_of, store_of, who_asks
from tabuleiro.server.people.circle import with_hidden_ratings
from tabuleiro.server.people.doorkeeper import require_person
from tabuleiro.server.people.office import NO_SUCH_PERSON
from tabuleiro.server.people.profile import find_games, games_of, profile

router = APIRouter(tags=["people"], responses=RESPONSES)


@router.get("/api/v1/people/{guest}", response_model=schemas.Profile)
async def show(request: Request, guest: Number) -> Response:
    """Results by game and opponent, ratings and how they came about, games won in a row."""
    who = await who_asks(request)

    def work(connection: sa.Connection) -> object:
        require_person(connection, who, guest)
        hidden = who.role == "pupil" and guest in with_hidden_ratings(connection, [guest])
        return profile(connection, guest, with_ratings=not hidden)

    found = await store_of(request).read(work)
    if found is None:
        raise RefusedError(*NO_SUCH_PERSON)
    return answer(found)


@router.get("/api/v1/people/{guest}/games", response_model=schemas.ProfileGames)
async def games(
    request: Request,
    guest: Number,
    game: Annotated[str, StringConstraints(max_length=40)] | None = None,
    search: Annotated[str, StringConstraints(max_length=100)] = "",
    skip: Annotated[int, Query(ge=0, lt=10**6)] = 0,
) -> Response:
    """Games, the newest first: of one game, or against somebody whose name holds what is searched for."""
    who = await who_asks(request)

    def work(connection: sa.Connection) -> object:
        require_person(connection, who, guest)
        return find_games(games_of(connection, guest), game, search, skip)

    return answer(await store_of(request).read(work))


@router.get(
    "/api/v1/people/{guest}/export",
    response_class=Response,
    responses={200: {"content": {"application/json": {}}, "description": "done"}},
)
async def export(request: Request, guest: Number) -> Response:
    """Everything that is kept about somebody, as a file."""
    who = await who_asks(request)

    def work(connection: sa.Connection) -> object:
        require_person(connection, who, guest)
        return store.everything_about(connection, guest)

    found = await store_of(request).read(work)
    if found is None:
        raise RefusedError(*NO_SUCH_PERSON)
    await store_of(request).write(lambda connection: _note(connection, who, guest, now_of(request)))
    headers = {"Content-Disposition": 'attachment; filename="tabuleiro.json"', "Cache-Control": "no-store"}
    return Response(orjson.dumps(found, option=orjson.OPT_INDENT_2), media_type="application/json", headers=headers)


def _note(connection: sa.Connection, who: Who, guest: Guest, now: float) -> None:
    """What adults do with others' data is written down."""
    if who.guest != guest:
        store.note(connection, now, who.guest or 0, "export_person", person=guest)
