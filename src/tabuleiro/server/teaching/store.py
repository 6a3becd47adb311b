"""The tables of sets, read and written. Each function works inside a transaction that the caller has begun."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people.store import classes_of
from tabuleiro.server.tables import givings, sets


class TaskSet(NamedTuple):
    id: str
    owner: Guest
    name: str
    made: float
    tasks: list[str]
    file_name: str | None
    file: str | None


class Giving(NamedTuple):
    set: str
    #: The class.
    stream: str
    at: float
    until: str | None

    @property
    def is_over(self) -> bool:
        """Whether the last day, by the calendar of this machine, is past."""
        return self.until is not None and date.today().isoformat() > self.until


_SET = [sets.c[name] for name in TaskSet._fields]
_GIVING = [givings.c[name] for name in Giving._fields]


def make_set(connection: sa.Connection, made: TaskSet) -> None:
    connection.execute(sa.insert(sets).values(**made._asdict()))


def find_sets(connection: sa.Connection, ids: Collection[str]) -> dict[str, TaskSet]:
    rows = connection.execute(sa.select(*_SET).where(sets.c.id.in_([*ids])))
    return {row.id: TaskSet(*row) for row in rows}


def sets_of(connection: sa.Connection, owner: Guest) -> list[TaskSet]:
    """What a teacher has put together, the newest first."""
    rows = connection.execute(sa.select(*_SET).where(sets.c.owner == owner).order_by(sets.c.made.desc()))
    return [TaskSet(*row) for row in rows]


def remove_set(connection: sa.Connection, set_id: str) -> None:
    connection.execute(sa.delete(givings).where(givings.c.set == set_id))
    connection.execute(sa.delete(sets).where(sets.c.id == set_id))


def give(connection: sa.Connection, giving: Giving) -> None:
    """Give a set to a class, or give it another last day."""
    before = sa.and_(givings.c.set == giving.set, givings.c.stream == giving.stream)
    if not connection.execute(sa.update(givings).where(before).values(until=giving.until)).rowcount:
        connection.execute(sa.insert(givings).values(**giving._asdict()))


def take_back(connection: sa.Connection, set_id: str, class_id: str) -> bool:
    """False: it was not given to that class."""
    here = sa.delete(givings).where(givings.c.set == set_id, givings.c.stream == class_id)
    return bool(connection.execute(here).rowcount)


def given_to(connection: sa.Connection, classes: Collection[str]) -> list[Giving]:
    """What these classes have been given, the newest first."""
    rows = connection.execute(
        sa.select(*_GIVING).where(givings.c.stream.in_([*classes])).order_by(givings.c.at.desc(), givings.c.set)
    )
    return [Giving(*row) for row in rows]


def givings_of(connection: sa.Connection, ids: Sequence[str]) -> list[Giving]:
    """To which classes these sets are given."""
    return [Giving(*row) for row in connection.execute(sa.select(*_GIVING).where(givings.c.set.in_([*ids])))]


def given_to_pupil(connection: sa.Connection, pupil: Guest) -> list[Giving]:
    """What a pupil has been given by their classes."""
    found = classes_of(connection, [pupil]).get(pupil, {})
    return given_to(connection, [class_id for class_id, summary in found.items() if pupil in summary["pupils"]])


def set_json(made: TaskSet) -> Json:
    return {"id": made.id, "name": made.name, "made": made.made, "tasks": len(made.tasks)}
