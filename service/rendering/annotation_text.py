"""What terminal and page say of an annotation in the same words: how it was judged, how racks are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Annotation, TurnNote

INFERRED = "* the tiles of the move itself: the record names no rack"


def judged_by(annotation: Annotation) -> str:
    """Say by what turns were judged, and how many of those with an empty bag were proven."""
    heading = annotation.heading
    budget = heading.provenance.budget
    said = f"by {heading.evaluator}"
    if heading.simulation is not None and budget is not None:
        said = f"by simulation ({heading.simulation}, {budget.iterations:,} iterations a turn"
        said += f", seed {heading.provenance.seed}; candidates by {heading.evaluator})"
    said += f" with the words of {heading.lexicon}"
    last = [note for note in annotation.turns if note.endgame_loss is not None]
    if last:
        proven = sum(note.certainty == "exact" for note in last)
        rest = "" if proven == len(last) else ", the others estimated"
        said += f"; endgame turns: {proven} of {len(last)} proven{rest}"
    return said


def rack_text(note: TurnNote) -> str:
    """Write a rack and how much of it is known: "ABC*" is inferred, "ABC…" a part, "–" not known at all."""
    marks = {"inferred": "*", "partial": "…", "unknown": "–"}
    return note.rack + marks.get(note.rack_known, "")
