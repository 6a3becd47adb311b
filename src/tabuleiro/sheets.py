"""Tables as schools send them and ask for them: CSV of any making, and XLSX. Bytes in, bytes out."""

import csv
import io
from collections.abc import Mapping, Sequence
from types import ModuleType

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

#: Bytes and rows a registration file may have: a national championship has a tenth of it.
MOST_BYTES = 20_000_000
MOST_ROWS = 50_000
#: Cells that begin so are formulas to a spreadsheet.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def read_table(data: bytes) -> list[list[str]]:
    """The rows of a CSV or XLSX file, every cell a text without spaces around it; row n of the file is place n - 1."""
    if len(data) > MOST_BYTES:
        raise TabuleiroError(Text("o ficheiro é demasiado grande", "the file is too large"))
    rows = _read_xlsx(data) if data.startswith(b"PK\x03\x04") else _read_csv(data)
    if len(rows) > MOST_ROWS:
        raise TabuleiroError(Text("o ficheiro tem linhas a mais", "the file has too many rows"))
    return [[_bare(cell) for cell in row] for row in rows]


def _bare(cell: str) -> str:
    """One line without double or hard spaces, and without the mark that keeps a formula from being one."""
    text = " ".join(cell.replace("\ufeff", "").split())
    return text[1:] if len(text) > 1 and text[0] == "'" and text[1] in FORMULA else text


def decode(data: bytes) -> str:
    """Text as spreadsheets save it: UTF-8 or UTF-16 with their marks, UTF-8 without, else Windows-1252."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _read_csv(data: bytes) -> list[list[str]]:
    text = decode(data)
    if "\0" in text:
        raise TabuleiroError(Text("isto não é um ficheiro CSV nem XLSX", "this is neither a CSV nor an XLSX file"))
    first, _, rest = text.lstrip("\ufeff").partition("\n")
    separator = None
    if first.lower().startswith("sep=") and len(first.strip()) == 5:
        # Excel's own line; it is kept as an empty one, so that row numbers stay those of the file.
        separator, text = first.strip()[4], f"\n{rest}"
    if separator is None:
        # The separator that stands most often in the first rows, outside of names.
        head = text[:5000]
        separator = max(";\t,", key=head.count)
    try:
        return [list(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator)]
    except csv.Error as error:
        raise TabuleiroError(Text(f"isto não é um CSV ({error})", f"this is no CSV ({error})")) from error


def _read_xlsx(data: bytes) -> list[list[str]]:
    openpyxl = _openpyxl()
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        rows = []
        for row in sheet.iter_rows(values_only=True, max_row=MOST_ROWS + 1, max_col=50):
            rows.append(["" if value is None else _shown(value) for value in row])
    except Exception as error:  # openpyxl has no common error for the many ways in which a file can be damaged
        raise TabuleiroError(Text("o ficheiro XLSX não se lê", "the XLSX file cannot be read")) from error
    return rows


def _shown(value: object) -> str:
    """A cell as a person sees it: a cycle typed as a number is 1, not 1.0."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def neutral(cell: object) -> str:
    """A cell that no spreadsheet takes for a formula."""
    text = str(cell)
    return f"'{text}" if text.startswith(FORMULA) else text


def write_csv(rows: Sequence[Sequence[object]]) -> bytes:
    """Semicolons and a mark of UTF-8: what a Portuguese Excel opens by a double click."""
    page = io.StringIO()
    csv.writer(page, delimiter=";", lineterminator="\r\n").writerows([neutral(cell) for cell in row] for row in rows)
    return page.getvalue().encode("utf-8-sig")


def write_xlsx(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    openpyxl = _openpyxl()
    book = openpyxl.Workbook(write_only=True)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append([cell if isinstance(cell, int | float) else neutral(cell) for cell in row])
    page = io.BytesIO()
    book.save(page)
    return page.getvalue()


def _openpyxl() -> ModuleType:
    try:
        import openpyxl
    except ImportError:
        raise TabuleiroError(
            Text(
                "para ficheiros XLSX falta o openpyxl: pip install 'tabuleiro[championship]'",
                "XLSX files need openpyxl: pip install 'tabuleiro[championship]'",
            )
        ) from None
    return openpyxl
