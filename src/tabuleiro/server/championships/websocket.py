"""The WebSocket of a championship: it says that something has changed, and hears nothing but signs of life."""

from fastapi import APIRouter, WebSocket

from tabuleiro.core import TabuleiroError
from tabuleiro.server.championships.desk import Desk
from tabuleiro.server.championships.followers import Follower, Followers
from tabuleiro.server.connections import WIRE
from tabuleiro.server.errors import BROKEN, FOREIGN_ORIGIN, RefusedError, refusal_of
from tabuleiro.server.guard import same_origin
from tabuleiro.server.guests import Guests
from tabuleiro.server.limits import Rate
from tabuleiro.server.listening import heard
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.people.permissions import may
from tabuleiro.server.presence import Watcher

#: The messages that a connection may send.
RATE = Rate(20, 1)

router = APIRouter()


@router.websocket("/ws/v1/championships/{championship_id}")
async def follow(websocket: WebSocket, championship_id: str) -> None:
    """`?group=ouri-2/1/3` hears of that group only, and of what may concern all."""
    desk: Desk = websocket.app.state.desk
    guests: Guests = websocket.app.state.guests
    followers: Followers = websocket.app.state.followers
    await websocket.accept()
    watcher = Watcher(None, "", websocket.scope["extensions"][WIRE])
    try:
        if not same_origin(websocket.headers):
            raise RefusedError(*FOREIGN_ORIGIN)
        who = await guests.who(websocket.state.token_hash)
        opened, hall, _ = await desk.open(who, championship_id, "look_at_championship")
        watcher.guest, watcher.sign_in = who.guest, who.sign_in
    except TabuleiroError as error:
        watcher.close(refusal_of(error))
        return
    except Exception as error:
        log_failure("follow_failed", error)
        watcher.close(BROKEN)
        return
    group = websocket.query_params.get("group")
    follower = Follower(watcher, group, may(who, "see_championship", hall))
    followers.come(championship_id, follower)
    try:
        watcher.say({"type": "changed", "number": opened.stream.number, "groups": None, "calls": True})
        async for _ in heard(websocket, RATE):
            if watcher.closed:
                break
            watcher.say({"type": "pong"})
    finally:
        followers.leave(championship_id, follower)
        watcher.close()
