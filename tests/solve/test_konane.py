"""The solver of Konane agrees with exhaustive search over the Python rules, and its long work survives anything."""

import itertools
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabuleiro import _native
from tabuleiro.core import Player
from tabuleiro.games.konane import Konane, KonaneOptions
from tabuleiro.record import Node, random_game
from tabuleiro.search import Limit
from tabuleiro.search.base import Worth
from tabuleiro.solve import SolveError, solver_for
from tabuleiro.solve.base import Progress, silent
from tabuleiro.solve.konane import KonaneSolver


class Exhaustive:
    """Who wins, by trying everything."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, Player], bool] = {}

    def wins(self, position: Konane) -> bool:
        key = (position.board, position.turn)
        if key not in self.known:
            # A player who has few answers is likely to be beaten.
            children = sorted(map(position.play, position.legal_moves()), key=lambda child: len(child.legal_moves()))
            self.known[key] = any(not self.wins(child) for child in children)
        return self.known[key]


def agrees(position: Konane, truth: Exhaustive) -> None:
    found = solver_for(position).solve(position)
    wanted = {move: Worth.LOSS if truth.wins(position.play(move)) else Worth.WIN for move in position.legal_moves()}
    assert found.exact
    assert {move: score and score.worth for move, score in found.moves.items()} == wanted, str(position)
    assert found.score is not None and found.score.worth is max(wanted.values()), str(position)
    assert found.best in wanted and wanted[found.best] is found.score.worth


def late_positions(options: KonaneOptions, stones: int) -> Iterator[Konane]:
    for seed in itertools.count():
        for position in random_game(Konane.start(options), seed=seed).positions():
            assert isinstance(position, Konane)
            if position.outcome() is None and len(position.board) - position.board.count(".") <= stones:
                yield position
                break


@pytest.mark.parametrize("opening", ["fixed", "removal", "traditional"])
def test_every_opening_of_4x4(opening: str) -> None:
    truth = Exhaustive()
    start = Konane.start(KonaneOptions(size=4, opening=opening))
    agrees(start, truth)
    for move in start.legal_moves():
        for reply in (after := start.play(move)).legal_moves():
            if after.play(reply).outcome() is None:
                agrees(after.play(reply), truth)


@pytest.mark.parametrize("opening", ["fixed", "traditional"])
def test_every_opening_of_5x5(opening: str) -> None:
    agrees(Konane.start(KonaneOptions(size=5, opening=opening)), Exhaustive())


def test_openings_by_removal_of_5x5() -> None:
    """A removal in the corner or the centre wins, one in the middle of an edge loses."""
    start = Konane.start(KonaneOptions(size=5, opening="removal"))
    found = solver_for(start).solve(start)
    winning = {start.move_str(move) for move, score in found.moves.items() if score and score.worth is Worth.WIN}
    assert winning == {"a1", "e1", "a5", "e5", "c3"} and None not in found.moves.values()


@pytest.mark.parametrize("size, stones, positions", [(8, 20, 60), (7, 20, 40), (6, 16, 80), (5, 14, 60)])
def test_late_positions(size: int, stones: int, positions: int) -> None:
    for position in itertools.islice(late_positions(KonaneOptions(size=size), stones), positions):
        agrees(position, Exhaustive())


def test_set_up_positions() -> None:
    """Stones may stand on cells of any colour when a position is set up."""
    chance = random.Random(3)
    for _ in range(60):
        board = "".join(chance.choice("....wb") for _ in range(36))
        position = Konane(chance.choice(list(Player)), KonaneOptions(size=6), board)
        if position.outcome() is None:
            agrees(position, Exhaustive())


def test_images_have_the_same_value() -> None:
    for position in itertools.islice(late_positions(KonaneOptions(), 26), 5):
        value = KonaneSolver(position.options).solve(position, every_move=False).score
        for symmetry in position.symmetries():
            image = position.transform(symmetry)
            assert KonaneSolver(image.options).solve(image, every_move=False).score == value


def test_the_value_alone_comes_with_a_move_that_keeps_it() -> None:
    for position in itertools.islice(late_positions(KonaneOptions(), 24), 40):
        alone = KonaneSolver(position.options).solve(position, every_move=False)
        full = KonaneSolver(position.options).solve(position)
        assert alone.exact and alone.score == full.score
        assert alone.best is not None and full.moves[alone.best] == full.score


def test_a_limit_leaves_things_open() -> None:
    start = Konane.start()
    found = solver_for(start).solve(start, Limit(nodes=2_000))
    assert not found.exact and found.score is None and found.best is None and found.nodes <= 2_100


# ------------------------------------------------------------------------------------------------------- the long work


@pytest.fixture
def small_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves so small that df-pn has all the work."""
    monkeypatch.setattr(KonaneSolver, "LEAF", 20)


