"""What is kept of the tasks that somebody does: a row for each person, task and set that it was given in. It is written
while they go on, and stands as it is once the task is done. Each function works inside a transaction that the caller
has begun."""

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.learn import Attempt
from tabuleiro.server.log import Guest
from tabuleiro.server.tables import tries

#: What stands for no set, where a task was given by nobody.
BY_ONESELF = ""


class Tried(NamedTuple):
    """How somebody got on with a task."""

    guest: Guest
    task: str
    #: The set in which it was given; `BY_ONESELF` for none.
    given: str
    at: float
    solved: bool
    mistakes: int
    #: The first wrong move, or what else was said wrongly.
    wrong: str | None
    #: Steps of help.
    hints: int
    #: Whether it counted for a rating.
    rated: bool = False


_COLUMNS = [tries.c[name] for name in Tried._fields]


def keep(connection: sa.Connection, guest: Guest, ref: str, given: str, attempt: Attempt, now: float) -> Tried | None:
    """Note how an attempt stands. What was done before counts: who begins anew has still made the mistakes of before,
    and who has done a task once has done it. The row, if the task was done by this for the first time."""
    before = find(connection, guest, ref, given)
    if before is not None and before.solved:
        return None
    first = attempt.chosen[0] if attempt.chosen else None
    tried = Tried(guest, ref, given, now, attempt.solved, attempt.mistakes, first, attempt.hints)
    if before is None:
        connection.execute(sa.insert(tries).values(**tried._asdict()))
    else:
        tried = tried._replace(
            mistakes=max(before.mistakes, tried.mistakes),
            wrong=before.wrong or tried.wrong,
            hints=max(before.hints, tried.hints),
            rated=before.rated,
        )
        connection.execute(sa.update(tries).where(_is(guest, ref, given)).values(**tried._asdict()))
    return tried if tried.solved else None


def count_for_rating(connection: sa.Connection, tried: Tried) -> None:
    """A task that was done counted for a rating."""
    connection.execute(sa.update(tries).where(_is(tried.guest, tried.task, tried.given)).values(rated=True))


def find(connection: sa.Connection, guest: Guest, ref: str, given: str = BY_ONESELF) -> Tried | None:
    row = connection.execute(sa.select(*_COLUMNS).where(_is(guest, ref, given))).one_or_none()
    return None if row is None else Tried(*row)


def tries_of(connection: sa.Connection, guest: Guest, kind: str = "") -> list[Tried]:
    """What somebody has tried, the first first: everything, or the tasks of a kind (`lesson`)."""
    query = sa.select(*_COLUMNS).where(tries.c.guest == guest, tries.c.task.startswith(f"{kind}/" if kind else ""))
    return [Tried(*row) for row in connection.execute(query.order_by(tries.c.id))]


def tries_for(connection: sa.Connection, given: str, guests: Collection[Guest]) -> list[Tried]:
    """What these have tried of a set that was given to them."""
    query = sa.select(*_COLUMNS).where(tries.c.given == given, tries.c.guest.in_([*guests]))
    return [Tried(*row) for row in connection.execute(query.order_by(tries.c.id))]


def solved_by(connection: sa.Connection, guest: Guest | None, kind: str) -> set[str]:
    """The tasks of a kind that somebody has done, by whomever they were given."""
    if guest is None:
        return set()
    query = sa.select(tries.c.task).where(tries.c.guest == guest, tries.c.solved, tries.c.task.startswith(f"{kind}/"))
    return set(connection.scalars(query))


def hand_over(connection: sa.Connection, was: Guest, now: Guest) -> None:
    """What a guest has tried becomes another's, who turned out to be the same; of a task that both tried, what was done
    stays rather than what was not."""
    mine = {(each.task, each.given): each for each in tries_of(connection, now)}
    for each in tries_of(connection, was):
        own = mine.get((each.task, each.given))
        if own is not None and (own.solved or not each.solved):
            connection.execute(sa.delete(tries).where(_is(was, each.task, each.given)))
        else:
            if own is not None:
                connection.execute(sa.delete(tries).where(_is(now, own.task, own.given)))
            connection.execute(sa.update(tries).where(_is(was, each.task, each.given)).values(guest=now))


def _is(guest: Guest, ref: str, given: str) -> "sa.ColumnElement[bool]":
    return sa.and_(tries.c.guest == guest, tries.c.task == ref, tries.c.given == given)
