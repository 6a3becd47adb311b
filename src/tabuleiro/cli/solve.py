"""`tabuleiro solve`: what perfect play leads to."""

import re
import signal
import sys
import threading
import time
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
from tabuleiro.cli.crews import ProcessesOption, RayOption, crew_of
from tabuleiro.cli.frame import UsageError
from tabuleiro.cli.speech import both, complain, figure, language, print_json, print_rich, tr
from tabuleiro.cli.tables import mend
from tabuleiro.core import Position, TabuleiroError, shorten
from tabuleiro.language import Text, plural

if TYPE_CHECKING:
    from tabuleiro._native import StopFlag
    from tabuleiro.record import Game
    from tabuleiro.solve import Progress, Solution, Solver

HELP = both(
    "Diz a que leva o jogo perfeito numa posição; «solve verify JOGO» confere a prova guardada.",
    "Say what perfect play leads to in a position; “solve verify GAME” checks the stored proof.",
)

VERIFY = "verify"
#: Seconds without an answer after which it is said what to expect; seconds between two lines of a log about how far
#: the work is.
PATIENCE, BETWEEN_LINES = 10.0, 600.0
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
            help=both("Depois de «verify»: o jogo cuja prova se confirma.", "After “verify”: the game of the proof."),
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
    processes: ProcessesOption = None,
    ray: RayOption = None,
    json: JsonOption = False,
) -> None:
    if game == VERIFY:
        _verify(proof, json=json)
        return
    if proof is not None:
        raise UsageError(
            Text("há argumentos a mais; ver tabuleiro solve --help", "too many arguments; see tabuleiro solve --help")
        )
    with _asked_wrongly():
        line = read_line(game, option, position, play)
        if resume is not None:
            solution = _resume(line, seconds, resume, memory)
        elif processes is not None or ray is not None:
            solution = _solve_apart(line, seconds, processes, ray)
        else:
            solution = _solve(line, seconds)
    if json:
        print_json(_values(line.position, solution))
    else:
        _show(line.position, solution)
    if not solution.exact:
        raise typer.Exit(1)


@contextmanager
def _asked_wrongly() -> Iterator[None]:
    """Here 1 is the exit code of what is not known; whatever is wrong with the question has that of usage errors."""
    try:
        yield
    except TabuleiroError as error:
        raise UsageError(error.text) from error


def _solve(line: "Game", seconds: float | None) -> "Solution":
    from tabuleiro.search import Limit
    from tabuleiro.solve import solver_for

    solver = solver_for(line)
    begin = time.monotonic()
    mend(line.position, None if seconds is None else begin + seconds)
    limit = Limit(None if seconds is None else max(seconds - (time.monotonic() - begin), 0.001))
    return _watched(
        lambda stop, progress: solver.solve(line, limit, stop=stop, progress=progress), _no_answer_yet(solver)
    )


def _solve_apart(line: "Game", seconds: float | None, processes: int | None, ray: str | None) -> "Solution":
    """Every move by another worker."""
    from tabuleiro.record import Line
    from tabuleiro.solve.apart import solve_apart

    with _bar() as progress:
        return solve_apart(Line.of(line), crew_of(processes, ray), seconds, progress)


def _resume(line: "Game", seconds: float | None, name: str, memory: str) -> "Solution":
    from tabuleiro.solve import solver_for

    if seconds is not None:
        raise UsageError(Text("--time e --resume não vão juntos", "--time and --resume do not go together"))
    solver, file, size = solver_for(line), file_path(name), _bytes(memory)
    needs = Text(
        f"até {_mebibytes(size)} de memória; o trabalho fica em {file}, e Ctrl-C guarda-o e acaba",
        f"up to {_mebibytes(size)} of memory; the work is kept in {file}, and Ctrl-C saves it and ends",
    )

    def work(stop: "StopFlag", progress: "Progress") -> "Solution":
        said = False

        def tell(part: float | None, nodes: int) -> None:
            nonlocal said
            if not said:  # now that it has begun
                complain(needs)
                said = True
            progress(part, nodes)

        return solver.resume(file, size, line.last, stop, tell)

    return _watched(work)