def resume(
    position: Konane, file: Path, stop: _native.StopFlag | None = None, progress: Progress = silent
) -> Worth | None:
    solver = KonaneSolver(position.options)
    found = solver.resume(file, 16 << 20, Node(position), stop or _native.StopFlag(), progress)
    assert found.exact == (found.score is not None)
    return None if found.score is None else found.score.worth


@pytest.mark.usefixtures("small_leaves")
def test_proofs_on_two_threads(tmp_path: Path) -> None:
    for number, position in enumerate(itertools.islice(late_positions(KonaneOptions(size=6), 22), 20)):
        value = solver_for(position).solve(position).score
        assert value is not None and resume(position, tmp_path / str(number)) is value.worth


def test_what_is_forgotten_for_want_of_memory_is_found_again() -> None:
    """With room for next to nothing, df-pn still ends, and with the right value."""
    for position in itertools.islice(late_positions(KonaneOptions(size=6), 18), 20):
        value = solver_for(position).solve(position).score
        assert value is not None and value.worth is not None
        tiny = _native.KonaneSolver(position.options.encode(), 1 << 12, 1 << 10)
        found = tiny.prove(position.encode(), 2, 10, 0.0, _native.StopFlag(), lambda nodes: None)
        assert found[0] == int(value.worth)
        assert len(tiny.proofs(0, tiny.places)) <= 1 << 10


@pytest.mark.usefixtures("small_leaves")
def test_stopped_work_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = Konane.start(KonaneOptions(size=5, opening="removal"))
    monkeypatch.setattr(KonaneSolver, "SLICE", 0.001)
    value = None
    for _ in range(10_000):
        stop = _native.StopFlag()
        value = resume(start, tmp_path / "work", stop, lambda part, nodes, stop=stop: stop.set())  # type: ignore[misc]
        if value is not None:
            break
    assert value is Worth.WIN
    # What is finished is known at once.
    assert resume(start, tmp_path / "work", stop) is Worth.WIN


def test_killed_work_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "work"
    program = f"""
import pathlib
from tabuleiro import _native
from tabuleiro.games.konane import Konane, KonaneOptions
from tabuleiro.record import Node
from tabuleiro.solve.konane import KonaneSolver
KonaneSolver.LEAF, KonaneSolver.SLICE, KonaneSolver.SAVE_EVERY = 20, 0.01, 0.01
node = Node(Konane.start())
solver = KonaneSolver(node.position.options)
solver.resume(pathlib.Path({str(file)!r}), 1 << 24, node, _native.StopFlag(), lambda part, nodes: None)
"""
    saved = 0
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", program]) as process:
            begin = time.monotonic()
            while not (file.exists() and file.stat().st_size > saved) and time.monotonic() - begin < 30:
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGKILL)
        # The second run began with what the first one had saved.
        assert file.stat().st_size > saved
        saved = file.stat().st_size
    stop = _native.StopFlag()
    stop.set()
    assert resume(Konane.start(), file, stop) is None


def test_damaged_work_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "work"
    start = Konane.start(KonaneOptions(size=4))
    resume(start, file)
    good = file.read_bytes()
    for at in (0, 3, len(good) // 2, len(good) - 1):
        damaged = bytearray(good)
        damaged[at] ^= 1
        file.write_bytes(damaged)
        with pytest.raises(SolveError):
            resume(start, file)
    for text in (b"", b"\n", good[:-1], b"null\n", b"{}\n"):
        file.write_bytes(text)
        with pytest.raises(SolveError, match="damaged"):
            resume(start, file)
    with pytest.raises(SolveError, match="not a file"):
        resume(start, tmp_path)
    with pytest.raises(SolveError, match="cannot be written"):
        resume(start, tmp_path / "missing" / "work")
    file.write_bytes(good)
    with pytest.raises(SolveError, match="another position"):
        resume(Konane.start(KonaneOptions(size=5)), file)
