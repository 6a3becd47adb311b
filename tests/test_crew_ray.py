"""Three workers of a Ray cluster do what one process does, also where one of them is killed meanwhile."""

import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest

from tabuleiro.crew import Crew, Finished, Here, Job, RayCrew
from tabuleiro.learn.puzzles.mine import Tally, mine
from tabuleiro.match import Match, play_match
from tabuleiro.solve import ouri
from test_crew import ouri_level

pytest.importorskip("ray")
pytestmark = pytest.mark.long

T = TypeVar("T")
U = TypeVar("U")


class OneKilled(RayCrew):
    """Three workers, one of which is killed as soon as one of them has done its first unit of a job."""

    killed: list[int]

    def finished(self, job: "Job[T, U]", units: "Iterator[T]") -> "Iterator[Finished[T, U]]":  # type: ignore[override]
        self.killed = []
        for found in super().finished(job, units):
            if not self.killed:
                self.killed = [int(self.places()[-1].rpartition(":")[2])]
                os.kill(self.killed[0], signal.SIGKILL)
            yield found


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OneKilled]:
    import ray

    with pytest.MonkeyPatch.context() as patch:
        # What the workers have on their disks: nothing.
        patch.setenv("TABULEIRO_CACHE", str(tmp_path_factory.mktemp("theirs")))
        made = OneKilled("local", 3)
    yield made
    ray.shutdown()


def was_one_lost(crew: Crew, before: int) -> bool:
    return crew.again == before + 1


def test_a_match(crew: OneKilled) -> None:
    match = Match("semaforo", {}, "level:6", "level:4", 0.1, 7, 1)
    numbers, before = [*range(24)], crew.again
    alone = [(pair.number, pair.points, pair.moves, pair.records) for pair in play_match(match, numbers)]
    together = [(pair.number, pair.points, pair.moves, pair.records) for pair in play_match(match, numbers, crew)]
    assert together == alone
    assert was_one_lost(crew, before)


def test_mining(crew: OneKilled) -> None:
    before = crew.again

    def mined(crew: Crew) -> list[object]:
        counting = count()
        return list(mine("konane", [], 3, lambda tally: next(counting) < 60 and tally.looked_at < 1200, Tally(), crew))

    alone = mined(Here())
    assert len(alone) > 10
    assert mined(crew) == alone
    assert was_one_lost(crew, before)


def test_a_level_of_ouri(crew: OneKilled, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The tables below come by way of the cluster's memory: the workers have another folder."""
    before = crew.again
    monkeypatch.setenv("TABULEIRO_CACHE", str(tmp_path))
    monkeypatch.setattr(ouri, "PLACES_A_UNIT", 1 << 14)
    alone = ouri_level(Here(), 11)
    assert ouri_level(crew, 11) == alone
    assert was_one_lost(crew, before)
