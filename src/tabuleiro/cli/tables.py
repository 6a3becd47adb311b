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
from tabuleiro.cli.speech import both, complain, language, print_json, print_rich, tr
from tabuleiro.core import Options, Position, TabuleiroError
from tabuleiro.games.ouri import Ouri, OuriOptions
from tabuleiro.games.semaforo import SemaforoOptions
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro import _native
    from tabuleiro.solve.files import Table

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
    "Conta o que há nas tabelas de Ouri, por número de sementes.", "Count what is in the tables of Ouri, by seeds."
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

#: Seconds for a million positions on one core, as measured.
SEMAFORO_PACE, OURI_PACE = 0.025, 0.5


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
    from tabuleiro.solve import ouri, semaforo

    for board in ("3x3", "3x4", "3x5", "4x4"):
        table = semaforo.table_of(SemaforoOptions(board=board))
        if board in semaforo.AT_ONCE or table.path.exists():
            yield table, semaforo.build_command(SemaforoOptions(board=board))
    for options in (OuriOptions(), OuriOptions(feed_overrides_singles=True), OuriOptions(rules="oware")):
        for seeds in range(ouri.MOST_SEEDS + 1):
            table = ouri.table_of(options, seeds)
            if (options == OuriOptions() and seeds <= ouri.AT_ONCE) or table.path.exists():
                yield table, ouri.build_command(options, seeds)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB".replace(",", " ")


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
) -> None:
    options = _options(game, option)
    if isinstance(options, SemaforoOptions):
        if seeds is not None:
            raise TabuleiroError(Text("--seeds é só para o Ouri", "--seeds is for Ouri alone"))
        _build_semaforo(options)
    else:
        _build_ouri(options, 12 if seeds is None else seeds, threads)


def _build_semaforo(options: SemaforoOptions) -> None:
    from tabuleiro.solve import files, semaforo

    table = semaforo.table_of(options)
    state = files.state(table)
    if state is files.State.GOOD:
        print(tr(f"{table.path}: já está boa", f"{table.path}: already good"))
        return
    if state is files.State.DAMAGED:
        complain(_again(table))
    _announce(table.size, table.size, SEMAFORO_PACE * table.size / 1e6)
    began = time.monotonic()
    _make_semaforo(options, table)
    start = solved_start(options)
    print(f"{table.path}: {time.monotonic() - began:.1f} s; {start}")


def _make_semaforo(options: SemaforoOptions, table: "Table", until: float | None = None) -> "memoryview[int]":
    from tabuleiro.solve import semaforo

    with _showing(until) as show:
        return _keep(table, lambda: semaforo.build(options, lambda part, _: show(options.board, part)))


def solved_start(options: SemaforoOptions) -> str:
    from tabuleiro.games.semaforo import Semaforo
    from tabuleiro.solve import solver_for

    position = Semaforo.start(options)
    score = solver_for(position).solve(position).score
    assert score is not None and score.plies is not None
    number = 1 if score.chance == 1 else 2
    return tr(
        f"{options.board}: ganha o jogador {number}, em {score.plies} jogadas",
        f"{options.board}: player {number} wins, in {score.plies} plies",
    )


def _build_ouri(options: OuriOptions, seeds: int, threads: int) -> None:
    from tabuleiro.solve import files, ouri

    ouri.require_tables(options)
    endings = ouri.empty_endings(options)
    tables = [ouri.table_of(options, number) for number in range(seeds + 1)]
    states = [files.state(table) for table in tables]
    # Those that are there may be damaged: then they are made again.
    missing = [table for table, state in zip(tables, states, strict=True) if state is not files.State.GOOD]
    for table, state in zip(tables, states, strict=True):
        if state is files.State.DAMAGED:
            complain(_again(table))
    if missing:
        total = sum(table.size for table in missing)
        _announce(max(table.size for table in missing) * 2, total, OURI_PACE * total / 2e6 / threads)
    for number, table in enumerate(tables):
        began = time.monotonic()
        endings.add(_make_level(endings, table, threads))
        if table in missing:
            positions = f"{table.size // 2:,}".replace(",", " ")
            took = f"{time.monotonic() - began:.1f} s"
            print(
                tr(
                    f"sementes: {number}; posições: {positions}; {took}",
                    f"seeds: {number}; positions: {positions}; {took}",
                ),
                flush=True,
            )
    print(tr(f"{files.folder()}: tudo feito", f"{files.folder()}: all done"))


def _make_level(
    endings: "_native.OuriEndings", table: "Table", threads: int, until: float | None = None
) -> "memoryview[int]":
    """The table after those that are known, made unless it is good."""
    from tabuleiro.solve import ouri

    name = tr(f"sementes: {endings.levels}", f"seeds: {endings.levels}")
    with _showing(until) as show:
        return _keep(table, lambda: ouri.build_level(endings, threads, lambda part, _: show(name, part)))


def _again(table: "Table") -> Text:
    return Text(
        f"a tabela {table.path} estava danificada e é feita de novo",
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
                f"não há memória para a tabela {table.name}: precisa de {_megabytes(table.size)}",
                f"there is not enough memory for the table {table.name}: it needs {_megabytes(table.size)}",
            )
        ) from error
    except OSError as error:
        raise files.cannot_keep(table, error) from error


class _TimeUpError(Exception):
    """Making a table takes longer than there is time."""


