"""The installed site: what it needs to be installed, and what is left of it without a server."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.site import ROOT, STATIC, Site, Visitor

#: Waits until the service worker is in charge and has kept the rules of a game.
WAIT = """async () => {
    const registration = await navigator.serviceWorker.ready;
    while (!(await caches.match("/api/v1/games/ouri/rules/pt"))) await new Promise((done) => setTimeout(done, 50));
    return registration.active.state;
}"""


@pytest.fixture
def own_static(tmp_path: Path) -> Path:
    return Path(shutil.copytree(STATIC.parent, tmp_path / "static"))


@pytest.fixture
def own_site(tmp_path: Path, own_static: Path) -> Iterator[Site]:
    """A site with a client of its own, which can be replaced by another."""
    code = (
        f"from pathlib import Path\nimport tabuleiro.server.pages as pages\npages.STATIC = Path({str(own_static)!r})\n"
    )
    (tmp_path / "sitecustomize.py").write_text(code, "utf-8")
    running = Site(tmp_path / "data", path=tmp_path)
    yield running
    running.stop()


def test_the_site_can_be_installed(ana: Visitor) -> None:
    ana.go("/")
    address = ana.page.locator('link[rel="manifest"]').get_attribute("href") or ""
    answer = ana.context.request.get(address)
    manifest = json.loads(answer.text())
    assert answer.headers["content-type"].startswith("application/manifest+json")
    assert manifest["name"] == "Tabuleiro" and manifest["display"] == "standalone" and manifest["start_url"] == "/"
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        picture = ana.context.request.get(icon["src"])
        assert picture.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            wanted = [int(length) for length in icon["sizes"].split("x")]
            assert [int.from_bytes(picture.body()[at : at + 4]) for at in (16, 20)] == wanted, icon
    assert ana.context.request.get("/icon-180.png").status == 200
    # Made from our own drawing, of which they keep the colours.
    assert "#8a5a34" in (ROOT / "web" / "public" / "icon.svg").read_text("utf-8")


def test_without_a_server_the_rules_can_be_read(visit: Callable[..., Visitor], own_site: Site) -> None:
    pupil = visit(to=own_site, offline=True)
    pupil.forgiven += ["ERR_CONNECTION_REFUSED", "Failed to load resource", "ERR_FAILED"]
    pupil.begin("hex", {"kind": "local"})
    pupil.go("/mine")
    assert pupil.page.evaluate(WAIT) in ("activating", "activated")
    kept: list[str] = pupil.page.evaluate(
        """async () => (await Promise.all((await caches.keys()).map(async (name) =>
            (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat()"""
    )
    allowed = ("/assets/", "/api/v1/games/")
    others = [path for path in kept if not path.startswith(allowed) and path not in ("/", "/icon.svg", "/api/v1/games")]
    assert others == [] and all("/rules/" in path for path in kept if path.startswith("/api/v1/games/"))
    own_site.stop()
    pupil.go("/rules/ouri")
    expect(pupil.page.get_by_role("heading", name="Ouri", exact=True)).to_be_visible()
    expect(pupil.page.locator("figure svg.board").first).to_be_visible()
    pupil.go("/mine")
    expect(pupil.page.get_by_text("Sem ligação ao servidor.")).to_be_visible()
    pupil.page.get_by_role("link", name="Ler as regras").click()
    expect(pupil.page.get_by_role("heading", name="Regras dos jogos")).to_be_visible()
    own_site.start()
    pupil.go("/mine")
    expect(pupil.page.get_by_role("link", name="Hex")).to_be_visible()


def test_after_an_update_nobody_gets_the_old_client(
    visit: Callable[..., Visitor], own_site: Site, own_static: Path
) -> None:
    pupil = visit(to=own_site, offline=True)
    pupil.forgiven += ["404", "Failed to fetch dynamically imported module", "Failed to load resource"]
    pupil.go("/rules")
    pupil.page.evaluate(WAIT)
    worker, page = own_static / "worker.js", own_static / "index.html"
    edition = next(name for name in pupil.page.evaluate("caches.keys()") if name.startswith("tabuleiro-"))
    for file in own_static.rglob("*.gz"):
        file.unlink()
    worker.write_text(worker.read_text("utf-8").replace(edition.removeprefix("tabuleiro-"), "twotwotwotwo"), "utf-8")
    page.write_text(page.read_text("utf-8").replace("<head>", '<head><meta name="edition" content="two">'), "utf-8")
    pupil.page.reload()
    expect(pupil.page.locator('meta[name="edition"]')).to_be_attached()
    # The new worker takes over and throws away what the old one kept.
    pupil.page.wait_for_function("async () => (await caches.keys()).join() === 'tabuleiro-twotwotwotwo'")
