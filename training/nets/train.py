"""Train a net by self-play.

    python -m training.nets.train hex --stage 2:swap=off,size=7 --stage 20:swap=off,size=11 --out runs/hex

A stage is minutes, a colon, the options of the game, and after a slash settings of the search if they differ from the
defaults (`20:swap=off/simulations=64`). A net goes on from stage to stage, so it may begin on a small board. Every
minute a checkpoint is written, from which a later run goes on (`--resume`); what is logged is one JSON line at a time.
On a GPU the games go on while the net learns; on a processor they take turns.
"""

import argparse
import json
import math
import queue
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import torch
from training.nets.learner import Learner, LearningSettings
from training.nets.net import Net, Shape, described, loaded, saved
from training.nets.replay import Lessons, Replay
from training.nets.selfplay import SearchSettings, SelfPlay
from training.pairs import read_pairs

from tabuleiro import get
from tabuleiro.core import Position
from tabuleiro.nn import View

#: Seconds between two lines of the log, and between two checkpoints.
LOG_EVERY, SAVE_EVERY = 10.0, 60.0
#: Learning begins when so many positions are there, and draws from these and two fifths of all that came after.
FIRST_WINDOW = 100_000


@dataclass(frozen=True)
class Stage:
    minutes: float
    options: dict[str, str]
    settings: SearchSettings

    @classmethod
    def parse(cls, text: str) -> "Stage":
        minutes, _, rest = text.partition(":")
        options, _, settings = rest.partition("/")
        kinds = {field.name: field.type for field in fields(SearchSettings)}
        chosen = {name: (int if kinds[name] is int else float)(value) for name, value in read_pairs(settings).items()}
        return cls(float(minutes), read_pairs(options), replace(SearchSettings(), **chosen))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Plan:
    """What a run does, besides its stages."""

    batch: int = 4096
    #: How often a position is learnt from.
    reuse: float = 4.0
    #: Positions kept.
    capacity: int = 4_000_000
    #: The last share of the time, in which the rate falls to nothing.
    cooldown: float = 0.4
    games: int = 8192
    threads: int = 1
    seed: int = 0
    compiled: bool = False
    first_window: int = FIRST_WINDOW
    #: A stage also ends, and the rate falls, by the positions played; 0: by the time alone. On a processor one seed
    #: then gives one net.
    positions: int = 0


