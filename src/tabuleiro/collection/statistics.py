"""What a collection of games has in it: how many of which kind, who won, how long they are, how they begin."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tabuleiro import games
from tabuleiro.collection.openings import OpeningTree, Results
from tabuleiro.collection.replay import Replayed
from tabuleiro.core import Position

#: Pairs of players that are told of: who meets whom says something of engines, not of a club.
MOST_PAIRS = 50


@dataclass
class Statistics:
    """Of the games of one kind that begin alike."""

    game: str
    options: tuple[tuple[str, str], ...]
    start: str | None
    tree: OpeningTree
    results: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    #: How many games have how many plies.
    lengths: Counter[int] = field(default_factory=Counter)
    #: By the names of players ONE and TWO, the results of their games.
    players: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return self.results.total()

    @property
    def first(self) -> Position:
        """Where the games begin."""
        kind = games.get(self.game)
        options = kind.options_type.parse(dict(self.options))
        return kind.start(options) if self.start is None else kind.from_str(self.start, options)

    @property
    def by_result(self) -> Results:
        return _results(self.results)

    def length(self, share: float) -> int:
        """So many plies has the game that is longer than this share of all."""
        wanted, passed = share * (self.games - 1), 0
        for plies in sorted(self.lengths):
            passed += self.lengths[plies]
            if passed > wanted:
                return plies
        return 0

    @property
    def mean_length(self) -> float:
        return sum(plies * count for plies, count in self.lengths.items()) / max(self.games, 1)

    def pairs(self) -> list[tuple[tuple[str, str], Results]]:
        """Who met whom, the most frequent first."""
        told = [(names, _results(counts)) for names, counts in self.players.items()]
        return sorted(told, key=lambda pair: (-pair[1].games, pair[0]))[:MOST_PAIRS]

    def add(self, replayed: Replayed) -> None:
        row = replayed.row
        self.results[row.result] += 1
        self.lengths[len(replayed.moves)] += 1
        if row.termination is not None:
            self.endings[row.termination] += 1
        if "Player1" in row.tags and "Player2" in row.tags:
            self.players.setdefault((row.tags["Player1"], row.tags["Player2"]), Counter())[row.result] += 1
        self.tree.add(replayed)


def _results(counts: Counter[str]) -> Results:
    return Results(counts["1-0"], counts["0-1"], counts["1/2-1/2"], counts["*"])


def statistics_of(played: Iterable[Replayed], depth: int) -> list[Statistics]:
    """Of each kind of game apart, the most frequent first."""
    found: dict[tuple[str, tuple[tuple[str, str], ...], str | None], Statistics] = {}
    for game in played:
        row = game.row
        kind = row.game, row.options, row.start
        if kind not in found:
            found[kind] = Statistics(*kind, OpeningTree(depth))
        found[kind].add(game)
    return sorted(found.values(), key=lambda each: (-each.games, each.game, each.options))
