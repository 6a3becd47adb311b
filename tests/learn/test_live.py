"""What is drawn on a board anew after each move."""

import itertools
import random
from collections.abc import Sequence

import pytest

from tabuleiro.diagrams import Diagram, Overlay
from tabuleiro.games import get
from tabuleiro.learn import live_overlay
from tabuleiro.record import Node
from tabuleiro.solve.matching import most_pairs


def _drawn(game: str, position: str, *live: str) -> tuple[Overlay, list[str]]:
    here = get(game).from_str(position)
    diagram = Diagram(here, (), (), (), (), False, "", live=live)
    return live_overlay(Node(here), diagram), list(here.geometry.names)


def test_values_of_moves() -> None:
    overlay, names = _drawn("semaforo", "GRGY/R2R/R2Y 1", "values")
    values = {names[cell]: sign for cell, sign in overlay.values}
    assert values.pop("c3") == "+" and set(values.values()) == {"\N{MINUS SIGN}"}


def test_safe_moves_are_counted() -> None:
    overlay, names = _drawn("semaforo", "Y1YR/RRGG/Y1GY 1", "safe")
    (region,) = overlay.regions
    assert ([names[cell] for cell in region.cells], region.label) == (["b1", "d1", "d2"], "3")


def test_the_region_and_the_dominoes_of_rastros() -> None:
    overlay, names = _drawn("rastros", "######1/####1##/###1###/##O2##/###1###/#######/1###### 1", "region", "dominoes")
    (region,) = overlay.regions
    assert ({names[cell] for cell in region.cells}, region.label) == ({"d3", "d4", "e4", "d5", "e6"}, "5")
    dominoes = [{names[first], names[second]} for first, second in overlay.dominoes]
    assert {"d5", "e6"} in dominoes and len(dominoes) == 3
    odd, names = _drawn("rastros", "######1/#######/##3##/##1O1##/##3##/#######/1###### 1", "dominoes")
    assert len(odd.dominoes) == 4
    assert all("d4" not in {names[first], names[second]} for first, second in odd.dominoes), "the marker is left out"


def test_nothing_is_drawn_when_the_game_is_over() -> None:
    assert _drawn("semaforo", "GGG1/4/4 2", "values", "safe")[0] == Overlay()


def _largest(edges: Sequence[tuple[int, int]], used: frozenset[int] = frozenset()) -> int:
    """The most pairs, by trying everything."""
    free = [edge for edge in edges if not used & {*edge}]
    if not free:
        return 0
    first = free[0]
    return max(1 + _largest(free[1:], used | {*first}), _largest(free[1:], used))


@pytest.mark.parametrize("seed", range(60))
def test_dominoes_are_as_many_as_possible_and_leave_the_last_place_alone_if_any_way_does(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(1, 8)
    edges = [edge for edge in itertools.combinations(range(size), 2) if chance.random() < 0.45]
    near = {
        place: [other for edge in edges for other in edge if place in edge and other != place] for place in range(size)
    }
    last = chance.randrange(size)
    mate = most_pairs(near, last)
    assert all(mate[mate[place]] == place and mate[place] in near[place] for place in mate)
    assert len(mate) == 2 * _largest(edges)
    needed = _largest([edge for edge in edges if last not in edge]) < _largest(edges)
    assert (last in mate) == needed
