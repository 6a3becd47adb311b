"""Short turns on a busy machine, where the system knows them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TURN = re.compile(r"se\.slice\s*:\s*(\d+)")


def turn_of(code: str) -> int | None:
    """How long a turn is, in nanoseconds, of a process that has run some code; None where the system does not say."""
    code = f"from pathlib import Path; {code}; print(Path('/proc/self/sched').read_text())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    found = TURN.search(done.stdout)
    return None if found is None else int(found[1])


def test_short_turns_are_asked_for_and_given_back() -> None:
    usual = turn_of("pass")
    short = turn_of("from tabuleiro.server import promptness as p; p.ask_for_short_turns()")
    again = turn_of("from tabuleiro.server import promptness as p; p.ask_for_short_turns(); p.ask_for_usual_turns()")
    release = tuple(int(part) for part in re.findall(r"\d+", os.uname().release)[:2])
    if usual is None or not Path("/proc/self/sched").exists() or release < (6, 12):
        pytest.skip("this system does not know turns of other lengths, or does not show them")
    assert short == 200_000 and again == usual
