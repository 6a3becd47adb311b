"""The routes of classes: their pupils, cards, rules and rounds."""

import base64
import binascii
from typing import Annotated, Literal

import orjson
import segno
from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.server.ids import ID_LENGTH, ID_LETTERS
from tabuleiro.server.log import Json
from tabuleiro.server.people import class_view, schemas, store
from tabuleiro.server.people.api import (
    RESPONSES,
    Number,
    address,
    answer,
    now_of,
    office_of,
    signed_in,
    store_of,
    who_asks,
)
from tabuleiro.server.people.lobby import Lobby
from tabuleiro.server.people.office import NewCard, OpenClass
from tabuleiro.server.people.permissions import require
from tabuleiro.server.people.roster import Pupil, read_file, read_list
from tabuleiro.server.people.school_class import HouseRules
from tabuleiro.sheets import write_csv, write_xlsx

router = APIRouter(tags=["classes"], responses=RESPONSES)

ClassId = Annotated[str, Path(pattern=f"^[{ID_LETTERS}]{{{ID_LENGTH}}}$")]

#: How the files of an export are sent.
EXPORTS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}


@router.get("/api/v1/classes", response_model=list[schemas.ClassLine])
async def classes(request: Request) -> Response:
    """Your classes; an organiser sees all."""
    who, guest = await signed_in(request)
    found = await store_of(request).read(
        lambda connection: store.list_classes(connection, None if who.role == "organiser" else guest)
    )
    return answer(found)


@router.post("/api/v1/classes", response_model=schemas.PrintedCards, status_code=201)
async def make_class(request: Request, body: schemas.ClassBody) -> Response:
    """A class from a list of names, or from a CSV or XLSX file, with a card for everybody. Each wrong row is named, and
    then nothing is kept."""
    who = await who_asks(request)
    require(who, "make_class")
    pupils = _pupils(body, ())
    name, school = (" ".join(text.split()) for text in (body.name, body.school))
    opened, cards = await office_of(request).make_class(who, name, school, body.cycle, pupils)
    return answer(_printed(request, opened, cards), 201)


@router.get("/api/v1/classes/{class_id}", response_model=schemas.ClassView)
async def show_class(request: Request, class_id: ClassId) -> Response:
    """Who is here, who plays whom, how it stands."""
    opened = await office_of(request).open(await who_asks(request), class_id, "see_class")
    return answer(await _view(request, opened))


async def _view(request: Request, opened: OpenClass) -> Json:
    async with opened.held() as school_class:
        here = request.app.state.hub.extension(Lobby).guests()
        return await store_of(request).read(lambda connection: class_view.class_view(connection, school_class, here))


@router.post("/api/v1/classes/{class_id}/pupils", response_model=schemas.PrintedCards, status_code=201)
async def add_pupils(request: Request, class_id: ClassId, body: schemas.RosterBody) -> Response:
    """More pupils, with a card each."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "change_class")
    known = await store_of(request).read(lambda connection: store.find_people(connection, opened.stream.pupils))
    pupils = _pupils(body, [each.name for each in known.values()])
    return answer(_printed(request, opened, await office_of(request).add_pupils(who, opened, pupils)), 201)


@router.post("/api/v1/classes/{class_id}/cards", response_model=schemas.PrintedCards, status_code=201)
async def make_cards(request: Request, class_id: ClassId, body: schemas.CardsBody) -> Response:
    """New cards for these pupils. Their old ones are worth nothing from now on, and who came in by them is out."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "make_cards")
    return answer(_printed(request, opened, await office_of(request).make_cards(who, opened, body.pupils)), 201)


@router.delete("/api/v1/classes/{class_id}/pupils/{guest}", response_model=schemas.ClassView)
async def remove_pupil(request: Request, class_id: ClassId, guest: Number) -> Response:
    """Remove a pupil. Within seven days it can be undone; then everything about them is erased."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "change_class")
    await office_of(request).remove(who, opened, guest)
    return answer(await _view(request, opened))


@router.post("/api/v1/classes/{class_id}/pupils/{guest}/back", response_model=schemas.ClassView)
async def bring_back(request: Request, class_id: ClassId, guest: Number) -> Response:
    """Undo the removal of a pupil."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "change_class")
    await office_of(request).bring_back(who, opened, guest)
    return answer(await _view(request, opened))


