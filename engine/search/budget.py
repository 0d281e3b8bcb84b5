"""What a search may spend: work, by which results repeat, and a deadline, which only cuts."""

from __future__ import annotations

from typing import Final

from engine.search.deadline import Deadline

DEFAULT_SECONDS: Final = 10.0


class Budget:
    """Hold what a search may spend: `nodes` or `iterations` (None sets no limit), and its `deadline`.

    One object serves simulation, endgame and pre-endgame. The clock runs from when it is made.
    """

    __slots__ = ("deadline", "iterations", "nodes")

    def __init__(
        self,
        nodes: int | None = None,
        seconds: float | None = DEFAULT_SECONDS,
        *,
        iterations: int | None = None,
        deadline: Deadline | None = None,
    ) -> None:
        """Take the work, and `seconds` from now or else a deadline that others share."""
        self.nodes = nodes
        self.iterations = iterations
        self.deadline = deadline or Deadline.after(None if seconds is None else 1000 * seconds)
