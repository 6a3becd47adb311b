"""The searches as kinds of engines."""

import random
from dataclasses import replace
from pathlib import Path

from tabuleiro import _native
from tabuleiro.core import shorten
from tabuleiro.language import Text
from tabuleiro.players.kinds import EngineKind, EngineNameError, Setting, Settings, read_switch
from tabuleiro.record import Node
from tabuleiro.search import AlphaBetaEngine, Analysis, Engine, Limit, MctsEngine, ReferenceEngine, Score, ScoredLine
from tabuleiro.search.base import Flag, Listener
from tabuleiro.search.mcts import TEXTBOOK
from tabuleiro.search.native import Weights
from tabuleiro.solve.base import SearchBudget
from tabuleiro.solve.registry import search_tables


def has_kernel(game: str) -> bool:
    return game in _native.SEARCHERS


def _read_weights(path: str) -> Weights:
    """Weights that somebody is trying out."""
    try:
        return Weights.parse(Path(path).read_text("utf-8"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise EngineNameError(
            Text(f"«{shorten(path)}» não é um ficheiro de pesos", f"“{shorten(path)}” is not a file of weights")
        ) from error


THREADS = Setting(Text("fios de execução", "threads of execution"), 1)
TABLE = Setting(Text("memória da tabela de posições, em MiB", "memory of the table of positions, in MiB"), 64)
MEMORY = Setting(Text("memória da árvore, em MiB", "memory of the tree, in MiB"), 128)
SEED = Setting(Text("semente do acaso", "seed of the random choices"), 0)


def _alphabeta(game: str, argument: str, settings: Settings) -> Engine:
    return AlphaBetaEngine(
        threads=settings["threads"],
        table=settings["table"],
        weights=settings["weights"],
        tables=search_tables if settings["tables"] else None,
        nnue=settings["nnue"],
    )


ALPHABETA = EngineKind(
    "alphabeta",
    Text("a procura alfa-beta", "alpha-beta search"),
    _alphabeta,
    {
        "threads": THREADS,
        "table": TABLE,
        "weights": Setting(Text("um ficheiro de pesos", "a file of weights"), None, _read_weights),
        "tables": Setting(
            Text("consulta as tabelas do jogo: on ou off", "looks the game's tables up: on or off"), False, read_switch
        ),
        "nnue": Setting(
            Text("avalia com a pequena rede do jogo: on ou off", "judges by the game's small net: on or off"),
            False,
            read_switch,
        ),
    },
    serves=has_kernel,
)


def _mcts(game: str, argument: str, settings: Settings) -> Engine:
    return MctsEngine(threads=settings["threads"], memory=settings["memory"], seed=settings["seed"])


MCTS = EngineKind(
    "mcts",
    Text("a procura em árvore", "tree search"),
    _mcts,
    {"threads": THREADS, "memory": MEMORY, "seed": SEED},
    serves=has_kernel,
)


def _uct(game: str, argument: str, settings: Settings) -> Engine:
    return MctsEngine(
        threads=settings["threads"],
        memory=settings["memory"],
        seed=settings["seed"],
        style=TEXTBOOK,
        knowledge=False,
    )


UCT = EngineKind(
    "uct",
    Text("a procura em árvore dos manuais", "tree search as in the textbook"),
    _uct,
    {"threads": THREADS, "memory": MEMORY, "seed": SEED},
    serves=has_kernel,
)

REFERENCE = EngineKind(
    "reference",
    Text("a procura simples com as regras em Python", "plain search over the Python rules"),
    lambda game, argument, settings: ReferenceEngine(),
)


class RandomEngine(Engine):
    """Plays any legal move; the same one for the same seed, position and number of moves made."""

    stops_by_itself = True

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self.seed = seed

    def begin(self, seed: int) -> None:
        self.seed = seed

    def forget(self) -> None:
        pass

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        chance = random.Random(f"{self.seed} {node.ply} {node.position.hash64()}")
        moves = node.position.legal_moves()
        chosen = chance.sample(moves, min(lines, len(moves)))
        return Analysis(tuple(ScoredLine(Score.estimate(0, 0.5), (move,)) for move in chosen), 0, 0, 0.0, False)


RANDOM = EngineKind("random", Text("jogadas ao acaso", "random moves"), lambda game, argument, settings: RandomEngine())


class GreedyEngine(RandomEngine):
    """Plays at random, but takes a win that is one move away: a beginner who sees what is on offer and nothing else."""

    def __init__(self, game: str, seed: int = 0) -> None:
        super().__init__(seed)
        self._eyes = ALPHABETA.new(game, table=1) if has_kernel(game) else REFERENCE.new(game)

    def forget(self) -> None:
        self._eyes.forget()

    def new_stop_flag(self) -> Flag:
        return self._eyes.new_stop_flag()

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        seen = SearchBudget(limit, stop).ask(self._eyes, node, depth=1)
        if seen.score == Score.win(1):
            return seen
        chosen = super().search(node, limit, lines, stop, listener)
        return replace(chosen, nodes=seen.nodes, seconds=seen.seconds)


GREEDY = EngineKind(
    "greedy",
    Text("jogadas ao acaso, mas ganha se o puder fazer já", "random moves, but takes a win in one"),
    lambda game, argument, settings: GreedyEngine(game),
)

KINDS = (ALPHABETA, MCTS, UCT, REFERENCE, RANDOM, GREEDY)
