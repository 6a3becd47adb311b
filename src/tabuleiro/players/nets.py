"""The tree search with a neural net as a kind of engine."""

import warnings
from pathlib import Path

from tabuleiro import _native
from tabuleiro.core import Options, Position, shorten
from tabuleiro.language import Text
from tabuleiro.nn.cards import model_for, models
from tabuleiro.nn.evaluator import NetFileError, NoRuntimeError, net_evaluator, runs_nets
from tabuleiro.players.kinds import EngineKind, EngineNameError, Setting, Settings, read_number, read_switch
from tabuleiro.players.searches import MEMORY, SEED, THREADS, has_kernel
from tabuleiro.record import Node
from tabuleiro.search import Analysis, Engine, Limit, MctsEngine
from tabuleiro.search.base import EngineError, Flag, Listener
from tabuleiro.search.mcts import Style


def _read_path(path: str) -> Path:
    if not Path(path).is_file():
        shown = shorten(path)
        raise EngineNameError(Text(f"não há nenhum ficheiro «{shown}»", f"there is no file “{shown}”"))
    return Path(path)


class NetEngine(Engine):
    """The tree search with the net of the package that serves the board, or with one from a file. A board that no net
    serves is for the engine `otherwise`, if there is one."""

    def __init__(self, settings: Settings, otherwise: Engine | None = None) -> None:
        super().__init__()
        self._settings = settings
        self._otherwise = otherwise
        self._made: tuple[object, MctsEngine] | None = None

    def forget(self) -> None:
        if self._otherwise is not None:
            self._otherwise.forget()
        if self._made is not None:
            self._made[1].forget()

    def new_stop_flag(self) -> Flag:
        return _native.StopFlag()

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        return self._engine_for(node.position).search(node, limit, lines, stop, listener)

    def _engine_for(self, position: Position) -> Engine:
        board = (position.id, position.options)
        if self._made is None or self._made[0] != board:
            path = self._path_for(position)
            if path is None:
                if self._otherwise is not None:
                    return self._otherwise
                raise EngineError(Text("não há nenhuma rede para este tabuleiro", "there is no net for this board"))
            try:
                self._made = (board, self._new(path, position))
            except (NoRuntimeError, NetFileError) as error:
                # A damaged installation: the game goes on, and somebody is told.
                if self._otherwise is None:
                    raise
                warnings.warn(f"level 10 plays without its net: {error}", RuntimeWarning, stacklevel=2)
                return self._otherwise
        return self._made[1]

    def _path_for(self, position: Position) -> Path | None:
        path: Path | None = self._settings["model"]
        if path is not None:
            return path
        model = model_for(position.id, position.options)
        return None if model is None else model.path

    def _new(self, path: Path, position: Position) -> MctsEngine:
        of = self._settings
        evaluator = net_evaluator(
            path,
            type(position),
            position.options,
            threads=of["threads"],
            temperature=of["temperature"],
            symmetric=of["symmetric"],
        )
        style = Style(exploration=of["exploration"], study_after=of["study"], caution=of["caution"])
        return MctsEngine(memory=of["memory"], seed=of["seed"], style=style, evaluator=evaluator, batch=of["batch"])


NET = EngineKind(
    "net",
    Text("a procura em árvore com uma rede neuronal", "tree search with a neural net"),
    lambda game, argument, settings: NetEngine(settings),
    {
        "model": Setting(
            Text("um ficheiro ONNX; senão, a rede do jogo", "an ONNX file; else the game's net"), None, _read_path
        ),
        "threads": THREADS,
        "memory": MEMORY,
        "seed": SEED,
        "exploration": Setting(
            Text("quanto se arrisca em jogadas pouco vistas", "how much is risked on moves seen little"),
            0.7,
            read_number,
        ),
        "temperature": Setting(
            Text("acima de 1, a rede conta menos na escolha", "above 1, the net counts less in the choice"),
            1.0,
            read_number,
        ),
        "caution": Setting(
            Text("quanto pior se supõe uma jogada por ver", "how much worse an unseen move is taken to be"),
            0.2,
            read_number,
        ),
        "symmetric": Setting(
            Text("vê também as posições simétricas: on ou off", "sees symmetric positions too: on or off"),
            False,
            read_switch,
        ),
        "study": Setting(Text("visitas até se procurarem provas", "visits before proofs are looked for"), 2),
        "batch": Setting(Text("posições por pergunta à rede", "positions a question to the net"), 1),
    },
    serves=has_kernel,
)
KINDS = (NET,)


def has_net(position: Position) -> bool:
    """Whether a net of the package serves a board, and nets run."""
    return runs_nets() and model_for(position.id, position.options) is not None


def with_net(engine: Engine, game: str, *, threads: int, memory: int) -> Engine:
    """An engine that leaves the boards that a net serves to the net, where nets run at all."""
    if not runs_nets() or all(model.game != game for model in models()):
        return engine
    usual = {name: setting.default for name, setting in NET.settings.items()}
    return NetEngine({**usual, "threads": threads, "memory": memory}, engine)


#: What a person should know where level 10 has a net that cannot run.
WITHOUT_NETS = Text(
    "O nível 10 joga aqui sem redes neuronais; instala-as com «pip install 'tabuleiro[nn]'».",
    "Level 10 plays without neural nets here; install them with “pip install 'tabuleiro[nn]'”.",
)


def says_without_net(game: str, options: Options) -> Text | None:
    """`WITHOUT_NETS`, where there is a net for the board."""
    return None if runs_nets() or model_for(game, options) is None else WITHOUT_NETS
