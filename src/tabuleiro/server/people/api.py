"""The routes of people: signing in, and the adults who look after others. Who may do what, `permissions.py` says."""

from typing import Annotated, Any

import orjson
import sqlalchemy as sa
from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from tabuleiro.language import Text
from tabuleiro.server import guard
from tabuleiro.server import schemas as common
from tabuleiro.server.api import REFUSALS, Body, Name, admitted_guest
from tabuleiro.server.errors import NOT_FOUND, SIGN_IN_FIRST, RefusedError
from tabuleiro.server.guard import address_of, json_response
from tabuleiro.server.guests import Guests, read_nickname
from tabuleiro.server.identity import Who
from tabuleiro.server.limits import client_of
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people import permissions, schemas, store
from tabuleiro.server.people.doorkeeper import Doorkeeper
from tabuleiro.server.people.office import Office
from tabuleiro.server.people.permissions import NOT_ALLOWED, require
from tabuleiro.server.people.sign_in import Browser, Doors, read_login
from tabuleiro.server.store import Store

#: What else a route may answer.
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": common.Refusal, "description": REFUSALS[status]}
    for status in (400, 401, 403, 404, 409, 413, 422, 429, 503)
}
router = APIRouter(tags=["people"], responses=RESPONSES)

Number = Annotated[int, Path(ge=1, lt=2**31)]


class NicknameBody(Body):
    nickname: Name


def store_of(request: Request) -> Store:
    kept: Store = request.app.state.hub.store
    return kept


def office_of(request: Request) -> Office:
    office: Office = request.app.state.office
    return office


def guests_of(request: Request) -> Guests:
    guests: Guests = request.app.state.guests
    return guests


async def who_asks(request: Request) -> Who:
    return await guests_of(request).who(request.state.token_hash)


async def signed_in(request: Request) -> tuple[Who, Guest]:
    who = await who_asks(request)
    if who.sign_in is None or who.guest is None:
        raise RefusedError(*SIGN_IN_FIRST)
    return who, who.guest


def now_of(request: Request) -> float:
    now: float = request.app.state.hub.now()
    return now


def own_cookie(request: Request) -> str:
    """The hash of the cookie of this browser; nothing where it has none."""
    return (request.state.token_hash or "").removeprefix(guard.PLAIN_HASH)


def answer(answer: Any, status: int = 200) -> Response:
    return json_response(orjson.dumps(answer), status)


def address(request: Request) -> str:
    return address_of(request.scope, request.app.state.settings.lan_address)


# ----------------------------------------------------------------------------------------------------------- signing in


@router.get("/api/v1/person", response_model=schemas.Me)
async def person(request: Request) -> Response:
    """For whom this browser acts: a person, or nobody but a guest."""
    return answer(await _me(request, await who_asks(request), request.state.token_hash))


async def _me(request: Request, who: Who, token_hash: str | None) -> Json:
    if who.sign_in is None or who.guest is None:
        return {"person": None, "to_keep": 0}
    guest = who.guest

    def work(connection: sa.Connection) -> Json:
        known = store.find_people(connection, [guest])[guest]
        classes = store.classes_of(connection, [guest]).get(guest, {})
        login = store.password_of(connection, guest=guest)
        return {
            "person": {
                "guest": guest,
                "name": known.name,
                "role": known.role,
                "school": known.school,
                "classes": [{"id": number, "name": summary["name"]} for number, summary in classes.items()],
                "by": who.by,
                "login": None if login is None else login.login,
            },
            "to_keep": store.to_keep(connection, token_hash or "") if who.role == "pupil" else 0,
        }

    return await store_of(request).read(work)


