"""Monte Carlo tree search as an engine.

    >>> from tabuleiro import get
    >>> from tabuleiro.search import Limit, MctsEngine
    >>> position = get("hex").from_str("4/1w2/4/4 b -", get("hex").options_type(size=4, swap=False))
    >>> MctsEngine().analyse(position, Limit(seconds=5)).exact
    True

A leaf of the tree is judged by random games and by the game's evaluation, in the shares that a `Style` gives; in Hex by
what the native judge knows of the game; or by an `Evaluator` from outside, such as a neural net, which is asked about
many leaves at once. Ends of games, df-pn and, in Hex, connections prove what can be proven, in each case.
"""

from dataclasses import dataclass, replace
from itertools import starmap
from typing import TYPE_CHECKING, Protocol

from tabuleiro import _native
from tabuleiro.core import Options, Position
from tabuleiro.language import Text
from tabuleiro.record import Node
from tabuleiro.search.base import Analysis, EngineError, Flag, Limit, Listener, RootMove, Score, ScoredLine, Worth
from tabuleiro.search.native import Weights, _NativeEngine, _request, _require_kernel

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: The score of a certain win, in the native search.
LARGEST_ESTIMATE = 30_000


class Evaluator(Protocol):
    """Judges leaves from outside, many at once."""

    def __call__(self, positions: bytes, counts: bytes, moves: bytes) -> "tuple[Buffer, Buffer]":
        """Asked about positions (uint64 words, row after row), the number of legal moves of each (uint32) and all those
        moves, ascending, one position's after another's (uint32). Answers with two float32 arrays: the value of each
        position for the player to move, from -1 to 1, and how much each move is to be trusted, in any unit."""


@dataclass(frozen=True)
class Style:
    """How a tree search judges and explores."""

    #: How much random games count in judging; the evaluation has the rest.
    playouts: float = 1.0
    #: A random game of this number of plies is given up as a draw.
    max_plies: int = 1000
    #: How much is risked on moves that were tried little.
    exploration: float = 1.0
    #: A leaf gets children when it has had this number of visits.
    expand_after: int = 1
    #: The visits at which a move's own results weigh as much as those of games in which it came later; 0: they alone.
    rave: float = 0.0
    #: With knowledge: a node is studied when it has had this number of visits.
    study_after: int = 30
    #: How much worse than the position before it a move is taken to be before it is tried, where something says which
    #: moves to trust.
    caution: float = 0.2
    #: Whether anything is proven, and passed up from positions to those that lead to them.
    proofs: bool = True


#: Random games and nothing else.
PLAIN = Style()
#: UCT as in the textbook, which proves nothing: the measure of everything else.
TEXTBOOK = Style(proofs=False)
#: Where the evaluation knows more than random games do.
ESTIMATING = Style(playouts=0.0, exploration=0.6)
#: What proved best for each game, by matches; PLAIN for the others.
STYLES = {
    "avanco": ESTIMATING,
    "hex": Style(exploration=1.0, expand_after=8, rave=300.0, study_after=30),
    "ouri": ESTIMATING,
    "konane": ESTIMATING,
    "guerreiros": ESTIMATING,
    "abalone": ESTIMATING,
}


class MctsEngine(_NativeEngine):
    """Tree search. With one thread the same question after `forget()` has the same answer, for the same seed.

    Searches of one game build on each other: what was learnt of the position now reached is kept. Without `knowledge`
    a game that has a judge of its own is searched like the others.

    The depth of a tree is the length of its main line, the moves visited most. A search with a limit of depth ends when
    that line is as long, or can grow no more: it has come to a proven position, or the memory is full.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        memory: int = 128,
        seed: int = 0,
        style: Style | None = None,
        knowledge: bool = True,
        evaluator: Evaluator | _native.NetEvaluator | None = None,
        batch: int = 16,
    ) -> None:
        super().__init__(memory)
        if not 1 <= threads <= 512:
            raise EngineError(Text("pede de 1 a 512 fios de execução", "ask for 1 to 512 threads"))
        if not 1 <= batch <= 1 << 15:
            raise EngineError(Text("o lote tem de 1 a 32768 posições", "a batch has from 1 to 32768 positions"))
        self._threads = threads
        self._seed = seed
        self._style = style
        self._knowledge = knowledge
        self._evaluator = evaluator
        self._batch = batch
        self._made: tuple[str, Options, _native.TreeSearcher] | None = None

    def forget(self) -> None:
        if self._made is not None:
            self._made[-1].forget()

    def _tree(self, position: Position) -> _native.TreeSearcher:
        if self._made is None or self._made[:2] != (position.id, position.options):
            _require_kernel(position)
            self._made = (position.id, position.options, self._make(position))
        return self._made[2]

    def _make(self, position: Position) -> _native.TreeSearcher:
        kinds = _native.TREES[position.id]
        style = self._style or self._usual_style(position.id)
        weights = Weights.of(position.id, position.options)
        settings = _native.TreeSettings(
            options=position.options.encode(),
            **weights.columns(),
            scale=weights.scale,
            playouts=style.playouts,
            max_plies=style.max_plies,
            mebibytes=self._table,
            seed=self._seed,
            exploration=style.exploration,
            expand_after=style.expand_after,
            rave=style.rave,
            study_after=style.study_after,
            caution=style.caution,
            batch=self._batch,
            proofs=style.proofs,
        )
        return kinds["knowledge" if self._knowledge and "knowledge" in kinds else "general"](settings)

    def _usual_style(self, game: str) -> Style:
        style = STYLES.get(game, PLAIN)
        # What later moves teach comes from random games, which an evaluator from outside does not play.
        return style if self._evaluator is None else replace(style, rave=0.0)

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        assert isinstance(stop, _native.StopFlag)
        report = self._tree(node.position).search(
            _request(node, limit, lines, self._threads),
            stop,
            lambda report: listener(_analysis(report)),
            self._evaluator,
        )
        return _analysis(report)


def _analysis(report: "_native.Report") -> Analysis:
    depth, nodes, seconds, decided, lines, root = report
    found = tuple(ScoredLine(_score(value, floor, ceiling), moves) for value, floor, ceiling, moves in lines)
    return Analysis(found, depth, nodes, seconds, decided, tuple(starmap(RootMove, root)))


def _score(value: int, floor: int, ceiling: int) -> Score:
    """What is proven, without a length; or the value as a chance, and in hundredths as points."""
    if floor == ceiling:
        return Score(Worth(floor), chance=(floor + 1) / 2)
    share = value / LARGEST_ESTIMATE
    return Score.estimate(round(100 * share), (share + 1) / 2)
