"""The mathematics of each game, for teachers and curious pupils: `mathematics/<game>.md`, written as lessons are.

Each claim names the command that shows it; the tests run the quick ones.
"""

import re
from functools import cache
from pathlib import Path

from tabuleiro.core import Position
from tabuleiro.learn.lesson import Lesson, load_lesson

FOLDER = Path(__file__).resolve().parent.parent / "mathematics"


def mathematics_of(game: type[Position]) -> Lesson | None:
    """What is known of a game, proven and open; None where nobody has written it."""
    return _read(game.id)


@cache
def _read(game: str) -> Lesson | None:
    file = FOLDER / f"{game}.md"
    return load_lesson(file) if file.is_file() else None


def commands_of(game: type[Position]) -> list[str]:
    """The commands that the page of a game names, each once."""
    text = (FOLDER / f"{game.id}.md").read_text(encoding="utf-8")
    return list(dict.fromkeys(re.findall(r"`((?:tabuleiro|python) [^`]+)`", text)))
