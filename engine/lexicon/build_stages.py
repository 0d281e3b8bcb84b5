"""The stages of a build as one share of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.lexicon.word_lists.word_list import Progress

STAGES: Final[Mapping[str, float]] = {
    "decode": 0.01,
    "spell": 0.06,
    "sort": 0.25,
    "internal words": 0.13,
    "placements": 0.15,
    "frequencies": 0.16,
    "lists": 0.22,
    "write": 0.02,
}
"""The stages of building a bundled lexicon in their order, with the share of the time that each took when the
Dutch and the Spanish list were built."""


def total_progress(report: Callable[[float], None]) -> Progress:
    """Return a progress function of a build that calls `report` with the completed share of all stages.

    The share never decreases. Stages that are not in `STAGES`, such as waiting, report nothing.
    """
    starts = {stage: sum(list(STAGES.values())[:index]) for index, stage in enumerate(STAGES)}
    reached = 0.0

    def progress(stage: str, share: float) -> None:
        nonlocal reached
        if stage in STAGES:
            reached = max(reached, starts[stage] + STAGES[stage] * share)
            report(min(1.0, reached))

    return progress
