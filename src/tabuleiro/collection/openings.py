"""How games begin: the positions of their first plies, each once however it was reached, with what was played there and
who won.

>>> from tabuleiro import get
>>> from tabuleiro.collection import OpeningTree, Row, replayed
>>> rows = [Row("hex", (("size", "4"),), None, moves, "1-0", "resignation", {}) for moves in ("a1 b2 c3", "c3 b2 a1")]
>>> tree = OpeningTree(depth=4)
>>> for game in replayed(rows, tree.depth):
...     tree.add(game)
>>> [(each.move, each.results.games) for each in tree.at(get("hex").start(get("hex").options_type(size=4)).hash64())]
[('a1', 1), ('c3', 1)]
>>> len(tree)
6
"""

from dataclasses import dataclass
from typing import NamedTuple

from tabuleiro.collection.replay import Replayed

#: Where the results of a game are counted.
_PLACE = {"1-0": 0, "0-1": 1, "1/2-1/2": 2, "*": 3}


class Results(NamedTuple):
    """How many games player ONE won, player TWO won, nobody won, or did not end."""

    one: int = 0
    two: int = 0
    draws: int = 0
    unfinished: int = 0

    @property
    def games(self) -> int:
        return sum(self)


class Continuation(NamedTuple):
    """A move that was played in a position."""

    move: str
    results: Results
    #: The key of the position after it.
    after: int


@dataclass(slots=True)
class _Place:
    ply: int
    counts: list[int]
    #: By the words of a move: the key of the position after it, and the results of the games that went on so.
    moves: dict[str, tuple[int, list[int]]]


class OpeningTree:
    """The first `depth` plies of games of one kind that begin alike. Positions are known by `Position.hash64`."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self._places: dict[int, _Place] = {}

    def add(self, game: Replayed) -> None:
        place = _PLACE[game.row.result]
        keys = game.keys
        been: set[int] = set()
        for ply in range(min(len(keys), self.depth + 1)):
            here = keys[ply]
            found = self._places.get(here)
            if found is None:
                found = self._places[here] = _Place(ply, [0, 0, 0, 0], {})
            if here in been:  # a game that comes back is one game
                continue
            been.add(here)
            found.counts[place] += 1
            if ply < self.depth and ply + 1 < len(keys):
                move = game.moves[ply]
                if move not in found.moves:
                    found.moves[move] = (keys[ply + 1], [0, 0, 0, 0])
                found.moves[move][1][place] += 1

    def __len__(self) -> int:
        return len(self._places)

    def results(self, key: int) -> Results:
        """Of the games that came through a position."""
        found = self._places.get(key)
        return Results() if found is None else Results(*found.counts)

    def at(self, key: int) -> list[Continuation]:
        """What was played in a position, the most frequent move first."""
        found = self._places.get(key)
        if found is None:
            return []
        moves = [Continuation(move, Results(*counts), after) for move, (after, counts) in found.moves.items()]
        return sorted(moves, key=lambda each: (-each.results.games, each.move))

    def by_ply(self) -> list[int]:
        """How many different positions there are at each ply, each where it was first met."""
        counted = [0] * (self.depth + 1)
        for place in self._places.values():
            counted[place.ply] += 1
        return counted
