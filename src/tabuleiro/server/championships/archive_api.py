"""The routes by which a championship is read: its rules, what happened, figures, games played on the site, files."""

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Literal

import sqlalchemy as sa
from fastapi import APIRouter, Request
from starlette.responses import Response

from tabuleiro.championship import reasons
from tabuleiro.championship.edition import CRITERIA, FORMATS, TIE_BREAKS, UNPLAYED
from tabuleiro.championship.events import cancelled
from tabuleiro.championship.model import Result, Section
from tabuleiro.championship.people import ERASED
from tabuleiro.language import Language
from tabuleiro.record import write_game
from tabuleiro.server.championships import keeping, schemas
from tabuleiro.server.championships.acts_api import PATH
from tabuleiro.server.championships.api import ChampionshipId, desk_of, people_told, views_of
from tabuleiro.server.championships.desk import NO_SUCH
from tabuleiro.server.championships.stream import ChampionshipStream
from tabuleiro.server.championships.work import WriteReport
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.log import Json
from tabuleiro.server.people import store as people_store
from tabuleiro.server.people.api import RESPONSES, answer, now_of, store_of, who_asks

router = APIRouter(tags=["championships"], responses=RESPONSES)

#: How the files of a championship are sent.
FILES = {
    "campeonato": "application/octet-stream",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "toml": "application/toml",
    "txt": "text/plain; charset=utf-8",
}


@router.get(PATH + "/settings", response_model=schemas.RulesView)
async def rules(request: Request, championship_id: ChampionshipId) -> Response:
    """The rules of every stage, and what there is to choose from."""
    opened, _, _ = await desk_of(request).open(await who_asks(request), championship_id, "look_at_championship")
    state = opened.stream.championship.state
    choices = {"formats": FORMATS, "tie_breaks": TIE_BREAKS, "criteria": CRITERIA, "unplayed": UNPLAYED}
    return answer(
        {
            "name": state.rules.name._asdict(),
            "points": {key: reasons.number(value) for key, value in asdict(state.rules.points).items()},
            "sections": [
                {
                    "id": section.plan.id,
                    "name": state.rules.section_name(section.plan)._asdict(),
                    "stages": _stages(section),
                }
                for section in state.sections.values()
            ],
            **{
                key: [{"id": name, "name": text._asdict()} for name, text in known.items()]
                for key, known in choices.items()
            },
        }
    )


def _stages(section: Section) -> list[Json]:
    return [
        {
            **plan.as_json(),
            "drawn": number < len(section.stages),
            "paired": number < len(section.stages) and any(group.rounds for group in section.stages[number].groups),
        }
        for number, plan in enumerate(section.stage_plans)
    ]


@router.get(PATH + "/figures", response_model=schemas.Figures)
async def figures_of(request: Request, championship_id: ChampionshipId) -> Response:
    """Players, games and podiums by section, by game, by cycle and by school."""
    opened, _, _ = await desk_of(request).open(await who_asks(request), championship_id, "look_at_championship")
    return answer(await views_of(request).figures(opened))


# ------------------------------------------------------------------------------------------- games played on the site


def _played(stream: ChampionshipStream) -> list[Json]:
    """Those that are over."""
    state = stream.championship.state
    found = []
    for section, _, group in state.groups.values():
        for turn, pairing in group.pairings():
            for number, session in pairing.sessions.items():
                if number > len(pairing.games) or pairing.two is None:
                    continue
                first = pairing.starter(number) == 1
                found.append(
                    {
                        "session": session,
                        "group": group.id,
                        "section_name": state.rules.section_name(section.plan)._asdict(),
                        "round": turn.number,
                        "table": pairing.table,
                        "game": number,
                        "one": pairing.one if first else pairing.two,
                        "two": pairing.two if first else pairing.one,
                        "result": reasons.result(_seen_by_first(pairing.games[number - 1], first=first)),
                    }
                )
    return found


def _seen_by_first(outcome: Result, *, first: bool) -> Result:
    """A result with who began the game in seat 1."""
    if first or outcome.winner is None:
        return outcome
    return Result(outcome.how, 2 if outcome.winner == 1 else 1)


