"""Fits what parts of the board are worth in Konane (native/eval/konane_patterns.hpp) to positions whose value is known.

    python training/konane_patterns.py positions late.txt --seconds 1200 --seed 1
    python training/konane_patterns.py positions middle.txt --stones 31 44 --seconds 1200 --seed 2
    python training/konane_patterns.py fit late.txt middle.txt --write

1. Games of alpha-beta with few nodes, with random openings and slips. From their positions some random moves lead to
   positions such as a search meets. Those with few stones are solved; of the others a longer search says how likely
   they are to be won, with the patterns of today.
2. Logistic regression over all patterns: rows and columns, two by four, three by three cells, each with a worth early
   and one late in the game. What follows from another pattern by turning the board is one and the same unknown:
   turning and mirroring either keep the colours or exchange them.
3. How well positions held out are told is printed; with `--write` the file of weights gets the new patterns. Whether
   they play better, a match tells: `tabuleiro match konane alphabeta:nodes=20000,weights=NEW alphabeta:nodes=20000`.
"""

import argparse
import dataclasses
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tabuleiro import native
from tabuleiro.games.konane import Konane
from tabuleiro.search import AlphaBetaEngine, Limit
from tabuleiro.search.base import Worth
from tabuleiro.search.native import Weights
from tabuleiro.solve.konane import KonaneSolver

WEIGHTS = Path(__file__).parents[1] / "src" / "tabuleiro" / "search" / "weights" / "konane.json"
#: How the games are played from which positions are taken, and how positions are weighed that are not solved.
PLAY, WEIGH = Limit(nodes=150), Limit(nodes=20_000)
SLIPS = 0.1
#: Positions with more stones than this are weighed by a search, the others solved with this number of nodes at most.
SOLVED, PATIENCE = 30, Limit(nodes=400_000)
#: Stones, as in the native code: with the first number or fewer the game is late, with the second or more early.
LATE, EARLY = 12, 44
#: Points of a unit in the file, and the points that make the odds of winning e times as good.
UNIT, SCALE = 4, 196.0

Words = tuple[int, ...]
Floats = NDArray[np.float64]

# ---------------------------------------------------------------------------------------------------------- positions


def positions(fewest: int, most: int, seconds: float, seed: int) -> Iterator[tuple[Words, float]]:
    """Positions with that many stones, and how likely the player to move wins them: 0 or 1 where they are solved."""
    start = Konane.start()
    kernel = native.kernel(start)
    assert kernel is not None
    chance = random.Random(seed)
    player, judge = AlphaBetaEngine(table=1), AlphaBetaEngine(table=4)
    solver = KonaneSolver(start.options)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        words: Words = start.encode()
        opening, ply = chance.randrange(4, 14), 0
        while (moves := kernel.moves(words)) and stones(words) >= fewest:
            loose = ply < opening or chance.random() < SLIPS
            words = kernel.play(words, chance.choice(moves) if loose else player.play(Konane.decode(words), PLAY))
            ply += 1
            if stones(words) > most + 12 or chance.random() > 0.6:
                continue
            for _ in range(3):
                found = words
                for _ in range(max(chance.randrange(9), stones(words) - most)):
                    if moves := kernel.moves(found):
                        found = kernel.play(found, chance.choice(moves))
                if not kernel.moves(found) or not fewest <= stones(found) <= most:
                    continue
                if stones(found) > SOLVED:
                    yield found, judge.analyse(Konane.decode(found), WEIGH).score.chance
                elif score := solver.solve(Konane.decode(found), PATIENCE, every_move=False).score:
                    yield found, float(score.worth is Worth.WIN)


def stones(words: Words) -> int:
    return (words[0] | words[1]).bit_count()


# ----------------------------------------------------------------------------------------------------------- patterns

Cell = tuple[int, int]


@dataclass(frozen=True)
class Part:
    """A part of the board. Its cells stand in the order in which those of its kind correspond to one another."""

    cells: tuple[Cell, ...]
    kind: int
    #: -1 if the colours are exchanged against the first of its kind.
    sign: int


def turned(cell: Cell, way: int) -> Cell:
    """One of the eight images of a cell: upended (1), mirrored (2), transposed first (4)."""
    row, column = cell[::-1] if way & 4 else cell
    return 7 - row if way & 1 else row, 7 - column if way & 2 else column


def sign_of(way: int) -> int:
    """-1 if an image exchanges the colours, as upending and mirroring do."""
    return -1 if (way & 3).bit_count() == 1 else 1


