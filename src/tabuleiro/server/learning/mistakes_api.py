"""The routes of one's own mistakes: cards that are due, looking for more in one's games, how a card was answered."""

import asyncio
import random
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import Field
from starlette.responses import Response

from tabuleiro import games
from tabuleiro.core import MAX_MOVE_LENGTH
from tabuleiro.language import Text
from tabuleiro.learn.puzzles import THEMES, puzzles_of
from tabuleiro.record import Line
from tabuleiro.server import schemas as common
from tabuleiro.server.analyses import Analyses
from tabuleiro.server.analysis_api import requester_of
from tabuleiro.server.api import REFUSALS, Body, PositionBody, admitted_guest
from tabuleiro.server.errors import NOT_FOUND, RefusedError
from tabuleiro.server.hub import Hub
from tabuleiro.server.learning import mistakes, puzzle_ratings, puzzles, schemas, tries
from tabuleiro.server.learning.room import Asker, TaskRoom, Themes
from tabuleiro.server.limits import client_of
from tabuleiro.server.log import Guest
from tabuleiro.server.people.api import answer, now_of, store_of, who_asks
from tabuleiro.server.policy import AdvicePolicy
from tabuleiro.server.sessions import GameSession
from tabuleiro.server.store import Summary

RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": common.Refusal, "description": REFUSALS[status]}
    for status in (400, 401, 403, 404, 409, 413, 422, 429, 503)
}
router = APIRouter(tags=["learning"], responses=RESPONSES)

#: Games, the newest, in which mistakes are looked for.
MAX_GAMES = 200
#: Cards of one game, at most.
MAX_EACH = 3
#: Puzzles like a card, to practise.
SIBLINGS = 3

Number = Annotated[int, Path(ge=1, lt=2**31)]


class AnswerBody(Body):
    """How a card was answered: wrong moves before the right one."""

    mistakes: Annotated[int, Field(strict=True, ge=0, le=1000)]


class PointBody(PositionBody):
    """The point of a game at which a move was made."""

    move: Annotated[str, Field(max_length=MAX_MOVE_LENGTH)]


async def _guest(request: Request) -> Guest | None:
    return (await who_asks(request)).guest


@router.get("/api/v1/mistakes", response_model=schemas.Mistakes)
async def show(request: Request) -> Response:
    """The cards that are due, how many there are, and how many of your games were not looked through yet."""
    guest, now, store = await _guest(request), now_of(request), store_of(request)
    if guest is None:
        return answer({"due": [], "all": 0, "waiting": 0, "next": None, "games": 0})
    total, waiting, later = await store.read(lambda connection: mistakes.counts(connection, guest, now))
    cards = await store.read(lambda connection: mistakes.due(connection, guest, now))
    return answer(
        {
            "due": [_card(mistake) for mistake in cards],
            "all": total,
            "waiting": waiting,
            "next": later,
            "games": len(await _unsearched(request, guest)),
        }
    )


def _card(mistake: mistakes.Mistake) -> dict[str, Any]:
    point = mistake.point
    return {
        "id": mistake.id,
        "ref": mistake.ref,
        "game": point.game,
        "name": games.get(point.game).name._asdict(),
        "played": point.played,
        "thrown": point.thrown,
        "found": mistake.found,
        "reviews": mistake.reviews,
    }


async def _unsearched(request: Request, guest: Guest) -> list[Summary]:
    """One's own finished games that were not looked through, the newest first."""
    store = store_of(request)
    listed = await store.streams_of(guest, GameSession.kind, MAX_GAMES)
    done = await store.read(lambda connection: mistakes.was_searched(connection, guest))
    return [each for each in listed if each.summary["status"] == "over" and each.id not in done]


