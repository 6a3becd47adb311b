"""Who may watch, join and begin which games: pupils of a class play and are seen among themselves, and by those who
look after them; what they may do is what their class allows."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.language import Text
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.identity import Who
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people import store
from tabuleiro.server.people.permissions import Action, Group, may, require
from tabuleiro.server.people.school_class import HouseRules
from tabuleiro.server.people.site_settings import read_settings
from tabuleiro.server.sessions import GameSession, House
from tabuleiro.server.store import Store

CLASS_ONLY = Refusal(
    "class_only",
    Text(
        "esta partida é de uma turma: só quem é dela a pode ver e jogar",
        "this game belongs to a class: only its people may see and play it",
    ),
    403,
)
CHAMPIONSHIP_ONLY = Refusal(
    "championship_only",
    Text(
        "esta partida é de um campeonato: agora só a vê quem a joga e quem arbitra",
        "this game belongs to a championship: now only its players and arbiters see it",
    ),
    403,
)
NAME_LOCKED = Refusal(
    "name_locked", Text("na tua turma os nomes não se mudam", "your class does not let you change your name"), 403
)


class _Class(NamedTuple):
    """A class, as lists tell it."""

    teachers: Collection[Guest]
    pupils: Collection[Guest]


#: Finds the roles of a championship as they are to somebody, and its line in lists; None where there is none.
FindChampionship = Callable[[sa.Connection, str, Who], tuple[Group, Json] | None]


class Doorkeeper:
    def __init__(self, kept: Store, find_championship: FindChampionship) -> None:
        self._store = kept
        self._find_championship = find_championship

    async def watch(self, who: Who, session: GameSession) -> None:
        """Refuse who may not see a game. Who sits in it may."""
        seated = {seat.guest for seat in session.seats.values() if seat.guest is not None}
        if who.guest in seated or not seated:
            return
        if session.settings.championship is not None:
            await self._watch_table(who, session, session.settings.championship)
            return
        classes, is_open = await self._store.read(
            lambda connection: (store.classes_of(connection, seated), read_settings(connection).open_lobby)
        )
        for pupil in seated & classes.keys():
            _require(who, "watch_pupil", classes[pupil], open_lobby=is_open)

    async def _watch_table(self, who: Who, session: GameSession, championship: str) -> None:
        """A game of a championship: those who run it watch; once it is over, whoever may look at the championship."""
        found = await self._store.read(lambda connection: self._find_championship(connection, championship, who))
        if found is None:
            return
        hall, summary = found
        if not may(who, "watch_table", hall) and not (session.outcome is not None and summary["published"]):
            raise RefusedError(*CHAMPIONSHIP_ONLY)

    async def join(self, who: Who, session: GameSession) -> None:
        """Refuse who may not play with those who sit there, or whom those may not play with."""
        seated = {seat.guest for seat in session.seats.values() if seat.guest is not None} - {who.guest}
        if seated:
            await self._store.read(lambda connection: require_to_play(connection, who, seated))

    async def begin(self, who: Who, game: str, level: int | None) -> House | None:
        """The rules of the house for a game that somebody begins, against a computer player of a level, if any."""
        return house([summary["rules"] for summary in await self._classes(who)], game, level)

    async def rename(self, who: Who) -> None:
        if any(summary["nicknames_locked"] for summary in await self._classes(who)):
            raise RefusedError(*NAME_LOCKED)

    async def _classes(self, who: Who) -> list[Json]:
        """The classes of a pupil, as lists tell them."""
        guest = who.guest
        if who.role != "pupil" or guest is None:
            return []
        classes = await self._store.read(lambda connection: store.classes_of(connection, [guest]))
        return [*classes.get(guest, {}).values()]


def require_to_play(connection: sa.Connection, who: Who, others: Collection[Guest]) -> None:
    """Refuse who may not play with these, or whom these may not play with."""
    everybody = {*others} if who.guest is None else {*others, who.guest}
    classes, people = store.classes_of(connection, everybody), store.find_people(connection, everybody)
    is_open = read_settings(connection).open_lobby
    for other in others:
        if other in classes:
            _require(who, "play_pupil", classes[other], open_lobby=is_open)
        if who.guest in classes:
            role = people[other].role if other in people else "guest"
            _require(Who(other, role), "play_pupil", classes[who.guest], open_lobby=is_open)


def require_person(connection: sa.Connection, who: Who, person: Guest) -> None:
    """Refuse who may not see what there is about somebody: they themselves, their teachers, organisers may."""
    classes = store.classes_of(connection, [person]).get(person, {})
    groups = [None, *(_Class(each["teachers"], each["pupils"]) for each in classes.values())]
    if not any(may(who, "see_person", group, person) for group in groups):
        require(who, "see_person", None, person)


def house(told: Iterable[Json], game: str, level: int | None) -> House | None:
    """What the rules of some classes allow together in a game; refuses one that they do not allow."""
    rules = [HouseRules.from_json(each) for each in told]
    for each in rules:
        each.require(game, level)
    if not rules:
        return None
    return House(all(each.takebacks for each in rules), all(each.hints for each in rules))


def _require(who: Who, action: Action, classes: dict[str, Json], *, open_lobby: bool) -> None:
    groups = [_Class(each["teachers"], each["pupils"]) for each in classes.values()]
    if not any(may(who, action, group, open_lobby=open_lobby) for group in groups):
        raise RefusedError(*CLASS_ONLY)
