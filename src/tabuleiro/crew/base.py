"""What a crew and a job are, and how units are shared out: the same way for every kind of worker.

A worker that dies costs the unit that it was at. Another does it anew, from the same seed, and with the same result.
"""

import copy
import os
import pickle
import socket
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

Unit = TypeVar("Unit")
Result = TypeVar("Result")

#: A unit at which so many workers died is not given to another.
MOST_LOSSES = 3


class CrewError(TabuleiroError):
    """Work that cannot be done."""


class Job(ABC, Generic[Unit, Result]):
    """Work in units. It travels to every worker before `begin`, and so must what it holds until then; what came of a
    unit travels back."""

    def begin(self) -> None:
        """At a worker, before its first unit."""

    @abstractmethod
    def do(self, unit: Unit) -> Result:
        """A unit, by what it says and what the job says: nothing else may matter, and no unit done before."""

    def close(self) -> None:
        """At a worker, after its last unit; also where `begin` did not succeed."""


class Each(Job[Unit, Result]):
    """A function of each unit."""

    def __init__(self, function: Callable[[Unit], Result]) -> None:
        self._function = function

    def do(self, unit: Unit) -> Result:
        return self._function(unit)


@dataclass(frozen=True)
class Finished(Generic[Unit, Result]):
    """What came of a unit."""

    #: Its place among the units, from 0.
    index: int
    unit: Unit
    #: None where it failed.
    result: Result | None
    error: Exception | None = None

    def get(self) -> Result:
        """The result; raises what the unit has raised."""
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]  # None only where that is the result


# ------------------------------------------------------------------------------------------------------ at the worker


@dataclass(frozen=True)
class Answer:
    """What a worker says of a unit."""

    result: Any = None
    error: Exception | None = None


class Workplace:
    """Where a job is done, a unit at a time."""

    def __init__(self, job: Job[Any, Any]) -> None:
        self._job = job
        self._begun = False

    @staticmethod
    def place() -> str:
        return f"{socket.gethostname()}:{os.getpid()}"

    def do(self, unit: Any) -> Answer:
        try:
            if not self._begun:
                self._job.begin()
                self._begun = True
            return Answer(self._job.do(unit))
        except Exception as error:
            return Answer(error=_fit_to_travel(error))

    def close(self) -> None:
        self._job.close()


def _fit_to_travel(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")


# ---------------------------------------------------------------------------------------------------- where it is led


class Hand(ABC):
    """One worker, as its crew sees it."""

    @abstractmethod
    def begin(self, unit: Any) -> None:
        """Give it a unit. One that cannot take it is found lost by `Crew.wait`."""

    @property
    @abstractmethod
    def place(self) -> str:
        """The machine it is on, and the number of its process: `host:123`."""

    @abstractmethod
    def dismiss(self) -> None:
        """It is no longer needed, whatever it is at."""

    @abstractmethod
    def end(self) -> None:
        """After `dismiss`: wait until it is gone, or see to it."""


class Crew(ABC):
    """Workers who do units at the same time."""

    #: How many workers.
    size: int

    def __init__(self) -> None:
        #: Units that are finished, and units that were begun anew because their worker was lost.
        self.done = 0
        self.again = 0
        #: Told where a worker was that is lost.
        self.when_lost: Callable[[str], object] = lambda place: None
        self._hands: list[Hand] = []

    @abstractmethod
    def hire(self, job: Job[Any, Any]) -> Hand: ...

    @abstractmethod
    def wait(self, busy: Sequence[Hand]) -> list[tuple[Hand, Answer | None]]:
        """Until one at least has done its unit, or is lost (None)."""

    def share(self, content: "memoryview[int]", own: Callable[[], "memoryview[int] | None"]) -> "Shared":
        """What all workers of a job read, and none of them writes; `own`, which travels, looks for it where the worker
        is."""
        return Shared(own)

    def places(self) -> list[str]:
        """Where the workers are at present."""
        return [hand.place for hand in self._hands]

    def results(self, job: Job[Unit, Result], units: Iterable[Unit]) -> Iterator[Result]:
        """What comes of the units, in their order. Raises what a unit raises. Closing the iterator ends the work."""
        early: dict[int, Finished[Unit, Result]] = {}
        wanted = 0
        for finished in self.finished(job, units):
            early[finished.index] = finished
            while wanted in early:
                yield early.pop(wanted).get()
                wanted += 1

    def finished(self, job: Job[Unit, Result], units: Iterable[Unit]) -> Iterator[Finished[Unit, Result]]:
        """What comes of each unit, as soon as it is known. A unit is taken from the row when a worker is free for it.
        Closing the iterator ends the work."""
        row = enumerate(units)
        lost: deque[tuple[int, Unit]] = deque()
        losses: dict[int, int] = {}
        idle: list[Hand] = []
        busy: dict[Hand, tuple[int, Unit]] = {}
        self._hands = []
        try:
            while True:
                while len(busy) < self.size:
                    following = lost.popleft() if lost else next(row, None)
                    if following is None:
                        break
                    hand = idle.pop() if idle else self.hire(job)
                    if hand not in self._hands:
                        self._hands.append(hand)
                    busy[hand] = following
                    hand.begin(following[1])
                if not busy:
                    return
                for hand, answer in self.wait([*busy]):
                    index, unit = busy.pop(hand)
                    if answer is None:
                        self._hands.remove(hand)
                        hand.dismiss()
                        hand.end()
                        self.again += 1
                        self.when_lost(hand.place)
                        losses[index] = losses.get(index, 0) + 1
                        if losses[index] == MOST_LOSSES:
                            raise CrewError(_deadly(losses[index]))
                        lost.append((index, unit))
                        continue
                    idle.append(hand)
                    self.done += 1
                    yield Finished(index, unit, answer.result, answer.error)
        finally:
            for hand in self._hands:
                hand.dismiss()
            for hand in self._hands:
                hand.end()
            self._hands = []


def _deadly(times: int) -> Text:
    return Text(
        f"{times} trabalhadores morreram com a mesma tarefa; falta-lhes memória?",
        f"{times} workers died at the same unit of work; do they lack memory?",
    )


class Shared:
    """Something that all workers of a job read. It travels."""

    def __init__(self, own: Callable[[], "memoryview[int] | None"]) -> None:
        self._own = own

    def get(self) -> "memoryview[int]":
        """At a worker."""
        found = self._own()
        if found is None:
            raise CrewError(
                Text("um trabalhador não encontra o que precisa de ler", "a worker does not find what it is to read")
            )
        return found


# ----------------------------------------------------------------------------------------------------- in this process


class Here(Crew):
    """This process, a unit after another."""

    size = 1

    def hire(self, job: Job[Any, Any]) -> Hand:
        return _OwnHand(job)

    def wait(self, busy: Sequence[Hand]) -> list[tuple[Hand, Answer | None]]:
        (hand,) = busy
        assert isinstance(hand, _OwnHand)
        return [(hand, hand.work())]


class _OwnHand(Hand):
    def __init__(self, job: Job[Any, Any]) -> None:
        self._workplace = Workplace(copy.copy(job))
        self._unit: Any = None

    def begin(self, unit: Any) -> None:
        self._unit = unit

    def work(self) -> Answer:
        return self._workplace.do(self._unit)

    @property
    def place(self) -> str:
        return Workplace.place()

    def dismiss(self) -> None:
        self._workplace.close()

    def end(self) -> None:
        """It is this process."""
