"""Tables as schools send them and ask for them: CSV of any making, and XLSX. Bytes in, bytes out."""

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from types import ModuleType

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

#: Limits of a file: a national championship has two thousand rows. XLSX files are archives, of which a few bytes may
#: unpack to gigabytes; a sheet of 10,000 rows unpacks to 3 MB.
MOST_BYTES = 20_000_000
MOST_ROWS = 10_000
MOST_COLUMNS = 50
MOST_UNPACKED_BYTES = 10_000_000
MOST_PARTS = 1000
#: Bytes unpacked at a time.
PORTION_BYTES = 65_536
#: Cells that begin so are formulas to a spreadsheet.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


class TooLargeError(TabuleiroError):
    """A file that is larger than a table of people can be."""


def read_table(data: bytes, most_rows: int = MOST_ROWS) -> list[list[str]]:
    """The rows of a CSV or XLSX file, every cell a text without spaces around it; row n of the file is place n - 1.

    Raises `TooLargeError` as soon as there are more than `most_rows`, whatever else the file holds.
    """
    if len(data) > MOST_BYTES:
        raise TooLargeError(Text("o ficheiro é demasiado grande", "the file is too large"))
    rows = _read_xlsx(data, most_rows) if data.startswith(b"PK\x03\x04") else _read_csv(data, most_rows)
    return [[_bare(cell) for cell in row] for row in rows]


def _too_many_rows(most: int) -> TooLargeError:
    return TooLargeError(
        Text(
            f"o ficheiro tem mais de {most} linhas; divide-o em ficheiros mais pequenos",
            f"the file has more than {most} rows; split it into smaller files",
        )
    )


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


def _read_csv(data: bytes, most_rows: int) -> list[list[str]]:
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
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            if len(rows) == most_rows:
                raise _too_many_rows(most_rows)
            rows.append(row[:MOST_COLUMNS])
    except csv.Error as error:
        raise TabuleiroError(Text(f"isto não é um CSV ({error})", f"this is no CSV ({error})")) from error
    return rows


def _read_xlsx(data: bytes, most_rows: int) -> list[list[str]]:
    openpyxl = _openpyxl()
    try:
        book = openpyxl.load_workbook(_unpacked(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        rows = []
        for row in sheet.iter_rows(values_only=True, max_row=most_rows + 1, max_col=MOST_COLUMNS):
            rows.append(["" if value is None else _shown(value) for value in row])
    except (TabuleiroError, MemoryError):
        raise
    except Exception as error:  # openpyxl has no common error for the many ways in which a file can be damaged
        raise TabuleiroError(Text("o ficheiro XLSX não se lê", "the XLSX file cannot be read")) from error
    if len(rows) > most_rows:
        raise _too_many_rows(most_rows)
    return rows


def _unpacked(data: bytes) -> io.BytesIO:
    """The texts of an XLSX file as an archive of which nothing is compressed, so that reading it unpacks nothing more.

    What the directory of the archive says is refused where it is too much, and is not believed where it is little:
    `ZipFile` returns no more than the directory says of a part, but unpacks a part that is read at once to its end.
    """
    unpacked = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(unpacked, "w", zipfile.ZIP_STORED) as plain:
        parts = archive.infolist()
        texts = [part for part in parts if part.filename.lower().endswith((".xml", ".rels"))]
        if len(parts) > MOST_PARTS or sum(part.file_size for part in texts) > MOST_UNPACKED_BYTES:
            raise TooLargeError(
                Text(
                    "o ficheiro XLSX ocupa demasiado depois de descomprimido; grava só a folha da lista, ou em CSV",
                    "the XLSX file takes too much once unpacked; save only the sheet of the list, or as CSV",
                )
            )
        for part in texts:
            if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise zipfile.BadZipFile(part.filename)  # no spreadsheet uses others, whose steps are not bounded
            with archive.open(part) as source, plain.open(part.filename, "w") as target:
                while portion := source.read(PORTION_BYTES):
                    target.write(portion)
    unpacked.seek(0)
    return unpacked


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
