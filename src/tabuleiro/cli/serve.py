"""`tabuleiro serve`: the rule book in the browser."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Annotated

import typer

from tabuleiro.cli.speech import both, tr
from tabuleiro.language import Language, language_of
from tabuleiro.site import page

HELP = both("Mostra as regras e os tabuleiros no navegador.", "Show the rules and the boards in the browser.")


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


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help=both("A porta.", "The port."))] = 8000,
) -> None:
    with ThreadingHTTPServer(("127.0.0.1", port), Pages) as server:
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        print(
            tr(f"As regras estão em {address} (Ctrl-C para sair)", f"The rule book is at {address} (Ctrl-C ends)"),
            flush=True,
        )
        server.serve_forever()
