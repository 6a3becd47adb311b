"""The routes of championships: making them and looking at them. What is done in one: `acts_api.py`."""

import asyncio
import io
from functools import lru_cache, partial
from typing import Annotated, NamedTuple

import orjson
import segno
import sqlalchemy as sa
from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from tabuleiro.championship import edition
from tabuleiro.championship.events import Person
from tabuleiro.championship.registration import RegistrationError
from tabuleiro.language import Text
from tabuleiro.server import schemas as common
from tabuleiro.server.championships import keeping, lists, rehearsing, schemas, store, view
from tabuleiro.server.championships.desk import NO_SUCH_GROUP, Admitted, Desk, OpenChampionship, edition_of
from tabuleiro.server.championships.registrar import Registrar
from tabuleiro.server.championships.stream import ChampionshipStream
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.guard import json_response
from tabuleiro.server.identity import Who
from tabuleiro.server.ids import ID_LENGTH, ID_LETTERS, new_id
from tabuleiro.server.log import Json
from tabuleiro.server.people.api import RESPONSES, Number, address, answer, now_of, office_of, store_of, who_asks
from tabuleiro.server.people.permissions import may, require

router = APIRouter(tags=["championships"], responses=RESPONSES)

ChampionshipId = Annotated[str, Path(pattern=f"^[{ID_LETTERS}]{{{ID_LENGTH}}}$")]
SectionPart = Annotated[str, Path(max_length=40)]
NumberPart = Annotated[int, Path(ge=1, le=10_000)]
#: Characters of the name of a group.
MAX_GROUP = 60


def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


def registrar_of(request: Request) -> Registrar:
    registrar: Registrar = request.app.state.registrar
    return registrar


@router.get("/api/v1/championships", response_model=list[schemas.ChampionshipLine])
async def championships(request: Request) -> Response:
    """The championships that you may look at: yours, those in which you play or arbitrate, those published; an
    organiser sees all."""
    who = await who_asks(request)
    guest = who.guest if who.sign_in is not None else None

    def work(connection: sa.Connection) -> tuple[dict[str, Json], set[str]]:
        return store.summaries(connection), set() if guest is None else store.entered_by(connection, guest)

    found, entered = await store_of(request).read(work)
    lines = []
    for championship_id, summary in found.items():
        mine = _mine(who, guest, summary, championship_id in entered)
        if mine is not None:
            kept = {
                key: summary[key] for key in ("name", "rehearsal", "entries", "groups", "complete", "open", "published")
            }
            lines.append({"id": championship_id, **kept, "mine": mine})
    return answer(lines)


def _mine(who: Who, guest: int | None, summary: Json, entered: bool) -> str | None:
    """What a championship is to somebody; None where they must not know of it."""
    if guest is not None and summary["owner"] == guest:
        return "owner"
    if entered:
        return "arbiter" if who.role == "arbiter" else "player"
    if who.role == "organiser":
        return "organiser"
    return "guest" if summary["published"] else None


@router.get("/api/v1/championships/templates", response_model=list[schemas.Template])
def templates() -> Response:
    """The editions that come with the house."""
    return answer(
        [
            {
                "id": name,
                "name": text._asdict(),
                "sections": len(edition.read_edition(edition.load_template(name)).sections),
            }
            for name, text in edition.templates().items()
        ]
    )


@router.post("/api/v1/championships", response_model=schemas.Registered, status_code=201)
async def make(request: Request, body: schemas.NewBody) -> Response:
    """A championship. Where the list that comes with it is wrong nothing is kept, and each wrong row is named."""
    who, desk = await who_asks(request), desk_of(request)
    require(who, "make_championship")
    plan = edition_of(body.template, body.edition) if body.quick is None else lists.quick_edition(body.quick)
    opened = await desk.make(who, plan, " ".join(body.name.split()), rehearsal=body.rehearsal is not None)
    notes: list[Text] = []
    try:
        if body.rehearsal is not None:
            await rehearsing.invent(registrar_of(request), who, opened, body.rehearsal)
        elif body.entries is not None:
            notes = await enter(request, who, opened, body.entries)
        if body.begin:
            await desk.draw(who, opened, [*opened.stream.championship.state.sections])
            await desk.pair(who, opened, desk.ready(opened)[1])
    except Exception:
        await desk.remove(who, opened)
        raise
    return answer({"id": opened.stream.id, "notes": [note._asdict() for note in notes]}, 201)


