"""The tables of people, read and written. Each function works inside a transaction that the caller has begun, so what
belongs together is stored together: an act and its line in the audit log, an event and the people it speaks of."""

import secrets
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from tabuleiro.server.identity import Role
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.store import forget_bots
from tabuleiro.server.tables import (
    adults,
    arbiters,
    audit,
    cards,
    challenges,
    class_codes,
    entrants,
    erasures,
    events,
    givings,
    guests,
    links,
    members,
    mistakes,
    people,
    results,
    searched,
    sets,
    sign_ins,
    solver_ratings,
    streams,
    tries,
)

#: Lines of the audit log that are shown.
MAX_AUDIT = 500
DAY = 24 * 3600.0


class NewPerson(NamedTuple):
    guest: Guest
    name: str
    #: What others see.
    shown: str
    school: str = ""
    class_name: str = ""
    cycle: str = ""


class Person(NamedTuple):
    guest: Guest
    name: str
    shown: str | None
    school: str
    class_name: str
    cycle: str
    removed: float | None
    role: Role


class Login(NamedTuple):
    guest: Guest
    login: str | None
    password_hash: str | None


class Card(NamedTuple):
    guest: Guest
    token_hash: str
    stream: str
    code_hash: str


class SignIn(NamedTuple):
    id: int
    kind: str
    created: float
    used: float


def make_guests(connection: sa.Connection, count: int) -> list[Guest]:
    """Guests for people who are about to be made. They have no cookie of their own: people sign in."""
    made = []
    for _ in range(count):
        row = connection.execute(sa.insert(guests).values(token_hash=f"person {secrets.token_hex(16)}"))
        key = row.inserted_primary_key
        assert key is not None
        made.append(int(key[0]))
    return made


def make_people(connection: sa.Connection, new: Sequence[NewPerson], now: float) -> None:
    for person in new:
        row = person._asdict()
        del row["shown"]
        connection.execute(sa.insert(people).values(**row, key=secrets.token_hex(16), created=now, seen=now))
        connection.execute(sa.update(guests).where(guests.c.id == person.guest).values(nickname=person.shown))


def make_adult(connection: sa.Connection, new: NewPerson, role: Role, now: float) -> None:
    make_people(connection, [new], now)
    connection.execute(sa.insert(adults).values(guest=new.guest, role=role))


def note(connection: sa.Connection, now: float, guest: Guest, act: str, **about: Any) -> None:
    """A line of the audit log: numbers only, no names."""
    connection.execute(sa.insert(audit).values(at=now, guest=guest, act=act, about=about))


# -------------------------------------------------------------------------------------------------------------- reading


_PERSON = (
    sa.select(
        people.c.guest,
        people.c.name,
        guests.c.nickname,
        people.c.school,
        people.c.class_name,
        people.c.cycle,
        people.c.removed,
        adults.c.role,
    )
    .join(guests, guests.c.id == people.c.guest)
    .outerjoin(adults, adults.c.guest == people.c.guest)
)


def find_people(connection: sa.Connection, numbers: Collection[Guest]) -> dict[Guest, Person]:
    rows = connection.execute(_PERSON.where(people.c.guest.in_([*numbers])))
    return {row.guest: Person(*row[:-1], role=row.role or "pupil") for row in rows}


def list_adults(connection: sa.Connection) -> list[Person]:
    rows = connection.execute(_PERSON.where(adults.c.role.is_not(None)).order_by(people.c.guest))
    return [Person(*row[:-1], role=row.role) for row in rows]


def list_people(connection: sa.Connection) -> list[Person]:
    rows = connection.execute(_PERSON.order_by(people.c.guest))
    return [Person(*row[:-1], role=row.role or "pupil") for row in rows]


