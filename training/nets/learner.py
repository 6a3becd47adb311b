"""One net that learns: loss, optimiser, and the running mean of its weights, which is what plays."""

from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from training.nets.net import Net, unpacked
from training.nets.replay import Batch

from tabuleiro.nn import View


@dataclass(frozen=True)
class LearningSettings:
    rate: float = 2e-3
    decay: float = 1e-2
    #: How much of the wanted value is what the search thought; the rest is how the game ended.
    search_share: float = 0.5
    #: How much of the mean stays at every step.
    memory: float = 0.999
    #: Steps over which the rate rises from nothing, at the start and after a resumption.
    rise: int = 200


@dataclass
class Losses:
    """Means since they were last asked for; the distance is that of the net's policy to the search's."""

    policy: float
    value: float
    distance: float


class Learner:
    def __init__(self, net: Net, settings: LearningSettings, device: torch.device, mean: Net | None = None) -> None:
        """`mean`: that of an earlier run, which then goes on."""
        self.settings = settings
        self._device = device
        self.net = net.to(device, memory_format=torch.channels_last).train()  # type: ignore[call-overload]
        self.mean = deepcopy(self.net).eval()
        self._goes_on = mean is not None
        if mean is not None:
            self.mean.load_state_dict(mean.state_dict())
        self._optimiser = torch.optim.AdamW(
            [
                {"params": [p for p in self.net.parameters() if p.ndim > 1], "weight_decay": settings.decay},
                {"params": [p for p in self.net.parameters() if p.ndim <= 1], "weight_decay": 0.0},
            ],
            lr=settings.rate,
            fused=device.type == "cuda",
        )
        self.steps = 0
        self._sums = torch.zeros(3, device=device)
        self._summed = 0

    def see(self, view: View) -> None:
        """Learn from positions of this board from now on."""
        self._view = view
        identity = (tuple(range(view.planes * view.area)), tuple(range(view.policy_size)))
        turned = [identity, *((symmetry.bits, symmetry.policy) for symmetry in view.symmetries)]
        self._bits = torch.tensor([bits for bits, _ in turned], device=self._device)
        self._policy = torch.tensor([policy for _, policy in turned], device=self._device)

    def _turned(self, batch: Batch, chance: torch.Generator) -> tuple[Tensor, Tensor]:
        """Planes and policy, each position seen through a symmetry drawn for it."""
        planes = unpacked(batch.planes, self.net.shape, self._view.height, self._view.width)
        drawn = torch.randint(len(self._bits), (len(planes),), generator=chance, device=self._device)
        turned = planes.flatten(1).gather(1, self._bits[drawn]).view(planes.shape)
        return turned.float(), batch.policy.gather(1, self._policy[drawn])

    def step(self, batch: Batch, share_of_rate: float, chance: torch.Generator) -> None:
        planes, wanted = self._turned(batch, chance)
        planes = planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._device.type == "cuda"):
            logits, value = self.net(planes)
        legal = wanted >= 0
        wanted = wanted.clamp_min(0)
        wanted = wanted / wanted.sum(1, keepdim=True)
        logs = functional.log_softmax(logits.float().masked_fill(~legal, -1e4), 1)
        policy_loss = -(wanted * logs).sum(1).mean()
        result, search = batch.values.unbind(1)
        share = self.settings.search_share
        chance_to_win = (1 + (1 - share) * result + share * search) / 2
        value_loss = functional.binary_cross_entropy_with_logits(value.float(), chance_to_win)
        self._optimiser.zero_grad(set_to_none=True)
        (policy_loss + value_loss).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), 4.0)
        for group in self._optimiser.param_groups:
            group["lr"] = self.settings.rate * share_of_rate * min(1.0, (self.steps + 1) / self.settings.rise)
        self._optimiser.step()
        self.steps += 1
        self._remember()
        with torch.no_grad():
            distance = policy_loss + torch.special.xlogy(wanted, wanted).sum(1).mean()
            self._sums += torch.stack((policy_loss, value_loss, distance))
            self._summed += 1

    @torch.no_grad()
    def _remember(self) -> None:
        memory = self.settings.memory
        if not self._goes_on:
            memory = min(memory, (1 + self.steps) / (10 + self.steps))
        ours = [*self.net.parameters(), *(b for b in self.net.buffers() if b.is_floating_point())]
        means = [*self.mean.parameters(), *(b for b in self.mean.buffers() if b.is_floating_point())]
        torch._foreach_lerp_(means, ours, 1 - memory)

    def losses(self) -> Losses:
        policy, value, distance = (self._sums / max(1, self._summed)).tolist()
        self._sums.zero_()
        self._summed = 0
        return Losses(policy, value, distance)