async def enter(request: Request, who: Who, opened: OpenChampionship, body: schemas.ListBody) -> list[Text]:
    """Register who is on a list, or in a class."""
    state = opened.stream.championship.state
    if body.class_id is not None:
        section = body.section or next(iter(state.sections))
        school_class = await office_of(request).open(who, body.class_id, "see_class")
        await registrar_of(request).enter_class(who, opened, section, [*school_class.stream.pupils])
        return []
    rows = lists.read_rows(body, state)
    try:
        return await registrar_of(request).register(who, opened, rows)
    except RegistrationError as error:
        raise lists.wrong_rows(error, only_names=lists.is_only_names(rows)) from error


@router.get("/api/v1/championships/check-in/{guest}", response_model=list[schemas.CheckInLine])
async def check_in(request: Request, guest: Number) -> Response:
    """Where somebody whose card was shown to you is expected, of the sections that you look after."""
    who, desk = await who_asks(request), desk_of(request)
    require(who, "check_in")
    lines = []
    for championship_id, person in await store_of(request).read(partial(store.entries_of, guest=guest)):
        for name, section in (await desk.find(who, championship_id)).opened.stream.championship.state.sections.items():
            admitted = await desk.find(who, championship_id, name)
            if person in section.entries and may(who, "enter_result", admitted.hall):
                rules = admitted.opened.stream.championship.state.rules
                lines.append(
                    {
                        "id": championship_id,
                        "name": rules.name._asdict(),
                        "section": name,
                        "section_name": rules.section_name(section.plan)._asdict(),
                        "person": person,
                        "presence": section.entries[person].presence,
                    }
                )
    return answer(lines)


@router.post("/api/v1/championships/import", response_model=schemas.Registered, status_code=201)
async def import_file(request: Request, body: schemas.ImportBody) -> Response:
    """A championship that was written to a file, here or on another laptop. Who was erased here stays erased."""
    who, desk = await who_asks(request), desk_of(request)
    require(who, "make_championship")
    assert who.guest is not None
    championship, names = await asyncio.to_thread(keeping.read_bytes, lists.decoded(body.file))
    stream = keeping.new_stream(new_id(), who.guest, await office_of(request).free_code(), now_of(request))
    database = request.app.state.settings.database
    await desk.begin(
        who,
        stream,
        championship.events,
        lambda connection: keeping.take_in(connection, database, stream.id, names, now_of(request)),
    )
    return answer({"id": stream.id, "notes": []}, 201)


@router.get("/api/v1/championships/{championship_id}", response_model=schemas.Overview)
async def show(request: Request, championship_id: ChampionshipId) -> Response:
    """How a championship stands: its sections and groups, what can be done next, and what you may do."""
    who, desk = await who_asks(request), desk_of(request)
    admitted = await desk.open(who, championship_id, "look_at_championship")
    staff = may(who, "see_championship", admitted.hall)
    async with admitted.opened.held() as stream:
        told = request.app.state.championship_views.overview(stream, staff=staff)
        mine = None if admitted.person is None else view.mine(stream, admitted.person)
    named = {each["person"] for section in told["sections"] for each in section["podium"] or ()}
    if mine is not None:
        named |= {mine["person"], *([mine["table"]["opponent"]] if mine["table"] else [])}
    told |= {
        "people": await people_told(request, who, admitted, named),
        "may": {
            "change": may(who, "change_championship", admitted.hall),
            "results": await _sections(request, who, admitted),
            "see": staff,
        },
        "mine": mine,
        "code": stream.settings.code if staff else None,
    }
    return answer(told)


async def _sections(request: Request, who: Who, admitted: Admitted) -> list[str]:
    """The sections in which somebody may enter results."""
    stream = admitted.opened.stream
    everywhere = [*stream.championship.state.sections]
    if who.role != "arbiter":
        return everywhere if may(who, "enter_result", admitted.hall) else []
    guest = who.guest
    assert guest is not None
    section = await store_of(request).read(lambda connection: store.arbitrates(connection, stream.id, guest))
    return [] if section is None else everywhere if not section else [section]


async def people_told(request: Request, who: Who, admitted: Admitted, wanted: set[Person] | None) -> Json:
    """The names of these persons, or of all, as whoever asks may know them. They come from the disk, so nobody should
    hold the championship meanwhile: results would wait."""
    stream = admitted.opened.stream
    found = await store_of(request).read(lambda connection: store.find_entrants(connection, stream.id, wanted))
    staff = may(who, "see_championship", admitted.hall)
    state = stream.championship.state
    return view.people_json(state, found.values(), whole=staff or state.full_names, staff=staff)


