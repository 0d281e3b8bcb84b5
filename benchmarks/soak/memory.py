"""The memory of a host, sampled during a run, and its growth."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

    from benchmarks.soak.objectives import Window

SAMPLE_SECONDS: Final = 10.0


@dataclass
class MemorySamples:
    """Sample the memory of each host every ten seconds until the block ends."""

    bytes_of: Mapping[str, Callable[[], int]]
    samples: dict[str, list[tuple[float, int]]] = field(default_factory=dict)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(SAMPLE_SECONDS):
            for name, measure in self.bytes_of.items():
                self.samples.setdefault(name, []).append((time.monotonic(), measure()))


def growth(samples: Sequence[tuple[float, int]], since: float, windows: Sequence[Window]) -> dict[str, Any]:
    """Return median and growth of the samples since a moment, without those within faults.

    The growth is the median of the slopes between all pairs of samples, times their duration, as percent of
    the median: a process that a job needs for a moment does not change it.
    """
    judged = [
        (moment, size)
        for moment, size in samples
        if moment >= since and not any(window.begin <= moment < window.end for window in windows)
    ]
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(judged, 2)]
    if not slopes:
        return {"samples": len(judged), "seconds": 0.0, "median_mb": None, "growth_percent": None}
    seconds = judged[-1][0] - judged[0][0]
    usual = median(size for _, size in judged)
    return {
        "samples": len(judged),
        "seconds": round(seconds, 1),
        "median_mb": round(usual / 1e6, 1),
        "growth_percent": round(100 * median(slopes) * seconds / usual, 2),
    }
