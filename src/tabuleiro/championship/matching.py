"""The best pairing of a round, exactly, by maximum-weight matching.

Every possible pair costs a number for each criterion. A round is best when its sums are the least, compared in the
order of the criteria: one rematch less outweighs everything that comes after it. That order becomes one integer a
pair, in which each criterion outweighs all that its successors could add up to, so the matching is exactly the best
and not nearly. What remains equal is drawn by lot from a seed, so the same state gives the same round everywhere.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    options = _Options(players, criteria)
    if weights is None:
        weights = exact_weights(options.most(), criteria, (len(players) + 1) // 2)
    chosen = _match(len(players) + len(players) % 2, options.prices(weights, seed))
    matches = [options.cheaper(pair, weights, seed) for pair in chosen]
    total = {name: sum(match.cost.get(name, 0) for match in matches) for name in criteria}
    slim = [Match(one, two, {name: value for name, value in cost.items() if value}) for one, two, cost in matches]
    return Arrangement(slim, weights, total)


class _Options:
    """Every pair with either one beginning; the bye is the place behind the last player.

    A section of 600 has 360,000 of them, so none is kept. What a pair costs is the sum of what it costs two kinds of
    players (of the same points and the like), which are few, of whether both are of one school, and of how often they
    met.
    """

    def __init__(self, players: Sequence[Contender], criteria: Sequence[str]) -> None:
        self.players, self.criteria = players, criteria
        self._lowest = min(player.points for player in players)
        kinds: dict[Hashable, int] = {}
        examples: list[Contender] = []
        self._kinds: list[int] = []
        for player in players:
            kind = (player.points, player.starts - player.seconds, player.began_last, player.fixed_table)
            if kind not in kinds:
                kinds[kind] = len(kinds)
                examples.append(replace(player, school=None, met=Counter()))
            self._kinds.append(kinds[kind])
        #: What each kind beginning against each kind costs.
        self._costs = [[self._cost(one, two) for two in examples] for one in examples]

    def _cost(self, one: Contender, two: Contender | None) -> dict[str, int]:
        cost = costs(one, two, self._lowest)
        return {name: cost[name] for name in self.criteria if name in cost}

    def most(self) -> Counter[str]:
        """The highest cost of any option, by criterion."""
        most: Counter[str] = Counter()
        count = Counter(self._kinds)
        for first, row in enumerate(self._costs):
            for second, cost in enumerate(row):
                if first != second or count[first] > 1:
                    most |= Counter(cost)
        persons = {player.person for player in self.players}
        for player in self.players:
            met = (times for person, times in player.met.items() if person in persons and person != player.person)
            most |= self._known(rematch=max(met, default=0))
            if len(self.players) % 2:
                most |= Counter(self._cost(player, None))
        schools = Counter(player.school for player in self.players if player.school is not None)
        return most | self._known(school=int(max(schools.values(), default=0) > 1))

    def _known(self, **costs: int) -> Counter[str]:
        return Counter({name: value for name, value in costs.items() if name in self.criteria})

    def _price(self, cost: dict[str, int], weights: dict[str, int]) -> int:
        return sum(weights.get(name, 0) * value for name, value in cost.items())

    @property
    def _scale(self) -> int:
        """Lots decide only between pairs that are equal otherwise."""
        return LOTS * (len(self.players) + 1)

    def prices(self, weights: dict[str, int], seed: int) -> list[tuple[int, int, int]]:
        """Every pair by its places with what it is worth: the more, the cheaper it is with the right one beginning."""
        scale, players, kinds = self._scale, self.players, self._kinds
        school = scale * self._price(self._known(school=1), weights)
        again = scale * self._price(self._known(rematch=1), weights)
        table = [[scale * self._price(cost, weights) for cost in row] for row in self._costs]
        dearest = 0
        found: list[tuple[int, int, int]] = []
        for first, one in enumerate(players):
            begins, follows = table[kinds[first]], [row[kinds[first]] for row in table]
            for second in range(first + 1, len(players)):
                two, kind = players[second], kinds[second]
                extra = school if one.school is not None and one.school == two.school else 0
                forth = begins[kind] + extra + again * one.met.get(two.person, 0) + lot(seed, one.person, two.person)
                back = follows[kind] + extra + again * two.met.get(one.person, 0) + lot(seed, two.person, one.person)
                found.append((first, second, min(forth, back)))
                dearest = max(dearest, forth, back)
            if len(players) % 2:
                price = scale * self._price(self._cost(one, None), weights) + lot(seed, one.person, None)
                found.append((first, len(players), price))
                dearest = max(dearest, price)
        return [(first, second, dearest + 1 - price) for first, second, price in found]

    def cheaper(self, pair: tuple[int, int], weights: dict[str, int], seed: int) -> Match:
        """A pair with the one beginning who makes it cheaper; the first one where that is the same."""
        first, second = pair
        one = self.players[first]
        if second == len(self.players):
            return Match(one, None, self._cost(one, None))
        two = self.players[second]
        both = [Match(a, b, self._cost(a, b)) for a, b in ((one, two), (two, one))]
        prices = [
            self._scale * self._price(match.cost, weights) + lot(seed, a.person, b.person)
            for match, (a, b) in zip(both, ((one, two), (two, one)), strict=True)
        ]
        return both[0] if prices[0] <= prices[1] else both[1]


def exact_weights(most: Mapping[str, int], criteria: Sequence[str], pairs: int) -> dict[str, int]:
    """Weights with which one step of a criterion outweighs everything its successors can add up to, where `most` is
    what each costs at most."""
    weight, weights = 1, {}
    for name in reversed(criteria):
        weights[name] = weight
        weight *= pairs * most.get(name, 0) + 1
    return {name: weights[name] for name in criteria}


def _match(vertices: int, worth: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
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
    graph.add_edges_from(worth)
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in pairs)