@router.post("/api/v1/person/sign-in", response_model=schemas.Welcome)
async def sign_in(request: Request, body: schemas.SignInBody) -> Response:
    """Sign this browser in: by card, by the code of a class and one's own, by name and password, or by a link. It gets
    a new cookie. In the browser of a signed-in adult a card tells whose it is, and nobody else is signed in."""
    doors: Doors = request.app.state.doors
    guests: Guests = request.app.state.guests
    old, door, now = own_cookie(request), body.door, now_of(request)
    browser = Browser(client_of(request.scope), request.state.token_hash)
    if isinstance(door, schemas.CardDoor):
        guest = await doors.by_card(door.token)
    elif isinstance(door, schemas.CodeDoor):
        guest = await doors.by_code(door.class_code, door.code, browser)
    elif isinstance(door, schemas.PasswordDoor):
        guest = await doors.by_password(door.login, door.password, browser)
    else:
        guest = await doors.by_link(door.token, now)
    who = await who_asks(request)
    if who.role not in ("guest", "pupil") and door.by in ("card", "code"):
        me = await _me(request, who, old)
        return answer({**me, "check_in": await _check_in(request, who, guest)})
    token = guard.new_token()
    new = guard.hash_of(token)
    await store_of(request).write(lambda connection: store.sign_in(connection, old, new, guest, door.by, now))
    guests.forget(old)
    await request.app.state.hub.end_revoked()
    request.state.new_token = token
    return answer({**await _me(request, await guests.who(new), new), "check_in": None})


async def _check_in(request: Request, who: Who, guest: Guest) -> Json:
    found = await store_of(request).read(
        lambda connection: (store.find_people(connection, [guest]), store.classes_of(connection, [guest]))
    )
    for class_id in found[1].get(guest, {}):
        opened = await request.app.state.hub.log.get(class_id)
        if opened is not None and permissions.may(who, "see_person", opened.stream):
            return {"guest": guest, "name": found[0][guest].name, "class_id": class_id}
    return {"guest": guest, "name": None, "class_id": None}


@router.delete("/api/v1/person/sign-in", response_model=schemas.Me)
async def sign_out(request: Request) -> Response:
    """Sign this browser out. It is a guest's again, with a new cookie."""
    await signed_in(request)
    token, old = guard.new_token(), own_cookie(request)
    await store_of(request).write(lambda connection: store.sign_out(connection, old, guard.hash_of(token)))
    await request.app.state.hub.end_revoked()
    request.state.new_token = token
    return answer({"person": None, "to_keep": 0})


@router.get("/api/v1/person/sign-ins", response_model=list[schemas.OneSignIn])
async def sign_ins(request: Request) -> Response:
    """The browsers in which you are signed in, this one among them."""
    who, guest = await signed_in(request)
    found = await store_of(request).read(lambda connection: store.list_sign_ins(connection, guest))
    return answer([{**each._asdict(), "this": each.id == who.sign_in} for each in found])


@router.delete("/api/v1/person/sign-ins/{number}", response_model=common.Nothing)
async def end_sign_in(request: Request, number: Number) -> Response:
    """Sign another browser of yours out."""
    _, guest = await signed_in(request)
    if not await store_of(request).write(lambda connection: store.end_sign_in(connection, guest, number)):
        raise RefusedError(*NOT_FOUND)
    await request.app.state.hub.end_revoked()
    return answer({})


@router.put("/api/v1/person/password", response_model=schemas.Me)
async def set_password(request: Request, body: schemas.PasswordBody) -> Response:
    """A name and a password to sign in with, for adults. Who has one already says it, unless they came by a link."""
    doors: Doors = request.app.state.doors
    who, guest = await signed_in(request)
    if who.role == "pupil":
        raise RefusedError(*NOT_ALLOWED)
    before = await store_of(request).read(lambda connection: store.password_of(connection, guest=guest))
    if before is not None and before.password_hash is not None and who.by != "link":
        browser = Browser(client_of(request.scope), request.state.token_hash)
        await doors.by_password(before.login or "", body.current or "", browser)
    login = read_login(body.login)
    if not login:
        raise RefusedError("login", Text("falta o nome", "the name is missing"))
    hashed = await doors.passwords.hash(body.password)
    if not await store_of(request).write(lambda connection: store.set_password(connection, guest, login, hashed)):
        raise RefusedError("login_taken", Text("esse nome já é de outra pessoa", "somebody else has that name"), 409)
    return answer(await _me(request, who, request.state.token_hash))


