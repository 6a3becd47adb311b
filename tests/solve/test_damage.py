"""Damaged tables, killed builders, full disks: what is read is right, and nobody who plays waits for it."""

import json
import logging
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tabuleiro.cli.tables import mend
from tabuleiro.games.ouri import Ouri, OuriOptions
from tabuleiro.games.semaforo import Semaforo, SemaforoOptions
from tabuleiro.players import level_engine
from tabuleiro.search import Limit
from tabuleiro.solve import files, ouri, semaforo, solver_for
from tabuleiro.solve.files import State
from tabuleiro.solve.semaforo import SemaforoTables
from tabuleiro.solve.tables import TableSolver

#: The first table of Ouri that only commands make.
LARGE = ouri.AT_ONCE + 1
#: A position of that many seeds whose result the stores do not settle.
POSITION = Ouri.from_str("2,0,1,2,0,1/1,1,2,1,0,2 17-18 S")

Damage = Callable[[Path], object]


def flip(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 16
    path.write_bytes(whole)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.fixture(params=[flip, cut, empty], ids=["flipped", "cut", "empty"])
def damage(request: pytest.FixtureRequest) -> Damage:
    damage: Damage = request.param
    return damage


def command(*arguments: str, largest_file: int | None = None) -> "subprocess.CompletedProcess[str]":
    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file or 0, largest_file or 0))

    return subprocess.run(
        [sys.executable, "-m", "tabuleiro", "--lang", "en", *arguments],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=None if largest_file is None else limit,
    )


def solve(position: Ouri | Semaforo) -> "subprocess.CompletedProcess[str]":
    return command("solve", position.id, "--position", str(position), "--json")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of Ouri up to the first large one."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABULEIRO_CACHE", str(folder))
        said = command("tables", "build", "ouri", "--seeds", str(LARGE), "--threads", "1")
    assert said.returncode == 0 and said.stderr == ""
    return folder


