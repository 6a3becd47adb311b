"""Runs of hours: what they keep is whole or refused, and nothing that happens to them costs more than a while."""

import errno
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helpers import wait_for_work
from tabuleiro import _native
from tabuleiro.games.konane import Konane, KonaneOptions
from tabuleiro.games.rastros import Rastros, RastrosOptions
from tabuleiro.record import Node
from tabuleiro.solve import SolveError, files, runs
from tabuleiro.solve.base import silent
from tabuleiro.solve.konane import KonaneSolver
from tabuleiro.solve.runs import Checkpoint, Run

START = Rastros.start(RastrosOptions(size=5))
CONTENT = bytes(range(200))


def content(file: Path) -> bytes:
    return bytes(runs.read(file, START).content)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "run"
    assert runs.read(file, START) == Checkpoint()
    for pieces in ([CONTENT], [CONTENT[:7], b"", CONTENT[7:]]):
        runs.write(file, START, Checkpoint(12, 3.5), pieces)
        found = runs.read(file, START)
        assert (found.nodes, found.seconds, bytes(found.content)) == (12, 3.5, CONTENT)
    runs.write(file, START, Checkpoint(), [])
    assert content(file) == b""


def test_one_flipped_bit_anywhere_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "run"
    runs.write(file, START, Checkpoint(12, 3.5), [CONTENT])
    good = file.read_bytes()
    for place in range(len(good)):
        file.write_bytes(good[:place] + bytes([good[place] ^ 1 << place % 8]) + good[place + 1 :])
        with pytest.raises(SolveError, match="damaged"):
            runs.read(file, START)


def test_a_file_of_another_length_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run"
    runs.write(file, START, Checkpoint(12, 3.5), [CONTENT])
    good = file.read_bytes()
    for text in (b"", good[:1], good[:40], good[:-1], good + b"\n", b"\n\n", b"\0" * 5000):
        file.write_bytes(text)
        with pytest.raises(SolveError, match="damaged"):
            runs.read(file, START)


def test_other_rules_are_another_question(tmp_path: Path) -> None:
    file = tmp_path / "run"
    runs.write(file, Konane.start(KonaneOptions(opening="removal")), Checkpoint(), [CONTENT])
    with pytest.raises(SolveError, match="another position"):
        runs.read(file, Konane.start(KonaneOptions(opening="traditional")))


# -------------------------------------------------------------------------------------------------------- while it runs


class Counting:
    """A run that counts, and is done at some number."""

    def __init__(self, last: int) -> None:
        self.at, self.last = 0, last

    def restore(self, content: "memoryview[int] | bytes") -> None:
        self.at = int(bytes(content) or b"0")

    def step(self, tell: Callable[[int], object]) -> tuple[bool, int]:
        self.at += 1
        tell(self.at)
        return self.at >= self.last, self.at

    def run(self, pause: float = 0.0) -> Run:
        return Run(self.restore, self.step, lambda: [str(self.at).encode()], pause)


def full(descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_does_not_end_a_run_or_take_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    file = tmp_path / "run"
    runs.write(file, START, Checkpoint(3, 1.0), [b"3"])
    good = file.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    counting = Counting(6)
    with caplog.at_level(logging.WARNING):
        runs.go_on(file, START, counting.run(), _native.StopFlag(), silent)
    assert counting.at == 6
    assert "space" in caplog.text and "as it was" in caplog.text
    assert file.read_bytes() == good and list(tmp_path.iterdir()) == [file]


def test_a_run_that_is_stopped_says_that_it_could_not_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    stop = _native.StopFlag()
    stop.set()
    with pytest.raises(SolveError, match="cannot be written"):
        runs.go_on(tmp_path / "run", START, Counting(5).run(), stop, silent)
    assert not list(tmp_path.iterdir())


def test_an_interrupted_run_is_kept(tmp_path: Path) -> None:
    def interrupt(part: float | None, nodes: int) -> None:
        if nodes == 4:
            raise KeyboardInterrupt

    file = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        runs.go_on(file, START, Counting(9).run(60.0), _native.StopFlag(), interrupt)
    assert content(file) == b"4"


def test_two_runs_do_not_work_on_one_file(tmp_path: Path) -> None:
    file = tmp_path / "run"

    def second(part: float | None, nodes: int) -> None:
        with pytest.raises(SolveError, match="another run"):
            runs.go_on(file, START, Counting(3).run(), _native.StopFlag(), silent)

    runs.go_on(file, START, Counting(3).run(), _native.StopFlag(), second)
    runs.go_on(file, START, Counting(4).run(), _native.StopFlag(), silent)
    assert content(file) == b"4"


def test_what_a_killed_writer_left_is_cleared_away(tmp_path: Path) -> None:
    tmp_path.joinpath("run.123.part").write_bytes(b"half")
    runs.go_on(tmp_path / "run", START, Counting(2).run(), _native.StopFlag(), silent)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_more_memory_than_there_is_is_refused(tmp_path: Path) -> None:
    for memory in (1 << 47, 1 << 60):
        with pytest.raises(SolveError, match="ask for less"):
            KonaneSolver(KonaneOptions()).resume(
                tmp_path / "run", memory, Node(Konane.start()), _native.StopFlag(), silent
            )


# ---------------------------------------------------------------------------------------------------------- the command

LONG = {"konane": ["konane"], "rastros": ["rastros", "--option", "size=8"]}
#: One of them at every run, the other in the long one.
LONG_GAMES = ["konane", pytest.param("rastros", marks=pytest.mark.long)]


@contextmanager
def running(game: str, file: Path, memory: str) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", "tabuleiro", "--lang", "en", "solve", *LONG[game]]
    command += ["--resume", str(file), "--memory", memory, "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        assert "of memory" in process.stderr.readline()  # now it works
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("game", LONG_GAMES)
def test_a_run_that_is_asked_to_end_saves_and_ends(game: str, tmp_path: Path) -> None:
    file, nodes = tmp_path / "run", 0
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with running(game, file, "64M") as process:
            wait_for_work(process, 1.0)
            process.send_signal(number)
            said, _ = process.communicate(timeout=60)
        assert process.returncode == 1
        found = json.loads(said)
        assert found["exact"] is False and found["value"] is None
        # Each goes on where the one before ended.
        assert found["nodes"] > nodes
        nodes = found["nodes"]
        assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("game", LONG_GAMES)
def test_a_run_keeps_to_its_memory(game: str, tmp_path: Path) -> None:
    with running(game, tmp_path / "run", "200M") as process:
        wait_for_work(process, 3.0)
        status = Path(f"/proc/{process.pid}/status").read_text()
    peak = int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
    assert peak < 200 << 10


def test_the_lock_of_a_file_is_its_own(tmp_path: Path) -> None:
    """Names with dots or stars are names like others."""
    tmp_path.joinpath("other.1.part").write_bytes(b"")
    with files.locked(tmp_path / "*"), files.locked(tmp_path / "a.b"), files.locked(tmp_path / "a.c"):
        assert tmp_path.joinpath("other.1.part").exists()
