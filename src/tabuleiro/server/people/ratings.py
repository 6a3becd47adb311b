"""How strong people are: a number for each game and person, and how sure it is.

The library (`openskill`, Bradley and Terry's model) does the arithmetic, in the unit of Elo: at 400 points more one
wins ten games for each lost. Levels of the computer are fixed points (`players/ladder.py`), as measured; the highest
depends on the clock and is none. Nothing here waits or reads.
"""

import math
from typing import NamedTuple

from openskill.models import BradleyTerryFull

from tabuleiro.core import Player
from tabuleiro.players import TOP
from tabuleiro.players.ladder import ladder_of
from tabuleiro.server.log import Guest
from tabuleiro.server.sessions import GameSession

#: Of somebody who has not played, who is taken to be about as strong as level 1; and how unsure that is.
BEGINNER, UNSURE = 1000.0, 250.0
#: People get better: this is added to how unsure a number is with every game.
CHANGE = 6.0
#: How unsure a fixed point is: not at all, but the library divides by it.
FIXED = 1e-3
#: A game that ended before this many moves says nothing.
FEWEST_PLIES = 2

_MODEL = BradleyTerryFull(mu=BEGINNER, sigma=UNSURE, beta=400 / math.log(10) / math.sqrt(2), tau=CHANGE)


class Rating(NamedTuple):
    mu: float = BEGINNER
    sigma: float = UNSURE

    @property
    def shown(self) -> int:
        return round(self.mu)

    @property
    def give_or_take(self) -> int:
        """Within this of the number shown somebody is, nineteen times of twenty."""
        return round(2 * self.sigma)


class RatedGame(NamedTuple):
    """A finished game that counts."""

    session: str
    game: str
    ended: float
    #: In the seats of players ONE and TWO; nobody where a level sits.
    guests: tuple[Guest | None, Guest | None]
    level: int | None
    winner: Player | None

    def score(self, player: Player) -> float:
        return 0.5 if self.winner is None else float(self.winner is player)


def rated_game(session: GameSession, ended: float) -> RatedGame | None:
    """A finished session, if it is one that counts: from the usual position, two moves or more, without hints or moves
    taken back, between two guests or against a level that is a fixed point. Who of the guests is a person is not known
    here."""
    outcome, settings = session.outcome, session.settings
    if outcome is None or len(session.history) < FEWEST_PLIES or settings.position is not None or session.was_helped:
        return None
    one, two = session.seats[Player.ONE], session.seats[Player.TWO]
    level = one.level or two.level
    if level is None:
        counts = one.guest is not None and two.guest is not None and one.guest != two.guest
    else:
        # Levels were measured under the usual rules.
        counts = level < TOP and not settings.options and ladder_of(settings.game) is not None
    guests = (one.guest, two.guest)
    return RatedGame(session.id, settings.game, ended, guests, level, outcome.winner) if counts else None


def level_rating(game: str, level: int) -> Rating:
    ladder = ladder_of(game)
    assert ladder is not None
    return Rating(BEGINNER + ladder.elo[level - 1], FIXED)


def rate(one: Rating, two: Rating, score: float) -> tuple[Rating, Rating]:
    """The ratings after a game in which `one` scored 1, a half or 0."""
    sides = [[_MODEL.rating(mu=side.mu, sigma=side.sigma)] for side in (one, two)]
    (first,), (second,) = _MODEL.rate(sides, scores=[score, 1 - score])
    return Rating(first.mu, first.sigma), Rating(second.mu, second.sigma)


def rate_against_level(person: Rating, game: str, level: int, score: float) -> Rating:
    return rate(person, level_rating(game, level), score)[0]
