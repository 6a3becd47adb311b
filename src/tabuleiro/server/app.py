"""The whole server put together."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text
from tabuleiro.server import api, live, studies
from tabuleiro.server.analyses import Analyses
from tabuleiro.server.errors import NOT_FOUND, UNREADABLE, RefusedError
from tabuleiro.server.guard import Guard, error_response
from tabuleiro.server.guests import Guests
from tabuleiro.server.hub import Hub
from tabuleiro.server.logs import log, log_libraries
from tabuleiro.server.pages import STATIC, Client
from tabuleiro.server.settings import Settings
from tabuleiro.server.store import Store


def create_app(settings: Settings, *, now: Callable[[], float] = time.time, static: Path = STATIC) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store(settings.database)
        hub = Hub(settings, store, now)
        app.state.hub, app.state.guests, app.state.settings = hub, Guests(store), settings
        app.state.analyses = Analyses(settings.engine_workers)
        await hub.start()
        log("started")
        yield
        await app.state.analyses.close()
        await hub.close()
        await store.close()
        log("stopped")

    app = FastAPI(
        title="Tabuleiro",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard)
    app.add_exception_handler(TabuleiroError, _refused)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _http)
    app.include_router(api.router)
    app.include_router(live.router)
    app.include_router(studies.router)

    app.mount("/", Client(static))
    return app


def from_environment() -> FastAPI:
    """The server of a process that was started by the command line, perhaps one of several."""
    log_libraries()
    return create_app(Settings.from_environment())


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, TabuleiroError)
    return error_response(error)


async def _unreadable(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    where = error.errors()[0]["loc"]
    name = shorten(".".join(str(part) for part in where[1:]))
    if not name or where[0] != "body":
        return error_response(UNREADABLE)
    return error_response(
        RefusedError(
            UNREADABLE.code,
            Text(f"não se entende «{name}» no pedido", f"“{name}” in the request cannot be understood"),
            UNREADABLE.status,
        )
    )


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = {
        404: NOT_FOUND,
        405: RefusedError("method", Text("isso não se pode fazer aqui", "that cannot be done here"), 405),
    }
    refusal = known.get(error.status_code, RefusedError("invalid_request", UNREADABLE.text, error.status_code))
    return error_response(refusal)
