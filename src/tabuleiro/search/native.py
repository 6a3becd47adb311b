"""The native searches as engines: alpha-beta, which plays, and df-pn, which proves."""

import base64
import json
import lzma
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Self, TypedDict

from tabuleiro import _native
from tabuleiro.core import Move, Options, Player, Position
from tabuleiro.language import Text
from tabuleiro.native import NoKernelError
from tabuleiro.record import Node
from tabuleiro.search import nnue
from tabuleiro.search.base import Analysis, Engine, EngineError, Flag, Limit, Listener, Score, ScoredLine, Worth

#: A win in n plies is this less n.
WIN_SCORE = 32_000
#: Wins of smaller scores are proven without a length.
SMALLEST_WIN = WIN_SCORE - 250
UNKNOWN, PROVEN, DISPROVEN = range(3)


_WEIGHTS = resources.files(__package__).joinpath("weights")


class WeightColumns(TypedDict):
    early: list[int]
    late: list[int]


@dataclass(frozen=True)
class Weights:
    """The weights of a game's evaluation: for each feature one early in the game and one late."""

    #: This number of points more makes the odds of winning e times as good.
    scale: float
    features: dict[str, tuple[int, int]]
    #: What parts of the board are worth by what they look like, where a game is judged so (Konane): see
    #: native/eval/konane_patterns.hpp.
    patterns: bytes = b""
    #: The options of the game, as texts, under which they serve rather than those that serve anywhere.
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, game: str, options: Options | None = None) -> Self:
        """Those that come with the package for a game under its options: `GAME.json`, or a file `GAME-….json` that says
        which options it is for."""
        if options is not None:
            for weights in cls._special(game):
                if weights.options.items() <= options.items().items():
                    return weights
        return cls.parse(_WEIGHTS.joinpath(f"{game}.json").read_text("utf-8"))

    @classmethod
    @cache
    def _special(cls, game: str) -> list[Self]:
        files = sorted(
            (file for file in _WEIGHTS.iterdir() if file.name.startswith(f"{game}-")), key=lambda it: it.name
        )
        return [cls.parse(file.read_text("utf-8")) for file in files]

    @classmethod
    def parse(cls, text: str) -> Self:
        values = json.loads(text)
        features = {name: (early, late) for name, (early, late) in values["features"].items()}
        try:
            patterns = lzma.decompress(base64.b85decode(values["patterns"])) if "patterns" in values else b""
        except lzma.LZMAError as error:
            raise ValueError("the patterns are damaged") from error
        return cls(values["scale"], features, patterns, values.get("options", {}))

    def dump(self) -> str:
        """What `parse` reads."""
        features = ",\n".join(f"    {json.dumps(name)}: {json.dumps(pair)}" for name, pair in self.features.items())
        text = "{\n"
        if self.options:
            text += f'  "options": {json.dumps(dict(self.options))},\n'
        text += f'  "scale": {self.scale:g},\n  "features": {{\n{features}\n  }}'
        if self.patterns:
            text += f',\n  "patterns": {json.dumps(base64.b85encode(lzma.compress(self.patterns)).decode())}'
        return text + "\n}\n"

    def columns(self) -> "WeightColumns":
        """The weights as native settings take them."""
        pairs = self.features.values()
        return {"early": [early for early, _ in pairs], "late": [late for _, late in pairs]}

    def chance(self, points: int) -> float:
        return 1 / (1 + math.exp(-max(-500.0, min(500.0, points / self.scale))))


#: The tables in which to look up positions like this one, or None where there are none.
TablesFor = Callable[[Position], _native.Tables | None]


def searcher(
    game: str,
    options: Options,
    weights: Weights,
    *,
    table: int = 64,
    full_width: bool = False,
    tables: _native.Tables | None = None,
    net: _native.Tables | None = None,
) -> _native.Searcher:
    """The native search of a game. `table` is the memory of its transposition table in MiB; `tables` are what it looks
    positions up in, if not the patterns of the weights. With a net it judges by that."""
    settings = _native.SearchSettings(
        options=options.encode(),
        **weights.columns(),
        tables=_patterns(weights.patterns) if tables is None and weights.patterns else tables,
        net=net,
        mebibytes=table,
        full_width=full_width,
    )
    if net is not None:
        return _native.SEARCHERS[game]["nnue"](settings)
    try:
        made = _native.SEARCHERS[game]["usual"](settings)
    except ValueError:
        made = None
    if made is None or made.feature_names != tuple(weights.features):
        raise EngineError(
            Text(f"estes pesos não servem para {game}", f"these weights do not fit the features of {game}")
        )
    return made


#: The tables that are looked up take longer to make than most searches last.
_patterns = cache(_native.KonanePatterns)


class _NativeEngine(Engine):
    """What both share: a table in memory, and a native object for each game and set of options met."""

    def __init__(self, table: int) -> None:
        super().__init__()
        if not 1 <= table <= 1 << 20:
            raise EngineError(Text("a tabela tem de 1 a 1048576 MiB", "the table has from 1 to 1048576 MiB"))
        self._table = table

    def new_stop_flag(self) -> Flag:
        return _native.StopFlag()


