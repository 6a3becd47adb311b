"""The documentation: its pages lead somewhere, every example runs, and a newcomer finds what they came for."""

import doctest
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import make_pages
import pytest

from tabuleiro.games import GAMES
from tabuleiro.server.guard import HEADERS

ROOT = Path(__file__).parents[1]
TEXTS = [path for path in sorted((ROOT / "docs").rglob("*.md")) if "```python\n" in path.read_text("utf-8")]
#: What the client knows, as expressions: `:id` is any one part of an address, `/:id?` one that may be missing.
PAGES_OF_THE_SITE = [
    re.sub(r"/:\w+", "/[^/]+", re.sub(r"/:\w+\?", "(/[^/]+)?", path))
    for path in re.findall(r'path: "(/[^"]*)"', (ROOT / "web" / "src" / "pages" / "index.ts").read_text("utf-8"))
]


class Found(HTMLParser):
    """What a page leads to and what it can be led to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if "id" in given:
            self.anchors.add(given["id"] or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        if tag in ("script", "img", "link"):
            self.loads.append(given.get("src") or given.get("href") or "inline")
        self.inline += [name for name in given if name.startswith("on")]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("documentation")
    make_pages.build(target)
    return target


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[Path, Found]:
    return {path: Found(path.read_text("utf-8")) for path in built.rglob("*.html")}


def test_no_link_is_dead(built: Path, pages: dict[Path, Found]) -> None:
    for path, found in pages.items():
        for link in found.links:
            if re.match(r"https?:|mailto:", link) or link == "/":
                continue
            if link.startswith("/"):
                assert any(re.fullmatch(known, link) for known in PAGES_OF_THE_SITE), (
                    f"{path.relative_to(built)}: {link}"
                )
                continue
            target, _, anchor = link.partition("#")
            leads = path if not target else Path(path.parent, unquote(target)).resolve()
            assert leads.is_file(), f"{path.relative_to(built)}: {link}"
            if anchor and leads.suffix == ".html":
                assert anchor in pages[leads].anchors, f"{path.relative_to(built)}: {link}"


def test_nothing_comes_from_elsewhere(built: Path, pages: dict[Path, Found]) -> None:
    """So that it works without the internet, and under the server's own policy."""
    assert "default-src 'self'" in HEADERS["Content-Security-Policy"]
    for path, found in pages.items():
        assert not found.inline
        for loaded in found.loads:
            assert Path(path.parent, loaded).resolve().is_file(), f"{path.relative_to(built)}: {loaded}"
    assert sum(path.stat().st_size for path in built.rglob("*")) < 8_000_000


@pytest.mark.parametrize(
    ("wish", "heading"),
    [("Dar uma aula", "Dar uma aula"), ("An agent trained in two minutes", "Train an agent in two minutes")],
)
def test_a_newcomer_finds_it_at_once(built: Path, wish: str, heading: str) -> None:
    """One click from the first page."""
    home = (built / "index.html").read_text("utf-8")
    (link,) = re.findall(rf'<a href="([^"]+)">{wish}</a>', home)
    page, _, anchor = link.partition("#")
    text = (built / page).read_text("utf-8")
    assert (f'id="{anchor}">{heading}<' in text) if anchor else heading.lower() in text.lower()


def test_the_words_of_every_page_can_be_searched(built: Path) -> None:
    index = (built / "search-index.js").read_text("utf-8")
    for word in ("Dar uma aula", "must-play", "OpeningTree", "setoption", "cycle_collect"):
        assert word.lower() in index.lower(), word


def test_the_reference_has_every_public_name(built: Path) -> None:
    import tabuleiro

    text = (built / "reference" / "tabuleiro.html").read_text("utf-8")
    for name in tabuleiro.__all__:
        thing = getattr(tabuleiro, name)
        if isinstance(thing, type) or callable(thing):
            assert f">{name}<" in text, name


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_example_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page in order, as a reader would type them."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    names: dict[str, object] = {"__name__": "__main__"}
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", path.read_text("utf-8"), re.S | re.M)):
        if block.startswith(">>> "):
            test = doctest.DocTestParser().get_doctest(block, names, path.name, str(path), 0)
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
        else:
            exec(compile(block, f"{path.name}, block {number + 1}", "exec"), names)


def test_the_teachers_guide_knows_who_plays_what() -> None:
    guide = (ROOT / "docs" / "guia-do-professor.md").read_text("utf-8")
    said = {"1": "1.º", "2": "2.º", "3": "3.º", "sec": "secundário"}
    for game in GAMES.values():
        cycles = ", ".join(said[cycle] for cycle in game.cycles) or "—"
        assert f"| {game.name.pt} | {cycles} |" in guide, game.id
