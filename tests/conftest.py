import os
import shutil
import signal
import tempfile
from typing import Any

import pytest
from hypothesis import settings

# The same examples on every run of the continuous integration, other ones each time at a desk.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


# Whatever starts the tests may have made them deaf to these signals, as shells do with what runs behind; the programs
# that are tested would then be deaf, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_configure(config: pytest.Config) -> None:
    # Tables are made anew for each run, shared by the processes of a run, and never those of the user.
    if not hasattr(config, "workerinput"):
        os.environ["TABULEIRO_CACHE"] = tempfile.mkdtemp(prefix="tabuleiro-tables-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop("TABULEIRO_CACHE"), ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--games", type=int, default=10, help="random games per game and option extreme")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Which games were played through the page, how, and how many plies of each."""
    played: dict[tuple[str, str], dict[str, int]] = {}
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name == "played":
                game, way, device, plies = value
                table = played.setdefault((way, device), {})
                table[game] = max(plies, table.get(game, 0))
    if not played:
        return
    columns = sorted(played)
    games = sorted({game for plies in played.values() for game in plies})
    terminalreporter.write_sep("-", "plies played through the page, to the end of the game")
    terminalreporter.write_line(f"{'':12}" + "".join(f"{way + ' ' + device:>13}" for way, device in columns))
    for game in games:
        cells = "".join(f"{played[column].get(game, '-'):>13}" for column in columns)
        terminalreporter.write_line(f"{game:12}{cells}")
