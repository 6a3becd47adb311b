"""A pairing round: everybody plays somebody, if possible not whom they played lately."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import rustworkx as rx

from tabuleiro.server.log import Guest


class Pairing(NamedTuple):
    """A game of a round; `one` begins. Without `two` it is against the computer, at a level."""

    one: Guest
    two: Guest | None
    level: int | None = None
    session: str = ""


def pair(pupils: Sequence[Guest], past: Sequence[Pairing], seed: int) -> list[Pairing]:
    """The pairings of the next round. Who met in the past, in order, meet again as late as possible; of an odd number
    one who has played the computer least often does; who has begun less often begins."""
    shuffled = [*pupils]
    random.Random(seed).shuffle(shuffled)
    alone = Counter(pairing.one for pairing in past if pairing.two is None)
    begun = Counter(pairing.one for pairing in past if pairing.two is not None)
    odd = [min(shuffled, key=lambda pupil: alone[pupil])] if len(shuffled) % 2 else []
    playing = [pupil for pupil in shuffled if pupil not in odd]
    met: dict[frozenset[Guest], int] = {}
    for when, pairing in enumerate(past, 1):
        if pairing.two is not None:
            # Every meeting counts, a late one more than an early one.
            both = frozenset((pairing.one, pairing.two))
            met[both] = met.get(both, 0) + when
    most = sum(met.values()) + 1
    graph: rx.PyGraph[Guest, int] = rx.PyGraph()
    graph.add_nodes_from(playing)
    places = range(len(playing))
    graph.add_edges_from(
        [(a, b, most - met.get(frozenset((playing[a], playing[b])), 0)) for a in places for b in places if a < b]
    )
    pairs = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairings = []
    for a, b in sorted(tuple(sorted(each)) for each in pairs):
        one, two = playing[a], playing[b]
        pairings.append(Pairing(one, two) if begun[one] <= begun[two] else Pairing(two, one))
    return pairings + [Pairing(pupil, None) for pupil in odd]
