"""Endings of Ouri where after a cycle the owners collect: ranges, against everything played out by the Python rules."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import product

import pytest

from tabuleiro import _native
from tabuleiro.core import Player, Position
from tabuleiro.games.ouri import Ouri, OuriOptions
from tabuleiro.record import Node
from tabuleiro.search import AlphaBetaEngine, Limit
from tabuleiro.solve import SolveError, ouri
from tabuleiro.solve.registry import search_tables
from tabuleiro.solve.verify import PlayedOut, all_of, ouri_ranges, random_ouri, range_of

RULES = [OuriOptions(cycle_collect="owners"), OuriOptions(rules="oware", cycle_collect="owners")]
SEEDS = 7


@pytest.fixture(params=RULES, ids=["ouri", "oware"])
def options(request: pytest.FixtureRequest) -> OuriOptions:
    assert isinstance(request.param, OuriOptions)
    return request.param


@cache
def ranges_of(options: OuriOptions) -> _native.OuriEndings:
    endings = ouri.empty_endings(options)
    for _ in range(SEEDS + 1):
        endings.add(ouri.build_level(endings))
    return endings


def tables_of(options: OuriOptions, _: Position) -> _native.OuriEndings:
    return ranges_of(options)


def test_what_comes_of_playing_everything_out_lies_in_the_range(options: OuriOptions) -> None:
    endings, chance = ranges_of(options), random.Random(1)
    assert [checked.positions > 5 for checked in ouri_ranges(options, endings, 20, chance)] == [True]


def test_most_ranges_are_narrow(options: OuriOptions) -> None:
    """Else they would be true and say nothing."""
    endings = ranges_of(options)
    found = [range_of(position, endings) for position in all_of(5, options)]
    assert sum(least == most for least, most in found) > 0.8 * len(found)
    assert all(-5 <= least <= most <= 5 for least, most in found)


def test_a_range_that_promises_too_much_is_found(options: OuriOptions) -> None:
    endings = ouri.empty_endings(options)
    for seeds in range(4):
        content = bytearray(ouri.build_level(endings))
        # Everybody is sure of every seed.
        endings.add(content if seeds < 3 else bytes([3, 3]) * (len(content) // 2))
    with pytest.raises(SolveError, match="the table is wrong"):
        list(ouri_ranges(options, endings, 60, random.Random(1)))


def test_what_is_no_range_is_refused(options: OuriOptions) -> None:
    endings = ouri.empty_endings(options)
    endings.add(ouri.build_level(endings))
    content = bytearray(ouri.build_level(endings))
    for wrong in (bytes([1, 255]), bytes([2, 2]), bytes([254, 0])):
        with pytest.raises(ValueError, match="no endings"):
            endings.add(wrong + content[2:])


# ------------------------------------------------------------------------------------------------------------ searching


def games_with_a_past(options: OuriOptions, wanted: int) -> Iterator[Node]:
    """Games of few seeds, some random moves on, with stores that leave the result open."""
    chance = random.Random(options.rules)
    while wanted:
        seeds = chance.randint(2, 5)
        south = (48 - seeds) // 2 + chance.randint(-1, 1)
        houses = random_ouri(seeds, options, chance).houses
        node = Node(Ouri(chance.choice(list(Player)), options, houses, (south, 48 - seeds - south)))
        for _ in range(chance.randint(0, 20)):
            if node.outcome is None:
                node = Node(node.position.play(move := chance.choice(node.position.legal_moves())), node, move)
        if node.outcome is None:
            wanted -= 1
            yield node


def test_what_a_search_proves_with_them_is_true() -> None:
    proven = helped = 0
    for options, threshold in product(RULES, (2, 3)):
        with_tables = AlphaBetaEngine(tables=partial(tables_of, options), table=1)
        without = AlphaBetaEngine(table=1)
        for node in games_with_a_past(replace(options, cycle_threshold=threshold), 25):
            if (gain := PlayedOut(200).gain(node)) is None:
                continue
            worth = (gain > 0) - (gain < 0)
            found = [engine.analyse(node, Limit(depth=2)) for engine in (with_tables, without)]
            for analysis in found:
                if analysis.exact:
                    assert analysis.score.worth == (worth if node.position.turn is Player.ONE else -worth), node.path()
            proven += found[0].exact
            helped += found[0].exact and not found[1].exact
    assert proven >= 5 and helped >= 1


def test_searches_look_them_up() -> None:
    position = Ouri.from_str("0,1,0,2,0,0/1,0,0,0,1,0 22-21 S", RULES[1])
    tables = search_tables(position)
    assert isinstance(tables, _native.OuriEndings) and tables.range(position.encode()) is not None
    assert tables.probe(position.encode()) is None
    assert ouri.endings_for(position) is None
