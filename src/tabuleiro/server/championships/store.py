"""The tables of championships, read and written inside a transaction that the caller has begun."""

from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.championship.events import Person
from tabuleiro.championship.people import Details
from tabuleiro.server.identity import Who
from tabuleiro.server.log import Event, Guest, Json
from tabuleiro.server.people.store import NewPerson, make_guests, make_people
from tabuleiro.server.store import MAX_ROWS
from tabuleiro.server.tables import arbiters, cards, class_codes, entrants, events, guests, people, streams

KIND = "championship"


class Entrant(NamedTuple):
    """A person of a championship as this server knows them."""

    person: Person
    guest: Guest
    name: str
    school_class: str
    arrangements: tuple[str, ...]
    key: str

    def details(self) -> Details:
        return Details(self.name, self.school_class, self.arrangements, self.key)


@dataclass(frozen=True)
class Hall:
    """A championship as `permissions.py` sees it: who it belongs to, who arbitrates the section in question, who plays.
    Of arbiters and pupils only the one who asks is looked up."""

    teachers: Container[Guest]
    pupils: Container[Guest]
    arbiters: Container[Guest]


class Arbiter(NamedTuple):
    guest: Guest
    name: str
    section: str


# -------------------------------------------------------------------------------------------------------------- reading


def find_entrants(
    connection: sa.Connection, stream: str, wanted: Collection[Person] | None = None
) -> dict[Person, Entrant]:
    """The persons of a championship, or some of them; who was erased is not among them."""
    query = (
        sa.select(
            entrants.c.person,
            entrants.c.guest,
            people.c.name,
            people.c.class_name,
            entrants.c.arrangements,
            people.c.key,
        )
        .join(people, people.c.guest == entrants.c.guest)
        .where(entrants.c.stream == stream)
        .order_by(entrants.c.person)
    )
    parts = [None] if wanted is None else [[*wanted][at : at + MAX_ROWS] for at in range(0, len(wanted), MAX_ROWS)]
    found = {}
    for part in parts:
        rows = connection.execute(query if part is None else query.where(entrants.c.person.in_(part)))
        for row in rows:
            found[row.person] = Entrant(
                row.person, row.guest, row.name, row.class_name, tuple(row.arrangements), row.key
            )
    return found


def person_of(connection: sa.Connection, stream: str, guest: Guest) -> Person | None:
    query = sa.select(entrants.c.person).where(entrants.c.stream == stream, entrants.c.guest == guest)
    return connection.scalar(query)


def arbitrates(connection: sa.Connection, stream: str, guest: Guest) -> str | None:
    """The section in which somebody is an arbiter, empty for all; None where they are not."""
    return connection.scalar(
        sa.select(arbiters.c.section).where(arbiters.c.stream == stream, arbiters.c.guest == guest)
    )


def hall_of(connection: sa.Connection, stream: str, who: Who) -> tuple[Hall, Json] | None:
    """A championship as it is to somebody, and its line in lists; None where there is none."""
    summary = summaries(connection, [stream]).get(stream)
    if summary is None:
        return None
    guest = who.guest if who.sign_in is not None else None
    referee = guest is not None and arbitrates(connection, stream, guest) is not None
    return Hall((summary["owner"],), (), (guest,) if referee and guest is not None else ()), summary


def list_arbiters(connection: sa.Connection, stream: str) -> list[Arbiter]:
    query = (
        sa.select(arbiters.c.guest, people.c.name, arbiters.c.section)
        .join(people, people.c.guest == arbiters.c.guest)
        .where(arbiters.c.stream == stream)
        .order_by(arbiters.c.section, people.c.name)
    )
    return [Arbiter(*row) for row in connection.execute(query)]


def summaries(connection: sa.Connection, ids: Collection[str] | None = None) -> dict[str, Json]:
    """The championships of this server as lists tell them, or these of them; the newest first."""
    query = sa.select(streams.c.id, streams.c.summary).where(streams.c.kind == KIND).order_by(streams.c.updated.desc())
    if ids is not None:
        query = query.where(streams.c.id.in_([*ids]))
    return {row.id: row.summary for row in connection.execute(query)}


