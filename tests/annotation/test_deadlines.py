"""A deadline cuts an annotation: it contains the turns judged until then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import AnnotationOptions, AnnotationSummary, Deadline, annotation_notes, annotation_simulation
from tests.annotation.games import recorded_game

if TYPE_CHECKING:
    from engine import AnnotationNote
    from engine.lexicon import Lexicon


@pytest.mark.parametrize("judged", [0, 1, 3])
def test_no_turn_is_judged_after_the_deadline(scowl: Lexicon, judged: int) -> None:
    record = recorded_game(scowl, 1)
    deadline = Deadline()
    complete = list(annotation_notes(record, scowl))
    cut: list[AnnotationNote] = []
    for note in annotation_notes(record, scowl, deadline=deadline):
        cut.append(note)
        if len(cut) == judged + 1:
            deadline.cut()
    assert cut[:-1] == complete[: judged + 1]
    summary = cut[-1]
    assert isinstance(summary, AnnotationSummary)
    assert (summary.complete, summary.turns) == (False, judged)


def test_a_turn_is_not_judged_by_a_simulation_that_was_cut(scowl: Lexicon) -> None:
    plan = annotation_simulation("heuri_sim", iterations=200_000, candidates=100)
    deadline = Deadline.after(50)
    notes = list(
        annotation_notes(recorded_game(scowl, 1), scowl, AnnotationOptions(simulate=plan), (), deadline)
    )
    assert len(notes) == 2, "the heading and the summary"
