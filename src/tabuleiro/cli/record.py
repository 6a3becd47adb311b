"""`tabuleiro record check` and `tabuleiro record convert`: records of games, one with all that was said about it or
many at once."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabuleiro.cli.arguments import JsonOption, file_path, naming
from tabuleiro.cli.frame import UsageError, file_trouble
from tabuleiro.cli.speech import both, complain, language, print_json, tr
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.collection import Replayed
    from tabuleiro.record import Game

CHECK_HELP = both("Verifica registos, jogada a jogada.", "Check records, move by move.")
CONVERT_HELP = both(
    "Converte um registo: .tab ou .pgn (nosso), .sgf, .txt (ligação do HexWorld), .jsonl ou .parquet (muitos jogos).",
    "Convert a record: .tab or .pgn (ours), .sgf, .txt (a HexWorld link), .jsonl or .parquet (many games).",
)
FORMATS = {
    ".tab": "record",
    ".pgn": "record",
    ".sgf": "sgf",
    ".txt": "hexworld",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
}
#: Those of many games at once, which hold no comments, clocks and variations.
TABLES = ("jsonl", "parquet")
NAMES = "record|sgf|hexworld|jsonl|parquet"
STANDARD_OUTPUT = "-"
LINKS = ("https://", "http://")


def check(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", show_default=False, help=both("Os registos a verificar.", "The records to check.")
        ),
    ],
    json: JsonOption = False,
) -> None:
    reports = [_check(name) for name in files]
    if json:
        print_json(reports)
    else:
        for report in reports:
            _tell(report)
    if any(report["error"] is not None for report in reports):
        raise typer.Exit(1)


def _check(name: str) -> dict[str, Any]:
    games, error, line = 0, None, None
    try:
        path = file_path(name)
        for _ in read_many(path) if format_of(path) in TABLES else read(path, format_of(path)):
            games += 1
    except TabuleiroError as trouble:
        error, line = trouble.text, getattr(trouble, "line", None)
    except OSError as trouble:
        error = file_trouble(OSError(trouble.errno, trouble.strerror))
    return {"file": name, "games": games, "line": line, "error": None if error is None else error.to(language())}


def _tell(report: dict[str, Any]) -> None:
    name, games, error = shorten(report["file"], 200), report["games"], report["error"]
    if error is None:
        print(tr(f"{name}: {games} partida{'s' * (games != 1)}", f"{name}: {games} game{'s' * (games != 1)}"))
    else:
        complain(Text(f"{name}: {error}", f"{name}: {error}"))


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            show_default=False,
            help=both("O registo a ler, ou uma ligação do HexWorld.", "The record to read, or a HexWorld link."),
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            show_default=False,
            help=both("O ficheiro a escrever; - escreve no ecrã.", "The file to write; - writes to the screen."),
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            metavar=NAMES,
            help=both("O formato, se o nome do ficheiro não o disser.", "The format, if the file's name does not say."),
        ),
    ] = None,
) -> None:
    from tabuleiro.cli.session import write_safely

    if to is not None and to not in FORMATS.values():
        raise UsageError(Text(f"--to é {NAMES}", f"--to is {NAMES}"))
    if to is None and target != STANDARD_OUTPUT and _suffix(Path(target)) not in FORMATS:
        raise UsageError(Text(f"não se sabe o formato: usa --to {NAMES}", f"which format? use --to {NAMES}"))
    form, given = to or format_of(Path(target)), "" if source.startswith(LINKS) else format_of(Path(source))
    if form in TABLES or (given in TABLES and form == "record"):
        _convert_many(source, target, form)
        return
    text = write(_read_source(source), form)
    if target == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        write_safely(file_path(target), text)


def _convert_many(source: str, target: str, form: str) -> None:
    """By rows, each checked, as many as there are: never all in memory."""
    from tabuleiro.collection import FORMS, row_of

    path = file_path(target)
    if target == STANDARD_OUTPUT or (path.suffix.lower() == ".gz" and form == "parquet"):
        raise UsageError(Text("indica o nome de um ficheiro", "name a file"))
    with naming(source):
        given = "" if source.startswith(LINKS) else format_of(file_path(source))
        many = given in (*TABLES, "record")
        rows = (each.row for each in read_many(file_path(source))) if many else map(row_of, _read_source(source))
        # Whatever goes wrong, an earlier file of that name stays.
        partly = path.with_name(f".partly-{path.name}")
        try:
            FORMS["text" if form == "record" else form].write(rows, partly)
            partly.replace(path)
        finally:
            partly.unlink(missing_ok=True)


def read_many(path: Path) -> Iterator["Replayed"]:
    from tabuleiro.collection import read_rows, replayed

    return replayed(read_rows(path))


def _read_source(source: str) -> list["Game"]:
    if source.startswith(LINKS):
        from tabuleiro.hexformats import read_hexworld

        return [read_hexworld(source)]
    path = file_path(source)
    with naming(source):
        if format_of(path) in TABLES:
            from tabuleiro.collection import game_of, read_rows

            return [game_of(row) for row in read_rows(path)]
        return list(read(path, format_of(path)))


def format_of(path: Path) -> str:
    """The format that the name of a file promises; ours, when it promises none."""
    return FORMATS.get(_suffix(path), "record")


def _suffix(path: Path) -> str:
    """How the name of a file ends, compressed or not."""
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    return suffixes[-1] if suffixes else ""


def read(path: Path, format: str) -> Iterator["Game"]:
    from tabuleiro.hexformats import read_hexworld, read_sgf
    from tabuleiro.record import RecordError, read_games

    if format == "record":
        yield from read_games(path)
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError(Text("o texto não está em UTF-8", "the text is not UTF-8")) from None
    if format == "sgf":
        yield from read_sgf(text)
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield read_hexworld(line)
            except RecordError as error:
                raise RecordError(error.text, number) from error


def write(games: list["Game"], format: str) -> str:
    from tabuleiro.hexformats import write_hexworld, write_sgf
    from tabuleiro.record import write_game

    if format == "record":
        return "\n".join(map(write_game, games))
    if format == "sgf":
        return "".join(map(write_sgf, games))
    return "".join(write_hexworld(game) + "\n" for game in games)
