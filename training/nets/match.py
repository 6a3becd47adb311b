"""Matches between the raw policies of nets: each plays the move it likes best, without any search.

    python -m training.nets.match hex swap=off ours.onnx theirs.onnx --games 200

Openings are random, each played with both colours; with `--even NET` only those that this net calls even, since of the
others most are won by whoever has the better side, and tell little. A net written by `export` is its path. Of other
makers' Hex nets, for a mover who joins the first row and the last, `six:PATH` has six planes (own stones, the other's,
own joined to the first and the last side, the other's likewise), and `rim:PATH` (HexHex) two with a rim, asked about
both ways round and averaged; `rim1:PATH` asks one way round.
"""

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, cast

import numpy
import onnxruntime
from numpy.typing import NDArray
from training.pairs import read_pairs

from tabuleiro import _native, get
from tabuleiro.core import Options, Position
from tabuleiro.native import DRAW, ONGOING
from tabuleiro.nn import View

#: An opening is even when neither player expects more than this, from -1 to 1.
EVEN = 0.3
#: No player and no colour.
NOBODY = 99
Words = NDArray[numpy.uint64]
Floats = NDArray[numpy.float32]


class Policy(Protocol):
    def logits(self, planes: Floats) -> Floats:
        """For every index of the policy, from the planes of positions as a `View` shows them."""


def session(path: Path, threads: int = 1) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


class OurNet:
    def __init__(self, path: Path) -> None:
        self._session = session(path)

    def logits(self, planes: Floats) -> Floats:
        policy: Floats = self._session.run(["policy"], {"planes": planes})[0]
        return policy

    def value(self, planes: Floats) -> Floats:
        """What the player to move may expect, from -1 to 1."""
        value: Floats = self._session.run(["value"], {"planes": planes})[0]
        return value


class SixPlanes:
    def __init__(self, path: Path) -> None:
        self._session = session(path)

    def logits(self, planes: Floats) -> Floats:
        size = planes.shape[2]
        seen = planes[:, (0, 1, 2, 4, 3, 5)].transpose(0, 1, 3, 2)
        policy: Floats = self._session.run(None, {"x": numpy.ascontiguousarray(seen)})[0]
        return _without_button(policy.reshape(-1, size, size).transpose(0, 2, 1).reshape(len(planes), -1))


class WithRim:
    def __init__(self, path: Path, both: bool = True) -> None:
        self._session = session(path)
        self._both = both

    def logits(self, planes: Floats) -> Floats:
        size = planes.shape[2]
        seen = numpy.pad(planes[:, :2].transpose(0, 1, 3, 2), ((0, 0), (0, 0), (1, 1), (1, 1)))
        # The mover owns the first and the last row, the other the columns; the corners are nobody's.
        seen[:, 0, 0, 1:-1] = seen[:, 0, -1, 1:-1] = seen[:, 1, 1:-1, 0] = seen[:, 1, 1:-1, -1] = 1
        name = self._session.get_inputs()[0].name
        answers = []
        for one in seen:
            boards = (one, one[:, ::-1, ::-1]) if self._both else (one,)
            straight, *turned = (
                self._session.run(None, {name: numpy.ascontiguousarray(board[None])})[0][0] for board in boards
            )
            mean = (straight + turned[0][::-1]) / 2 if turned else straight
            answers.append(mean.reshape(size, size).T.reshape(-1))
        return _without_button(numpy.stack(answers))


def _without_button(logits: Floats) -> Floats:
    """Logits of the cells, and behind them one of the swap, which is never chosen."""
    return numpy.concatenate((logits, numpy.full((len(logits), 1), -1e9, numpy.float32)), 1)


#: The nets of other makers, by what stands before the colon.
MAKERS: dict[str, Callable[[Path], Policy]] = {
    "six": SixPlanes,
    "rim": WithRim,
    "rim1": lambda path: WithRim(path, both=False),
}


def policy_of(name: str) -> Policy:
    maker, _, path = name.rpartition(":")
    return MAKERS[maker](Path(path)) if maker else OurNet(Path(path))


