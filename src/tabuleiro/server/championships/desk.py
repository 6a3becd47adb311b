"""What championships are asked to do: each act is allowed by `permissions.py`, decided by `tabuleiro.championship`, and
stored with everything that belongs to it in one transaction."""

import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, Protocol

import sqlalchemy as sa

from tabuleiro.championship import decisions
from tabuleiro.championship import events as pure
from tabuleiro.championship.edition import load_edition, load_template
from tabuleiro.championship.events import Person
from tabuleiro.championship.model import Result, Section
from tabuleiro.championship.people import Details, with_fixed_table
from tabuleiro.championship.rounds import is_complete, open_pairings
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.server.championships import store
from tabuleiro.server.championships.store import Hall
from tabuleiro.server.championships.stream import ChampionshipSettings, ChampionshipStream, Table, as_stored
from tabuleiro.server.errors import Refusal, RefusedError, refusal_of
from tabuleiro.server.hub import Hub
from tabuleiro.server.identity import Who
from tabuleiro.server.ids import new_id
from tabuleiro.server.log import Decision, Json, OpenStream
from tabuleiro.server.people import permissions
from tabuleiro.server.people import store as people_store
from tabuleiro.server.people.erasing import erase_person
from tabuleiro.server.people.office import Office
from tabuleiro.server.people.permissions import Action
from tabuleiro.server.store import Also

OpenChampionship = OpenStream[ChampionshipStream]

NO_SUCH = Refusal("no_such_championship", Text("esse campeonato não existe", "there is no such championship"), 404)
NO_SUCH_GROUP = Refusal("no_such_group", Text("esse grupo não existe", "there is no such group"), 404)


class Admitted(NamedTuple):
    """A championship, and what somebody is to it."""

    opened: OpenChampionship
    hall: Hall
    #: Their number in it, if they play.
    person: Person | None


class _Decide(Protocol):
    """What would happen in a section or group."""

    def __call__(self, stream: ChampionshipStream, place: str) -> pure.Decision: ...


class Ready(NamedTuple):
    """What comes next in a section."""

    for_draw: bool
    #: Those whose next round can be paired.
    groups: list[str]


class Done(NamedTuple):
    """Several acts at once: what was done where, and what spoke against the rest."""

    done: list[str]
    refused: list[Text]


