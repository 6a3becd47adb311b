"""Challenges made, answered and withdrawn. One that is accepted goes in the transaction in which its game begins; those
it concerns hear of it wherever they are."""

import random
from collections.abc import Collection
from functools import partial

import sqlalchemy as sa

from tabuleiro import games
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.hub import Hub
from tabuleiro.server.identity import Who
from tabuleiro.server.ids import new_id
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people import challenges, results, store
from tabuleiro.server.people.challenges import GONE, MOST, OFFLINE, TOO_MANY, YOURSELF, Challenge, Wish
from tabuleiro.server.people.circle import circle_of
from tabuleiro.server.people.doorkeeper import CLASS_ONLY, house, require_to_play
from tabuleiro.server.people.lobby import Line, Lobby
from tabuleiro.server.people.ratings import Rating
from tabuleiro.server.sessions import GameSession


class Matchmaker:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._store = hub.store

    async def challenge(self, who: Who, to: Guest, wish: Wish) -> Challenge:
        """Ask somebody for a game; they hear of it wherever they are."""
        guest = _person(who)
        if to == guest:
            raise RefusedError(*YOURSELF)
        made = Challenge(new_id(), guest, to, _read(wish), self._hub.now())

        def work(connection: sa.Connection) -> None:
            _require(connection, who, to, wish)
            if len([each for each in challenges.about(connection, guest, made.made) if each.by == guest]) >= MOST:
                raise RefusedError(*TOO_MANY)
            challenges.put(connection, made)

        if to not in self._hub.extension(Lobby).present().here:
            # Whether there is such a person is for those to know who may meet them.
            await self._store.read(lambda connection: _require(connection, who, to, wish))
            raise RefusedError(*OFFLINE)
        await self._store.write(work)
        names = await self._store.nicknames({guest})
        self._hub.extension(Lobby).send(to, {"type": "challenge", "challenge": told(made, names, made.made)})
        return made

    async def call(self, line: Line) -> None:
        """Tell somebody who has just come what they were asked meanwhile."""
        asked = await self._store.read(lambda connection: challenges.about(connection, line.guest, self._hub.now()))
        names = await self._store.nicknames({each.by for each in asked})
        for each in asked:
            if each.to == line.guest:
                line.say({"type": "challenge", "challenge": told(each, names, self._hub.now())})

    async def seek(self, who: Who, wish: Wish) -> tuple[Challenge, str | None]:
        """Play anybody: at once who is nearest in strength of those who wait for that, else who comes. What waits, and
        the game that begins, if one does."""
        guest = _person(who)
        mine = Challenge(new_id(), guest, None, _read(wish), self._hub.now())

        def wait(connection: sa.Connection) -> dict[str, Challenge]:
            house(_rules(connection, [guest]), wish.game, None)
            challenges.put(connection, mine)
            return {each.id: each for each in challenges.to_anybody(connection, mine.made)}

        waiting = await self._store.write(wait)
        fitting = {name: each for name, each in waiting.items() if each.wish == mine.wish and each.by != guest}
        while (
            other := await self._store.read(partial(_nearest, who=who, wish=mine.wish, waiting=fitting))
        ) is not None:
            del fitting[other.id]
            try:
                return mine, await self._begin(guest, other.by, mine.wish, [mine.id, other.id])
            except RefusedError:
                continue  # somebody was quicker: who waited plays already, or we do
        self._hub.extension(Lobby).changed(guest)
        return mine, None

    async def accept(self, who: Who, challenge_id: str) -> str:
        """The game that begins by it."""
        guest = _person(who)
        asked = await self._find(challenge_id)
        if asked.by == guest or asked.to not in (None, guest):
            raise RefusedError(*GONE)
        await self._store.read(lambda connection: _require(connection, who, asked.by, asked.wish))
        return await self._begin(asked.by, guest, asked.wish, [asked.id])

    async def decline(self, who: Who, challenge_id: str) -> None:
        guest = _person(who)
        asked = await self._find(challenge_id)
        if asked.to != guest:
            raise RefusedError(*GONE)
        await self._take(asked)
        names = await self._store.nicknames({guest})
        self._hub.extension(Lobby).send(asked.by, {"type": "declined", "challenge": asked.id, "name": names.get(guest)})

    async def withdraw(self, who: Who, challenge_id: str) -> None:
        asked = await self._find(challenge_id)
        if asked.by != _person(who):
            raise RefusedError(*GONE)
        await self._take(asked)
        if asked.to is None:
            self._hub.extension(Lobby).changed(asked.by)
        else:
            self._hub.extension(Lobby).send(asked.to, {"type": "withdrawn", "challenge": asked.id})

    async def _find(self, challenge_id: str) -> Challenge:
        found = await self._store.read(lambda connection: challenges.find(connection, challenge_id, self._hub.now()))
        if found is None:
            raise RefusedError(*GONE)
        return found

    async def _take(self, asked: Challenge) -> None:
        if not await self._store.write(lambda connection: challenges.take(connection, [asked.id], self._hub.now())):
            raise RefusedError(*GONE)

    async def _begin(self, one: Guest, two: Guest, wish: Wish, taken: Collection[str]) -> str:
        """The game and the end of what led to it: both, or neither. Who begins is drawn."""
        now, both = self._hub.now(), [one, two]
        random.SystemRandom().shuffle(both)
        names = await self._store.nicknames({*both})
        rules = await self._store.read(lambda connection: _rules(connection, both))
        session = GameSession(new_id(), wish.settings(both[0], both[1], house(rules, wish.game, None)), now)

        def also(connection: sa.Connection) -> None:
            if not challenges.take(connection, taken, now):
                raise RefusedError(*GONE)
            challenges.stop_seeking(connection, both)

        await self._hub.log.create(session, names, also)
        for guest in both:
            self._hub.extension(Lobby).send(guest, {"type": "game", "session": session.id, "game": wish.game})
        return session.id


