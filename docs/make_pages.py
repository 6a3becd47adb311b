"""The documentation as pages: `make docs` writes them to `src/tabuleiro/server/documentation`, and the server shows
them at `/docs`. They need nothing from elsewhere: no font, no script, no server that is far away.

Texts are the files of `docs/`; notebooks and the docstrings of the library become pages too.
"""

import html
import json
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from reference import MODULES, reference

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "docs" / "site"
TARGET = ROOT / "src" / "tabuleiro" / "server" / "documentation"

GAMES = ("avanco", "rastros", "hex", "semaforo", "ouri", "konane", "guerreiros", "abalone")


class Section(NamedTuple):
    """Pages that stand together in the list, by their files."""

    title: str
    title_pt: str
    files: tuple[str, ...]


SECTIONS = (
    Section("Teaching and playing", "Ensinar e jogar", ("docs/guia-do-professor.md", "docs/guia-do-jogador.md")),
    Section(
        "Running it",
        "Instalar e manter",
        ("docs/server.md", "docs/deploy.md", "docs/championship.md", "docs/lessons.md", "docs/puzzles.md"),
    ),
    Section(
        "The library",
        "A biblioteca",
        (
            "docs/library.md",
            *(f"docs/notebooks/{path.name}" for path in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))),
            "docs/formats.md",
            "docs/protocol.md",
        ),
    ),
    Section("Reference", "Referência", tuple(f"reference/{module}.md" for module in MODULES)),
    Section("How it is done", "Como é feito", ("docs/solvers.md", "docs/results.md", "docs/architecture.md")),
    Section("The rulings of each game", "Como lemos as regras", tuple(f"docs/games/{game}.md" for game in GAMES)),
    Section("The project", "O projeto", ("CONTRIBUTING.md", "CHANGELOG.md")),
)
HOME = "docs/index.md"
#: Pages in Portuguese; the home page speaks both languages, Portuguese first.
PORTUGUESE = (HOME, *SECTIONS[0].files)
#: Besides texts, what a page may show or give.
ASSETS = (".svg", ".png", ".tab")

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


@dataclass
class Page:
    """A page before it is laid out."""

    source: str
    #: Where it stands, from the root of the documentation.
    address: str
    text: str
    title: str = ""
    body: str = ""
    #: Headings with their anchors, and the words beneath each.
    parts: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def language(self) -> str:
        return "pt-PT" if self.source in PORTUGUESE else "en"


def address_of(source: str) -> str:
    inside = PurePosixPath(source.removeprefix("docs/"))
    return "index.html" if source == HOME else str(inside.with_suffix(".html")).lower()


def slug(heading: str) -> str:
    bare = unicodedata.normalize("NFKD", heading.lower())
    letters = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")


def read_page(source: str) -> Page:
    if source.startswith("reference/"):
        text = reference(PurePosixPath(source).stem)
    elif source.endswith(".ipynb"):
        text = "\n\n".join(_cells(json.loads((ROOT / source).read_text("utf-8"))))
    else:
        text = (ROOT / source).read_text("utf-8")
    return Page(source, address_of(source), text)


def _cells(notebook: dict[str, list[dict[str, object]]]) -> Iterator[str]:
    for cell in notebook["cells"]:
        lines = cell["source"]
        assert isinstance(lines, list)
        text = "".join(lines)
        yield text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"


def render(page: Page, pages: dict[str, Page], assets: set[str]) -> None:
    tokens = MARKDOWN.parse(page.text)
    taken: set[str] = set()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = _words(tokens[place + 1])
            anchor = slug(heading)
            while anchor in taken:
                anchor += "-2"
            taken.add(anchor)
            token.attrs["id"] = anchor
            page.title = page.title or heading
            page.parts.append((heading, anchor, ""))
        elif token.type == "table_open":
            token.attrs["tabindex"] = "0"
        for inner in token.children or ():
            _lead(inner, page, pages, assets)
        if token.type in ("inline", "fence", "code_block") and page.parts:
            heading, anchor, words = page.parts[-1]
            said = _words(token) if token.type == "inline" else token.content
            page.parts[-1] = heading, anchor, f"{words} {said}".strip()
    # What is wider than the screen is moved sideways, by keys too.
    page.body = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}).replace("<pre>", '<pre tabindex="0">')


