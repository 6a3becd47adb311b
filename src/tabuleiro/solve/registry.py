"""Which solver serves which game."""

from collections.abc import Callable
from functools import cache, lru_cache

from tabuleiro import _native
from tabuleiro.core import Options, Position
from tabuleiro.search.base import Subject, node_of
from tabuleiro.solve import avanco, ouri, rastros, rastros_proof, semaforo
from tabuleiro.solve.base import Progress, Solver
from tabuleiro.solve.hex import HexSolver
from tabuleiro.solve.konane import KonaneSolver
from tabuleiro.solve.search import SearchSolver

#: The solvers that know a game, a line each: given the options, a solver, or None where it does not serve them.
SOLVERS: dict[str, Callable[[Options], Solver | None]] = {
    "avanco": avanco.solver,
    "rastros": rastros.solver,
    "hex": HexSolver,
    "semaforo": semaforo.solver,
    "ouri": ouri.solver,
    "konane": KonaneSolver,
}

#: The proofs that come with the package, a line each: replays one by the Python rules alone, says how many positions
#: it has, and raises `SolveError` at a gap.
PROOFS: dict[str, Callable[[Progress], int]] = {
    "rastros": lambda progress: rastros_proof.verify(progress).answers,
}


def search_tables(position: Position) -> _native.Tables | None:
    """The tables that a search of positions like this one looks up; None where there are none."""
    return ouri.endings_for(position)


def solver_for(subject: Subject) -> Solver:
    """The solver that serves a game under its options; where there is none of its own, plain search serves."""
    return own_solver(subject) or _plain()


def own_solver(subject: Subject) -> Solver | None:
    """The solver that knows a game under its options, if there is one."""
    position = node_of(subject).position
    return _solver(position.id, position.options)


@cache
def _plain() -> Solver:
    """One for all: making its tables takes longer than many an answer."""
    return SearchSolver()


@lru_cache(maxsize=16)
def _solver(game: str, options: Options) -> Solver | None:
    return SOLVERS[game](options) if game in SOLVERS else None
