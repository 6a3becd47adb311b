"""The routes of lessons."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from tabuleiro.language import Language
from tabuleiro.server.errors import NOT_FOUND, RefusedError
from tabuleiro.server.learning import schemas, tries
from tabuleiro.server.learning.lessons import lesson_json, overview
from tabuleiro.server.learning.tasks_api import RESPONSES
from tabuleiro.server.people.api import answer, store_of, who_asks

router = APIRouter(tags=["learning"], responses=RESPONSES)

Named = Annotated[str, Path(max_length=60)]


async def _solved(request: Request) -> set[str]:
    guest = (await who_asks(request)).guest
    return await store_of(request).read(lambda connection: tries.solved_by(connection, guest, "lesson"))


@router.get("/api/v1/lessons", response_model=list[schemas.GameLessons])
async def lessons(request: Request) -> Response:
    """The lessons of every game, and how far you have come."""
    solved = await _solved(request)
    return answer(await asyncio.to_thread(overview, solved))


@router.get("/api/v1/lessons/{game}/{lesson}/{language}", response_model=schemas.LessonPage)
async def lesson(request: Request, game: Named, lesson: Named, language: Language) -> Response:
    """A lesson: texts, boards to try, tasks by name (`GET /api/v1/tasks/{ref}`)."""
    found = await asyncio.to_thread(lesson_json, game, lesson, language)
    if found is None:
        raise RefusedError(*NOT_FOUND)
    here = f"lesson/{game}/{found['name']}/"
    solved = sorted(ref for ref in await _solved(request) if ref.startswith(here))
    return answer({**found, "solved": solved})
