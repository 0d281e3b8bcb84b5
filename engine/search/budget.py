"""What a search may spend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DEFAULT_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Budget:
    """Hold what a search may spend: nodes, by which results repeat, and seconds, which only cut.

    None sets no limit.
    """

    nodes: int | None = None
    seconds: float | None = DEFAULT_SECONDS
