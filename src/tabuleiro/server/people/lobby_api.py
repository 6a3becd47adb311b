"""The routes of the lobby, of challenges, and of what the organiser settles."""

from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from tabuleiro.server import schemas as common
from tabuleiro.server.ids import ID_LENGTH, ID_LETTERS
from tabuleiro.server.log import Json
from tabuleiro.server.people import challenges, schemas, store
from tabuleiro.server.people.api import RESPONSES, answer, now_of, office_of, signed_in, store_of, who_asks
from tabuleiro.server.people.challenges import Wish
from tabuleiro.server.people.circle import Circle, circle_of
from tabuleiro.server.people.class_view import ladder_view
from tabuleiro.server.people.lobby import Lobby
from tabuleiro.server.people.matchmaker import Matchmaker, allowed_games, told
from tabuleiro.server.people.permissions import require
from tabuleiro.server.people.site_settings import SiteSettings, read_settings

router = APIRouter(tags=["lobby"], responses=RESPONSES)

ChallengeId = Annotated[str, Path(pattern=f"^[{ID_LETTERS}]{{{ID_LENGTH}}}$")]


def _matchmaker(request: Request) -> Matchmaker:
    matchmaker: Matchmaker = request.app.state.matchmaker
    return matchmaker


@router.get("/api/v1/lobby", response_model=schemas.LobbyView)
async def lobby(request: Request) -> Response:
    """Who of those that you may meet is here and would play; what you asked and were asked. `/ws/v1/me` tells what
    changes (`{"type": "lobby"}`)."""
    who, guest = await signed_in(request)

    def work(connection: sa.Connection) -> tuple[Circle, list[challenges.Challenge], list[Json], list[str]]:
        ladders = [ladder_view(connection, each) for each in store.classes_with(connection, guest)]
        asked = challenges.about(connection, guest, now_of(request))
        ladders_told = [each for each in ladders if each is not None]
        return circle_of(connection, who), asked, ladders_told, allowed_games(connection, guest)

    circle, asked, ladders, games = await store_of(request).read(work)
    names = await store_of(request).nicknames({each.by for each in asked})
    people = await request.app.state.hub.extension(Lobby).hall.told(guest, circle)
    told_challenges = [told(each, names, now_of(request)) for each in asked]
    return answer(
        {
            "open": circle.is_open,
            "people": people,
            "challenges": told_challenges,
            "ladders": ladders,
            "games": games,
        }
    )


@router.post("/api/v1/challenges", response_model=schemas.Challenged, status_code=201)
async def challenge(request: Request, body: schemas.ChallengeBody) -> Response:
    """Ask somebody for a game. Without `to`: whoever waits for the same game and is nearest in strength; a game begins
    at once, or when somebody comes."""
    who, _ = await signed_in(request)
    wish = Wish(body.game, body.options, None if body.clock is None else body.clock.rule(), body.best_of)
    session = None
    if body.to is None:
        made, session = await _matchmaker(request).seek(who, wish)
    else:
        made = await _matchmaker(request).challenge(who, body.to, wish)
    return answer({"challenge": made.id, "seconds": challenges.WAITS, "session": session}, 201)


@router.post("/api/v1/challenges/{challenge_id}/accept", response_model=schemas.Accepted)
async def accept(request: Request, challenge_id: ChallengeId) -> Response:
    """The game begins, for both."""
    who, _ = await signed_in(request)
    return answer({"session": await _matchmaker(request).accept(who, challenge_id)})


@router.post("/api/v1/challenges/{challenge_id}/decline", response_model=common.Nothing)
async def decline(request: Request, challenge_id: ChallengeId) -> Response:
    """Not now; who asked is told."""
    who, _ = await signed_in(request)
    await _matchmaker(request).decline(who, challenge_id)
    return answer({})


@router.delete("/api/v1/challenges/{challenge_id}", response_model=common.Nothing)
async def withdraw(request: Request, challenge_id: ChallengeId) -> Response:
    """Take a challenge of yours back."""
    who, _ = await signed_in(request)
    await _matchmaker(request).withdraw(who, challenge_id)
    return answer({})


@router.get("/api/v1/settings", response_model=schemas.SiteSettings)
async def settings(request: Request) -> Response:
    """What the organiser has settled for the whole server."""
    require(await who_asks(request), "change_site")
    return answer((await store_of(request).read(read_settings))._asdict())


@router.put("/api/v1/settings", response_model=schemas.SiteSettings)
async def change_settings(request: Request, body: schemas.SiteSettingsBody) -> Response:
    """Settle what holds for the whole server."""
    changed = SiteSettings(**body.model_dump())
    await office_of(request).change_site(await who_asks(request), changed)
    return answer(changed._asdict())
