"""What the command line says: in which language, on which stream, and what a stream cannot show.

The language is settled once, when a command begins; help pages and messages ask for it here.
"""

import codecs
import io
import json
import shutil
import sys
import unicodedata
from typing import Any, TextIO

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Language, Text, language_of
from tabuleiro.language import figure as language_figure

_language: Language = "en"

#: English help sentences and what they are in Portuguese. Those written here are Typer's own.
PORTUGUESE: dict[str, str] = {
    "Install completion for the current shell.": "Instala as sugestões da tecla Tab nesta consola.",
    "Show completion for the current shell, to copy it or customize the installation.": (
        "Mostra o programa das sugestões da tecla Tab, para o copiar ou adaptar."
    ),
}


def both(pt: str, en: str) -> str:
    """A help sentence: Typer keeps the English one, the help page shows it in the language of the day."""
    PORTUGUESE[en] = pt
    return en


def in_language(sentence: str) -> str:
    """A help sentence in the language of the day."""
    return PORTUGUESE.get(sentence, sentence) if _language == "pt" else sentence


def language() -> Language:
    return _language


def speak(chosen: Language | None) -> None:
    """Settle the language: as chosen, else as the environment asks."""
    global _language
    _language = chosen or language_of()


def tr(pt: str, en: str) -> str:
    """A sentence in the language of the day."""
    return Text(pt, en).to(_language)


def figure(value: float, decimals: int = 0, unit: str = "") -> str:
    """A number with its unit, in the language of the day."""
    return language_figure(value, decimals, unit).to(_language)


def complain(error: TabuleiroError | Text) -> None:
    """One line on standard error."""
    text = error.text if isinstance(error, TabuleiroError) else error
    print("tabuleiro:", " ".join(text.to(_language).split()), file=sys.stderr)


def print_json(value: Any) -> None:
    """One line of ASCII, so that no stream can spoil it."""
    print(json.dumps(value))


def print_rich(*renderables: Any, plain: bool = False) -> None:
    """Print what Rich lays out, to the width of the terminal but not wider than is good to read."""
    from rich.console import Console

    # Rich writes to memory and we to the stream, because it has its own idea of what to do when nobody reads any more.
    page = io.StringIO()
    console = Console(
        file=page,
        width=min(shutil.get_terminal_size().columns, 100),
        force_terminal=sys.stdout.isatty() and not plain,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for renderable in renderables:
        console.print(renderable)
    print(page.getvalue(), end="")


def shows_unicode(stream: TextIO) -> bool:
    """Whether the pretty boards can be written there."""
    try:
        "○●▲■┌─┐│…".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def soften_streams() -> None:
    """Let streams that cannot write some character write the nearest one, and read bytes that mean nothing."""
    for stream, errors in (
        (sys.stdin, "replace"),
        (sys.stdout, "tabuleiro.nearest"),
        (sys.stderr, "tabuleiro.nearest"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


_NEAREST = {"«": '"', "»": '"', "“": '"', "”": '"', "’": "'", "…": "...", "–": "-", "—": "-", "·": "-", "×": "x"}


def _nearest(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    written = ""
    for character in error.object[error.start : error.end]:
        bare = unicodedata.normalize("NFKD", _NEAREST.get(character, character))
        written += bare.encode("ascii", "ignore").decode() or "?"
    return written, error.end


codecs.register_error("tabuleiro.nearest", _nearest)