@contextmanager
def _showing(until: float | None = None) -> Iterator[Callable[[str, float | None], None]]:
    """A progress bar for whoever waits at a terminal; it may end the work at some time of `time.monotonic`."""

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
    options = position.options
    try:
        if isinstance(options, SemaforoOptions):
            _open_semaforo(options, until)
        elif isinstance(position, Ouri) and isinstance(options, OuriOptions):
            _mend_ouri(options, sum(position.houses), until)
    except _TimeUpError:
        pass
    except TabuleiroError as error:
        complain(error)


def _mend_ouri(options: OuriOptions, seeds: int, until: float | None) -> None:
    from tabuleiro.solve import files, ouri

    tables = [ouri.table_of(options, number) for number in range(min(seeds, ouri.MOST_SEEDS) + 1)]
    if ouri.has_tables(options) and any(files.state(table) is files.State.DAMAGED for table in tables):
        _open_levels(options, tables, until)


def _open_semaforo(options: SemaforoOptions, until: float | None = None) -> "memoryview[int] | None":
    """The table of a board, made again if it is damaged; None where it is missing and takes long to make."""
    from tabuleiro.solve import files, semaforo

    table = semaforo.table_of(options)
    state, content = files.look(table)
    if state is files.State.DAMAGED:
        complain(_again(table))
    if state is files.State.DAMAGED or (content is None and options.board in semaforo.AT_ONCE):
        content = _make_semaforo(options, table, until)
    return content


def _open_levels(
    options: OuriOptions, tables: "list[Table]", until: float | None = None
) -> "tuple[_native.OuriEndings, Table | None]":
    """The tables up to the first that is missing and takes long to make, and that one; damaged ones are made again."""
    from tabuleiro.solve import files, ouri

    endings = ouri.empty_endings(options)
    for table in tables:
        state, content = files.look(table)
        if state is files.State.DAMAGED:
            complain(_again(table))
        if state is files.State.DAMAGED or (content is None and endings.levels <= ouri.AT_ONCE):
            content = _make_level(endings, table, 1, until)
        if content is None:
            return endings, table
        endings.add(content)
    return endings, None


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
        int, typer.Option(metavar="N", help=both("Semente do acaso (1).", "Seed of the random choices (1)."))
    ] = 1,
    json: JsonOption = False,
) -> None:
    from tabuleiro.solve import semaforo, verify

    options = _options(game, option)
    chance = random.Random(seed)
    if isinstance(options, SemaforoOptions):
        if (distances := _open_semaforo(options)) is None:
            raise _missing(semaforo.table_of(options), semaforo.build_command(options))
        checks = verify.semaforo(options, distances, positions, chance)
    else:
        checks = verify.ouri(options, _open_ouri(options, seeds), positions, chance)
    done = []
    for checked in checks:
        done.append({"check": checked.what.en, "positions": checked.positions})
        if not json:
            print(tr(f"{checked.what.pt}: {checked.positions}", f"{checked.what.en}: {checked.positions}"), flush=True)
    if json:
        print_json({"agree": True, "checks": done})
    else:
        print(tr("tudo certo", "all agree"))


def _open_ouri(options: OuriOptions, seeds: int | None) -> "_native.OuriEndings":
    """The tables there are, up to so many seeds; all of those asked for must be there."""
    from tabuleiro.solve import ouri

    ouri.require_tables(options)
    most = ouri.MOST_SEEDS if seeds is None else seeds
    endings, missing = _open_levels(options, [ouri.table_of(options, number) for number in range(most + 1)])
    if missing is not None and seeds is not None:
        raise _missing(missing, ouri.build_command(options, most))
    return endings


def _missing(table: "Table", command: str) -> TabuleiroError:
    return TabuleiroError(
        Text(
            f"falta a tabela {table.path}: faz-se com «{command}»",
            f"the table {table.path} is missing: make it with “{command}”",
        )
    )


# ---------------------------------------------------------------------------------------------------------- statistics


def statistics(option: OptionOption = None, seeds: SeedsOption = None) -> None:
    """A Markdown table."""
    options = _options("ouri", option)
    assert isinstance(options, OuriOptions)
    endings = _open_ouri(options, seeds)
    titles = (
        tr("sementes", "seeds"),
        tr("posições", "positions"),
        tr("ganha", "gains"),
        tr("fica igual", "neither"),
        tr("perde", "loses"),
        tr("ganho médio", "mean gain"),
        tr("leva tudo", "takes all"),
        tr("mais longa", "longest"),
    )
    print("| " + " | ".join(titles) + " |")
    print("|---:" * len(titles) + "|")
    for number in range(1, endings.levels):
        counts, longest = endings.statistics(number)
        total = sum(counts)
        mean = sum(count * (place - number) for place, count in enumerate(counts)) / total
        shares = (sum(counts[number + 1 :]), counts[number], sum(counts[:number]))
        cells = [str(number), f"{total:,}".replace(",", " ")]
        cells += [f"{100 * share / total:.1f} %" for share in shares]
        cells += [f"{mean:+.2f}", f"{100 * counts[-1] / total:.2f} %", str(longest)]
        print("| " + " | ".join(cells) + " |")


def _options(game: str, pairs: list[str] | None) -> SemaforoOptions | OuriOptions:
    kind = find_game(game)
    options: Options = read_options(kind, pairs)
    if not isinstance(options, SemaforoOptions | OuriOptions):
        raise TabuleiroError(
            Text(
                f"não há tabelas de {kind.name.pt}; há de semaforo e de ouri",
                f"there are no tables of {kind.name.en}; there are of semaforo and ouri",
            )
        )
    return options
