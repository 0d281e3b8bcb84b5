"""When a search must stop, and why it stopped."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic_ns
from typing import Final

COMPLETE: Final = "complete"
BUDGET: Final = "budget"
DEADLINE: Final = "deadline"
"""Why a search ended: it had its answer, its work was spent, or its time was up."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """Hold the moment at which to stop, in nanoseconds of the monotonic clock; 0: there is none."""

    at: int = 0

    @classmethod
    def after(cls, milliseconds: int | None) -> Deadline:
        """Return the deadline that many milliseconds from now; none for None."""
        return cls() if milliseconds is None else cls(monotonic_ns() + 1_000_000 * milliseconds)

    @property
    def passed(self) -> bool:
        """Tell whether it is over."""
        return bool(self.at) and monotonic_ns() > self.at
