"""What may be done with votes: who opens one, asks, votes, and is told the truth. Each act is decided by the vote,
allowed by `permissions.py`, and stored before anybody hears of it."""

import asyncio
from functools import partial

import sqlalchemy as sa

from tabuleiro.language import Text
from tabuleiro.record import Line
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.hub import Hub
from tabuleiro.server.identity import Who
from tabuleiro.server.ids import new_id
from tabuleiro.server.learning.proven import Values, WhatIsProven
from tabuleiro.server.learning.room import Asker, TaskRoom
from tabuleiro.server.log import Guest, OpenStream
from tabuleiro.server.people import codes, permissions
from tabuleiro.server.people.office import Office
from tabuleiro.server.people.permissions import Action
from tabuleiro.server.people.school_class import SchoolClass
from tabuleiro.server.policy import AdvicePolicy
from tabuleiro.server.tables import streams
from tabuleiro.server.teaching.truth import POSITIONS, told
from tabuleiro.server.teaching.vote import Asks, Question, Vote, VoteSettings
from tabuleiro.server.teaching.voters import Voters

OpenVote = OpenStream[Vote]

#: Letters of the code of a vote: more than a class's, because guests come in by it.
CODE_LENGTH = 5
#: How often a code that is taken already is tried again.
MOST_TRIES = 20

NO_SUCH_VOTE = Refusal("no_such_vote", Text("não há nenhuma votação com esse código", "there is no such vote"), 404)
GAME_OVER = Refusal("game_over", Text("nesta posição a partida já acabou", "the game is over in this position"), 400)


class Polls:
    def __init__(self, hub: Hub, office: Office, embargo: AdvicePolicy, room: TaskRoom) -> None:
        self._hub = hub
        self._office = office
        self._embargo = embargo
        self._room = room
        self.voters = Voters()
        hub.log.attendants[Vote.kind] = self.voters

    # -- finding ------------------------------------------------------------------------------------------------------

    async def find(self, vote_id: str) -> OpenVote:
        opened = await self._hub.log.get(vote_id)
        if opened is None or not isinstance(opened.stream, Vote):
            raise RefusedError(*NO_SUCH_VOTE)
        return opened

    async def find_by_code(self, text: str) -> OpenVote:
        found = await self._hub.store.read(partial(_with_code, code=codes.read_code(text)))
        if found is None:
            raise RefusedError(*NO_SUCH_VOTE)
        return await self.find(found)

    async def may(self, who: Who, opened: OpenVote, action: Action) -> bool:
        return permissions.may(who, action, await self._class(opened))

    async def _class(self, opened: OpenVote) -> SchoolClass | None:
        found = await self._hub.log.get(opened.stream.settings.class_id)
        return found.stream if found is not None and isinstance(found.stream, SchoolClass) else None

    async def run(self, who: Who, vote_id: str) -> OpenVote:
        """A vote, for somebody who may run it."""
        opened = await self.find(vote_id)
        permissions.require(who, "run_vote", await self._class(opened))
        return opened

    # -- acting -------------------------------------------------------------------------------------------------------

    async def begin(self, who: Who, class_id: str) -> OpenVote:
        """A vote of a class, in which nothing is asked yet. Those of the class that went on are over."""
        await self._office.open(who, class_id, "run_vote")
        assert who.guest is not None
        for vote_id in await self._hub.store.read(partial(_going_on, class_id=class_id)):
            await self._hub.log.act(await self.find(vote_id), Vote.decide_end)
        made = Vote(new_id(), VoteSettings(class_id, who.guest, await self._free_code()), self._hub.now())
        return await self._hub.log.create(made, await self._hub.store.nicknames({who.guest}))

    async def _free_code(self) -> str:
        for _ in range(MOST_TRIES):
            code = codes.new_code(CODE_LENGTH)
            if await self._hub.store.read(partial(_with_code, code=code)) is None:
                return code
        raise RuntimeError("no code of a vote is free")

    async def ask(self, opened: OpenVote, line: Line, asks: Asks, text: Text | None) -> None:
        question = Question(line, asks, text)
        if (await asyncio.to_thread(lambda: question.node)).outcome is not None:
            raise RefusedError(*GAME_OVER)
        await self._embargo.require_free(line)
        await self._hub.log.act(opened, lambda vote: vote.decide_ask(question))

    async def vote(self, opened: OpenVote, guest: Guest, number: int, choice: str) -> None:
        await self._hub.log.act(opened, lambda vote: vote.decide_vote(guest, number, choice))

    async def close_question(self, opened: OpenVote) -> None:
        await self._hub.log.act(opened, Vote.decide_close)

    async def reveal(self, opened: OpenVote, asker: Asker) -> None:
        """What is proven is worked out, and then told to everybody."""
        async with opened.held() as vote:
            line, number = vote.asked().line, len(vote.questions)
        await self._embargo.require_free(line)
        values: Values = await self._room.ask(asker, WhatIsProven(line, POSITIONS))
        await self._hub.log.act(opened, lambda vote: vote.decide_reveal(number, told(values)))

    async def end(self, opened: OpenVote) -> None:
        await self._hub.log.act(opened, Vote.decide_end)


def _with_code(connection: sa.Connection, code: str) -> str | None:
    """The vote that goes on under a code."""
    found = _votes().where(streams.c.summary["code"].as_string() == code)
    return connection.scalars(found).first()


def _going_on(connection: sa.Connection, class_id: str) -> list[str]:
    return [*connection.scalars(_votes().where(streams.c.summary["class"].as_string() == class_id))]


def _votes() -> "sa.Select[str]":
    return sa.select(streams.c.id).where(streams.c.kind == Vote.kind, ~streams.c.summary["ended"].as_boolean())
