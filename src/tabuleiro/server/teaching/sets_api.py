"""The routes of sets: putting one together, giving it to a class, doing it, seeing how the class got on."""

from functools import partial
from typing import Annotated, Literal

import sqlalchemy as sa
from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from tabuleiro.server import schemas as common
from tabuleiro.server.api import IN_TURN
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.identity import Who
from tabuleiro.server.ids import new_id
from tabuleiro.server.learning import tries
from tabuleiro.server.learning.library import find_task
from tabuleiro.server.learning.room import Asker
from tabuleiro.server.limits import client_of
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people import store as people_store
from tabuleiro.server.people.api import RESPONSES, answer, now_of, office_of, signed_in, store_of, who_asks
from tabuleiro.server.people.class_api import EXPORTS, ClassId
from tabuleiro.server.people.permissions import NOT_ALLOWED, require
from tabuleiro.server.teaching import checking, progress, schemas, sets
from tabuleiro.server.teaching import store as kept
from tabuleiro.server.teaching.schemas import SetId
from tabuleiro.server.teaching.store import Giving, TaskSet
from tabuleiro.server.teaching.worksheets import plain
from tabuleiro.sheets import write_csv, write_xlsx

router = APIRouter(tags=["teaching"], responses=RESPONSES)


async def _set(request: Request, set_id: str) -> TaskSet:
    found = (await store_of(request).read(partial(kept.find_sets, ids=[set_id]))).get(set_id)
    if found is None:
        raise RefusedError(*sets.NO_SUCH_SET)
    return found


async def _own(request: Request, who: Who, set_id: str) -> TaskSet:
    """A set, for the teacher who made it, or an organiser."""
    require(who, "make_set")
    found = await _set(request, set_id)
    if found.owner != who.guest and who.role != "organiser":
        raise RefusedError(*NOT_ALLOWED)
    return found


# ---------------------------------------------------------------------------------------------------------- making one


@router.get("/api/v1/sets/choices/{game}", response_model=schemas.SetChoices, dependencies=IN_TURN)
def choices(game: Annotated[str, Path(max_length=40)]) -> Response:
    """What a set can be made of: lessons with their tasks."""
    return answer(sets.choices(game))


@router.post("/api/v1/sets", response_model=schemas.SetLine, status_code=201)
async def make(request: Request, body: schemas.SetBody) -> Response:
    """A set of tasks: whole lessons, single tasks, a lesson of your own. Every answer of
    your own lesson is worked out anew first, which may take half a minute; what is wrong is told with file and line."""
    who = await who_asks(request)
    require(who, "make_set")
    assert who.guest is not None
    store, owner = store_of(request), who.guest
    if len(await store.read(partial(kept.sets_of, owner=owner))) >= sets.MOST_SETS:
        raise RefusedError(*sets.TOO_MANY)
    names = [name for each in body.lessons for name in sets.lesson_tasks(each.game, each.name)]
    names += body.tasks
    set_id, own = new_id(), list[str]()
    file_name = None if body.file is None else " ".join(body.file.name.split())
    text = None if body.file is None else body.file.text
    if file_name is not None and text is not None:
        asker = Asker(client_of(request.scope), owner)
        lesson = await checking.check(request.app.state.task_room, asker, text, file_name)
        own = sets.own_names(set_id, len(lesson.tasks))
    tasks = await sets.assembled(store, who, names, own)
    made = TaskSet(set_id, owner, " ".join(body.name.split()), now_of(request), tasks, file_name, text)
    await store.write(lambda connection: _make(connection, made))
    return answer(_line(made, []), 201)


def _make(connection: sa.Connection, made: TaskSet) -> None:
    kept.make_set(connection, made)
    people_store.note(connection, made.made, made.owner, "make_set", set=made.id)


def _line(made: TaskSet, givings: list[Giving]) -> Json:
    return {**kept.set_json(made), "classes": [each.stream for each in givings if each.set == made.id]}


