"""`tabuleiro tables`: the tables of solved positions, which are kept on the disk."""

import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabuleiro.cli.arguments import GameArgument, JsonOption, OptionOption, find_game, read_options
from tabuleiro.cli.crews import ProcessesOption, RayOption, crew_of
from tabuleiro.cli.speech import both, complain, figure, language, print_json, print_rich, tr
from tabuleiro.core import Position, TabuleiroError
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.crew import Crew
    from tabuleiro.solve.files import Table
    from tabuleiro.solve.tables import GameTables

HELP = both(
    "As tabelas de posições resolvidas: quais há, fazê-las, verificá-las.",
    "The tables of solved positions: which there are, making them, checking them.",
)
LIST_HELP = both("Mostra as tabelas, e se estão boas.", "List the tables, and whether they are good.")
BUILD_HELP = both(
    "Faz as tabelas de um jogo. Diz antes quanto precisa; pode interromper-se, e o que está feito fica feito.",
    "Make the tables of a game. Says first what it needs; may be interrupted, and what is done stays done.",
)
VERIFY_HELP = both(
    "Verifica tabelas com as regras em Python, jogando posições até ao fim.",
    "Check tables by the Python rules, playing positions out.",
)
STATISTICS_HELP = both(
    "Conta o que há nas tabelas de um jogo (Ouri, por número de sementes).",
    "Count what is in the tables of a game (Ouri, by seeds).",
)

SeedsOption = Annotated[
    int | None,
    typer.Option(
        "--seeds",
        metavar="N",
        min=0,
        max=24,
        help=both("Ouri: até quantas sementes no tabuleiro (12).", "Ouri: up to how many seeds on the board (12)."),
    ),
]

# ---------------------------------------------------------------------------------------------------------------- list


def list_(json: JsonOption = False) -> None:
    from tabuleiro.solve import files

    rows = []
    for table, command in _known_tables():
        rows.append((table, files.state(table)))
        if rows[-1][1] is files.State.DAMAGED:
            complain(files.damaged(table, command))
    if json:
        print_json(
            {
                "folder": str(files.folder()),
                "tables": [
                    {"game": table.game, "table": table.name, "bytes": table.size, "state": state.name.lower()}
                    for table, state in rows
                ],
            }
        )
        return
    from rich.table import Table as Sheet

    sheet = Sheet(box=None, pad_edge=False)
    for title in (tr("jogo", "game"), tr("tabela", "table"), tr("tamanho", "size"), tr("estado", "state")):
        sheet.add_column(title)
    for table, state in rows:
        sheet.add_row(table.game, table.name, _megabytes(table.size), state.value.to(language()))
    print(files.folder())
    print_rich(sheet)


def _known_tables() -> "Iterator[tuple[Table, str]]":
    """Those that are made when needed, and whichever others there are; and the commands that make them."""
    from tabuleiro.solve.registry import TABLES

    for kind in TABLES.values():
        for tables in kind.offered():
            for number in range(tables.most):
                table = tables.table(number)
                if number < tables.listed or table.path.exists():
                    yield table, tables.command(number)


def _megabytes(size: int) -> str:
    return figure(size / 1e6, 1, "MB")


# --------------------------------------------------------------------------------------------------------------- build