@router.put("/api/v1/classes/{class_id}/rules", response_model=schemas.ClassView)
async def set_rules(request: Request, class_id: ClassId, body: schemas.RulesBody) -> Response:
    """The house rules: what the pupils of the class may do from now on, in games that begin from now on."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "change_class")
    await office_of(request).set_rules(who, opened, HouseRules.from_json(body.model_dump()))
    return answer(await _view(request, opened))


@router.put("/api/v1/classes/{class_id}/nicknames", response_model=schemas.ClassView)
async def lock_nicknames(request: Request, class_id: ClassId, body: schemas.NicknamesBody) -> Response:
    """Whether pupils keep the names that they were given."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "change_class")
    await office_of(request).lock_nicknames(who, opened, body.locked)
    return answer(await _view(request, opened))


@router.put("/api/v1/classes/{class_id}/ladder", response_model=schemas.ClassView)
async def set_ladder(request: Request, class_id: ClassId, body: schemas.LadderBody) -> Response:
    """A ladder in a game, the best rated at the top; who beats somebody a few rungs above takes their rung. Without a
    game it ends."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "change_class")
    await office_of(request).set_ladder(who, opened, body.game)
    return answer(await _view(request, opened))


@router.post("/api/v1/classes/{class_id}/pupils/{guest}/merge", response_model=schemas.ClassView)
async def merge(request: Request, class_id: ClassId, guest: Number, body: schemas.MergeBody) -> Response:
    """Somebody was entered twice: the games of this entry become the other's, and this one is erased."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "change_class")
    await office_of(request).merge(who, opened, guest, body.into)
    return answer(await _view(request, opened))


@router.post("/api/v1/classes/{class_id}/years", response_model=schemas.ClassView)
async def begin_year(request: Request, class_id: ClassId, body: schemas.YearBody) -> Response:
    """A new school year: the class has a new name and no rounds yet; people and games stay."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "change_class")
    await office_of(request).begin_year(who, opened, " ".join(body.name.split()))
    return answer(await _view(request, opened))


@router.post("/api/v1/classes/{class_id}/rounds", response_model=schemas.ClassView, status_code=201)
async def begin_round(request: Request, class_id: ClassId, body: schemas.RoundBody) -> Response:
    """Everybody plays somebody now, the odd one the computer. Who played each other lately does not again."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "change_class")
    here = request.app.state.hub.extension(Lobby).guests()
    pupils = [pupil for pupil in opened.stream.pupils if pupil in here] if body.pupils is None else body.pupils
    clock = None if body.clock is None else body.clock.rule()
    await office_of(request).begin_round(who, opened, body.game, body.options, clock, [*dict.fromkeys(pupils)])
    return answer(await _view(request, opened), 201)


@router.get(
    "/api/v1/classes/{class_id}/export/{kind}",
    response_class=Response,
    responses={200: {"content": {media.partition(";")[0]: {} for media in EXPORTS.values()}, "description": "done"}},
)
async def export_class(request: Request, class_id: ClassId, kind: Literal["csv", "xlsx", "json"]) -> Response:
    """Everything about a class, as a file."""
    who = await who_asks(request)
    opened = await office_of(request).open(who, class_id, "export_class")
    view = await _view(request, opened)
    await store_of(request).write(
        lambda connection: store.note(connection, now_of(request), who.guest or 0, "export_class", stream=class_id)
    )
    rows = class_view.export_rows(view)
    data = {
        "csv": lambda: write_csv(rows),
        "xlsx": lambda: write_xlsx({"turma": rows}),
        "json": lambda: orjson.dumps(view),
    }[kind]()
    headers = {"Content-Disposition": f'attachment; filename="turma.{kind}"', "Cache-Control": "no-store"}
    return Response(data, media_type=EXPORTS[kind], headers=headers)


def _pupils(body: schemas.RosterBody, known: list[str] | tuple[()]) -> list[Pupil]:
    if body.file is None:
        return read_list(body.names, known)
    try:
        return read_file(base64.b64decode(body.file, validate=True), known)
    except binascii.Error:
        raise TabuleiroError(Text("o ficheiro não chegou inteiro", "the file did not arrive whole")) from None


def _printed(request: Request, opened: OpenClass, cards: list[NewCard]) -> Json:
    return printed_cards(request, opened.stream.id, opened.stream.settings.code, cards)


def printed_cards(request: Request, stream: str, code: str, cards: list[NewCard]) -> Json:
    """New cards as pages print them."""
    here = address(request)
    return {
        "id": stream,
        "class_code": code,
        "address": f"{here}/entrar",
        "cards": [
            {
                "guest": card.guest,
                "name": card.name,
                "code": card.code,
                "link": f"{here}/entrar#c.{card.token}",
                "qr": qr_picture(f"{here}/entrar#c.{card.token}"),
            }
            for card in cards
        ],
    }


def qr_picture(text: str) -> str:
    """A QR code, as the address of a picture."""
    return segno.make(text, micro=False).svg_data_uri(border=2, light="#fff", omitsize=True)
