"""What Tabuleiro knows of Rastros on 7x7: its proof, its book of openings, and the map of starts.

    python training/rastros_book.py proof    # src/tabuleiro/solve/data/rastros-proof.xz, about a minute, 4 GiB
    python training/rastros_book.py book     # src/tabuleiro/solve/data/rastros-book.xz, some ten minutes, 4 GiB
    python training/rastros_book.py map      # who wins from every start square, about half an hour, 4 GiB
    python training/rastros_book.py map --square g2
    python training/rastros_book.py times    # how long every move of positions from ply 6 on takes

The proof is a way for the first player to win. The book has the value of every position a few plies after the start,
whatever was played; those of earlier positions follow from them.
"""

import argparse
import hashlib
import itertools
import lzma
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tabuleiro import _native, solve
from tabuleiro.core import EMPTY, Position, put
from tabuleiro.games.rastros import MARKER, Rastros
from tabuleiro.geometry import Cell
from tabuleiro.search import AlphaBetaEngine, Limit
from tabuleiro.solve.rastros import BOOK, BOOK_PLIES, WIN, RastrosSolver
from tabuleiro.solve.rastros_proof import PROOF

DATA = Path(solve.__file__).parent / "data"
START = Rastros.start()

FIRST_PLY = 6
SENSIBLE_NODES = 5_000
MEASURED = 1000
#: How many positions one solver is asked about, before a new one takes its place that remembers none of them.
ASKED = 100
SHARES = {"half of them": 0.5, "99 %": 0.99}


def make_proof(table: _native.RastrosSolver) -> None:
    assert table.value(START.encode(), 0, 0.0, _native.StopFlag()) == WIN
    print(f"the first player wins: {table.nodes} nodes", file=sys.stderr)
    proof = table.proof(START.encode(), _native.StopFlag())
    print(f"{len(proof) // 2} steps, digest {hashlib.sha256(proof).hexdigest()}", file=sys.stderr)
    (DATA / PROOF).write_bytes(lzma.compress(proof, preset=9 | lzma.PRESET_EXTREME))


def make_book(table: _native.RastrosSolver) -> None:
    positions = table.positions_after(START.encode(), BOOK_PLIES)
    wins = bytearray((len(positions) + 7) // 8)
    for i, position in enumerate(positions):
        if table.value(position, 0, 0.0, _native.StopFlag()) == WIN:
            wins[i // 8] |= 1 << i % 8
        if i % 1000 == 0:
            print(f"{i} of {len(positions)} positions: {table.nodes} nodes", file=sys.stderr)
    (DATA / BOOK).write_bytes(lzma.compress(bytes(wins), preset=9 | lzma.PRESET_EXTREME))


def winner_from(table: _native.RastrosSolver, cell: Cell) -> str:
    """Who wins when the marker starts on a cell and player 1 moves first."""
    position = Rastros(START.turn, START.options, put(EMPTY * len(START.board), {cell: MARKER}))
    begin, before = time.monotonic(), table.nodes
    winner = "1" if table.value(position.encode(), 0, 0.0, _native.StopFlag()) == WIN else "2"
    took = f"{table.nodes - before} nodes, {time.monotonic() - begin:.0f} s"
    print(f"{START.geometry.names[cell]}: player {winner} wins ({took})", file=sys.stderr, flush=True)
    return winner


def draw_map(table: _native.RastrosSolver) -> None:
    size, names = START.options.size, START.geometry.names
    winners = {0: "*", size * size - 1: "*"}
    for cell in range(1, size * size - 1):
        # The reflection of a cell has its value.
        reflected = START.geometry.symmetries["transpose"][cell]
        winners[cell] = winners[reflected] if reflected < cell else winner_from(table, cell)
    for row in reversed(range(size)):
        print(row + 1, *(winners[row * size + column] for column in range(size)))
    print(" ", *(name[0] for name in names[:size]))


def positions_of_games(sensible: bool, seed: int) -> Iterator[Position]:
    """The positions from ply 6 on of games that begin with two random plies: random to the end, or played by search."""
    rng = random.Random(seed)
    engine = AlphaBetaEngine(table=16)
    while True:
        position: Position = START
        for ply in itertools.count():
            if position.outcome() is not None:
                break
            if ply >= FIRST_PLY:
                yield position
            if sensible and ply >= 2:
                move = engine.play(position, Limit(nodes=SENSIBLE_NODES))
            else:
                move = rng.choice(position.legal_moves())
            position = position.play(move)


def measure_times(_: _native.RastrosSolver) -> None:
    """The CPU time of a thousand positions of each kind, no solver being asked about too many of them."""
    for kind in ("random", "sensible"):
        for every_move in (True, False):
            seconds, nodes = [], []
            for i, position in enumerate(itertools.islice(positions_of_games(kind == "sensible", seed=1), MEASURED)):
                if i % ASKED == 0:
                    solver = RastrosSolver(START.options)
                    assert solver.table.known(START.encode()) == WIN  # its book is read before the clock runs
                begin = time.process_time()
                solution = solver.solve(position, every_move=every_move)
                assert solution.exact
                seconds.append(time.process_time() - begin)
                nodes.append(solution.nodes)
            seconds.sort()
            shares = " ".join(f"{name} {seconds[int(part * MEASURED)]:.3f} s" for name, part in SHARES.items())
            in_time = sum(second <= 1 for second in seconds) / MEASURED
            what = "every move" if every_move else "the value"
            print(
                f"{kind}, {what}: {shares}, most {seconds[-1]:.3f} s, within 1 s {in_time:.1%}, "
                f"nodes {sum(nodes) // MEASURED} on average, {max(nodes)} at most",
                flush=True,
            )


def main() -> None:
    works = {"proof": make_proof, "book": make_book, "map": draw_map, "times": measure_times}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=works)
    parser.add_argument("--memory", type=int, default=4096, help="MiB of the table")
    parser.add_argument("--square", choices=START.geometry.names[1:-1], help="of the map, this start square alone")
    arguments = parser.parse_args()
    table = _native.RastrosSolver(START.options.encode(), arguments.memory)
    if arguments.square:
        winner_from(table, START.geometry.names.index(arguments.square))
    else:
        works[arguments.work](table)


if __name__ == "__main__":
    main()
