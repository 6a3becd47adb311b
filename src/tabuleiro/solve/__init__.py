"""Solvers: what perfect play leads to. `base` says what one is; a file a game for those that do more than search."""

from tabuleiro.solve.base import Progress, Solution, SolveError, Solver
from tabuleiro.solve.registry import solver_for

__all__ = ["Progress", "Solution", "SolveError", "Solver", "solver_for"]
