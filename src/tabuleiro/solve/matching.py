"""As many pairs of neighbours as possible: maximum matchings of graphs as small as a board (Edmonds' algorithm)."""

from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

Vertex = TypeVar("Vertex", bound=Hashable)


def most_pairs(neighbours: Mapping[Vertex, Collection[Vertex]], last: Vertex) -> dict[Vertex, Vertex]:
    """A maximum matching, each vertex with its mate. `last` has one only if every maximum matching covers it."""
    # A maximum matching without the last one; then it is in every one if with it the matching can grow.
    rest = {vertex: [to for to in around if to != last] for vertex, around in neighbours.items() if vertex != last}
    mates: dict[Vertex, Vertex] = {}
    for vertex, around in rest.items():
        if vertex not in mates and (alone := next((to for to in around if to not in mates), None)) is not None:
            mates[vertex], mates[alone] = alone, vertex
    for vertex in rest:
        if vertex not in mates:
            _grow(rest, vertex, mates)
    _grow(neighbours, last, mates)
    return mates


def _grow(neighbours: Mapping[Vertex, Collection[Vertex]], root: Vertex, mates: dict[Vertex, Vertex]) -> None:
    """Let a matching grow by a path from an unmatched vertex to another, if there is one."""
    parents: dict[Vertex, Vertex] = {}
    base = {vertex: vertex for vertex in neighbours}
    queue = [root]
    reached = {root}

    def path_of_bases(vertex: Vertex) -> list[Vertex]:
        path = [base[vertex]]
        while path[-1] in mates:
            path.append(base[parents[mates[path[-1]]]])
        return path

    def climb(vertex: Vertex, end: Vertex, child: Vertex) -> set[Vertex]:
        met = set()
        while base[vertex] != end:
            met |= {base[vertex], base[mates[vertex]]}
            parents[vertex] = child
            child = mates[vertex]
            vertex = parents[child]
        return met

    for vertex in queue:
        for to in neighbours[vertex]:
            if base[vertex] == base[to] or mates.get(vertex) == to:
                continue
            if to == root or (to in mates and mates[to] in parents):
                # An edge that closes a cycle of odd length, which from now on counts as one vertex.
                others = set(path_of_bases(to))
                end = next(shared for shared in path_of_bases(vertex) if shared in others)
                cycle = climb(vertex, end, to) | climb(to, end, vertex)
                for member in base:
                    if base[member] in cycle:
                        base[member] = end
                        if member not in reached:
                            reached.add(member)
                            queue.append(member)
            elif to not in parents:
                parents[to] = vertex
                if to not in mates:
                    while True:
                        before = parents[to]
                        following = mates.get(before)
                        mates[to], mates[before] = before, to
                        if following is None:
                            return
                        to = following
                reached.add(mates[to])
                queue.append(mates[to])
