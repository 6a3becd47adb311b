"""`tabuleiro people`: the people of the site, from the terminal of the machine that serves it."""

import json
import os
import time
from typing import Annotated

import typer

from tabuleiro.cli.arguments import file_path
from tabuleiro.cli.serve import DatabaseOption, DataOption, database_url, server_packages
from tabuleiro.cli.speech import both, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

HELP = both("As pessoas do sítio: entrar, exportar, apagar.", "The people of the site: let in, export, erase.")
LINK_HELP = both("Faz uma ligação com que um adulto entra uma vez.", "Make a link by which an adult signs in once.")
LIST_HELP = both("Mostra as pessoas e os seus números.", "List the people and their numbers.")
EXPORT_HELP = both("Escreve tudo o que se guarda de uma pessoa.", "Write everything that is kept about a person.")
ERASE_HELP = both("Apaga tudo o que se guarda de uma pessoa.", "Erase everything that is kept about a person.")

PersonArgument = Annotated[
    int,
    typer.Argument(
        metavar="N",
        min=1,
        max=2**31 - 1,
        help=both("O número da pessoa, como em `people list`.", "The number of the person, as in `people list`."),
        show_default=False,
    ),
]


def link(
    person: Annotated[
        int | None,
        typer.Argument(
            metavar="[N]",
            min=1,
            max=2**31 - 1,
            help=both("O número do adulto; sem isto, um organizador.", "The number of the adult; else an organiser."),
            show_default=False,
        ),
    ] = None,
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    with server_packages():
        from tabuleiro.server.people.office import link_for
        from tabuleiro.server.store import opened

    with opened(database_url(data, database), writing=True) as connection:
        token = link_for(connection, person, time.time())
    print(f"/entrar#l.{token}")


def list_all(data: DataOption = None, database: DatabaseOption = None) -> None:
    with server_packages():
        from tabuleiro.server.people.store import list_people
        from tabuleiro.server.store import opened

    with opened(database_url(data, database)) as connection:
        for person in list_people(connection):
            print(f"{person.guest}\t{person.name}\t{person.role}\t{person.class_name}")


def export(
    person: PersonArgument,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help=both("O ficheiro JSON.", "The JSON file."), show_default=False)
    ],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    with server_packages():
        from tabuleiro.server.people.store import everything_about
        from tabuleiro.server.store import opened

    with opened(database_url(data, database)) as connection:
        found = everything_about(connection, person)
    if found is None:
        raise _nobody(person)
    try:
        with os.fdopen(os.open(file_path(file), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as written:
            json.dump(found, written, ensure_ascii=False, indent=1)
    except OSError as error:
        raise TabuleiroError(
            Text(f"não é possível escrever {file}: {error.strerror}", f"cannot write {file}: {error.strerror}")
        ) from error


def erase(person: PersonArgument, data: DataOption = None, database: DatabaseOption = None) -> None:
    with server_packages():
        from tabuleiro.server.people.erasing import erase_in_copies, erase_person
        from tabuleiro.server.store import opened

    url = database_url(data, database)
    with opened(url, writing=True) as connection:
        if not erase_person(connection, url, person, time.time()):
            raise _nobody(person)
    erase_in_copies(url, time.time())  # a running server tries again what could not be done beside it
    print(tr("Tudo foi apagado.", "Everything is erased."))


def _nobody(person: int) -> TabuleiroError:
    return TabuleiroError(Text(f"não há nenhuma pessoa {person}", f"there is no person {person}"))
