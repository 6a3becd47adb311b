"""Searches that are kept say nothing false where positions come back: small random games, played out by their rules."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from missing import leave_out

#: Compiling takes a minute on a busy machine.
pytestmark = pytest.mark.long

SOURCE = Path(__file__).with_name("graph_game.cpp")
NATIVE = Path(__file__).parents[2] / "native"
#: Random games of each set of rules.
GAMES = 3_000


def test_what_is_proven_is_true_however_a_search_was_used_before(tmp_path: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        leave_out("no C++ compiler")
    program = tmp_path / "graph_game"
    flags = ["-std=c++20", "-O1", "-pthread", f"-I{NATIVE}"]
    subprocess.run([compiler, *flags, SOURCE, "-o", program], check=True, timeout=600)
    done = subprocess.run([program, "0", str(GAMES)], check=True, timeout=600, capture_output=True, text=True)
    counts = {}
    for line in done.stdout.splitlines():
        name, numbers = line.split(": ")
        questions, proven, wrong = map(int, numbers.split())
        counts[name] = questions, proven, wrong
    assert {name: wrong for name, (_, _, wrong) in counts.items() if wrong} == {}
    assert len(counts) > 60
    # Most questions are answered, or there would be nothing to compare.
    asked = [(questions, proven) for questions, proven, _ in counts.values() if questions]
    assert len(asked) > 60 and all(proven > questions / 2 for questions, proven in asked)
