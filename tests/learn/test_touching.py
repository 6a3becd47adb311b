"""What lessons tell a pupil to touch is what makes the move on the page."""

import re

import pytest

from tabuleiro.core import Position
from tabuleiro.games import GAMES
from tabuleiro.learn import Task, lessons_of

#: A sentence that says which cells to touch.
SENTENCE = re.compile(r"(?:^|(?<=[.!?:] ))(?:Toca|toca|Touch|touch)\b[^.!?]*")


def told(task: Task, position: Position) -> list[list[int]]:
    """The cells that the texts of a task say to touch, sentence by sentence, where they name two or more."""
    names = {cell: index for index, cell in enumerate(position.geometry.names)}
    texts = [task.ask, *(hint.text for hint in task.hints if hint.text)]
    sentences = [sentence for text in texts for each in (text.pt, text.en) for sentence in SENTENCE.findall(each)]
    found = [[names[word] for word in re.findall(r"\w+", sentence) if word in names] for sentence in sentences]
    return [cells for cells in found if len(cells) > 1]


def makes(position: Position, move: int, cells: list[int]) -> bool:
    """Whether these touches make a move: its own cells, or the last piece of a row and the cell that it enters."""
    clicks = list(position.clicks(move))
    steps = dict(position.motions(move))
    return cells == clicks or (len(clicks) == 2 and len(steps) > 1 and cells == [clicks[0], steps[clicks[0]]])


@pytest.mark.parametrize("game", GAMES)
def test_the_cells_that_a_task_says_to_touch_make_its_answer(game: str) -> None:
    for lesson in lessons_of(GAMES[game]):
        for number, task in enumerate(lesson.tasks, start=1):
            position = task.node().position
            for cells in told(task, position):
                shown = [position.geometry.names[cell] for cell in cells]
                assert any(makes(position, move, cells) for move in task.answer), (lesson.id, number, shown)


def test_sentences_that_say_what_to_touch_are_found() -> None:
    """The check above reads something."""
    tasks = [task for lesson in lessons_of(GAMES["guerreiros"]) for task in lesson.tasks]
    assert any(told(task, task.node().position) for task in tasks)