@router.get(PATH + "/games", response_model=schemas.PlayedGames)
async def games(request: Request, championship_id: ChampionshipId) -> Response:
    """The games that were played on the site and are over."""
    who = await who_asks(request)
    admitted = await desk_of(request).open(who, championship_id, "look_at_championship")
    async with admitted.opened.held() as stream:
        found = _played(stream)
    named = {game[side] for game in found for side in ("one", "two")}
    return answer({"people": await people_told(request, who, admitted, named), "games": found})


@router.get(
    PATH + "/records",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "done"}},
)
async def records(request: Request, championship_id: ChampionshipId) -> Response:
    """The records of all games that were played on the site and are over, in one file. Who looks after the championship
    reads them at any time, everybody else once it is published."""
    who = await who_asks(request)
    desk = desk_of(request)
    admitted = await desk.open(who, championship_id, "look_at_championship")
    async with admitted.opened.held() as stream:
        state, found = stream.championship.state, _played(stream)
    named = {game[side] for game in found for side in ("one", "two")}
    people = await people_told(request, who, admitted, named)
    if not state.published:
        await desk.open(who, championship_id, "see_championship")
    texts = []
    for game in found:
        opened = await desk.hub.log.get(game["session"])
        if opened is None:
            continue
        async with opened.held() as session:
            kept, seats = session.game.tags, [people.get(str(game[side])) for side in ("one", "two")]
            session.game.tags = {
                **kept,
                "Event": state.rules.name.pt,
                "Round": str(game["round"]),
                "Date": f"{datetime.fromtimestamp(session.created, UTC):%Y-%m-%d}",
                **{f"Player{n}": ERASED.pt if seat is None else seat["name"] for n, seat in enumerate(seats, start=1)},
            }
            texts.append(write_game(session.game))
            session.game.tags = kept  # names are told as each who asks may know them
    return _file("txt", "\n".join(texts).encode())


# ------------------------------------------------------------------------------------------------------ log and files


@router.get(PATH + "/log", response_model=list[schemas.LogLine])
async def log(request: Request, championship_id: ChampionshipId) -> Response:
    """Everything that happened, the newest first."""
    opened, _, _ = await desk_of(request).open(await who_asks(request), championship_id, "change_championship")
    adults = {adult.guest: adult.name for adult in await store_of(request).read(people_store.list_adults)}
    events = opened.stream.championship.events
    gone = cancelled(events)
    return answer(
        [
            {
                "number": event.number,
                "kind": event.kind,
                "at": event.when,
                "who": adults.get(-event.who),
                "where": event.data.get("group") or event.data.get("section"),
                "undone": event.number in gone,
                "reason": str(event.data.get("reason", "")),
            }
            for event in reversed(events)
        ]
    )


@router.get(
    PATH + "/file/{kind}",
    response_class=Response,
    responses={200: {"content": {media.partition(";")[0]: {} for media in FILES.values()}, "description": "done"}},
)
async def download(
    request: Request,
    championship_id: ChampionshipId,
    kind: Literal["campeonato", "csv", "xlsx", "json", "toml"],
    language: Language = "pt",
) -> Response:
    """All of it as a file: to go on with on another laptop, or for spreadsheets and programs; `toml` is the edition
    alone, with its settings as they stand, to make another championship by."""
    who = await who_asks(request)
    opened, _, _ = await desk_of(request).open(who, championship_id, "change_championship")

    def work(connection: sa.Connection) -> object:
        people_store.note(connection, now_of(request), who.guest or 0, "export_championship", stream=championship_id)
        return keeping.contents(connection, championship_id)

    found = await store_of(request).write(work)
    if not isinstance(found, tuple):
        raise RefusedError(*NO_SUCH)
    events, names = found
    if kind == "campeonato":
        return _file(kind, await asyncio.to_thread(keeping.write_bytes, events, names))
    return _file(kind, await desk_of(request).work_out(who, opened, WriteReport(kind, names, language)))


def _file(kind: str, data: bytes) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="campeonato.{kind}"', "Cache-Control": "no-store"}
    return Response(data, media_type=FILES[kind], headers=headers)
