"""`tabuleiro record check` and `tabuleiro record convert`: records of games."""

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
    from tabuleiro.record import Game

CHECK_HELP = both("Verifica registos, jogada a jogada.", "Check records, move by move.")
CONVERT_HELP = both(
    "Converte um registo: .tab ou .pgn (nosso), .sgf ou .txt (ligação do HexWorld).",
    "Convert a record: .tab or .pgn (ours), .sgf or .txt (a HexWorld link).",
)
FORMATS = {".tab": "record", ".pgn": "record", ".sgf": "sgf", ".txt": "hexworld"}
STANDARD_OUTPUT = "-"


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
        for _ in read(path, format_of(path)):
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
            metavar="record|sgf|hexworld",
            help=both("O formato, se o nome do ficheiro não o disser.", "The format, if the file's name does not say."),
        ),
    ] = None,
) -> None:
    from tabuleiro.cli.session import write_safely

    if to is not None and to not in FORMATS.values():
        raise UsageError(Text("--to é record, sgf ou hexworld", "--to is record, sgf or hexworld"))
    if to is None and target != STANDARD_OUTPUT and Path(target).suffix.lower() not in FORMATS:
        raise UsageError(
            Text("não se sabe o formato: usa --to record|sgf|hexworld", "which format? use --to record|sgf|hexworld")
        )
    games = _read_source(source)
    text = write(games, to or format_of(Path(target)))
    if target == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        write_safely(file_path(target), text)


def _read_source(source: str) -> list["Game"]:
    if source.startswith(("https://", "http://")):
        from tabuleiro.hexformats import read_hexworld

        return [read_hexworld(source)]
    path = file_path(source)
    with naming(source):
        return list(read(path, format_of(path)))


def format_of(path: Path) -> str:
    """The format that the name of a file promises; ours, when it promises none."""
    return FORMATS.get(path.suffix.lower(), "record")


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