def told(challenge: Challenge, names: dict[Guest, str | None], now: float) -> Json:
    """A challenge, as those hear of it whom it concerns."""
    wish = challenge.wish
    return {
        "id": challenge.id,
        "by": challenge.by,
        "to": challenge.to,
        "name": names.get(challenge.by),
        "game": wish.game,
        "best_of": wish.best_of,
        "seconds": challenges.seconds_left(challenge, now),
    }


def _person(who: Who) -> Guest:
    assert who.guest is not None and who.sign_in is not None
    return who.guest


def _read(wish: Wish) -> Wish:
    """A wish as it is kept: only what is not as usual."""
    return wish._replace(options=games.get(wish.game).options_type.parse(wish.options).changed())


def _require(connection: sa.Connection, who: Who, other: Guest, wish: Wish) -> None:
    """Refuse who may not meet or play somebody, or a game that the class of one of them does not allow."""
    if not circle_of(connection, who).includes(other) or other not in store.find_people(connection, [other]):
        raise RefusedError(*CLASS_ONLY)
    require_to_play(connection, who, [other])
    house(_rules(connection, [_person(who), other]), wish.game, None)


def allowed_games(connection: sa.Connection, guest: Guest) -> list[str]:
    """The games that the rules of all classes of a pupil allow; of everybody else all."""
    chosen = [rules["games"] for rules in _rules(connection, [guest]) if rules["games"] is not None]
    return [game for game in games.GAMES if all(game in each for each in chosen)]


def _rules(connection: sa.Connection, guests: Collection[Guest]) -> list[Json]:
    classes = store.classes_of(connection, guests)
    return [summary["rules"] for mine in classes.values() for summary in mine.values()]


def _nearest(connection: sa.Connection, who: Who, wish: Wish, waiting: dict[str, Challenge]) -> Challenge | None:
    """Of those who wait for anybody: the one nearest in strength with whom somebody may play."""
    guest, allowed = _person(who), {}
    for name, each in waiting.items():
        try:
            _require(connection, who, each.by, wish)
        except RefusedError:
            continue
        allowed[name] = each
    ratings = results.current(connection, [guest, *(each.by for each in allowed.values())])

    def rating(number: Guest) -> Rating:
        return ratings.get(number, {}).get(wish.game, Rating())

    best = challenges.nearest(rating(guest), {name: (rating(each.by), each.made) for name, each in allowed.items()})
    return None if best is None else allowed[best]
