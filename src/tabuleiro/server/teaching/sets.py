"""Sets of tasks: how a teacher puts one together. A set is a list of names of tasks, which never changes; whole lessons
become such names when it is made."""

from collections.abc import Sequence

from tabuleiro import games
from tabuleiro.core import shorten
from tabuleiro.language import Text
from tabuleiro.learn import lessons_of
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.identity import Who
from tabuleiro.server.learning.lessons import find_lesson, name_of, ref_of
from tabuleiro.server.learning.library import NO_SUCH_TASK, find_task
from tabuleiro.server.log import Json
from tabuleiro.server.store import Store
from tabuleiro.server.teaching.worksheets import plain

#: Tasks of a set.
MOST_TASKS = 60
#: The kinds of tasks that everybody may do, by the beginnings of their names.
OFFERED = ("lesson/", "puzzle/")
#: Sets of a teacher.
MOST_SETS = 500

NO_SUCH_SET = Refusal("no_such_set", Text("esse conjunto não existe", "there is no such set"), 404)
NOTHING = Refusal("empty_set", Text("escolhe pelo menos uma tarefa", "choose at least one task"), 400)
TOO_LONG = Refusal(
    "long_set", Text(f"um conjunto tem no máximo {MOST_TASKS} tarefas", f"a set has at most {MOST_TASKS} tasks"), 400
)
TOO_MANY = Refusal("many_sets", Text("já tens muitos conjuntos; apaga um", "you have many sets; remove one"), 409)


def lesson_tasks(game: str, name: str) -> list[str]:
    """The names of the tasks of a lesson."""
    lesson = find_lesson(game, name)
    if lesson is None:
        raise RefusedError(
            "no_such_lesson",
            Text(f"não há nenhuma lição «{shorten(name)}»", f"there is no lesson “{shorten(name)}”"),
            400,
        )
    return [ref_of(lesson, number) for number in range(1, len(lesson.tasks) + 1)]


def choices(game: str) -> Json:
    """What a set can be made of: the lessons of a game with their tasks."""
    return {
        "lessons": [
            {
                "name": name_of(lesson),
                "title": lesson.title._asdict(),
                "tasks": [
                    {"ref": ref_of(lesson, number), "game": game, "ask": plain(task.ask)}
                    for number, task in enumerate(lesson.tasks, start=1)
                ],
            }
            for lesson in lessons_of(games.get(game))
        ],
    }


async def assembled(store: Store, who: Who, tasks: Sequence[str], own: Sequence[str]) -> list[str]:
    """The names of the tasks of a set, each once and each of one that there is. `own`: of the teacher's own file, which
    is not stored yet."""
    names = [*dict.fromkeys([*tasks, *own])]
    if not names:
        raise RefusedError(*NOTHING)
    if len(names) > MOST_TASKS:
        raise RefusedError(*TOO_LONG)
    for name in names[: len(names) - len(own)]:
        if not name.startswith(OFFERED):
            raise RefusedError(*NO_SUCH_TASK)
        await find_task(store, name, who)
    return names


def own_names(set_id: str, count: int) -> list[str]:
    """The names of the tasks of a teacher's own file."""
    return [f"set/{set_id}/{number}" for number in range(1, count + 1)]
