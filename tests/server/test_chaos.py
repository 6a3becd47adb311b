"""Everything a server stands on breaks, by chance, while people play: nothing acknowledged is lost."""

import subprocess
import sys
from pathlib import Path

import pytest

from missing import leave_out
from server.neighbours import postgres_tool

CHAOS = Path(__file__).parents[2] / "bench" / "chaos.py"


def stands(*arguments: str) -> None:
    done = subprocess.run([sys.executable, CHAOS, *arguments], capture_output=True, text=True)
    assert done.returncode == 0 and "nothing acknowledged is missing" in done.stdout, done.stdout + done.stderr


def test_a_little_chaos_on_a_file() -> None:
    stands("--minutes", "0.2", "--games", "8", "--pace", "0.5")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_minutes_of_chaos(kind: str) -> None:
    if kind == "postgresql" and (postgres_tool("initdb") is None or not Path("/usr/sbin/nginx").exists()):
        leave_out("PostgreSQL or nginx is not installed")
    stands("--minutes", "2", "--kind", kind)
