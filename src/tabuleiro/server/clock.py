"""Clocks. The server's time is the only one, and time in which no server was running is not charged to anybody.

A clock is kept as the seconds each player had left when the last event was stored, and whose clock runs since then.

The server asks what time it is once, when it starts, and counts from there by a clock that nobody sets: a machine whose
time is set right, or wrong, while people play moves none of their clocks.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

from tabuleiro.core import Player

#: The plies before any clock runs: who begins has as long as they like to see the board.
FREE_PLIES = 2
#: Seconds since this machine was started, the same in all its processes; where the system can tell, those in which it
#: slept too.
_steady: Callable[[], float] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic
)


def time_of_start() -> float:
    """When this machine was started, as far as it knows what time it is now, in seconds since 1970."""
    return time.time() - _steady()


class ServerTime:
    """The server's time, in seconds since 1970. Processes that are given the same start agree on it."""

    def __init__(self, machine_started: float) -> None:
        self._machine_started = machine_started

    def __call__(self) -> float:
        return self._machine_started + _steady()


class Pause(NamedTuple):
    """A time in which no server was running."""

    began: float
    ended: float


def passed(begin: float, end: float, pauses: Iterable[Pause]) -> float:
    """The seconds from `begin` to `end`, the pauses left out. Pauses may overlap: several servers may note the same.
    One that ends later was noted by a server whose time was wrong, and is none."""
    charged, at = 0.0, begin
    for pause in sorted(pauses):
        if pause.ended > end:
            continue
        charged += max(0.0, min(pause.began, end) - at)
        at = max(at, pause.ended)
    return charged + max(0.0, end - at)


@dataclass(frozen=True)
class ClockRule:
    """`fischer`: `initial` seconds for the game and `increment` seconds a move. `move`: `initial` seconds for each
    move."""

    kind: Literal["fischer", "move"]
    initial: float
    increment: float = 0

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "initial": self.initial, "increment": self.increment}


@dataclass(frozen=True)
class Clock:
    rule: ClockRule
    #: Seconds of players ONE and TWO.
    left: tuple[float, float]
    running: Player | None = None
    since: float = 0

    @classmethod
    def new(cls, rule: ClockRule) -> "Clock":
        return cls(rule, (rule.initial, rule.initial))

    def left_at(self, now: float, pauses: Iterable[Pause]) -> tuple[float, float]:
        """What both have left now; below zero after a flag has fallen."""
        if self.running is None:
            return self.left
        spent = passed(self.since, now, pauses)
        one, two = self.left
        return (one - spent, two) if self.running is Player.ONE else (one, two - spent)

    def flag_falls(self, now: float, pauses: Iterable[Pause]) -> float | None:
        """When the running clock will be at zero if nothing happens; None when none runs."""
        return None if self.running is None else now + self.left_at(now, pauses)[self.running - 1]

    def after(self, now: float, pauses: Iterable[Pause], kind: str, mover: Player) -> tuple[float, float]:
        """What both have left once an event of that kind has been stored; `mover` was to move before it."""
        one, two = self.left_at(now, pauses)
        if self.rule.kind == "move":
            return (self.rule.initial, self.rule.initial) if kind in ("move", "takeback") else (one, two)
        if kind != "move" or self.running is not mover:
            return (one, two)
        increment = self.rule.increment
        return (one + increment, two) if mover is Player.ONE else (one, two + increment)

    def set(self, left: tuple[float, float], running: Player | None, since: float) -> "Clock":
        return replace(self, left=left, running=running, since=since)
