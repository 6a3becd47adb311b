"""Erasing people: at once, some days after they were removed, or when nothing was heard of them for long.

Who was erased is also written down in a file beside the database, by a random key that says nothing: so when a copy
made before is put back, whoever was erased since then is erased again before anybody is served.
"""

import os
from pathlib import Path

import sqlalchemy as sa

from tabuleiro.server.log import Guest
from tabuleiro.server.people import store
from tabuleiro.server.people.codes import folder_of
from tabuleiro.server.people.school_class import SECOND_THOUGHTS
from tabuleiro.server.people.site_settings import read_settings
from tabuleiro.server.people.tables import adults, erasures, people
from tabuleiro.server.store import events, members, streams

ERASED = "erased.txt"
#: Seconds.
MONTH = 365.25 / 12 * 24 * 3600


def erase_person(connection: sa.Connection, database: str, guest: Guest, now: float) -> bool:
    """Everything about somebody goes: name, card, sign-ins, and the games in which nobody else sits. What others played
    with them stays, with a number that says nothing. False: there is no such person."""
    key = connection.scalar(sa.select(people.c.key).where(people.c.guest == guest))
    if key is None:
        return False
    _write_down(folder_of(database) / ERASED, key)
    for session in _own_games(connection, guest):
        for table in (events, members):
            connection.execute(sa.delete(table).where(table.c.stream == session))
        connection.execute(sa.delete(streams).where(streams.c.id == session))
    store.erase(connection, guest, now)
    return True


def _own_games(connection: sa.Connection, guest: Guest) -> list[str]:
    """The games in which only this guest sits, at one screen or against the computer."""
    mine = sa.select(members.c.stream).where(members.c.guest == guest)
    others = sa.select(members.c.stream).where(members.c.guest != guest)
    query = sa.select(streams.c.id).where(
        streams.c.kind == "session", streams.c.id.in_(mine), streams.c.id.not_in(others)
    )
    return [*connection.scalars(query)]


def _write_down(file: Path, key: str) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a") as opened:
        opened.write(key + "\n")
        opened.flush()
        os.fsync(opened.fileno())


def erased_keys(connection: sa.Connection, database: str) -> set[str]:
    """The keys of everybody who was ever erased here."""
    file = folder_of(database) / ERASED
    keys = set(file.read_text().split()) if file.is_file() else set()
    return keys | set(connection.scalars(sa.select(erasures.c.key)))


def erase_what_is_due(connection: sa.Connection, database: str, now: float) -> None:
    """Erase again who came back with an old copy, and for good who was removed long enough ago or has not been seen for
    long. Organisers stay, so that a server that slept for a year can be woken."""
    keys = erased_keys(connection, database)
    organisers = sa.select(adults.c.guest).where(adults.c.role == "organiser")
    kept = read_settings(connection).keep_months * MONTH
    due = sa.select(people.c.guest, people.c.key).where(
        sa.or_(
            people.c.removed < now - SECOND_THOUGHTS,
            sa.and_(people.c.seen < now - kept, people.c.guest.not_in(organisers)),
        )
    )
    gone = [row.guest for row in connection.execute(due)]
    back = [row.guest for row in connection.execute(sa.select(people.c.guest, people.c.key)) if row.key in keys]
    for guest in {*gone, *back}:
        erase_person(connection, database, guest, now)