@pytest.fixture
def tables(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """The files of such tables in a folder of the test's own."""
    folder = shutil.copytree(made, tmp_path / "tables")
    monkeypatch.setenv("TABULEIRO_CACHE", str(folder))
    ouri._endings.cache_clear()
    yield [ouri.table_of(OuriOptions(), seeds).path for seeds in range(LARGE + 1)]
    ouri._endings.cache_clear()


def good(path: Path, made: Path) -> bool:
    return path.read_bytes() == made.joinpath(path.name).read_bytes()


def lock_of(path: Path) -> Path:
    """What is there once somebody makes a table."""
    return path.with_name(f"{path.name}.lock")


def levels() -> int:
    endings = ouri.endings_for(POSITION)
    assert endings is not None
    return endings.levels


# -------------------------------------------------------------------------------------------------- those who must play


def test_a_damaged_large_table_is_done_without_and_spoken_of_once(
    tables: list[Path], damage: Damage, caplog: pytest.LogCaptureFixture
) -> None:
    assert levels() == LARGE + 1
    exact = solver_for(POSITION).solve(POSITION)
    ouri._endings.cache_clear()
    damage(tables[LARGE])
    spoilt = tables[LARGE].read_bytes()
    with caplog.at_level(logging.WARNING):
        assert levels() == LARGE
        ouri._endings.cache_clear()
        assert levels() == LARGE
        # Search with the tables below says the same.
        assert solver_for(POSITION).solve(POSITION, Limit(seconds=20)).score == exact.score
        assert level_engine("ouri", 10).play(POSITION, Limit(seconds=0.1)) in POSITION.legal_moves()
    [said] = caplog.messages
    assert str(tables[LARGE]) in said and f"tabuleiro tables build ouri --seeds {LARGE}" in said
    assert tables[LARGE].read_bytes() == spoilt


def test_small_tables_are_mended_on_the_way(tables: list[Path], made: Path, damage: Damage) -> None:
    for seeds in (0, 4, ouri.AT_ONCE):
        damage(tables[seeds])
    assert levels() == LARGE + 1
    assert all(good(path, made) for path in tables)


def test_a_damaged_large_board_is_searched(
    tmp_path: Path, damage: Damage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TABULEIRO_CACHE", str(tmp_path))
    monkeypatch.setattr(semaforo, "AT_ONCE", ())
    options = SemaforoOptions(board="3x3")
    table = semaforo.table_of(options)
    files.make(table, lambda: semaforo.build(options))
    position = Semaforo.from_str("YR1/RRG/1GY 1", options)
    exact = TableSolver(SemaforoTables(options)).solve(position)
    damage(table.path)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            found = TableSolver(SemaforoTables(options)).solve(position)
            assert found.exact and found.score == exact.score
    [said] = caplog.messages
    assert "tabuleiro tables build semaforo --option board=3x3" in said
    # Made again, it serves again.
    files.make(table, lambda: semaforo.build(options))
    assert TableSolver(SemaforoTables(options)).solve(position) != found


def test_a_damaged_small_board_is_made_again(tmp_path: Path, damage: Damage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULEIRO_CACHE", str(tmp_path))
    options = SemaforoOptions(board="3x3")
    start, table = Semaforo.start(options), semaforo.table_of(options)
    exact = TableSolver(SemaforoTables(options)).solve(start)
    content = table.path.read_bytes()
    damage(table.path)
    assert TableSolver(SemaforoTables(options)).solve(start).moves == exact.moves
    assert table.path.read_bytes() == content


# ------------------------------------------------------------------------------------------------------------- commands


def test_solve_makes_a_damaged_table_again_and_says_so(tables: list[Path], made: Path, damage: Damage) -> None:
    damage(tables[LARGE])
    said = solve(POSITION)
    assert said.returncode == 0 and json.loads(said.stdout)["exact"] is True
    assert "was damaged and is made again" in said.stderr and said.stderr.count("\n") == 1
    assert good(tables[LARGE], made)
    assert solve(POSITION).stderr == ""


def test_verify_makes_a_damaged_table_again_and_says_so(tables: list[Path], made: Path) -> None:
    for seeds in (3, LARGE):
        flip(tables[seeds])
    said = command("tables", "verify", "ouri", "--seeds", str(LARGE), "--positions", "5")
    assert said.returncode == 0 and "all agree" in said.stdout
    assert said.stderr.count("was damaged and is made again") == 2
    assert good(tables[3], made) and good(tables[LARGE], made)


def test_verify_and_solve_make_a_damaged_board_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULEIRO_CACHE", str(tmp_path))
    table = semaforo.table_of(SemaforoOptions(board="3x3"))
    for arguments in (("tables", "verify"), ("solve",), ("tables", "build")):
        files.make(table, lambda: semaforo.build(SemaforoOptions(board="3x3")))
        flip(table.path)
        said = command(*arguments, "semaforo", "--option", "board=3x3")
        assert said.returncode == 0 and said.stderr.count("was damaged and is made again") == 1
        assert files.state(table) is State.GOOD


def test_list_says_which_command_mends(tables: list[Path]) -> None:
    flip(tables[LARGE])
    said = command("tables", "list", "--json")
    states = {table["table"]: table["state"] for table in json.loads(said.stdout)["tables"] if table["game"] == "ouri"}
    assert states.pop(f"ouri-{LARGE}") == "damaged" and set(states.values()) == {"good"}
    assert f"“tabuleiro tables build ouri --seeds {LARGE}” makes it again" in said.stderr


def test_where_there_is_no_time_nothing_is_mended(tables: list[Path]) -> None:
    flip(tables[LARGE])
    mend(POSITION, time.monotonic())
    assert files.state(ouri.table_of(OuriOptions(), LARGE)) is State.DAMAGED
    assert not list(tables[LARGE].parent.glob("*.part"))


def test_a_position_of_few_seeds_does_not_wait_for_large_tables(tables: list[Path]) -> None:
    flip(tables[LARGE])
    mend(Ouri.from_str("0,0,1,2,0,1/1,0,2,1,0,1 19-20 S"), None)
    assert files.state(ouri.table_of(OuriOptions(), LARGE)) is State.DAMAGED


# ------------------------------------------------------------------------------------------ full disks, kills, company


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_full_disk_leaves_what_is_good(tables: list[Path], made: Path) -> None:
    room = tables[LARGE].stat().st_size - 1
    flip(tables[LARGE])
    spoilt = tables[LARGE].read_bytes()
    built = command("tables", "build", "ouri", "--seeds", str(LARGE), largest_file=room)
    assert built.returncode == 1 and "could not be kept" in built.stderr
    solved = command("solve", "ouri", "--position", str(POSITION), "--json", largest_file=room)
    assert solved.returncode == 0 and json.loads(solved.stdout)["exact"] is True
    assert "could not be kept" in solved.stderr
    assert tables[LARGE].read_bytes() == spoilt
    assert all(good(path, made) for path in tables[:LARGE])
    assert not list(tables[0].parent.glob("*.part"))


def test_a_builder_that_is_killed_leaves_what_is_good(tables: list[Path], made: Path) -> None:
    for path in tables[LARGE - 1 :]:
        path.unlink()
        lock_of(path).unlink()
    build = [sys.executable, "-m", "tabuleiro", "--lang", "en", "tables", "build", "ouri", "--seeds", str(LARGE)]
    with subprocess.Popen([*build, "--threads", "1"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while not process.stdout.readline().startswith(f"seeds: {LARGE - 1};"):
            pass
        while not lock_of(tables[LARGE]).exists():  # until it makes the next one
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
    assert not tables[LARGE].exists()
    assert all(good(path, made) for path in tables[:LARGE])
    assert levels() == LARGE
    said = command(*build[5:])
    assert said.returncode == 0 and said.stdout.count("positions: ") == 1
    assert all(good(path, made) for path in tables)


def test_two_builders_at_once_do_no_harm(tables: list[Path], made: Path) -> None:
    for path in tables[6:]:
        path.unlink()
    flip(tables[3])
    build = [sys.executable, "-m", "tabuleiro", "tables", "build", "ouri", "--seeds", "10", "--threads", "1"]
    builders = [subprocess.Popen(build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(3)]
    assert [builder.wait() for builder in builders] == [0, 0, 0]
    assert all(good(path, made) for path in tables[:11])
    assert not list(tables[0].parent.glob("*.part"))
