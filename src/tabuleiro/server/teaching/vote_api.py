"""The routes of votes, and the WebSocket by which everybody in the room hears how one stands."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, WebSocket
from starlette.responses import Response

from tabuleiro import games
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.record import Line
from tabuleiro.server import api
from tabuleiro.server.connections import WIRE
from tabuleiro.server.errors import BROKEN, FOREIGN_ORIGIN, RefusedError, refusal_of
from tabuleiro.server.guard import same_origin
from tabuleiro.server.guests import Guests
from tabuleiro.server.ids import ID_LENGTH, ID_LETTERS
from tabuleiro.server.learning.room import Asker
from tabuleiro.server.limits import Rate, client_of
from tabuleiro.server.listening import heard
from tabuleiro.server.log import Json
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.people.api import RESPONSES, address, answer, who_asks
from tabuleiro.server.people.class_api import ClassId
from tabuleiro.server.presence import Watcher
from tabuleiro.server.teaching import schemas, vote_view
from tabuleiro.server.teaching.polls import OpenVote, Polls
from tabuleiro.server.teaching.voters import Follower

#: The messages that a connection may send: signs of life.
RATE = Rate(20, 1)

router = APIRouter(tags=["teaching"], responses=RESPONSES)

VoteId = Annotated[str, Path(pattern=f"^[{ID_LETTERS}]{{{ID_LENGTH}}}$")]


def polls_of(request: Request) -> Polls:
    polls: Polls = request.app.state.polls
    return polls


async def _told(request: Request, opened: OpenVote, status: int = 200) -> Response:
    who = await who_asks(request)
    runs = await polls_of(request).may(who, opened, "run_vote")
    async with opened.held() as vote:
        return answer(vote_view.whole(vote, runs=runs, guest=who.guest), status)


@router.post("/api/v1/classes/{class_id}/votes", response_model=schemas.VoteView, status_code=201)
async def begin(request: Request, class_id: ClassId) -> Response:
    """A vote of a class. It has a code, by which phones come to it; one that went on is over."""
    return await _told(request, await polls_of(request).begin(await who_asks(request), class_id), 201)


@router.post("/api/v1/votes/join", response_model=schemas.VoteView)
async def join(request: Request, body: schemas.JoinBody) -> Response:
    """The vote that goes on under a code. Who has no cookie yet gets one, so that everybody votes once."""
    opened = await polls_of(request).find_by_code(body.code)
    await api.admitted_guest(request)
    return await _told(request, opened)


@router.get("/api/v1/votes/{vote_id}", response_model=schemas.VoteView)
async def show(request: Request, vote_id: VoteId) -> Response:
    """How a vote stands. While votes are taken, only who runs it is told what was chosen how often."""
    return await _told(request, await polls_of(request).find(vote_id))


@router.get(
    "/api/v1/votes/{vote_id}/qr.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}, "description": "done"}},
)
async def qr(request: Request, vote_id: VoteId) -> Response:
    """A QR code of the page on which phones vote."""
    opened = await polls_of(request).find(vote_id)
    return api.qr_response(f"{address(request)}/votar/{opened.stream.settings.code}")


@router.post(
    "/api/v1/votes/{vote_id}/questions",
    response_model=schemas.VoteView,
    status_code=201,
    dependencies=api.IN_TURN,
)
async def ask(request: Request, vote_id: VoteId, body: schemas.QuestionBody) -> Response:
    """Ask about a position: which move, or who wins."""
    opened = await polls_of(request).run(await who_asks(request), vote_id)
    games.get(body.game)
    line = Line.from_texts(body.game, body.options, body.position, body.moves)
    await polls_of(request).ask(
        opened, line, body.asks, None if body.text is None else Text(body.text.pt, body.text.en)
    )
    return await _told(request, opened, 201)


@router.post("/api/v1/votes/{vote_id}/votes", response_model=schemas.VoteView)
async def vote(request: Request, vote_id: VoteId, body: schemas.BallotBody) -> Response:
    """Vote, or vote otherwise, for as long as votes are taken."""
    opened = await polls_of(request).find(vote_id)
    await polls_of(request).vote(opened, await api.admitted_guest(request), body.number, body.choice)
    return await _told(request, opened)


@router.post("/api/v1/votes/{vote_id}/{act}", response_model=schemas.VoteView)
async def act(request: Request, vote_id: VoteId, act: Literal["close", "reveal", "end"]) -> Response:
    """No more votes are taken; the truth is told, as far as it can be proven; the vote is over."""
    who, polls = await who_asks(request), polls_of(request)
    opened = await polls.run(who, vote_id)
    if act == "close":
        await polls.close_question(opened)
    elif act == "reveal":
        await polls.reveal(opened, Asker(client_of(request.scope), who.guest))
    else:
        await polls.end(opened)
    return await _told(request, opened)


@router.websocket("/ws/v1/votes/{vote_id}")
async def follow(websocket: WebSocket, vote_id: str) -> None:
    """How a vote stands, at once and whenever that changes."""
    polls: Polls = websocket.app.state.polls
    guests: Guests = websocket.app.state.guests
    await websocket.accept()
    watcher = Watcher(None, "", websocket.scope["extensions"][WIRE])
    try:
        if not same_origin(websocket.headers):
            raise RefusedError(*FOREIGN_ORIGIN)
        who = await guests.who(websocket.state.token_hash)
        opened = await polls.find(vote_id)
        follower = Follower(watcher, who.guest, await polls.may(who, opened, "run_vote"))
    except TabuleiroError as error:
        watcher.close(refusal_of(error))
        return
    except Exception as error:
        log_failure("follow_failed", error)
        watcher.close(BROKEN)
        return
    polls.voters.come(opened, follower)
    try:
        async for _ in heard(websocket, RATE):
            if watcher.closed:
                break
            watcher.say(_PONG)
    finally:
        polls.voters.leave(opened, follower)
        watcher.close()


_PONG: Json = {"type": "pong"}
