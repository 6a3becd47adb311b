"""Who does the work of a command: `--processes` and `--ray`."""

from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.speech import both, complain, tr
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.crew import Crew

ProcessesOption = Annotated[
    int | None,
    typer.Option(
        "--processes",
        metavar="N",
        min=1,
        max=4096,
        help=both(
            "Processos que trabalham ao mesmo tempo (1 se nada disseres).",
            "Processes that work at the same time (1 if not given).",
        ),
    ),
]
RayOption = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help=both(
            "Trabalha num grupo de máquinas Ray: auto, local ou máquina:porta; com --processes, em N lugares dele.",
            "Work on a Ray cluster: auto, local or host:port; with --processes, at N places of it.",
        ),
    ),
]


def crew_of(processes: int | None, ray: str | None) -> "Crew":
    """The crew that is asked for; when one of its workers is lost, that is said."""
    from tabuleiro.crew import gather

    crew = gather(processes, ray)
    crew.when_lost = lambda place: complain(
        Text(
            f"perdeu-se o trabalhador {place}; outro refaz o que ele fazia",
            f"worker {place} is lost; another does anew what it was at",
        )
    )
    return crew


def crew_line(crew: "Crew") -> str:
    """How far a crew is, for a person who watches."""
    return tr(
        f"trabalhadores: {crew.size}; tarefas feitas: {crew.done}, refeitas: {crew.again}",
        f"workers: {crew.size}; units done: {crew.done}, done anew: {crew.again}",
    )