def entered_by(connection: sa.Connection, guest: Guest) -> set[str]:
    """The championships in which somebody plays or arbitrates."""
    queries = (sa.select(table.c.stream).where(table.c.guest == guest) for table in (entrants, arbiters))
    return {stream for query in queries for stream in connection.scalars(query)}


def with_card_of_another(connection: sa.Connection, stream: str) -> set[Guest]:
    """The entrants whose card is that of a class, or of another championship."""
    here = sa.select(entrants.c.guest).where(entrants.c.stream == stream)
    return {*connection.scalars(sa.select(cards.c.guest).where(cards.c.guest.in_(here), cards.c.stream != stream))}


def entries_of(connection: sa.Connection, guest: Guest) -> list[tuple[str, Person]]:
    """The championships that somebody plays in, and their number in each."""
    query = sa.select(entrants.c.stream, entrants.c.person).where(entrants.c.guest == guest)
    return [(row.stream, row.person) for row in connection.execute(query)]


def outcomes(connection: sa.Connection, sessions: Collection[str]) -> set[str]:
    """Those of these sessions that are over."""
    query = sa.select(streams.c.id, streams.c.summary).where(streams.c.id.in_([*sessions]))
    return {row.id for row in connection.execute(query) if row.summary["status"] == "over"}


# -------------------------------------------------------------------------------------------------------------- writing


def enter(
    connection: sa.Connection, stream: str, new: Mapping[Person, Details], schools: Mapping[Person, str], now: float
) -> None:
    """Persons who are new to this server as well: each becomes one of its people."""
    numbers = make_guests(connection, len(new))
    made = []
    for guest, (person, details) in zip(numbers, new.items(), strict=True):
        shown = short_name(details.name)
        made.append(NewPerson(guest, details.name, shown[:20], schools.get(person, ""), details.school_class))
    make_people(connection, made, now)
    who = zip(new.items(), numbers, strict=True)
    link(connection, stream, [(person, guest, details.arrangements) for (person, details), guest in who])


def link(connection: sa.Connection, stream: str, who: Iterable[tuple[Person, Guest, tuple[str, ...]]]) -> None:
    """These persons of a championship are these guests."""
    rows = [
        {"stream": stream, "person": person, "guest": guest, "arrangements": list(arrangements)}
        for person, guest, arrangements in who
    ]
    if rows:
        connection.execute(sa.insert(entrants), rows)


def add_events(connection: sa.Connection, stream: str, added: Iterable[Event]) -> None:
    """The events with which a championship begins."""
    rows = [{"stream": stream, **event._asdict()} for event in added]
    connection.execute(sa.insert(events), rows)


def appoint(connection: sa.Connection, stream: str, guest: Guest, section: str) -> None:
    connection.execute(sa.insert(arbiters).values(stream=stream, guest=guest, section=section))


def only_here(connection: sa.Connection, stream: str) -> list[Guest]:
    """The people who are on this server for the sake of one championship: no class has them, nor another one."""
    here = sa.select(entrants.c.guest).where(entrants.c.stream == stream)
    elsewhere = sa.select(entrants.c.guest).where(entrants.c.stream != stream)
    with_card = sa.select(cards.c.guest).where(cards.c.stream != stream)
    query = sa.select(guests.c.id).where(
        guests.c.id.in_(here), guests.c.id.not_in(elsewhere), guests.c.id.not_in(with_card)
    )
    referees = sa.select(arbiters.c.guest).where(arbiters.c.stream == stream)
    return [*connection.scalars(query), *connection.scalars(referees)]


def forget(connection: sa.Connection, stream: str) -> None:
    """What belongs to a championship besides its events."""
    for table in (entrants, arbiters, cards, class_codes):
        connection.execute(sa.delete(table).where(table.c.stream == stream))


def short_name(name: str) -> str:
    """First name and initial, as public pages show it.

    >>> short_name("Ana Maria Silva"), short_name("Rui")
    ('Ana S.', 'Rui')
    """
    words = name.split()
    return f"{words[0]} {words[-1][0].upper()}." if len(words) > 1 else name
