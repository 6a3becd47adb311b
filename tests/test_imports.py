"""Imports point left only: each room may use the rooms before it, never those behind."""

import ast
from pathlib import Path

import tabuleiro

ROOMS = (
    "language", "geometry", "core", "games", "record", "hexformats", "text", "svg", "perft", "rulebook",
    "_native", "native", "search", "solve", "nn", "engine", "match", "arena", "server", "cli",
)  # fmt: skip
PACKAGE = Path(tabuleiro.__file__).parent


def room(module: str) -> str:
    return module.removeprefix("tabuleiro.").split(".")[0]


def imports_when_loaded(source: Path) -> list[str]:
    """The modules of the house imported as the file is loaded; an import inside a function is not."""
    found: list[str] = []
    waiting: list[ast.AST] = [ast.parse(source.read_text("utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module] if node.module != "tabuleiro" else [f"tabuleiro.{a.name}" for a in node.names]
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += ast.iter_child_nodes(node)
    return [name for name in found if name.startswith("tabuleiro.")]


def test_imports_point_left() -> None:
    wrong = []
    for source in PACKAGE.rglob("*.py"):
        here = source.relative_to(PACKAGE).with_suffix("").parts[0]
        if here in ("__init__", "__main__"):
            continue
        assert here in ROOMS, f"say in ROOMS where {here} stands"
        for name in imports_when_loaded(source):
            # A package may use its own modules.
            if ROOMS.index(room(name)) > ROOMS.index(here):
                wrong.append(f"{source.relative_to(PACKAGE)} imports {name}")
    assert wrong == []
