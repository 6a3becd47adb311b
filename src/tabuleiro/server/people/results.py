"""The results of rated games, and the ratings made of them, read and written. Each function works inside a transaction
that the caller has begun: a result is stored with the event that ended its game."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.core import Player
from tabuleiro.players.ladder import ladder_of
from tabuleiro.server.log import Event, Guest
from tabuleiro.server.people.ratings import RatedGame, Rating, level_rating, rate, rated_game
from tabuleiro.server.sessions import ENDS, GameSession
from tabuleiro.server.store import MAX_ROWS, Also
from tabuleiro.server.tables import events, guests, people, results, streams

#: Asked whenever a game ends: to put it together costs more than to ask it.
_PEOPLE = sa.select(guests.c.id).where(
    guests.c.id.in_(sa.bindparam("numbers", expanding=True)), guests.c.token_hash.like("person %")
)


class Result(NamedTuple):
    """A rated game of somebody, and their rating after it."""

    session: str
    game: str
    ended: float
    opponent: Guest | None
    level: int | None
    score: float
    rating: Rating


def current(connection: sa.Connection, numbers: Collection[Guest]) -> dict[Guest, dict[str, Rating]]:
    """The ratings of people, by game."""
    newest = (
        sa.select(results.c.guest, results.c.game, sa.func.max(results.c.ended).label("ended"))
        .where(results.c.guest.in_([*numbers]))
        .group_by(results.c.guest, results.c.game)
        .subquery()
    )
    query = sa.select(results.c.guest, results.c.game, results.c.mu, results.c.sigma).join(
        newest,
        sa.and_(results.c.guest == newest.c.guest, results.c.game == newest.c.game, results.c.ended == newest.c.ended),
    )
    found: dict[Guest, dict[str, Rating]] = {}
    for row in connection.execute(query):
        found.setdefault(row.guest, {})[row.game] = Rating(row.mu, row.sigma)
    return found


def history(connection: sa.Connection, guest: Guest) -> list[Result]:
    """The rated games of somebody, the oldest first."""
    query = sa.select(results).where(results.c.guest == guest).order_by(results.c.ended, results.c.session)
    return [
        Result(row.session, row.game, row.ended, row.opponent, row.level, row.score, Rating(row.mu, row.sigma))
        for row in connection.execute(query)
    ]


def wins(connection: sa.Connection, pupils: Collection[Guest], game: str, since: float) -> list[tuple[Guest, Guest]]:
    """Who beat whom of these in a game, in the order in which that happened."""
    query = (
        sa.select(results.c.guest, results.c.opponent)
        .where(results.c.guest.in_([*pupils]), results.c.game == game, results.c.ended > since, results.c.score == 1)
        .where(results.c.opponent.is_not(None))
        .order_by(results.c.ended, results.c.session)
    )
    return [(row.guest, row.opponent) for row in connection.execute(query)]


def recorded_with(session: GameSession, event: Event) -> Also | None:
    """Return what stores the result of a session with the event that ended it, if it counts for ratings."""
    played = rated_game(session, event.at)
    return None if played is None else partial(store_result, played=played)


def store_result(connection: sa.Connection, played: RatedGame) -> None:
    """A rated game has ended: the people who played it are rated anew. Where a game that ended later was stored before
    (by another process), all of that game are rated again, in the order in which they ended."""
    persons = _people(connection, [guest for guest in played.guests if guest is not None])
    if not _counts(played, persons):
        return
    later = sa.select(results.c.session).where(results.c.game == played.game, results.c.ended > played.ended)
    if connection.execute(later.limit(1)).first() is not None:
        rebuild(connection, played.game)
        return
    ratings = {guest: found.get(played.game, Rating()) for guest, found in current(connection, persons).items()}
    _insert(connection, _rows(played, ratings))


def _counts(played: RatedGame, persons: Collection[Guest]) -> bool:
    """Guests without a card are not rated, and nobody is by playing them."""
    return all(guest is None or guest in persons for guest in played.guests)


def _people(connection: sa.Connection, numbers: Sequence[Guest]) -> set[Guest]:
    """Those of these guests who are people, or were before they were erased."""
    return set(connection.scalars(_PEOPLE, {"numbers": [*numbers]}))


def _rows(played: RatedGame, ratings: dict[Guest, Rating]) -> list[dict[str, object]]:
    """What is written of a game; `ratings` become those after it."""
    sides = [
        level_rating(played.game, played.level or 0) if guest is None else ratings.get(guest, Rating())
        for guest in played.guests
    ]
    after = rate(sides[0], sides[1], played.score(Player.ONE))
    ladder = None if played.level is None else ladder_of(played.game)
    rows: list[dict[str, object]] = []
    for player, guest, rating in zip(Player, played.guests, after, strict=True):
        if guest is not None:
            ratings[guest] = rating
            rows.append(
                {
                    "session": played.session,
                    "guest": guest,
                    "game": played.game,
                    "ended": played.ended,
                    "opponent": played.guests[2 - player],
                    "level": played.level,
                    "score": played.score(player),
                    "mu": rating.mu,
                    "sigma": rating.sigma,
                    "ladder": None if ladder is None else ladder.version,
                }
            )
    return rows


# ------------------------------------------------------------------------------------------------------ from the events


def rebuild(connection: sa.Connection, game: str) -> None:
    """Rate everybody in a game anew, from the events of all its sessions. Where two people turned out to be one, the
    games of both are that one's; what somebody played as a guest, and keeps, counts for nobody."""
    found = sorted(_finished(connection, game), key=lambda each: (each[0].ended, each[0].session))
    persons = _people(connection, sorted({guest for each, _ in found for guest in each.guests if guest is not None}))
    played = [
        each._replace(guests=(_whose(each.guests[0], later, persons), _whose(each.guests[1], later, persons)))
        for each, later in found
    ]
    persons |= {now for _, later in found for was, now in later.items() if was in persons}
    connection.execute(sa.delete(results).where(results.c.game == game))
    ratings: dict[Guest, Rating] = {}
    _insert(connection, [row for each in played if _counts(each, persons) for row in _rows(each, ratings)])


