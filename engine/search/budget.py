"""Limits of a search: an amount of work, which makes results repeatable, and a deadline."""

from __future__ import annotations

from typing import Final

from engine.search.deadline import Deadline

DEFAULT_SECONDS: Final = 10.0


class Budget:
    """Limit a search to a number of nodes or iterations (None: no limit) and to a deadline.

    Simulations count iterations, endgames and pre-endgames nodes. The time runs from the creation of the
    object.
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
        """Take the limits; `deadline`: used instead of `seconds` from now."""
        self.nodes = nodes
        self.iterations = iterations
        self.deadline = deadline or Deadline.after(None if seconds is None else 1000 * seconds)