@router.get("/api/v1/sets", response_model=schemas.SetList)
async def list_sets(request: Request) -> Response:
    """The sets that you made, and those that your classes were given, with how far you have come."""
    who, guest = await signed_in(request)

    def work(connection: sa.Connection) -> Json:
        own = kept.sets_of(connection, guest)
        givings = kept.givings_of(connection, [made.id for made in own])
        given = kept.given_to_pupil(connection, guest) if who.role == "pupil" else []
        found = kept.find_sets(connection, [each.set for each in given])
        return {
            "own": [_line(made, givings) for made in own],
            "given": [_given(connection, guest, found[each.set], each) for each in given],
        }

    return answer(await store_of(request).read(work))


def _given(connection: sa.Connection, guest: Guest, made: TaskSet, giving: Giving) -> Json:
    solved = {each.task for each in tries.tries_for(connection, made.id, [guest]) if each.solved}
    return {
        "id": made.id,
        "name": made.name,
        "tasks": len(made.tasks),
        "solved": len(solved),
        "until": giving.until,
        "is_over": giving.is_over,
    }


@router.get("/api/v1/sets/{set_id}", response_model=schemas.SetView)
async def show(request: Request, set_id: SetId) -> Response:
    """The tasks of a set, for who made it and for whom it was given to, with what you have done of it."""
    who, guest = await signed_in(request)
    found = await _set(request, set_id)
    giving: Giving | None = None
    if found.owner != guest and who.role != "organiser":
        given = await store_of(request).read(partial(kept.given_to_pupil, pupil=guest))
        giving = next((each for each in given if each.set == set_id), None)
        if giving is None or who.role != "pupil":
            raise RefusedError(*NOT_ALLOWED)
    done = await store_of(request).read(lambda connection: tries.tries_for(connection, set_id, [guest]))
    return answer(
        {
            "id": set_id,
            "name": found.name,
            "is_mine": giving is None,
            "until": None if giving is None else giving.until,
            "is_over": giving is not None and giving.is_over,
            "tasks": [await _task(request, who, ref) for ref in found.tasks],
            "solved": [each.task for each in done if each.solved],
        }
    )


async def _task(request: Request, who: Who, ref: str) -> Json:
    task = await find_task(store_of(request), ref, who)
    return {"ref": ref, "game": task.line.game, "ask": plain(task.ask)}


@router.delete("/api/v1/sets/{set_id}", response_model=common.Nothing)
async def remove(request: Request, set_id: SetId) -> Response:
    """A set goes, and is no longer given to anybody. What pupils did in it stays theirs."""
    who = await who_asks(request)
    made = await _own(request, who, set_id)

    def work(connection: sa.Connection) -> None:
        kept.remove_set(connection, made.id)
        people_store.note(connection, now_of(request), who.guest or 0, "remove_set", set=made.id)

    await store_of(request).write(work)
    return answer({})


# -------------------------------------------------------------------------------------------------------- giving it out


@router.put("/api/v1/classes/{class_id}/sets/{set_id}", response_model=common.Nothing)
async def give(request: Request, class_id: ClassId, set_id: SetId, body: schemas.GivingBody) -> Response:
    """Give a set of yours to a class, or give it another last day."""
    who = await who_asks(request)
    await office_of(request).open(who, class_id, "give_set")
    made = await _own(request, who, set_id)
    giving = Giving(made.id, class_id, now_of(request), None if body.until is None else body.until.isoformat())

    def work(connection: sa.Connection) -> None:
        kept.give(connection, giving)
        people_store.note(connection, giving.at, who.guest or 0, "give_set", stream=class_id, set=made.id)

    await store_of(request).write(work)
    return answer({})


