"""Who takes part in a championship, with which cards, and who arbitrates it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import sqlalchemy as sa

from tabuleiro.championship import decisions
from tabuleiro.championship import events as pure
from tabuleiro.championship.championship import Championship
from tabuleiro.championship.events import Person
from tabuleiro.championship.people import Details
from tabuleiro.championship.registration import Registration, next_person, read_registration
from tabuleiro.language import Text
from tabuleiro.server.championships import store
from tabuleiro.server.championships.desk import Desk, OpenChampionship
from tabuleiro.server.championships.stream import ChampionshipStream
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.identity import Who
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people import codes
from tabuleiro.server.people import store as people_store
from tabuleiro.server.people.erasing import erase_person
from tabuleiro.server.people.office import NewCard
from tabuleiro.server.people.sign_in import LINK_AGE

#: How often a registration is read again because others registered meanwhile.
MOST_TRIES = 5


class Registrar:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._hub = desk.hub
        self._store = desk.store

    # -- registration -------------------------------------------------------------------------------------------------

    async def register(self, who: Who, opened: OpenChampionship, rows: Sequence[Sequence[str]]) -> list[Text]:
        """The pupils of a table: all of them, or none and what is wrong in each row. Returned: what is worth a look."""

        def read(championship: Championship, known: Mapping[Person, Details]) -> Registration:
            return read_registration(rows, championship.state, known)

        return await self._register(who, opened, read)

    async def enter_class(self, who: Who, opened: OpenChampionship, section: str, pupils: Collection[Guest]) -> None:
        """Pupils of a class, who have their cards already."""
        stream = opened.stream
        found = await self._store.read(lambda connection: people_store.find_people(connection, pupils))
        there = await self._store.read(lambda connection: store.find_entrants(connection, stream.id))
        known = {entrant.guest for entrant in there.values()}
        new = [found[guest] for guest in pupils if guest in found and guest not in known]
        if not new:
            raise RefusedError("nobody", Text("não há ninguém para inscrever", "there is nobody to register"), 409)
        number = stream.number

        def decide(each: ChampionshipStream) -> pure.Decision:
            if each.number != number:
                raise RefusedError("stale", Text("entretanto mudou; tenta outra vez", "it has changed; try again"), 409)
            return each.championship.decide("registered", self._of_class(each, section, new, persons))

        first = next_person(stream.championship.state, await self._desk.names(stream))
        persons = {first + place: person for place, person in enumerate(new)}
        await self._desk.act(
            who,
            opened,
            decide,
            lambda connection: store.link(
                connection, stream.id, [(person, each.guest, ()) for person, each in persons.items()]
            ),
        )

    def _of_class(
        self,
        stream: ChampionshipStream,
        section: str,
        new: Sequence[people_store.Person],
        persons: Mapping[Person, people_store.Person],
    ) -> Json:
        """The event that enters pupils of a class: each under their school, or their class where it is not said."""
        schools = {school.name: school.id for school in stream.championship.state.schools.values()}
        made: list[Json] = []
        entries = []
        for person, each in persons.items():
            name = each.school or each.class_name or "—"
            if name not in schools:
                schools[name] = 1 + max(schools.values(), default=0)
                made.append({"id": schools[name], "name": name, "region": "", "teachers": []})
            entries.append({"person": person, "section": section, "school": schools[name]})
        return {"schools": made, "entries": entries}

    async def _register(
        self,
        who: Who,
        opened: OpenChampionship,
        read: Callable[[Championship, Mapping[Person, Details]], Registration],
    ) -> list[Text]:
        for _ in range(MOST_TRIES):
            stream, now = opened.stream, self._hub.now()
            number = stream.number
            registration = read(stream.championship, await self._desk.names(stream))
            schools = _schools(stream.championship, registration.data)
            fresh = True

            def decide(each: ChampionshipStream) -> pure.Decision | None:
                nonlocal fresh
                fresh = each.number == number  # noqa: B023 - it is used at once
                return each.championship.decide("registered", registration.data) if fresh else None  # noqa: B023

            await self._desk.act(
                who,
                opened,
                decide,
                partial(store.enter, stream=stream.id, new=registration.people, schools=schools, now=now),
            )
            if fresh:
                return registration.notes
        raise RefusedError("stale", Text("entretanto mudou; tenta outra vez", "it has changed; try again"), 409)

    async def place(self, who: Who, opened: OpenChampionship, section: str) -> None:
        """Whoever is entered and in no group yet, after the draw, goes into one."""
        stream = opened.stream
        state = stream.championship.state
        drawn = state.section(section).stages
        if not drawn:
            return
        seated = {person for group in drawn[0].groups for person in group.members}
        for person, entry in list(state.section(section).entries.items()):
            if person not in seated and entry.presence != "withdrawn":
                await self._desk.act(who, opened, partial(_late, section=section, person=person))

    async def swap(self, who: Who, opened: OpenChampionship, section: str, out: Person, name: str) -> None:
        """Another pupil of the same school comes instead of one."""
        stream = opened.stream
        there = await self._desk.names(stream)
        school = stream.championship.state.section(section).entries.get(out)
        new = next_person(stream.championship.state, there)
        details = {new: Details(name, there[out].school_class if out in there else "")}
        schools = {} if school is None else {new: stream.championship.state.schools[school.school].name}
        await self._desk.act(
            who,
            opened,
            lambda each: each.championship.decide("swapped", {"section": section, "out": out, "in": new}),
            partial(store.enter, stream=stream.id, new=details, schools=schools, now=self._hub.now()),
        )

    # -- arbiters and cards -------------------------------------------------------------------------------------------

    async def appoint(self, who: Who, opened: OpenChampionship, name: str, section: str) -> tuple[Guest, str]:
        """An arbiter of a section, or of all, and the token of the link by which they come in."""
        if section:
            opened.stream.championship.state.section(section)
        token = codes.new_token()

        def work(connection: sa.Connection) -> Guest:
            now = self._hub.now()
            (guest,) = people_store.make_guests(connection, 1)
            person = people_store.NewPerson(guest, name, store.short_name(name)[:20])
            people_store.make_adult(connection, person, "arbiter", now)
            people_store.make_link(connection, codes.token_hash(token), guest, now + LINK_AGE)
            store.appoint(connection, opened.stream.id, guest, section)
            people_store.note(connection, now, who.guest or 0, "appoint", stream=opened.stream.id, person=guest)
            return guest

        return await self._store.write(work), token

    async def dismiss(self, who: Who, opened: OpenChampionship, guest: Guest) -> None:
        """An arbiter goes."""

        def work(connection: sa.Connection) -> None:
            if store.arbitrates(connection, opened.stream.id, guest) is None:
                raise RefusedError("no_such_person", Text("essa pessoa não existe", "there is no such person"), 404)
            erase_person(connection, self._desk.database, guest, self._hub.now())
            people_store.note(connection, self._hub.now(), who.guest or 0, "dismiss", person=guest)

        await self._store.write(work)
        await self._hub.end_revoked()

    async def make_cards(self, who: Who, opened: OpenChampionship, wanted: Collection[Person] | None) -> list[NewCard]:
        """Cards for these pupils, or for all; an old one of theirs is worth nothing from now on. Who has a card of a
        class keeps it."""
        stream = opened.stream
        entered = {person for section in stream.championship.state.sections.values() for person in section.entries}
        found, elsewhere = await self._store.read(
            lambda connection: (
                store.find_entrants(connection, stream.id, wanted),
                store.with_card_of_another(connection, stream.id),
            )
        )
        owners = [
            (each.guest, each.name) for each in found.values() if each.person in entered and each.guest not in elsewhere
        ]
        kept, printed = await self._desk.office.new_cards(stream.id, owners)

        def work(connection: sa.Connection) -> None:
            now = self._hub.now()
            people_store.replace_cards(connection, kept, now)
            persons = [card.guest for card in kept]
            people_store.note(connection, now, who.guest or 0, "make_cards", stream=stream.id, pupils=persons)

        await self._store.write(work)
        await self._hub.end_revoked()
        return printed


def _schools(championship: Championship, data: Json) -> dict[Person, str]:
    """The school of each person who is entered, by name."""
    names = {school.id: school.name for school in championship.state.schools.values()}
    names |= {school["id"]: school["name"] for school in data["schools"]}
    found = {entry["person"]: names[entry["school"]] for entry in data["entries"]}
    for school in data["schools"]:
        found |= dict.fromkeys(school.get("teachers", ()), school["name"])
    return found


def _late(stream: ChampionshipStream, section: str, person: Person) -> pure.Decision:
    return decisions.place_late(stream.championship, section, person)
