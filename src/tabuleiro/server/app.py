"""The whole server put together."""

import gc
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

import tabuleiro
from tabuleiro import native
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.games import GAMES
from tabuleiro.language import Text
from tabuleiro.server import analysis_api, api
from tabuleiro.server.analyses import Analyses
from tabuleiro.server.championships import acts_api as championship_acts
from tabuleiro.server.championships import api as championship_api
from tabuleiro.server.championships import archive_api as championship_archive
from tabuleiro.server.championships import websocket as championship_websocket
from tabuleiro.server.championships.hall import Halls
from tabuleiro.server.championships.store import hall_of
from tabuleiro.server.clock import ServerTime
from tabuleiro.server.errors import NOT_ALLOWED, NOT_FOUND, UNREADABLE, Refusal, refusal_of
from tabuleiro.server.fairness import FairQueue
from tabuleiro.server.guard import Guard, refusal_response
from tabuleiro.server.guests import Guests
from tabuleiro.server.health import Doctor
from tabuleiro.server.hosts import HostNames
from tabuleiro.server.hub import Hub
from tabuleiro.server.learning import (
    lessons_api,
    library,
    mistakes,
    mistakes_api,
    puzzle_ratings,
    puzzles_api,
    tasks_api,
    tries,
)
from tabuleiro.server.learning.room import TaskRoom
from tabuleiro.server.limits import RULES_LEVELS
from tabuleiro.server.loglines import log, log_libraries, log_to
from tabuleiro.server.metrics import Metrics
from tabuleiro.server.openapi import description, route_of
from tabuleiro.server.openings import api as openings_api
from tabuleiro.server.openings.played import PlayedOpenings
from tabuleiro.server.pages import STATIC, Client, Documentation
from tabuleiro.server.people import api as people_api
from tabuleiro.server.people import class_api, lobby_api, profile_api, results
from tabuleiro.server.people import websocket as people_websocket
from tabuleiro.server.people.doorkeeper import Doorkeeper
from tabuleiro.server.people.eraser import Eraser
from tabuleiro.server.people.lobby import Lobby
from tabuleiro.server.people.matchmaker import Matchmaker
from tabuleiro.server.people.office import Office
from tabuleiro.server.people.school_class import SchoolClass
from tabuleiro.server.people.sign_in import Doors
from tabuleiro.server.settings import Settings
from tabuleiro.server.store import Store
from tabuleiro.server.streams import STREAMS
from tabuleiro.server.tasks import Tasks
from tabuleiro.server.teaching import api as teaching_api
from tabuleiro.server.teaching import given, sets_api, vote_api
from tabuleiro.server.teaching.polls import Polls
from tabuleiro.server.turnstile import Turnstile
from tabuleiro.server.websocket import SessionSockets

#: Seconds between two looks of a process whether its parent lives.
LOOK_FOR_PARENT = 1.0
#: Seconds that a process whose parent is gone has to end in good order, the five of uvicorn's among them.
TIME_TO_END = 10.0
DESCRIPTION = """
Browsers are known by a cookie, programs by a token: `Authorization: Bearer TOKEN`. A token is made on the page `/bots`
or by `tabuleiro token make NAME`.

What happens in a session is streamed over the WebSocket `/ws/v1/sessions/{session_id}?since=NUMBER`, with the same
header. What a program says is a `ClientMessage`, what it hears a `ServerMessage`: `session` tells how things stand,
`event` what has happened (numbered, with the whole session; who adds `&changes=1` gets a `change` instead, with what
may have changed), `ack`, `error`, `hint` and `coach` answer what was said (by its
`ref`), `erased` is the last word. `ack` means that it is stored. A program says
`{"type": "move", "ply": 12, "move": "d4", "ref": 1}`, or any of the actions of
`POST /api/v1/sessions/{session_id}/actions` as a `type`, or `hint`, `coach` or `ping`.

A refusal changes nothing and says why in both languages: `{"error": {"code": …, "text": {"pt": …, "en": …}}}`.
"""

#: Every route of the server but the pages; the first that matches an address answers.
ROUTERS = (
    api.router,
    analysis_api.router,
    openings_api.router,
    tasks_api.router,
    lessons_api.router,
    mistakes_api.router,
    puzzles_api.router,
    people_api.router,
    class_api.router,
    lobby_api.router,
    profile_api.router,
    people_websocket.router,
    championship_api.router,
    championship_acts.router,
    championship_archive.router,
    championship_websocket.router,
    teaching_api.router,
    vote_api.router,
    sets_api.router,
)
# Sets are built on tasks: these are what tasks learn of them.
library.KINDS["set"] = library.Kind(given.find)
library.GIVEN.append(given.is_given)
#: What each package stores about a guest is made another's by these.
HAND_OVER = (tries.hand_over, mistakes.hand_over, puzzle_ratings.hand_over)


