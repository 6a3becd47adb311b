"""`tabuleiro solve`: what perfect play leads to."""

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from tabuleiro.cli.analyse import describe
from tabuleiro.cli.arguments import (
    JsonOption,
    OptionOption,
    PlayOption,
    PositionOption,
    complete_game,
    file_path,
    find_game,
    read_line,
)
from tabuleiro.cli.frame import UsageError
from tabuleiro.cli.speech import both, print_json, print_rich, tr
from tabuleiro.core import Position, TabuleiroError, shorten
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro._native import StopFlag
    from tabuleiro.solve import Progress, Solution

HELP = both(
    "Diz a que leva o jogo perfeito numa posição; «solve verify JOGO» confere a prova guardada.",
    "Say what perfect play leads to in a position; “solve verify GAME” checks the stored proof.",
)

VERIFY = "verify"
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

T = TypeVar("T")


def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=both("O jogo, como em «tabuleiro games».", "The game, as in “tabuleiro games”."),
            autocompletion=complete_game,
            show_default=False,
        ),
    ],
    proof: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help=both("Depois de «verify»: o jogo da prova.", "After “verify”: the game of the proof."),
            show_default=False,
        ),
    ] = None,
    position: PositionOption = None,
    play: PlayOption = "",
    option: OptionOption = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="S",
            min=0.001,
            max=1e7,
            help=both("Segundos, no máximo; sem isto, até saber.", "Seconds, at most; else until it is known."),
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=both(
                "Um cálculo de horas, guardado neste ficheiro e retomado dele.",
                "A run of hours, kept in this file and resumed from it.",
            ),
        ),
    ] = None,
    memory: Annotated[
        str, typer.Option(metavar="12G", help=both("A memória desse cálculo.", "The memory of that run."))
    ] = "4G",
    json: JsonOption = False,
) -> None:
    if game == VERIFY:
        _verify(proof, json=json)
        return
    if proof is not None:
        raise UsageError(
            Text("há argumentos a mais; ver tabuleiro solve --help", "too many arguments; see tabuleiro solve --help")
        )

    from tabuleiro.search import Limit
    from tabuleiro.solve import solver_for

    line = read_line(game, option, position, play)
    solver = solver_for(line)
    if resume is None:
        limit = Limit(seconds)
        solution = _watched(lambda stop, progress: solver.solve(line, limit, stop=stop, progress=progress))
    else:
        if seconds is not None:
            raise UsageError(Text("--time e --resume não vão juntos", "--time and --resume do not go together"))
        file, size = file_path(resume), _bytes(memory)
        solution = _watched(lambda stop, progress: solver.resume(file, size, line.last, stop, progress))
    if json:
        print_json(_values(line.position, solution))
    else:
        _show(line.position, solution)
    if not solution.exact:
        raise typer.Exit(1)


def _verify(name: str | None, *, json: bool) -> None:
    from tabuleiro.solve.registry import PROOFS

    known = ", ".join(PROOFS)
    if name is None:
        raise UsageError(Text(f"diz o jogo da prova; há: {known}", f"name the game of the proof; there are: {known}"))
    game = find_game(name)
    if game.id not in PROOFS:
        raise TabuleiroError(
            Text(
                f"não há prova guardada de {game.id}; há: {known}",
                f"no proof of {game.id} is stored; there are: {known}",
            )
        )
    positions = _watched(lambda _, progress: PROOFS[game.id](progress))
    if json:
        print_json({"game": game.id, "positions": positions, "verified": True})
    else:
        print(
            tr(
                f"A prova de {game.name.pt} está certa: {positions:,} posições repetidas pelas regras.",
                f"The proof of {game.name.en} holds: {positions:,} positions replayed by the rules.",
            )
        )


def _bytes(text: str) -> int:
    """A size of memory such as 512M or 12G."""
    match = re.fullmatch(r"(\d{1,12})([KMG]?)", text.upper())
    if match is None or (size := int(match[1]) * UNITS[match[2]]) < 1 << 20:
        given = shorten(text)
        raise UsageError(
            Text(f"«{given}» não é uma memória como 512M ou 12G", f"“{given}” is not a memory such as 512M or 12G")
        )
    return size


def _watched(work: "Callable[[StopFlag, Progress], T]") -> T:
    """The result of work in a thread of its own: a bar shows how far it is, and Ctrl-C stops it."""
    from tabuleiro._native import StopFlag

    stop = StopFlag()
    result: list[T] = []
    trouble: list[BaseException] = []
    # Not the end of the thread: an interrupted `join` takes a running thread for ended.
    done = threading.Event()
    with _bar() as progress:

        def run() -> None:
            try:
                result.append(work(stop, progress))
            except BaseException as error:
                trouble.append(error)
            finally:
                done.set()

        threading.Thread(target=run, daemon=True).start()
        try:
            while not done.wait(0.1):
                pass
        except KeyboardInterrupt:
            stop.set()
            done.wait()
    if trouble:
        raise trouble[0]
    return result[0]


@contextmanager
def _bar() -> "Iterator[Progress]":
    if not sys.stderr.isatty():
        yield lambda part, nodes: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[seen]}"), TimeElapsedColumn()
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(tr("a resolver", "solving"), total=None, seen="")

        def tell(part: float | None, nodes: int) -> None:
            seen = tr(f"{nodes:,} posições", f"{nodes:,} positions")
            bars.update(task, total=None if part is None else 1.0, completed=part or 0.0, seen=seen)

        yield tell


def _values(position: Position, solution: "Solution") -> dict[str, Any]:
    def word(score: Any) -> str | None:
        return None if score is None else score.worth.name.lower()

    names = {move: position.move_str(move) for move in position.legal_moves()}
    scores = {name: solution.moves.get(move) for move, name in names.items()}
    return {
        "value": word(solution.score),
        "distance": None if solution.score is None else solution.score.plies,
        "moves": {name: word(score) for name, score in scores.items()},
        "distances": {name: None if score is None else score.plies for name, score in scores.items()},
        "exact": solution.exact,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 3),
    }


def _show(position: Position, solution: "Solution") -> None:
    from rich.table import Table

    unknown = tr("não se sabe", "not known")
    value = unknown if solution.score is None else describe(solution.score)
    value = tr(f"Quem joga: {value}", f"The player to move: {value}")
    table = Table()
    table.add_column(tr("jogada", "move"))
    table.add_column(tr("valor", "value"))
    known = [(score, move) for move, score in solution.moves.items() if score is not None]
    known.sort(key=lambda pair: pair[0], reverse=True)
    for score, move in known:
        table.add_row(position.move_str(move), describe(score))
    open_moves = [position.move_str(move) for move in position.legal_moves() if solution.moves.get(move) is None]
    if open_moves:
        table.add_row(" ".join(open_moves), unknown)
    print(value)
    print_rich(table)
    print(
        tr(
            f"{solution.nodes:,} posições, {solution.seconds:.1f} s",
            f"{solution.nodes:,} positions, {solution.seconds:.1f} s",
        )
    )
