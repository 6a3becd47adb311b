"""The best pairing of a round, exactly, by maximum-weight matching.

Every possible pair costs a number for each criterion. A round is best when its sums are the least, compared in the
order of the criteria: one rematch less outweighs everything that comes after it. That order becomes one integer a
pair, in which each criterion outweighs all that its successors could add up to, so the matching is exactly the best
and not nearly. What remains equal is drawn by lot from a seed, so the same state gives the same round everywhere.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from tabuleiro.championship.events import Json, Person
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

#: Lots are numbers below this.
LOTS = 1024


@dataclass
class Contender:
    """What a pairing looks at in a pupil."""

    person: Person
    points: float = 0.0
    school: int | None = None
    #: How often they met each opponent.
    met: Counter[Person] = field(default_factory=Counter)
    byes: int = 0
    #: Games begun and games in which the opponent began.
    starts: int = 0
    seconds: int = 0
    #: Whether they began their last game; None before the first.
    began_last: bool | None = None
    fixed_table: bool = False


class Match(NamedTuple):
    one: Contender
    #: None for a bye.
    two: Contender | None
    #: What the pair costs, by criterion; those at 0 are left out.
    cost: dict[str, int]

    def why(self) -> Json:
        """What `reasons` needs to tell it later."""
        both = (self.one,) if self.two is None else (self.one, self.two)
        return {
            "by": "matching",
            "cost": self.cost,
            "points": [player.points for player in both],
            "starts": [[player.starts, player.seconds] for player in both],
        }


def costs(one: Contender, two: Contender | None, lowest: float) -> dict[str, int]:
    """What it costs by each criterion that `one` begins against `two`, or has a bye. `lowest` points are the bye's.

    Points count in halves; their difference is squared, so that two small steps are better than a large one. Who begins
    costs the squares of what each would have begun too often or too seldom.
    """
    if two is None:
        return {
            "second_bye": one.byes,
            "points": int(2 * (one.points - lowest)) ** 2,
            "start": (one.starts - one.seconds) ** 2,
        }
    return {
        "rematch": one.met[two.person],
        "points": int(2 * (one.points - two.points)) ** 2,
        "school": int(one.school is not None and one.school == two.school),
        "start": (one.starts - one.seconds + 1) ** 2 + (two.starts - two.seconds - 1) ** 2,
        "alternate": int(one.began_last is True) + int(two.began_last is False),
        "fixed_table": int(one.fixed_table and two.fixed_table),
    }


def lot(seed: int, one: Person, two: Person | None) -> int:
    """A number drawn for a pair and who begins, the same on every machine."""
    digest = blake2b(f"{seed} {one} {two or 0}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") % LOTS


class Arrangement(NamedTuple):
    matches: list[Match]
    #: What each criterion weighed, the first one most.
    weights: dict[str, int]
    #: What the whole round costs, by criterion.
    total: dict[str, int]


def best_round(
    players: Sequence[Contender],
    criteria: Sequence[str],
    seed: int,
    weights: dict[str, int] | None = None,
) -> Arrangement:
    """The best round for these players; where their number is odd, one has a bye.

    Without `weights`, each criterion outweighs all that come after it.
    """
    if not players:
        return Arrangement([], dict.fromkeys(criteria, 0), dict.fromkeys(criteria, 0))
    options = list(_options(players, criteria, seed))
    if weights is None:
        weights = exact_weights(options, criteria, (len(players) + 1) // 2)
    # Lots decide only between pairs that are equal otherwise.
    scale = LOTS * (len(players) + 1)
    dearest = 0
    best: dict[tuple[int, int], tuple[int, Match]] = {}
    for first, second, match, drawn in options:
        price = scale * sum(weights.get(name, 0) * value for name, value in match.cost.items()) + drawn
        dearest = max(dearest, price)
        if (first, second) not in best or price < best[first, second][0]:
            best[first, second] = (price, match)
    chosen = _match(len(players) + len(players) % 2, best, dearest)
    matches = [best[pair][1] for pair in chosen]
    total = {name: sum(match.cost.get(name, 0) for match in matches) for name in criteria}
    slim = [Match(one, two, {name: value for name, value in cost.items() if value}) for one, two, cost in matches]
    return Arrangement(slim, weights, total)


def _options(
    players: Sequence[Contender], criteria: Sequence[str], seed: int
) -> "Iterator[tuple[int, int, Match, int]]":
    """Every pair with either one beginning; the bye is the place behind the last player."""
    lowest = min(player.points for player in players)
    for first, one in enumerate(players):
        for second in range(first + 1, len(players)):
            two = players[second]
            for a, b in ((one, two), (two, one)):
                cost = costs(a, b, lowest)
                match = Match(a, b, {name: cost[name] for name in criteria if name in cost})
                yield first, second, match, lot(seed, a.person, b.person)
        if len(players) % 2:
            cost = costs(one, None, lowest)
            match = Match(one, None, {name: cost[name] for name in criteria if name in cost})
            yield first, len(players), match, lot(seed, one.person, None)


def exact_weights(
    options: "Sequence[tuple[int, int, Match, int]]", criteria: Sequence[str], pairs: int
) -> dict[str, int]:
    """Weights with which one step of a criterion outweighs everything its successors can add up to."""
    most: Counter[str] = Counter()
    for _, _, match, _ in options:
        for name, value in match.cost.items():
            most[name] = max(most[name], value)
    weight, weights = 1, {}
    for name in reversed(criteria):
        weights[name] = weight
        weight *= pairs * most[name] + 1
    return {name: weights[name] for name in criteria}


def _match(vertices: int, best: "dict[tuple[int, int], tuple[int, Match]]", dearest: int) -> list[tuple[int, int]]:
    try:
        import rustworkx
    except ImportError:
        raise TabuleiroError(
            Text(
                "para emparelhar falta o rustworkx: pip install 'tabuleiro[championship]'",
                "pairing needs rustworkx: pip install 'tabuleiro[championship]'",
            )
        ) from None
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from([(first, second, dearest + 1 - price) for (first, second), (price, _) in best.items()])
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in pairs)
