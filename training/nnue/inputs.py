"""What a net that is kept up to date move by move sees of a position: bits, each a row of its first layer.

A bit belongs to a player and mostly to a cell. Both players see the board as if they were the first: what the second
sees at a bit is what lies at the bit's counterpart. Where the row of a bit is in a file of weights is said by the
native twin (native/eval/nnue_inputs.hpp), which writes the same bits.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy
from numpy.typing import NDArray

from tabuleiro import get

Words = NDArray[numpy.uint64]
Bits = NDArray[numpy.bool_]
Permutation = NDArray[numpy.int64]

#: What a bit says of one of the words of `encode()`: that this bit of it is set, that it is this number, or as great.
SET, EQUAL, AT_LEAST = range(3)


@dataclass(frozen=True)
class Bit:
    kind: str
    owner: int
    #: A cell, or a number.
    at: int
    word: int
    test: int
    number: int
    #: The row of the first layer.
    row: int

    @property
    def name(self) -> tuple[str, int, int]:
        return self.kind, self.owner, self.at


@dataclass(frozen=True)
class Inputs:
    #: Words of 64 rows each.
    words: int
    turn_word: int
    bits: tuple[Bit, ...]
    #: Cells as the second player sees them, and symmetries of the cells that leave the players as they are.
    flip: tuple[int, ...]
    turns: tuple[tuple[int, ...], ...]
    #: The words whose set bits are pieces, or which are numbers of pieces: a move that leaves fewer took some.
    pieces: tuple[int, ...]
    #: The kinds of bits that belong to no cell.
    counts: frozenset[str] = frozenset()
    pieces_are_numbers: bool = False

    def _moved(self, where: tuple[int, ...], other: bool) -> Permutation:
        places = {bit.name: place for place, bit in enumerate(self.bits)}
        return numpy.array(
            [
                places[bit.kind, bit.owner ^ other, bit.at if bit.kind in self.counts else where[bit.at]]
                for bit in self.bits
            ]
        )

    @cached_property
    def exchange(self) -> Permutation:
        """For every bit, the one that is the same to the other player."""
        return self._moved(self.flip, other=True)

    @cached_property
    def symmetries(self) -> list[Permutation]:
        return [self._moved(turn, other=False) for turn in self.turns]

    @property
    def rows(self) -> Permutation:
        return numpy.array([bit.row for bit in self.bits])

    def material(self, positions: Words) -> NDArray[numpy.int64]:
        """How many pieces are on the boards."""
        words = positions[:, self.pieces]
        return (words if self.pieces_are_numbers else numpy.bitwise_count(words)).sum(axis=1).astype(numpy.int64)

    def seen(self, positions: Words) -> Bits:
        """The bits of positions, one a row of words, as the player to move sees them."""
        columns = []
        for bit in self.bits:
            word = positions[:, bit.word]
            if bit.test == SET:
                columns.append(word >> numpy.uint64(bit.number) & numpy.uint64(1) != 0)
            else:
                columns.append(word == bit.number if bit.test == EQUAL else word >= bit.number)
        bits = numpy.stack(columns, axis=1)
        second = positions[:, self.turn_word] != 1
        bits[second] = bits[second][:, self.exchange]
        return bits


def _avanco() -> Inputs:
    geometry = get("avanco").start().geometry

    def bits() -> Iterator[Bit]:
        for owner in (0, 1):
            for cell in range(len(geometry)):
                yield Bit("man", owner, cell, owner, SET, cell, 64 * owner + cell)

    turns = geometry.symmetries
    return Inputs(2, 2, tuple(bits()), turns["flip"], (turns["mirror"],), (0, 1))


def _abalone() -> Inputs:
    geometry = get("abalone").start().geometry

    def place(cell: int) -> int:
        """On the ring of native/games/abalone.hpp."""
        name = geometry.names[cell].lower()
        return (13 * (ord(name[0]) - ord("a")) + int(name[1:]) - 1) % 61

    def bits() -> Iterator[Bit]:
        for owner in (0, 1):
            for cell in range(len(geometry)):
                yield Bit("marble", owner, cell, owner, SET, cell, 64 * owner + place(cell))
            for number in range(6):
                yield Bit("lost", owner, number, 3 + owner, AT_LEAST, number + 1, 128 + 8 * owner + number)

    identity = tuple(range(len(geometry)))
    return Inputs(3, 2, tuple(bits()), identity, tuple(geometry.symmetries.values()), (0, 1), frozenset({"lost"}))


def _guerreiros() -> Inputs:
    geometry = get("guerreiros").start().geometry
    field, width = 45, 9

    def bits() -> Iterator[Bit]:
        for owner in (0, 1):
            for cell in range(len(geometry)):
                row = 64 * (2 * owner + cell // field) + cell % field
                yield Bit("warrior", owner, cell, 2 * owner + cell // 64, SET, cell % 64, row)
                yield Bit("king", owner, cell, 4 + owner, EQUAL, cell, 256 + row)
            for column in range(width):
                cell = column + owner * (len(geometry) - width)
                yield Bit("unmoved", owner, cell, 6 + cell // 64, SET, cell % 64, 512 + 16 * owner + column)
            for number in range(3):
                yield Bit("right", owner, number, 9 + owner, AT_LEAST, number + 1, 544 + 4 * owner + number)

    turns = geometry.symmetries
    return Inputs(9, 8, tuple(bits()), turns["flip"], (turns["mirror"],), (0, 1, 2, 3), frozenset({"right"}))


def _ouri() -> Inputs:
    geometry = get("ouri").start().geometry
    #: Seeds of a house are told apart up to here; three houses share a word. A store has 24 at most.
    houses, most, together, full = 12, 21, 3, 24

    def bits() -> Iterator[Bit]:
        for house in range(houses):
            for seeds in range(1, most + 1):
                row = 64 * (house // together) + most * (house % together) + seeds - 1
                test = AT_LEAST if seeds == most else EQUAL
                yield Bit(f"{seeds} seeds", house // 6, house, house, test, seeds, row)
        for owner in (0, 1):
            for number in range(full):
                yield Bit("stored", owner, number, houses + owner, AT_LEAST, number + 1, 256 + full * owner + number)

    half_turn = geometry.symmetries["half_turn"]
    pieces = tuple(range(houses))
    return Inputs(5, 14, tuple(bits()), half_turn, (), pieces, frozenset({"stored"}), pieces_are_numbers=True)


INPUTS: dict[str, Callable[[], Inputs]] = {
    "avanco": _avanco,
    "abalone": _abalone,
    "guerreiros": _guerreiros,
    "ouri": _ouri,
}