class AlphaBetaEngine(_NativeEngine):
    """Alpha-beta. With one thread the same question after `forget()` has the same answer.

    With `full_width` no move is searched less deep than another: slower, but a win is then said to take as few plies as
    it does, once the depth has reached them. With `tables` it looks positions up in those. With `nnue` it judges by the
    net of the package that serves the board, where there is one.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        table: int = 64,
        full_width: bool = False,
        weights: Weights | None = None,
        tables: TablesFor | None = None,
        nnue: bool = False,
    ) -> None:
        super().__init__(table)
        if not 1 <= threads <= 512:
            raise EngineError(Text("pede de 1 a 512 fios de execução", "ask for 1 to 512 threads"))
        self._threads = threads
        self._full_width = full_width
        self._weights = weights
        self._tables = tables
        self._nnue = nnue
        self._made: tuple[str, Options, Weights, _native.Searcher] | None = None

    def forget(self) -> None:
        if self._made is not None:
            self._made[-1].forget()

    def _searcher(self, position: Position) -> tuple[Weights, _native.Searcher]:
        if self._made is None or self._made[:2] != (position.id, position.options):
            _require_kernel(position)
            weights = self._weights or Weights.of(position.id, position.options)
            made = searcher(
                position.id,
                position.options,
                weights,
                table=self._table,
                full_width=self._full_width,
                tables=None if self._tables is None else self._tables(position),
                net=nnue.net_for(position) if self._nnue else None,
            )
            self._made = (position.id, position.options, weights, made)
        return self._made[2:]

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        weights, search = self._searcher(node.position)
        assert isinstance(stop, _native.StopFlag)
        report = search.search(
            _request(node, limit, lines, self._threads), stop, lambda report: listener(_analysis(report, weights))
        )
        return _analysis(report, weights)


class ProofEngine(_NativeEngine):
    """Df-pn: says win, draw or loss, without a length, when it can prove it, and nothing otherwise."""

    def __init__(self, *, table: int = 64) -> None:
        super().__init__(table)
        self._made: tuple[str, Options, _native.Prover] | None = None

    def forget(self) -> None:
        if self._made is not None:
            self._made[-1].forget()

    def _prover(self, position: Position) -> _native.Prover:
        if self._made is None or self._made[:2] != (position.id, position.options):
            _require_kernel(position)
            settings = _native.ProverSettings(options=position.options.encode(), mebibytes=self._table)
            made = _native.PROVERS[position.id](settings)
            self._made = (position.id, position.options, made)
        return self._made[2]

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        return _Proof(self._prover(node.position), node, limit, stop).run()


class _Proof:
    """The questions that settle a position: does the player to move win, and if not, at least draw?"""

    def __init__(self, prover: _native.Prover, node: Node, limit: Limit, stop: Flag) -> None:
        assert isinstance(stop, _native.StopFlag)
        self.prover = prover
        self.node = node
        self.limit = limit
        self.stop = stop
        self.nodes = 0
        self.seconds = 0.0

    def run(self) -> Analysis:
        player = self.node.position.turn
        verdict, move = self._ask(player, draw_is_enough=False)
        if verdict == PROVEN:
            return self._answer(Score.win(), move)
        if verdict == DISPROVEN and not self.node.position.can_draw:
            return self._answer(Score.loss(), None)
        if verdict == DISPROVEN:
            verdict, move = self._ask(player, draw_is_enough=True)
            if verdict == PROVEN:
                return self._answer(Score.draw(), move)
            if verdict == DISPROVEN:
                return self._answer(Score.loss(), None)
        return self._answer(Score.estimate(0, 0.5), None)

    def _ask(self, player: Player, *, draw_is_enough: bool) -> tuple[int, Move | None]:
        nodes, seconds = 0, 0.0
        if self.limit.nodes is not None:
            nodes = max(self.limit.nodes - self.nodes, 1)
        if self.limit.seconds is not None:
            seconds = max(self.limit.seconds - self.seconds, 0.001)
        start, moves = _played(self.node)
        verdict, more_nodes, more_seconds, move = self.prover.prove(
            start, moves, player, draw_is_enough, nodes, seconds, self.stop
        )
        self.nodes += more_nodes
        self.seconds += more_seconds
        return verdict, move

    def _answer(self, score: Score, move: Move | None) -> Analysis:
        chosen = self.node.position.legal_moves()[0] if move is None else move
        return Analysis((ScoredLine(score, (chosen,)),), 0, self.nodes, self.seconds, score.exact)


def _require_kernel(position: Position) -> None:
    if position.id not in _native.SEARCHERS:
        raise NoKernelError(
            Text(f"{position.name.pt} não tem regras nativas", f"{position.name.en} has no native rules")
        )


def _played(node: Node) -> tuple[tuple[int, ...], list[Move]]:
    """A game as the native searches take it: its start and its moves."""
    moves: list[Move] = []
    while node.parent is not None and node.move is not None:
        moves.append(node.move)
        node = node.parent
    return node.position.encode(), moves[::-1]


def _request(node: Node, limit: Limit, lines: int, threads: int) -> _native.SearchRequest:
    """What a native search is asked. Limits that are not set are 0 there."""
    start, moves = _played(node)
    return _native.SearchRequest(
        start=start,
        moves=moves,
        depth=limit.depth or 0,
        nodes=limit.nodes or 0,
        seconds=limit.seconds or 0.0,
        lines=lines,
        threads=threads,
    )


def _analysis(report: "_native.Report", weights: Weights) -> Analysis:
    depth, nodes, seconds, decided, lines, _ = report
    found = tuple(ScoredLine(_score(score, floor, ceiling, weights), moves) for score, floor, ceiling, moves in lines)
    return Analysis(found, depth, nodes, seconds, decided)


def _score(points: int, floor: int, ceiling: int, weights: Weights) -> Score:
    if floor != ceiling:
        return Score.estimate(points, weights.chance(points))
    plies = WIN_SCORE - abs(points) if abs(points) > SMALLEST_WIN else None
    if floor == Worth.DRAW:
        return Score.draw()
    return Score.win(plies) if floor == Worth.WIN else Score.loss(plies)
