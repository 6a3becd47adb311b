"""What becomes of a test whose program is not installed."""

import os
from typing import NoReturn

import pytest


def leave_out(reason: str) -> NoReturn:
    """A person's machine may lack a program, and is told; where everything is to be tried ($CI), that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
