"""What a server process counts and measures, told in the text form that Prometheus reads."""

import mmap
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

#: The upper ends of the classes in which times are counted, in seconds.
CLASSES = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

Labels = tuple[tuple[str, str], ...]


class Metrics:
    def __init__(self) -> None:
        self._counts: Counter[tuple[str, Labels]] = Counter()
        self._times: defaultdict[tuple[str, Labels], list[int]] = defaultdict(lambda: [0] * (len(CLASSES) + 1))
        self._sums: defaultdict[tuple[str, Labels], float] = defaultdict(float)

    def count(self, name: str, **labels: str) -> None:
        self._counts[name, tuple(labels.items())] += 1

    def counter(self, name: str, label: str) -> Callable[[str], None]:
        """What counts the same again and again, each time with what the label says."""
        counts, keys = self._counts, dict[str, tuple[str, Labels]]()

        def count(value: str) -> None:
            if (key := keys.get(value)) is None:
                key = keys[value] = name, ((label, value),)
                counts[key] += 0
            counts[key] += 1

        return count

    def timing(self, name: str) -> Callable[[float], None]:
        """What measures the same again and again, in seconds."""
        key: tuple[str, Labels] = name, ()
        classes, sums = self._times[key], self._sums

        def measure(seconds: float) -> None:
            classes[bisect_left(CLASSES, seconds)] += 1
            sums[key] += seconds

        return measure

    def measure(self, name: str, seconds: float, **labels: str) -> None:
        key = name, tuple(labels.items())
        self._times[key][bisect_left(CLASSES, seconds)] += 1
        self._sums[key] += seconds

    def text(self, gauges: dict[str, float]) -> str:
        """Everything counted and measured so far, and how things stand."""
        lines: list[str] = []
        described: set[str] = set()

        def describe(name: str, kind: str) -> None:
            if name not in described:
                described.add(name)
                lines.append(f"# TYPE {name} {kind}")

        for (name, labels), count in sorted(self._counts.items()):
            describe(f"tabuleiro_{name}_total", "counter")
            lines.append(f"tabuleiro_{name}_total{_write(labels)} {count}")
        for (name, labels), classes in sorted(self._times.items()):
            describe(f"tabuleiro_{name}_seconds", "histogram")
            so_far = 0
            for end, count in zip((*map(str, CLASSES), "+Inf"), classes, strict=True):
                so_far += count
                lines.append(f"tabuleiro_{name}_seconds_bucket{_write((*labels, ('le', end)))} {so_far}")
            lines.append(f"tabuleiro_{name}_seconds_sum{_write(labels)} {self._sums[name, labels]:.6f}")
            lines.append(f"tabuleiro_{name}_seconds_count{_write(labels)} {so_far}")
        for name, value in gauges.items():
            describe(f"tabuleiro_{name}", "gauge")
            lines.append(f"tabuleiro_{name} {value:g}")
        describe("process_cpu_seconds_total", "counter")
        lines.append(f"process_cpu_seconds_total {time.process_time():.2f}")
        if (memory := _memory()) is not None:
            describe("process_resident_memory_bytes", "gauge")
            lines.append(f"process_resident_memory_bytes {memory}")
        return "\n".join(lines) + "\n"


def _write(labels: Labels) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels) + "}" if labels else ""


def _memory() -> int | None:
    """The bytes this process has in memory, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * mmap.PAGESIZE
