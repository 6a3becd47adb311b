"""Train a net for alpha-beta from games of `generate`, and write it as integers.

    python -m training.nnue.train avanco games --minutes 8 --out avanco.nnue

Every twentieth file is held out; its loss is printed beside that of the evaluation of today and the least there can be
(the labels' own entropy). The rate falls as a cosine over the time given.
"""

import argparse
import json
import math
import time
from pathlib import Path

import numpy
import torch
from torch import Tensor
from torch.nn import functional
from training.nnue.games import Games
from training.nnue.inputs import INPUTS, Inputs
from training.nnue.net import Net, write
from training.nnue.positions import PATIENCE, Positions, positions_of
from training.pairs import read_pairs

from tabuleiro import get
from tabuleiro.search.native import Weights

BATCH = 16_384


class Seen:
    """Bits of a batch, seen by the mover and by the other."""

    def __init__(self, inputs: Inputs, device: torch.device) -> None:
        self._device = device
        self._exchange = torch.tensor(inputs.exchange, device=device)
        identity = numpy.arange(len(inputs.bits))
        self._symmetries = [torch.tensor(turn, device=device) for turn in (identity, *inputs.symmetries)]
        self._count = len(inputs.bits)
        self._shifts = torch.arange(8, dtype=torch.uint8, device=device)

    def __call__(self, packed: Tensor, turned: int = 0) -> tuple[Tensor, Tensor]:
        bits = (packed.unsqueeze(2) >> self._shifts & 1).flatten(1)[:, : self._count].float()
        own = bits[:, self._symmetries[turned % len(self._symmetries)]]
        return own, own[:, self._exchange]


def loss_of(net: Net, seen: Seen, packed: Tensor, labels: Tensor) -> float:
    with torch.no_grad():
        parts = [
            functional.binary_cross_entropy_with_logits(
                net(*seen(packed[at : at + BATCH])), labels[at : at + BATCH], reduction="sum"
            )
            for at in range(0, len(packed), BATCH)
        ]
    return float(sum(parts)) / len(packed)


def entropy(labels: Tensor, thought: Tensor) -> float:
    thought = thought.clamp(1e-6, 1 - 1e-6)
    return float(functional.binary_cross_entropy(thought, labels))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(INPUTS))
    parser.add_argument("games", type=Path, help="the folder of games")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--patience", type=float, default=PATIENCE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    device = torch.device(given.device)
    inputs = INPUTS[given.game]()
    paths = sorted(given.games.glob(f"{given.game}-*.npz"))
    options = get(given.game).options_type.parse(read_pairs(Games.read(paths[0]).options))
    scale = Weights.of(given.game, options).scale
    held = Positions.together([positions_of(path, given.patience, compare=True) for path in paths[::20]])
    learnt = Positions.together(
        [positions_of(path, given.patience) for number, path in enumerate(paths) if number % 20]
    )
    seen = Seen(inputs, device)
    packed, labels = torch.tensor(learnt.packed, device=device), torch.tensor(learnt.labels, device=device)
    held_packed, held_labels = torch.tensor(held.packed, device=device), torch.tensor(held.labels, device=device)
    least = entropy(held_labels, held_labels)
    today = entropy(held_labels, torch.tensor(held.today, device=device))
    print(
        f"positions {len(labels)}, held out {len(held_labels)}; loss of today {today:.4f}, least {least:.4f}",
        flush=True,
    )
    net = Net(len(inputs.bits), given.hidden).to(device)
    optimiser = torch.optim.AdamW(net.parameters(), lr=given.rate, weight_decay=1e-5)
    begun, told, step = time.monotonic(), time.monotonic(), 0
    while (done := (time.monotonic() - begun) / (60 * given.minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = given.rate * min(1, (step + 1) / 100) * (1 + math.cos(math.pi * done)) / 2
        chosen = torch.randint(len(labels), (BATCH,), device=device)
        own, other = seen(packed[chosen], step)
        loss = functional.binary_cross_entropy_with_logits(net(own, other), labels[chosen])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        net.stay_small()
        step += 1
        if time.monotonic() - told > 15:
            told = time.monotonic()
            line = {
                "step": step,
                "seen": round(step * BATCH / len(labels), 2),
                "held": loss_of(net, seen, held_packed, held_labels),
            }
            print(json.dumps(line), flush=True)
            write(given.out, net, inputs, scale)
    write(given.out, net, inputs, scale)
    print(f"steps {step}, held out {loss_of(net, seen, held_packed, held_labels):.4f}: {given.out}", flush=True)


if __name__ == "__main__":
    main()
