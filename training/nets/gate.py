"""The gate: a net inside the tree search against the strongest engine of today, at equal time on one thread each.

    python -m training.nets.gate hex swap=off training/checkpoints/hex-11.onnx --games 40 --seconds 0.5

Openings are random, each played with both colours. On a busy machine seconds are not equal: give `--nodes` and
`--their-nodes` instead, and look at the processor time that is printed. `--raw` lets the net play the move it likes
best, without any search.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray
from training.nets.match import Floats, Table, openings, session

from tabuleiro import Game, get
from tabuleiro.core import Player
from tabuleiro.elo import Tally
from tabuleiro.players import TOP, level_engine
from tabuleiro.record import Node
from tabuleiro.search import Limit, MctsEngine
from tabuleiro.search.mcts import Style


class NetEvaluator:
    """A net as the tree search asks it: both its opinions of a position and of its mirror images, averaged."""

    def __init__(self, table: Table, path: Path, temperature: float) -> None:
        self._table, self._temperature = table, temperature
        self._session = session(path)
        view = table.view
        self._turned = [(numpy.array(t.bits), numpy.argsort(numpy.array(t.policy))) for t in view.symmetries]
        self.asked = 0

    def answers(self, positions: NDArray[numpy.uint64]) -> tuple[Floats, Floats]:
        """Logits of every index, and values for the player to move."""
        planes = self._table.planes(positions)
        count = len(planes)
        flat = planes.reshape(count, -1)
        images = [planes, *(flat[:, bits].reshape(planes.shape) for bits, _ in self._turned)]
        logits, values = self._session.run(None, {"planes": numpy.concatenate(images)})
        total = logits[:count].copy()
        for number, (_, back) in enumerate(self._turned, start=1):
            total += logits[number * count : (number + 1) * count][:, back]
        self.asked += len(logits)
        return total / len(images), values.reshape(len(images), count).mean(0)

    def __call__(self, positions: bytes, counts: bytes, moves: bytes) -> Any:
        rows = numpy.frombuffer(positions, numpy.uint64).reshape(-1, len(self._table.start)).copy()
        logits, values = self.answers(rows)
        ends = numpy.frombuffer(counts, numpy.uint32).cumsum()
        legal = numpy.split(numpy.frombuffer(moves, numpy.uint32), ends[:-1])
        priors = []
        for row, here, second in zip(logits, legal, self._table.second(rows), strict=True):
            chosen = row[self._table.indices(here, second)] / self._temperature
            priors.append(numpy.exp(chosen - chosen.max()))
        clipped = numpy.clip(values, -1, 1).astype(numpy.float32)
        return numpy.ascontiguousarray(clipped), numpy.concatenate(priors).astype(numpy.float32)

    def best(self, node: Node) -> int:
        rows = numpy.array([node.position.encode()], numpy.uint64)
        logits, _ = self.answers(rows)
        moves = numpy.array(node.position.legal_moves(), numpy.uint32)
        return int(moves[logits[0][self._table.indices(moves, bool(self._table.second(rows)[0]))].argmax()])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("options", help="OPTION=VALUE,… or -")
    parser.add_argument("net", type=Path)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--nodes", type=int, help="positions a move of the net's search, instead of seconds")
    parser.add_argument("--their-nodes", type=int, help="of the engine's")
    parser.add_argument("--plies", type=int, default=2, help="random moves at the start")
    parser.add_argument("--exploration", type=float, default=0.3)
    parser.add_argument("--temperature", type=float, default=0.7, help="of the priors")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--raw", action="store_true")
    given = parser.parse_args()
    kind = get(given.game)
    pairs = {} if given.options == "-" else dict(pair.split("=", 1) for pair in given.options.split(","))
    table = Table(kind, kind.options_type.parse(pairs))
    evaluator = NetEvaluator(table, given.net, given.temperature)
    ours = MctsEngine(style=Style(exploration=given.exploration), evaluator=evaluator, batch=given.batch)
    theirs = level_engine(given.game, TOP)
    our_limit, their_limit = (
        Limit(nodes=nodes) if nodes else Limit(seconds=given.seconds) for nodes in (given.nodes, given.their_nodes)
    )
    spent = {True: 0.0, False: 0.0}
    made = {True: 0, False: 0}
    tally = Tally()
    for number, words in enumerate(openings(table, given.games // 2, given.plies, given.seed), start=1):
        start = kind.decode(words.tolist(), table.view.options)
        points = 0.0
        for side in Player:
            node = Game(start).root
            while node.outcome is None:
                mine = node.position.turn is side
                begun = time.process_time()
                if mine:
                    move = evaluator.best(node) if given.raw else ours.play(node, our_limit)
                else:
                    move = theirs.play(node, their_limit)
                spent[mine] += time.process_time() - begun
                made[mine] += 1
                node = node.play(node.position.move_str(move))
            points += 0.5 if node.outcome.winner is None else node.outcome.winner is side
        tally = tally.with_pair(points)
        ms = [1000 * spent[mine] / made[mine] for mine in (True, False)]
        print(
            f"{2 * number} games: {100 * tally.score:.0f} ± {100 * tally.error:.0f} %, {tally.elo_text()} Elo;"
            f" {ms[0]:.0f} v {ms[1]:.0f} ms of processor time a move,"
            f" {evaluator.asked / made[True]:.0f} evaluations a move",
            flush=True,
        )


if __name__ == "__main__":
    main()
