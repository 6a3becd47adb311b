"""A net as self-play asks it."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from training.nets.net import Net, Shape, unpacked

from tabuleiro.nn import View


class Judge(nn.Module):
    """A folded net from packed planes to what self-play reads: logits, and values from -1 to 1."""

    def __init__(self, net: Net, view: View) -> None:
        super().__init__()
        self.net, self.height, self.width = net, view.height, view.width

    def forward(self, packed: Tensor) -> tuple[Tensor, Tensor]:
        planes = unpacked(packed, self.net.shape, self.height, self.width).to(self.net.value.weight.dtype)
        logits, value = self.net(planes.contiguous(memory_format=torch.channels_last))
        return logits.to(torch.bfloat16), 2 * torch.sigmoid(value.float()) - 1


def judge_of(shape: Shape, view: View, device: torch.device, compiled: bool) -> tuple[Net, Callable[..., Any]]:
    """A net to play with, which has not learnt anything yet, and what asks it: fast on a GPU, exact elsewhere."""
    net = Net(shape, folded=True).eval()
    if device.type == "cuda":
        net = net.to(device, torch.bfloat16).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    judge = Judge(net, view)
    return net, torch.compile(judge, dynamic=False) if compiled else judge
