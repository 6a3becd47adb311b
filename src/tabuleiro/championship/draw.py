"""The draw of groups: schools apart, regions spread, from a seed."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from tabuleiro.championship.events import Person
from tabuleiro.championship.knockout import bracket
from tabuleiro.championship.seeds import chance

Item = TypeVar("Item")


class Origin(NamedTuple):
    """Where a pupil comes from."""

    school: int
    region: str


def group_sizes(players: int, size: int | None) -> list[int]:
    """Sizes of groups of at most `size`, as equal as possible, and even wherever possible so that nobody has a bye.

    >>> group_sizes(150, 12)
    [12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 10, 10, 10]
    >>> group_sizes(23, 12)
    [12, 11]
    """
    if size is None or players <= size:
        return [players]
    count = math.ceil(players / size)
    if size % 2:  # even groups would overflow or be small
        return sorted((players // count + (place < players % count) for place in range(count)), reverse=True)
    pairs = players // 2
    sizes = [2 * (pairs // count + (place < pairs % count)) for place in range(count)]
    if players % 2:
        sizes[sizes.index(min(sizes))] += 1
    return sorted(sizes, reverse=True)


def draw_groups(players: Mapping[Person, Origin], sizes: Sequence[int], seed: int) -> list[list[Person]]:
    """The players dealt into groups of these sizes like cards, region by region and school by school.

    Dealing spreads each region and each school as evenly as the sizes allow, but for the seams between rounds of the
    deal; exchanges of two pupils then mend what the seams spoilt: schools first, regions after.
    """
    luck = chance(seed)
    regions: dict[str, dict[int, list[Person]]] = defaultdict(lambda: defaultdict(list))
    for person in sorted(players):
        regions[players[person].region][players[person].school].append(person)
    cards: list[Person] = []
    for region in _shuffled(sorted(regions), luck):
        for school in _shuffled(sorted(regions[region]), luck):
            cards += _shuffled(regions[region][school], luck)
    # Each group has its places at even distances along the deal, so that large and small groups fill up together.
    places = sorted(((turn + 0.5) / size, number) for number, size in enumerate(sizes) for turn in range(size))
    groups: list[list[Person]] = [[] for _ in sizes]
    for card, (_, number) in zip(cards, places, strict=True):
        groups[number].append(card)
    _mend(groups, players)
    for group in groups:
        luck.shuffle(group)
    return groups


def _shuffled(items: "Sequence[Item]", luck: Random) -> "list[Item]":
    mixed = list(items)
    luck.shuffle(mixed)
    return mixed


def _mend(groups: list[list[Person]], players: Mapping[Person, Origin]) -> None:
    """Exchange pupils between groups while that brings schools, or else regions, apart."""
    schools = [Counter(players[person].school for person in group) for group in groups]
    regions = [Counter(players[person].region for person in group) for group in groups]

    def gain(here: int, one: Person, there: int, two: Person) -> tuple[int, int]:
        """How many pairs of one school, and of one region, an exchange parts."""
        a, b = players[one], players[two]
        by_school = by_region = 0
        if a.school != b.school:
            by_school = (schools[here][a.school] - 1 - schools[there][a.school]) + (
                schools[there][b.school] - 1 - schools[here][b.school]
            )
        if a.region != b.region:
            by_region = (regions[here][a.region] - 1 - regions[there][a.region]) + (
                regions[there][b.region] - 1 - regions[here][b.region]
            )
        return by_school, by_region

    def exchange(here: int, i: int, there: int, j: int) -> None:
        one, two = groups[here][i], groups[there][j]
        groups[here][i], groups[there][j] = two, one
        for place, leaves, comes in ((here, one, two), (there, two, one)):
            schools[place][players[leaves].school] -= 1
            schools[place][players[comes].school] += 1
            regions[place][players[leaves].region] -= 1
            regions[place][players[comes].region] += 1

    improved = True
    while improved:
        improved = False
        for here in range(len(groups)):
            for i in range(len(groups[here])):
                one = groups[here][i]
                if schools[here][players[one].school] < 2 and regions[here][players[one].region] < 2:
                    continue
                best, where = (0, 0), None
                for there in range(len(groups)):
                    if there == here:
                        continue
                    for j, two in enumerate(groups[there]):
                        parted = gain(here, one, there, two)
                        if parted > best:
                            best, where = parted, (there, j)
                if where is not None:
                    exchange(here, i, *where)
                    improved = True


def draw_bracket(players: Mapping[Person, Origin], seed: int) -> list[Person]:
    """An order of seeds in which pupils of one school meet in the first round only where they must."""
    luck = chance(seed)
    order = _shuffled(sorted(players), luck)
    slots = bracket(range(len(order)))
    #: The place in the order of who is met in the first round; None for a bye.
    opponent: dict[int | None, int | None] = {}
    for one, two in zip(slots[::2], slots[1::2], strict=False):
        opponent |= {one: two, two: one}

    def clashes(place: int) -> bool:
        other = opponent.get(place)
        return other is not None and players[order[place]].school == players[order[other]].school

    improved = any(clashes(place) for place in range(len(order)))
    while improved:
        improved = False
        for i in range(len(order)):
            for j in range(i):
                if opponent.get(i) == j:
                    continue  # they meet either way
                before = clashes(i) + clashes(j)
                order[i], order[j] = order[j], order[i]
                if clashes(i) + clashes(j) < before:
                    improved = True
                else:
                    order[i], order[j] = order[j], order[i]
    return order
