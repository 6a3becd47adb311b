"""Nets that judge positions for the tree search. Nothing else imports onnxruntime, which is an extra: `tabuleiro[nn]`.

    >>> from pathlib import Path
    >>> from tabuleiro import get
    >>> from tabuleiro.nn.evaluator import net_evaluator
    >>> from tabuleiro.search import Limit, MctsEngine
    >>> evaluator = net_evaluator(Path("net.onnx"), get("hex"), get("hex").options_type())  # doctest: +SKIP
    >>> MctsEngine(evaluator=evaluator).play(get("hex").start(), Limit(seconds=1))  # doctest: +SKIP

A net is asked about rows of planes and answers with logits and values (training/nets/export.py). What the rows show,
whose symmetric images are averaged, and what is remembered, is the native evaluator's business
(native/search/net_evaluator.hpp): Python hands each batch to the net, and does nothing for single positions.
"""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tabuleiro import _native
from tabuleiro.core import Options, Position, TabuleiroError
from tabuleiro.language import Text
from tabuleiro.nn.planes import View

#: Evaluators kept ready in a process: a server asks about many games in turn.
KEPT = 4
#: Positions of which an evaluator remembers what the net said: a hundred long thoughts, in some 10 MB.
REMEMBERED = 1 << 14


class NoRuntimeError(TabuleiroError):
    """A net was asked for where onnxruntime is not installed."""


class NetFileError(TabuleiroError):
    """A file that holds no net for the game."""


def runs_nets() -> bool:
    """Whether onnxruntime is installed. It is loaded with the first net: that takes a while, and some 30 MB."""
    try:
        return find_spec("onnxruntime") is not None
    except ImportError:
        return False


class Net:
    """A net from a file."""

    def __init__(self, path: Path, view: View, threads: int = 1) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise NoRuntimeError(
                Text(
                    "falta o onnxruntime; instala-o com «pip install 'tabuleiro[nn]'»",
                    "onnxruntime is missing; install it with “pip install 'tabuleiro[nn]'”",
                )
            ) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Memory is given back: a server has many processes, and rows come in many numbers.
        options.enable_cpu_mem_arena = False
        self._shape = (-1, view.planes, view.height, view.width)
        for name, size in (("height", view.height), ("width", view.width)):
            options.add_free_dimension_override_by_name(name, size)
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
            (planes,) = self._session.get_inputs()
            if planes.name != "planes" or planes.shape[1] != view.planes:
                raise ValueError("other planes")
        except Exception as error:  # onnxruntime has errors of its own for every kind of damage
            raise NetFileError(
                Text(f"«{path.name}» não é uma rede para este jogo", f"“{path.name}” is not a net for this game")
            ) from error

    def __call__(self, planes: Any) -> tuple[Any, Any]:
        """Logits and values of rows of planes, all float32."""
        logits, values = self._session.run(("policy", "value"), {"planes": planes.reshape(self._shape)})
        return logits, values


@lru_cache(KEPT)
def net_evaluator(
    path: Path,
    kind: type[Position],
    options: Options,
    *,
    threads: int = 1,
    temperature: float = 1.0,
    symmetric: bool = True,
    remembered: int = REMEMBERED,
) -> _native.NetEvaluator:
    """A net as the tree search asks it. `symmetric`: what it says of symmetric images of a position is averaged; else
    it sees each position as it stands. Who asks again for the same evaluator gets the same one, with all it
    remembers."""
    view = View(kind, options)
    symmetries = [(turned.bits, turned.policy) for turned in view.symmetries] if symmetric else []
    return _native.NET_EVALUATORS[kind.id](
        options.encode(), view.native_tables(), symmetries, temperature, remembered, Net(path, view, threads)
    )
