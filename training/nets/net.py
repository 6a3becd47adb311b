"""The net: a residual tower over the planes of a `View`, of any board size.

In: planes, [n, planes, height, width]. Out: one logit for every index of the policy, and a logit of the chance that the
player to move wins (a draw counts half).
"""

from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from tabuleiro.nn import View


@dataclass(frozen=True)
class Shape:
    """The size of a net. Boards of any size share one."""

    planes: int
    #: Policy indices of each place, and those behind the grid.
    channels: int
    buttons: int
    blocks: int = 6
    width: int = 64

    @classmethod
    def of(cls, view: View, blocks: int = 6, width: int = 64) -> "Shape":
        return cls(view.planes, view.channels, view.buttons, blocks, width)

    @property
    def inputs(self) -> int:
        """Planes and empty ones up to a multiple of eight, which the matrix units want."""
        return -(-self.planes // 8) * 8


def pooled(x: Tensor) -> Tensor:
    """The mean and the largest of every channel over the board."""
    return torch.cat((x.mean((2, 3)), x.amax((2, 3))), 1)


class Layer(nn.Module):
    """A convolution, normalised over the batch; folded, the normalisation is part of the weights."""

    def __init__(self, inputs: int, outputs: int, size: int, folded: bool) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=folded)
        self.norm = nn.Identity() if folded else nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.norm(self.convolution(x))
        return out

    def folded(self) -> tuple[Tensor, Tensor]:
        """Weights and bias of the folded layer."""
        assert isinstance(self.norm, nn.BatchNorm2d)
        assert self.norm.running_mean is not None and self.norm.running_var is not None
        scale = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        return self.convolution.weight * scale[:, None, None, None], self.norm.bias - self.norm.running_mean * scale


class Block(nn.Module):
    """Two layers beside a short cut. A looking block also tells every place what is anywhere on the board."""

    def __init__(self, width: int, looks: bool, folded: bool) -> None:
        super().__init__()
        self.first = Layer(width, width, 3, folded)
        self.look = nn.Linear(2 * width, width) if looks else None
        self.second = Layer(width, width, 3, folded)

    def forward(self, x: Tensor) -> Tensor:
        y = functional.relu(self.first(x))
        if self.look is not None:
            y = y + self.look(pooled(y))[:, :, None, None]
        return functional.relu(x + self.second(y))


class Net(nn.Module):
    def __init__(self, shape: Shape, folded: bool = False) -> None:
        super().__init__()
        self.shape = shape
        width = shape.width
        self.stem = Layer(shape.inputs, width, 3, folded)
        self.blocks = nn.ModuleList(Block(width, i % 3 == 2, folded) for i in range(shape.blocks))
        self.policy_layer = Layer(width, width // 2, 1, folded)
        self.policy = nn.Conv2d(width // 2, shape.channels, 1)
        self.buttons = nn.Linear(2 * width, shape.buttons) if shape.buttons else None
        self.value_layer = nn.Linear(2 * width, width)
        self.value = nn.Linear(width, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        x = functional.pad(planes, (0, 0, 0, 0, 0, self.shape.inputs - self.shape.planes))
        x = functional.relu(self.stem(x))
        for block in self.blocks:
            x = block(x)
        policy = self.policy(functional.relu(self.policy_layer(x))).flatten(1)
        seen = pooled(x)
        if self.buttons is not None:
            policy = torch.cat((policy, self.buttons(seen)), 1)
        return policy, self.value(functional.relu(self.value_layer(seen))).squeeze(1)

    @torch.no_grad()
    def fold_into(self, target: "Net") -> None:
        """Give a folded net, of whatever precision and device, what this one has learnt."""
        layers = {name: layer for name, layer in self.named_modules() if isinstance(layer, Layer)}
        for name, goal in target.named_modules():
            if isinstance(goal, Layer):
                weight, bias = layers[name].folded()
                goal.convolution.weight.copy_(weight)
                assert goal.convolution.bias is not None
                goal.convolution.bias.copy_(bias)
        ours = dict(self.named_parameters())
        for name, parameter in target.named_parameters():
            if ".convolution." not in name:
                parameter.copy_(ours[name])

    def folded(self) -> "Net":
        target = Net(self.shape, folded=True).to(next(self.parameters()).device)
        self.fold_into(target)
        return target.eval()


def unpacked(packed: Tensor, shape: Shape, height: int, width: int) -> Tensor:
    """Planes from bytes (uint8, [n, bytes]) as `View.packed` writes them: 1 where a bit is set, in 8-bit integers."""
    bits = packed.unsqueeze(2) >> torch.arange(8, dtype=torch.uint8, device=packed.device) & 1
    planes = bits.flatten(1)[:, : shape.planes * height * width]
    return planes.view(-1, shape.planes, height, width)


def saved(net: Net) -> dict[str, Tensor]:
    """Weights in half the precision, the statistics of the normalisation in full: those may be large."""
    return {
        name: value.half() if value.dtype == torch.float32 and "running" not in name else value.clone()
        for name, value in net.state_dict().items()
    }


def loaded(shape: dict[str, Any], weights: dict[str, Tensor]) -> Net:
    net = Net(Shape(**shape))
    net.load_state_dict(
        {name: value.float() if value.is_floating_point() else value for name, value in weights.items()}
    )
    return net


def described(shape: Shape) -> dict[str, Any]:
    return asdict(shape)
