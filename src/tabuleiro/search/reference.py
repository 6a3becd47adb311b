"""Plain search over the Python rules: slow, short, and the measure of the fast ones. Plays games without a kernel."""

import itertools
import time

from tabuleiro.core import Move
from tabuleiro.record import Node
from tabuleiro.search.base import Analysis, Engine, Flag, Limit, Listener, Score, ScoredLine, Worth, ended, one_ply_on

UNKNOWN = Score.estimate(0, 0.5)


class _StopError(Exception):
    pass


class ReferenceEngine(Engine):
    """Looks at every move to a depth, and one ply deeper each time. Knows nothing but how games end."""

    def forget(self) -> None:
        pass

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        return _Search(detached(node), limit, lines, stop).run(listener)


def detached(node: Node) -> Node:
    """The same node in a game of its own, with its history: searching adds moves to the tree."""
    root, *made = node.path()
    copy = Node(root.position)
    for step in made:
        # The positions are those that are there: making them again takes 40 ms in a long game.
        copy.children.append(Node(step.position, copy, step.move))
        copy = copy.children[0]
    return copy


class _Search:
    def __init__(self, root: Node, limit: Limit, lines: int, stop: Flag) -> None:
        self.root = root
        self.limit = limit
        self.lines = lines
        self.stop = stop
        self.begin = time.monotonic()
        self.nodes = 0
        self.depth = 0

    def run(self, listener: Listener) -> Analysis:
        moves = self.root.position.legal_moves()
        # What the first depth has not come to when it is stopped stays unknown: there must be a move to play.
        lines = {move: ScoredLine(UNKNOWN, (move,)) for move in moves}
        for depth in itertools.count(1):
            if self.limit.depth is not None and depth > self.limit.depth:
                break
            before = lines
            lines = dict(before)
            try:
                for move in moves:
                    lines[move] = self._line(move, depth)
            except _StopError:
                return self._analysis(lines if self.depth == 0 else before)
            self.depth = depth
            found = self._analysis(lines)
            listener(found)
            if found.exact:
                break
        return self._analysis(lines)

    def _analysis(self, found: dict[Move, ScoredLine]) -> Analysis:
        # The best first; sorting keeps the order of moves that are equally good.
        lines = sorted(found.values(), key=lambda line: line.score, reverse=True)
        best = lines[0].score
        exact = best.worth is Worth.WIN or all(line.score.exact for line in lines)
        seconds = time.monotonic() - self.begin
        return Analysis(tuple(lines[: self.lines]), self.depth, self.nodes, seconds, exact)

    def _line(self, move: Move, depth: int) -> ScoredLine:
        self._look_at_limits()
        child = self.root.play(move)
        score, line = self._value(child, depth - 1)
        own = child.position.turn is self.root.position.turn
        return ScoredLine(one_ply_on(score if own else -score), (move, *line))

    def _value(self, node: Node, depth: int) -> tuple[Score, tuple[Move, ...]]:
        """The value for the player to move, with the line that leads to it."""
        self.nodes += 1
        if node.outcome is not None:
            return ended(node.outcome, node.position.turn), ()
        if depth == 0:
            return UNKNOWN, ()
        best: Score | None = None
        best_line: tuple[Move, ...] = ()
        all_exact = True
        for move in node.position.legal_moves():
            self._look_at_limits()
            child = node.play(move)
            score, line = self._value(child, depth - 1)
            score = one_ply_on(score if child.position.turn is node.position.turn else -score)
            all_exact = all_exact and score.exact
            if best is None or score > best:
                best, best_line = score, (move, *line)
        node.children.clear()
        assert best is not None
        # Only a win needs no more than one move; a draw or a loss is proven when every move is.
        if best.worth is not Worth.WIN and not all_exact:
            return UNKNOWN, best_line
        return best, best_line

    def _look_at_limits(self) -> None:
        """Raise `_StopError` if no more positions are to be looked at."""
        limit = self.limit
        if (
            self.stop.is_set()
            or (limit.nodes is not None and self.nodes >= limit.nodes)
            or (limit.seconds is not None and time.monotonic() - self.begin >= limit.seconds)
        ):
            raise _StopError
