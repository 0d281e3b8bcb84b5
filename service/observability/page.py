"""Numbers that all workers write and any of them can read: one page of shared memory, a slot per worker.

The master makes the page before it forks. A worker writes to its own slot alone, so counting takes no lock
between processes; the reader adds the slots up. A worker that takes over the slot of a dead one counts on
where that one stopped, so that a counter never falls and nothing has to be cleaned up.
"""

from __future__ import annotations

import mmap
from threading import Lock
from typing import Final

SLOT_NUMBERS: Final = 4096
"""Numbers (8 bytes each) of a slot; the first one names the layout of the others."""


class MetricsPage:
    """Hold `slots` slots of SLOT_NUMBERS numbers; the process writes to the slot it took (at first 0)."""

    def __init__(self, slots: int = 1) -> None:
        self._slots = slots
        # Anonymous and shared: children of a fork see the same page, and it is gone with the last of them.
        self._numbers = memoryview(mmap.mmap(-1, slots * SLOT_NUMBERS * 8)).cast("d")
        self._base = 0
        self._lock = Lock()

    @property
    def slots(self) -> int:
        """The number of slots."""
        return self._slots

    def take(self, slot: int) -> None:
        """Write to `slot` from now on; beyond the last slot, the slots are shared and may lose a count."""
        self._base = slot % self._slots * SLOT_NUMBERS

    def begin(self, layout: float, gauges: list[int]) -> None:
        """Declare the layout of this process: its slot is emptied if it held another, its gauges anyway."""
        with self._lock:
            if self._numbers[self._base] != layout:
                self._numbers[self._base : self._base + SLOT_NUMBERS] = memoryview(
                    bytes(SLOT_NUMBERS * 8)
                ).cast("d")
                self._numbers[self._base] = layout
            for place in gauges:
                self._numbers[self._base + place] = 0.0

    def add(self, place: int, amount: float) -> None:
        """Add to a number of this process's slot."""
        with self._lock:
            self._numbers[self._base + place] += amount

    def put(self, place: int, value: float) -> None:
        """Set a number of this process's slot."""
        self._numbers[self._base + place] = value

    def total(self, place: int) -> float:
        """Add a number up over all slots that have the layout of this process's slot."""
        layout = self._numbers[self._base]
        starts = range(0, self._slots * SLOT_NUMBERS, SLOT_NUMBERS)
        return sum(self._numbers[start + place] for start in starts if self._numbers[start] == layout)
