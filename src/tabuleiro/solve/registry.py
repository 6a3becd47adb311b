"""Which solver serves which game."""

from collections.abc import Callable
from functools import lru_cache

from tabuleiro.core import Options
from tabuleiro.search.base import Subject, node_of
from tabuleiro.solve import avanco, ouri, semaforo
from tabuleiro.solve.base import Solver
from tabuleiro.solve.search import SearchSolver

#: The solvers that know a game, a line each: given the options, a solver, or None where it does not serve them.
SOLVERS: dict[str, Callable[[Options], Solver | None]] = {
    "avanco": avanco.solver,
    "semaforo": semaforo.solver,
    "ouri": ouri.solver,
}


def solver_for(subject: Subject) -> Solver:
    """The solver that serves a game under its options; where there is none of its own, plain search serves."""
    position = node_of(subject).position
    return _solver(position.id, position.options) or SearchSolver()


@lru_cache(maxsize=16)
def _solver(game: str, options: Options) -> Solver | None:
    return SOLVERS[game](options) if game in SOLVERS else None
