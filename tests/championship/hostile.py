"""Files that somebody made to harm whoever reads them."""

import io
import sqlite3
import struct
import zipfile
from contextlib import closing
from pathlib import Path

from tabuleiro.championship.file import APPLICATION, TABLES, VERSION

#: A query without an end, which keeps no memory.
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
EVENTS = "(number INTEGER PRIMARY KEY, kind TEXT NOT NULL, data TEXT NOT NULL, who INTEGER NOT NULL, at REAL NOT NULL)"
PEOPLE = "CREATE TABLE people (person INTEGER PRIMARY KEY, details TEXT NOT NULL);"
#: Programs in the place of a championship, by what they are.
PROGRAMS = {
    "an endless view": f"{PEOPLE} CREATE VIEW events AS {ENDLESS} SELECT x AS number, 'a' AS kind, '{{}}' AS data, "
    "0 AS who, 0.0 AS at FROM n;",
    "an endless view of names": f"CREATE TABLE events {EVENTS}; CREATE VIEW people AS {ENDLESS} SELECT x AS person, "
    "'{}' AS details FROM n;",
    "a view beside the tables": f"{TABLES} CREATE VIEW more AS SELECT 1;",
    "a trigger": f"{TABLES} CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM people; END;",
    "a virtual table": f"{PEOPLE} CREATE VIRTUAL TABLE events USING fts5(number, kind, data, who, at);",
    "a generated column": f"{PEOPLE} CREATE TABLE events (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, data TEXT AS "
    "(hex(zeroblob(400000000))), who INTEGER NOT NULL, at REAL NOT NULL);",
    "another table": f"{TABLES} CREATE TABLE more (x);",
    "an index of an expression": f"{TABLES} CREATE INDEX more ON events (abs(who));",
    "other columns": f"{PEOPLE} CREATE TABLE events (number INTEGER PRIMARY KEY, kind, data, at, who);",
}


def championship_file(path: Path, program: str) -> bytes:
    """A database that says it is a championship file, and holds something else."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.executescript(program)
        connection.commit()
    return path.read_bytes()


# -------------------------------------------------------------------------------------------------------------- sheets

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def _relations(*targets: tuple[str, str]) -> str:
    lines = [
        f'<Relationship Id="rId{number}" Type="{_DOCUMENT}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    ]
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(lines)}</Relationships>'


def workbook(
    sheet: bytes = b"", strings: bytes = b"", padding: int = 0, compression: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """An XLSX file of one sheet with these rows and these shared strings; `padding` spaces stand in the workbook."""
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{types}.sharedStrings+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types}.worksheet+xml"/></Types>',
        "_rels/.rels": _relations(("officeDocument", "xl/workbook.xml")),
        "xl/_rels/workbook.xml.rels": _relations(
            ("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")
        ),
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_DOCUMENT}"><sheets>'
        f'<sheet name="f" sheetId="1" r:id="rId1"/></sheets></workbook>{" " * padding}',
        "xl/sharedStrings.xml": f'<sst xmlns="{_SHEET}">'.encode() + strings + b"</sst>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SHEET}"><sheetData>'.encode()
        + sheet
        + b"</sheetData></worksheet>",
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


#: A cell, of which a megabyte is packed into a kilobyte.
CELL = b"<c><v>1</v></c>"


def bomb(unpacked_bytes: int) -> bytes:
    """A small XLSX file with one row that unpacks to so many bytes."""
    return workbook(b"<row>" + CELL * (unpacked_bytes // len(CELL)) + b"</row>")


def lying(archive: bytes, part: str, claimed: int) -> bytes:
    """The same archive, whose directory says that a part unpacks to `claimed` bytes."""
    data = bytearray(archive)
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        local = opened.getinfo(part).header_offset
        central = data.index(b"PK\x01\x02", opened.start_dir)
        while data[central + 46 : central + 46 + struct.unpack_from("<H", data, central + 28)[0]] != part.encode():
            central = data.index(b"PK\x01\x02", central + 4)
    struct.pack_into("<I", data, local + 22, claimed)
    struct.pack_into("<I", data, central + 24, claimed)
    return bytes(data)