class Desk:
    def __init__(self, hub: Hub, office: Office, database: str) -> None:
        self.hub = hub
        self.office = office
        self.database = database
        self.store = hub.store

    # -- who ----------------------------------------------------------------------------------------------------------

    async def open(self, who: Who, championship_id: str, action: Action, section: str | None = None) -> Admitted:
        """A championship, for somebody who may do that with it, in that section."""
        admitted = await self.find(who, championship_id, section)
        published = admitted.opened.stream.championship.state.published
        if action == "look_at_championship" and published:
            action = "look_at_published"
        permissions.require(who, action, admitted.hall)
        return admitted

    async def find(self, who: Who, championship_id: str, section: str | None = None) -> Admitted:
        opened = await self.hub.log.get(championship_id)
        if opened is None or not isinstance(opened.stream, ChampionshipStream):
            raise RefusedError(*NO_SUCH)
        guest, owner = who.guest, opened.stream.settings.owner
        if guest is None or who.sign_in is None:
            return Admitted(opened, Hall((owner,), (), ()), None)
        person, of_section = await self.store.read(
            lambda connection: (
                store.person_of(connection, championship_id, guest),
                store.arbitrates(connection, championship_id, guest),
            )
        )
        here = of_section is not None and (section is None or of_section in ("", section))
        hall = Hall((owner,), () if person is None else (guest,), (guest,) if here else ())
        return Admitted(opened, hall, person)

    # -- beginning ----------------------------------------------------------------------------------------------------

    async def make(
        self, who: Who, edition: Json, name: str, seed: int | None = None, *, rehearsal: bool = False
    ) -> OpenChampionship:
        """A championship by an edition, under a name of its own if it has one."""
        permissions.require(who, "make_championship")
        assert who.guest is not None
        if name:
            edition = {**edition, "name": {"pt": name, "en": name}}
        code = await self.office.free_code()
        stream = ChampionshipStream(new_id(), ChampionshipSettings(who.guest, code), self.hub.now())
        created = {
            "edition": edition,
            "seed": secrets.randbelow(10**6) if seed is None else seed,
            "rehearsal": rehearsal,
        }
        decision = stream.championship.decide("created", created)
        return await self.begin(who, stream, [stream.championship.event(decision, -who.guest, self.hub.now())])

    async def begin(
        self, who: Who, stream: ChampionshipStream, events: Sequence[pure.Event], also: Also | None = None
    ) -> OpenChampionship:
        """A championship with its first events, and what belongs to them: all of it, or nothing."""
        stored = [as_stored(event) for event in events]
        for event in stored:
            stream.apply(event)

        def with_it(connection: sa.Connection) -> None:
            store.add_events(connection, stream.id, stored)
            people_store.set_class_code(connection, stream.id, stream.settings.code)
            people_store.note(connection, self.hub.now(), who.guest or 0, "make_championship", stream=stream.id)
            if also is not None:
                also(connection)

        return await self.hub.log.create(stream, {}, with_it)

    async def act(
        self,
        who: Who,
        opened: OpenChampionship,
        decide: Callable[[ChampionshipStream], pure.Decision | None],
        also: Also | None = None,
        by: Person | None = None,
    ) -> None:
        """An act: the event, what belongs to it, and its line in the audit log, together. `by`: the pupil who acts."""

        def decided(stream: ChampionshipStream) -> Decision | None:
            decision = decide(stream)
            if decision is None:
                return None
            number = stream.number + 1

            def stored_with_it(connection: sa.Connection) -> None:
                if also is not None:
                    also(connection)
                if by is None:
                    people_store.note(
                        connection, self.hub.now(), who.guest or 0, decision.kind, stream=stream.id, number=number
                    )

            actor = -(who.guest or 0) if by is None else by
            return stream.decision(decision, actor)._replace(also=stored_with_it)

        await self.hub.log.act(opened, decided)

    async def remove(self, who: Who, opened: OpenChampionship) -> None:
        """A championship goes, with everybody who was on this server for its sake alone."""
        stream = opened.stream

        def work(connection: sa.Connection) -> None:
            now = self.hub.now()
            for guest in store.only_here(connection, stream.id):
                erase_person(connection, self.database, guest, now)
            store.forget(connection, stream.id)
            people_store.note(connection, now, who.guest or 0, "remove_championship", stream=stream.id)

        async with opened.held():
            await self.store.write(work)
            await self.hub.log.leave(opened, stream.settings.owner)
        await self.hub.end_revoked()

    # -- draws, rounds, results ---------------------------------------------------------------------------------------

    async def draw(self, who: Who, opened: OpenChampionship, sections: Sequence[str]) -> Done:
        """The next stage of each of these sections that is ready for it."""

        def decide(stream: ChampionshipStream, place: str) -> pure.Decision:
            return decisions.draw_stage(stream.championship, place)

        return await self._each(who, opened, sections, decide)

    async def pair(self, who: Who, opened: OpenChampionship, groups: Sequence[str], *, again: bool = False) -> Done:
        """The next round of each of these groups that is ready for it, or its last round mended."""
        fixed = with_fixed_table(await self.names(opened.stream))
        now = self.hub.now()

        def decide(stream: ChampionshipStream, place: str) -> pure.Decision:
            if again:
                return decisions.pair_again(stream.championship, place, fixed)
            return decisions.pair_round(stream.championship, place, fixed, now)

        return await self._each(who, opened, groups, decide)

    async def pair_by_hand(
        self,
        who: Who,
        opened: OpenChampionship,
        group: str,
        pairs: Sequence[tuple[Person, Person | None]],
        *,
        only_ask: bool,
    ) -> list[Text]:
        """Pair as the arbiter says, or only ask what speaks against it: that is returned, with `{p12}` for a name."""
        fixed = with_fixed_table(await self.names(opened.stream))
        warnings: list[Text] = []

        def decide(stream: ChampionshipStream) -> pure.Decision | None:
            nonlocal warnings
            warned = decisions.pair_by_hand(stream.championship, group, pairs, fixed, lambda one: f"{{p{one}}}")
            warnings = warned.warnings
            return None if only_ask else warned.decision

        await self.act(who, opened, decide)
        return warnings

    async def change_rules(
        self, who: Who, opened: OpenChampionship, sections: Sequence[str], stage: int, settings: Json
    ) -> None:
        """The rules of a stage of these sections: of all of them, or of none."""
        championship = opened.stream.championship
        for section in sections:
            championship.decide("settings_changed", {"section": section, "stage": stage, "settings": settings})

        def decide(stream: ChampionshipStream, place: str) -> pure.Decision:
            what = {"section": place, "stage": stage, "settings": settings}
            return stream.championship.decide("settings_changed", what)

        await self._each(who, opened, sections, decide)

    async def lots(self, who: Who, opened: OpenChampionship, groups: Sequence[str]) -> Done:
        """Lots for every tie that matters and that nothing else has broken."""
        done = Done([], [])
        for group in groups:
            try:
                ties = decisions.ties_to_break(opened.stream.championship, group)
            except TabuleiroError as error:
                done.refused.append(error.text)
                continue
            for tied in ties:
                await self.act(who, opened, partial(_lots, group=group, tied=tied))
                done.done.append(group)
        return done

    async def _each(
        self,
        who: Who,
        opened: OpenChampionship,
        places: Sequence[str],
        decide: "_Decide",
    ) -> Done:
        """The same act in several places. One alone is refused aloud; of several, those that can are done."""
        done = Done([], [])
        for place in places:
            try:
                await self.act(who, opened, partial(decide, place=place))
                done.done.append(place)
            except TabuleiroError as error:
                if len(places) == 1 or refusal_of(error).status >= 500:
                    raise
                done.refused.append(error.text)
        return done

    def ready(self, opened: OpenChampionship) -> tuple[list[str], list[str]]:
        """The sections whose next stage can be drawn, and the groups whose next round can be paired."""
        found = {name: ready_in(section) for name, section in opened.stream.championship.state.sections.items()}
        return [name for name in found if found[name].for_draw], [g for ready in found.values() for g in ready.groups]

    async def result(self, who: Who, opened: OpenChampionship, table: Table, result: Result) -> None:
        """The result of a game. To say the same twice, as a phone does that heard no answer, changes nothing."""

        def decide(stream: ChampionshipStream) -> pure.Decision | None:
            _, _, group = stream.championship.state.group(table.group)
            games = group.find(table.round, table.table).games
            if len(games) >= table.game >= 1 and games[table.game - 1] == result:
                return None
            return stream.championship.decide("result", {**table.as_json(), "result": result.as_json()})

        await self.act(who, opened, decide)

    async def names(self, stream: ChampionshipStream) -> dict[Person, Details]:
        """What is known of the persons of a championship, without those erased."""
        found = await self.store.read(lambda connection: store.find_entrants(connection, stream.id))
        return {person: entrant.details() for person, entrant in found.items()}


def edition_of(template: str | None, source: str | None) -> Json:
    """What an edition says: one that comes with the house, or a TOML file."""
    return load_edition(source) if source is not None else load_template(template or "one-lesson")


def _lots(stream: ChampionshipStream, group: str, tied: Sequence[Person]) -> pure.Decision:
    return decisions.draw_lots(stream.championship, group, tied)


def ready_in(section: Section) -> Ready:
    over = all(is_complete(group, stage.plan) for stage in section.stages[-1:] for group in stage.groups)
    for_draw = over and len(section.stages) < len(section.stage_plans) and len(section.entries) > 1
    groups = [
        group.id
        for stage in section.stages[-1:]
        if stage.plan.format != "ladder"
        for group in stage.groups
        if stage.plan.format == "arena"  # goes on for as long as one likes
        or not (is_complete(group, stage.plan) or open_pairings(group, stage.plan))
    ]
    return Ready(for_draw, groups)
