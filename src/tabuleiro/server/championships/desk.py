"""What championships are asked to do: each act is allowed by `permissions.py`, decided by `tabuleiro.championship`, and
stored with everything that belongs to it in one transaction."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Hashable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import orjson
import sqlalchemy as sa

from tabuleiro.championship import decisions
from tabuleiro.championship import events as pure
from tabuleiro.championship.championship import Championship, Undoing
from tabuleiro.championship.edition import load_template
from tabuleiro.championship.events import Person
from tabuleiro.championship.model import Result
from tabuleiro.championship.people import Details, with_fixed_table
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.server.championships import store
from tabuleiro.server.championships.group_json import ready_in
from tabuleiro.server.championships.keeping import take_in
from tabuleiro.server.championships.replicas import Replicas, Snapshot
from tabuleiro.server.championships.store import Hall
from tabuleiro.server.championships.stream import ChampionshipSettings, ChampionshipStream, as_stored
from tabuleiro.server.championships.summary import Table
from tabuleiro.server.championships.work import (
    DrawStage,
    FindTies,
    PairByHand,
    PairRound,
    ReadChampionship,
    ReadEdition,
    Work,
)
from tabuleiro.server.errors import Refusal, RefusedError, refusal_of
from tabuleiro.server.hub import Hub
from tabuleiro.server.ids import new_id
from tabuleiro.server.jobs import Jobs, LimitError, asker_of
from tabuleiro.server.log import Decision, Event, Json, OpenStream
from tabuleiro.server.people import permissions
from tabuleiro.server.people import store as people_store
from tabuleiro.server.people.erasing import erase_person
from tabuleiro.server.people.office import Office
from tabuleiro.server.people.permissions import Action, Who
from tabuleiro.server.store import Also, Head

OpenChampionship = OpenStream[ChampionshipStream]
T = TypeVar("T")

#: How often something is decided again because what it rests on has changed meanwhile.
MOST_TRIES = 5

NO_SUCH = Refusal("no_such_championship", Text("esse campeonato não existe", "there is no such championship"), 404)
STALE = Refusal("stale", Text("entretanto mudou; tenta outra vez", "it has changed; try again"), 409)
NO_SUCH_GROUP = Refusal("no_such_group", Text("esse grupo não existe", "there is no such group"), 404)


class Admitted(NamedTuple):
    """A championship, and what somebody is to it."""

    opened: OpenChampionship
    hall: Hall
    #: Their number in it, if they play.
    person: Person | None


class Done(NamedTuple):
    """Several acts at once: what was done where, and what spoke against the rest."""

    done: list[str]
    refused: list[Text]


class Desk:
    def __init__(self, hub: Hub, office: Office, jobs: Jobs, database: str) -> None:
        self.hub = hub
        self.jobs = jobs
        self.replicas = Replicas(jobs)
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
        first = as_stored(stream.championship.event(decision, -who.guest, self.hub.now()))
        stream.apply(first)
        return await self.hub.log.create(
            stream, {}, lambda connection: self._store_beginning(connection, who, stream.id, code, [first])
        )

    async def edition(self, who: Who, template: str | None, source: str | None) -> Json:
        """What an edition says: one that comes with the house, or a TOML file."""
        if source is None:
            return load_template(template or "one-lesson")
        return await self.jobs.run(asker_of(who.guest), ReadEdition(source))

    async def take_in(self, who: Who, file: str) -> str:
        """A championship that was written to a file, here or elsewhere, with the names in it: all of it, or nothing. It
        is read and checked in a process apart, and not held in memory until somebody asks for it."""
        permissions.require(who, "make_championship")
        assert who.guest is not None
        sent = await self.jobs.run(asker_of(who.guest), ReadChampionship(file))
        now, settings = self.hub.now(), ChampionshipSettings(who.guest, await self.office.free_code())
        summary = {**sent.summary, "owner": who.guest}
        head = Head(new_id(), ChampionshipStream.kind, settings._asdict(), now, summary, None, {1: who.guest})

        def with_it(connection: sa.Connection) -> None:
            events = [
                as_stored(pure.Event(number, kind, orjson.loads(data), actor, at))
                for number, kind, actor, at, data in sent.events
            ]
            self._store_beginning(connection, who, head.id, settings.code, events)
            take_in(connection, self.database, head.id, sent.names, now)

        await self.hub.log.saving(self.store.create(head, with_it))
        return head.id

    def _store_beginning(
        self, connection: sa.Connection, who: Who, stream_id: str, code: str, events: Sequence[Event]
    ) -> None:
        store.add_events(connection, stream_id, events)
        people_store.set_class_code(connection, stream_id, code)
        people_store.note(connection, self.hub.now(), who.guest or 0, "make_championship", stream=stream_id)

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

    # -- what a process apart works out -------------------------------------------------------------------------------

    async def work_out(self, who: Who, opened: OpenChampionship, work: Work[T]) -> T:
        """What a work finds in a championship: at once where that is little, else in a process apart."""
        async with opened.held() as stream:
            if self.replicas.is_small(stream, work):
                return work.work(stream.championship)
            snapshot = Snapshot.of(stream)
        return await self.replicas.run(asker_of(who.guest), snapshot, work)

    async def decide(
        self,
        who: Who,
        opened: OpenChampionship,
        work: Work[T],
        rests_on: Callable[[ChampionshipStream], Hashable],
        decision: Callable[[T], pure.Decision],
    ) -> T:
        """Let something be decided, at once or in a process apart, and happen. What is decided apart `rests_on` some of
        the championship; where that has changed meanwhile it is decided again."""
        refused: TabuleiroError = RefusedError(*STALE)
        for _ in range(MOST_TRIES):
            before = _seen(opened.stream, rests_on)
            try:
                async with opened.held() as stream:
                    before, snapshot = rests_on(stream), Snapshot.of(stream)
                    is_small = self.replicas.is_small(stream, work)
                found = None if is_small else await self.replicas.run(asker_of(who.guest), snapshot, work)
            except LimitError:
                raise
            except TabuleiroError as error:
                # Who asks may have seen at another process what this one has not heard of yet.
                await self.hub.log.catch_up(opened)
                if _seen(opened.stream, rests_on) == before:
                    raise
                refused = error
                continue
            happened = await self._happen(who, opened, work, found, before, rests_on, decision)
            if happened is not None:
                return happened
        raise refused

    async def _happen(
        self,
        who: Who,
        opened: OpenChampionship,
        work: Work[T],
        found: T | None,
        before: Hashable,
        rests_on: Callable[[ChampionshipStream], Hashable],
        decision: Callable[[T], pure.Decision],
    ) -> T | None:
        """Let happen what was found apart, or what is found now; None where what it rests on has changed."""
        decided: list[T] = []

        def decide(stream: ChampionshipStream) -> pure.Decision | None:
            decided.clear()  # another process may have been first, so that this is asked again
            if found is not None and rests_on(stream) != before:
                return None
            decided.append(work.work(stream.championship) if found is None else found)
            return decision(decided[-1])

        await self.act(who, opened, decide)
        return decided[-1] if decided else None

    # -- draws, rounds, results ---------------------------------------------------------------------------------------

    async def draw(self, who: Who, opened: OpenChampionship, sections: Sequence[str]) -> Done:
        """The next stage of each of these sections that is ready for it."""

        async def draw(section: str) -> None:
            await self.decide(who, opened, DrawStage(section), partial(_draw_rests_on, section=section), _itself)

        return await self._each(sections, draw)

    async def pair(self, who: Who, opened: OpenChampionship, groups: Sequence[str], *, again: bool = False) -> Done:
        """The next round of each of these groups that is ready for it, or its last round mended."""
        fixed = frozenset(with_fixed_table(await self.names(opened.stream)))
        now = self.hub.now()

        async def pair(group: str) -> None:
            # What is drawn by lot when a round is mended depends on the number of the event.
            rests_on = _everything if again else partial(_group_rests_on, group=group)
            await self.decide(who, opened, PairRound(group, fixed, now, again), rests_on, _itself)

        return await self._each(groups, pair)

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
        work = PairByHand(group, pairs, frozenset(with_fixed_table(await self.names(opened.stream))))
        if only_ask:
            return (await self.work_out(who, opened, work)).warnings
        rests_on = partial(_group_rests_on, group=group)
        return (await self.decide(who, opened, work, rests_on, lambda warned: warned.decision)).warnings

    async def change_rules(
        self, who: Who, opened: OpenChampionship, sections: Sequence[str], stage: int, settings: Json
    ) -> None:
        """The rules of a stage of these sections: of all of them, or of none."""
        championship = opened.stream.championship
        for section in sections:
            championship.decide("settings_changed", {"section": section, "stage": stage, "settings": settings})

        async def change(section: str) -> None:
            what = {"section": section, "stage": stage, "settings": settings}
            await self.act(who, opened, lambda each: each.championship.decide("settings_changed", what))

        await self._each(sections, change)

    async def lots(self, who: Who, opened: OpenChampionship, groups: Sequence[str]) -> Done:
        """Lots for every tie that matters and that nothing else has broken."""
        done = Done([], [])
        found = await self.work_out(who, opened, FindTies(groups))
        for group, ties in zip(groups, found, strict=True):
            if isinstance(ties, Text):
                done.refused.append(ties)
                continue
            for tied in ties:
                await self.act(who, opened, partial(_lots, group=group, tied=tied))
                done.done.append(group)
        return done

    async def undo(self, who: Who, opened: OpenChampionship, what: Json) -> None:
        """Undo an event. Everything is replayed without it, which may take long: a thread does it."""
        refused: TabuleiroError = RefusedError(*STALE)
        for _ in range(MOST_TRIES):
            async with opened.held() as stream:
                events = [*stream.championship.events]
            try:
                tried = await asyncio.to_thread(Championship.try_undoing, events, what)
            except TabuleiroError as error:
                await self.hub.log.catch_up(opened)
                if opened.stream.number == len(events):
                    raise
                refused = error
                continue
            if await self._undone(who, opened, tried):
                return
        raise refused

    async def _undone(self, who: Who, opened: OpenChampionship, tried: Undoing) -> bool:
        """Let an undoing that was tried happen; False where something else has happened since."""
        done = False

        def decide(stream: ChampionshipStream) -> pure.Decision | None:
            nonlocal done
            done = stream.number + 1 == tried.number
            return stream.championship.decide_undoing(tried) if done else None

        await self.act(who, opened, decide)
        return done

    async def _each(self, places: Sequence[str], act: Callable[[str], Awaitable[None]]) -> Done:
        """The same act in several places. One alone is refused aloud; of several, those that can are done."""
        done = Done([], [])
        for place in places:
            try:
                await act(place)
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


def _itself(decision: pure.Decision) -> pure.Decision:
    return decision


def _seen(stream: ChampionshipStream, rests_on: Callable[[ChampionshipStream], Hashable]) -> Hashable:
    """What something rests on; None where there is no such thing yet."""
    try:
        return rests_on(stream)
    except TabuleiroError:
        return None


def _everything(stream: ChampionshipStream) -> Hashable:
    return stream.number


def _group_rests_on(stream: ChampionshipStream, group: str) -> Hashable:
    """What the next round of a group rests on: the group, and who of its section is there."""
    return stream.version(group), stream.version(group.partition("/")[0])


def _draw_rests_on(stream: ChampionshipStream, section: str) -> Hashable:
    """What the draw of a stage rests on: its section, and which tables the other sections have."""
    state = stream.championship.state
    groups = [name for name, (of, _, _) in state.groups.items() if of.plan.id == section]
    number = len(state.section(section).stages) + 1
    tables = decisions.first_free_table(stream.championship, number)
    return stream.version(section), tables, *(stream.version(name) for name in groups)


def _lots(stream: ChampionshipStream, group: str, tied: Sequence[Person]) -> pure.Decision:
    return decisions.draw_lots(stream.championship, group, tied)
