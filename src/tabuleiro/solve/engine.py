"""The engine that asks a solver first: what is proven it plays perfectly, the rest another engine searches."""

import dataclasses
import time

from tabuleiro import _native
from tabuleiro.record import Node
from tabuleiro.search.base import Analysis, Engine, Flag, Limit, Listener, Score, ScoredLine, Worth
from tabuleiro.solve.base import Solution, Solver
from tabuleiro.solve.registry import own_solver

#: The part of the time that the solver has.
SHARE = 0.4
#: How long the solver may take, at most, and where the time is not what limits a search.
MOST_SECONDS = 2.0


class SolvingEngine(Engine):
    """Level 10: exact where the game's solver answers in a part of the time."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine

    def forget(self) -> None:
        self._engine.forget()

    def new_stop_flag(self) -> Flag:
        return _native.StopFlag()

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        begin = time.monotonic()
        assert isinstance(stop, _native.StopFlag)
        solver = own_solver(node)
        solution = None if solver is None else _ask(solver, node, limit, lines, stop)
        if solution is not None and solution.exact and (lines > 1 or _chooses(solution)):
            return _analysis(solution, lines)
        if limit.seconds is not None:
            limit = dataclasses.replace(limit, seconds=max(limit.seconds - (time.monotonic() - begin), 0.001))
        found = self._engine.search(node, limit, lines, stop, listener)
        return found if solution is None else _corrected(found, solution)


def _ask(solver: Solver, node: Node, limit: Limit, lines: int, stop: _native.StopFlag) -> Solution | None:
    seconds = MOST_SECONDS if limit.seconds is None else min(limit.seconds * SHARE, MOST_SECONDS)
    if not solver.within_reach(node, seconds):
        return None
    solution = solver.solve(node, Limit(seconds, limit.nodes), every_move=lines > 1, stop=stop)
    if solution.score is not None and solution.score.worth is not Worth.LOSS and solution.best is None:
        # Known to be good, but not by which move: that must not be lost.
        solution = solver.solve(node, Limit(limit.seconds or MOST_SECONDS, limit.nodes), stop=stop)
    return solution


def _chooses(solution: Solution) -> bool:
    """Whether the solution says which move to play: the one that wins first, or loses last. Where the length is not
    known, the engine may find a shorter win, or the loss or draw that is hardest to answer."""
    return solution.best is not None and solution.score is not None and solution.score.plies is not None


def _analysis(solution: Solution, lines: int) -> Analysis:
    known = [(score, move) for move, score in solution.moves.items() if score is not None]
    known.sort(key=lambda pair: pair[0], reverse=True)
    found = tuple(ScoredLine(score, (move,)) for score, move in known[:lines])
    return Analysis(found, 0, solution.nodes, solution.seconds, exact=True)


def _corrected(found: Analysis, solution: Solution) -> Analysis:
    """What the engine found, put right by what is proven."""
    lines = [ScoredLine(_proven(line, solution), line.moves) for line in found.lines]
    if solution.best is not None and solution.best not in {line.moves[0] for line in lines}:
        best = solution.moves[solution.best]
        assert best is not None
        lines = [ScoredLine(best, (solution.best,)), *lines]
    # No estimate is better than the proven value: a move that keeps it comes first.
    worth = None if solution.score is None else solution.score.worth
    lines.sort(key=lambda line: (line.score.exact and line.score.worth is worth, line.score), reverse=True)
    exact = lines[0].score.exact and (found.exact or worth is not None)
    return dataclasses.replace(found, lines=tuple(lines[: len(found.lines)]), exact=exact)


def _proven(line: ScoredLine, solution: Solution) -> Score:
    if line.score.exact:
        return line.score
    lost = solution.score is not None and solution.score.worth is Worth.LOSS
    return solution.moves.get(line.moves[0]) or (Score.loss() if lost else line.score)