def rectangle(row: int, column: int, height: int, width: int) -> tuple[Cell, ...]:
    return tuple((row + up, column + right) for up in range(height) for right in range(width))


def all_parts() -> dict[frozenset[Cell], Part]:
    """Every row, column, two by four and three by three of the board."""
    kinds: dict[tuple[Cell, ...], int] = {}
    parts = {}
    for height, width in ((1, 8), (8, 1), (2, 4), (4, 2), (3, 3)):
        for row in range(9 - height):
            for column in range(9 - width):
                cells = rectangle(row, column, height, width)
                way = min(range(8), key=lambda way: sorted(turned(cell, way) for cell in cells))
                ordered = sorted(cells, key=lambda cell: turned(cell, way))
                kind = kinds.setdefault(tuple(turned(cell, way) for cell in ordered), len(kinds))
                parts[frozenset(cells)] = Part(tuple(ordered), kind, sign_of(way))
    return parts


#: Entries of a kind: no part has more cells than nine.
ENTRIES = 1 << 9


class Patterns:
    """The worth of every entry of every kind, for White: late and early; and of the right to move."""

    def __init__(self) -> None:
        self.parts = all_parts()
        self.kinds = 1 + max(part.kind for part in self.parts.values())
        self.worths = np.zeros((2, self.kinds * ENTRIES))
        self.turn = np.zeros(2)

    def entries(self, taken: NDArray[np.int32]) -> NDArray[np.int32]:
        """Of many boards (taken[board, row, column] is 0 or 1), the entry of each part."""
        found = np.zeros((len(taken), len(self.parts)), dtype=np.int32)
        for place, part in enumerate(self.parts.values()):
            found[:, place] = part.kind * ENTRIES
            for bit, (row, column) in enumerate(part.cells):
                found[:, place] += taken[:, row, column] << bit
        return found

    @property
    def signs(self) -> Floats:
        return np.array([part.sign for part in self.parts.values()], dtype=np.float64)

    def even_out(self) -> None:
        """A part that is an image of itself has one worth, whichever way it is looked at."""
        for part in {part.kind: part for part in self.parts.values()}.values():
            own = slice(part.kind * ENTRIES, (part.kind + 1) * ENTRIES)
            index = np.arange(ENTRIES)
            views = []
            for way in range(8):
                images = [turned(cell, way) for cell in part.cells]
                if set(images) == set(part.cells):
                    seen = sum((index >> bit & 1) << part.cells.index(cell) for bit, cell in enumerate(images))
                    views.append(sign_of(way) * self.worths[:, own][:, seen])
            self.worths[:, own] = np.mean(views, axis=0)

    def encode(self) -> bytes:
        """As the native code reads them."""
        regions = [rectangle(row, 0, 1, 8) for row in range(4)]
        regions += [rectangle(row, column, 2, 4) for row in range(4) for column in range(5)]
        regions += [rectangle(row, column, 3, 3) for row in range(3) for column in range(3)]
        rows = []
        for cells in regions:
            part = self.parts[frozenset(cells)]
            index = np.arange(1 << len(cells))
            entry = np.full(len(index), part.kind * ENTRIES)
            for bit, cell in enumerate(part.cells):
                entry += (index >> cells.index(cell) & 1) << bit
            rows.append(part.sign * self.worths[:, entry].T)
        table = np.concatenate([*rows, self.turn[None]]) * SCALE / UNIT
        return np.clip(np.rint(table), -127, 127).astype(np.int8).tobytes()


# ---------------------------------------------------------------------------------------------------------------- fit


@dataclass
class Sample:
    entries: NDArray[np.int32]
    #: How early in the game, from 0 to 1; 1 if White is to move, -1 if Black; how likely the player to move wins.
    phase: Floats
    side: Floats
    chance: Floats


