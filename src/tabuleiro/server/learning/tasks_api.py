"""The routes of tasks: one way for lessons, puzzles and sets. A page sends all that its pupil did, and is told what
came of it and how the task stands."""

import asyncio
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from tabuleiro import games
from tabuleiro.learn import Attempt, Task
from tabuleiro.learn.live import check_live
from tabuleiro.record import Line
from tabuleiro.server import schemas as common
from tabuleiro.server import views
from tabuleiro.server.api import REFUSALS, admitted_guest, rules_turn
from tabuleiro.server.identity import Who
from tabuleiro.server.learning import schemas, tries
from tabuleiro.server.learning.library import KINDS, find_task, require_given
from tabuleiro.server.learning.room import Asker, TaskRoom
from tabuleiro.server.learning.told import task_json
from tabuleiro.server.limits import client_of
from tabuleiro.server.log import Guest
from tabuleiro.server.people.api import answer, now_of, store_of, who_asks
from tabuleiro.server.policy import AdvicePolicy

RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": common.Refusal, "description": REFUSALS[status]}
    for status in (400, 401, 403, 404, 413, 422, 429, 503)
}
router = APIRouter(tags=["learning"], responses=RESPONSES)

Ref = Annotated[str, Path(max_length=120, description="the name of a task, as `lesson/ouri/05-armadilha/2`")]


def _room(request: Request) -> TaskRoom:
    room: TaskRoom = request.app.state.task_room
    return room


def _asker(request: Request, who: Who) -> Asker:
    return Asker(client_of(request.scope), who.guest)


async def _require_free(request: Request, line: Line) -> None:
    embargo: AdvicePolicy = request.app.state.embargo
    await embargo.require_free(line)


async def _stands(
    request: Request, who: Who, ref: str, task: Task, seed: int, acts: list[str]
) -> tuple[Attempt, Response]:
    """The attempt after these acts, and what the page is told of it."""
    came, before = await _room(request).attempt(
        _asker(request, who), ref, task, seed, acts, lambda line: _require_free(request, line)
    )
    async with rules_turn(request):
        return came.attempt, answer(await asyncio.to_thread(task_json, ref, came, before))


@router.get("/api/v1/tasks/{ref:path}", response_model=schemas.TaskAnswer)
async def show(request: Request, ref: Ref, seed: Annotated[int, Query(ge=0, lt=2**31)] = 0) -> Response:
    """A task as it begins; `seed` as in the attempts that follow."""
    who = await who_asks(request)
    task = await find_task(store_of(request), ref, who)
    _room(request).open()
    return (await _stands(request, who, ref, task, seed, []))[1]


@router.post("/api/v1/tasks/{ref:path}/attempts", response_model=schemas.TaskAnswer)
async def attempt(request: Request, ref: Ref, body: schemas.AttemptBody) -> Response:
    """What came of the last act, and how the task stands after it. All acts since the beginning are sent; nothing of
    them is kept but how far you have come."""
    who, store = await who_asks(request), store_of(request)
    task = await find_task(store, ref, who)
    if body.given is not None:
        await require_given(store, body.given, ref, who)
    attempt, told = await _stands(request, who, ref, task, body.seed, body.acts)
    if body.keep and body.acts:
        guest = await admitted_guest(request)
        given = tries.BY_ONESELF if body.given is None else body.given
        await store.write(lambda connection: _keep(connection, guest, ref, given, attempt, now_of(request)))
    return told


def _keep(connection: sa.Connection, guest: Guest, ref: str, given: str, attempt: Attempt, now: float) -> None:
    done = tries.keep(connection, guest, ref, given, attempt, now)
    finished = KINDS[ref.partition("/")[0]].finished
    if done is not None and finished is not None:
        finished(connection, done)


@router.post("/api/v1/live", response_model=common.Overlay)
async def live(request: Request, body: schemas.LiveBody) -> Response:
    """What is drawn on a board of a lesson after each move: what moves are worth, regions, dominoes."""
    who = await who_asks(request)
    names = check_live(games.get(body.game), body.live)
    line = Line.from_texts(body.game, body.options, body.position, body.moves)
    await _require_free(request, line)
    return answer(views.overlay(await _room(request).overlay(_asker(request, who), line, names)))
