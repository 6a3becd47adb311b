"""How strong people are at puzzles, game by game, and how hard puzzles are: a try is a game between the two, rated as
games between people are. Each function works inside a transaction that the caller has begun.

A try counts once, without help, where nobody gave the puzzle: solved at once is a win, with a mistake a loss. Only
people with a card move the ratings of puzzles.
"""

import sqlalchemy as sa

from tabuleiro.learn.puzzles import Puzzle
from tabuleiro.server.learning import tries
from tabuleiro.server.learning.puzzles import STATUS, number_of
from tabuleiro.server.learning.tries import BY_ONESELF, Tried
from tabuleiro.server.log import Guest
from tabuleiro.server.people.ratings import Rating, rate
from tabuleiro.server.tables import people, puzzle_ratings, solver_ratings

#: How unsure the first rating of a puzzle is, which comes from levels and not from people.
UNSURE = 120.0


def of_solver(connection: sa.Connection, guest: Guest | None, game: str) -> Rating:
    """How strong somebody is at the puzzles of a game."""
    return of_solvers(connection, guest).get(game, Rating())


def of_solvers(connection: sa.Connection, guest: Guest | None) -> dict[str, Rating]:
    """How strong somebody is at puzzles, by game; those whose puzzles they never tried are left out."""
    query = sa.select(solver_ratings).where(solver_ratings.c.guest == guest)
    return {row.game: Rating(row.mu, row.sigma) for row in connection.execute(query)}


def of_puzzle(connection: sa.Connection, puzzle: Puzzle) -> Rating:
    row = connection.execute(sa.select(puzzle_ratings).where(puzzle_ratings.c.task == puzzle.ref)).one_or_none()
    return Rating(puzzle.rating, UNSURE) if row is None else Rating(row.mu, row.sigma)


def finished(connection: sa.Connection, tried: Tried) -> None:
    """A puzzle was solved for the first time."""
    if not tried.hints and not tried.rated and tried.given == BY_ONESELF:
        _count(connection, tried)


def settle(connection: sa.Connection, guest: Guest) -> None:
    """Puzzles that somebody tried wrongly and then left count too."""
    for tried in tries.tries_of(connection, guest, "puzzle"):
        if not tried.solved and tried.mistakes and not tried.hints and not tried.rated and tried.given == BY_ONESELF:
            _count(connection, tried)


def _count(connection: sa.Connection, tried: Tried) -> None:
    puzzle = number_of(tried.task)
    if puzzle is None or puzzle.goal == STATUS:
        return  # one of two answers is guessed too easily
    person = of_solver(connection, tried.guest, puzzle.game)
    after, hardness = rate(person, of_puzzle(connection, puzzle), 0.0 if tried.mistakes else 1.0)
    _write(connection, solver_ratings, {"guest": tried.guest, "game": puzzle.game}, after)
    if connection.scalar(sa.select(people.c.guest).where(people.c.guest == tried.guest)) is not None:
        _write(connection, puzzle_ratings, {"task": puzzle.ref}, hardness)
    tries.count_for_rating(connection, tried)


def _write(connection: sa.Connection, table: sa.Table, key: dict[str, object], rating: Rating) -> None:
    found = {"mu": rating.mu, "sigma": rating.sigma}
    where = sa.and_(*(table.c[name] == value for name, value in key.items()))
    changed = connection.execute(sa.update(table).where(where).values(**found, tries=table.c.tries + 1))
    if not changed.rowcount:
        connection.execute(sa.insert(table).values(**key, **found, tries=1))


def hand_over(connection: sa.Connection, was: Guest, now: Guest) -> None:
    """What a guest was rated at becomes another's, who turned out to be the same and has no rating there yet."""
    own = of_solvers(connection, now)
    mine = solver_ratings.c.guest == was
    connection.execute(sa.update(solver_ratings).where(mine, solver_ratings.c.game.not_in([*own])).values(guest=now))
    connection.execute(sa.delete(solver_ratings).where(mine))