def build(
    game: GameArgument,
    option: OptionOption = None,
    seeds: SeedsOption = None,
    threads: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=512, help=both("Ouri: fios de execução (2).", "Ouri: threads of execution (2).")
        ),
    ] = 2,
    processes: ProcessesOption = None,
    ray: RayOption = None,
) -> None:
    from tabuleiro.solve import files

    tables = _tables(game, option)
    crew = crew_of(processes, ray)
    wanted = [tables.table(number) for number in range(_count(tables, seeds) or tables.usual)]
    states = [files.state(table) for table in wanted]
    # Those that are there may be damaged: then they are made again.
    missing = [table for table, state in zip(wanted, states, strict=True) if state is not files.State.GOOD]
    for table, state in zip(wanted, states, strict=True):
        if state is files.State.DAMAGED:
            complain(_again(table))
    if missing:
        total = sum(table.size for table in missing)
        cores = threads if tables.parallel else 1
        _announce(max(table.size for table in missing) * tables.memory, total, tables.pace * total / 1e6 / cores)
    for number, table in enumerate(wanted):
        began = time.monotonic()
        _make_next(tables, threads, crew=crew)
        if table in missing:
            positions = figure(table.size // tables.width)
            label, took = tables.label(number), figure(time.monotonic() - began, 1, "s")
            print(
                tr(f"{label.pt}; posições: {positions}; {took}", f"{label.en}; positions: {positions}; {took}"),
                flush=True,
            )
    if (summary := tables.summary()) is not None:
        print(summary.to(language()))
    print(tr(f"{files.folder()}: tudo feito", f"{files.folder()}: all done"))


def _count(tables: "GameTables", seeds: int | None) -> int | None:
    """How many tables are asked for; None where nobody says."""
    if seeds is not None and tables.most == 1:
        raise TabuleiroError(Text("--seeds é só para o Ouri", "--seeds is for Ouri alone"))
    return None if seeds is None else seeds + 1


def _make_next(tables: "GameTables", threads: int = 1, until: float | None = None, crew: "Crew | None" = None) -> None:
    """Add the table after those that were added, made unless it is good."""
    from tabuleiro.crew import Here

    crew = crew or Here()
    label = tables.label(tables.added)
    with _showing(until) as show:
        tables.add(
            _keep(
                tables.table(tables.added),
                lambda: tables.build_by(crew, threads, lambda part, _: show(label.to(language()), part)),
            )
        )


def _again(table: "Table") -> Text:
    return Text(
        f"a tabela {table.path} estava danificada e vai ser refeita",
        f"the table {table.path} was damaged and is made again",
    )


def _announce(memory: int, disk: int, seconds: float) -> None:
    """Say what is needed before it is taken, and refuse what cannot be had."""
    from tabuleiro.solve import files

    minutes = max(round(seconds / 60), 1)
    print(
        tr(
            f"Memória {_megabytes(memory)}, disco {_megabytes(disk)}, cerca de {minutes} min.",
            f"Memory {_megabytes(memory)}, disk {_megabytes(disk)}, about {minutes} min.",
        ),
        flush=True,
    )
    place = files.folder()
    while not place.exists():
        place = place.parent
    if (free := shutil.disk_usage(place).free) < disk:
        raise TabuleiroError(
            Text(
                f"em {place} só há {_megabytes(free)} livres; arranja espaço ou escolhe outra pasta com "
                "TABULEIRO_CACHE",
                f"only {_megabytes(free)} are free in {place}; make room or choose another folder with TABULEIRO_CACHE",
            )
        )


def _keep(table: "Table", build: Callable[[], Any]) -> "memoryview[int]":
    from tabuleiro.solve import files

    try:
        return files.make(table, build)
    except MemoryError as error:
        raise TabuleiroError(
            Text(
                f"não há memória suficiente para a tabela {table.name}: precisa de {_megabytes(table.size)}",
                f"there is not enough memory for the table {table.name}: it needs {_megabytes(table.size)}",
            )
        ) from error
    except OSError as error:
        raise files.cannot_keep(table, error) from error


class _TimeUpError(Exception):
    """Making a table takes longer than there is time."""


@contextmanager
def _showing(until: float | None = None) -> Iterator[Callable[[str, float | None], None]]:
    """A progress bar for a person who waits at a terminal; it may end the work at some time of `time.monotonic`."""

    def check() -> None:
        if until is not None and time.monotonic() > until:
            raise _TimeUpError

    if not sys.stderr.isatty():
        yield lambda name, part: check()
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)

        def show(name: str, part: float | None) -> None:
            bar.update(task, description=name, completed=part or 0.0)
            check()

        yield show


# ---------------------------------------------------------------------------------------------------------------- mend


