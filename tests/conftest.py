import os
import shutil
import tempfile

import pytest
from hypothesis import settings

# The same examples on every run of the continuous integration, other ones each time at a desk.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_configure(config: pytest.Config) -> None:
    # Tables are made anew for each run, shared by the processes of a run, and never those of the user.
    if not hasattr(config, "workerinput"):
        os.environ["TABULEIRO_CACHE"] = tempfile.mkdtemp(prefix="tabuleiro-tables-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop("TABULEIRO_CACHE"), ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--games", type=int, default=10, help="random games per game and option extreme")
