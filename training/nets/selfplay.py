"""Self-play of a net: native games ask, the net answers, group by group."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor
from training.nets.judge import judge_of
from training.nets.net import Net, Shape
from training.nets.replay import Lessons

from tabuleiro import _native
from tabuleiro.core import Options, Position
from tabuleiro.nn import View


@dataclass(frozen=True)
class SearchSettings:
    """As `SelfPlaySettings` in native/selfplay/selfplay.hpp."""

    simulations: int = 32
    candidates: int = 16
    trust_visits: float = 50.0
    trust_scale: float = 1.0
    opening_share: float = 0.5
    opening_plies: int = 1
    longest: int = 1000


class Answers:
    """One group's memory, and the net that answers its questions: at once on a processor, meanwhile on a GPU."""

    def __init__(self, judge: Callable[..., Any], planes: Tensor, logits: Tensor, values: Tensor, fast: bool) -> None:
        self.planes, self.logits, self.values = planes, logits, values
        self._judge, self._fast = judge, fast
        if fast:
            self._record()

    def _record(self) -> None:
        """The whole evaluation as one CUDA graph."""
        self._done = torch.cuda.Event()  # type: ignore[no-untyped-call]
        self._questions = torch.zeros_like(self.planes, device="cuda")
        for _ in range(3):
            self._judge(self._questions)
        torch.cuda.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, capture_error_mode="thread_local"):
            self._answers = self._judge(self._questions)

    @torch.inference_mode()
    def ask(self) -> None:
        if not self._fast:
            logits, values = self._judge(self.planes)
            self.logits.copy_(logits)
            self.values.copy_(values)
            return
        self._questions.copy_(self.planes, non_blocking=True)
        self._graph.replay()
        self.logits.copy_(self._answers[0], non_blocking=True)
        self.values.copy_(self._answers[1], non_blocking=True)
        self._done.record()

    def wait(self) -> None:
        if self._fast:
            self._done.synchronize()


class SelfPlay:
    """Many games of a net against itself."""

    def __init__(
        self,
        shape: Shape,
        start: Position,
        settings: SearchSettings,
        *,
        device: torch.device,
        games: int,
        groups: int = 2,
        threads: int = 1,
        seed: int = 0,
        compiled: bool = False,
        records: bool = False,
    ) -> None:
        options: Options = start.options
        self.view = View(type(start), options)
        fast = device.type == "cuda"
        self._net, judge = judge_of(shape, self.view, device, compiled)
        row, size = self.view.packed_words, self.view.policy_size
        planes = torch.zeros(games, row, dtype=torch.int64, pin_memory=fast)
        logits = torch.zeros(games, size, dtype=torch.bfloat16, pin_memory=fast)
        values = torch.zeros(games, pin_memory=fast)
        desk: list[Any] = [
            planes.numpy().view("uint64"),
            logits.view(torch.int16).numpy().view("uint16"),
            values.numpy(),
        ]
        self._native = _native.SELF_PLAYS[start.id](
            options.encode(),
            self.view.native_tables(),
            start.encode(),
            asdict(settings),
            seed,
            games,
            groups,
            threads,
            records,
            *desk,
        )
        bytes_ = planes.view(torch.uint8)
        with torch.inference_mode():
            self.groups = [
                Answers(judge, bytes_[first:last], logits[first:last], values[first:last], fast)
                for first, last in ((games * group // groups, games * (group + 1) // groups) for group in range(groups))
            ]
        self._begun = False

    @torch.inference_mode()
    def learn(self, net: Net) -> None:
        """Go on with what a net knows now."""
        net.fold_into(self._net)

    def change(self, settings: SearchSettings) -> None:
        self._native.change(asdict(settings))

    def step(self) -> None:
        """Every game gets its answer and asks the next question. While a GPU answers one group, the others go on."""
        for number, group in enumerate(self.groups):
            if self._begun:
                group.wait()
            self._native.advance(number)
            group.ask()
        self._begun = True

    def lessons(self) -> Lessons:
        return self._native.lessons()

    def records(self) -> list[tuple[list[int], int]]:
        return self._native.records()

    def tally(self) -> tuple[int, int, int]:
        """Games ended, moves made, questions asked."""
        return self._native.tally()
