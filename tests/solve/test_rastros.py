"""The solver of Rastros against exhaustive search over the Python rules, and its proof."""

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
from tabuleiro.core import Player, Position, cells_of
from tabuleiro.games.rastros import Rastros, RastrosOptions
from tabuleiro.record import Node
from tabuleiro.search import Limit
from tabuleiro.search.base import Worth
from tabuleiro.solve import SolveError, rastros_proof, solver_for
from tabuleiro.solve.base import silent
from tabuleiro.solve.rastros import BOOK, BOOK_PLIES, LOSS, WIN, RastrosSolver
from tabuleiro.solve.rastros_proof import NEIGHBOURS, PROOF, every_matching_covers, read_data, replay, verify
from tabuleiro.solve.search import SearchSolver

Known = dict[Position, bool]
FIRST_MOVES = {"d4", "e4", "d5", "f5", "e6"}


def wins(position: Position, known: Known) -> bool:
    """Whether the player to move wins, by the rules alone."""
    if position not in known:
        over = position.outcome()
        if over is not None:
            known[position] = over.winner == position.turn
        else:
            known[position] = any(not wins(position.play(move), known) for move in position.legal_moves())
    return known[position]


def walks(options: RastrosOptions, free: int, seed: int) -> Iterator[Position]:
    """Positions of random games that go on with at most that many free cells."""
    rng = random.Random(seed)
    while True:
        position: Position = Rastros.start(options)
        while position.outcome() is None:
            if position.encode()[0].bit_count() >= options.size**2 - 1 - free:
                yield position
            position = position.play(rng.choice(position.legal_moves()))


def check(position: Position, known: Known) -> None:
    solution = solver_for(position).solve(position)
    assert solution.exact
    assert solution.score is not None
    assert (solution.score.worth is Worth.WIN) == wins(position, known), position
    for move, score in solution.moves.items():
        assert score is not None
        assert (score.worth is Worth.LOSS) == wins(position.play(move), known), (position, move)
    quick = solver_for(position).solve(position, every_move=False)
    assert quick.exact
    assert quick.score is not None
    assert quick.score.worth is solution.score.worth
    if quick.score.worth is Worth.WIN:
        assert quick.best is not None
        assert not wins(position.play(quick.best), known)


def test_every_position_of_4x4_has_the_value_that_exhaustive_search_finds() -> None:
    start = Rastros.start(RastrosOptions(size=4))
    solver = solver_for(start)
    assert isinstance(solver, RastrosSolver)
    known: Known = {}
    reached, waiting = {start}, [start]
    for position in waiting:
        value = solver.table.value(position.encode(), 0, 0.0, _native.StopFlag())
        assert (value == WIN) == wins(position, known), position
        for move in position.legal_moves():
            after = position.play(move)
            if after not in reached and after.outcome() is None:
                reached.add(after)
                waiting.append(after)
    assert len(reached) > 1000


@pytest.mark.parametrize(("size", "free", "count"), [(4, 15, 20), (5, 14, 60), (6, 18, 60), (7, 26, 150), (8, 34, 30)])
def test_every_move_of_late_positions_has_the_value_that_exhaustive_search_finds(
    size: int, free: int, count: int
) -> None:
    known: Known = {}
    for position in itertools.islice(walks(RastrosOptions(size=size), free, seed=size), count):
        check(position, known)


def test_the_example_of_the_championship_sheet() -> None:
    position = Rastros.from_str("7/1##4/##1##2/2##3/3#3/2O#3/3#3 1")
    moves = solver_for(position).solve(position).moves
    assert {position.move_str(move): str(score) for move, score in moves.items() if score and score > -score} == {
        "c1": "#3", "b3": str(moves[position.parse_move("b3")]), "c3": str(moves[position.parse_move("c3")]),
    }  # fmt: skip


def test_the_first_player_wins_and_which_first_moves_do_it() -> None:
    start = Rastros.start()
    solution = solver_for(start).solve(start)
    assert solution.exact
    assert solution.nodes == 0
    assert {start.move_str(move) for move, score in solution.moves.items() if score and score > -score} == FIRST_MOVES


