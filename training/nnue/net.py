"""The net that alpha-beta keeps up to date move by move, in floating point, and as the integers that it is shipped as.

Two views of the board, one a player, go through the same first layer; what the mover sees comes first. Three small
layers follow. In integers, 1 is `ONE` after every layer: see native/eval/nnue.hpp, which reckons the same.
"""

from pathlib import Path

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from training.nnue.inputs import Inputs

#: Neurons of the layers between the first and the last.
NARROW = 16
#: What 1 is in integers: after a layer, in the first layer's sums, in the weights of the narrow layers.
ONE, FIRST, FINE = 127, 127 * 8, 64
MAGIC = b"TNN1"


class Net(nn.Module):
    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.first = nn.Linear(inputs, hidden)
        self.second = nn.Linear(2 * hidden, NARROW)
        self.third = nn.Linear(NARROW, NARROW)
        self.last = nn.Linear(NARROW, 1)
        nn.init.normal_(self.first.weight, std=0.1)
        nn.init.constant_(self.first.bias, 0.3)

    def forward(self, own: Tensor, other: Tensor) -> Tensor:
        """The logarithm of the mover's odds of winning."""
        seen = torch.cat((self.first(own), self.first(other)), 1).clamp(0, 1)
        odds: Tensor = self.last(self.third(self.second(seen).clamp(0, 1)).clamp(0, 1))
        return odds.squeeze(1)

    @torch.no_grad()
    def stay_small(self) -> None:
        """Weights that no integer of the shipped net could hold are cut."""
        for layer in (self.second, self.third):
            layer.weight.clamp_(-ONE / FINE, ONE / FINE)
        self.first.weight.clamp_(-4, 4)


def shipped(net: Net, inputs: Inputs, scale: float) -> bytes:
    """The net as a file. `scale` is how many points make the odds e times as good."""
    weights = {name: value.detach().double().cpu().numpy() for name, value in net.named_parameters()}
    seen = weights["first.weight"].T
    rows = numpy.zeros((64 * inputs.words, 2, net.hidden), numpy.int16)
    rows[inputs.rows, 0] = numpy.rint(FIRST * seen)
    rows[inputs.rows, 1] = numpy.rint(FIRST * seen[inputs.exchange])
    points = weights["last.weight"][0] * scale * 128 / ONE
    parts = [
        MAGIC,
        numpy.array([inputs.words, net.hidden], "<u4").tobytes(),
        rows.astype("<i2").tobytes(),
        numpy.rint(FIRST * weights["first.bias"]).astype("<i2").tobytes(),
        *_narrow(weights["second.weight"], weights["second.bias"]),
        *_narrow(weights["third.weight"], weights["third.bias"]),
        numpy.rint(points).astype("<i2").tobytes(),
        numpy.rint(128 * scale * weights["last.bias"]).astype("<i4").tobytes(),
    ]
    return b"".join(parts)


def _narrow(weights: NDArray[numpy.float64], bias: NDArray[numpy.float64]) -> tuple[bytes, bytes]:
    """Four inputs of every neuron lie together, then those of the next neuron; then come the next four inputs."""
    whole = numpy.rint(FINE * weights).astype("<i1").reshape(NARROW, -1, 4).transpose(1, 0, 2)
    return whole.tobytes(), numpy.rint(ONE * FINE * bias).astype("<i4").tobytes()


def write(path: Path, net: Net, inputs: Inputs, scale: float) -> None:
    path.write_bytes(shipped(net, inputs, scale))
