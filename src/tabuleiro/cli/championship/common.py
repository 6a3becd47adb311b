"""What the commands of a championship share: their arguments, and how persons and sentences are shown."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.arguments import file_path
from tabuleiro.cli.speech import both, language, tr
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.championship import Championship
    from tabuleiro.championship.file import Contents, Writer
    from tabuleiro.championship.people import People

FileArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE", show_default=False, help=both("O ficheiro do campeonato.", "The file of the championship.")
    ),
]
GroupsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GROUP",
        show_default=False,
        help=both(
            "Grupos ou secções, como ouri-2/1/3 ou ouri-2; sem isto, todos.",
            "Groups or sections, as ouri-2/1/3 or ouri-2; all if not given.",
        ),
    ),
]
GroupArgument = Annotated[
    str,
    typer.Argument(
        metavar="GROUP", show_default=False, help=both("O grupo, como ouri-2/1/3.", "The group, as ouri-2/1/3.")
    ),
]
PersonsArgument = Annotated[
    list[int],
    typer.Argument(
        metavar="PERSON", show_default=False, help=both("Números dos alunos.", "The numbers of the pupils.")
    ),
]
ReasonOption = Annotated[
    str, typer.Option("--reason", metavar="TEXT", show_default=False, help=both("O motivo.", "The reason."))
]
WhoOption = Annotated[
    int,
    typer.Option(
        "--who",
        metavar="PERSON",
        min=0,
        help=both("Quem o faz, para o registo (0, o organizador).", "Who does it, for the log (0, the organiser)."),
    ),
]


def now() -> float:
    return time.time()


def open_file(file: str) -> "Contents":
    from tabuleiro.championship.file import read

    return read(file_path(file))


def path_of(file: str) -> Path:
    return file_path(file)


def said(text: Text) -> str:
    return text.to(language())


def person_name(people: "People", person: int) -> str:
    """A number and a name: the number is what the commands take."""
    from tabuleiro.championship.report import name_of

    return f"{person} {name_of(people, person, language())}"


def chosen_groups(championship: "Championship", names: list[str] | None) -> list[str]:
    """The groups that names mean: a group itself, or a section's groups of its present stage; all without names."""
    state = championship.state
    found: list[str] = []
    for name in names or list(state.sections):
        if name in state.groups:
            found.append(name)
        elif name in state.sections:
            stages = state.sections[name].stages
            found += [group.id for group in stages[-1].groups] if stages else []
        else:
            known = ", ".join(state.sections)
            given = shorten(name)
            raise TabuleiroError(
                Text(
                    f"não há nenhum grupo nem secção «{given}»; há: {known}",
                    f"there is no group or section “{given}”; there are: {known}",
                )
            )
    return found


def find_sections(championship: "Championship", person: int) -> list[str]:
    """The sections where a pupil is registered."""
    found = [name for name, section in championship.state.sections.items() if person in section.entries]
    if not found:
        raise TabuleiroError(Text(f"não há nenhum aluno {person}", f"there is no pupil {person}"))
    return found


def marked(championship: "Championship") -> str:
    """The name of the championship; a rehearsal says that it is one."""
    name = said(championship.state.rules.name)
    return f"{name} [{tr('ENSAIO', 'REHEARSAL')}]" if championship.state.rehearsal else name


def show_open(writer: "Writer", persons: list[int]) -> None:
    """Say which tables wait for somebody who is not there."""
    from tabuleiro.championship.rounds import open_pairings

    for _, stage, group in writer.championship.state.groups.values():
        for number, pairing in open_pairings(group, stage.plan):
            if set(pairing.persons) & set(persons):
                print(
                    tr(
                        f"{group.id}, jornada {number}, mesa {pairing.table}: falta alguém; "
                        "regista a falta de comparência (1-0f, 0-1f) ou usa «pair --again»",
                        f"{group.id}, round {number}, table {pairing.table}: somebody is missing; "
                        "enter a forfeit (1-0f, 0-1f) or use “pair --again”",
                    )
                )
