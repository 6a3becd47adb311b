"""`tabuleiro bench --batch`: how many steps a second a program in Python makes with many games at once.

A step is: which moves are legal, a random one of them, the move, and the next game where one ends. It is made in three
ways: by one native call for many steps (`rollout`, which tells only how games ended), by one call a step that writes
masks, actions, results and rewards (`random_step`), and by three calls a step (`mask`, `sample`, `step`). What a net is
shown (`observe`) is measured apart. A rate per core is per second of processor time; the last is by the clock, with a
thread a core.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from tabuleiro.core import Position

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
