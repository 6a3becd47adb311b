"""The routes of worksheets."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import StringConstraints
from starlette.responses import Response

from tabuleiro import games
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text
from tabuleiro.server.api import IN_TURN
from tabuleiro.server.learning.lessons import name_of
from tabuleiro.server.people.api import RESPONSES, address, answer
from tabuleiro.server.people.class_api import qr_picture
from tabuleiro.server.teaching import schemas
from tabuleiro.server.teaching.worksheets import chosen, lessons_for_paper, task_json

#: Tasks of a worksheet.
MOST_TASKS = 24

router = APIRouter(tags=["teaching"], responses=RESPONSES)

LessonNames = Annotated[list[Annotated[str, StringConstraints(max_length=100)]], Query(max_length=40)]


@router.get("/api/v1/worksheets/{game}", response_model=schemas.Worksheet, dependencies=IN_TURN)
def worksheet(
    request: Request,
    game: Annotated[str, StringConstraints(max_length=40)],
    lessons: LessonNames = [],  # noqa: B006 - FastAPI gives each request a list of its own
    count: Annotated[int, Query(ge=1, le=MOST_TASKS)] = 6,
    seed: Annotated[int, Query(ge=0, lt=2**31)] = 0,
) -> Response:
    """Tasks of some lessons of a game (without any: of all of them) with their solutions, to be printed."""
    rules = games.get(game)
    found = lessons_for_paper(rules)
    known = {name_of(lesson) for lesson, _ in found}
    for name in lessons:
        if name not in known:
            raise TabuleiroError(
                Text(f"não há nenhuma lição «{shorten(name)}»", f"there is no lesson “{shorten(name)}”")
            )
    wanted = [task for lesson, tasks in found if not lessons or name_of(lesson) in lessons for task in tasks]
    link = f"{address(request)}/aprender/{game}" + (f"/{lessons[0]}" if len(lessons) == 1 else "")
    return answer(
        {
            "game": game,
            "lessons": [
                {"name": name_of(lesson), "title": lesson.title._asdict(), "tasks": len(tasks)}
                for lesson, tasks in found
            ],
            "tasks": [task_json(task) for task in chosen(wanted, count, seed)],
            "link": link,
            "qr": qr_picture(link),
        }
    )
