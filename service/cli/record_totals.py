"""The totals of annotated records, for `kibitz batch`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine import MISTAKES

if TYPE_CHECKING:
    from service.cli.record_folder import Outcome

_COUNTS: Final = ("turns", "judged", "bingos", "missed_bingos", "phonies", "phonies_taken_back")


class RecordTotals:
    """Add up outcomes; `faulty`: those that were refused or have faults, without their lines.

    `done` and `fresh`: how many records were added, and how many of them were annotated by this run.
    """

    def __init__(self) -> None:
        self.done = self.fresh = 0
        self.faulty: list[Outcome] = []
        self._annotated = 0
        self._counts: Counter[str] = Counter()
        self._mistakes: Counter[str] = Counter()
        self._equity_loss = 0.0

    def add(self, outcome: Outcome) -> None:
        """Add the outcome of a record."""
        self.done += 1
        self.fresh += outcome.fresh
        if outcome.error is not None or outcome.faults:
            self.faulty.append(replace(outcome, lines=[], summary=None))
        if outcome.summary is None:
            return
        self._annotated += 1
        for player in outcome.summary["players"]:
            self._counts.update({name: player[name] for name in _COUNTS})
            self._mistakes.update(player["mistakes"])
            self._equity_loss += player["equity_loss"]

    @property
    def refused(self) -> int:
        """The number of records that were refused."""
        return self.done - self._annotated

    def as_dict(self) -> dict[str, Any]:
        """Return the totals as they are saved."""
        return {
            "records": self.done,
            "annotated": self._annotated,
            "refused": self.refused,
            "with_faults": sum(bool(outcome.faults) for outcome in self.faulty),
            **{name: self._counts[name] for name in _COUNTS},
            "mistakes": {name: self._mistakes[name] for name in MISTAKES},
            "equity_loss": round(self._equity_loss, 3),
            "errors": {outcome.name: outcome.error for outcome in self.faulty if outcome.error is not None},
            "faults": {outcome.name: outcome.faults for outcome in self.faulty if outcome.faults},
        }
