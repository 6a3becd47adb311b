"""Files of many games: our text, JSON lines, and Parquet (which needs pyarrow). The name of a file says which it is; a
name that ends in `.gz` is compressed besides. docs/formats.md tells how each is written."""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TextIO

from tabuleiro.collection.rows import Row
from tabuleiro.collection.text import read_text, write_text
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.record import RecordError

if TYPE_CHECKING:
    import pyarrow

#: Games of a row group of a Parquet file.
GROUP = 100_000
#: Columns of their own, because everybody asks for them; the other tags are a column together.
PLAYERS = {"player1": "Player1", "player2": "Player2"}


class Form(NamedTuple):
    read: Callable[[Path], Iterator[Row]]
    write: Callable[[Iterable[Row], Path], None]


def form_of(path: Path) -> str:
    """The form that the name of a file promises: `text` where it promises none."""
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    return {".jsonl": "jsonl", ".parquet": "parquet"}.get(suffixes[-1] if suffixes else "", "text")


def read_rows(path: Path) -> Iterator[Row]:
    """The games of a file, a row each, as they stand there: `replayed` checks them."""
    return FORMS[form_of(path)].read(path)


def write_rows(rows: Iterable[Row], path: Path) -> None:
    """Write games to a file."""
    FORMS[form_of(path)].write(rows, path)


@contextmanager
def _opened(path: Path, mode: Literal["r", "w"]) -> Iterator[TextIO]:
    encoding, newline = ("utf-8", "\n") if mode == "w" else ("utf-8-sig", None)
    if path.suffix.lower() == ".gz":
        # Without name and time, so that the same games are the same file.
        with (
            path.open(mode + "b") as file,
            gzip.GzipFile("", mode, fileobj=file, mtime=0) as squeezed,
            io.TextIOWrapper(squeezed, encoding=encoding, newline=newline) as stream,
        ):
            yield stream
    else:
        with path.open(mode, encoding=encoding, newline=newline) as stream:
            yield stream


@contextmanager
def _sound() -> Iterator[None]:
    """What is no text, or was not written to its end, is told of as any other damage."""
    try:
        yield
    except UnicodeDecodeError:
        raise RecordError(Text("o texto não está em UTF-8", "the text is not UTF-8")) from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise RecordError(Text("o ficheiro comprimido está danificado", "the compressed file is damaged")) from None


# --------------------------------------------------------------------------------------------------------------- text


def _read_text(path: Path) -> Iterator[Row]:
    with _opened(path, "r") as stream, _sound():
        yield from read_text(stream)


def _write_text(rows: Iterable[Row], path: Path) -> None:
    with _opened(path, "w") as stream:
        for number, row in enumerate(rows):
            stream.write(("\n" if number else "") + write_text(row))


# --------------------------------------------------------------------------------------------------------- JSON lines


def _write_jsonl(rows: Iterable[Row], path: Path) -> None:
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    with _opened(path, "w") as stream:
        for row in rows:
            stream.write(encode({**row._asdict(), "options": dict(row.options)}) + "\n")


def _read_jsonl(path: Path) -> Iterator[Row]:
    with _opened(path, "r") as stream, _sound():
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield _row_of_json(line, number)


