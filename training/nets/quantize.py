"""Make a net of `training.nets.export` one of eight bits, and say how far it is from what it was.

    python -m training.nets.quantize hex size=11,swap=off hex.onnx hex-int8.onnx

The blocks count in whole numbers of eight bits, their weights by channel; the first layer and the heads, which say most
and take least, stay as they were. How large activations become is learnt from games that the net plays against itself,
its moves drawn by its own chances; the difference is taken on other games of the same kind.
"""

import argparse
import math
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import onnx
from onnx import TensorProto, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static
from training.nets.match import Floats, Table
from training.pairs import read_pairs

from tabuleiro import get
from tabuleiro.nn.evaluator import Net

#: Positions from which the sizes of activations are learnt, and on which the difference is taken.
POSITIONS = 2048
#: Games that go on at the same time while positions are gathered.
GAMES = 32


def own_planes(net: Net, table: Table, count: int, seed: int) -> Floats:
    """The planes of positions from games that the net plays against itself, each move drawn by its chances."""
    chance, view = random.Random(seed), table.view
    positions = [view.kind.start(view.options) for _ in range(GAMES)]
    gathered: list[Floats] = []
    while sum(len(rows) for rows in gathered) < count:
        gathered.append(table.planes(numpy.array([position.encode() for position in positions], numpy.uint64)))
        logits, _ = net(gathered[-1])
        for number, position in enumerate(positions):
            moves = view.actions(position)
            (index,) = chance.choices([*moves], [math.exp(logits[number][index]) for index in moves])
            after = position.play(moves[index])
            positions[number] = after if after.legal_moves() else view.kind.start(view.options)
    return numpy.concatenate(gathered)[:count]


class _Rows(CalibrationDataReader):  # type: ignore[misc]
    """Positions one after another, as the quantiser asks for them."""

    def __init__(self, planes: Floats) -> None:
        self._rows: Iterator[Any] = iter(numpy.array_split(planes, max(len(planes) // GAMES, 1)))

    def get_next(self) -> dict[str, Any] | None:
        rows = next(self._rows, None)
        return None if rows is None else {"planes": rows}


def in_single(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with weights in single precision, which `export` stores in half and casts before use."""
    halves = {weights.name: weights for weights in model.graph.initializer if weights.data_type == TensorProto.FLOAT16}
    for node in [node for node in model.graph.node if node.op_type == "Cast" and node.input[0] in halves]:
        weights = halves[node.input[0]]
        single = numpy_helper.to_array(weights).astype(numpy.float32)
        weights.CopyFrom(numpy_helper.from_array(single, node.output[0]))
        model.graph.node.remove(node)
    return model


def quantized(model: Path, planes: Floats, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        single = Path(folder) / "single.onnx"
        whole = in_single(onnx.load(model))
        onnx.save(whole, single)
        quantize_static(
            single,
            target,
            _Rows(planes),
            op_types_to_quantize=["Conv", "Add", "Relu"],
            nodes_to_exclude=[node.name for node in whole.graph.node if "/blocks." not in node.name],
            per_channel=True,
            weight_type=QuantType.QInt8,
            activation_type=QuantType.QUInt8,
        )


def differences(first: Net, second: Net, planes: Floats) -> tuple[float, float]:
    """In what share of positions both like the same index best, and how far values are apart on the mean."""
    (logits, values), (others, other_values) = first(planes), second(planes)
    same = numpy.argmax(logits, axis=1) == numpy.argmax(others, axis=1)
    return float(same.mean()), float(numpy.abs(values - other_values).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument(
        "options", help="such as size=11,swap=off: whose games the sizes of activations are learnt from"
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("quantized", type=Path)
    parser.add_argument("--positions", type=int, default=POSITIONS)
    given = parser.parse_args()
    kind = get(given.game)
    table = Table(kind, kind.options_type.parse(read_pairs(given.options)))
    net = Net(given.model, table.view)
    quantized(given.model, own_planes(net, table, given.positions, seed=1), given.quantized)
    same, apart = differences(net, Net(given.quantized, table.view), own_planes(net, table, given.positions, seed=2))
    print(
        f"{given.quantized}: {given.quantized.stat().st_size} bytes; the best move is the same in {100 * same:.1f} % "
        f"of {given.positions} positions, values are {apart:.3f} apart on the mean"
    )


if __name__ == "__main__":
    main()
