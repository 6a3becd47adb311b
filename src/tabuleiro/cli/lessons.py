"""`tabuleiro lessons`: whether what lessons say is true."""

from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.arguments import file_path, find_game
from tabuleiro.cli.speech import both, complain, figure, language, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.games import GAMES
from tabuleiro.language import Text, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabuleiro.learn import Lesson

HELP = both("Confere lições.", "Check lessons.")
VERIFY_HELP = both(
    "Calcula de novo todas as respostas das lições, e recusa as que não estão certas e completas.",
    "Compute all answers of lessons anew, and refuse those that are not right and complete.",
)


def verify(
    which: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME|FILE]...",
            help=both(
                "Jogos, ou ficheiros de lições; sem nada, todas as lições de todos os jogos.",
                "Games, or files of lessons; else all lessons of all games.",
            ),
            show_default=False,
        ),
    ] = None,
) -> None:
    tasks, lessons, refused = 0, 0, 0
    for read in _lessons(which or list(GAMES)):
        if isinstance(read, TabuleiroError):
            complain(read)
            refused += 1
            continue
        wrong = _verify(read)
        tasks += len(read.tasks)
        lessons += 1
        refused += wrong
    print(_summary(lessons, tasks, refused))
    if refused:
        raise typer.Exit(1)


def _lessons(which: list[str]) -> "Iterator[Lesson | TabuleiroError]":
    """The lessons that were asked for; for a file that is none, what is wrong with it."""
    from tabuleiro.learn import lesson_files, load_lesson

    for name in which:
        files = [file_path(name)] if "." in name or "/" in name else lesson_files(find_game(name))
        for file in files:
            try:
                yield load_lesson(file)
            except TabuleiroError as error:
                yield error


def _verify(lesson: "Lesson") -> int:
    """Check a lesson and say what was found; how many of its tasks were refused."""
    import time

    from tabuleiro.learn import verify_lesson

    begin, refused = time.process_time(), 0
    for _, error in verify_lesson(lesson):
        if error is not None:
            complain(error)
            refused += 1
    tasks = plural(len(lesson.tasks), Text("tarefa", "task"), Text("tarefas", "tasks"))
    seconds = figure(time.process_time() - begin, 1, "s")
    verdict = tr("recusada", "refused") if refused else tr("certa", "right")
    title = f"{lesson.game.name.pt} {lesson.number or ''}".strip()
    print(f"{title} «{lesson.title.to(language())}»: {tasks.to(language())}, {seconds}: {verdict}", flush=True)
    return refused


def _summary(lessons: int, tasks: int, refused: int) -> str:
    one, several = Text("lição", "lesson"), Text("lições", "lessons")
    parts = [
        plural(lessons, one, several).to(language()),
        plural(tasks, Text("tarefa", "task"), Text("tarefas", "tasks")).to(language()),
        plural(refused, Text("recusada", "refused"), Text("recusadas", "refused")).to(language()),
    ]
    return ", ".join(parts)