def mend(position: Position, until: float | None) -> None:
    """Before a position is solved, make those tables again that it needs and that are damaged, if there is time. Where
    that cannot be done, the solver does without them."""
    from tabuleiro.solve import files
    from tabuleiro.solve.base import SolveError
    from tabuleiro.solve.registry import TABLES

    if position.id not in TABLES:
        return
    try:
        tables = TABLES[position.id](position.options)
    except SolveError:  # no tables under these options
        return
    needed = tables.needed(position)
    if not any(files.state(tables.table(number)) is files.State.DAMAGED for number in range(needed)):
        return
    try:
        _open(tables, needed, until)
    except _TimeUpError:
        pass
    except TabuleiroError as error:
        complain(error)


def _open(tables: "GameTables", most: int, until: float | None = None) -> "Table | None":
    """Add the tables up to the first that is missing and takes long to make, and say which; damaged ones are made
    again."""
    from tabuleiro.solve import files

    for number in range(most):
        table = tables.table(number)
        state, content = files.look(table)
        if state is files.State.DAMAGED:
            complain(_again(table))
        if content is not None:
            tables.add(content)
        elif state is files.State.DAMAGED or number < tables.at_once:
            _make_next(tables, until=until)
        else:
            return table
    return None


# -------------------------------------------------------------------------------------------------------------- verify


def verify(
    game: GameArgument,
    option: OptionOption = None,
    seeds: SeedsOption = None,
    positions: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=10_000_000,
            help=both("Quantas posições ao acaso (200).", "How many random positions (200)."),
        ),
    ] = 200,
    seed: Annotated[
        int, typer.Option(metavar="N", help=both("Número do sorteio (1).", "Seed of the random choices (1)."))
    ] = 1,
    json: JsonOption = False,
) -> None:
    tables = _tables(game, option)
    _open_all(tables, _count(tables, seeds))
    checks = tables.verify(positions, random.Random(seed))
    done = []
    for checked in checks:
        done.append({"check": checked.what.en, "positions": checked.positions})
        if not json:
            print(tr(f"{checked.what.pt}: {checked.positions}", f"{checked.what.en}: {checked.positions}"), flush=True)
    if json:
        print_json({"agree": True, "checks": done})
    else:
        print(tr("tudo certo", "all agree"))


def _open_all(tables: "GameTables", count: int | None) -> None:
    """Add the tables there are, at least one; where a number is asked for, all of those must be there."""
    missing = _open(tables, count or tables.most)
    if missing is not None and (count is not None or tables.added == 0):
        raise _missing(missing, tables.command((count or 1) - 1))


def _missing(table: "Table", command: str) -> TabuleiroError:
    return TabuleiroError(
        Text(
            f"falta a tabela {table.path}: faz-se com «{command}»",
            f"the table {table.path} is missing: make it with “{command}”",
        )
    )


# ---------------------------------------------------------------------------------------------------------- statistics


def statistics(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help=both("O jogo (ouri).", "The game (ouri)."))] = "ouri",
    option: OptionOption = None,
    seeds: SeedsOption = None,
) -> None:
    """A Markdown table."""
    tables = _tables(game, option)
    _open_all(tables, _count(tables, seeds))
    if (counted := tables.statistics()) is None:
        raise TabuleiroError(
            Text(f"nas tabelas de {game} não se conta nada", f"nothing is counted in the tables of {game}")
        )
    print("| " + " | ".join(title.to(language()) for title in counted.titles) + " |")
    print("|---:" * len(counted.titles) + "|")
    for row in counted.rows:
        print("| " + " | ".join(cell.to(language()) for cell in row) + " |")


def _tables(game: str, pairs: list[str] | None) -> "GameTables":
    """The tables of a game under some options, none of them opened yet."""
    from tabuleiro.solve.registry import TABLES

    kind = find_game(game)
    options = read_options(kind, pairs)
    if kind.id not in TABLES:
        first, last = ", ".join([*TABLES][:-1]), [*TABLES][-1]
        raise TabuleiroError(
            Text(
                f"não há tabelas de {kind.name.pt}; há de {first} e de {last}",
                f"there are no tables of {kind.name.en}; there are of {first} and {last}",
            )
        )
    return TABLES[kind.id](options)
