"""Sets as their pupils meet them: whether one was given to somebody, and the tasks of a teacher's own file."""

import asyncio

import sqlalchemy as sa

from tabuleiro.learn import Task
from tabuleiro.server.identity import Who
from tabuleiro.server.ids import is_id
from tabuleiro.server.store import Store
from tabuleiro.server.teaching import store as kept
from tabuleiro.server.teaching.checking import read_own


async def find(store: Store, rest: str, who: Who) -> Task | None:
    """The task `k3…/2` of a teacher's own file: for that teacher, for organisers, and for whom it was given to."""
    set_id, _, number = rest.partition("/")
    if not is_id(set_id) or not number.isdecimal() or len(number) > 2 or number != str(int(number)):
        return None
    found = await store.read(lambda connection: _visible(connection, set_id, who))
    if found is None or found.file is None:
        return None
    lesson = await asyncio.to_thread(read_own, found.file, found.file_name or "")
    return lesson.tasks[int(number) - 1] if 1 <= int(number) <= len(lesson.tasks) else None


def _visible(connection: sa.Connection, set_id: str, who: Who) -> kept.TaskSet | None:
    """A set, for who may do its tasks."""
    found = kept.find_sets(connection, [set_id]).get(set_id)
    if found is None or who.guest is None or who.sign_in is None:
        return None
    if who.role == "organiser" or found.owner == who.guest:
        return found
    given = kept.given_to_pupil(connection, who.guest)
    return found if any(each.set == set_id for each in given) else None


async def is_given(store: Store, given: str, ref: str, who: Who) -> bool:
    """Whether a pupil's try counts for a set: it was given to a class of theirs, its last day is not past, and the task
    is in it."""
    guest = who.guest
    if who.role != "pupil" or guest is None:
        return False

    def work(connection: sa.Connection) -> bool:
        found = kept.find_sets(connection, [given]).get(given)
        if found is None or ref not in found.tasks:
            return False
        return any(each.set == given and not each.is_over for each in kept.given_to_pupil(connection, guest))

    return await store.read(work)
