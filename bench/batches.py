"""Steps a second that a program in Python makes with many games at once:

    python bench/batches.py --seconds 0.15 [--game hex] [--json]
    python bench/batches.py --peers             # beside Pgx, OpenSpiel and PettingZoo (batch_peers.py)

A step is: which moves are legal, a random one of them, the move, and the next game where one ends. It is made in three
ways: by one native call for many steps (`rollout`, which tells only how games ended), by one call a step that writes
masks, actions, results and rewards (`random_step`), and by three calls a step (`mask`, `sample`, `step`). What a net is
shown (`observe`) is measured apart. A rate per core is per second of processor time; the last is by the clock, with a
thread a core.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from tabuleiro.cli.bench import new_table, short
from tabuleiro.core import Position
from tabuleiro.games import GAMES, get

if TYPE_CHECKING:
    from tabuleiro.batches import Batch

#: A core: enough that calls and threads cost nothing, few enough that games and masks stay in the cache.
GAMES_AT_ONCE = 1024
#: The steps of one rollout.
STEPS = 64


@dataclass(frozen=True)
class BatchSpeed:
    """A second: steps in the three ways and positions observed, per core; then `random_step` on all cores."""

    rollout: float
    random_step: float
    calls: float
    observe: float
    all_cores: float


def measure_batch(start: Position, seconds: float) -> BatchSpeed:
    from tabuleiro.batches import Batch

    one = Batch(start, GAMES_AT_ONCE, seed=1, threads=1)
    all_cores = Batch(start, 4 * GAMES_AT_ONCE * (os.cpu_count() or 1), seed=1)
    return BatchSpeed(
        rollout=_rate(one, lambda: one.rollout(STEPS), seconds) * STEPS,
        random_step=_rate(one, one.random_step, seconds),
        calls=_rate(one, lambda: _three_calls(one), seconds),
        observe=_rate(one, one.observe, seconds),
        all_cores=_rate(all_cores, all_cores.random_step, seconds, perf_counter),
    )


def steps_per_core(start: Position, seconds: float) -> tuple[float, float]:
    """Random steps a second of one core, and the same with what a net is shown after each."""
    from tabuleiro.batches import Batch

    one = Batch(start, GAMES_AT_ONCE, seed=1, threads=1)
    return _rate(one, one.random_step, seconds), _rate(one, lambda: (one.random_step(), one.observe()), seconds)


def _three_calls(batch: "Batch") -> None:
    batch.mask()
    batch.step(batch.sample())


def _rate(batch: "Batch", call: Callable[[], Any], seconds: float, clock: Callable[[], float] = process_time) -> float:
    """Games that a call goes through, a second."""
    call()
    calls, began = 0, clock()
    while (passed := clock() - began) < seconds:
        call()
        calls += 1
    return calls * batch.size / passed


def batch_table(measured: dict[str, Any]) -> Table:
    per_core, cores = "per core", measured["cores"]
    table = new_table(
        "game",
        f"rollout/s {per_core}",
        f"random_step/s {per_core}",
        f"mask+sample+step/s {per_core}",
        f"observe/s {per_core}",
        f"random_step/s, {cores} cores",
    )
    for name, speed in measured["games"].items():
        table.add_row(name, *(short(rate) for rate in speed.values()))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each measure")
    parser.add_argument("--game", action="append", choices=[*GAMES], help="only this game; may be repeated")
    parser.add_argument("--peers", action="store_true", help="beside other people's programs")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    measured: dict[str, Any]
    if wanted.peers:
        sys.path.insert(0, str(Path(__file__).parents[1]))
        from bench.batch_peers import SAME_GAME, compare_batches, peer_table

        names = [name for name in wanted.game or SAME_GAME if name in SAME_GAME]
        measured, table = compare_batches({name: SAME_GAME[name] for name in names}, wanted.seconds), peer_table
    else:
        rates = {name: asdict(measure_batch(get(name).start(), wanted.seconds)) for name in wanted.game or GAMES}
        measured, table = {"cores": os.cpu_count(), "games": rates}, batch_table
    if wanted.json:
        print(json.dumps(measured))
    else:
        Console().print(table(measured))


if __name__ == "__main__":
    main()
