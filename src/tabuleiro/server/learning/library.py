"""Where tasks come from: every task of the site has a name (`ref`), and one function finds it.

`lesson/ouri/05-armadilha/2` is the second task of a lesson. Whatever else offers tasks adds its kind to `KINDS`.
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.language import Text
from tabuleiro.learn import Task
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.identity import Who
from tabuleiro.server.learning import lessons, mistakes, puzzle_ratings, puzzles, runs
from tabuleiro.server.learning.tries import Tried
from tabuleiro.server.store import Store

NO_SUCH_TASK = Refusal("no_such_task", Text("essa tarefa não existe", "there is no such task"), 404)
NOT_GIVEN = Refusal("not_given", Text("essa tarefa não te foi dada", "that task was not given to you"), 403)

#: Finds a task by what stands behind its kind, for who asks; None where there is none, or it is not theirs to see.
Find = Callable[[Store, str, Who], Awaitable[Task | None]]


class Kind(NamedTuple):
    find: Find
    #: Told when somebody has done a task for the first time, in the transaction that keeps it.
    finished: Callable[[sa.Connection, Tried], None] | None = None


#: By the first word of their names.
KINDS: dict[str, Kind] = {
    "lesson": Kind(lessons.find),
    "mistake": Kind(mistakes.find_task),
    "puzzle": Kind(puzzles.find, puzzle_ratings.finished),
}

#: Whether a set was given to somebody with a task in it; asked where a try says that it was.
IsGiven = Callable[[Store, str, str, Who], Awaitable[bool]]
GIVEN: list[IsGiven] = [runs.is_given]


async def find_task(store: Store, ref: str, who: Who) -> Task:
    """The task of that name."""
    kind, _, rest = ref.partition("/")
    found = await KINDS[kind].find(store, rest, who) if kind in KINDS else None
    if found is None:
        raise RefusedError(*NO_SUCH_TASK)
    return found


async def require_given(store: Store, given: str, ref: str, who: Who) -> None:
    """Refuse a try for a set that was not given to who asks, or does not hold the task."""
    for is_given in GIVEN:
        if await is_given(store, given, ref, who):
            return
    raise RefusedError(*NOT_GIVEN)
