"""Whom somebody meets in the lobby, and how each of these is: free, playing, away, gone."""

from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

import sqlalchemy as sa

from tabuleiro.server.identity import Who
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people import results, store
from tabuleiro.server.people.challenges import open_to_anybody
from tabuleiro.server.people.class_view import told_ratings
from tabuleiro.server.people.site_settings import read_settings
from tabuleiro.server.sessions import GameSession
from tabuleiro.server.store import MAX_ROWS
from tabuleiro.server.tables import members, streams

#: Seconds after which somebody whose game has not gone on counts as free.
STILL_PLAYING = 15 * 60.0

State = Literal["free", "playing", "away", "offline"]


class Circle(NamedTuple):
    """Who meet each other: these, and where the lobby is open everybody who is signed in. It is the same for all of
    them, so that what is told to one is told to all."""

    is_open: bool
    members: frozenset[Guest]

    def includes(self, guest: Guest) -> bool:
        return self.is_open or guest in self.members


class Present(NamedTuple):
    """Who is connected, and who of them has turned to something else."""

    here: Collection[Guest]
    away: Collection[Guest]


def circle_of(connection: sa.Connection, who: Who) -> Circle:
    """The people of one's own classes, oneself among them; for organisers, and where they have opened the lobby,
    everybody."""
    assert who.guest is not None
    settings = read_settings(connection)
    classes = store.classes_with(connection, who.guest)
    own = frozenset(guest for each in classes for guest in (*each["pupils"], *each["teachers"]))
    return Circle(settings.open_lobby or who.role == "organiser", own)


def lines(connection: sa.Connection, guests: Iterable[Guest], present: Present, now: float) -> list[Json]:
    """What the lobby says of these people."""
    numbers = [*guests]
    told: list[Json] = []
    for begin in range(0, len(numbers), MAX_ROWS):
        some = numbers[begin : begin + MAX_ROWS]
        people = store.find_people(connection, some)
        playing = _playing(connection, some, now - STILL_PLAYING)
        seeks = open_to_anybody(connection, some, now)
        ratings = results.current(connection, some)
        hidden = with_hidden_ratings(connection, some)
        for guest, person in people.items():
            if person.removed is not None:
                continue
            mine = {} if guest in hidden else ratings.get(guest, {})
            told.append(
                {
                    "guest": guest,
                    "name": person.shown,
                    "role": person.role,
                    "state": _state(guest, present, playing),
                    "playing": playing.get(guest),
                    "seeks": seeks.get(guest),
                    "ratings": told_ratings(mine),
                }
            )
    return told


def _state(guest: Guest, present: Present, playing: Collection[Guest]) -> State:
    if guest not in present.here:
        return "offline"
    if guest in playing:
        return "playing"
    return "away" if guest in present.away else "free"


def _playing(connection: sa.Connection, guests: Collection[Guest], since: float) -> dict[Guest, Json]:
    """The game that each of these is in, the one in which something happened last."""
    query = (
        sa.select(members.c.guest, streams.c.id, streams.c.summary)
        .join(streams, streams.c.id == members.c.stream)
        .where(members.c.guest.in_([*guests]), streams.c.kind == GameSession.kind, streams.c.updated > since)
        .order_by(streams.c.updated)
    )
    return {
        row.guest: {"session": row.id, "game": row.summary["game"]}
        for row in connection.execute(query)
        if row.summary["status"] == "playing"
    }


def with_hidden_ratings(connection: sa.Connection, guests: Collection[Guest]) -> set[Guest]:
    """Those whose class does not show ratings to pupils."""
    return {
        guest
        for guest, classes in store.classes_of(connection, guests).items()
        if any(not summary["rules"].get("ratings", True) for summary in classes.values())
    }
