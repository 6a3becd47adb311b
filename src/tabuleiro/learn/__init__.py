"""Learning: lessons whose answers the solvers check, and what a pupil does in them.

>>> from tabuleiro import get, learn
>>> lesson = learn.lessons_of(get("semaforo"))[0]
>>> lesson.title.en, lesson.tasks[0].ask.en
('Three in a row', 'Complete the three green pieces.')
"""

from tabuleiro.learn.attempt import Attempt, AttemptError, Step, Verdict, act, replay
from tabuleiro.learn.lesson import Lesson, LessonBlock, LessonError, lesson_files, lessons_of, load_lesson, read_lesson
from tabuleiro.learn.live import live_overlay
from tabuleiro.learn.task import Hint, Task
from tabuleiro.learn.verify import verify_lesson, verify_task

__all__ = [
    "Attempt",
    "AttemptError",
    "Hint",
    "Lesson",
    "LessonBlock",
    "LessonError",
    "Step",
    "Task",
    "Verdict",
    "act",
    "lesson_files",
    "lessons_of",
    "live_overlay",
    "load_lesson",
    "read_lesson",
    "replay",
    "verify_lesson",
    "verify_task",
]
