"""The record of an annotated game: the annotation of each turn is added to the note of its event."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.analysis.annotate.notes import Annotation, TurnNote
    from engine.records import GameRecord

_REFUSALS: Final = {
    "rack_partial": "not judged: the rack is known in part",
    "rack_unknown": "not judged: the rack is not known",
    "move_unknown": "the tiles exchanged are not known",
}


def annotated_record(annotation: Annotation) -> GameRecord:
    """Return the record with a sentence about each turn, and its explanation, added to its note."""
    added = {
        note.number: (turn_sentence(note), "" if note.explanation is None else note.explanation.text)
        for note in annotation.turns
    }
    events = [
        replace(event, note="\n".join([text for text in (event.note, *added.get(number, ())) if text]))
        for number, event in enumerate(annotation.record.events, 1)
    ]
    return replace(annotation.record, events=tuple(events))


_ENDINGS: Final = {
    "went_out": "goes out",
    "zero_turns": "ends the game, as the last of so many turns without points",
    "all_passed": "ends the game, for everyone has passed",
}


_ENDGAMES: Final = {
    "exact": "endgame, proven",
    "bound": "endgame, lost at least so much",
    "estimate": "endgame, an estimate",
}


def turn_sentence(note: TurnNote) -> str:
    """Return one line about a turn: the best move, what was lost, and what else is remarkable."""
    parts = []
    if note.phonies:
        stood = "taken back" if note.challenge == "taken_back" else "not challenged"
        parts.append(f"phony ({', '.join(note.phonies)}), {stood}")
    elif note.challenge == "stood":
        parts.append(f"challenged in vain, {note.challenge_bonus:+}")
    elif note.challenge == "taken_back":
        parts.append("taken back, though all its words are in the lexicon")
    if note.ends_game:
        parts.append(_ENDINGS[note.ends_game])
    if note.not_judged:
        parts.append(_REFUSALS.get(note.not_judged, f"not judged: {note.not_judged.replace('_', ' ')}"))
    if note.best and not note.played:
        parts.append(_best(note))
    elif note.best and note.rank == 1:
        parts.append(f"best ({note.best.equity:.1f})")
    elif note.best:
        parts.append(_best(note) + ("" if note.rank is None else f", rank {note.rank}"))
        if note.equity_loss:
            parts[-1] += f", equity {-note.equity_loss:.1f}"
        if note.win_pct_loss is not None:
            parts.append(f"win% {-note.win_pct_loss:.1f}")
        if note.mistake not in (None, "none"):
            parts.append(f"{note.mistake} mistake")
        if note.endgame_loss is not None:
            parts.append(_ENDGAMES[note.certainty or "estimate"])
    if note.missed_bingo and note.best and note.missed_bingo != note.best.move:
        parts.append(f"missed bingo {note.missed_bingo}")
    return "kibitz: " + "; ".join(parts) if parts else ""


def _best(note: TurnNote) -> str:
    assert note.best is not None  # noqa: S101 - the callers have checked
    return f"best {note.best.move} ({note.best.score}, equity {note.best.equity:.1f})"