@router.post("/api/v1/mistakes/search", response_model=schemas.Searched)
async def search(request: Request) -> Response:
    """Look through the newest of your finished games that was not yet: what you threw away becomes cards."""
    guest = await _guest(request)
    waiting = [] if guest is None else await _unsearched(request, guest)
    if guest is None or not waiting:
        return answer({"found": 0, "games": 0})
    hub: Hub = request.app.state.hub
    embargo: AdvicePolicy = request.app.state.embargo
    opened = await hub.get(waiting[0].id)
    async with opened.held() as session:
        line, mine = session.line(), session.seats_of(guest)
        plies = [entry["ply"] for entry in session.history if entry["player"] in mine]
    await embargo.require_free(line)
    analyses: Analyses = request.app.state.analyses
    points = await analyses.points(await requester_of(request), line, plies)
    # Wins first: what was worth most is learnt from first.
    best = sorted(points, key=lambda point: point.thrown != "win")[:MAX_EACH]
    session_id, now = waiting[0].id, now_of(request)

    def work(connection: Any) -> None:
        for point in best:
            mistakes.add(connection, guest, point, now)
        mistakes.note_searched(connection, guest, session_id)

    await store_of(request).write(work)
    return answer({"found": len(best), "games": len(waiting) - 1})


@router.post("/api/v1/mistakes", response_model=schemas.NewMistake, status_code=201)
async def keep(request: Request, body: PointBody) -> Response:
    """Make a card of a point of a game at which a move threw away what was proven; its task is in the answer."""
    games.get(body.game)
    line = Line.from_texts(body.game, body.options, body.position, (*body.moves, body.move))
    embargo: AdvicePolicy = request.app.state.embargo
    await embargo.require_free(line)
    analyses: Analyses = request.app.state.analyses
    found = await analyses.points(await requester_of(request), line, [len(line.moves)])
    if not found:
        raise RefusedError(
            "not_proven",
            Text("não está provado que houvesse melhor", "it is not proven that there was anything better"),
            409,
        )
    guest = await admitted_guest(request)
    now = now_of(request)
    number = await store_of(request).write(lambda connection: mistakes.add(connection, guest, found[0], now))
    if number is None:
        raise RefusedError("too_many_cards", Text("já tens muitos cartões", "you have many cards already"), 409)
    return answer({"id": number, "ref": f"mistake/{number}"}, 201)


@router.post("/api/v1/mistakes/{number}/answers", response_model=schemas.Answered)
async def answered(request: Request, number: Number, body: AnswerBody) -> Response:
    """Note how you answered a card: the answer says when it comes back."""
    guest, now = await _guest(request), now_of(request)
    when = (
        None
        if guest is None
        else await store_of(request).write(
            lambda connection: mistakes.answer(connection, guest, number, body.mistakes > 0, now)
        )
    )
    if when is None:
        raise RefusedError(*NOT_FOUND)
    return answer({"due": when})


@router.get("/api/v1/mistakes/{number}/siblings", response_model=schemas.Siblings)
async def siblings(request: Request, number: Number) -> Response:
    """Puzzles of the themes of a card, about as hard as you are strong, to practise what it is about."""
    guest = await _guest(request)
    found = (
        None
        if guest is None
        else await store_of(request).read(lambda connection: mistakes.find(connection, guest, number))
    )
    if guest is None or found is None:
        raise RefusedError(*NOT_FOUND)
    room: TaskRoom = request.app.state.task_room
    themes = await room.ask(Asker(client_of(request.scope), guest), Themes(found.point))
    game = found.point.game

    def choose(connection: Any) -> list[str]:
        known = {each.task for each in tries.tries_of(connection, guest, f"puzzle/{game}")}
        strength = puzzle_ratings.of_solver(connection, guest, game).mu
        chosen = puzzles.siblings(game, themes, strength, known, SIBLINGS, random.Random())
        return [puzzle.ref for puzzle in chosen]

    await asyncio.to_thread(puzzles_of, game)  # reading them for the first time takes a moment
    refs = await store_of(request).read(choose)
    return answer({"themes": [THEMES[name].name._asdict() for name in themes], "refs": refs})


@router.delete("/api/v1/mistakes/{number}", response_model=common.Nothing)
async def remove(request: Request, number: Number) -> Response:
    """Throw a card away."""
    guest = await _guest(request)
    if guest is None or not await store_of(request).write(
        lambda connection: mistakes.remove(connection, guest, number)
    ):
        raise RefusedError(*NOT_FOUND)
    return answer({})