def _words(token: Token) -> str:
    return "".join(inner.content if inner.type != "softbreak" else " " for inner in token.children or ())


def _lead(token: Token, page: Page, pages: dict[str, Page], assets: set[str]) -> None:
    """Let a link or picture lead to where the thing stands among the pages."""
    name = {"link_open": "href", "image": "src"}.get(token.type)
    if name is None:
        return
    target = str(token.attrs[name])
    if re.match(r"[a-z]+:|#|/", target):
        return
    path, _, anchor = target.partition("#")
    source = os.path.normpath(PurePosixPath(page.source).parent / path)
    if source in pages:
        leads = pages[source].address
    elif source.startswith("docs/") and source.endswith(ASSETS) and (ROOT / source).is_file():
        assets.add(source)
        leads = source.removeprefix("docs/")
    else:
        raise SystemExit(f"{page.source}: {target} is no page of the documentation")
    here = PurePosixPath(page.address).parent
    token.attrs[name] = os.path.relpath(leads, here) + (f"#{anchor}" if anchor else "")


def list_of_pages(page: Page, pages: dict[str, Page]) -> str:
    """All pages, from where one stands."""
    here = PurePosixPath(page.address).parent
    written = []
    for section in SECTIONS:
        items = []
        for source in section.files:
            other = pages[source]
            current = ' aria-current="page"' if other is page else ""
            leads = os.path.relpath(other.address, here)
            language = "" if other.language == page.language else f' lang="{other.language}"'
            items.append(f'<li><a href="{leads}"{current}{language}>{html.escape(other.title)}</a></li>')
        opened = " open" if page.source in section.files else ""
        name, own = section.title, pages[section.files[0]].language
        if page.language == "pt-PT":
            name = section.title_pt + ("" if own == "pt-PT" else " (em inglês)")
        elif own != "en":
            name += " (in Portuguese)"
        written.append(f"<details{opened}><summary>{name}</summary><ul>{''.join(items)}</ul></details>")
    return "\n".join(written)


def lay_out(page: Page, pages: dict[str, Page]) -> str:
    up = os.path.relpath(".", PurePosixPath(page.address).parent)
    words = {
        "pt-PT": ("Saltar para o conteúdo", "Documentação", "Procurar", "Páginas", "Ir para os jogos"),
        "en": ("Skip to content", "Documentation", "Search", "Pages", "To the games"),
    }[page.language]
    filled = {
        "language": page.language,
        "title": html.escape(page.title),
        "up": up,
        "pages": list_of_pages(page, pages),
        "body": page.body,
        **dict(zip(("skip", "documentation", "search", "list", "games"), words, strict=True)),
    }
    template = (SITE / "page.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda hole: filled[hole[1]], template)


def search_index(pages: dict[str, Page]) -> str:
    found = [
        {"page": page.title, "heading": heading, "address": f"{page.address}#{anchor}", "words": words}
        for page in pages.values()
        for heading, anchor, words in page.parts
    ]
    # A script, because pages that were opened from a disk may not fetch.
    return f"window.documentation = {json.dumps(found, ensure_ascii=False, separators=(',', ':'))};\n"


def build(target: Path) -> dict[str, Page]:
    sources = [HOME, *(source for section in SECTIONS for source in section.files)]
    pages = {source: read_page(source) for source in sources}
    assets: set[str] = set()
    for page in pages.values():
        render(page, pages, assets)
    shutil.rmtree(target, ignore_errors=True)
    for page in pages.values():
        file = target / page.address
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(lay_out(page, pages), "utf-8")
    for asset in assets:
        file = target / asset.removeprefix("docs/")
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / asset, file)
    for name in ("style.css", "search.js"):
        shutil.copyfile(SITE / name, target / name)
    shutil.copyfile(ROOT / "web" / "public" / "icon.svg", target / "icon.svg")
    (target / "search-index.js").write_text(search_index(pages), "utf-8")
    return pages


if __name__ == "__main__":
    written = build(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)
    print(f"{len(written)} pages")
