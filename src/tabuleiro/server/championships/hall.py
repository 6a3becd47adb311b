"""The parts of championships put together, and what goes on by itself: results come in from the tables."""

import asyncio

from fastapi import FastAPI

from tabuleiro.server.championships.desk import Desk
from tabuleiro.server.championships.embargo import SILENT, Embargo
from tabuleiro.server.championships.followers import Followers
from tabuleiro.server.championships.keeping import Backups
from tabuleiro.server.championships.playing import Tables
from tabuleiro.server.championships.registrar import Registrar
from tabuleiro.server.championships.stream import ChampionshipStream
from tabuleiro.server.championships.view import Views
from tabuleiro.server.hub import Hub
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.sessions import GameSession
from tabuleiro.server.tasks import Tasks
from tabuleiro.server.thinking import OpenSession

#: Seconds between two looks for results that nobody has written down.
COLLECT = 10.0


class Halls:
    def __init__(self, app: FastAPI, hub: Hub, database: str) -> None:
        self._tasks = Tasks()
        desk = app.state.desk = Desk(hub, app.state.office, app.state.jobs, database)
        self._views = app.state.championship_views = Views(desk.replicas)
        app.state.registrar = Registrar(desk)
        self._at_tables = app.state.tables = Tables(desk)
        self._backups = app.state.championship_backups = Backups(hub.store, database)
        self._embargo = app.state.embargo = Embargo(hub)
        self._audience = hub.audience
        hub.thinking.may_think = self._may_think
        self._followers = app.state.followers = Followers(self._views, self._backups.soon, self._embargo.look_again)
        hub.log.attendants[ChampionshipStream.kind] = self._followers
        hub.when_over.append(self._over)
        self._tasks.spawn(self._collect())
        self._tasks.spawn(self._catch_up())

    async def close(self) -> None:
        await self._tasks.close()
        self._followers.close()
        await self._backups.close()

    async def _may_think(self, opened: OpenSession) -> bool:
        """Whether a computer player may answer; who waits for it is told why it does not."""
        if await self._embargo.may_answer(opened.stream):
            return True
        self._audience.say_all(opened, {"type": "error", "ref": None, **SILENT.as_json()})
        return False

    def _over(self, session: GameSession) -> None:
        if session.settings.championship is not None:
            self._tasks.spawn(self._at_tables.session_over(session.settings.championship, session.id))

    async def _catch_up(self) -> None:
        try:
            await self._backups.catch_up()
        except Exception as error:
            log_failure("catch_up_failed", error)

    async def _collect(self) -> None:
        while True:
            try:
                await self._at_tables.collect()
            except Exception as error:
                log_failure("collect_failed", error)
            await asyncio.sleep(COLLECT)
