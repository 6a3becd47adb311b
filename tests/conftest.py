import os

import pytest
from hypothesis import settings

# The same examples on every run of the continuous integration, other ones each time at a desk.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--games", type=int, default=10, help="random games per game and option extreme")
