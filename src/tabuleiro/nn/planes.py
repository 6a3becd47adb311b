"""Positions as planes of bits, moves as indices of a policy: the same for every game, from what a game declares.

    >>> from tabuleiro import get
    >>> view = View(get("hex"))
    >>> view.planes, view.height, view.width, view.policy_size
    (7, 11, 11, 122)
    >>> position = get("hex").start()
    >>> view.index(position, position.parse_move("c2"))
    13

A plane has one bit for every place of a grid on which neighbours lie side by side. The view is the mover's: where a
game has a symmetry that exchanges the players, the second player sees the board through it, so that a net learns to
play one side only; where it has none, a plane tells who moves.

What a plane shows follows from `Position.encoding`: a set of cells; one cell; for numbers one plane for every threshold
that they reach, over the whole board when they belong to no cell. The last plane is the board itself.

A move's index follows from `Position.move_code`: a channel times the grid. The channel is the way from the origin to
the target, or the shape of the move; moves without a cell have channels or, where a move is a cell alone, indices of
their own behind the grid.

`native/selfplay/view.hpp` does the same from the tables that `native_tables()` gives.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from tabuleiro.core import Move, Player, Position, Symmetry, cells_of
from tabuleiro.geometry import LETTERS, Geometry, Permutation

#: The kinds of an `Operation`, as the native twin numbers them.
CELLS, CELL, NUMBERS, NUMBER, TURN = range(5)


@dataclass(frozen=True)
class Operation:
    """How one part of the words becomes planes."""

    kind: int
    #: The first word that it reads.
    word: int
    #: The numbers from which on a plane has its bit.
    thresholds: tuple[int, ...] = ()

    @property
    def planes(self) -> int:
        return len(self.thresholds) or 1


@dataclass(frozen=True)
class Turned:
    """A symmetry as the net sees it: for every bit of the planes and every index of the policy, where it comes from."""

    bits: tuple[int, ...]
    policy: tuple[int, ...]


def thresholds(most: int) -> tuple[int, ...]:
    """Every number up to 24, which is two laps of an Ouri board, then every fourth."""
    return (*range(1, min(most, 24) + 1), *range(28, most + 1, 4))


def grid(geometry: Geometry) -> tuple[int, int, tuple[int, ...]]:
    """The height and width of the smallest grid that holds a board, and the place of each cell: row times width plus
    column. Boards with named rows and columns lie as their names say; pits row by row, each with its owner's store."""
    if geometry.kind == "pits":
        places = {cell: (row, column) for row, rank in enumerate(geometry.ranks) for column, cell in enumerate(rank)}
        houses = len(places)
        places |= {store: (store - houses, houses // 2) for store in range(houses, len(geometry))}
    else:
        # The letter counts rows on the hexagon, columns elsewhere.
        numbered = [(LETTERS.index(name[0].lower()), int(name[1:]) - 1) for name in geometry.names]
        rows = numbered if geometry.kind == "hexagon" else [(number, letter) for letter, number in numbered]
        places = dict(enumerate(rows))
    height, width = (1 + max(place[axis] for place in places.values()) for axis in (0, 1))
    return height, width, tuple(places[cell][0] * width + places[cell][1] for cell in range(len(geometry)))


class View:
    """What a net sees of one game under one set of options."""

    def __init__(self, kind: type[Position], options: Any = None) -> None:
        self.kind = kind
        self.options = kind.default_options(options)
        self._start = kind.start(self.options)
        geometry = self._start.geometry
        self.cells = len(geometry)
        self.height, self.width, self.places = grid(geometry)
        self.area = self.height * self.width
        #: The symmetry through which the second player sees the board, if there is one.
        self.exchange = next(
            (symmetry.cells for position in islice(self._first_moves(), 10) for symmetry in position.symmetries()
             if symmetry.exchanges_players), None)  # fmt: skip
        #: The place of each cell as the first player sees it, and as the second does.
        self.seen = (self.places, self.places if self.exchange is None else self._through(self.exchange))
        self.operations = self._operations()
        #: How many planes there are, the board included, and how many 64-bit words hold them.
        self.planes = sum(operation.planes for operation in self.operations[0]) + 1
        self.packed_words = -(-self.planes * self.area // 64)
        code = kind.move_code
        self._channel = {way: channel for channel, way in enumerate(code.ways)}
        #: How many indices each place of the grid has, and how many there are behind the grid.
        self.channels = len(code.ways) + code.beyond if code.ways else 1 << code.bits
        self.buttons = 0 if code.bits else code.beyond
        self.policy_size = self.channels * self.area + self.buttons

    def _first_moves(self) -> Iterator[Position]:
        position = self._start
        while True:
            yield position
            if not (moves := position.legal_moves()):
                return
            position = position.play(moves[0])

    def _through(self, permutation: Permutation) -> tuple[int, ...]:
        return tuple(self.places[permutation[cell]] for cell in range(self.cells))

    # -- planes -------------------------------------------------------------------------------------------------------

    def _operations(self) -> tuple[tuple[Operation, ...], tuple[Operation, ...]]:
        """What makes the planes, for the first and for the second player's eyes."""
        words_of_set = -(-self.cells // 64)
        kinds = {"cells": CELLS, "cell": CELL, "numbers": NUMBERS, "number": NUMBER}
        made: tuple[list[Operation], list[Operation]] = ([], [])
        word = 0
        self._turn_word, self._second = 0, 0
        for part in self.kind.encoding:
            if part.kind in ("turn", "colour"):
                self._turn_word, self._second = word, Player.TWO if part.kind == "turn" else 1
                if self.exchange is None:
                    for seen in made:
                        seen.append(Operation(TURN, word))
            if part.kind not in kinds:
                word += 1
                continue
            length = words_of_set if part.kind == "cells" else self.cells if part.kind == "numbers" else 1
            pair = [Operation(kinds[part.kind], word + i * length, thresholds(part.most)) for i in range(1 + part.each)]
            made[0].extend(pair)
            made[1].extend(reversed(pair) if self.exchange is not None else pair)
            word += length * (1 + part.each)
        derived = len(self._start.derived_cells())
        for first in range(0, derived, 2):
            pair = [Operation(CELLS, word + (first + i) * words_of_set) for i in (0, 1)]
            made[0].extend(pair)
            made[1].extend(reversed(pair))
        return tuple(made[0]), tuple(made[1])

    def _words(self, position: Position) -> tuple[int, ...]:
        """The words of a position, and behind them its derived sets."""
        length = -(-self.cells // 64)
        derived = (bits >> 64 * i & (1 << 64) - 1 for bits in position.derived_cells() for i in range(length))
        return (*position.encode(), *derived)

    def _is_second(self, words: tuple[int, ...]) -> bool:
        return self.exchange is not None and words[self._turn_word] == self._second

    def bits(self, position: Position) -> int:
        """The planes of a position as one number: bit `plane * area + place`."""
        words = self._words(position)
        second = self._is_second(words)
        seen = self.seen[second]
        everywhere = sum(1 << place for place in self.places)
        total, plane = 0, 0
        for operation in self.operations[second]:
            here, word = words[operation.word], operation.word
            shown: list[int]
            if operation.kind == CELLS:
                bits = sum(words[word + i] << 64 * i for i in range(-(-self.cells // 64)))
                shown = [sum(1 << seen[cell] for cell in cells_of(bits))]
            elif operation.kind == CELL:
                shown = [1 << seen[here] if here < self.cells else 0]
            elif operation.kind == NUMBERS:
                numbers = words[word : word + self.cells]
                shown = [
                    sum(1 << seen[cell] for cell, number in enumerate(numbers) if number >= least)
                    for least in operation.thresholds
                ]
            elif operation.kind == NUMBER:
                shown = [everywhere if here >= least else 0 for least in operation.thresholds]
            else:
                shown = [everywhere if here == self._second else 0]
            for bits in shown:
                total |= bits << plane * self.area
                plane += 1
        return total | everywhere << plane * self.area

    def packed(self, position: Position) -> bytes:
        """The planes in little-endian 64-bit words: what travels to a net."""
        return self.bits(position).to_bytes(8 * self.packed_words, "little")

    # -- moves --------------------------------------------------------------------------------------------------------

    def _between(self, origin: int, target: int) -> tuple[int, int]:
        return target // self.width - origin // self.width, target % self.width - origin % self.width

    def index(self, position: Position, move: Move) -> int:
        """The index of a legal move in the policy, as the player to move sees it."""
        return self._legal_index(move, self._seen(position))

    def actions(self, position: Position) -> dict[int, Move]:
        """Every legal move by its index, ascending."""
        seen = self._seen(position)
        return dict(sorted((self._legal_index(move, seen), move) for move in position.legal_moves()))

    def _seen(self, position: Position) -> tuple[int, ...]:
        """The place of each cell as the player to move sees it."""
        return self.seen[self._is_second(position.encode())]

    def _legal_index(self, move: Move, seen: tuple[int, ...]) -> int:
        index = self._index(move, seen)
        assert index is not None
        return index

    def _index(self, move: Move, seen: tuple[int, ...]) -> int | None:
        """The index of a move, or None for an integer that is no move."""
        code = self.kind.move_code
        place, rest = move >> code.bits, move & (1 << code.bits) - 1
        if not code.bits:
            return seen[place] if place < self.cells else self.area + place - self.cells
        if not code.ways:
            return rest * self.area + seen[place]
        if rest >= self.cells:
            return None
        if place >= self.cells:
            return (len(code.ways) + place - self.cells) * self.area + seen[rest]
        channel = self._channel.get(self._between(seen[place], seen[rest]))
        return None if channel is None else channel * self.area + seen[place]

    # -- for the native twin and for training -------------------------------------------------------------------------

    def native_tables(self) -> dict[str, Any]:
        """What the native twin needs to do the same: see `ViewTables` in native/selfplay/view.hpp."""
        code = self.kind.move_code
        moves = self.cells + code.beyond << code.bits
        indices = [[self._index(move, seen) for move in range(moves)] for seen in self.seen]
        return {
            "area": self.area,
            "planes": self.planes,
            "policy_size": self.policy_size,
            "turn_word": self._turn_word,
            "second": self._second,
            "exchanges": self.exchange is not None,
            "places": [list(seen) for seen in self.seen],
            "operations": [
                [(operation.kind, operation.word, list(operation.thresholds)) for operation in seen]
                for seen in self.operations
            ],
            "indices": [[-1 if index is None else index for index in seen] for seen in indices],
        }

    @cached_property
    def symmetries(self) -> tuple[Turned, ...]:
        """The symmetries that keep the players, the identity left out."""
        rich = list(islice(self._first_moves(), 10))[-1]
        kept = [symmetry for symmetry in rich.symmetries() if not symmetry.exchanges_players]
        # Enough to meet moves of every channel.
        number = 400 if self.channels > 1 else 50
        positions = list(islice(self._random_positions(), number)) if kept else []
        return tuple(self._turned(symmetry, positions) for symmetry in kept)

    def _random_positions(self) -> Iterator[Position]:
        """Positions of random games with the first player to move, in which symmetries hold."""
        chance = random.Random(0)
        while True:
            position = self._start
            while moves := position.legal_moves():
                if position.turn is Player.ONE:
                    yield position
                position = position.play(chance.choice(moves))

    def _turned(self, symmetry: Symmetry, positions: list[Position]) -> Turned:
        places = {self.places[cell]: self.places[target] for cell, target in enumerate(symmetry.cells)}
        plane_of = self._planes_turned(symmetry, positions, places)
        bits, policy = list(range(self.planes * self.area)), list(range(self.policy_size))
        for plane, to in enumerate(plane_of):
            for place, target in places.items():
                bits[to * self.area + target] = plane * self.area + place
        for channel, (to, rows, columns) in self._channels_turned(symmetry, positions, places).items():
            for place, target in places.items():
                row, column = target // self.width + rows, target % self.width + columns
                if 0 <= row < self.height and 0 <= column < self.width:
                    policy[to * self.area + row * self.width + column] = channel * self.area + place
        return Turned(tuple(bits), tuple(policy))

    def _planes_turned(self, symmetry: Symmetry, positions: list[Position], places: dict[int, int]) -> list[int]:
        """Where each plane goes. Most stay; the sides of a board may change places (Hex)."""
        possible = [set(range(self.planes)) for _ in range(self.planes)]
        whole = (1 << self.area) - 1
        for position in positions[:100]:
            before, after = self.bits(position), self.bits(position.transform(symmetry))
            turned = [after >> plane * self.area & whole for plane in range(self.planes)]
            for plane, goals in enumerate(possible):
                bits = before >> plane * self.area & whole
                moved = sum(1 << places[place] for place in cells_of(bits))
                goals &= {goal for goal in goals if turned[goal] == moved}
        return [plane if plane in goals else goals.pop() for plane, goals in enumerate(possible)]

    def _channels_turned(
        self, symmetry: Symmetry, positions: list[Position], places: dict[int, int]
    ) -> dict[int, tuple[int, int, int]]:
        """Where the channel of each kind of move goes, as far as moves of that kind were met, and how far beside the
        cell that names the move, seen through the symmetry, lies the one that names its image (Abalone's rows)."""
        found: dict[int, tuple[int, int, int]] = {}
        for position in positions:
            here, there = (self._seen(each) for each in (position, position.transform(symmetry)))
            for move in position.legal_moves():
                channel, place = divmod(self._legal_index(move, here), self.area)
                if channel < self.channels:
                    image = self._legal_index(position.transform_move(move, symmetry), there)
                    to, named = divmod(image, self.area)
                    way = (to, *self._between(places[place], named))
                    assert found.setdefault(channel, way) == way
        return found