def _row_of_json(line: str, number: int) -> Row:
    try:
        told = json.loads(line)
        options = tuple(sorted(told.get("options", {}).items()))
        row = Row(
            told["game"],
            options,
            told.get("start"),
            told["moves"],
            told["result"],
            told.get("termination"),
            told.get("tags", {}),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        row = None
    if row is None or not _has_texts(row):
        raise RecordError(
            Text(
                "cada linha é um objeto com «game», «moves» e «result»",
                "each line is an object with “game”, “moves” and “result”",
            ),
            number,
        )
    return row


def _has_texts(row: Row) -> bool:
    texts = [row.game, row.moves, row.result, *(text for text in (row.start, row.termination) if text is not None)]
    if not isinstance(row.tags, dict):
        return False
    texts += [text for pair in row.options for text in pair]
    texts += [*row.tags.keys(), *row.tags.values()]
    return all(isinstance(text, str) for text in texts)


# ------------------------------------------------------------------------------------------------------------ Parquet


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise TabuleiroError(
            Text(
                "falta o pyarrow; instala-o com «pip install tabuleiro[parquet]»",
                "pyarrow is missing; install it with “pip install tabuleiro[parquet]”",
            )
        ) from error
    return pyarrow


def _write_parquet(rows: Iterable[Row], path: Path) -> None:
    arrow = _pyarrow()
    schema = _schema(arrow)
    names = [name for name in schema.names if name != "moves"]
    waiting = iter(rows)
    # Words of moves differ from game to game: a dictionary of whole games would be all of them again.
    with arrow.parquet.ParquetWriter(path, schema, compression="zstd", use_dictionary=names) as writer:
        while group := list(islice(waiting, GROUP)):
            writer.write_table(_table(arrow, schema, group))


def _schema(arrow: Any) -> "pyarrow.Schema":
    text = arrow.string()
    fields = [
        ("game", text),
        ("options", text),
        ("start", text),
        ("moves", text),
        ("plies", arrow.uint16()),
        ("result", text),
        ("termination", text),
        *((column, text) for column in PLAYERS),
        ("tags", arrow.map_(text, text)),
    ]
    return arrow.schema(fields, metadata={"tabuleiro": "1"})


def _table(arrow: Any, schema: "pyarrow.Schema", rows: list[Row]) -> "pyarrow.Table":
    players = set(PLAYERS.values())
    columns = {
        "game": [row.game for row in rows],
        "options": [" ".join(f"{name}={value}" for name, value in row.options) for row in rows],
        "start": [row.start for row in rows],
        "moves": [row.moves for row in rows],
        "plies": [row.moves.count(" ") + 1 if row.moves else 0 for row in rows],
        "result": [row.result for row in rows],
        "termination": [row.termination for row in rows],
        **{column: [row.tags.get(tag) for row in rows] for column, tag in PLAYERS.items()},
        "tags": [[pair for pair in row.tags.items() if pair[0] not in players] for row in rows],
    }
    return arrow.table(columns, schema=schema)


def _read_parquet(path: Path) -> Iterator[Row]:
    arrow = _pyarrow()
    try:
        with arrow.parquet.ParquetFile(path) as file:
            if missing := {"game", "options", "moves", "result"} - set(file.schema_arrow.names):
                raise RecordError(
                    Text(f"faltam colunas: {', '.join(sorted(missing))}", f"columns are missing: {', '.join(missing)}")
                )
            for batch in file.iter_batches(batch_size=1 << 14):
                yield from _rows_of_batch(batch)
    except (arrow.ArrowException, UnicodeDecodeError):
        raise RecordError(Text("não é um ficheiro Parquet inteiro", "this is not a whole Parquet file")) from None


def _rows_of_batch(batch: Any) -> Iterator[Row]:
    nothing = [None] * len(batch)
    names = batch.schema.names
    game, options, start, moves, result, termination, one, two, tags = (
        batch.column(name).to_pylist() if name in names else nothing
        for name in ("game", "options", "start", "moves", "result", "termination", *PLAYERS, "tags")
    )
    split: dict[str | None, tuple[tuple[str, str], ...]] = {}
    for text in set(options):
        pairs = (pair.partition("=") for pair in (text or "").split())
        split[text] = tuple(sorted((name, value) for name, _, value in pairs))
    for number in range(len(batch)):
        told = {tag: name for tag, name in (("Player1", one[number]), ("Player2", two[number])) if name is not None}
        told.update(tags[number] or ())
        yield Row(
            game[number] or "",
            split[options[number]],
            start[number],
            moves[number] or "",
            result[number] or "",
            termination[number],
            told,
        )


FORMS = {
    "text": Form(_read_text, _write_text),
    "jsonl": Form(_read_jsonl, _write_jsonl),
    "parquet": Form(_read_parquet, _write_parquet),
}
