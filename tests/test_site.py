"""The rule book's pages: all there, in both languages, sound, and served."""

import re
import threading
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tabuleiro import GAMES
from tabuleiro.language import LANGUAGES
from tabuleiro.site import page, serving

PATHS = [f"/{language}/{game}" for language in LANGUAGES for game in ("", *GAMES)]


@pytest.mark.parametrize("path", PATHS)
def test_every_link_leads_to_a_page(path: str) -> None:
    html = page(path)
    assert html and html.count("<h1>") == 1 and "<svg" in html
    for target in re.findall(r'<a href="([^"]*)"', html):
        assert page(target) is not None, target


def test_there_are_no_other_pages() -> None:
    for path in ("/", "/fr/", "/pt/xadrez", "/pt/../en/", "/en/hex/", "//", "/pt/hex\0", "/" + "a" * 100_000):
        assert page(path) is None or path == "/en/hex/"


@pytest.fixture
def address() -> Iterator[str]:
    with serving(0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_the_pages_are_served(address: str) -> None:
    with urlopen(f"{address}/") as answer:
        assert answer.url == f"{address}/en/" and "Konane" in answer.read().decode()
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"{address}/nothing")
