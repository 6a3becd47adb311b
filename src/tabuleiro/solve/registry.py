"""Which solver serves which game, and which tables it has."""

from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module

from tabuleiro import _native
from tabuleiro.core import Options, Position
from tabuleiro.search.base import Subject, node_of
from tabuleiro.solve import avanco, ouri, rastros, rastros_proof
from tabuleiro.solve.base import Progress, SolveError, Solver
from tabuleiro.solve.hex import HexSolver
from tabuleiro.solve.konane import KonaneSolver
from tabuleiro.solve.search import SearchSolver
from tabuleiro.solve.tables import GameTables, TableSolver

#: The solvers that know a game, a line each: given the options, a solver, or None where it does not serve them.
SOLVERS: dict[str, Callable[[Options], Solver | None]] = {
    "avanco": avanco.solver,
    "rastros": rastros.solver,
    "hex": HexSolver,
    "ouri": ouri.solver,
    "konane": KonaneSolver,
}


def _tables(game: str) -> type[GameTables]:
    kind: type[GameTables] = getattr(import_module(f"tabuleiro.solve.{game}"), f"{game.capitalize()}Tables")
    return kind


#: The games whose solved positions are kept in tables on the disk, a line each: `<id>.py` has them as `<Id>Tables`. A
#: game without a solver above is solved by them.
TABLES: dict[str, type[GameTables]] = {
    game: _tables(game)
    for game in (
        "semaforo",
        "ouri",
    )
}

#: The proofs that come with the package, a line each: replays one by the Python rules alone, counts its positions and
#: the answers to them, and raises `SolveError` at a gap.
PROOFS: dict[str, Callable[[Progress], rastros_proof.Verified]] = {
    "rastros": rastros_proof.verify,
}


def search_tables(position: Position) -> _native.Tables | None:
    """The tables that a search of positions like this one looks up; None where there are none."""
    return TABLES[position.id].for_search(position) if position.id in TABLES else None


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
    if game in SOLVERS:
        return SOLVERS[game](options)
    try:
        return TableSolver(TABLES[game](options)) if game in TABLES else None
    except SolveError:  # no tables under these options
        return None
