"""The description of the API, version 1: `/api/v1/openapi.json`, and on standard output without a server:

python -m tabuleiro.server.openapi
"""

import sys
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any

import orjson
from fastapi import FastAPI, Response
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from tabuleiro.server import schemas

_COMPONENTS = "#/components/schemas/{model}"


def description(app: FastAPI) -> dict[str, Any]:
    """The routes of an app, and besides what travels over the WebSocket and in event streams."""
    if app.openapi_schema is None:
        described = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            description=app.description,
            routes=app.routes,
        )
        components = described["components"]["schemas"]
        for message in schemas.MESSAGES:
            schema = TypeAdapter(message).json_schema(ref_template=_COMPONENTS)
            for name, part in schema.pop("$defs").items():
                components.setdefault(name, part)
            components[message.__name__] = schema
        described["components"]["schemas"] = dict(sorted(components.items()))
        app.openapi_schema = described
    return app.openapi_schema


def route_of(app: FastAPI) -> Callable[[], Response]:
    """What answers with the description. To make it takes seconds: that is done in a thread, when first asked for."""
    making = Lock()
    written = cache(lambda: orjson.dumps(description(app)))

    def openapi() -> Response:
        with making:
            return Response(written(), media_type="application/json")

    return openapi


def main() -> None:
    from tabuleiro.server.app import create_app
    from tabuleiro.server.settings import Settings

    described = create_app(Settings("sqlite://")).openapi()
    sys.stdout.buffer.write(orjson.dumps(described, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


if __name__ == "__main__":
    main()
