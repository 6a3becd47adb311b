"""Solving a position move by move, each by another worker: what every move leads to is a question of its own."""

import time
from dataclasses import dataclass

from tabuleiro.core import Player
from tabuleiro.crew import Crew, Job
from tabuleiro.record import Line, Node
from tabuleiro.search.base import Limit, Score, ended, one_ply_on
from tabuleiro.solve.base import Progress, Solution, silent
from tabuleiro.solve.registry import solver_for


@dataclass(frozen=True)
class Answer:
    """Of a move, for the player who makes it."""

    score: Score | None
    nodes: int


class Moves(Job[str, Answer]):
    """The moves of a position, as they are written."""

    def __init__(self, line: Line, seconds: float | None) -> None:
        self._line, self._seconds = line, seconds

    def do(self, unit: str) -> Answer:
        game = self._line.replay()
        mover = game.position.turn
        game.play(unit)
        return _answer(game.last, mover, Limit(seconds=self._seconds))


def _answer(after: Node, mover: Player, limit: Limit) -> Answer:
    if after.outcome is not None:
        return Answer(one_ply_on(ended(after.outcome, mover)), 1)
    found = solver_for(after).solve(after, limit, every_move=False)
    if found.score is None:
        return Answer(None, found.nodes)
    return Answer(one_ply_on(found.score if after.position.turn is mover else -found.score), found.nodes)


def solve_apart(line: Line, crew: Crew, seconds: float | None = None, progress: Progress = silent) -> Solution:
    """What every move leads to, found by a crew with so much time for each, and what the position is worth by that."""
    begin = time.monotonic()
    position = line.replay().position
    moves = {position.move_str(move): move for move in position.legal_moves()}
    scores: dict[str, Score | None] = {}
    nodes = 0
    for text, answer in zip(moves, crew.results(Moves(line, seconds), [*moves]), strict=True):
        scores[text] = answer.score
        nodes += answer.nodes
        progress(len(scores) / len(moves), nodes)
    known = [score for score in scores.values() if score is not None]
    best = max(known, default=None)
    decided = best is not None and (len(known) == len(moves) or best.worth is Score.win().worth)
    by_move = {move: scores[text] for text, move in moves.items()}
    exact = len(known) == len(moves)
    return Solution(best if decided else None, by_move, nodes, time.monotonic() - begin, exact)
