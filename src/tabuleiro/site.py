"""The rule book as web pages: every game with its rules and boards, in both languages.

`page(path)` is the whole site as a function; nothing is fetched from elsewhere and there is no script.
"""

from collections.abc import Iterable
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tabuleiro import svg
from tabuleiro.core import Position
from tabuleiro.games import GAMES
from tabuleiro.language import LANGUAGES, Language, Text, language_of
from tabuleiro.record import random_game
from tabuleiro.rulebook import BulletList, Diagram, Heading, read_rules, spans

STYLE = """
:root { color-scheme: light dark; --paper: #faf6ef; --ink: #2b2118; --soft: #6b5a48; --card: #fff; --accent: #8a4b12; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1d1915; --ink: #f1e8dc; --soft: #bda98f; --card: #29231d; --accent: #e9a45c; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 70rem; background: var(--paper); color: var(--ink);
  font: 1.05rem/1.6 system-ui, sans-serif; }
a { color: var(--accent); }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
header a { font-weight: 600; }
main { max-width: 42rem; margin: 0 auto; }
main.home { max-width: none; }
h1 { font-size: 2.2rem; line-height: 1.2; margin: 1rem 0 0.5rem; }
h2 { margin-top: 2rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; padding: 0;
  list-style: none; }
.cards a { display: flex; flex-direction: column; height: 100%; padding: 1rem; border-radius: 1rem;
  background: var(--card); color: inherit; text-decoration: none; box-shadow: 0 1px 6px #0003; }
.cards a:hover { box-shadow: 0 3px 14px #0005; }
.cards .board { flex: 1; display: grid; place-items: center; }
.cards svg { width: 100%; height: auto; max-height: 13rem; }
.cards h2 { margin: 0.5rem 0 0; }
.cards p { margin: 0.2rem 0 0; color: var(--soft); }
figure { margin: 1.5rem 0; text-align: center; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: var(--soft); }
code { font-weight: 600; white-space: nowrap; }
"""

CYCLES = {
    "1": Text("1.º ciclo", "1st cycle"),
    "2": Text("2.º ciclo", "2nd cycle"),
    "3": Text("3.º ciclo", "3rd cycle"),
    "sec": Text("secundário", "secondary"),
}


def page(path: str) -> str | None:
    """The HTML of `/<language>/` or `/<language>/<game>`, or None where there is no such page."""
    language, _, game = path.strip("/").partition("/")
    for known in LANGUAGES:
        if language == known:
            if not game:
                return _home(known)
            if game in GAMES:
                return _rules(GAMES[game], known)
    return None


def _frame(title: str, body: str, language: Language, path: str) -> str:
    other: Language = "en" if language == "pt" else "pt"
    switch = Text("Português", "English").to(other)
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
        f'<header><a href="/{language}/">Tabuleiro</a>'
        f'<a href="/{other}/{path}" lang="{other}" hreflang="{other}">{switch}</a></header>{body}</body></html>\n'
    )


def _home(language: Language) -> str:
    title = Text("Oito jogos de tabuleiro", "Eight board games").to(language)
    cards = "".join(_card(game, language) for game in GAMES.values())
    body = f'<main class="home"><h1>{title}</h1><ul class="cards">{cards}</ul></main>'
    return _frame(f"Tabuleiro: {title}", body, language, "")


def _card(game: type[Position], language: Language) -> str:
    # A few moves into a game a board is livelier than at its start, and Guerreiros has its kings.
    lively = random_game(game.start(), seed=1, max_plies=10).position
    board = svg.draw(lively, coordinates=False, width=300, language=language)
    cycles = ", ".join(CYCLES[cycle].to(language) for cycle in game.cycles)
    return (
        f'<li><a href="/{language}/{game.id}"><div class="board">{board}</div><h2>{escape(game.name.to(language))}</h2>'
        f"<p>{escape(game.summary.to(language))}</p>{f'<p><small>{cycles}</small></p>' if cycles else ''}</a></li>"
    )


def _rules(game: type[Position], language: Language) -> str:
    parts = []
    for block in read_rules(game, language):
        if isinstance(block, Heading):
            parts.append(f"<h{block.level}>{_inline(block.text)}</h{block.level}>")
        elif isinstance(block, BulletList):
            parts.append("<ul>" + "".join(f"<li>{_inline(item)}</li>" for item in block.items) + "</ul>")
        elif isinstance(block, Diagram):
            parts.append(_figure(block, language))
        else:
            parts.append(f"<p>{_inline(block.text)}</p>")
    return _frame(f"{game.name.to(language)}: Tabuleiro", f"<main>{''.join(parts)}</main>", language, game.id)


def _figure(diagram: Diagram, language: Language) -> str:
    board = svg.draw(
        diagram.position,
        last=diagram.last,
        legal=diagram.legal,
        arrows=diagram.arrows,
        highlights=diagram.highlights,
        width=420,
        language=language,
    )
    caption = f"<figcaption>{_inline(diagram.caption)}</figcaption>" if diagram.caption else ""
    return f"<figure>{board}{caption}</figure>"


def _inline(text: str) -> str:
    tags: dict[str, str] = {"bold": "strong", "code": "code"}
    pieces: Iterable[str] = (
        f"<{tags[span.style]}>{escape(span.text)}</{tags[span.style]}>" if span.style in tags else escape(span.text)
        for span in spans(text)
    )
    return "".join(pieces)


class Pages(BaseHTTPRequestHandler):
    server_version = "tabuleiro"
    sys_version = ""

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, with_body: bool) -> None:
        path = self.path.partition("?")[0]
        if path == "/":
            self.send_response(302)
            self.send_header("Location", f"/{self._language()}/")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        html = page(path)
        self.send_response(200 if html else 404)
        body = (html or "404: /pt/ · /en/\n").encode()
        self.send_header("Content-Type", f"text/{'html' if html else 'plain'}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def _language(self) -> Language:
        return language_of({"LANG": self.headers.get("Accept-Language", "")})

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is written about who reads."""


def serving(port: int) -> ThreadingHTTPServer:
    """A server of the pages on this machine alone; port 0 takes any that is free."""
    return ThreadingHTTPServer(("127.0.0.1", port), Pages)
