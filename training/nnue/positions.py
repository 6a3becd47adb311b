"""Positions to learn from, out of games: what the mover sees, and how good it proved to be."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy
from numpy.typing import NDArray
from training.nnue.games import LOST, NOT_SEARCHED, WON, Games
from training.nnue.inputs import INPUTS, Inputs
from training.pairs import read_pairs

from tabuleiro import _native, get
from tabuleiro.native import DRAW
from tabuleiro.search.native import Weights

#: How much of a label comes from later than the search of the position itself, at each step back in the game.
PATIENCE = 0.8


@dataclass(frozen=True)
class Positions:
    #: Bits as the mover sees them, eight a byte.
    packed: NDArray[numpy.uint8]
    #: The share of a win that the mover may expect.
    labels: NDArray[numpy.float32]
    #: What the evaluation of today makes of them, for comparison; empty if nobody asked.
    today: NDArray[numpy.float32]

    @staticmethod
    def together(parts: Sequence["Positions"]) -> "Positions":
        return Positions(
            numpy.concatenate([part.packed for part in parts]),
            numpy.concatenate([part.labels for part in parts]),
            numpy.concatenate([part.today for part in parts]),
        )


def positions_of(path: Path, patience: float = PATIENCE, compare: bool = False) -> Positions:
    """Those of one file that were searched and whose best move takes nothing: what is noisy is played out before it is
    judged."""
    games = Games.read(path)
    kind = get(games.game)
    options = kind.options_type.parse(read_pairs(games.options))
    inputs, weights = INPUTS[games.game](), Weights.of(games.game, options)
    words, players = replayed(games, kind.start(options).encode(), inputs, options.encode())
    labels = labels_of(games, players, weights, patience)
    kept = numpy.flatnonzero((games.scores != NOT_SEARCHED) & ~_takes(games, words, inputs))
    today = numpy.empty(0, numpy.float32)
    if compare:
        settings = _native.SearchSettings(options=options.encode(), mebibytes=1, **weights.columns())
        search = _native.SEARCHERS[games.game]["usual"](settings)
        today = numpy.array([weights.chance(search.evaluate(row.tolist())) for row in words[kept]], numpy.float32)
    packed = numpy.packbits(inputs.seen(words[kept]), axis=1, bitorder="little")
    return Positions(packed, labels[kept].astype(numpy.float32), today)


def replayed(
    games: Games, start: tuple[int, ...], inputs: Inputs, options: tuple[int, ...]
) -> tuple[NDArray[numpy.uint64], NDArray[numpy.int64]]:
    """The position before every move, and whose turn it is there."""
    kernel = _native.KERNELS[games.game](options)
    begins = numpy.concatenate(([0], games.lengths.cumsum()[:-1]))
    words = numpy.zeros((len(games.moves), len(start)), numpy.uint64)
    standing = numpy.tile(numpy.array(start, numpy.uint64), (len(games.lengths), 1))
    running = numpy.arange(len(games.lengths))
    for ply in range(int(games.lengths.max())):
        running = running[games.lengths[running] > ply]
        at = begins[running] + ply
        words[at] = here = standing[running]
        kernel.step_many(cast(Any, here), cast(Any, games.moves[at]))
        standing[running] = here
    return words, words[:, inputs.turn_word].astype(numpy.int64)


def labels_of(games: Games, players: NDArray[numpy.int64], weights: Weights, patience: float) -> NDArray[numpy.float64]:
    """For every position, what its search thought mixed with what came later; but not with what came of a random
    move."""
    points = numpy.clip(games.scores / weights.scale, -30, 30)
    chances = 1 / (1 + numpy.exp(-points))
    chances[games.scores == WON], chances[games.scores == LOST] = 1, 0
    for_first = numpy.where(players == 1, chances, 1 - chances)
    labels = numpy.empty_like(for_first)
    end = 0
    for length, result in zip(games.lengths.tolist(), games.results.tolist(), strict=True):
        begin, end = end, end + length
        later: float | None = 0.5 if result == DRAW else float(result == 1)
        for at in range(end - 1, begin - 1, -1):
            if games.scores[at] == NOT_SEARCHED:
                later = None
                continue
            own = for_first[at]
            later = own if later is None else (1 - patience) * own + patience * later
            labels[at] = later
    return numpy.where(players == 1, labels, 1 - labels)


def _takes(games: Games, words: NDArray[numpy.uint64], inputs: Inputs) -> NDArray[numpy.bool_]:
    """Whether the move from each position takes a piece, as the position after it shows."""
    pieces = inputs.material(words)
    takes = numpy.zeros(len(words), bool)
    takes[:-1] = pieces[1:] < pieces[:-1]
    takes[games.lengths.cumsum() - 1] = False
    return takes
