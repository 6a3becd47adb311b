"""Tasks on paper: which can be done with a pencil, and what is printed of each, its solution included."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from tabuleiro.core import Position
from tabuleiro.language import LANGUAGES, Text
from tabuleiro.learn import Lesson, Task, lessons_of
from tabuleiro.learn.puzzles import Puzzle
from tabuleiro.learn.words import choice_name
from tabuleiro.rulebook import spans
from tabuleiro.server import views
from tabuleiro.server.learning.lessons import ref_of
from tabuleiro.server.learning.puzzles import in_order
from tabuleiro.server.log import Json

NONE = Text("nenhuma", "none")


class PaperTask(NamedTuple):
    ref: str
    #: What it belongs to: its lesson, say.
    source: Text
    task: Task


def is_for_paper(task: Task) -> bool:
    """Whether a task is done by writing down a move, a set of moves or who wins; others must be played."""
    return task.goal.takes_answer


def lessons_for_paper(game: type[Position]) -> list[tuple[Lesson, list[PaperTask]]]:
    """The lessons of a game, each with those of its tasks that can be done on paper."""
    return [
        (
            lesson,
            [
                PaperTask(ref_of(lesson, number), lesson.title, task)
                for number, task in enumerate(lesson.tasks, start=1)
                if is_for_paper(task)
            ],
        )
        for lesson in lessons_of(game)
    ]


def chosen(tasks: Sequence[PaperTask], count: int, seed: int) -> list[PaperTask]:
    """So many of the tasks, in their order; another seed gives others. What two lessons ask alike is asked once."""
    different = [*{(each.task.line, each.task.goal): each for each in reversed(tasks)}.values()][::-1]
    if count >= len(different):
        return different
    return [different[place] for place in sorted(random.Random(seed).sample(range(len(different)), count))]


def puzzles_for_paper(puzzles: Sequence[Puzzle], count: int, seed: int) -> list[PaperTask]:
    """So many of the puzzles, the easiest first; another seed gives others."""
    drawn = random.Random(seed).sample(puzzles, min(count, len(puzzles)))
    return [
        PaperTask(
            puzzle.ref,
            Text(
                f"Problema {puzzle.number}, dificuldade {puzzle.rating}",
                f"Puzzle {puzzle.number}, rating {puzzle.rating}",
            ),
            puzzle.task(),
        )
        for puzzle in in_order(drawn)
    ]


def task_json(each: PaperTask) -> Json:
    """A task as a sheet prints it. The position is the one in which the pupil decides: a move to be refuted is made."""
    task, node = each.task, each.task.node()
    position = node.position
    return {
        "ref": each.ref,
        "source": each.source._asdict(),
        "ask": plain(task.ask),
        "asks": "winner" if task.goal.kind == "who wins" else "move",
        "options": position.options.changed(),
        "geometry": views.geometry(position.geometry),
        "view": views.view(node, None, with_text=False, with_moves=False),
        "arrows": task.diagram.arrows,
        "highlights": task.diagram.highlights,
        "numbers": task.diagram.numbers,
        "overlay": views.overlay(task.diagram.overlay),
        "answer": answer(task)._asdict(),
        "answer_cells": sorted({cell for move in task.answer for cell in position.clicks(move)}),
        "right": None if task.right is None else plain(task.right),
    }


def plain(text: Text) -> Json:
    """A sentence without marks for bold and the like."""
    return {language: "".join(span.text for span in spans(text.to(language))) for language in LANGUAGES}


def answer(task: Task) -> Text:
    """The right answer, as a solution sheet says it."""
    position = task.node().position
    if task.winner is not None:
        return choice_name(position, task.winner, task.goal.may_pass)
    if not task.answer:
        return NONE
    moves = [position.move_str(move) for move in sorted(task.answer)]
    if not task.goal.one_move:
        return Text(", ".join(moves), ", ".join(moves))
    return Text(" ou ".join(moves), " or ".join(moves))
