"""The routes of votes, and the WebSocket by which everybody in the room hears how one stands."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, WebSocket
from starlette.responses import Response

from tabuleiro import games
from tabuleiro.language import Text
from tabuleiro.record import Line
from tabuleiro.server import api
from tabuleiro.server import schemas as common
from tabuleiro.server.identity import Who
from tabuleiro.server.ids import ID_LENGTH, ID_LETTERS
from tabuleiro.server.learning.room import Asker
from tabuleiro.server.limits import client_of
from tabuleiro.server.listening import listen
from tabuleiro.server.people.api import RESPONSES, address, answer, who_asks
from tabuleiro.server.people.class_api import ClassId
from tabuleiro.server.presence import Watcher
from tabuleiro.server.teaching import schemas, vote_view
from tabuleiro.server.teaching.polls import OpenVote, Polls
from tabuleiro.server.teaching.voters import Follower

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


@router.post("/api/v1/votes/{vote_id}/votes", response_model=common.Nothing)
async def vote(request: Request, vote_id: VoteId, body: schemas.BallotBody) -> Response:
    """Vote, or vote otherwise, for as long as votes are taken. Once this is answered it is on the disk; how the vote
    stands is told by its WebSocket."""
    opened = await polls_of(request).find(vote_id)
    await polls_of(request).vote(opened, await api.admitted_guest(request), body.number, body.choice)
    return answer({})


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

    async def come(watcher: Watcher, who: Who) -> Callable[[], None]:
        opened = await polls.find(vote_id)
        follower = Follower(watcher, who.guest, await polls.may(who, opened, "run_vote"))
        polls.voters.come(opened, follower)
        return partial(polls.voters.leave, opened, follower)

    await listen(websocket, come)
