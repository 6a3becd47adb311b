"""The routes of worksheets."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import StringConstraints
from starlette.responses import Response

from tabuleiro import games
from tabuleiro.core import Position, TabuleiroError, shorten
from tabuleiro.language import Text
from tabuleiro.learn.puzzles import puzzles_of
from tabuleiro.server.api import IN_TURN
from tabuleiro.server.files import qr_picture
from tabuleiro.server.learning import puzzles
from tabuleiro.server.learning.lessons import name_of
from tabuleiro.server.learning.puzzles_api import counted
from tabuleiro.server.log import Json
from tabuleiro.server.people.api import RESPONSES, address, answer
from tabuleiro.server.teaching import schemas
from tabuleiro.server.teaching.worksheets import (
    PaperTask,
    chosen,
    lessons_for_paper,
    puzzles_for_paper,
    task_json,
)

#: Tasks of a worksheet.
MOST_TASKS = 24
#: No puzzle is rated higher.
HIGHEST = 9999

router = APIRouter(tags=["teaching"], responses=RESPONSES)

LessonNames = Annotated[list[Annotated[str, StringConstraints(max_length=100)]], Query(max_length=40)]
Rating = Annotated[int, Query(ge=0, le=HIGHEST)]


@router.get("/api/v1/worksheets/{game}", response_model=schemas.Worksheet, dependencies=IN_TURN)
def worksheet(
    request: Request,
    game: Annotated[str, StringConstraints(max_length=40)],
    of: Annotated[Literal["lessons", "puzzles"], Query()] = "lessons",
    lessons: LessonNames = [],  # noqa: B006 - FastAPI gives each request a list of its own
    theme: Annotated[str | None, Query(max_length=20)] = None,
    low: Rating = 0,
    high: Rating = HIGHEST,
    count: Annotated[int, Query(ge=1, le=MOST_TASKS)] = 6,
    seed: Annotated[int, Query(ge=0, lt=2**31)] = 0,
) -> Response:
    """Tasks with their solutions, to be printed: of some lessons of a game (without any: of all of them), or puzzles of
    a theme (`who wins` is one) within a range of ratings."""
    rules = games.get(game)
    found = puzzles.some(game, theme, low, high)
    if of == "puzzles":
        tasks, where = puzzles_for_paper(found, count, seed), f"problemas/{game}"
    else:
        tasks = chosen(_tasks_of(rules, lessons), count, seed)
        where = f"aprender/{game}" + (f"/{lessons[0]}" if len(lessons) == 1 else "")
    link = f"{address(request)}/{where}"
    return answer(
        {
            "game": game,
            "lessons": [
                {"name": name_of(lesson), "title": lesson.title._asdict(), "tasks": len(some)}
                for lesson, some in lessons_for_paper(rules)
            ],
            "puzzles": _puzzles(game, len(found)),
            "tasks": [task_json(task) for task in tasks],
            "link": link,
            "qr": qr_picture(link),
        }
    )


def _tasks_of(rules: type[Position], lessons: list[str]) -> list[PaperTask]:
    """The tasks of these lessons that can be done on paper."""
    found = lessons_for_paper(rules)
    known = {name_of(lesson) for lesson, _ in found}
    for name in lessons:
        if name not in known:
            raise TabuleiroError(
                Text(f"não há nenhuma lição «{shorten(name)}»", f"there is no lesson “{shorten(name)}”")
            )
    return [task for lesson, tasks in found if not lessons or name_of(lesson) in lessons for task in tasks]


def _puzzles(game: str, found: int) -> Json:
    ratings = [puzzle.rating for puzzle in puzzles_of(game)]
    of_all = counted(game)
    return {
        "found": found,
        "easiest": min(ratings, default=0),
        "hardest": max(ratings, default=0),
        "status": of_all["status"],
        "themes": of_all["themes"],
    }