def everything_about(connection: sa.Connection, guest: Guest) -> Json | None:
    """All that is kept about somebody, in their own hands; hashes, which say nothing, stay where they are."""
    person = find_people(connection, [guest]).get(guest)
    if person is None:
        return None
    mine = sa.select(members.c.stream).where(members.c.guest == guest)
    query = sa.select(streams).where(streams.c.id.in_(mine), streams.c.kind == "session").order_by(streams.c.created)
    games = []
    for row in connection.execute(query).all():
        told = sa.select(events).where(events.c.stream == row.id).order_by(events.c.number)
        moves = [each.data["move"] for each in connection.execute(told) if each.kind == "move"]
        games.append({"id": row.id, "created": row.created, "updated": row.updated, **row.summary, "moves": moves})
    classes = {number: summary["name"] for number, summary in classes_of(connection, [guest]).get(guest, {}).items()}
    sign_ins_now = [each._asdict() for each in list_sign_ins(connection, guest)]
    rated = connection.execute(sa.select(results).where(results.c.guest == guest).order_by(results.c.ended))
    strengths = connection.execute(sa.select(solver_ratings).where(solver_ratings.c.guest == guest))
    tried = connection.execute(sa.select(tries).where(tries.c.guest == guest).order_by(tries.c.id))
    cards_kept = connection.execute(sa.select(mistakes).where(mistakes.c.guest == guest).order_by(mistakes.c.id))
    return {
        "person": person._asdict(),
        "classes": classes,
        "sign_ins": sign_ins_now,
        "games": games,
        "results": [{str(name): value for name, value in row._mapping.items()} for row in rated],
        "puzzles": [{str(name): value for name, value in row._mapping.items()} for row in strengths],
        "tasks": [{str(name): value for name, value in row._mapping.items()} for row in tried],
        "mistakes": [{str(name): value for name, value in row._mapping.items()} for row in cards_kept],
        "votes": _votes_of(connection, guest),
        "sets": _sets_of(connection, guest),
    }


def _votes_of(connection: sa.Connection, guest: Guest) -> list[Json]:
    """What somebody chose in votes of a class, as long as these are kept."""
    mine = sa.select(members.c.stream).join(streams, streams.c.id == members.c.stream)
    votes = mine.where(members.c.guest == guest, streams.c.kind == "vote")
    told = sa.select(events).where(events.c.stream.in_(votes), events.c.kind == "vote").order_by(events.c.at)
    return [
        {"at": row.at, "choice": row.data["choice"]} for row in connection.execute(told) if row.data["guest"] == guest
    ]


def _sets_of(connection: sa.Connection, guest: Guest) -> list[Json]:
    """The sets of tasks that a teacher has put together."""
    rows = connection.execute(sa.select(sets).where(sets.c.owner == guest).order_by(sets.c.made))
    return [{str(name): value for name, value in row._mapping.items()} for row in rows]


def has_come_in(connection: sa.Connection, guest: Guest) -> bool:
    """Whether somebody can come in without a link: they have a password, or are signed in somewhere."""
    login = password_of(connection, guest=guest)
    return (login is not None and login.password_hash is not None) or bool(list_sign_ins(connection, guest))


def password_of(connection: sa.Connection, *, login: str | None = None, guest: Guest | None = None) -> Login | None:
    """By the name somebody signs in with, or by their number."""
    query = sa.select(adults.c.guest, adults.c.login, adults.c.password_hash)
    found = adults.c.login == login if guest is None else adults.c.guest == guest
    row = connection.execute(query.where(found)).one_or_none()
    return None if row is None else Login(*row)


def card_owner(connection: sa.Connection, hashed: str) -> tuple[Guest, str] | None:
    """Whose card has this token, and of which class."""
    query = sa.select(cards.c.guest, cards.c.stream).where(cards.c.token_hash == hashed, _still_there(cards.c.guest))
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.guest, row.stream)


def class_with_code(connection: sa.Connection, code: str) -> str | None:
    return connection.scalar(sa.select(class_codes.c.stream).where(class_codes.c.code == code))


def code_owner(connection: sa.Connection, stream: str, hashed: str) -> Guest | None:
    here = (cards.c.stream == stream, cards.c.code_hash == hashed, _still_there(cards.c.guest))
    return connection.scalar(sa.select(cards.c.guest).where(*here))


def _still_there(guest: sa.Column[int]) -> sa.ColumnElement[bool]:
    """Somebody who was removed can be brought back, and until then does not come in."""
    return guest.in_(sa.select(people.c.guest).where(people.c.removed.is_(None)))


def classes_of(connection: sa.Connection, numbers: Collection[Guest]) -> dict[Guest, dict[str, Json]]:
    """The classes to which guests belong, or belonged, as pupils, with what is told of each in lists."""
    query = (
        sa.select(members.c.guest, streams.c.id, streams.c.summary)
        .join(streams, streams.c.id == members.c.stream)
        .where(members.c.guest.in_([*numbers]), streams.c.kind == "class")
    )
    found: dict[Guest, dict[str, Json]] = {}
    for row in connection.execute(query):
        if row.guest in row.summary["pupils"] or row.guest in row.summary["removed"]:
            found.setdefault(row.guest, {})[row.id] = row.summary
    return found


