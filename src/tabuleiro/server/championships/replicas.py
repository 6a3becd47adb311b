"""Work on championships that a process apart does: it is sent the events that its replica lacks, and what is wanted."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeVar

from tabuleiro.championship.events import Event
from tabuleiro.server.championships.stream import ChampionshipStream
from tabuleiro.server.championships.work import SMALL, Missing, OnReplica, Work
from tabuleiro.server.jobs import NO_WORKER, Jobs, LimitError

T = TypeVar("T")

#: Events, and what they list, that are sent at once: to pack them takes ten milliseconds, in which nothing else runs.
PORTION = 5_000
#: Championships of which it is remembered how many events were sent.
MOST_SENT = 1_000
#: How often workers may turn out to lack events, as others do who are asked for the first time.
MOST_GAPS = 6


class Snapshot(NamedTuple):
    """A championship as it was at a moment. Its events are only ever added to, so the list need not be copied."""

    stream: str
    number: int
    events: Sequence[Event]

    @classmethod
    def of(cls, stream: ChampionshipStream) -> "Snapshot":
        """Of a stream that is held: all its events are stored."""
        return cls(stream.id, stream.number, stream.championship.events)


class Replicas:
    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        #: How many events of a championship some worker has had.
        self._sent: OrderedDict[str, int] = OrderedDict()

    def is_small(self, stream: ChampionshipStream, work: Work[object]) -> bool:
        """Return True if a work may be done at once, on a stream that is held."""
        return work.weight(stream.championship.state) <= SMALL

    async def run(self, asker: Hashable, snapshot: Snapshot, work: Work[T]) -> T:
        """Let a worker do something on a championship as it was, on behalf of somebody."""
        stream, number, events = snapshot
        base, gaps = min(self._sent.get(stream, 0), number), 0
        while True:
            end = _portion(events, base, number)
            at = events[base - 1].when if base else 0.0
            job = OnReplica(stream, base, at, events[base:end], work if end == number else None)
            answer = await self._jobs.run(asker, job, place=stream)
            if isinstance(answer, Missing):
                base, gaps = min(answer.known, number), gaps + 1
                if gaps > MOST_GAPS:
                    raise LimitError(*NO_WORKER)
                continue
            base = self._sent[stream] = end
            self._sent.move_to_end(stream)
            if len(self._sent) > MOST_SENT:
                self._sent.popitem(last=False)
            if base == number:
                found: T = answer
                return found


def _portion(events: Sequence[Event], base: int, number: int) -> int:
    """The number of the last event to be sent at once."""
    weight, end = 0, base
    while end < number and (weight < PORTION or end == base):
        weight += 1 + sum(len(value) for value in events[end].data.values() if isinstance(value, list))
        end += 1
    return end