def test_the_book_alone_says_the_same_of_the_start_as_the_proof() -> None:
    start = Rastros.start()
    table = _native.RastrosSolver(start.options.encode(), 16)
    table.learn_opening(start.encode(), BOOK_PLIES, read_data(BOOK))
    assert table.known(start.encode()) == WIN
    won = {start.move_str(move) for move in start.legal_moves() if table.known(start.play(move).encode()) == LOSS}
    assert won == FIRST_MOVES


def test_whoever_follows_the_proof_wins_without_search() -> None:
    rng = random.Random(6)
    for _ in range(40):
        position: Position = Rastros.start()
        while position.outcome() is None:
            if position.turn == Player.ONE:
                solution = solver_for(position).solve(position, every_move=False)
                assert solution.nodes == 0
                assert solution.best is not None
                position = position.play(solution.best)
            else:
                position = position.play(rng.choice(position.legal_moves()))
        over = position.outcome()
        assert over is not None
        assert over.winner == Player.ONE


def test_positions_that_are_alike_have_the_same_value() -> None:
    for position in itertools.islice(walks(RastrosOptions(), 35, seed=5), 30):
        solver = solver_for(position)
        value = solver.solve(position, every_move=False).score
        for symmetry in position.symmetries():
            assert solver.solve(position.transform(symmetry), every_move=False).score == value


def test_other_rules_are_left_to_search() -> None:
    for options in (RastrosOptions(stalemate="draw"), RastrosOptions(must_keep_goal_reachable=True)):
        assert isinstance(solver_for(Rastros.start(options)), SearchSolver)


def test_what_is_not_found_in_time_is_not_guessed() -> None:
    start = Rastros.start(RastrosOptions(size=8))
    for limit in (Limit(nodes=1000), Limit(seconds=0.05)):
        solution = solver_for(start).solve(start, limit)
        assert not solution.exact
        assert solution.score is None
        assert solution.best is None


# ---------------------------------------------------------------------------------------------------------- the proof


def test_a_matching_decides_geography() -> None:
    rng = random.Random(2)
    known: dict[tuple[int, int], bool] = {}

    def mover_wins(free: int, marker: int) -> bool:
        if (free, marker) not in known:
            steps = cells_of(free & NEIGHBOURS[marker])
            known[free, marker] = any(not mover_wins(free & ~(1 << step), step) for step in steps)
        return known[free, marker]

    for _ in range(300):
        block = [row * 7 + column for row in range(4) for column in range(5)]
        marker, *cells = rng.sample(block, rng.randint(2, 13))
        free = sum(1 << cell for cell in cells)
        assert every_matching_covers(free, marker) == mover_wins(free, marker)


def test_the_beginning_of_the_proof_has_no_gap() -> None:
    told: list[float | None] = []
    found = replay(read_data(PROOF), lambda part, nodes: told.append(part), most_steps=40_000)
    assert found.steps == 40_000
    assert found.by_theorem > 1000
    assert told == sorted(told, key=lambda part: part or 0)


@pytest.mark.parametrize("seed", range(8))
def test_a_proof_with_one_step_altered_fails(seed: int) -> None:
    proof = bytearray(read_data(PROOF))
    rng = random.Random(seed)
    at = rng.randrange(6000)
    proof[at] = rng.choice([byte for byte in range(16) if byte != proof[at]])
    with pytest.raises(SolveError):
        replay(bytes(proof), most_steps=40_000)


def test_a_proof_cut_short_fails() -> None:
    proof = read_data(PROOF)
    with pytest.raises(SolveError, match="missing"):
        replay(proof[:2001])


def test_a_proof_that_is_not_the_published_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    content = read_data(PROOF)
    # Another step that is as good: the replay finds no gap.
    monkeypatch.setattr(rastros_proof, "read_data", lambda _: bytes([content[0] ^ 1]) + content[1:])
    monkeypatch.setattr(rastros_proof, "replay", lambda *_: None)
    with pytest.raises(SolveError, match="published"):
        verify()


