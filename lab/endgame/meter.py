"""The use of a budget by searches in plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.search.budget import BudgetSpentError

if TYPE_CHECKING:
    from engine.search.deadline import Deadline


@dataclass
class Meter:
    """Count nodes and raise BudgetSpentError when a limit is reached."""

    max_nodes: int | None
    deadline: Deadline
    nodes: int = 0

    def count(self) -> None:
        """Count a node; raise BudgetSpentError if a limit is reached."""
        if self.max_nodes is not None and self.nodes >= self.max_nodes:
            raise BudgetSpentError
        self.check_time()
        self.nodes += 1

    def check_time(self) -> None:
        """Raise BudgetSpentError if the deadline has passed."""
        if self.is_late():
            raise BudgetSpentError

    def is_late(self) -> bool:
        """Return whether the deadline has passed."""
        return self.deadline.passed