def create_app(settings: Settings, *, now: Callable[[], float] | None = None, static: Path = STATIC) -> FastAPI:
    """The server. `now`: its time, if not the machine's."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # What was opened is closed again also where the rest cannot start: else its threads would keep the process.
        async with AsyncExitStack() as opened:
            store = Store(settings.database)
            opened.push_async_callback(store.close)
            hub = Hub(settings, store, app.state.metrics, now or ServerTime(settings.machine_started), STREAMS)
            opened.push_async_callback(hub.close)
            lobby = Lobby(hub.log, hub.tell, hub.now, hub.tasks)
            hub.extend(lobby)
            hub.log.attendants[SchoolClass.kind] = lobby
            hub.record_result = results.recorded_with
            app.state.doctor = Doctor(hub)
            app.state.hub, app.state.guests, app.state.settings = hub, Guests(store, hub.now), settings
            app.state.doorkeeper = Doorkeeper(store, hall_of)
            app.state.doors = Doors(store, settings.database)
            app.state.office = Office(hub, app.state.doors, settings.database, HAND_OVER)
            app.state.eraser = Eraser(hub, settings.database)
            app.state.matchmaker = Matchmaker(hub)
            app.state.played_openings = PlayedOpenings(store)
            app.state.analyses = Analyses(settings.engine_workers, hub.remote)
            opened.push_async_callback(app.state.analyses.close)
            app.state.task_room = TaskRoom(settings.engine_workers)
            opened.push_async_callback(app.state.task_room.close)
            opened.push_async_callback(Halls(app, hub, settings.database).close)
            app.state.polls = Polls(hub, app.state.office, app.state.embargo, app.state.task_room)
            opened.callback(app.state.polls.voters.close)
            await app.state.eraser.erase_what_is_due()
            await hub.start()
            await app.state.eraser.look()
            erasing = Tasks()
            erasing.spawn(app.state.eraser.go_on())
            opened.push_async_callback(erasing.close)
            log("started")
            yield
        log("stopped")

    app = FastAPI(
        title="Tabuleiro",
        summary="Eight board games: play them, watch them, let programs play them.",
        description=DESCRIPTION,
        version=tabuleiro.__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.openapi = partial(description, app)  # type: ignore[method-assign]
    app.add_middleware(SessionSockets)
    # The quickest compression: to be asked for a session again and again must not keep others waiting.
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=1)
    metrics = app.state.metrics = Metrics()
    app.state.rules_queue = FairQueue(RULES_LEVELS)
    app.add_middleware(Guard, metrics=metrics, hosts=HostNames(settings.host_names))
    app.add_middleware(Turnstile)
    app.add_exception_handler(TabuleiroError, _refused)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _http)
    app.get("/api/v1/openapi.json", include_in_schema=False, dependencies=api.IN_TURN)(route_of(app))
    for router in ROUTERS:
        app.include_router(router)

    # Links within the pages begin at the folder.
    app.add_route("/docs", lambda _: RedirectResponse("/docs/"), include_in_schema=False)
    app.mount("/docs", Documentation())
    app.mount("/", Client(static))
    return app


def _end_with(parent: int) -> None:
    """A process whose parent was killed would keep the port, and nobody would start another in its place: it ends. What
    was acknowledged is stored: nothing is lost where a database that is away, too, keeps it from ending in order."""
    while os.getppid() == parent:
        time.sleep(LOOK_FOR_PARENT)
    log("parent_lost", level="warning")
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(TIME_TO_END)
    os._exit(1)


def from_environment() -> FastAPI:
    """The server of a process that was started by the command line, perhaps one of several."""
    log_libraries()
    settings = Settings.from_environment()
    if settings.log is not None:
        log_to(Path(settings.log))
    if settings.parent is not None:
        threading.Thread(target=_end_with, args=(settings.parent,), daemon=True).start()
    # To look through all of a thousand games for garbage takes a third of a second, in which nobody is answered, and
    # there is hardly any: sessions and connections that are forgotten leave none. So the programs are never looked
    # through, games seldom, and what is new once most of it is gone by itself; five milliseconds are enough for that.
    gc.freeze()
    gc.set_threshold(10_000, 2, 500)
    native.list_moves(GAMES)
    return create_app(settings)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, TabuleiroError)
    return refusal_response(refusal_of(error))


async def _unreadable(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    where = error.errors()[0]["loc"]
    name = shorten(".".join(str(part) for part in where[1:]))
    if not name or where[0] != "body":
        return refusal_response(UNREADABLE)
    return refusal_response(
        Refusal(
            UNREADABLE.code,
            Text(f"não percebo «{name}» no pedido", f"“{name}” in the request cannot be understood"),
            UNREADABLE.status,
        )
    )


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code not in (404, 405):
        return refusal_response(Refusal("invalid_request", UNREADABLE.text, error.status_code))
    allowed = _allowed(request.url.path)
    if not allowed or request.method in allowed:
        return refusal_response(NOT_FOUND)
    answer = refusal_response(NOT_ALLOWED)
    answer.headers["Allow"] = ", ".join(sorted(allowed))
    return answer


def _allowed(path: str) -> set[str]:
    """What may be done at an address, if it is one."""
    methods: set[str] = set()
    for route in (route for router in ROUTERS for route in router.routes):
        if isinstance(route, Route) and route.path_regex.match(path):
            methods |= route.methods or set()
    if "GET" in methods or not path.startswith(("/api/", "/ws/")):
        methods |= {"GET", "HEAD"}
    return methods
