"""The walks through the house in docs/architecture.md pass through files, and names in them, that are there."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
STEP = re.compile(r"^\d+\. `(?P<file>[^`]+)`(?: (?P<names>`[^`]+`(?:, `[^`]+`)*))?: ", re.MULTILINE)


def walks() -> dict[str, list[tuple[str, list[str]]]]:
    """Each walk by its title: its files in order, with the names that it passes in them."""
    section = PAGE.split("\n## Four walks\n")[1].split("\n## ")[0]
    titles = re.split(r"^### (.+)$", section, flags=re.MULTILINE)[1:]
    return {
        title: [(step["file"], re.findall(r"`([^`]+)`", step["names"] or "")) for step in STEP.finditer(steps)]
        for title, steps in zip(titles[::2], titles[1::2], strict=True)
    }


def test_there_are_four_walks() -> None:
    assert len(walks()) == 4
    assert all(len(steps) >= 5 for steps in walks().values())


@pytest.mark.parametrize(
    ("file", "names"), sorted({(file, tuple(names)) for steps in walks().values() for file, names in steps})
)
def test_a_step_of_a_walk_is_there(file: str, names: tuple[str, ...]) -> None:
    path = ROOT / file
    assert path.is_file()
    if path.suffix != ".py":
        content = path.read_text("utf-8")
        assert all(name in content for name in names)
        return
    module = importlib.import_module(".".join(path.relative_to(ROOT / "src").with_suffix("").parts))
    for name in names:
        found: object = module
        for part in name.split("."):
            found = getattr(found, part)
