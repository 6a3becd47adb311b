"""Jobs that read or write files: tables of people, QR codes. What comes from a browser comes as base64.

Light: these are done in processes apart (`jobs.py`), which import this.
"""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.jobs import READ_CPU_S, Job
from tabuleiro.sheets import TooLargeError, read_table, write_xlsx


def decoded(file: str) -> bytes:
    """The bytes of a file that was sent."""
    try:
        return base64.b64decode(file, validate=True)
    except binascii.Error:
        raise TabuleiroError(Text("o ficheiro não chegou inteiro", "the file did not arrive whole")) from None


def too_large(error: TooLargeError) -> RefusedError:
    """The refusal of a file that is too large, with the status of HTTP that says so."""
    return RefusedError("too_large", error.text, 413)


@dataclass(frozen=True)
class ReadTable(Job[list[list[str]]]):
    """The rows of a CSV or XLSX file."""

    file: str
    most_rows: int

    @property
    def cpu_s(self) -> float:
        return READ_CPU_S

    def answer(self, stop: Callable[[], bool]) -> list[list[str]]:
        try:
            return read_table(decoded(self.file), self.most_rows)
        except TooLargeError as error:
            raise too_large(error) from error


@dataclass(frozen=True)
class WriteXlsx(Job[bytes]):
    """An XLSX file: rows by the title of their sheet."""

    sheets: Mapping[str, Sequence[Sequence[object]]]

    def answer(self, stop: Callable[[], bool]) -> bytes:
        return write_xlsx(self.sheets)


@dataclass(frozen=True)
class QrPictures(Job[list[str]]):
    """QR codes, each as the address of a picture. One takes five milliseconds, a class has thirty, a section 600."""

    texts: Sequence[str]

    def answer(self, stop: Callable[[], bool]) -> list[str]:
        return [qr_picture(text) for text in self.texts]


def qr_picture(text: str) -> str:
    """A QR code, as the address of a picture."""
    import segno

    return segno.make(text, micro=False).svg_data_uri(border=2, light="#fff", omitsize=True)
