"""The positions from which a net learns: a ring in the memory of the device that trains."""

from dataclasses import dataclass

import torch
from torch import Tensor

from tabuleiro.nn import View

Lessons = tuple[bytes, bytes, bytes]


@dataclass(frozen=True)
class Batch:
    planes: Tensor
    #: The wanted shares of the moves; -1 where there is no legal move.
    policy: Tensor
    #: How the game ended and what the search thought, for the player to move.
    values: Tensor


class Replay:
    def __init__(self, view: View, capacity: int, device: torch.device) -> None:
        self.capacity = capacity
        self.added = 0
        self._device = device
        self._row = 8 * view.packed_words
        self._size = view.policy_size
        self._planes = torch.zeros(capacity, self._row, dtype=torch.uint8, device=device)
        self._policy = torch.zeros(capacity, self._size, dtype=torch.bfloat16, device=device)
        self._values = torch.zeros(capacity, 2, device=device)

    def add(self, lessons: Lessons) -> int:
        """Takes what self-play gives, in the place of the oldest, and tells how many positions it was."""
        planes, policy, values = (bytearray(part) for part in lessons)
        count = len(planes) // self._row
        if count == 0:
            return 0
        rows = (torch.arange(self.added, self.added + count) % self.capacity).to(self._device)
        self._planes[rows] = torch.frombuffer(planes, dtype=torch.uint8).view(count, -1).to(self._device)
        self._policy[rows] = torch.frombuffer(policy, dtype=torch.bfloat16).view(count, -1).to(self._device)
        self._values[rows] = torch.frombuffer(values, dtype=torch.float32).view(count, 2).to(self._device)
        self.added += count
        return count

    def sample(self, size: int, window: int, chance: torch.Generator) -> Batch:
        """Positions drawn from the newest `window` ones."""
        newest = min(window, self.added, self.capacity)
        drawn = torch.randint(newest, (size,), generator=chance, device=self._device)
        rows = (self.added - 1 - drawn) % self.capacity
        return Batch(self._planes[rows], self._policy[rows].float(), self._values[rows])
