"""The coach of a game session: what is asked in a process of its own, and what is said to the page."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from tabuleiro.core import Move
from tabuleiro.language import Text
from tabuleiro.learn import coach
from tabuleiro.record import Line, Node
from tabuleiro.server.engines import GRACE
from tabuleiro.server.moves import find_move
from tabuleiro.solve.base import Solution

#: The seconds that an answer of the coach takes at most, on a machine of its own.
COACHING = 0.3
#: Positions of which a worker remembers what is known: a pupil asks more than once.
REMEMBERED = 64

About = Literal["doubt", "why", "step"]


class Coached(NamedTuple):
    text: Text
    move: str | None = None
    cells: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"text": self.text._asdict(), "move": self.move, "cells": self.cells}


#: Where somebody asks why a move is a mistake that is none, as far as anybody knows.
NOTHING_THROWN = Coached(
    Text("Não sei dizer o que tem de mal essa jogada.", "I cannot say what would be wrong with that move.")
)


class CoachQuestion(NamedTuple):
    """Whether a move throws something away (`doubt`), why, or a step of help."""

    line: Line
    about: About
    move: str = ""
    step: int = 1

    @property
    def game(self) -> str:
        return self.line.game

    @property
    def patience(self) -> float:
        return COACHING + GRACE

    def answer(self, stop: Callable[[], bool]) -> Coached | None:
        node, known = _look(self.line)
        if self.about == "step":
            step = coach.hint(node, self.step, known)
            return Coached(step.text, step.moves[0] if step.moves else None, step.cells)
        move: Move = find_move(node.position, self.move)
        if self.about == "why":
            why = coach.why(node, move, known)
            return None if why is None else Coached(why, self.move)
        doubt = coach.doubt(node, move, known)
        return None if doubt is None else Coached(doubt.said, self.move, node.position.clicks(move))


_known: "OrderedDict[Line, tuple[Node, Solution]]" = OrderedDict()


def _look(line: Line) -> tuple[Node, Solution]:
    """A position and what is known of it."""
    if line not in _known:
        node = line.replay().last
        _known[line] = node, coach.look(node)
        if len(_known) > REMEMBERED:
            _known.popitem(last=False)
    return _known[line]
