"""The machines of a Ray cluster: `ray start --head` on one, `ray start --address …` on the others.

Tabuleiro is installed on each of them, in the same version. A worker is an actor with a processor of its own.
"""

import logging
import os
from collections.abc import Callable, Sequence
from typing import Any

from tabuleiro.core import TabuleiroError
from tabuleiro.crew.base import Answer, Crew, CrewError, Hand, Job, Shared, Workplace
from tabuleiro.language import Text


class RayCrew(Crew):
    def __init__(self, address: str, size: int | None = None) -> None:
        """`address`: of a cluster, as `10.0.0.5:6379`; `auto`, the one that this machine belongs to; `local`, one that
        is made of this machine alone."""
        super().__init__()
        self._ray = _ray()
        if not self._ray.is_initialized():
            self._join(address, size)
        self.size = size or max(int(self._ray.cluster_resources().get("CPU", 1)), 1)
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0)(_Remote)
        self._shared: list[Any] = []

    def _join(self, address: str, size: int | None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # A cluster that begins now has a place for every worker asked for, whatever processors the machine has.
        own = {"num_cpus": size, "include_dashboard": False} if address == "local" else {}
        try:
            self._ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False, **own)
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            raise CrewError(
                Text(
                    f"não se chega ao Ray em «{address}»: {error}",
                    f"Ray cannot be reached at “{address}”: {error}",
                )
            ) from error

    def hire(self, job: Job[Any, Any]) -> Hand:
        return _Actor(self._ray, self._actor.remote(job, _version()))

    def wait(self, busy: Sequence[Hand]) -> list[tuple[Hand, Answer | None]]:
        by_answer = {hand.answer: hand for hand in busy if isinstance(hand, _Actor)}
        ready, _ = self._ray.wait([*by_answer], num_returns=1)
        return [(by_answer[answer], by_answer[answer].heard()) for answer in ready]

    def share(self, content: "memoryview[int]", own: Callable[[], "memoryview[int] | None"]) -> Shared:
        import numpy

        # Ray keeps arrays in memory that all workers of a machine share.
        kept = self._ray.put(numpy.frombuffer(content, numpy.uint8))
        self._shared.append(kept)
        return _InStore(own, kept)


class _InStore(Shared):
    """Read from a file where the worker has it, and else from the store of the cluster."""

    def __init__(self, own: Callable[[], "memoryview[int] | None"], kept: Any) -> None:
        super().__init__(own)
        self._kept = [kept]  # inside a list a reference travels as it is

    def get(self) -> "memoryview[int]":
        found = self._own()
        return memoryview(_ray().get(self._kept[0])) if found is None else found


class _Remote:
    """A worker, where it works."""

    def __init__(self, job: Job[Any, Any], version: str) -> None:
        if version != _version():
            wrong = f"Tabuleiro {_version()} ({Workplace.place()}), {version}"
            self._answer: Answer | None = Answer(
                error=CrewError(Text(f"versões diferentes: {wrong}", f"different versions: {wrong}"))
            )
        else:
            self._answer = None
        self._workplace = Workplace(job)

    def place(self) -> str:
        return self._workplace.place()

    def do(self, unit: Any) -> Answer:
        return self._answer or self._workplace.do(unit)


class _Actor(Hand):
    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray, self._actor = ray, actor
        self._place = actor.place.remote()
        self.answer: Any = None

    def begin(self, unit: Any) -> None:
        self.answer = self._actor.do.remote(unit)

    def heard(self) -> Answer | None:
        try:
            answer = self._ray.get(self.answer)
        except self._ray.exceptions.RayActorError:
            return None
        except self._ray.exceptions.RayError as error:
            return Answer(error=CrewError(Text(f"o Ray falhou: {error}", f"Ray failed: {error}")))
        assert isinstance(answer, Answer)
        return answer

    @property
    def place(self) -> str:
        try:
            return str(self._ray.get(self._place))
        except self._ray.exceptions.RayError:  # it was lost before it said where it is
            return "?"

    def dismiss(self) -> None:
        self._ray.kill(self._actor)

    def end(self) -> None:
        """Ray sees to it."""


def _version() -> str:
    from tabuleiro import __version__

    return __version__


def _ray() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise TabuleiroError(
            Text(
                "para trabalhar em várias máquinas é preciso o Ray: pip install 'tabuleiro[ray]'",
                "work on many machines needs Ray: pip install 'tabuleiro[ray]'",
            )
        ) from error
    return ray
