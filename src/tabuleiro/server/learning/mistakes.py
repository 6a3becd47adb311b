"""Mistakes of one's own games, kept as cards: positions in which a better move was proven. Each function works inside
a transaction that the caller has begun."""

from typing import Any, NamedTuple

import sqlalchemy as sa

from tabuleiro.learn import Task
from tabuleiro.learn.points import Point, task_of
from tabuleiro.server.identity import Who
from tabuleiro.server.learning import cards
from tabuleiro.server.log import Guest
from tabuleiro.server.store import Store
from tabuleiro.server.tables import mistakes, searched

#: Cards of one person; nobody plays that many.
MAX_CARDS = 2000
#: Cards shown at once.
MAX_SHOWN = 50


class Mistake(NamedTuple):
    id: int
    point: Point
    found: float
    due: float
    #: How often it was answered.
    reviews: int
    card: dict[str, Any]

    @property
    def ref(self) -> str:
        return f"mistake/{self.id}"


def add(connection: sa.Connection, guest: Guest, point: Point, now: float) -> int | None:
    """Keep a point as a card, once; its number, or None where there is no more room."""
    same = (mistakes.c.guest == guest, mistakes.c.game == point.game, mistakes.c.position == point.position)
    known = connection.scalar(sa.select(mistakes.c.id).where(*same))
    if known is not None:
        return int(known)
    if _count(connection, mistakes.c.guest == guest) >= MAX_CARDS:
        return None
    row = sa.insert(mistakes).values(
        guest=guest,
        game=point.game,
        options=point.options,
        position=point.position,
        played=point.played,
        thrown=point.thrown,
        answer=list(point.answer),
        found=now,
        due=now,
        reviews=0,
        card=cards.new_card(now),
    )
    key = connection.execute(row).inserted_primary_key
    assert key is not None
    return int(key[0])


def find(connection: sa.Connection, guest: Guest, number: int) -> Mistake | None:
    row = connection.execute(
        sa.select(mistakes).where(mistakes.c.guest == guest, mistakes.c.id == number)
    ).one_or_none()
    return None if row is None else _read(row)


def due(connection: sa.Connection, guest: Guest, now: float) -> list[Mistake]:
    """The cards that are due, the longest due first."""
    query = sa.select(mistakes).where(mistakes.c.guest == guest, mistakes.c.due <= now)
    return [_read(row) for row in connection.execute(query.order_by(mistakes.c.due).limit(MAX_SHOWN))]


def counts(connection: sa.Connection, guest: Guest, now: float) -> tuple[int, int, float | None]:
    """How many cards there are, how many of them are due, and when the next of the others will be."""
    own = mistakes.c.guest == guest
    later = connection.scalar(sa.select(sa.func.min(mistakes.c.due)).where(own, mistakes.c.due > now))
    return _count(connection, own), _count(connection, own, mistakes.c.due <= now), later


def answer(connection: sa.Connection, guest: Guest, number: int, failed: bool, now: float) -> float | None:
    """Note how a card was answered; when it is due again, or None where there is none."""
    mistake = find(connection, guest, number)
    if mistake is None:
        return None
    card, when = cards.answered(mistake.card, failed, now)
    connection.execute(
        sa.update(mistakes).where(mistakes.c.id == number).values(card=card, due=when, reviews=mistake.reviews + 1)
    )
    return when


def remove(connection: sa.Connection, guest: Guest, number: int) -> bool:
    gone = connection.execute(sa.delete(mistakes).where(mistakes.c.guest == guest, mistakes.c.id == number))
    return bool(gone.rowcount)


def was_searched(connection: sa.Connection, guest: Guest) -> set[str]:
    """The games of somebody that were looked through."""
    return set(connection.scalars(sa.select(searched.c.session).where(searched.c.guest == guest)))


def note_searched(connection: sa.Connection, guest: Guest, session: str) -> None:
    if session not in was_searched(connection, guest):
        connection.execute(sa.insert(searched).values(guest=guest, session=session))


def hand_over(connection: sa.Connection, was: Guest, now: Guest) -> None:
    """The cards of a guest become another's, who turned out to be the same."""
    theirs = connection.execute(sa.select(mistakes).where(mistakes.c.guest == was)).all()
    mine = set(connection.execute(sa.select(mistakes.c.game, mistakes.c.position).where(mistakes.c.guest == now)))
    for row in theirs:
        if (row.game, row.position) in mine:
            connection.execute(sa.delete(mistakes).where(mistakes.c.id == row.id))
        else:
            connection.execute(sa.update(mistakes).where(mistakes.c.id == row.id).values(guest=now))
    for session in was_searched(connection, was):
        note_searched(connection, now, session)
    connection.execute(sa.delete(searched).where(searched.c.guest == was))


async def find_task(store: Store, rest: str, who: Who) -> Task | None:
    """The task `mistake/12`, for whose it is."""
    guest = who.guest
    if guest is None or not rest.isdecimal() or not rest.isascii() or len(rest) > 9:
        return None
    found = await store.read(lambda connection: find(connection, guest, int(rest)))
    return None if found is None else task_of(found.point)


def _count(connection: sa.Connection, *where: "sa.ColumnElement[bool]") -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(mistakes).where(*where)).scalar_one())


def _read(row: Any) -> Mistake:
    point = Point(row.game, row.options, row.position, row.played, row.thrown, tuple(row.answer))
    return Mistake(row.id, point, row.found, row.due, row.reviews, row.card)
