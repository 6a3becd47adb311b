"""Whoever does the work, the same comes of it; and a worker that dies costs its unit alone."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from squares import Squares
from tabuleiro.core import TabuleiroError
from tabuleiro.crew import Crew, CrewError, Each, Here, Processes, gather
from tabuleiro.games.ouri import OuriOptions
from tabuleiro.learn.puzzles import Puzzle
from tabuleiro.learn.puzzles.mine import Tally, mine
from tabuleiro.record import Line
from tabuleiro.search import Limit
from tabuleiro.solve import ouri, solver_for
from tabuleiro.solve.apart import solve_apart
from tabuleiro.solve.tables import load


@pytest.mark.parametrize("crew", [Here(), Processes(3)], ids=["here", "processes"])
def test_results_come_in_order_and_what_was_begun_is_closed(crew: Crew, tmp_path: Path) -> None:
    assert list(crew.results(Squares(tmp_path), range(12))) == [n * n for n in range(12)]
    assert crew.done == 12 and crew.again == 0 and crew.places() == []
    assert len([*tmp_path.glob("*.closed")]) == crew.size and not [*tmp_path.glob("*.begun")]


@pytest.mark.parametrize("crew", [Here(), Processes(2)], ids=["here", "processes"])
def test_what_a_unit_raises_is_heard_and_costs_no_other(crew: Crew, tmp_path: Path) -> None:
    found = {one.index: one for one in crew.finished(Squares(tmp_path), range(10, 16))}
    assert sorted(found) == [*range(6)]
    assert isinstance(found[3].error, ValueError) and str(found[3].error) == "thirteen"
    assert found[5].get() == 225
    with pytest.raises(ValueError, match="thirteen"):
        list(crew.results(Squares(tmp_path), range(10, 16)))


def test_a_worker_that_is_killed_costs_its_unit_alone(tmp_path: Path) -> None:
    crew = Processes(2)
    lost: list[str] = []
    crew.when_lost = lost.append
    assert list(crew.results(Squares(tmp_path, killed_at=4), range(9))) == [n * n for n in range(9)]
    assert (crew.done, crew.again, len(lost)) == (9, 1, 1)


def test_a_unit_that_kills_whoever_does_it_ends_the_work(tmp_path: Path) -> None:
    with pytest.raises(CrewError):
        list(Processes(2).results(Squares(tmp_path, killed_at=2, always=True), range(4)))


def test_who_has_seen_enough_ends_the_work(tmp_path: Path) -> None:
    crew = Processes(2)
    results = crew.results(Squares(tmp_path), count())
    assert list(islice((n for n in results if n != 169), 3)) == [0, 1, 4]
    pids = [int(place.rpartition(":")[2]) for place in crew.places()]
    assert len(pids) == 2
    results.close()  # type: ignore[attr-defined]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def one_more(number: int) -> int:
    return number + 1


def test_crews_are_named_by_what_a_person_asks_for() -> None:
    assert isinstance(gather(), Here) and isinstance(gather(1), Here)
    assert gather(3).size == 3
    with pytest.raises(TabuleiroError):
        gather(0)
    assert list(gather(1).results(Each(one_more), [-1, 2])) == [0, 3]


def test_without_ray_it_is_said_what_to_install() -> None:
    program = (
        "import sys; sys.modules['ray'] = None\n"
        "from tabuleiro.cli import main; sys.argv[1:] = ['match', 'hex', 'random', 'random', '--ray', 'auto']; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "tabuleiro[ray]" in done.stderr and "Traceback" not in done.stderr


# ------------------------------------------------------------------------------------------------------- the same work


def mined(crew: Crew) -> Iterator[Puzzle]:
    return mine("semaforo", [], 5, lambda tally: tally.looked_at < 240, Tally(), crew)


def ouri_level(crew: Crew, seeds: int) -> bytes:
    """The level of so many seeds, made by a crew from those below it."""
    tables = ouri.OuriTables(OuriOptions())
    tables.at_once, tables.most = seeds, seeds
    load(tables)
    return bytes(tables.build_by(crew))


def test_puzzles_are_the_same_whoever_mines_them() -> None:
    alone = list(mined(Here()))
    assert len(alone) > 3
    assert alone == list(mined(Processes(2)))
    assert [puzzle.number for puzzle in alone] == [*range(1, len(alone) + 1)]


def test_a_level_of_ouri_is_the_same_whoever_makes_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TABULEIRO_CACHE", str(tmp_path))
    monkeypatch.setattr(ouri, "PLACES_A_UNIT", 3000)
    assert ouri_level(Processes(2), 7) == ouri_level(Here(), 7)


@pytest.mark.parametrize(
    "line",
    [
        Line("semaforo", (), "GR2/YGR1/Y2Y 1"),
        Line("semaforo", (), None, ("a1", "b2")),
        Line("rastros", (), "7/1##4/##1##2/2##3/3#3/2O#3/3#3 1"),
        Line("konane", (("size", "6"),)),
        Line("hex", (("size", "3"),)),
        Line("avanco", (), "7/7/1b3b1/7/7/1w3w1/7 w"),
        Line("ouri", (), "1,0,2,0,1,0/0,2,0,1,0,1 20-20 S"),
    ],
    ids=lambda line: f"{line.game} {line.start or ''}",
)
def test_moves_solved_apart_are_worth_what_they_are_together(line: Line) -> None:
    game = line.replay()
    together = solver_for(game).solve(game, Limit(seconds=60))
    apart = solve_apart(line, Here(), 60)
    assert together.exact and apart.exact
    assert apart.score is not None and together.score is not None
    assert apart.score.worth is together.score.worth
    for move, score in together.moves.items():
        other = apart.moves[move]
        assert score is not None and other is not None and score.worth is other.worth
