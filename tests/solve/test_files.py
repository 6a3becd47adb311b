"""Table files: whatever happens to them, what is read from them is right."""

import errno
import mmap
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tabuleiro.solve import files
from tabuleiro.solve.files import HEADER, State, Table

TABLE = Table("semaforo", "example", 10_000)
CONTENT = bytes(number * 37 % 251 for number in range(10_000))


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULEIRO_CACHE", str(tmp_path / "tables"))


def built() -> mmap.mmap:
    content = files.room_for(len(CONTENT))
    content[:] = CONTENT
    return content


def refused() -> mmap.mmap:
    raise AssertionError("a good table is not built again")


def flip(path: Path, place: int) -> None:
    whole = bytearray(path.read_bytes())
    whole[place] ^= 1 << place % 8
    path.write_bytes(whole)


def test_a_table_is_built_once_and_then_read() -> None:
    assert files.state(TABLE) is State.MISSING
    assert bytes(files.make(TABLE, built)) == CONTENT
    assert files.state(TABLE) is State.GOOD
    assert bytes(files.make(TABLE, refused)) == CONTENT


def test_one_flipped_bit_anywhere_is_noticed_and_the_table_made_again() -> None:
    files.make(TABLE, built)
    good = TABLE.path.read_bytes()
    for place in [0, 20, 70, 100, HEADER - 1, HEADER, HEADER + 1, HEADER + 5_003, len(good) - 1]:
        flip(TABLE.path, place)
        assert files.state(TABLE) is State.DAMAGED, place
        assert bytes(files.obtain(TABLE, built)) == CONTENT
        assert TABLE.path.read_bytes() == good


@pytest.mark.parametrize("size", [0, 1, HEADER, HEADER + 9_999, HEADER + 10_001])
def test_a_file_of_another_length_is_no_table(size: int) -> None:
    files.make(TABLE, built)
    os.truncate(TABLE.path, size)
    assert files.state(TABLE) is State.DAMAGED
    assert bytes(files.obtain(TABLE, built)) == CONTENT
    assert files.state(TABLE) is State.GOOD


def test_a_table_of_something_else_is_not_taken_for_this_one() -> None:
    files.make(TABLE, built)
    for other in (
        Table("ouri", "example", 10_000),
        Table("semaforo", "other", 10_000),
        Table("semaforo", "example", 10_000, version=2),
    ):
        TABLE.path.parent.joinpath(other.path.name).write_bytes(TABLE.path.read_bytes())
        assert files.state(other) is State.DAMAGED


def test_a_full_disk_leaves_the_last_good_table(monkeypatch: pytest.MonkeyPatch) -> None:
    files.make(TABLE, built)
    good = TABLE.path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    newer = Table("semaforo", "example", 10_000, version=2)
    with pytest.raises(OSError, match="space"):
        files.make(newer, built)
    assert TABLE.path.read_bytes() == good
    assert not list(TABLE.path.parent.glob("*.part"))
    # Where it can do without the file, the table still serves.
    assert bytes(files.obtain(newer, built)) == CONTENT


def test_of_a_damaged_table_one_warning_is_given_until_it_changes(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    assert files.read_or_say(TABLE, "do this") is None  # a missing table is nothing to speak of
    files.make(TABLE, built)
    content = files.read_or_say(TABLE, "do this")
    assert content is not None and bytes(content) == CONTENT
    flip(TABLE.path, HEADER)
    for _ in range(3):
        assert files.read_or_say(TABLE, "do this") is None
    assert len(caplog.messages) == 1 and "“do this” makes it again" in caplog.messages[0]
    files.make(TABLE, built)
    assert files.read_or_say(TABLE, "do this") is not None
    assert len(caplog.messages) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not keep to this limit")
def test_a_table_too_large_for_a_process_is_not_taken_for_damaged() -> None:
    files.make(TABLE, built)
    os.truncate(TABLE.path, 1 << 40)
    program = """
import resource
from tabuleiro.solve import files
resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
table = files.Table("semaforo", "example", 10_000)
print(files.read_or_say(table, "do this"), files.state(table).name)
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (said.stdout.split(), said.stderr) == (["None", "OUT_OF_REACH"], "")


def test_a_folder_that_cannot_be_used_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.joinpath("file").write_text("not a folder")
    monkeypatch.setenv("TABULEIRO_CACHE", str(tmp_path / "file"))
    assert bytes(files.obtain(TABLE, built)) == CONTENT


def test_interrupted_building_leaves_nothing_behind() -> None:
    def interrupted() -> mmap.mmap:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        files.make(TABLE, interrupted)
    assert files.state(TABLE) is State.MISSING
    assert bytes(files.make(TABLE, built)) == CONTENT


#: Makes the table in a process of its own: says when it waits for its turn and when it builds, and ends writing when it
#: is told to.
MAKER = """
import fcntl, os, sys
from tabuleiro.solve import files
from tabuleiro.solve.files import Table

def build():
    print("building", flush=True)
    content = files.room_for(10_000)
    content[:] = bytes(number * 37 % 251 for number in range(10_000))
    return content

write, lock = os.fsync, fcntl.flock
def when_told(descriptor):
    print("writing", flush=True)
    sys.stdin.readline()
    write(descriptor)
def aloud(*arguments):
    print("waiting", flush=True)
    lock(*arguments)
os.fsync, fcntl.flock = when_told, aloud
print(bytes(files.make(Table("semaforo", "example", 10_000, version=int(sys.argv[1])), build))[:3].hex(), flush=True)
"""


def maker(version: int = 1) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", MAKER, str(version)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def wait_for(process: "subprocess.Popen[str]", line: str) -> None:
    assert process.stdout is not None
    while (said := process.stdout.readline()) and said.strip() != line:
        pass
    assert said


def test_killed_while_writing_leaves_the_last_good_table() -> None:
    files.make(TABLE, built)
    good = TABLE.path.read_bytes()
    process = maker(version=2)
    wait_for(process, "writing")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert TABLE.path.read_bytes() == good
    assert bytes(files.make(TABLE, refused)) == CONTENT
    # The next maker is not kept out by the dead one, and clears away what it left.
    assert list(TABLE.path.parent.glob("*.part"))
    TABLE.path.unlink()
    assert bytes(files.make(TABLE, built)) == CONTENT
    assert not list(TABLE.path.parent.glob("*.part"))


def test_of_two_makers_at_once_the_second_waits_and_finds_the_table() -> None:
    first = maker()
    wait_for(first, "writing")
    second = maker()
    wait_for(second, "waiting")
    said = [process.communicate("write\n")[0].split() for process in (first, second)]
    assert [process.returncode for process in (first, second)] == [0, 0]
    assert said[0][-1] == CONTENT[:3].hex()
    assert said[1] == [CONTENT[:3].hex()], "the second built the table once more"
    assert bytes(files.make(TABLE, refused)) == CONTENT


def test_waiting_for_another_maker_can_be_interrupted() -> None:
    first = maker()
    wait_for(first, "writing")
    second = maker()
    wait_for(second, "waiting")
    second.send_signal(signal.SIGINT)
    second.communicate(timeout=10)
    assert second.returncode != 0
    first.kill()
    first.communicate()