class Run:
    def __init__(
        self,
        kind: type[Position],
        net: Net,
        plan: Plan,
        learning: LearningSettings,
        device: torch.device,
        out: Path | None,
        earlier: dict[str, Any] | None = None,
    ) -> None:
        self.kind, self.plan, self.device, self.out = kind, plan, device, out
        mean = None if earlier is None else loaded(earlier["shape"], earlier["mean"])
        self.learner = Learner(net, learning, device, mean)
        self.minutes_before: float = 0.0 if earlier is None else earlier["minutes"]
        self.chance = torch.Generator(device).manual_seed(plan.seed)
        self.begun = time.monotonic()
        self.replay: Replay | None = None
        self.play: SelfPlay | None = None
        self.lines: list[dict[str, Any]] = []

    # -- time ---------------------------------------------------------------------------------------------------------

    def minutes(self) -> float:
        return (time.monotonic() - self.begun) / 60

    def train(self, stages: list[Stage]) -> None:
        self._total = sum(stage.minutes for stage in stages)
        end = 0.0
        for stage in stages:
            end += stage.minutes
            self._enter(stage)
            stepping = self._steps_on_gpu(end) if self.device.type == "cuda" else self._steps_in_turn(end)
            logged, written = self.minutes(), self.minutes()
            for _ in stepping:
                if self._may_learn():
                    assert self.replay is not None
                    self.learner.step(
                        self.replay.sample(self.plan.batch, self._window(), self.chance),
                        min(1.0, max(0.0, self._left() / self.plan.cooldown)),
                        self.chance,
                    )
                    self.learnt += self.plan.batch
                if 60 * (self.minutes() - logged) > LOG_EVERY:
                    self._log(stage)
                    logged = self.minutes()
                if 60 * (self.minutes() - written) > SAVE_EVERY:
                    self.save()
                    written = self.minutes()
            self._log(stage)
        self.save()

    def _enter(self, stage: Stage) -> None:
        start = self.kind.start(self.kind.options_type.parse(stage.options))
        if self.play is None or self.play.view.options != start.options:
            view = View(self.kind, start.options)
            self.replay = Replay(view, self.plan.capacity, self.device)
            self.learnt = 0
            self.learner.see(view)
            self.play = SelfPlay(
                self.learner.net.shape,
                start,
                stage.settings,
                device=self.device,
                games=self.plan.games,
                threads=self.plan.threads,
                seed=self.plan.seed,
                compiled=self.plan.compiled,
            )
            self._counted = (0, 0, 0, self.minutes())
        self.play.change(stage.settings)
        self.play.learn(self.learner.mean)
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def _left(self) -> float:
        """The share of the run that is still to come."""
        assert self.replay is not None
        if self.plan.positions:
            return 1 - self.replay.added / self.plan.positions
        return 1 - self.minutes() / self._total

    def _goes_on(self, end: float) -> bool:
        assert self.replay is not None
        return self.minutes() < end and not (self.plan.positions and self.replay.added >= self.plan.positions)

    def _window(self) -> int:
        assert self.replay is not None
        return self.plan.first_window + 2 * self.replay.added // 5

    def _may_learn(self) -> bool:
        assert self.replay is not None
        added = self.replay.added
        return added >= self.plan.first_window and self.learnt < self.plan.reuse * added

    # -- games and learning -------------------------------------------------------------------------------------------

    def _steps_in_turn(self, end: float) -> Iterator[None]:
        """On a processor: games until there is enough to learn from, learning until there is not."""
        assert self.play is not None and self.replay is not None
        while self._goes_on(end):
            while self._goes_on(end) and not self._may_learn():
                self.play.step()
                self.replay.add(self.play.lessons())
            while self._goes_on(end) and self._may_learn():
                yield
            self.play.learn(self.learner.mean)

    def _steps_on_gpu(self, end: float) -> Iterator[None]:
        """On a GPU: games in a thread of their own, on a stream of their own."""
        assert self.play is not None and self.replay is not None
        play = self.play
        arrived: queue.Queue[Lessons] = queue.Queue(maxsize=16)
        news: queue.Queue[tuple[Net, torch.cuda.Event]] = queue.Queue(maxsize=1)
        stop = threading.Event()
        errors: list[BaseException] = []

        def go_on() -> None:
            try:
                with torch.cuda.stream(torch.cuda.Stream()):  # type: ignore[no-untyped-call]
                    count = 0
                    while not stop.is_set():
                        play.step()
                        count += 1
                        if count % 64 == 0:
                            arrived.put(play.lessons())
                        if not news.empty():
                            net, ready = news.get()
                            ready.wait()
                            play.learn(net)
                            torch.cuda.current_stream().synchronize()
            except BaseException as error:
                errors.append(error)

        thread = threading.Thread(target=go_on)
        thread.start()
        told = time.monotonic()
        try:
            while self._goes_on(end) and not errors:
                while not arrived.empty():
                    self.replay.add(arrived.get())
                if self._may_learn():
                    yield
                    # Kernels are queued faster than they run: let no more than a few steps wait.
                    if self.learner.steps % 4 == 0:
                        torch.cuda.current_stream().synchronize()
                else:
                    time.sleep(0.002)
                if time.monotonic() - told > 2 and news.empty():
                    told = time.monotonic()
                    net = Net(self.learner.net.shape).to(self.device)
                    net.load_state_dict(self.learner.mean.state_dict())
                    ready = torch.cuda.Event()  # type: ignore[no-untyped-call]
                    ready.record()
                    news.put((net, ready))
        finally:
            stop.set()
            while thread.is_alive():
                while not arrived.empty():
                    arrived.get()
                thread.join(0.05)
        if errors:
            raise errors[0]

    # -- what is kept -------------------------------------------------------------------------------------------------

    def _log(self, stage: Stage) -> None:
        assert self.play is not None and self.replay is not None
        games, moves, questions = self.play.tally()
        old_games, old_moves, old_questions, then = self._counted
        self._counted = (games, moves, questions, self.minutes())
        seconds = 60 * (self.minutes() - then) or 1.0
        losses = self.learner.losses()
        if not math.isfinite(losses.policy + losses.value):
            raise ArithmeticError("the losses are no numbers any more")
        line = {
            "minutes": round(self.minutes_before + self.minutes(), 3),
            "options": stage.options,
            "simulations": stage.settings.simulations,
            "games": games,
            "moves": moves,
            "moves_per_game": round((moves - old_moves) / max(1, games - old_games), 1),
            "moves_per_second": round((moves - old_moves) / seconds),
            "evaluations_per_second": round((questions - old_questions) / seconds),
            "steps": self.learner.steps,
            "uses": round(self.learnt / max(1, self.replay.added), 2),
            "policy_loss": round(losses.policy, 4),
            "policy_distance": round(losses.distance, 4),
            "value_loss": round(losses.value, 4),
        }
        self.lines.append(line)
        text = json.dumps(line)
        print(text, flush=True)
        if self.out is not None:
            with (self.out / "log.jsonl").open("a") as log:
                log.write(text + "\n")

    def save(self) -> None:
        if self.out is None:
            return
        assert self.play is not None
        minutes = self.minutes_before + self.minutes()
        checkpoint = {
            "game": self.kind.id,
            "options": self.play.view.options.items(),
            "shape": described(self.learner.net.shape),
            "minutes": minutes,
            "steps": self.learner.steps,
            "net": saved(self.learner.net),
            "mean": saved(self.learner.mean),
        }
        path = self.out / f"checkpoint-{round(minutes):03}.pt"
        torch.save(checkpoint, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--stage", action="append", required=True, help="MINUTES:OPTION=VALUE,…/SETTING=VALUE,…")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="a checkpoint to go on from")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--width", type=int, default=64)
    for field in [*fields(Plan), *fields(LearningSettings)]:
        if isinstance(field.default, bool):
            parser.add_argument(f"--{field.name}", action="store_true")
        else:
            parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    given = parser.parse_args(arguments)
    kind = get(given.game)
    stages = [Stage.parse(text) for text in given.stage]
    plan = Plan(**{field.name: getattr(given, field.name) for field in fields(Plan)})
    learning = LearningSettings(**{field.name: getattr(given, field.name) for field in fields(LearningSettings)})
    torch.manual_seed(plan.seed)
    if given.device == "cpu":
        torch.set_num_threads(plan.threads)
    torch.backends.cudnn.benchmark = True
    # Two threads share the interpreter: neither should wait long for it.
    sys.setswitchinterval(0.0002)
    earlier = None
    if given.resume is not None:
        earlier = torch.load(given.resume, map_location="cpu", weights_only=True)
        net = loaded(earlier["shape"], earlier["net"])
    else:
        options = kind.options_type.parse(stages[0].options)
        net = Net(Shape.of(View(kind, options), given.blocks, given.width))
    given.out.mkdir(parents=True, exist_ok=True)
    print(json.dumps({"plan": asdict(plan), "learning": asdict(learning), "stages": given.stage}), flush=True)
    Run(kind, net, plan, learning, torch.device(given.device), given.out, earlier).train(stages)


if __name__ == "__main__":
    main()
