"""Write the net of a checkpoint as ONNX, and check it against PyTorch on positions of random games.

    python -m training.nets.export runs/hex/checkpoint-024.pt hex.onnx

Input `planes`: floats, [n, planes, height, width], as `View.bits` has them; output `policy`: a logit for every index;
output `value`: what the player to move may expect, from -1 (a loss) to 1. Weights are stored in half precision and used
in single; any number of positions and any board size may be asked about.
"""

import argparse
import io
import random
import warnings
from pathlib import Path

import numpy
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn
from training.nets.net import Net, Shape, loaded, unpacked

from tabuleiro import get
from tabuleiro.nn import View

#: How far an exported net may be from PyTorch's with the same weights rounded: logits and values.
TOLERANCE = 1e-3


class Exported(nn.Module):
    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        policy, value = self.net(planes)
        return policy, 2 * torch.sigmoid(value) - 1


def halved(net: Net) -> Net:
    """The net with weights that half precision can hold."""
    for parameter in net.parameters():
        parameter.data = parameter.data.half().float()
    return net


def exported(net: Net, view: View) -> bytes:
    """A folded net as an ONNX file."""
    planes = torch.zeros(2, view.planes, view.height, view.width)
    written = io.BytesIO()
    free = {0: "n", 2: "height", 3: "width"}
    with warnings.catch_warnings():
        # The exporter warns of itself: that it is the older one, and of what it leaves as it is.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Exported(halved(net)),
            (planes,),
            written,  # type: ignore[arg-type]
            input_names=["planes"],
            output_names=["policy", "value"],
            dynamic_axes={"planes": free, "policy": {0: "n", 1: "indices"}, "value": {0: "n"}},
            opset_version=17,
            dynamo=False,
        )
    model = onnx.load_from_string(written.getvalue())
    _store_in_half(model)
    onnx.checker.check_model(model)
    data: bytes = model.SerializeToString()
    return data


def _store_in_half(model: onnx.ModelProto) -> None:
    """Weights become half precision, and are made single again before they are used."""
    casts = []
    for weights in model.graph.initializer:
        if weights.data_type == TensorProto.FLOAT and len(weights.dims) > 1:
            name = weights.name
            half = numpy_helper.from_array(numpy_helper.to_array(weights).astype(numpy.float16), f"{name}.half")
            weights.CopyFrom(half)
            casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    for cast in reversed(casts):
        model.graph.node.insert(0, cast)


def random_planes(view: View, count: int, seed: int) -> Tensor:
    """The planes of positions from random games."""
    chance = random.Random(seed)
    packed: list[bytes] = []
    position = view.kind.start(view.options)
    while len(packed) < count:
        if not (moves := position.legal_moves()):
            position = view.kind.start(view.options)
            continue
        packed.append(view.packed(position))
        position = position.play(chance.choice(moves))
    rows = torch.frombuffer(bytearray(b"".join(packed)), dtype=torch.uint8).view(count, -1)
    return unpacked(rows, Shape.of(view), view.height, view.width).float()


def largest_difference(net: Net, model: bytes, view: View, positions: int = 64) -> float:
    """Between PyTorch and onnxruntime, of all logits and values."""
    planes = random_planes(view, positions, seed=1)
    with torch.inference_mode():
        expected = Exported(net)(planes)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    found = session.run(None, {"planes": planes.numpy()})
    return max(float(numpy.abs(e.numpy() - f).max()) for e, f in zip(expected, found, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("onnx", type=Path)
    given = parser.parse_args()
    checkpoint = torch.load(given.checkpoint, map_location="cpu", weights_only=True)
    kind = get(checkpoint["game"])
    view = View(kind, kind.options_type.parse(checkpoint["options"]))
    net = halved(loaded(checkpoint["shape"], checkpoint["mean"]).eval().folded())
    model = exported(net, view)
    difference = largest_difference(net, model, view)
    if difference > TOLERANCE:
        raise SystemExit(f"the exported net differs from PyTorch's by {difference}, more than {TOLERANCE}")
    given.onnx.write_bytes(model)
    print(f"{given.onnx}: {len(model)} bytes, differs from PyTorch by at most {difference:.1e} on random positions")


if __name__ == "__main__":
    main()
