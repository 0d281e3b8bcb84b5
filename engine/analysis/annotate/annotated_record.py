"""The record of an annotated game: the annotation of each turn is added to the note of its event."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.messages import DEFAULT_LANGUAGE, Text, joined, message, number, rendered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.analysis.annotate.notes import Annotation, TurnNote
    from engine.records import GameRecord

_REFUSALS: Final = {
    "rack_partial": message("not judged: the rack is known in part"),
    "rack_unknown": message("not judged: the rack is not known"),
    "move_unknown": message("the tiles exchanged are not known"),
}

_ENDINGS: Final = {
    "went_out": message("goes out"),
    "zero_turns": message("ends the game, as the last of so many turns without points"),
    "all_passed": message("ends the game, for everyone has passed"),
}

_ENDGAMES: Final = {
    "exact": message("endgame, proven"),
    "bound": message("endgame, lost at least so much"),
    "estimate": message("endgame, an estimate"),
}

_MISTAKES: Final = {
    "small": message("small mistake"),
    "medium": message("medium mistake"),
    "large": message("large mistake"),
}

NOTE_PREFIX: Final = "kibitz: "
"""What every sentence about a turn begins with, in all languages."""


def annotated_record(annotation: Annotation, language: str = DEFAULT_LANGUAGE) -> GameRecord:
    """Return the record with a sentence about each turn, and its explanation, added to its note.

    `language`: that of the sentences; the explanations have the one of the annotation's options.
    """
    added = {
        note.number: (
            turn_sentence(note, language),
            "" if note.explanation is None else note.explanation.text,
        )
        for note in annotation.turns
    }
    events = [
        replace(event, note="\n".join([text for text in (event.note, *added.get(number, ())) if text]))
        for number, event in enumerate(annotation.record.events, 1)
    ]
    return replace(annotation.record, events=tuple(events))


def turn_sentence(note: TurnNote, language: str = DEFAULT_LANGUAGE) -> str:
    """Return one line about a turn: the best move, the loss, and other remarkable facts."""
    parts = list(_remarks(note, language))
    return NOTE_PREFIX + rendered(joined(parts, "; "), language) if parts else ""


def _remarks(note: TurnNote, language: str) -> Iterator[Text]:
    if note.phonies:
        words = list(note.phonies)
        if note.challenge == "taken_back":
            yield Text("phony ({words}), taken back", words=words)
        else:
            yield Text("phony ({words}), not challenged", words=words)
    elif note.challenge == "stood":
        yield Text("challenged in vain, {bonus:+}", bonus=note.challenge_bonus)
    elif note.challenge == "taken_back":
        yield Text("taken back, though all its words are in the lexicon")
    if note.ends_game:
        yield Text(_ENDINGS[note.ends_game])
    if note.not_judged in _REFUSALS:
        yield Text(_REFUSALS[note.not_judged])
    elif note.not_judged:
        yield Text("not judged: {reason}", reason=note.not_judged.replace("_", " "))
    if note.best is not None:
        yield from _beside_the_best(note, language)
        if note.missed_bingo and note.missed_bingo != note.best.move:
            yield Text("missed bingo {move}", move=note.missed_bingo)


def _beside_the_best(note: TurnNote, language: str) -> Iterator[Text]:
    """Yield what a turn lost to the best move, if it is judged, else the best move alone."""
    assert note.best is not None  # noqa: S101 - the caller has checked
    equity = number(note.best.equity, language)
    best = Text(
        "best {move} ({score}, equity {equity})", move=note.best.move, score=note.best.score, equity=equity
    )
    if not note.played:
        yield best
        return
    if note.rank == 1:
        yield Text("the best move, equity {equity}", equity=equity)
        return
    if note.rank is not None:
        best = Text("{best}, rank {rank}", best=best, rank=note.rank)
    # A loss that rounds to 0.0 says nothing.
    if note.equity_loss and round(note.equity_loss, 1):
        best = Text("{best}, equity {loss}", best=best, loss=number(-note.equity_loss, language))
    yield best
    if note.win_pct_loss is not None and round(note.win_pct_loss, 1):
        yield Text("win% {loss}", loss=number(-note.win_pct_loss, language))
    if note.mistake in _MISTAKES:
        yield Text(_MISTAKES[note.mistake])
    if note.endgame_loss is not None:
        certainty = note.certainty or "estimate"
        yield Text(_ENDGAMES[certainty])