def classes_with(connection: sa.Connection, guest: Guest) -> list[Json]:
    """The classes of which somebody is a pupil or a teacher, as lists tell them."""
    query = sa.select(streams.c.summary).join(members, members.c.stream == streams.c.id)
    found = connection.scalars(query.where(members.c.guest == guest, streams.c.kind == "class"))
    return [each for each in found if guest in each["pupils"] or guest in each["teachers"]]


def all_classes(connection: sa.Connection) -> list[Json]:
    return [*connection.scalars(sa.select(streams.c.summary).where(streams.c.kind == "class"))]


def own_sessions(connection: sa.Connection, hashed: str) -> list[str]:
    """The games of a browser's own guest."""
    mine = sa.select(members.c.stream).join(guests, guests.c.id == members.c.guest).where(guests.c.token_hash == hashed)
    query = sa.select(streams.c.id).where(streams.c.id.in_(mine), streams.c.kind == "session")
    return [*connection.scalars(query)]


def to_keep(connection: sa.Connection, hashed: str) -> int:
    """How many games and tries of tasks a browser's own guest has."""
    tried = sa.select(sa.func.count()).select_from(tries).join(guests, guests.c.id == tries.c.guest)
    return (
        len(own_sessions(connection, hashed))
        + connection.execute(tried.where(guests.c.token_hash == hashed)).scalar_one()
    )


def list_classes(connection: sa.Connection, teacher: Guest | None) -> list[Json]:
    """The classes of a teacher, or all."""
    query = sa.select(streams.c.id, streams.c.summary).where(streams.c.kind == "class").order_by(streams.c.created)
    if teacher is not None:
        query = query.where(streams.c.id.in_(sa.select(members.c.stream).where(members.c.guest == teacher)))
    return [
        {
            "id": row.id,
            "name": row.summary["name"],
            "school": row.summary["school"],
            "pupils": len(row.summary["pupils"]),
        }
        for row in connection.execute(query)
        if teacher is None or teacher in row.summary["teachers"]
    ]


def list_audit(connection: sa.Connection) -> list[Json]:
    """The newest lines of the audit log, the newest first."""
    rows = connection.execute(sa.select(audit).order_by(audit.c.id.desc()).limit(MAX_AUDIT))
    return [{"at": row.at, "guest": row.guest, "act": row.act, "about": row.about} for row in rows]


def list_sign_ins(connection: sa.Connection, guest: Guest) -> list[SignIn]:
    query = sa.select(sign_ins.c.id, sign_ins.c.kind, sign_ins.c.created, sign_ins.c.used)
    rows = connection.execute(query.where(sign_ins.c.guest == guest).order_by(sign_ins.c.used.desc()))
    return [SignIn(*row) for row in rows]


# -------------------------------------------------------------------------------------------------------------- writing


def sign_in(connection: sa.Connection, old_hash: str, new_hash: str, guest: Guest, kind: str, now: float) -> None:
    """A browser acts for a person from now on, with a new cookie: what somebody knew of the old one is worth nothing.
    Its own guest stays what it was, under the new cookie."""
    connection.execute(sa.delete(sign_ins).where(sign_ins.c.token_hash == old_hash))
    connection.execute(sa.update(guests).where(guests.c.token_hash == old_hash).values(token_hash=new_hash))
    connection.execute(sa.insert(sign_ins).values(token_hash=new_hash, guest=guest, kind=kind, created=now, used=now))
    connection.execute(sa.update(people).where(people.c.guest == guest).values(seen=now))


def sign_out(connection: sa.Connection, old_hash: str, new_hash: str) -> None:
    """A browser acts for its own guest again, with a new cookie."""
    connection.execute(sa.delete(sign_ins).where(sign_ins.c.token_hash == old_hash))
    connection.execute(sa.update(guests).where(guests.c.token_hash == old_hash).values(token_hash=new_hash))


