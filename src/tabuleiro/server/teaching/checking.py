"""A teacher's own lesson, checked before any pupil meets it: read by its format, and every answer worked out anew in a
process of its own, with bounded work."""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.learn import Lesson, LessonError, read_lesson, truth, verify_task
from tabuleiro.server.learning.room import Asker, TaskRoom

#: Tasks of a teacher's own file.
MOST_TASKS = 20
#: Positions that may be looked at for a whole file, some half a minute; each task gets the same part of it, and none
#: more than the lessons of the package.
POSITIONS = 30_000_000
#: Seconds after which whoever checks a task is lost.
PATIENCE = 120.0


class OwnFileError(TabuleiroError):
    """What is wrong with a file: each line with its reason."""

    def __init__(self, problems: list[Text]) -> None:
        super().__init__(Text(*("\n".join(said) for said in zip(*problems, strict=True))))


class Checked(NamedTuple):
    """Whether a task of a file is right: the line and the reason, or None."""

    text: str
    #: Of the task, from 0.
    place: int
    positions: int

    @property
    def game(self) -> str:
        return read_lesson(self.text).game.id

    @property
    def patience(self) -> float:
        return PATIENCE

    def answer(self, _: Callable[[], bool]) -> tuple[int, Text] | None:
        problem = verify_task(read_lesson(self.text).tasks[self.place], self.positions)
        return None if problem is None else (problem.line, problem.reason)


@lru_cache(200)
def read_own(text: str, file_name: str) -> Lesson:
    """A file as its teacher names it. Read once: a class does its tasks again and again."""
    return read_lesson(text, file_name)


async def check(room: TaskRoom, asker: Asker, text: str, file_name: str) -> Lesson:
    """The lesson that a text is, if all of it is right; else what is wrong with it, all at once."""
    lesson = await asyncio.to_thread(read_own, text, file_name)
    tasks = len(lesson.tasks)
    if not 1 <= tasks <= MOST_TASKS:
        reason = Text(
            f"são precisas 1 a {MOST_TASKS} tarefas, não {tasks}", f"1 to {MOST_TASKS} tasks are needed, not {tasks}"
        )
        raise LessonError(file_name, None, reason)
    positions = min(truth.THOROUGH, POSITIONS // tasks)
    problems = []
    for place in range(tasks):
        found = await room.ask(asker, Checked(text, place, positions))
        if found is not None:
            problems.append(LessonError(file_name, *found).text)
    if problems:
        raise OwnFileError(problems)
    return lesson