@router.get("/api/v1/championships/{championship_id}/groups", response_model=schemas.Groups)
async def groups(
    request: Request,
    championship_id: ChampionshipId,
    section: str | None = None,
    every: Annotated[bool, "also those of stages that are over"] = False,
    since: Annotated[int, "only what has changed since that number"] = 0,
) -> Response:
    """The groups of a championship, with rounds and standings: for projectors and for paper. Who has them already asks
    for those that have changed since; where `whole` is true they are all there."""
    who = await who_asks(request)
    admitted = await desk_of(request).open(who, championship_id, "look_at_championship")
    async with admitted.opened.held() as stream:
        wanted = [
            group.id
            for each in stream.championship.state.sections.values()
            if section in (None, each.plan.id)
            for stage in (each.stages if every else each.stages[-1:])
            for group in stage.groups
            if stream.version(group.id) > since
        ]
        told = _groups_told(request, stream, wanted, whole=stream.changed_all > since)
    return await _with_names(request, who, admitted, told, everybody=section is None and told.whole)


@router.get("/api/v1/championships/{championship_id}/groups/{section}/{stage}/{number}", response_model=schemas.Groups)
async def group(
    request: Request, championship_id: ChampionshipId, section: SectionPart, stage: NumberPart, number: NumberPart
) -> Response:
    """One group."""
    who, name = await who_asks(request), f"{section}/{stage}/{number}"
    admitted = await desk_of(request).open(who, championship_id, "look_at_championship")
    async with admitted.opened.held() as stream:
        if name not in stream.championship.state.groups:
            raise RefusedError(*NO_SUCH_GROUP)
        told = _groups_told(request, stream, [name], whole=True)
    return await _with_names(request, who, admitted, told, everybody=False)


class _GroupsTold(NamedTuple):
    """Groups as they stood at a moment, written, and who is in them."""

    number: int
    whole: bool
    persons: set[Person]
    written: bytes


def _groups_told(request: Request, stream: ChampionshipStream, wanted: list[str], *, whole: bool) -> _GroupsTold:
    """Of a championship that is held."""
    groups, views = stream.championship.state.groups, request.app.state.championship_views
    persons = {person for name in wanted for person in groups[name][2].members}
    return _GroupsTold(stream.number, whole, persons, b",".join(views.group(stream, name) for name in wanted))


async def _with_names(
    request: Request, who: Who, admitted: Admitted, told: _GroupsTold, *, everybody: bool
) -> Response:
    """Groups, and the names of who is in them, or of everybody."""
    people = await people_told(request, who, admitted, None if everybody else told.persons)
    head = orjson.dumps({"number": told.number, "whole": told.whole, "people": people})[:-1]
    return json_response(head + b',"groups":[' + told.written + b"]}", 200)


@router.get("/api/v1/championships/{championship_id}/entries", response_model=schemas.Entries)
async def entries(request: Request, championship_id: ChampionshipId) -> Response:
    """Who is registered, and who is there."""
    who = await who_asks(request)
    admitted = await desk_of(request).open(who, championship_id, "see_championship")
    async with admitted.opened.held() as stream:
        state = stream.championship.state
        told = {
            "number": stream.number,
            "entries": view.entries_json(state),
            "schools": {str(school.id): school.name for school in state.schools.values()},
        }
    return answer(told | {"people": await people_told(request, who, admitted, None)})


@router.delete("/api/v1/championships/{championship_id}", response_model=common.Nothing)
async def remove(request: Request, championship_id: ChampionshipId) -> Response:
    """Remove a championship, with everything about those who are here for its sake alone, and its backups."""
    who = await who_asks(request)
    opened, _, _ = await desk_of(request).open(who, championship_id, "change_championship")
    await desk_of(request).remove(who, opened)
    request.app.state.championship_backups.forget(championship_id)
    return answer({})


@router.get(
    "/api/v1/championships/{championship_id}/qr.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}, "description": "done"}},
)
async def qr(request: Request, championship_id: ChampionshipId, group: str | None = None) -> Response:
    """A QR code of where it is found, or one of its groups: for paper and the projector."""
    place = f"/{group}" if group is not None and len(group) <= MAX_GROUP else ""
    link = f"{address(request)}/campeonatos/{championship_id}{place and '/grupo' + place}"
    return Response(qr_picture(link), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


@lru_cache(1000)
def qr_picture(link: str) -> bytes:
    picture = io.BytesIO()
    segno.make(link, micro=False).save(picture, kind="svg", border=2, light="#fff", omitsize=True)
    return picture.getvalue()
