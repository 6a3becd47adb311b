"""The WebSocket of a championship: it says that something has changed, and hears nothing but signs of life."""

from collections.abc import Callable
from functools import partial

from fastapi import APIRouter, WebSocket

from tabuleiro.server.championships.desk import Desk
from tabuleiro.server.championships.followers import Follower, Followers
from tabuleiro.server.identity import Who
from tabuleiro.server.listening import listen
from tabuleiro.server.people.permissions import may
from tabuleiro.server.presence import Watcher

router = APIRouter()


@router.websocket("/ws/v1/championships/{championship_id}")
async def follow(websocket: WebSocket, championship_id: str) -> None:
    """`?group=ouri-2/1/3` hears of that group only, and of what may concern all."""
    desk: Desk = websocket.app.state.desk
    followers: Followers = websocket.app.state.followers

    async def come(watcher: Watcher, who: Who) -> Callable[[], None]:
        opened, hall, _ = await desk.open(who, championship_id, "look_at_championship")
        group = websocket.query_params.get("group")
        follower = Follower(watcher, group, may(who, "see_championship", hall))
        followers.come(championship_id, follower)
        watcher.say({"type": "changed", "number": opened.stream.number, "groups": None, "calls": True})
        return partial(followers.leave, championship_id, follower)

    await listen(websocket, come)
