"""The quick ways to pair and to draw give what the plain ones gave: a seed draws the same event, byte for byte."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
import rustworkx

from tabuleiro.championship.draw import Origin, draw_bracket
from tabuleiro.championship.edition import CRITERIA
from tabuleiro.championship.knockout import bracket
from tabuleiro.championship.matching import LOTS, Arrangement, Contender, Match, best_round, costs, lot
from tabuleiro.championship.seeds import chance


def plain_round(
    players: Sequence[Contender], criteria: Sequence[str], seed: int, weights: dict[str, int] | None
) -> Arrangement:
    """The matching over a list of every pair with its costs, as it was written first."""
    lowest = min(player.points for player in players)
    options: list[tuple[int, int, Match, int]] = []
    for first, one in enumerate(players):
        seconds: list[tuple[int, Contender | None]] = [
            (second, players[second]) for second in range(first + 1, len(players))
        ]
        for second, other in seconds + ([(len(players), None)] if len(players) % 2 else []):
            for a, b in ((one, other), (other, one))[: 1 if other is None else 2]:
                assert a is not None
                cost = costs(a, b, lowest)
                match = Match(a, b, {name: cost[name] for name in criteria if name in cost})
                options.append((first, second, match, lot(seed, a.person, None if b is None else b.person)))
    if weights is None:
        most: Counter[str] = Counter()
        for _, _, match, _ in options:
            for name, value in match.cost.items():
                most[name] = max(most[name], value)
        weight, weights = 1, {}
        for name in reversed(criteria):
            weights[name] = weight
            weight *= ((len(players) + 1) // 2) * most[name] + 1
        weights = {name: weights[name] for name in criteria}
    scale, dearest = LOTS * (len(players) + 1), 0
    best: dict[tuple[int, int], tuple[int, Match]] = {}
    for first, second, match, drawn in options:
        price = scale * sum(weights.get(name, 0) * value for name, value in match.cost.items()) + drawn
        dearest = max(dearest, price)
        if (first, second) not in best or price < best[first, second][0]:
            best[first, second] = (price, match)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(players) + len(players) % 2))
    graph.add_edges_from([(first, second, dearest + 1 - price) for (first, second), (price, _) in best.items()])
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    matches = [best[pair][1] for pair in sorted((min(pair), max(pair)) for pair in pairs)]
    total = {name: sum(match.cost.get(name, 0) for match in matches) for name in criteria}
    slim = [Match(one, two, {name: value for name, value in cost.items() if value}) for one, two, cost in matches]
    return Arrangement(slim, weights, total)


def plain_bracket(players: Mapping[int, Origin], seed: int) -> list[int]:
    """The draw that counts all clashes anew after every exchange."""
    order = sorted(players)
    chance(seed).shuffle(order)

    def clashes() -> int:
        slots = bracket(order)
        pairs = [(slots[i], slots[i + 1]) for i in range(0, len(slots), 2)]
        return sum(a is not None and b is not None and players[a].school == players[b].school for a, b in pairs)

    least = clashes()
    improved = least > 0
    while improved:
        improved = False
        for i in range(len(order)):
            for j in range(i):
                order[i], order[j] = order[j], order[i]
                if (now := clashes()) < least:
                    least, improved = now, True
                else:
                    order[i], order[j] = order[j], order[i]
    return order


def somebody(person: int, persons: int, luck: random.Random) -> Contender:
    others = [other for other in range(1, persons + 3) if other != person]  # some have left since
    return Contender(
        person,
        luck.randrange(7) / 2,
        luck.choice([None, 1, 2, 3, 4]),
        Counter(luck.choices(others, k=luck.randrange(4))),
        luck.randrange(2),
        luck.randrange(4),
        luck.randrange(4),
        luck.choice([None, True, False]),
        luck.random() < 0.2,
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_round_is_the_one_of_the_plain_matching(seed: int) -> None:
    luck = random.Random(seed)
    count = luck.choice([1, 2, 3, 4, 5, 8, 13, 20, 41])
    people = [somebody(person, count, luck) for person in range(1, count + 1)]
    luck.shuffle(people)
    criteria = luck.sample([*CRITERIA], luck.randrange(1, len(CRITERIA) + 1))
    weights = luck.choice([None, None, {name: luck.randrange(10**12) for name in CRITERIA}])
    assert best_round(people, criteria, seed, weights) == plain_round(people, criteria, seed, weights)


@pytest.mark.parametrize("seed", range(40))
def test_a_bracket_is_the_one_of_the_plain_draw(seed: int) -> None:
    luck = random.Random(seed)
    players = {n: Origin(luck.randrange(1, 5), "") for n in range(1, luck.choice([2, 3, 5, 8, 17, 32]) + 1)}
    assert draw_bracket(players, seed) == plain_bracket(players, seed)
