"""The budget of a search in plain Python: nodes, and a deadline that only cuts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.search.deadline import Deadline


class BudgetSpentError(Exception):
    """The nodes or the time are used up."""


@dataclass
class Meter:
    """Count nodes, and end the search when the budget is spent."""

    most_nodes: int | None
    deadline: Deadline
    nodes: int = 0

    def count(self) -> None:
        """Count a node; raises BudgetSpentError."""
        if self.most_nodes is not None and self.nodes >= self.most_nodes:
            raise BudgetSpentError
        self.look()
        self.nodes += 1

    def look(self) -> None:
        """Look at the clock; raises BudgetSpentError."""
        if self.is_late():
            raise BudgetSpentError

    def is_late(self) -> bool:
        """Tell whether the time is used up."""
        return self.deadline.passed
