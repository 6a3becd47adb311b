"""Which room of the house uses which, read from the code: every import counts, those inside functions too.

    python tests/imports.py            the diagram (Mermaid) of docs/architecture.md
    python tests/imports.py --all      each file's imports of other rooms, a line each
    python tests/imports.py --write    put the diagram into docs/architecture.md

A room is a module or a package directly below `tabuleiro`. The diagram leaves out an arrow where a longer way says the
same.
"""

import argparse
import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "tabuleiro"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- made by tests/imports.py --write -->\n", "<!-- end -->"

#: Rooms are named by what stands below `tabuleiro`; the package itself (`tabuleiro/__init__.py`) is its front.
FRONT = "tabuleiro"


def imports_of(source: Path) -> Iterator[str]:
    """The modules of the house that a file imports, wherever in the file, as dotted names below `tabuleiro`."""
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == FRONT:
            names = [f"{FRONT}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module]
        elif isinstance(node, ast.ImportFrom) and node.level > 0:
            raise ValueError(f"{source}, line {node.lineno}: write imports in full")
        else:
            continue
        yield from (name.removeprefix(f"{FRONT}.") for name in names if name.startswith(f"{FRONT}."))


def room_of(source: Path, package: Path = PACKAGE) -> str:
    first = source.relative_to(package).with_suffix("").parts[0]
    return FRONT if first in ("__init__", "__main__") else first


def rooms_of(package: Path = PACKAGE) -> set[str]:
    found = {room_of(source, package) for source in package.rglob("*.py")}
    return found | {source.name.removesuffix(".pyi") for source in package.glob("*.pyi")}


def uses(package: Path = PACKAGE) -> dict[str, set[str]]:
    """For each room the other rooms that it uses. Rooms take nothing from the front, which is for people, but its
    version."""
    rooms = rooms_of(package)
    used: dict[str, set[str]] = {room: set() for room in rooms}
    for source in package.rglob("*.py"):
        here = room_of(source, package)
        for name in imports_of(source):
            there = name.split(".")[0]
            if there not in rooms and there != "__version__":
                raise ValueError(f"{source}: import {name} from the room where it is defined")
            if there in rooms and there != here:
                used[here].add(there)
    return used


def in_order(used: dict[str, set[str]]) -> list[str]:
    """The rooms, each behind all that it uses. Raises `graphlib.CycleError` where rooms use each other in a circle."""
    sorter = TopologicalSorter({room: sorted(used[room]) for room in sorted(used)})
    return [*sorter.static_order()]


def reduced(used: dict[str, set[str]]) -> dict[str, set[str]]:
    """The same arrows without those that a longer way implies."""
    reach: dict[str, set[str]] = {}
    for room in in_order(used):
        reach[room] = used[room].union(*(reach[other] for other in used[room]))
    return {
        room: {other for other in used[room] if not any(other in reach[via] for via in used[room])} for room in used
    }


def diagram(used: dict[str, set[str]]) -> str:
    arrows = reduced(used)
    lines = [f"  {other} --> {room}" for room in in_order(used) for other in sorted(arrows[room])]
    return "\n".join(["```mermaid", "flowchart LR", *lines, "```"]) + "\n"


def written_in(page: str) -> str:
    """The diagram that stands in a page."""
    return page.split(BEGIN)[1].split(END)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="each file's imports of other rooms")
    parser.add_argument("--write", action="store_true", help="put the diagram into docs/architecture.md")
    asked = parser.parse_args()
    if asked.all:
        for source in sorted(PACKAGE.rglob("*.py")):
            others = {name for name in imports_of(source) if name.split(".")[0] != room_of(source)}
            print(f"{source.relative_to(PACKAGE)}: {', '.join(sorted(others)) or '-'}")
        return
    made = diagram(uses())
    if asked.write:
        page = PAGE.read_text("utf-8")
        PAGE.write_text(page.replace(f"{BEGIN}{written_in(page)}{END}", f"{BEGIN}{made}{END}"), "utf-8")
    else:
        print(made, end="")


if __name__ == "__main__":
    main()
