"""Dominoes: as many pairs of neighbours as possible (Edmonds' blossom algorithm, for graphs as small as a board)."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Place = TypeVar("Place", bound=Hashable)


def most_pairs(neighbours: Mapping[Place, Sequence[Place]], last: Place) -> dict[Place, Place]:
    """A largest set of pairs, each place with its partner. `last` is left alone if any largest set leaves it alone."""
    mate: dict[Place, Place] = {}
    for root in [*(place for place in neighbours if place != last), last]:
        if root not in mate:
            _augment(neighbours if root == last else _without(neighbours, last), mate, root)
    return mate


def _without(neighbours: Mapping[Place, Sequence[Place]], gone: Place) -> dict[Place, list[Place]]:
    return {place: [near for near in around if near != gone] for place, around in neighbours.items() if place != gone}


def _augment(neighbours: Mapping[Place, Sequence[Place]], mate: dict[Place, Place], root: Place) -> None:
    """Find a way on which unpaired and paired steps take turns, from the root to another place that is alone, and turn
    it over. Odd circles (blossoms) met on the way count as one place: that of their base."""
    parent: dict[Place, Place] = {}
    base = {place: place for place in neighbours}
    outer, waiting = {root}, [root]

    def common(first: Place, second: Place) -> Place:
        seen = set()
        while True:
            first = base[first]
            seen.add(first)
            if first not in mate or first == root:
                break
            first = parent[mate[first]]
        while base[second] not in seen:
            second = parent[mate[base[second]]]
        return base[second]

    def blossom(place: Place, stop: Place, child: Place, inside: set[Place]) -> None:
        while base[place] != stop:
            inside |= {base[place], base[mate[place]]}
            parent[place] = child
            child = mate[place]
            place = parent[mate[place]]

    while waiting:
        place = waiting.pop(0)
        for near in neighbours[place]:
            if base[place] == base[near] or mate.get(place) == near:
                continue
            if near == root or (near in mate and mate[near] in parent):
                stop, inside = common(place, near), set[Place]()
                blossom(place, stop, near, inside)
                blossom(near, stop, place, inside)
                for other in neighbours:
                    if base[other] in inside:
                        base[other] = stop
                        if other not in outer:
                            outer.add(other)
                            waiting.append(other)
            elif near not in parent:
                parent[near] = place
                if near not in mate:
                    _turn_over(mate, parent, near)
                    return
                outer.add(mate[near])
                waiting.append(mate[near])


def _turn_over(mate: dict[Place, Place], parent: Mapping[Place, Place], end: Place) -> None:
    place: Place | None = end
    while place is not None:
        before = parent[place]
        after = mate.get(before)
        mate[place], mate[before] = before, place
        place = after
