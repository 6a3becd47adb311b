"""`tabuleiro backup`: a copy of all games, taken while the server runs."""

import contextlib
import sqlite3
from pathlib import Path
from typing import Annotated

import typer

from tabuleiro.cli.arguments import file_path
from tabuleiro.cli.serve import DatabaseOption, DataOption, database_url
from tabuleiro.cli.speech import both, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

HELP = both(
    "Copia todas as partidas para um ficheiro, mesmo com o servidor a funcionar.",
    "Copy all games to a file, even while the server runs.",
)


def backup(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help=both("O ficheiro da cópia.", "The file of the copy."), show_default=False),
    ],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    from tabuleiro.server.datafiles import keep_private, register_copy

    url = database_url(data, database)
    if not url.startswith("sqlite:///"):
        raise TabuleiroError(
            Text(
                "uma base de dados PostgreSQL copia-se com pg_dump",
                "a PostgreSQL database is copied with pg_dump",
            )
        )
    source, target = Path(url.removeprefix("sqlite:///")), file_path(file)
    if not source.is_file():
        raise TabuleiroError(Text(f"não há partidas em {source}", f"there are no games in {source}"))
    if target.exists():
        raise TabuleiroError(Text(f"{target} já existe", f"{target} exists already"))
    part = target.with_name(target.name + ".part")
    keep_private(part)
    try:
        with (
            contextlib.closing(sqlite3.connect(source)) as games,
            contextlib.closing(sqlite3.connect(part)) as copy,
        ):
            games.backup(copy)
            register_copy(source, copy, target)
        part.replace(target)
    except sqlite3.Error as error:
        part.unlink(missing_ok=True)
        raise TabuleiroError(Text(f"a cópia falhou: {error}", f"the copy failed: {error}")) from error
    print(tr(f"Cópia em {target}", f"Copied to {target}"))