@router.post("/api/v1/person/keep", response_model=schemas.Me)
async def keep_games(request: Request) -> Response:
    """The games that were played in this browser without a card become yours."""
    who, guest = await signed_in(request)
    if who.role != "pupil":
        raise RefusedError(*NOT_ALLOWED)
    hub, token_hash = request.app.state.hub, request.state.token_hash
    own = await store_of(request).guest(token_hash, now_of(request))
    if own is not None:
        for session_id in await store_of(request).read(lambda connection: store.own_sessions(connection, token_hash)):
            await hub.act(await hub.get(session_id), lambda session: session.decide_reseat(own.id, guest))
        await store_of(request).write(lambda connection: _keep(connection, office_of(request), own.id, guest))
    return answer(await _me(request, who, token_hash))


def _keep(connection: sa.Connection, office: Office, own: Guest, guest: Guest) -> None:
    office.hand_over(connection, own, guest)
    store.forget_own_name(connection, own)


@router.get("/api/v1/me", response_model=common.Nickname)
async def me(request: Request) -> Response:
    """Your nickname, or null. Who has a cookie that is a week old gets a new one."""
    who, guests = await who_asks(request), guests_of(request)
    if who.guest is not None:
        request.state.new_token = await guests.renewed(request.state.token_hash)
    return answer({"nickname": await guests.nickname(who.guest)})


@router.put("/api/v1/me", response_model=common.Nickname)
async def set_nickname(request: Request, body: NicknameBody) -> Response:
    """Take a nickname of 1 to 20 characters. Those who watch a session of yours see it."""
    nickname = read_nickname(body.nickname)
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    await doorkeeper.rename(await who_asks(request))
    guest = await admitted_guest(request)
    await store_of(request).rename(guest, nickname)
    await request.app.state.hub.renamed(guest, nickname)
    return answer({"nickname": nickname})


@router.delete("/api/v1/me", response_model=common.Nothing)
async def erase_me(request: Request) -> Response:
    """Erase everything about you: name, cookie or card, bots, and the games that nobody else wants to keep. Games that
    go on are resigned. In the games of others you are an erased player from then on."""
    who = await who_asks(request)
    if who.sign_in is not None:
        await office_of(request).erase_me(who)
    elif who.guest is not None:
        await request.app.state.hub.erase_guest(who.guest)
        guests_of(request).forget_guest(who.guest)
    return answer({})


# --------------------------------------------------------------------------------------------------------------- adults


@router.get("/api/v1/adults", response_model=list[schemas.Adult])
async def adults(request: Request) -> Response:
    """The teachers and organisers of this server."""
    require(await who_asks(request), "see_adults")
    found = await store_of(request).read(store.list_adults)
    return answer([{"guest": adult.guest, "name": adult.name, "role": adult.role} for adult in found])


@router.post("/api/v1/adults", response_model=schemas.Invitation, status_code=201)
async def invite(request: Request, body: schemas.AdultBody) -> Response:
    """A teacher or organiser, and a link by which they come in first."""
    guest, token = await office_of(request).invite(await who_asks(request), " ".join(body.name.split()), body.role)
    return answer({"guest": guest, "link": f"{address(request)}/entrar#l.{token}"}, 201)


@router.post("/api/v1/adults/{guest}/link", response_model=schemas.Invitation, status_code=201)
async def new_link(request: Request, guest: Number) -> Response:
    """Another link, for an adult who cannot come in."""
    token = await office_of(request).new_link(await who_asks(request), guest)
    return answer({"guest": guest, "link": f"{address(request)}/entrar#l.{token}"}, 201)


@router.delete("/api/v1/adults/{guest}", response_model=common.Nothing)
async def end_adult(request: Request, guest: Number) -> Response:
    """An adult leaves: they are erased, their classes stay."""
    await office_of(request).end_adult(await who_asks(request), guest)
    return answer({})


@router.get("/api/v1/audit", response_model=list[schemas.AuditLine])
async def audit(request: Request) -> Response:
    """What adults did with others' data, the newest first: people by number."""
    require(await who_asks(request), "see_audit")
    return answer(await store_of(request).read(store.list_audit))
