"""Other makers' nets as engines of a match: their raw policy, or our tree search with their opinions.

`rim:PATH` and `six:PATH` are as in match.py; `rim:PATH,nodes=200` searches, `rim:PATH,search=on` for as long as the
match allows. A net that has no value of its own says of
every move how likely it wins, as a logit: the best of them is the value.
"""

from typing import Any

import numpy
from training.nets.match import MAKERS, Policy, Table, best_moves, policy_of

from tabuleiro.record import Node
from tabuleiro.search import Analysis, Engine, Limit, MctsEngine, Score, ScoredLine
from tabuleiro.search.base import Flag, Listener
from tabuleiro.search.mcts import Style

#: Of their search: as the level 10 of ours.
STYLE = Style(exploration=0.3, study_after=2)
TEMPERATURE = 0.7


def is_foreign(name: str) -> bool:
    return name.partition(":")[0] in MAKERS


def foreign_engine(name: str, table: Table, usual: Limit) -> tuple[Engine, Limit]:
    """`usual`: the limit of a search of which the name says none."""
    path, _, setting = name.partition(",")
    policy = policy_of(path)
    if not setting:
        return RawPolicy(table, policy), Limit()
    kind, _, value = setting.partition("=")
    limit = Limit(nodes=int(value)) if kind == "nodes" else usual
    return MctsEngine(style=STYLE, evaluator=MovesAsValues(table, policy), batch=1), limit


class RawPolicy(Engine):
    """Plays the move that a net likes best."""

    stops_by_itself = True

    def __init__(self, table: Table, policy: Policy) -> None:
        super().__init__()
        self._table, self._policy = table, policy

    def forget(self) -> None:
        pass

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        words = numpy.array([node.position.encode()], numpy.uint64)
        (move,) = best_moves(self._table, self._policy, words)
        return Analysis((ScoredLine(Score.estimate(0, 0.5), (move,)),), 0, 1, 0.0, False)


class MovesAsValues:
    """What the tree search asks, answered by a net that judges moves alone."""

    def __init__(self, table: Table, policy: Policy) -> None:
        self._table, self._policy = table, policy

    def __call__(self, positions: bytes, counts: bytes, moves: bytes) -> Any:
        rows = numpy.frombuffer(positions, numpy.uint64).reshape(-1, len(self._table.start)).copy()
        logits = self._policy.logits(self._table.planes(rows))
        ends = numpy.frombuffer(counts, numpy.uint32).cumsum()
        legal = numpy.split(numpy.frombuffer(moves, numpy.uint32), ends[:-1])
        values, priors = [], []
        for row, here, second in zip(logits, legal, self._table.second(rows), strict=True):
            chosen = row[self._table.indices(here, second)]
            values.append(numpy.tanh(chosen.max() / 2))
            priors.append(numpy.exp((chosen - chosen.max()) / TEMPERATURE))
        return numpy.array(values, numpy.float32), numpy.concatenate(priors).astype(numpy.float32)
