"""A point of a game as a task: "what should have been played?" Made where every move is proven, and one was thrown."""

from dataclasses import dataclass

from tabuleiro.core import Move, Position
from tabuleiro.diagrams import draw_on
from tabuleiro.language import Text
from tabuleiro.learn import coach, truth
from tabuleiro.learn.explain import QUESTIONS
from tabuleiro.learn.goals import Goal
from tabuleiro.learn.puzzles.themes import Solved, themes_of
from tabuleiro.learn.task import Hint, Task
from tabuleiro.record import Line, Node
from tabuleiro.search.base import Worth

ASK = Text("O que se devia ter jogado?", "What should have been played?")


@dataclass(frozen=True)
class Point:
    """A position in which a move threw something away that was proven, and the moves that would have kept it."""

    game: str
    options: dict[str, str]
    position: str
    played: str
    #: `win` or `draw`.
    thrown: str
    answer: tuple[str, ...]


def point_of(position: Position, move: Move) -> Point | None:
    """What a move threw away; None where it did not, or not every move of the position is proven. What was played
    before does not count: the task begins with the position."""
    node = Node(position)
    known = coach.look(node)
    doubt = coach.doubt(node, move, known)
    if doubt is None or None in known.moves.values():
        return None
    kept = [each for each, score in known.moves.items() if score is not None and score.worth is doubt.thrown]
    return Point(
        position.id,
        position.options.changed(),
        str(position),
        position.move_str(move),
        "win" if doubt.thrown is Worth.WIN else "draw",
        tuple(position.move_str(each) for each in sorted(kept)),
    )


def task_of(point: Point) -> Task:
    """The point as a task. Any move that keeps what was thrown away is right."""
    line = Line.from_texts(point.game, point.options, point.position)
    position = line.replay().position
    played = position.parse_move(point.played)
    asks = (
        Text("Daqui ganhava-se. O que se devia ter jogado?", "This was won. What should have been played?")
        if point.thrown == "win"
        else Text("Daqui não se perdia. O que se devia ter jogado?", "This was not lost. What should have been played?")
    )
    question = QUESTIONS.get(point.game)
    return Task(
        diagram=draw_on(position, (), {}),
        goal=Goal("win" if point.thrown == "win" else "save"),
        line=line,
        answer=frozenset(position.parse_move(text) for text in point.answer),
        winner=None,
        strategy=None,
        ask=asks,
        right=None,
        hints=() if question is None else (Hint(text=question),),
        wrong={
            played: Text(
                f"{point.played} foi o que se jogou. Vê porque não chega.",
                f"{point.played} was played. See what follows.",
            )
        },
        otherwise=None,
        then_play=False,
        opened=0,
        answered=0,
    )


def themes_of_point(point: Point) -> tuple[str, ...]:
    """What the point is about, as puzzles are."""
    task = task_of(point)
    node = task.node()
    return themes_of(Solved(node, task.goal, task.answer, truth.values(node.position)))
