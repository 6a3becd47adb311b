"""The tutorials run from the first cell to the last, and are stored without what they printed."""

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))
#: What a notebook needs besides what developers have.
NEEDS = {"6-championship-records": "pandas"}
#: Those that take a second or two.
QUICK = {"1-rules-and-pictures"}


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == kind]


def parameter(path: Path) -> Any:
    return pytest.param(path, id=path.stem, marks=() if path.stem in QUICK else pytest.mark.long)


@pytest.mark.parametrize("path", [parameter(path) for path in NOTEBOOKS])
def test_a_notebook_runs(path: Path) -> None:
    if path.stem in NEEDS:
        pytest.importorskip(NEEDS[path.stem], reason=f"pip install {NEEDS[path.stem]}")
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells(path, "code")):
        exec(compile("".join(cell["source"]), f"{path.name}, code cell {number + 1}", "exec"), names)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    assert path.stat().st_size < 20_000
    assert cells(path, "markdown")[0]["source"][0].startswith("# ")
    for cell in cells(path, "code"):
        assert cell["outputs"] == []
        assert cell["execution_count"] is None


def test_there_are_six() -> None:
    assert [path.stem[0] for path in NOTEBOOKS] == [*"123456"]