@router.delete("/api/v1/classes/{class_id}/sets/{set_id}", response_model=common.Nothing)
async def take_back(request: Request, class_id: ClassId, set_id: SetId) -> Response:
    """A class no longer has a set. What its pupils did in it is kept, and counts again if it is given again."""
    who = await who_asks(request)
    await office_of(request).open(who, class_id, "give_set")

    def work(connection: sa.Connection) -> bool:
        people_store.note(connection, now_of(request), who.guest or 0, "take_set", stream=class_id, set=set_id)
        return kept.take_back(connection, set_id, class_id)

    if not await store_of(request).write(work):
        raise RefusedError(*sets.NO_SUCH_SET)
    return answer({})


@router.get("/api/v1/classes/{class_id}/sets", response_model=list[schemas.ClassSet])
async def given(request: Request, class_id: ClassId) -> Response:
    """The sets that a class was given, and how much of each is done."""
    opened = await office_of(request).open(await who_asks(request), class_id, "give_set")

    def work(connection: sa.Connection) -> list[Json]:
        givings = kept.given_to(connection, [class_id])
        found = kept.find_sets(connection, [each.set for each in givings])
        return [_progress(connection, opened.stream.pupils, found[each.set], each) for each in givings]

    return answer(await store_of(request).read(work))


def _progress(connection: sa.Connection, pupils: list[Guest], made: TaskSet, giving: Giving) -> Json:
    solved = [each for each in tries.tries_for(connection, made.id, pupils) if each.solved and each.task in made.tasks]
    return {
        **kept.set_json(made),
        "until": giving.until,
        "is_over": giving.is_over,
        "done": round(len(solved) / max(1, len(pupils) * len(made.tasks)), 4),
    }


@router.get("/api/v1/classes/{class_id}/sets/{set_id}", response_model=schemas.SetResults)
async def results(request: Request, class_id: ClassId, set_id: SetId) -> Response:
    """Pupil by task: solved, the first wrong move, mistakes, hints."""
    who, made, rows = await _results(request, class_id, set_id)
    tasks = [await _task(request, Who(made.owner, "teacher", who.sign_in), ref) for ref in made.tasks]
    return answer({"id": made.id, "name": made.name, "tasks": tasks, "pupils": rows})


async def _results(request: Request, class_id: str, set_id: str) -> tuple[Who, TaskSet, list[Json]]:
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "see_results")
    made = await _set(request, set_id)
    givings = await store_of(request).read(partial(kept.given_to, classes=[class_id]))
    if all(each.set != set_id for each in givings):
        raise RefusedError(*sets.NO_SUCH_SET)
    async with opened.held() as school_class:
        return (
            who,
            made,
            await store_of(request).read(lambda connection: progress.results(connection, school_class, made)),
        )


@router.get(
    "/api/v1/classes/{class_id}/sets/{set_id}/export/{kind}",
    response_class=Response,
    responses={200: {"content": {media.partition(";")[0]: {} for media in EXPORTS.values()}, "description": "done"}},
)
async def export(request: Request, class_id: ClassId, set_id: SetId, kind: Literal["csv", "xlsx"]) -> Response:
    """The same table as a file."""
    who, made, rows = await _results(request, class_id, set_id)
    await store_of(request).write(
        lambda connection: people_store.note(
            connection, now_of(request), who.guest or 0, "export_set", stream=class_id, set=made.id
        )
    )
    table = progress.sheet(rows, len(made.tasks))
    data = write_csv(table) if kind == "csv" else write_xlsx({"tarefas": table})
    headers = {"Content-Disposition": f'attachment; filename="tarefas.{kind}"', "Cache-Control": "no-store"}
    return Response(data, media_type=EXPORTS[kind], headers=headers)


@router.get("/api/v1/classes/{class_id}/learning", response_model=list[schemas.PupilLearnt])
async def learnt(request: Request, class_id: ClassId) -> Response:
    """What each pupil of a class has learnt: lessons and ranks by game, and other tasks."""
    opened = await office_of(request).open(await who_asks(request), class_id, "see_results")
    async with opened.held() as school_class:
        return answer(await store_of(request).read(lambda connection: progress.learnt(connection, school_class)))
