"""Learning: lessons whose answers the solvers check, and what a pupil does in them.

>>> from tabuleiro import get, learn
>>> lesson = learn.lessons_of(get("semaforo"))[0]
>>> lesson.title.en, lesson.tasks[0].ask.en
('Three in a row', 'Complete the three green pieces.')
"""

from tabuleiro.learn.lesson import Lesson, LessonBlock, LessonError, lessons_of, load_lesson, read_lesson
from tabuleiro.learn.task import Hint, Task

__all__ = [
    "Hint",
    "Lesson",
    "LessonBlock",
    "LessonError",
    "Task",
    "lessons_of",
    "load_lesson",
    "read_lesson",
]