def _whose(guest: Guest | None, later: dict[Guest | None, Guest], persons: Collection[Guest]) -> Guest | None:
    return later.get(guest, guest) if guest in persons else guest


def _insert(connection: sa.Connection, rows: list[dict[str, object]]) -> None:
    """Of who was erased nothing is kept."""
    for begin in range(0, len(rows), MAX_ROWS):
        some = rows[begin : begin + MAX_ROWS]
        wanted = [row["guest"] for row in some]
        known = set(connection.scalars(sa.select(people.c.guest).where(people.c.guest.in_(wanted))))
        if kept := [row for row in some if row["guest"] in known]:
            connection.execute(sa.insert(results), kept)


def _finished(connection: sa.Connection, game: str) -> Iterator[tuple[RatedGame, dict[Guest | None, Guest]]]:
    """Each game that counts as it was when it ended, and whose seat was given to whom after that."""
    over = streams.c.summary["status"].as_string() == "over"
    query = sa.select(streams.c.id, streams.c.settings, streams.c.created).where(
        streams.c.kind == GameSession.kind, over, streams.c.summary["game"].as_string() == game
    )
    for row in connection.execute(query).all():
        told = sa.select(events.c.number, events.c.kind, events.c.data, events.c.at)
        session = GameSession.begin(row.id, row.settings, row.created)
        played, later = None, {}
        for each in connection.execute(told.where(events.c.stream == row.id).order_by(events.c.number)):
            session.apply(Event(*each))
            if session.outcome is not None and (each.kind == "move" or each.kind in ENDS):
                played = rated_game(session, each.at)
            elif session.outcome is not None and each.kind == "reseat":
                later[each.data["was"]] = each.data["guest"]
        if played is not None:
            yield played, later