def read(files: list[Path], patterns: Patterns) -> Sample:
    lines = [line.split() for file in files for line in file.read_text().splitlines()]
    boards = np.array([int(white) | int(black) for white, black, _, _ in lines], dtype=np.uint64)
    side = np.array([1.0 if turn == "1" else -1.0 for _, _, turn, _ in lines])
    chance = np.array([float(value) for *_, value in lines])
    taken = (boards[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(np.int32).reshape(-1, 8, 8)
    phase = (np.clip(taken.sum((1, 2)), LATE, EARLY) - LATE) / (EARLY - LATE)
    # Mirrored boards, colours exchanged, are as good; some parts are their own images and learn from that.
    entries = np.concatenate([patterns.entries(taken), patterns.entries(taken[:, :, ::-1])])
    return Sample(entries, np.tile(phase, 2), np.concatenate([side, -side]), np.tile(chance, 2))


def fit(patterns: Patterns, sample: Sample, passes: int, decay: float) -> None:
    """Adam over batches, its steps growing smaller; prints the surprise a position, in nats."""
    total = len(sample.chance) // 2
    held = np.tile(np.arange(total) % 20 == 0, 2)
    train, held_out = np.flatnonzero(~held), np.flatnonzero(held[:total])
    signs = patterns.signs
    parameters = [patterns.worths, patterns.turn]
    mean = [np.zeros_like(each) for each in parameters]
    square = [np.zeros_like(each) for each in parameters]
    chance = np.random.default_rng(1)
    batch, steps = 4096, 0
    wanted = passes * (len(train) // batch)

    def tell(rows: NDArray[np.int64]) -> tuple[Floats, Floats]:
        blend = np.stack([1 - sample.phase[rows], sample.phase[rows]])
        late, early = ((patterns.worths[age][sample.entries[rows]] * signs).sum(1) for age in (0, 1))
        white = late * blend[0] + early * blend[1]
        return sample.side[rows] * white + patterns.turn @ blend, blend

    for number in range(passes):
        order = chance.permutation(train)
        for begin in range(0, len(order) - batch + 1, batch):
            rows = order[begin : begin + batch]
            odds, blend = tell(rows)
            pull = (1 / (1 + np.exp(-odds)) - sample.chance[rows]) / batch
            entries = sample.entries[rows].ravel()
            pulls = [
                np.stack(
                    [
                        np.bincount(
                            entries,
                            ((pull * sample.side[rows] * blend[age])[:, None] * signs).ravel(),
                            patterns.worths.shape[1],
                        )
                        for age in (0, 1)
                    ]
                )
                + decay * patterns.worths / len(train),
                blend @ pull,
            ]
            steps += 1
            rate = 0.01 * (1 - steps / wanted) + 1e-5
            for place, gradient in enumerate(pulls):
                mean[place] += 0.1 * (gradient - mean[place])
                square[place] += 0.001 * (gradient**2 - square[place])
                step = mean[place] / (1 - 0.9**steps) / (np.sqrt(square[place] / (1 - 0.999**steps)) + 1e-9)
                parameters[place] -= rate * step
        odds, _ = tell(held_out)
        truth = sample.chance[held_out]
        loss = np.mean(np.logaddexp(0, odds) - truth * odds)
        right = np.mean((odds > 0) == (truth > 0.5))
        print(f"pass {number + 1}: {loss:.4f} nats, {100 * right:.1f} % right of {len(held_out)} held out", flush=True)
    patterns.even_out()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    collect = commands.add_parser("positions", help="add positions to a file")
    collect.add_argument("file", type=Path)
    collect.add_argument("--stones", type=int, nargs=2, default=(LATE, SOLVED), metavar=("FEWEST", "MOST"))
    collect.add_argument("--seconds", type=float, default=600)
    collect.add_argument("--seed", type=int, default=1)
    learn = commands.add_parser("fit", help="fit the patterns to positions")
    learn.add_argument("files", type=Path, nargs="+")
    learn.add_argument("--passes", type=int, default=8)
    learn.add_argument("--decay", type=float, default=3.0)
    learn.add_argument("--write", action="store_true", help="put them into the weights of the package")
    learn.add_argument("--to", type=Path, help="write weights with them to this file")
    arguments = parser.parse_args()
    if arguments.command == "positions":
        fewest, most = arguments.stones
        with arguments.file.open("a") as file:
            for words, value in positions(fewest, most, arguments.seconds, arguments.seed):
                print(*words[:2], int(words[2]), f"{value:.4g}", file=file)
        return
    patterns = Patterns()
    sample = read(arguments.files, patterns)
    fit(patterns, sample, arguments.passes, arguments.decay)
    weights = dataclasses.replace(Weights.parse(WEIGHTS.read_text("utf-8")), scale=SCALE, patterns=patterns.encode())
    for file in (WEIGHTS if arguments.write else None, arguments.to):
        if file:
            file.write_text(weights.dump(), "utf-8")


if __name__ == "__main__":
    main()