def _has_long_run(solver: "Solver") -> bool:
    from tabuleiro.solve import Solver

    return type(solver).resume is not Solver.resume


def _verify(name: str | None, *, json: bool) -> None:
    from tabuleiro.solve.registry import PROOFS

    known = ", ".join(PROOFS)
    if name is None:
        raise UsageError(Text(f"indica o jogo; há: {known}", f"name the game of the proof; there are: {known}"))
    with _asked_wrongly():
        game = find_game(name)
    if game.id not in PROOFS:
        raise UsageError(
            Text(
                f"não há prova guardada de {game.id}; há: {known}",
                f"no proof of {game.id} is stored; there are: {known}",
            )
        )
    proof = _watched(lambda _, progress: PROOFS[game.id](progress))
    if json:
        print_json({"game": game.id, "positions": proof.steps, "answers": proof.answers, "verified": True})
    else:
        steps, answers = figure(proof.steps), figure(proof.answers)
        print(
            tr(
                f"A prova de {game.name.pt} está certa: {steps} posições e {answers} respostas repetidas pelas regras.",
                f"The proof of {game.name.en} holds: {steps} positions and {answers} answers replayed by the rules.",
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


def _mebibytes(size: int) -> str:
    return figure(size / 2**20, unit="MiB")


def _no_answer_yet(solver: "Solver") -> Text:
    """For a person who has waited a while."""
    said = Text("ainda sem resposta; pode levar muito tempo", "no answer yet; it may take long")
    if solver.memory:
        memory = _mebibytes(solver.memory)
        said = Text(f"{said.pt} e até {memory} de memória", f"{said.en} and up to {memory} of memory")
    said = Text(f"{said.pt}. Ctrl-C interrompe", f"{said.en}. Ctrl-C ends it")
    if _has_long_run(solver):
        said = Text(
            f"{said.pt}; com --resume FICHEIRO --memory 12G o trabalho fica guardado",
            f"{said.en}; with --resume FILE --memory 12G the work is kept",
        )
    return said


def _watched(work: "Callable[[StopFlag, Progress], T]", wait: Text | None = None) -> T:
    """The result of work in a thread of its own: a bar shows how far it is, and Ctrl-C stops it, as does the system.
    A person who waits long is told what to expect."""
    from tabuleiro._native import StopFlag

    stop = StopFlag()
    result: list[T] = []
    trouble: list[BaseException] = []
    # Not the end of the thread: an interrupted `join` takes a running thread for ended.
    done = threading.Event()
    with _stopping(stop), _bar() as progress:

        def run() -> None:
            try:
                result.append(work(stop, progress))
            except BaseException as error:
                trouble.append(error)
            finally:
                done.set()

        threading.Thread(target=run, daemon=True).start()
        begin = time.monotonic()
        try:
            while not done.wait(0.1):
                if wait is not None and time.monotonic() - begin > PATIENCE:
                    complain(wait)
                    wait = None
        except KeyboardInterrupt:
            stop.set()
            done.wait()
    if trouble:
        raise trouble[0]
    return result[0]


@contextmanager
def _stopping(stop: "StopFlag") -> Iterator[None]:
    """Meanwhile, to be asked to end, or to lose the terminal, sets the flag."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in names):
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, lambda *_: stop.set())
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _bar() -> "Iterator[Progress]":
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[seen]}"), TimeElapsedColumn()
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(tr("a resolver", "solving"), total=None, seen="")

        def tell(part: float | None, nodes: int) -> None:
            seen = _positions(nodes)
            bars.update(task, total=None if part is None else 1.0, completed=part or 0.0, seen=seen)

        yield tell


def _lines() -> "Progress":
    """A line now and then, for a log."""
    said = time.monotonic()

    def tell(part: float | None, nodes: int) -> None:
        nonlocal said
        if time.monotonic() - said > BETWEEN_LINES:
            said = time.monotonic()
            print(_positions(nodes), file=sys.stderr, flush=True)

    return tell


def _positions(nodes: int) -> str:
    return plural(nodes, Text("posição", "position"), Text("posições", "positions")).to(language())


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
    print(f"{_positions(solution.nodes)}, {figure(solution.seconds, 1, 's')}")