def end_sign_in(connection: sa.Connection, guest: Guest, number: int) -> bool:
    ended = sa.delete(sign_ins).where(sign_ins.c.id == number, sign_ins.c.guest == guest)
    return connection.execute(ended).rowcount > 0


def touch(connection: sa.Connection, guest: Guest, sign_in: int, now: float) -> None:
    """Somebody is about. To the day is enough."""
    connection.execute(sa.update(people).where(people.c.guest == guest, people.c.seen < now - DAY).values(seen=now))
    connection.execute(sa.update(sign_ins).where(sign_ins.c.id == sign_in).values(used=now))


def use_link(connection: sa.Connection, hashed: str, now: float) -> Guest | None:
    """Whom a link signs in; it does so once."""
    row = connection.execute(
        sa.select(links.c.guest, links.c.expires).where(links.c.token_hash == hashed)
    ).one_or_none()
    if row is None:
        return None
    connection.execute(sa.delete(links).where(links.c.token_hash == hashed))
    return int(row.guest) if row.expires > now else None


def make_link(connection: sa.Connection, hashed: str, guest: Guest, expires: float) -> None:
    """A link for somebody, who has one at a time."""
    connection.execute(sa.delete(links).where(links.c.guest == guest))
    connection.execute(sa.insert(links).values(token_hash=hashed, guest=guest, expires=expires))


def set_password(connection: sa.Connection, guest: Guest, login: str, password_hash: str) -> bool:
    """False: somebody else has that name."""
    other = connection.scalar(sa.select(adults.c.guest).where(adults.c.login == login, adults.c.guest != guest))
    if other is not None:
        return False
    change = sa.update(adults).where(adults.c.guest == guest).values(login=login, password_hash=password_hash)
    connection.execute(change)
    return True


def set_class_code(connection: sa.Connection, stream: str, code: str) -> None:
    connection.execute(sa.insert(class_codes).values(code=code, stream=stream))


def replace_cards(connection: sa.Connection, new: Iterable[Card], now: float) -> None:
    """New cards; the old ones of these people, and whatever was signed in by them, end with it."""
    for card in new:
        connection.execute(sa.delete(cards).where(cards.c.guest == card.guest))
        connection.execute(sa.delete(sign_ins).where(sign_ins.c.guest == card.guest))
        connection.execute(sa.insert(cards).values(**card._asdict(), made=now))


def set_removed(connection: sa.Connection, guest: Guest, when: float | None) -> None:
    """Somebody goes, and is signed out everywhere; or comes back."""
    connection.execute(sa.update(people).where(people.c.guest == guest).values(removed=when))
    if when is not None:
        connection.execute(sa.delete(sign_ins).where(sign_ins.c.guest == guest))


def set_shown(connection: sa.Connection, names: dict[Guest, str]) -> None:
    """What others see of these."""
    for guest, name in names.items():
        connection.execute(sa.update(guests).where(guests.c.id == guest).values(nickname=name))


def forget_own_name(connection: sa.Connection, guest: Guest) -> None:
    """The guest of a browser turned out to be a person, who has a name of their own."""
    connection.execute(sa.update(guests).where(guests.c.id == guest).values(nickname=None))


def erase(connection: sa.Connection, guest: Guest, now: float) -> None:
    """Everything that says who somebody is goes. Their number stays in games, for those they played with."""
    key = connection.scalar(sa.select(people.c.key).where(people.c.guest == guest))
    if key is None:
        return
    for table in (
        sign_ins,
        cards,
        links,
        adults,
        entrants,
        arbiters,
        results,
        tries,
        mistakes,
        searched,
        solver_ratings,
    ):
        connection.execute(sa.delete(table).where(table.c.guest == guest))
    own = sa.select(sets.c.id).where(sets.c.owner == guest)
    connection.execute(sa.delete(givings).where(givings.c.set.in_(own)))
    connection.execute(sa.delete(sets).where(sets.c.owner == guest))
    connection.execute(sa.delete(challenges).where(sa.or_(challenges.c.by == guest, challenges.c.to == guest)))
    forget_bots(connection, guest)
    connection.execute(sa.delete(people).where(people.c.guest == guest))
    connection.execute(sa.update(guests).where(guests.c.id == guest).values(nickname=None, erased=True))
    if connection.scalar(sa.select(erasures.c.key).where(erasures.c.key == key)) is None:
        connection.execute(sa.insert(erasures).values(key=key, at=now))
