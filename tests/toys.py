"""Adding something to a registry for a test, as anybody would: one file beside it, and one line in it."""

import importlib
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tabuleiro.games
from tabuleiro import Position

RECIPE = Path(__file__).parent.parent / "CONTRIBUTING.md"


def add_to_registry(
    monkeypatch: pytest.MonkeyPatch, folder: Path, registry: ModuleType, dictionary: str, line: str, code: str
) -> dict[str, Any]:
    """Write a file beside a registry, and add a line with its name after the last one. The entries that are new come
    into the registry's dictionary, and are returned."""
    package = registry if hasattr(registry, "__path__") else sys.modules[registry.__name__.rpartition(".")[0]]
    (folder / line.strip(' ,"\n')).with_suffix(".py").write_text(code, "utf-8")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    importlib.invalidate_caches()
    before, found, after = Path(str(registry.__file__)).read_text("utf-8").partition(f"{dictionary}: dict")
    last_line = re.findall(r"^ {8}\".*\",\n", after.partition("\n}\n")[0] + "\n", re.MULTILINE)[-1]
    assert found and after.count(last_line) == 1
    changed: dict[str, Any] = {"__name__": registry.__name__}
    exec(before + found + after.replace(last_line, last_line + line), changed)
    known = getattr(registry, dictionary)
    new = {name: entry for name, entry in changed[dictionary].items() if name not in known}
    for name, entry in new.items():
        monkeypatch.setitem(known, name, entry)
    return new


def add_tictactoe(monkeypatch: pytest.MonkeyPatch, folder: Path) -> type[Position]:
    """The ninth game, by CONTRIBUTING's recipe."""
    recipe = RECIPE.read_text("utf-8")
    code, line = re.findall(r"```(?:python)?\n(.*?)```", recipe.split("## Adding a game")[1], re.DOTALL)[:2]
    game: type[Position] = add_to_registry(monkeypatch, folder, tabuleiro.games, "GAMES", line, code)["tictactoe"]
    return game


def forget_module(name: str) -> None:
    sys.modules.pop(name, None)
    importlib.invalidate_caches()
