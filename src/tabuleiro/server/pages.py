"""The client: files built from `web/` into `static/`, served with what browsers need to keep them well."""

import json
import re
from functools import cached_property
from os import PathLike
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from tabuleiro.server.guard import HEADERS
from tabuleiro.server.ids import ID_LENGTH, ID_LETTERS

STATIC = Path(__file__).parent / "static"
DOCUMENTATION = Path(__file__).parent / "documentation"
#: Vite puts a hash of the content into the names of these files, so they never change.
UNCHANGING = "assets/"
#: The first parts of the addresses of the client's pages, written by its build; which page to show, it finds by itself.
PAGES = "pages.json"

#: The pages that other sites may show in a frame: a position, a game, or a task of which nothing is kept, each with
#: nothing on it that could be pressed by mistake. Every other page refuses frames.
FRAMED = re.compile(rf"/embed/(position|game/[{ID_LETTERS}]{{{ID_LENGTH}}}|task/(lesson|puzzle)/[a-z0-9/-]{{1,100}})")
FRAME_POLICY = HEADERS["Content-Security-Policy"].replace("frame-ancestors 'none'", "frame-ancestors *")

NOT_BUILT = """<!doctype html>
<html lang="pt"><head><meta charset="utf-8"><title>Tabuleiro</title></head><body>
<h1>Tabuleiro</h1>
<p>O servidor está a funcionar, mas as páginas ainda não foram construídas. Corre <code>make install</code>.</p>
<p lang="en">The server is running, but its pages have not been built yet. Run <code>make install</code>.</p>
</body></html>
"""
NO_DOCUMENTATION = """<!doctype html>
<html lang="pt"><head><meta charset="utf-8"><title>Tabuleiro</title></head><body>
<h1>Documentação</h1>
<p>A documentação ainda não foi construída. Corre <code>make docs</code>.</p>
<p lang="en">The documentation has not been built yet. Run <code>make docs</code>.</p>
<p><a href="/">Tabuleiro</a></p>
</body></html>
"""


class Client(StaticFiles):
    """Files, and the client's page for every address that is not a file."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self.config_checked = True  # the folder may be missing: then we say so ourselves
        self.folder = folder

    @cached_property
    def pages(self) -> frozenset[str]:
        listed = self.folder / PAGES
        return frozenset(json.loads(listed.read_text("utf-8")) if listed.is_file() else [""])

    async def get_response(self, path: str, scope: Scope) -> Response:
        first = scope["path"].lstrip("/").partition("/")[0]
        if scope["method"] != "GET":
            raise HTTPException(405)
        if first in ("api", "ws"):
            raise HTTPException(404)
        if "." in path.rpartition("/")[2].removeprefix("."):  # the parent class calls the root "."
            return await super().get_response(path, scope)
        if not (self.folder / "index.html").is_file():
            return HTMLResponse(NOT_BUILT, 503, {"Cache-Control": "no-store"})
        response = await super().get_response("index.html", scope)
        if first not in self.pages and response.status_code == 200:
            response.status_code = 404
        if FRAMED.fullmatch(scope["path"]):
            response.headers["Content-Security-Policy"] = FRAME_POLICY
        return response

    def file_response(
        self, full_path: "PathLike[str] | str", stat_result: object, scope: Scope, status_code: int = 200
    ) -> Response:
        path = Path(full_path)
        if path.suffix == ".gz":
            raise HTTPException(404)
        name = path.relative_to(self.folder.resolve()).as_posix()
        keep = "public, max-age=31536000, immutable" if name.startswith(UNCHANGING) else "no-cache"
        headers = {"Cache-Control": keep, "Vary": "Accept-Encoding"}
        squeezed = path.with_name(path.name + ".gz")
        asked = Headers(scope=scope)
        media_type = _MEDIA_TYPES.get(path.suffix)
        if "gzip" in asked.get("accept-encoding", "") and squeezed.is_file():
            headers["Content-Encoding"] = "gzip"
            path = squeezed
        response = FileResponse(path, status_code, headers, media_type, stat_result=path.stat())
        if self.is_not_modified(response.headers, asked):
            return NotModifiedResponse(response.headers)
        return response


class Documentation(StaticFiles):
    """What `make docs` has built, at `/docs`; whoever has not built it is told how."""

    def __init__(self, folder: Path = DOCUMENTATION) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)
        self.config_checked = True
        self.folder = folder

    async def get_response(self, path: str, scope: Scope) -> Response:
        if scope["method"] != "GET":
            raise HTTPException(405)
        if not (self.folder / "index.html").is_file():
            return HTMLResponse(NO_DOCUMENTATION, 404, {"Cache-Control": "no-store"})
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


#: Said outright, because what a machine's own list says differs from one to the next.
_MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
