"""`tabuleiro championship export|import|compare`: backups, tables, and two laptops side by side."""

from pathlib import Path
from typing import Annotated

import typer

from tabuleiro.cli.arguments import JsonOption
from tabuleiro.cli.championship.common import FileArgument, open_file, path_of
from tabuleiro.cli.serve import DatabaseOption, DataOption, database_url, server_packages
from tabuleiro.cli.speech import both, language, print_json, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

EXPORT_HELP = both(
    "Escreve tudo noutro ficheiro: .json, .xlsx, .csv (--what), ou uma cópia de segurança.",
    "Write everything to another file: .json, .xlsx, .csv (--what), or a backup.",
)
IMPORT_HELP = both(
    "Repõe uma cópia de segurança; quem foi apagado entretanto continua apagado.",
    "Restore a backup; who was erased meanwhile stays erased.",
)
COMPARE_HELP = both(
    "Compara dois ficheiros: até onde são iguais, e o que cada um tem a mais.",
    "Compare two files: how far they are the same, and what each has besides.",
)
ServerOption = Annotated[
    bool,
    typer.Option(
        "--server",
        help=both(
            "De ou para o sítio: em vez do ficheiro, o campeonato que está na base de dados.",
            "From or to the site: instead of the file, the championship in its database.",
        ),
    ),
]
TABLES = ("entries", "pairings", "standings")


def export(
    file: FileArgument,
    target: Annotated[
        str, typer.Argument(metavar="OUT", show_default=False, help=both("O ficheiro novo.", "The new file."))
    ],
    what: Annotated[
        str,
        typer.Option(
            "--what",
            metavar="TABLE",
            help=both("Em CSV: entries, pairings ou standings.", "In CSV: entries, pairings or standings."),
        ),
    ] = "standings",
    replace: Annotated[
        bool, typer.Option("--replace", help=both("Substitui o que lá estiver.", "Replace what is there."))
    ] = False,
    server: ServerOption = False,
    data: DataOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    import json as json_format

    from tabuleiro.championship import report
    from tabuleiro.championship.file import copy, write_private
    from tabuleiro.championship.toml import as_it_stands, write_edition
    from tabuleiro.sheets import write_csv, write_xlsx

    path = path_of(target)
    if server:
        _from_server(file, path, replace, database_url(data, database))
        print_json({"file": str(path), "bytes": path.stat().st_size}) if json else print(path)
        return
    kind = path.suffix.lower()
    if kind not in (".json", ".xlsx", ".csv", ".toml"):
        copy(path_of(file), path, replace)
    else:
        if path.exists() and not replace:
            raise TabuleiroError(
                Text(
                    f"{path} já existe; escolhe outro nome ou --replace",
                    f"{path} exists; choose another name or --replace",
                )
            )
        championship, people = open_file(file)
        tables = {
            "entries": report.entry_rows,
            "pairings": report.pairing_rows,
            "standings": report.standing_rows,
        }
        if what not in tables:
            raise TabuleiroError(
                Text(f"--what é um destes: {', '.join(TABLES)}", f"--what is one of: {', '.join(TABLES)}")
            )
        if kind == ".json":
            text = json_format.dumps(report.as_json(championship, people), ensure_ascii=False, indent=1)
            write_private(path, text.encode())
        elif kind == ".toml":
            write_private(path, write_edition(as_it_stands(championship.state)).encode())
        elif kind == ".csv":
            write_private(path, write_csv(tables[what](championship, people, language())))
        else:
            titles = {"entries": tr("Inscrições", "Entries"), "pairings": tr("Jornadas", "Rounds"),
                      "standings": tr("Classificação", "Standings")}  # fmt: skip
            sheets = {titles[name]: rows(championship, people, language()) for name, rows in tables.items()}
            write_private(path, write_xlsx(sheets))
    print_json({"file": str(path), "bytes": path.stat().st_size}) if json else print(path)


def import_(
    backup: Annotated[str, typer.Argument(metavar="BACKUP", show_default=False, help=both("A cópia.", "The backup."))],
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]", show_default=False, help=both("O ficheiro; sem --server.", "The file; without --server.")
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help=both("Substitui o que lá estiver.", "Replace what is there."))
    ] = False,
    server: ServerOption = False,
    data: DataOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship.file import copy

    if server:
        made = _to_server(backup, database_url(data, database))
        print_json({"championship": made}) if json else print(made)
        return
    if file is None:
        raise TabuleiroError(Text("falta o ficheiro, ou --server", "the file is missing, or --server"))
    championship, people = copy(path_of(backup), path_of(file), replace)
    if json:
        print_json({"file": file, **championship.summary(), "people": len(people)})
    else:
        print(
            tr(
                f"Reposto: {championship.number} acontecimentos, {len(people)} pessoas.",
                f"Restored: {championship.number} events, {len(people)} people.",
            )
        )


def _from_server(championship: str, path: Path, replace: bool, url: str) -> None:
    """Write a championship of the site to a file."""
    from tabuleiro.championship.file import write_new

    with server_packages():
        from tabuleiro.server.championships.keeping import contents
        from tabuleiro.server.store import opened

    if path.exists() and not replace:
        raise TabuleiroError(
            Text(
                f"{path} já existe; escolhe outro nome ou --replace",
                f"{path} exists; choose another name or --replace",
            )
        )
    with opened(url) as connection:
        found = contents(connection, championship)
    if found is None:
        raise TabuleiroError(Text("esse campeonato não existe", "there is no such championship"))
    write_new(path, *found)


def _to_server(backup: str, url: str) -> str:
    """Take a file in as a championship of the site; an organiser has it. Its id there."""
    with server_packages():
        from tabuleiro.server.championships.keeping import import_file
        from tabuleiro.server.store import opened

    championship, people = open_file(backup)
    with opened(url, writing=True) as connection:
        return import_file(connection, url, championship.events, people)


def compare(
    one: FileArgument,
    two: Annotated[
        str, typer.Argument(metavar="OTHER", show_default=False, help=both("O outro ficheiro.", "The other file."))
    ],
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship.events import compare as compare_events

    found = compare_events(open_file(one).championship.events, open_file(two).championship.events)
    if json:
        print_json(
            {
                "common": found.common,
                "only_first": [event._asdict() for event in found.only_first],
                "only_second": [event._asdict() for event in found.only_second],
            }
        )
        return
    print(tr(f"Iguais até ao acontecimento {found.common}.", f"The same up to event {found.common}."))
    for name, events in ((one, found.only_first), (two, found.only_second)):
        print(tr(f"{name}: mais {len(events)}", f"{name}: {len(events)} more"))
        for event in events[:20]:
            print(f"  {event.number:>6}  {event.kind} {event.data.get('group') or event.data.get('section') or ''}")
