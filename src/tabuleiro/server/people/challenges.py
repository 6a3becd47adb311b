"""Challenges: who would like to play whom, or anybody. What a challenge is, and its table."""

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.language import Text
from tabuleiro.server.clock import ClockRule
from tabuleiro.server.errors import Refusal
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people.ratings import Rating
from tabuleiro.server.sessions import House, Seat, Series, SessionSettings
from tabuleiro.server.tables import challenges

#: Seconds for which a challenge waits for an answer.
WAITS = 120.0
#: Challenges that somebody may have waiting at the same time.
MOST = 10

GONE = Refusal("challenge_gone", Text("esse desafio já não está de pé", "that challenge no longer stands"), 409)
TOO_MANY = Refusal(
    "too_many_challenges",
    Text("já desafiaste muita gente; espera pelas respostas", "you have challenged many; wait for their answers"),
    409,
)
OFFLINE = Refusal("offline", Text("essa pessoa agora não está", "that person is not here now"), 409)
YOURSELF = Refusal("yourself", Text("não te podes desafiar", "you cannot challenge yourself"), 409)


class Wish(NamedTuple):
    """What is to be played."""

    game: str
    options: dict[str, str]
    clock: ClockRule | None
    best_of: int

    def as_json(self) -> Json:
        return {**self._asdict(), "clock": None if self.clock is None else self.clock.as_json()}

    @classmethod
    def from_json(cls, data: Json) -> "Wish":
        clock = None if data["clock"] is None else ClockRule(**data["clock"])
        return cls(data["game"], data["options"], clock, data["best_of"])

    def settings(self, one: Guest, two: Guest, house: House | None) -> SessionSettings:
        """The first game; `one` begins."""
        seats = (Seat("guest", one), Seat("guest", two))
        series = Series(self.best_of) if self.best_of > 1 else None
        strict = house == (False, False)
        return SessionSettings(self.game, self.options, None, self.clock, seats, strict, house, series=series)


class Challenge(NamedTuple):
    id: str
    by: Guest
    #: None: anybody.
    to: Guest | None
    wish: Wish
    made: float


def nearest(mine: Rating, others: dict[str, tuple[Rating, float]]) -> str | None:
    """Of people who would play anybody, by the name of their challenge: who is nearest in strength; of equals, who has
    waited longest."""
    return min(others, key=lambda name: (abs(others[name][0].mu - mine.mu), others[name][1]), default=None)


# ------------------------------------------------------------------------------------------------------------ the table


def put(connection: sa.Connection, challenge: Challenge) -> None:
    """A challenge; an older one of the same to the same goes, and so does what waited too long."""
    same = challenges.c.to.is_(None) if challenge.to is None else challenges.c.to == challenge.to
    before = sa.and_(challenges.c.by == challenge.by, same)
    connection.execute(sa.delete(challenges).where(sa.or_(before, challenges.c.made < challenge.made - WAITS)))
    row = {**challenge._asdict(), "wish": challenge.wish.as_json()}
    connection.execute(sa.insert(challenges).values(row))


def seconds_left(challenge: Challenge, now: float) -> float:
    """For how long it still waits: no time of day, for the clocks of phones are not ours."""
    return max(0.0, challenge.made + WAITS - now)


def find(connection: sa.Connection, challenge_id: str, now: float) -> Challenge | None:
    query = sa.select(challenges).where(challenges.c.id == challenge_id, challenges.c.made > now - WAITS)
    row = connection.execute(query).one_or_none()
    return None if row is None else _challenge(row)


def about(connection: sa.Connection, guest: Guest, now: float) -> list[Challenge]:
    """Those that somebody made, or may answer."""
    mine = sa.or_(challenges.c.by == guest, challenges.c.to == guest)
    query = sa.select(challenges).where(mine, challenges.c.made > now - WAITS).order_by(challenges.c.made)
    return [_challenge(row) for row in connection.execute(query)]


def to_anybody(connection: sa.Connection, now: float) -> list[Challenge]:
    query = sa.select(challenges).where(challenges.c.to.is_(None), challenges.c.made > now - WAITS)
    return [_challenge(row) for row in connection.execute(query.order_by(challenges.c.made))]


def open_to_anybody(connection: sa.Connection, by: Collection[Guest], now: float) -> dict[Guest, Json]:
    """What each of these would play with anybody."""
    query = sa.select(challenges).where(
        challenges.c.to.is_(None), challenges.c.by.in_([*by]), challenges.c.made > now - WAITS
    )
    return {row.by: {"challenge": row.id, "game": row.wish["game"]} for row in connection.execute(query)}


def take(connection: sa.Connection, ids: Collection[str], now: float) -> bool:
    """Remove challenges that stand. False: one of them does not, any more."""
    standing = sa.delete(challenges).where(challenges.c.id.in_([*ids]), challenges.c.made > now - WAITS)
    return connection.execute(standing).rowcount == len(ids)


def stop_seeking(connection: sa.Connection, guests: Collection[Guest]) -> None:
    """Who plays now no longer waits for anybody."""
    connection.execute(sa.delete(challenges).where(challenges.c.by.in_([*guests]), challenges.c.to.is_(None)))


def _challenge(row: "sa.Row[tuple[object, ...]]") -> Challenge:
    return Challenge(row.id, row.by, row.to, Wish.from_json(row.wish), row.made)
