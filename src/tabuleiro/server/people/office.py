"""What people and classes are asked to do: each act is decided by the class, allowed by `permissions.py`, and stored
with everything that belongs to it in one transaction."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.language import Text
from tabuleiro.server.clock import ClockRule
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.hub import Hub
from tabuleiro.server.identity import Role, Who
from tabuleiro.server.ids import new_id
from tabuleiro.server.log import Decision, Guest, OpenStream
from tabuleiro.server.people import codes, permissions, results, store
from tabuleiro.server.people.erasing import erase_person
from tabuleiro.server.people.lobby import Lobby
from tabuleiro.server.people.permissions import Action
from tabuleiro.server.people.ratings import Rating
from tabuleiro.server.people.roster import Pupil, shown_names
from tabuleiro.server.people.school_class import ClassSettings, HouseRules, SchoolClass
from tabuleiro.server.people.sign_in import LINK_AGE, Doors
from tabuleiro.server.people.site_settings import SiteSettings, read_settings, write_settings
from tabuleiro.server.sessions import GameSession
from tabuleiro.server.store import ERASED

OpenClass = OpenStream[SchoolClass]

NO_SUCH_CLASS = Refusal("no_such_class", Text("essa turma não existe", "there is no such class"), 404)
NO_SUCH_PERSON = Refusal("no_such_person", Text("essa pessoa não existe", "there is no such person"), 404)
#: The name of the first organiser, and what others see of it.
FIRST = ("Organizador", "Organizador")
#: How often a code that is taken already is tried again.
MOST_TRIES = 20


class NewCard(NamedTuple):
    """A card as it is printed. It cannot be shown again: only hashes are kept."""

    guest: Guest
    name: str
    token: str
    code: str


#: Makes what one guest has done another's, in a transaction.
HandOver = Callable[[sa.Connection, Guest, Guest], None]


class Office:
    def __init__(self, hub: Hub, doors: Doors, database: str, hand_over: Sequence[HandOver]) -> None:
        """`hand_over`: how each package that stores something about guests moves it from one to another."""
        self._hub = hub
        self._hand_over = hand_over
        self._doors = doors
        self._database = database
        self._store = hub.store

    def hand_over(self, connection: sa.Connection, was: Guest, now: Guest) -> None:
        """Make what a guest has learnt another's, who is the same person."""
        for each in self._hand_over:
            each(connection, was, now)

    # -- classes ----------------------------------------------------------------------------------------------------

    async def open(self, who: Who, class_id: str, action: Action) -> OpenClass:
        """A class, for somebody who may do that with it."""
        opened = await self._hub.log.get(class_id)
        if opened is None or not isinstance(opened.stream, SchoolClass):
            raise RefusedError(*NO_SUCH_CLASS)
        permissions.require(who, action, opened.stream)
        return opened

    async def make_class(
        self, who: Who, name: str, school: str, cycle: str, pupils: Sequence[Pupil]
    ) -> tuple[OpenClass, list[NewCard]]:
        """A class with its pupils and their cards: all of it, or nothing."""
        permissions.require(who, "make_class")
        assert who.guest is not None
        now, teacher = self._hub.now(), who.guest
        code = await self.free_code()
        numbers = await self._store.write(lambda connection: store.make_guests(connection, len(pupils)))
        settings = ClassSettings(name, school, cycle, code, teacher, tuple(numbers))
        made = SchoolClass(new_id(), settings, now)
        people = await self._new_people(made, numbers, pupils, ())
        cards, printed = await self.new_cards(made.id, [(person.guest, person.name) for person in people])

        def also(connection: sa.Connection) -> None:
            store.set_class_code(connection, made.id, code)
            store.make_people(connection, people, now)
            store.replace_cards(connection, cards, now)
            store.note(connection, now, teacher, "make_class", stream=made.id, pupils=numbers)

        names = {person.guest: person.shown for person in people} | await self._store.nicknames({teacher})
        return await self._hub.log.create(made, names, also), printed

    async def add_pupils(self, who: Who, opened: OpenClass, pupils: Sequence[Pupil]) -> list[NewCard]:
        numbers = await self._store.write(lambda connection: store.make_guests(connection, len(pupils)))
        school_class = opened.stream
        people = await self._new_people(school_class, numbers, pupils, [*opened.names.values()])
        cards, printed = await self.new_cards(school_class.id, [(person.guest, person.name) for person in people])

        def also(connection: sa.Connection) -> None:
            store.make_people(connection, people, self._hub.now())
            store.replace_cards(connection, cards, self._hub.now())

        await self._act(who, opened, lambda each: each.decide_pupils(numbers), also)
        return printed

    async def _new_people(
        self, school_class: SchoolClass, numbers: Sequence[Guest], pupils: Sequence[Pupil], taken: Sequence[str | None]
    ) -> list[store.NewPerson]:
        short = (await self._store.read(read_settings)).short_names
        names, used = [pupil.name for pupil in pupils], [name for name in taken if name is not None]
        shown = shown_names(names, used, short=short)
        settings = school_class.settings
        return [
            store.NewPerson(number, pupil.name, name, settings.school, school_class.name, pupil.cycle or settings.cycle)
            for number, pupil, name in zip(numbers, pupils, shown, strict=True)
        ]

    async def free_code(self) -> str:
        for _ in range(MOST_TRIES):
            code = codes.new_code(codes.CLASS_CODE_LENGTH)
            if await self._store.read(partial(store.class_with_code, code=code)) is None:
                return code
        raise RuntimeError("no class code is free")

    async def new_cards(
        self, stream: str, owners: Sequence[tuple[Guest, str]]
    ) -> tuple[list[store.Card], list[NewCard]]:
        """Cards to keep and cards to print. Their short codes are all different."""
        secret = await self._doors.secret()
        chosen: set[str] = set()
        while len(chosen) < len(owners):
            chosen.add(codes.new_code(codes.CODE_LENGTH))
        kept, printed = [], []
        for (guest, name), code in zip(owners, chosen, strict=True):
            token = codes.new_token()
            printed.append(NewCard(guest, name, token, code))
            kept.append(store.Card(guest, codes.token_hash(token), stream, codes.code_hash(secret, stream, code)))
        return kept, printed

    async def make_cards(self, who: Who, opened: OpenClass, wanted: Sequence[Guest] | None) -> list[NewCard]:
        """New cards for these pupils, or for all; the old ones, and who came in by them, are out at once."""
        school_class = opened.stream
        pupils = school_class.pupils if wanted is None else wanted
        for pupil in pupils:
            school_class.require_pupil(pupil)
        people = await self._store.read(lambda connection: store.find_people(connection, pupils))
        cards, printed = await self.new_cards(
            school_class.id, [(pupil, people[pupil].name) for pupil in pupils if pupil in people]
        )

        def work(connection: sa.Connection) -> None:
            now = self._hub.now()
            store.replace_cards(connection, cards, now)
            store.note(connection, now, who.guest or 0, "make_cards", stream=school_class.id, pupils=[*pupils])

        await self._store.write(work)
        await self._hub.end_revoked()
        return printed

    async def remove(self, who: Who, opened: OpenClass, pupil: Guest) -> None:
        now = self._hub.now()
        await self._act(
            who,
            opened,
            lambda each: each.decide_remove(pupil),
            lambda connection: store.set_removed(connection, pupil, now),
        )
        await self._hub.end_revoked()

    async def bring_back(self, who: Who, opened: OpenClass, pupil: Guest) -> None:
        await self._act(
            who,
            opened,
            lambda each: each.decide_bring_back(pupil, self._hub.now()),
            lambda connection: store.set_removed(connection, pupil, None),
        )

    async def set_rules(self, who: Who, opened: OpenClass, rules: HouseRules) -> None:
        await self._act(who, opened, lambda each: each.decide_rules(rules))

    async def lock_nicknames(self, who: Who, opened: OpenClass, locked: bool) -> None:
        await self._act(who, opened, lambda each: each.decide_nicknames(locked))

    async def begin_year(self, who: Who, opened: OpenClass, name: str) -> None:
        await self._act(who, opened, lambda each: each.decide_year(name))

    async def set_ladder(self, who: Who, opened: OpenClass, game: str | None) -> None:
        """A ladder begins with those on top who are rated best, or ends."""
        pupils = opened.stream.pupils
        ratings = await self._store.read(lambda connection: results.current(connection, pupils))
        order = sorted(pupils, key=lambda pupil: -ratings.get(pupil, {}).get(game or "", Rating()).mu)
        await self._act(who, opened, lambda each: each.decide_ladder(game, order))

    async def merge(self, who: Who, opened: OpenClass, pupil: Guest, into: Guest) -> None:
        """Two entries are one person: game after game becomes the other's, and last the empty entry goes. What stops on
        the way can be done again."""
        opened.stream.decide_merge(pupil, into)
        played = await self._store.streams_of(pupil, GameSession.kind, None)
        if any(seat["guest"] == into for each in played for seat in each.summary["seats"]):
            raise RefusedError(
                "played_each_other",
                Text(
                    "jogaram um contra o outro: não são a mesma pessoa", "they played each other: they are two people"
                ),
                409,
            )
        for each in played:
            await self._hub.act(await self._hub.get(each.id), lambda session: session.decide_reseat(pupil, into))

        def also(connection: sa.Connection) -> None:
            self.hand_over(connection, pupil, into)
            erase_person(connection, self._database, pupil, self._hub.now())
            for game in {each.summary["game"] for each in played}:
                results.rebuild(connection, game)

        await self._act(who, opened, lambda school_class: school_class.decide_merge(pupil, into), also)
        await self._hub.end_revoked()

    async def begin_round(
        self,
        who: Who,
        opened: OpenClass,
        game: str,
        options: dict[str, str],
        clock: ClockRule | None,
        pupils: Sequence[Guest],
    ) -> None:
        """A pairing round: all its games begin, or none."""
        seed = random.SystemRandom().getrandbits(32)
        sessions = [new_id() for _ in pupils]
        await self._act(who, opened, lambda each: each.decide_round(game, options, clock, pupils, sessions, seed))

    async def _act(
        self,
        who: Who,
        opened: OpenClass,
        decide: Callable[[SchoolClass], Decision],
        also: Callable[[sa.Connection], None] | None = None,
    ) -> None:
        """An act of a teacher: the event, what belongs to it, and its line in the audit log, together."""

        def decided(school_class: SchoolClass) -> Decision:
            decision = decide(school_class)

            def stored_with_it(connection: sa.Connection) -> None:
                if also is not None:
                    also(connection)
                number = school_class.number
                store.note(
                    connection, self._hub.now(), who.guest or 0, decision.kind, stream=school_class.id, number=number
                )

            return decision._replace(also=stored_with_it)

        await self._hub.log.act(opened, decided)

    # -- adults -----------------------------------------------------------------------------------------------------

    async def invite(self, who: Who, name: str, role: Role) -> tuple[Guest, str]:
        """An adult, and the token of the link by which they come in first."""
        permissions.require(who, "change_adults")
        return await self._store.write(lambda connection: self._invite(connection, who.guest, name, role))

    def _invite(self, connection: sa.Connection, by: Guest | None, name: str, role: Role) -> tuple[Guest, str]:
        now, token = self._hub.now(), codes.new_token()
        (guest,) = store.make_guests(connection, 1)
        store.make_adult(connection, store.NewPerson(guest, name, shown_names([name])[0]), role, now)
        store.make_link(connection, codes.token_hash(token), guest, now + LINK_AGE)
        if by is not None:
            store.note(connection, now, by, "invite", person=guest, role=role)
        return guest, token

    async def new_link(self, who: Who, guest: Guest) -> str:
        """Another link for an adult who cannot come in."""
        permissions.require(who, "change_adults")

        def work(connection: sa.Connection) -> str:
            now = self._hub.now()
            token = link_for(connection, guest, now)
            store.note(connection, now, who.guest or 0, "new_link", person=guest)
            return token

        return await self._store.write(work)

    async def end_adult(self, who: Who, guest: Guest) -> None:
        """An adult leaves."""
        permissions.require(who, "change_adults")
        await self._store.read(lambda connection: _require_adult(connection, guest))
        await self._erase(who, guest, "end_adult")

    async def change_site(self, who: Who, settings: SiteSettings) -> None:
        """What the organiser settles for the whole server; where names are shown otherwise, all change at once."""
        permissions.require(who, "change_site")

        def work(connection: sa.Connection) -> dict[Guest, str]:
            before = read_settings(connection)
            write_settings(connection, settings)
            store.note(connection, self._hub.now(), who.guest or 0, "change_site", **settings._asdict())
            return {} if before.short_names == settings.short_names else _show_names(connection, settings)

        renamed = await self._store.write(work)
        for guest, name in renamed.items():
            await self._hub.renamed(guest, name)
        self._hub.extension(Lobby).hall.start_anew()

    # -- erasing ----------------------------------------------------------------------------------------------------

    async def erase_me(self, who: Who) -> None:
        """Somebody who is signed in wants nothing to be left of them."""
        assert who.guest is not None
        permissions.require(who, "erase_person", person=who.guest)
        await self._erase(who, who.guest, "erase_me")

    async def _erase(self, who: Who, guest: Guest, act: str) -> None:
        """Everything about a person goes, at once; the last organiser stays."""
        await self._store.read(lambda connection: _require_another_organiser(connection, guest))
        await self._hub.leave_games(guest)

        def work(connection: sa.Connection) -> None:
            _require_another_organiser(connection, guest)
            now = self._hub.now()
            erase_person(connection, self._database, guest, now)
            store.note(connection, now, who.guest or 0, act, person=guest)

        await self._store.write(work)
        await self._hub.renamed(guest, ERASED)
        await self._hub.end_revoked()


