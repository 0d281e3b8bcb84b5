"""The budget of a search: the time and the work that it may spend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.errors import InvalidInput
from engine.messages import Text
from engine.search.deadline import Deadline


class BudgetSpentError(Exception):
    """A search has reached the limit of its budget."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limit a search by time or by work; it ends earlier when its result is certain.

    `seconds`: the result may then differ from run to run; `nodes`: positions of an endgame or pre-endgame
    search; `iterations`: of a simulation; None: no limit of this kind. The same work gives the same result on
    every machine. Raises InvalidInput (code "out_of_range") for a limit that is not positive.
    """

    seconds: float | None = None
    nodes: int | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "nodes", "iterations"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InvalidInput(
                    Text("a limit of {option} must be greater than 0, not {value}", option=name, value=value),
                    code="out_of_range",
                    field=name,
                )

    def deadline(self) -> Deadline:
        """Return the deadline of a search that starts now."""
        return Deadline.after(None if self.seconds is None else 1000 * self.seconds)


DEFAULT_BUDGET: Final = Budget(seconds=10)
"""The budget of a solver that is called without one."""
