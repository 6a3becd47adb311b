"""The questions that travel to other machines, and their answers: as JSON, so that what comes over the network is data
and never more."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from tabuleiro.language import Text
from tabuleiro.learn.points import Point
from tabuleiro.server.analyses import AnalysisRequest, Finding, PointsRequest, WhyRequest
from tabuleiro.server.coaching import COACHING, Coached, CoachQuestion
from tabuleiro.server.engines import NextMove, Question

#: The seconds that it takes to look at a position for mistakes, or for why a move was one.
LOOK = 1.0


@dataclass(frozen=True)
class Kind:
    """A kind of question."""

    #: Whether somebody waits for a move: such questions go first.
    urgent: bool
    #: The seconds that it is to take.
    work: Callable[[Any], float]
    question: TypeAdapter[Any]
    answer: TypeAdapter[Any]


#: By the names of their classes.
KINDS: dict[str, Kind] = {
    "NextMove": Kind(True, lambda asked: float(asked.seconds), TypeAdapter(NextMove), TypeAdapter(str)),
    "CoachQuestion": Kind(True, lambda _: COACHING, TypeAdapter(CoachQuestion), TypeAdapter(Coached | None)),
    "AnalysisRequest": Kind(
        False,
        lambda asked: float(asked.seconds * len(asked.plies)),
        TypeAdapter(AnalysisRequest),
        TypeAdapter(list[Finding]),
    ),
    "WhyRequest": Kind(False, lambda _: LOOK, TypeAdapter(WhyRequest), TypeAdapter(Text | None)),
    "PointsRequest": Kind(
        False, lambda asked: LOOK * len(asked.plies), TypeAdapter(PointsRequest), TypeAdapter(list[Point])
    ),
}


def kind_of(question: Question) -> Kind | None:
    """None: questions of this kind do not travel."""
    return KINDS.get(type(question).__name__)
