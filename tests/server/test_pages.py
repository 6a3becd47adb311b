"""The client's files: what is served, how it is kept, and that nothing else of the disk is."""

import asyncio
import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from server.people import LocalServer
from tabuleiro.server.pages import Documentation
from tabuleiro.server.settings import Settings, sqlite_url


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("site")
    static = folder / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>Tabuleiro</title>")
    (static / "pages.json").write_text('["", "rules", "play", "g", "mine", "embed"]')
    (static / "assets" / "app-1a2b.js").write_text("let x = 1;")
    (static / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(b"let x = 1;"))
    (folder / "secret.txt").write_text("secret")
    with (
        LocalServer(Settings(sqlite_url(folder)), static=static) as server,
        httpx.Client(base_url=server.address) as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/", "/rules/hex", "/play/ouri", "/g/abcdefghjkmn", "/mine"])
def test_every_page_of_the_client(site: httpx.Client, path: str) -> None:
    page = site.get(path)
    assert page.status_code == 200 and "<title>Tabuleiro" in page.text
    assert page.headers["cache-control"] == "no-cache" and page.headers["content-type"].startswith("text/html")
    again = site.get(path, headers={"If-None-Match": page.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path", ["/embed/position", "/embed/game/abcdefghjkmn", "/embed/task/lesson/ouri/05-armadilha/2"]
)
def test_pages_made_for_frames_may_be_framed(site: httpx.Client, path: str) -> None:
    page = site.get(path)
    again = site.get(path, headers={"If-None-Match": page.headers["etag"]})
    assert (page.status_code, again.status_code) == (200, 304)
    for answer in (page, again):
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors *" in policy and "default-src 'self'" in policy


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/rules/hex", "/g/abcdefghjkmn", "/mine", "/nothing", "/embed", "/embed/game", "/embed/game/abc"),
        *("/embed/position/more", "/embed/game/abcdefghjkmn/mine", "/embed/../mine", "/embedded/position"),
        *("/embed/task", "/embed/task/set/abc/1", "/embed/task/lesson/../../mine"),
        *("/api/v1/games", "/api/v1/me", "/healthz", "/assets/app-1a2b.js"),
    ],
)
def test_all_else_refuses_frames(site: httpx.Client, path: str) -> None:
    assert "frame-ancestors 'none'" in site.get(path).headers["content-security-policy"]


def test_other_addresses_show_the_page_too_but_say_that_they_are_not_there(site: httpx.Client) -> None:
    page = site.get("/nothing")
    assert page.status_code == 404 and "<title>Tabuleiro" in page.text


def test_files_that_never_change_are_kept(site: httpx.Client) -> None:
    script = site.get("/assets/app-1a2b.js")
    assert script.text == "let x = 1;" and script.headers["content-encoding"] == "gzip"
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-type"].startswith("text/javascript")
    plain = site.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "identity"})
    assert plain.text == "let x = 1;" and "content-encoding" not in plain.headers


@pytest.mark.parametrize(
    "path",
    [
        "/assets/none.js",
        "/assets/app-1a2b.js.gz",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/..%5csecret.txt",
        "/a.%00",
        "//etc/passwd.txt",
        "/" + "a" * 5000 + ".js",
    ],
)
def test_no_other_files(site: httpx.Client, path: str) -> None:
    answer = site.get(path)
    assert answer.status_code == 404 and "secret" not in answer.text


def test_a_client_that_is_not_built_says_so(tmp_path: Path) -> None:
    with LocalServer(Settings(sqlite_url(tmp_path)), static=tmp_path / "none") as server:
        page = httpx.get(f"{server.address}/mine")
        assert page.status_code == 503 and "make install" in page.text and 'lang="en"' in page.text


def test_the_documentation_is_served_or_it_is_said_how_to_build_it(tmp_path: Path, site: httpx.Client) -> None:
    async def asked(path: str, method: str = "GET") -> httpx.Response:
        app = httpx.ASGITransport(app=Documentation(tmp_path))
        async with httpx.AsyncClient(transport=app, base_url="http://site") as client:
            return await client.request(method, path)

    missing = asyncio.run(asked("/"))
    assert missing.status_code == 404 and "make docs" in missing.text
    (tmp_path / "index.html").write_text("<p>Guia</p>")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "hex.html").write_text("<p>Hex</p>")
    assert asyncio.run(asked("/")).text == "<p>Guia</p>"
    found = asyncio.run(asked("/games/hex.html"))
    assert found.text == "<p>Hex</p>" and found.headers["cache-control"] == "no-cache"
    led = site.get("/docs")
    assert led.status_code == 307 and led.headers["location"] == "/docs/"
    assert site.get("/docs/").headers["content-type"].startswith("text/html")