def _show_names(connection: sa.Connection, settings: SiteSettings) -> dict[Guest, str]:
    """Let others see names as the organiser wants it from now on; those that people chose themselves stay."""
    renamed: dict[Guest, str] = {}
    groups = [each["pupils"] for each in store.all_classes(connection)]
    groups += [[adult.guest] for adult in store.list_adults(connection)]
    for group in groups:
        people = store.find_people(connection, group)
        names = [people[guest].name for guest in group if guest in people]
        before = shown_names(names, short=not settings.short_names)
        after = shown_names(names, short=settings.short_names)
        for guest, was, now in zip([guest for guest in group if guest in people], before, after, strict=True):
            if people[guest].shown == was:
                renamed[guest] = now
    store.set_shown(connection, renamed)
    return renamed


def _require_another_organiser(connection: sa.Connection, guest: Guest) -> None:
    if _organisers(connection) == [guest]:
        raise RefusedError("last_organiser", Text("tem de ficar um organizador", "one organiser must stay"), 409)


def _require_adult(connection: sa.Connection, guest: Guest) -> Role:
    person = store.find_people(connection, [guest]).get(guest)
    if person is None or person.role == "pupil":
        raise RefusedError(*NO_SUCH_PERSON)
    return person.role


def first_link(connection: sa.Connection, now: float) -> str | None:
    """The token of a link for the first organiser; None where one has come in already. Each start of the server makes
    another, and the one before is worth nothing."""
    organisers = _organisers(connection)
    if any(store.has_come_in(connection, guest) for guest in organisers):
        return None
    return link_for(connection, None, now)


def link_for(connection: sa.Connection, guest: Guest | None, now: float) -> str:
    """The token of a link for an adult; without a number for an organiser, who is made where there is none."""
    if guest is not None:
        _require_adult(connection, guest)
    else:
        guest = an_organiser(connection, now)
    token = codes.new_token()
    store.make_link(connection, codes.token_hash(token), guest, now + LINK_AGE)
    return token


def an_organiser(connection: sa.Connection, now: float) -> Guest:
    """The first organiser, who is made where there is none."""
    organisers = _organisers(connection)
    if not organisers:
        organisers = store.make_guests(connection, 1)
        store.make_adult(connection, store.NewPerson(organisers[0], *FIRST), "organiser", now)
    return organisers[0]


def _organisers(connection: sa.Connection) -> list[Guest]:
    return [adult.guest for adult in store.list_adults(connection) if adult.role == "organiser"]