class Table:
    """Positions of one game under one set of options, as rows of words."""

    def __init__(self, kind: type[Position], options: Options) -> None:
        self.view = View(kind, options)
        self._id, self._options, self._tables = kind.id, options.encode(), self.view.native_tables()
        self._kernel = _native.KERNELS[kind.id](self._options)
        self.start = numpy.array(kind.start(options).encode(), numpy.uint64)

    def planes(self, positions: Words) -> Floats:
        packed = _native.PACKERS[self._id](self._options, self._tables, cast(Any, positions))
        rows = numpy.frombuffer(packed, numpy.uint8).reshape(len(positions), -1)
        bits = numpy.unpackbits(rows, axis=1, bitorder="little")[:, : self.view.planes * self.view.area]
        return bits.reshape(-1, self.view.planes, self.view.height, self.view.width).astype(numpy.float32)

    def second(self, positions: Words) -> NDArray[numpy.bool_]:
        second: int = self._tables["second"] if self._tables["exchanges"] else NOBODY
        return numpy.equal(positions[:, self._tables["turn_word"]], second)

    def player(self, position: Words) -> int:
        return self._kernel.turn(position.tolist())

    def legal(self, positions: Words) -> list[NDArray[numpy.uint32]]:
        counts, moves = self._kernel.moves_many(cast(Any, positions))
        ends = numpy.frombuffer(counts, numpy.uint32).cumsum()
        return numpy.split(numpy.frombuffer(moves, numpy.uint32), ends[:-1])

    def indices(self, moves: NDArray[numpy.uint32], second: bool) -> NDArray[numpy.int64]:
        return numpy.array(self._tables["indices"][int(second)])[moves]

    def play(self, positions: Words, moves: list[int]) -> NDArray[numpy.uint8]:
        """Plays in place; how each game stands."""
        return numpy.frombuffer(
            self._kernel.step_many(cast(Any, positions), cast(Any, numpy.array(moves, numpy.uint32))), numpy.uint8
        )


def best_moves(table: Table, policy: Policy, positions: Words) -> list[int]:
    logits = policy.logits(table.planes(positions))
    second = table.second(positions)
    chosen = []
    for row, moves, eyes in zip(logits, table.legal(positions), second, strict=True):
        chosen.append(int(moves[row[table.indices(moves, eyes)].argmax()]))
    return chosen


def openings(table: Table, count: int, plies: int, seed: int, judge: OurNet | None = None) -> Words:
    """Positions after so many random moves, none of them finished, and even if there is a judge."""
    chance = numpy.random.default_rng(seed)
    found: list[Words] = []
    while len(found) < count:
        position = table.start[None].copy()
        standing = [table.play(position, [int(chance.choice(table.legal(position)[0]))])[0] for _ in range(plies)]
        if not any(standing) and (judge is None or abs(judge.value(table.planes(position))[0]) < EVEN):
            found.append(position[0])
    return numpy.stack(found)


def match(table: Table, first: Policy, second: Policy, starts: Words) -> list[float]:
    """The points of the first net in each pair of games, from 0 to 2."""
    pairs = len(starts)
    turn = table.view.native_tables()["turn_word"]
    players = numpy.array([table.player(position) for position in starts])
    points = numpy.zeros(pairs)
    for first_is_mover in (True, False):
        positions = starts.copy()
        mover = positions[:, turn].copy()
        running = numpy.arange(pairs)
        while len(running):
            results = numpy.zeros(len(running), numpy.uint8)
            to_move = positions[running, turn]
            of_first = (to_move == mover[running]) == first_is_mover
            for policy, mine in ((first, of_first), (second, ~of_first)):
                if mine.any():
                    chosen = positions[running[mine]]
                    results[mine] = table.play(chosen, best_moves(table, policy, chosen))
                    positions[running[mine]] = chosen
            over = results != ONGOING
            won = (results[over] == players[running[over]]) == first_is_mover
            points[running[over]] += numpy.where(results[over] == DRAW, 0.5, won)
            running = running[~over]
    return points.tolist()


def summary(points: list[float]) -> str:
    """The score in percent with its 95 % error (pairs are what is independent), and what it is in Elo."""
    shares = numpy.array(points) / 2
    score, error = shares.mean(), 1.96 * shares.std(ddof=1) / math.sqrt(len(shares))
    elo = 400 * math.log10(max(score, 1e-3) / max(1 - score, 1e-3))
    return f"{100 * score:.1f} ± {100 * error:.1f} % of {2 * len(points)} games, {elo:+.0f} Elo"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("options", help="OPTION=VALUE,… or -")
    parser.add_argument("first")
    parser.add_argument("second", nargs="+")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--plies", type=int, default=2, help="random moves at the start")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--even", type=Path, help="a net that says which openings are even")
    given = parser.parse_args()
    kind = get(given.game)
    table = Table(kind, kind.options_type.parse(read_pairs(given.options)))
    judge = None if given.even is None else OurNet(given.even)
    starts = openings(table, (given.games + 1) // 2, given.plies, given.seed, judge)
    first = policy_of(given.first)
    for name in given.second:
        points = match(table, first, policy_of(name), starts)
        print(f"{given.first} v {name}: {summary(points)}", flush=True)


if __name__ == "__main__":
    main()
