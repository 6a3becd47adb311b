"""Rooms use each other in one direction: no circle, imports inside functions included; and the plan shows it."""

from graphlib import CycleError
from pathlib import Path

import pytest

import imports


def test_no_rooms_use_each_other_in_a_circle() -> None:
    order = imports.in_order(imports.uses())
    # Where the rooms that everything stands on are, and where people come in.
    assert {"language", "geometry"} <= set(order[: order.index("core")])
    assert order.index("core") < order.index("record") < order.index("search") < order.index("solve")
    assert order.index("solve") < order.index("players") < order.index("server") < order.index("cli")


def test_the_plan_shows_the_imports_that_are_there() -> None:
    shown = imports.written_in(imports.PAGE.read_text("utf-8"))
    assert shown == imports.diagram(imports.uses()), "python tests/imports.py --write"


def test_a_circle_hidden_in_a_function_is_seen(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("from tabuleiro import two\n")
    (tmp_path / "two.py").write_text("def late():\n    from tabuleiro.one import x\n")
    with pytest.raises(CycleError):
        imports.in_order(imports.uses(tmp_path))


def test_an_arrow_that_a_longer_way_implies_is_left_out() -> None:
    assert imports.reduced({"c": {"a", "b"}, "b": {"a"}, "a": set()}) == {"c": {"b"}, "b": {"a"}, "a": set()}