@pytest.mark.parametrize("name", [PROOF, BOOK])
def test_a_file_with_a_flipped_byte_is_not_trusted(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray((Path(rastros_proof.__file__).parent / "data" / name).read_bytes())
    (tmp_path / "data").mkdir()
    monkeypatch.setattr(rastros_proof, "files", lambda _: tmp_path)
    for at in random.Random(3).sample(range(len(content)), 5):
        content[at] ^= 0x10
        (tmp_path / "data" / name).write_bytes(content)
        with pytest.raises(SolveError, match="damaged"):
            read_data(name)
        content[at] ^= 0x10


# ---------------------------------------------------------------------------------------------------------- long runs


class Impatient(RastrosSolver):
    """Looks around often enough for tests."""

    SLICE = 0.02
    PAUSE = 0.05


def test_a_long_run_stops_and_goes_on_where_it_was(tmp_path: Path) -> None:
    options = RastrosOptions(size=6)
    node = Node(Rastros.start(options))
    file = tmp_path / "run"
    nodes = 0
    for _ in range(1000):
        stop = _native.StopFlag()
        seen: list[int] = []

        def listen(part: float | None, nodes: int, stop: _native.StopFlag = stop, seen: list[int] = seen) -> None:
            seen.append(nodes)
            stop.set()

        solution = Impatient(options).resume(file, 16 << 20, node, stop, listen)
        assert solution.nodes > nodes
        nodes = solution.nodes
        if solution.exact:
            break
    assert solution.score is not None
    assert solution.score.worth is Worth.WIN
    assert len(list(tmp_path.iterdir())) == 1


def test_a_long_run_survives_being_killed(tmp_path: Path) -> None:
    file = tmp_path / "run"
    program = f"""
from pathlib import Path
from tabuleiro import _native
from tabuleiro.games.rastros import Rastros, RastrosOptions
from tabuleiro.record import Node
from tabuleiro.solve.rastros import BOOK, BOOK_PLIES, LOSS, WIN, RastrosSolver
RastrosSolver.PAUSE = 0.05
options = RastrosOptions(size=8)
flag = _native.StopFlag()
RastrosSolver(options).resume(Path({str(file)!r}), 16 << 20, Node(Rastros.start(options)), flag, lambda *_: None)
"""
    nodes = 0
    options = RastrosOptions(size=8)
    node = Node(Rastros.start(options))
    for _ in range(2):
        before = file.stat().st_mtime_ns if file.exists() else 0
        process = subprocess.Popen([sys.executable, "-c", program])
        while not file.exists() or file.stat().st_mtime_ns == before:
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        stop = _native.StopFlag()
        stop.set()
        found = RastrosSolver(options).resume(file, 16 << 20, node, stop, silent)
        assert found.nodes > nodes
        assert not found.exact
        nodes = found.nodes


def test_a_damaged_or_foreign_checkpoint_is_refused(tmp_path: Path) -> None:
    options = RastrosOptions(size=5)
    start = Rastros.start(options)
    file = tmp_path / "run"
    solver = RastrosSolver(options)
    assert solver.resume(file, 1 << 20, Node(start), _native.StopFlag(), silent).exact
    good = file.read_bytes()
    other = Node(start.play(start.legal_moves()[0]))
    with pytest.raises(SolveError, match="another position"):
        solver.resume(file, 1 << 20, other, _native.StopFlag(), silent)
    for at in (3, 40, len(good) // 2, len(good) - 1):
        file.write_bytes(good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :])
        with pytest.raises(SolveError, match="damaged"):
            solver.resume(file, 1 << 20, Node(start), _native.StopFlag(), silent)
    file.write_bytes(good[:-1])
    with pytest.raises(SolveError, match="damaged"):
        solver.resume(file, 1 << 20, Node(start), _native.StopFlag(), silent)
    with pytest.raises(SolveError, match="ask for less"):
        solver.resume(tmp_path / "other", 1 << 60, Node(start), _native.StopFlag(), silent)
    with pytest.raises(SolveError, match="cannot be written"):
        solver.resume(tmp_path / "nowhere" / "run", 1 << 20, Node(start), _native.StopFlag(), silent)
