"""The lessons of the package as the site shows them, and their tasks by name."""

import asyncio
from functools import cache
from typing import Any

import orjson

from tabuleiro import games
from tabuleiro.language import Language
from tabuleiro.learn import Lesson, Task, lessons_of
from tabuleiro.server import views
from tabuleiro.server.identity import Who
from tabuleiro.server.learning.ranks import rank_of
from tabuleiro.server.store import Store

Json = dict[str, Any]


def name_of(lesson: Lesson) -> str:
    """What names a lesson among those of its game, as its file does: `05-armadilha`."""
    return f"{lesson.number:02}-{lesson.id}"


def ref_of(lesson: Lesson, number: int) -> str:
    """The name of a task, by its number in the lesson, from 1 on."""
    return f"lesson/{lesson.game.id}/{name_of(lesson)}/{number}"


@cache
def _by_name(game: str) -> dict[str, Lesson]:
    return {name_of(lesson): lesson for lesson in lessons_of(games.get(game))}


def find_lesson(game: str, name: str) -> Lesson | None:
    """The lesson of that name, or of that number (`5`)."""
    if game not in games.GAMES:
        return None
    named = _by_name(game)
    return named.get(name) or next((lesson for lesson in named.values() if str(lesson.number) == name), None)


async def find(_store: Store, rest: str, _who: Who) -> Task | None:
    """The task `ouri/05-armadilha/2`."""
    if rest.count("/") != 2:
        return None
    game, name, number = rest.split("/")
    lesson = await asyncio.to_thread(find_lesson, game, name)
    if lesson is None or name != name_of(lesson):
        return None
    return {str(place): task for place, task in enumerate(lesson.tasks, start=1)}.get(number)


def overview(solved: set[str]) -> list[Json]:
    """All games with their lessons, and how far somebody has come who has solved these tasks."""
    return [_progress(game, solved) for game in games.GAMES]


def _progress(game: str, solved: set[str]) -> Json:
    told = [_listed(lesson, solved) for lesson in _by_name(game).values()]
    done = sum(each["solved"] == each["tasks"] for each in told)
    return {"game": game, "lessons": told, "done": done, "rank": rank_of(done)}


def _listed(lesson: Lesson, solved: set[str]) -> Json:
    refs = [ref_of(lesson, number) for number in range(1, len(lesson.tasks) + 1)]
    return {
        "name": name_of(lesson),
        "number": lesson.number,
        "title": lesson.title._asdict(),
        "tasks": len(refs),
        "solved": sum(ref in solved for ref in refs),
    }


def lesson_json(game: str, name: str, language: Language) -> Json | None:
    """A lesson as blocks: texts, boards to try, tasks by name."""
    lesson = find_lesson(game, name)
    return None if lesson is None else _written(game, name_of(lesson), language)


@cache
def _written(game: str, name: str, language: Language) -> Json:
    lesson = _by_name(game)[name]
    blocks: list[Json] = []
    for block in lesson.blocks(language):
        if isinstance(block, Task):
            number = 1 + sum(each["type"] == "task" for each in blocks)
            blocks.append({"type": "task", "ref": ref_of(lesson, number)})
        else:
            blocks.append(views.block(block))
    return {
        "game": game,
        "name": name,
        "number": lesson.number,
        "title": lesson.title._asdict(),
        # Boards are large, and the same for everybody.
        "blocks": orjson.Fragment(orjson.dumps(blocks)),
        "others": [*_by_name(game)],
    }
