"""Games as they are kept between the playing and the learning: moves, scores and results, a few bytes a move."""

from pathlib import Path
from typing import Self

import numpy
from numpy.typing import NDArray

#: The score of a move that was not searched for, and those of a position that is decided.
NOT_SEARCHED, LOST, WON = -32768, -32000, 32000


class GamesWriter:
    def __init__(self, game: str, options: str) -> None:
        self._game, self._options = game, options
        self._lengths: list[int] = []
        self._results: list[int] = []
        self._moves: list[int] = []
        self._scores: list[int] = []

    def add(self, moves: list[int], scores: list[int], result: int) -> None:
        self._lengths.append(len(moves))
        self._results.append(result)
        self._moves += moves
        self._scores += scores

    def write(self, path: Path) -> None:
        new = path.with_suffix(".new")
        with new.open("wb") as file:
            numpy.savez_compressed(
                file,
                game=self._game,
                options=self._options,
                lengths=numpy.array(self._lengths, numpy.uint16),
                results=numpy.array(self._results, numpy.uint8),
                moves=numpy.array(self._moves, numpy.uint16),
                scores=numpy.array(self._scores, numpy.int16),
            )
        new.replace(path)


class Games:
    """Games of one kind under one set of options, one after another."""

    def __init__(
        self,
        game: str,
        options: str,
        lengths: NDArray[numpy.int64],
        results: NDArray[numpy.uint8],
        moves: NDArray[numpy.uint32],
        scores: NDArray[numpy.int32],
    ) -> None:
        self.game, self.options = game, options
        self.lengths, self.results, self.moves, self.scores = lengths, results, moves, scores

    @classmethod
    def read(cls, path: Path) -> Self:
        with numpy.load(path) as kept:
            return cls(
                str(kept["game"]),
                str(kept["options"]),
                kept["lengths"].astype(numpy.int64),
                kept["results"],
                kept["moves"].astype(numpy.uint32),
                kept["scores"].astype(numpy.int32),
            )
