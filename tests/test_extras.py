"""The library and the terminal work without what the server, training and development need."""

import ast
import importlib.metadata
import os
import re
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

#: Runs `tabuleiro` where nothing of the extras can be imported.
WITHOUT_EXTRAS = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
{then}
"""


def imported_as(requirement: str) -> str:
    name = re.split(r"[\[<>=]", requirement)[0]
    return {"open_spiel": "pyspiel"}.get(name, name)


MISSING = sorted({imported_as(name) for extra in PROJECT["optional-dependencies"].values() for name in extra})


def without_extras(then: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    program = WITHOUT_EXTRAS.format(missing=set(MISSING) - {"tabuleiro"}, then=then)
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"LANG": "en_GB.UTF-8"},
    )


def test_what_the_server_needs_is_known_here() -> None:
    assert {"fastapi", "uvicorn", "sqlalchemy", "orjson"} <= set(MISSING)
    assert not any("typer" in name for name in MISSING)


@pytest.mark.parametrize(
    "arguments",
    [
        ("games",),
        ("show", "hex", "--play", "a1 b2"),
        ("rules", "konane"),
        ("analyse", "semaforo", "--time", "0.1"),
        ("solve", "rastros"),
        ("match", "avanco", "random", "level:1", "--games", "2"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_the_terminal_needs_no_extra(arguments: tuple[str, ...]) -> None:
    done = without_extras("from tabuleiro.cli import main; main()", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("command", [("serve", "--port"), ("token", "list")], ids=lambda command: command[0])
def test_a_command_of_the_server_says_what_to_install(command: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:  # another server runs on the port
        more = (str(busy.getsockname()[1]),) if "--port" in command else ()
        done = without_extras("from tabuleiro.cli import main; main()", *command, *more)
    assert done.returncode != 0
    assert "tabuleiro[server]" in done.stderr
    assert "Traceback" not in done.stderr


def test_every_package_that_is_imported_is_declared() -> None:
    declared = {
        re.split(r"[\[<>=]", line)[0].lower().replace("_", "-")
        for lines in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
        for line in lines
    }
    of_module = importlib.metadata.packages_distributions()
    undeclared = {}
    folders = ("src", "docs", "tests", "bench")
    own = {
        part for folder in folders for path in (ROOT / folder).rglob("*.py") for part in (path.stem, path.parent.name)
    }
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            for name in imported_by(path) - set(sys.stdlib_module_names) - own - {"training"}:
                distributions = {each.lower().replace("_", "-") for each in of_module.get(name, [name])}
                if not distributions & declared:
                    undeclared[name] = str(path.relative_to(ROOT))
    assert undeclared == {}


def imported_by(path: Path) -> set[str]:
    """The top-level names of what a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            found.add(node.module.partition(".")[0])
    return found
