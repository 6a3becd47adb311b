"""`tabuleiro perft`: how many sequences of moves there are."""

import sys
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import typer

from tabuleiro.cli.arguments import GameArgument, JsonOption, OptionOption, PlayOption, PositionOption, read_line
from tabuleiro.cli.speech import both, print_json, tr
from tabuleiro.core import Position
from tabuleiro.perft import perft as count_in_python

HELP = both("Conta as sequências de jogadas até uma profundidade.", "Count the sequences of moves to a depth.")


class Backend(StrEnum):
    """Which rules count."""

    NATIVE = "native"
    PYTHON = "python"


#: Deeper than anybody can count, and shallow enough for Python's stack.
MAX_DEPTH = 100


def perft(
    game: GameArgument,
    depth: Annotated[
        int,
        typer.Argument(
            metavar="DEPTH",
            min=0,
            max=MAX_DEPTH,
            show_default=False,
            help=both("Quantas jogadas, de 0 a 100.", "How many moves, from 0 to 100."),
        ),
    ],
    position: PositionOption = None,
    play: PlayOption = "",
    option: OptionOption = None,
    divide: Annotated[
        bool,
        typer.Option(
            "--divide", help=both("Mostra também a conta de cada jogada.", "Also show the count of each move.")
        ),
    ] = False,
    backend: Annotated[
        Backend,
        typer.Option(
            metavar="native|python",
            help=both(
                "As regras que contam: native (rápidas; se nada disseres) ou python.",
                "The rules that count: native (fast; if not given) or python.",
            ),
        ),
    ] = Backend.NATIVE,
    json: JsonOption = False,
) -> None:
    here = read_line(game, option, position, play).position
    counts = count_below(here, depth, _counter(here, backend))
    nodes = sum(counts.values()) if depth else 1
    if json:
        print_json({"nodes": nodes, "divide": counts} if divide else {"nodes": nodes})
        return
    if divide:
        for move, count in counts.items():
            print(f"{move}: {count}")
    print(nodes)


Counter = Callable[[Position, int], int]


def _counter(position: Position, backend: Backend) -> Counter:
    """What counts: the Python rules also count a game that has no others."""
    if backend is Backend.NATIVE:
        from tabuleiro import native

        if native.kernel(position) is not None:
            return native.perft
    return count_in_python


def count_below(position: Position, depth: int, count: Counter) -> dict[str, int]:
    """The perft below each move, with a progress bar for a person who waits at a terminal."""
    if depth == 0:
        return {}
    if depth < 3 or not sys.stderr.isatty():
        return {position.move_str(move): count(position.play(move), depth - 1) for move in position.legal_moves()}
    bar = _Bar(count(position, 2))
    try:
        return {
            position.move_str(move): _count_in_steps(position.play(move), depth - 1, count, bar.step)
            for move in position.legal_moves()
        }
    finally:
        bar.close()


def _count_in_steps(position: Position, depth: int, count: Counter, step: Callable[[], None]) -> int:
    total = 0
    for move in position.legal_moves():
        total += count(position.play(move), depth - 1)
        step()
    return total


class _Bar:
    """A progress bar on standard error that appears after a second."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.done = 0
        self.began = time.monotonic()
        self.shown = False

    def step(self) -> None:
        self.done += 1
        if not self.shown and time.monotonic() - self.began > 1:
            from rich.console import Console
            from rich.progress import Progress

            self.progress = Progress(console=Console(stderr=True), transient=True)
            self.task = self.progress.add_task(tr("a contar", "counting"), total=self.steps)
            self.progress.start()
            self.shown = True
        if self.shown:
            self.progress.update(self.task, completed=self.done)

    def close(self) -> None:
        if self.shown:
            self.progress.stop()
