"""Tables at which championship games are played on the site: both pupils sit down, the game begins, its result flows
into the championship."""

from functools import partial

from tabuleiro.championship import events as pure
from tabuleiro.language import Text
from tabuleiro.server.championships import store
from tabuleiro.server.championships.desk import Admitted, Desk
from tabuleiro.server.championships.stream import ChampionshipStream
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.identity import Who
from tabuleiro.server.ids import new_id
from tabuleiro.server.people.lobby import Lobby

NOT_AT_A_TABLE = Refusal("no_table", Text("agora não tens partida nenhuma", "you have no game now"), 409)


class Tables:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._hub = desk.hub
        self._store = desk.store

    async def sit(self, who: Who, admitted: Admitted) -> str | None:
        """A pupil sits down at their table. The game begins when both are there: its session; None until then."""
        opened, person = admitted.opened, admitted.person
        found = None if person is None else opened.stream.table_of(person)
        if found is None or person is None:
            raise RefusedError(*NOT_AT_A_TABLE)
        table, pairing = found
        if table.game in pairing.sessions:
            return pairing.sessions[table.game]
        entrants = await self._store.read(
            lambda connection: store.find_entrants(connection, opened.stream.id, pairing.persons)
        )
        guests = [entrants[each].guest for each in pairing.persons if each in entrants]
        if len(guests) < 2 or not {*guests} <= self._hub.extension(Lobby).guests():
            return None
        first, second = (guests[0], guests[1]) if pairing.starter(table.game) == 1 else (guests[1], guests[0])
        session = new_id()

        def decide(stream: ChampionshipStream) -> pure.Decision | None:
            now = stream.table_of(person)
            if now is None or now[0] != table or table.game in now[1].sessions:
                return None
            stream.seats[session] = (first, second)
            return stream.championship.decide("game_begun", {**table.as_json(), "session": session})

        opened.names |= await self._store.nicknames({*guests})
        await self._desk.act(who, opened, decide, by=person)
        begun = opened.stream.table_of(person)
        playing = None if begun is None else begun[1].sessions.get(begun[0].game)
        if playing == session:
            section, _, _ = opened.stream.championship.state.group(table.group)
            for guest in guests:
                self._hub.extension(Lobby).send(guest, {"type": "game", "session": session, "game": section.plan.game})
        return playing

    async def call_arbiter(self, who: Who, admitted: Admitted) -> None:
        """A pupil calls the arbiter to their table; to call again changes nothing."""
        opened, person = admitted.opened, admitted.person
        found = None if person is None else opened.stream.table_of(person)
        if found is None:
            raise RefusedError(*NOT_AT_A_TABLE)
        table, _ = found

        def decide(stream: ChampionshipStream) -> pure.Decision | None:
            if any((call.group, call.table) == (table.group, table.table) for call in stream.championship.state.calls):
                return None
            what = {"group": table.group, "round": table.round, "table": table.table}
            return stream.championship.decide("called", what)

        await self._desk.act(who, opened, decide, by=person)

    async def collect(self) -> None:
        """The results of games that are over and that nobody has written down: the server may have been stopped between
        the last move of a game and its result."""
        summaries = await self._store.read(store.summaries)
        for championship_id, summary in summaries.items():
            sessions = [row[0] for row in summary["playing"]]
            if not sessions:
                continue
            for session in await self._store.read(partial(store.outcomes, sessions=sessions)):
                await self.session_over(championship_id, session)

    async def session_over(self, championship_id: str, session: str) -> None:
        """A game of a championship is over: its result is the result of the table."""
        opened, played = await self._hub.log.get(championship_id), await self._hub.log.get(session)
        if opened is None or played is None or played.stream.outcome is None:
            return
        outcome = played.stream.outcome
        await self._hub.log.act(opened, lambda stream: stream.decide_outcome(session, outcome))
