"""The routes by which a championship is run: registration, draws, rounds, results, tables, arbiters."""

import segno
from fastapi import APIRouter, Request
from starlette.responses import Response

from tabuleiro.championship.model import Result
from tabuleiro.server import schemas as common
from tabuleiro.server.championships import rehearsing, schemas, store
from tabuleiro.server.championships.api import ChampionshipId, desk_of, enter, registrar_of
from tabuleiro.server.championships.desk import Done
from tabuleiro.server.championships.playing import Tables
from tabuleiro.server.championships.summary import Table
from tabuleiro.server.log import Json
from tabuleiro.server.people import schemas as people_schemas
from tabuleiro.server.people.api import RESPONSES, Number, address, answer, store_of, who_asks
from tabuleiro.server.people.class_api import printed_cards
from tabuleiro.server.people.permissions import Action

router = APIRouter(tags=["championships"], responses=RESPONSES)
PATH = "/api/v1/championships/{championship_id}"


def tables_of(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


async def _decide(
    request: Request, championship_id: str, action: Action, kind: str, what: Json, section: str | None = None
) -> Response:
    """What the model decides by itself, for somebody who may."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, action, section)
    await desk.act(who, opened, lambda each: each.championship.decide(kind, what))
    return answer({})


# --------------------------------------------------------------------------------------------------------- registration


@router.post(PATH + "/entries", response_model=schemas.Registered, status_code=201)
async def register(request: Request, championship_id: ChampionshipId, body: schemas.ListBody) -> Response:
    """More pupils: all of the list, or none and what is wrong in each row. Who comes after the draw gets a group."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    notes = await enter(request, who, opened, body)
    for section in opened.stream.championship.state.sections:
        await registrar_of(request).place(who, opened, section)
    return answer({"id": championship_id, "notes": [note._asdict() for note in notes]}, 201)


@router.post(PATH + "/presence", response_model=common.Nothing)
async def presence(request: Request, championship_id: ChampionshipId, body: schemas.PresenceBody) -> Response:
    """Somebody is there, is not, or has left for good."""
    return await _decide(request, championship_id, "enter_result", "presence", body.model_dump(), body.section)


@router.post(PATH + "/swaps", response_model=common.Nothing)
async def swap(request: Request, championship_id: ChampionshipId, body: schemas.SwapBody) -> Response:
    """A school sends another pupil, until the first game was played."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    await registrar_of(request).swap(who, opened, body.section, body.out, " ".join(body.name.split()))
    return answer({})


# ----------------------------------------------------------------------------------------------------- draws and rounds


@router.post(PATH + "/draws", response_model=schemas.DoneAnswer)
async def draw(request: Request, championship_id: ChampionshipId, body: schemas.DrawBody) -> Response:
    """Draw the next stage of a section, or of all that are ready."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    sections = desk.ready(opened)[0] if body.section is None else [body.section]
    return answer(_done(await desk.draw(who, opened, sections)))


@router.post(PATH + "/rounds", response_model=schemas.DoneAnswer)
async def pair(request: Request, championship_id: ChampionshipId, body: schemas.PairBody) -> Response:
    """Pair the next round of a group, or of all that are ready; mend the last one; or pair as the arbiter says."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    if body.pairs is not None and body.group is not None:
        warnings = await desk.pair_by_hand(who, opened, body.group, body.pairs, only_ask=body.only_ask)
        return answer(_done(Done([] if body.only_ask else [body.group], warnings)))
    groups = desk.ready(opened)[1] if body.group is None else [body.group]
    return answer(_done(await desk.pair(who, opened, groups, again=body.again)))


@router.post(PATH + "/lots", response_model=schemas.DoneAnswer)
async def lots(request: Request, championship_id: ChampionshipId, body: schemas.GroupBody) -> Response:
    """Draw lots between those who are tied where it matters and whom nothing else separates."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    groups = [*opened.stream.championship.state.groups] if body.group is None else [body.group]
    return answer(_done(await desk.lots(who, opened, groups)))


@router.post(PATH + "/playoffs", response_model=common.Nothing)
async def playoff(request: Request, championship_id: ChampionshipId, body: schemas.PlayoffBody) -> Response:
    """The order in which a play-off ended."""
    section = body.group.partition("/")[0]
    return await _decide(request, championship_id, "enter_result", "playoff", body.model_dump(), section)


@router.put(PATH + "/settings", response_model=common.Nothing)
async def settings(request: Request, championship_id: ChampionshipId, body: schemas.SettingsBody) -> Response:
    """Change the rules of a stage: rounds, tie-breaks, criteria, until its draw also its format. What was built on the
    old ones is flagged."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    sections = opened.stream.championship.state.sections
    chosen = [name for name, each in sections.items() if len(each.stage_plans) >= body.stage]
    await desk.change_rules(who, opened, chosen if body.section is None else [body.section], body.stage, body.settings)
    return answer({})


@router.put(PATH + "/publication", response_model=common.Nothing)
async def publish(request: Request, championship_id: ChampionshipId, body: schemas.PublicationBody) -> Response:
    """Whether everybody may look at it, and reads whole names."""
    return await _decide(request, championship_id, "change_championship", "published", body.model_dump())


@router.post(PATH + "/rehearsal", response_model=schemas.Rehearsed)
async def rehearse(request: Request, championship_id: ChampionshipId) -> Response:
    """The next step of a rehearsal: a draw, or the pairings of a round, or its results."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    return answer({"over": not await rehearsing.step(desk, who, opened)})


# -------------------------------------------------------------------------------------------------------------- results


def _table(body: schemas.ResultBody) -> tuple[Table, Result]:
    score = None if body.score is None else (body.score[0], body.score[1])
    result = Result.from_json({"how": body.how, "winner": body.winner, "score": score, "reason": body.reason.strip()})
    return Table(body.group, body.round, body.table, body.game), result


@router.post(PATH + "/results", response_model=common.Nothing)
async def result(request: Request, championship_id: ChampionshipId, body: schemas.ResultBody) -> Response:
    """The result of a table. Once this is answered it is on the disk."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "enter_result", body.group.partition("/")[0])
    await desk.result(who, opened, *_table(body))
    return answer({})


@router.post(PATH + "/corrections", response_model=common.Nothing)
async def correct(request: Request, championship_id: ChampionshipId, body: schemas.CorrectionBody) -> Response:
    """Another result than was entered, with the reason. What was already built on the old one is flagged."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "enter_result", body.group.partition("/")[0])
    table, changed = _table(body)
    what: Json = {**table.as_json(), "result": changed.as_json(), "reason": body.reason.strip()}
    await desk.act(who, opened, lambda each: each.championship.decide("corrected", what))
    return answer({})


@router.post(PATH + "/undo", response_model=common.Nothing)
async def undo(request: Request, championship_id: ChampionshipId, body: schemas.UndoBody) -> Response:
    """Undo something that was a mistake."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    await desk.undo(who, opened, body.model_dump())
    return answer({})


# --------------------------------------------------------------------------------------------------------------- tables


@router.post(PATH + "/table", response_model=schemas.Seated)
async def sit(request: Request, championship_id: ChampionshipId) -> Response:
    """Sit down at your table. The game begins when the other one is there too."""
    who, desk = await who_asks(request), desk_of(request)
    admitted = await desk.open(who, championship_id, "play_table")
    return answer({"session": await tables_of(request).sit(who, admitted)})


@router.post(PATH + "/calls", response_model=common.Nothing)
async def call_arbiter(request: Request, championship_id: ChampionshipId) -> Response:
    """Call the arbiter to your table."""
    who, desk = await who_asks(request), desk_of(request)
    admitted = await desk.open(who, championship_id, "play_table")
    await tables_of(request).call_arbiter(who, admitted)
    return answer({})


@router.delete(PATH + "/calls/{number}", response_model=common.Nothing)
async def answer_call(request: Request, championship_id: ChampionshipId, number: Number) -> Response:
    """An arbiter has come."""
    return await _decide(request, championship_id, "enter_result", "answered", {"call": number})


# --------------------------------------------------------------------------------------------------- arbiters and cards


@router.get(PATH + "/arbiters", response_model=list[schemas.ArbiterLine])
async def arbiters(request: Request, championship_id: ChampionshipId) -> Response:
    """Who arbitrates where."""
    await desk_of(request).open(await who_asks(request), championship_id, "change_championship")
    found = await store_of(request).read(lambda connection: store.list_arbiters(connection, championship_id))
    return answer([each._asdict() for each in found])


@router.post(PATH + "/arbiters", response_model=schemas.Appointed, status_code=201)
async def appoint(request: Request, championship_id: ChampionshipId, body: schemas.ArbiterBody) -> Response:
    """An arbiter of a section, and the link by which they come in, once."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    guest, token = await registrar_of(request).appoint(who, opened, " ".join(body.name.split()), body.section)
    link = f"{address(request)}/entrar#l.{token}"
    picture = segno.make(link, micro=False).svg_data_uri(border=2, light="#fff", omitsize=True)
    return answer({"guest": guest, "link": link, "qr": picture}, 201)


@router.delete(PATH + "/arbiters/{guest}", response_model=common.Nothing)
async def dismiss(request: Request, championship_id: ChampionshipId, guest: Number) -> Response:
    """An arbiter goes, and is signed out at once."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    await registrar_of(request).dismiss(who, opened, guest)
    return answer({})


@router.post(PATH + "/cards", response_model=people_schemas.PrintedCards, status_code=201)
async def cards(request: Request, championship_id: ChampionshipId, body: schemas.EntrantCardsBody) -> Response:
    """Cards for these pupils, or for all who have none of a class. Their old ones are worth nothing from now on."""
    who, desk = await who_asks(request), desk_of(request)
    opened, _, _ = await desk.open(who, championship_id, "change_championship")
    made = await registrar_of(request).make_cards(who, opened, body.persons)
    return answer(await printed_cards(request, who, championship_id, opened.stream.settings.code, made), 201)


def _done(done: Done) -> Json:
    return {"done": done.done, "refused": [text._asdict() for text in done.refused]}
