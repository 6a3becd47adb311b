"""Whether what a lesson says is true. No answer is believed: each is computed by a solver or by looking at everything,
and one that is wrong, incomplete or out of reach is refused with file and line."""

from collections.abc import Iterator
from dataclasses import dataclass

from tabuleiro.core import Move, Position, TabuleiroError
from tabuleiro.language import Text, number
from tabuleiro.learn import truth
from tabuleiro.learn.copying import why_it_fails
from tabuleiro.learn.judge import Right, right_moves, who_wins
from tabuleiro.learn.lesson import Lesson, LessonError
from tabuleiro.learn.task import Task
from tabuleiro.search.base import Worth


@dataclass(frozen=True)
class Problem:
    """What is wrong with a task, and in which line."""

    line: int
    reason: Text


def verify_lesson(lesson: Lesson, positions: int = truth.THOROUGH) -> Iterator[tuple[Task, LessonError | None]]:
    """Every task of a lesson, with what is wrong with it. `positions` may be looked at for each."""
    for task in lesson.tasks:
        problem = verify_task(task, positions)
        yield task, None if problem is None else LessonError(lesson.file, problem.line, problem.reason)


def verify_task(task: Task, positions: int = truth.THOROUGH) -> Problem | None:
    """What is wrong with a task; None where everything is proven."""
    try:
        reason = _reason(task, positions)
    except TabuleiroError as error:
        reason = error.text
    return None if reason is None else Problem(task.answered, reason)


def _reason(task: Task, positions: int) -> Text | None:
    match task.goal.kind:
        case "who wins":
            return _who_wins(task, positions)
        case "copy":
            return _copy(task, positions)
        case "play":
            return _play(task, positions)
    position = task.node().position
    right = right_moves(task.goal, task.node(), positions)
    if task.goal.kind == "most seeds" and None in right.values():
        return Text(
            "as tabelas de finais não chegam a esta posição", "the tables of endings do not reach this position"
        )
    reason = _compare(position, right, task.answer, positions)
    if reason is None and task.goal.kind == "save" and all(right.values()):
        return Text("nenhuma jogada perde: não há nada a salvar", "no move loses: there is nothing to save")
    if reason is None and task.goal.kind in ("win", "eject") and task.goal.number is not None:
        return _sooner(task, positions)
    return reason


def _compare(position: Position, right: Right, answer: frozenset[Move], positions: int) -> Text | None:
    """What is wrong with an answer, given which moves reach the goal."""

    def named(moves: list[Move]) -> str:
        return ", ".join(position.move_str(move) for move in sorted(moves))

    wrong = [move for move in answer if right[move] is False]
    missing = [move for move, reaches in right.items() if reaches and move not in answer]
    unknown = [move for move, reaches in right.items() if reaches is None]
    if wrong:
        truly = named([move for move, reaches in right.items() if reaches]) or "-"
        return Text(
            f"resposta errada, não atinge o objetivo: {named(wrong)} (certo: {truly})",
            f"wrong answer, does not reach the goal: {named(wrong)} (right: {truly})",
        )
    if missing:
        return Text(
            f"resposta incompleta, há mais jogadas que atingem o objetivo: {named(missing)}",
            f"the answer is not complete, more moves reach the goal: {named(missing)}",
        )
    if unknown:
        return _undecided(position, positions, named(unknown))
    return None


def _undecided(position: Position, positions: int, what: str = "") -> Text:
    positions = truth.solver_positions(position, positions)
    about = f": {what}" if what else ""
    return Text(
        f"não foi possível decidir vendo {number(positions, 'pt')} posições{about}",
        f"this could not be decided by looking at {number(positions, 'en')} positions{about}",
    )


def _sooner(task: Task, positions: int) -> Text | None:
    """A goal with a number must not be reached sooner."""
    fewer = (task.goal.number or 1) - 1
    if fewer == 0:
        return None
    goal = type(task.goal)(task.goal.kind, fewer)
    if any(right_moves(goal, task.node(), positions).values()):
        return Text(f"consegue-se em {fewer}", f"it can be done in {fewer}")
    return None


def _who_wins(task: Task, positions: int) -> Text | None:
    found = who_wins(task.node(), task.goal.may_pass, positions)
    if found is None:
        return _undecided(task.node().position, positions)
    if found != task.winner:
        return Text(f"resposta errada: a certa é {found}", f"wrong answer: the right one is {found}")
    return None


def _copy(task: Task, positions: int) -> Text | None:
    assert task.strategy is not None
    try:
        failed = why_it_fails(task.node().position, task.strategy, positions // 100)
    except TimeoutError:
        return _undecided(task.node().position, positions // 100)
    if failed is None:
        return None
    line = " ".join(failed)
    return Text(f"copiar não ganha sempre: {line}", f"copying does not always win: {line}")


def _play(task: Task, positions: int) -> Text | None:
    if task.goal.number is not None:
        return None
    score = truth.value(task.node(), positions)
    if score is None:
        return _undecided(task.node().position, positions)
    if score.worth is not Worth.WIN:
        return Text("quem joga não pode ganhar esta posição", "the player to move cannot win this position")
    return None
