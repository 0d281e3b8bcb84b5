"""The record of an annotated game: the annotation of each turn is added to the note of its event."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.messages import DEFAULT_LANGUAGE, Text, joined, message, number, rendered
from engine.position import format_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.analysis.annotate.notes import Annotation, TurnNote
    from engine.analysis.judged import Judged
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

    The last turn of a player with a class of mistake has their Mistake Index. `language`: that of the
    sentences; the explanations have the one of the annotation's options.
    """
    last = {note.player: note.number for note in annotation.turns if note.mistake is not None}
    indexes = {
        last[player.player]: _index_sentence(player.mistake_index, language)
        for player in annotation.summary.players
        if player.mistake_index is not None
    }
    added = {
        note.number: (
            turn_sentence(note, language),
            indexes.get(note.number, ""),
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


def _index_sentence(index: float, language: str) -> str:
    return NOTE_PREFIX + rendered(Text("Mistake Index {index}", index=number(index, language)), language)


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
        yield from _beside_the_best(note, note.best, language)
        missed = note.judged.missed_bingo
        if missed is not None and missed != note.best.move:
            yield Text("missed bingo {move}", move=format_move(missed, note.position.tile_set))


def _beside_the_best(note: TurnNote, first: Judged, language: str) -> Iterator[Text]:
    """Yield what a turn lost to the best move, if it is judged, else the best move alone."""
    equity, rank, loss = number(first.equity or 0.0, language), note.judged.rank, note.loss
    best = Text("best {move} ({score}, equity {equity})", move=first.text, score=first.score, equity=equity)
    if loss is None:
        yield best
        return
    if rank == 1:
        yield Text("the best move, equity {equity}", equity=equity)
        return
    if rank is not None:
        best = Text("{best}, rank {rank}", best=best, rank=rank)
    # A loss that rounds to 0.0 says nothing.
    if round(loss.equity, 1):
        best = Text("{best}, equity {loss}", best=best, loss=number(-loss.equity, language))
    yield best
    if loss.win_pct is not None and round(loss.win_pct, 1):
        yield Text("win% {loss}", loss=number(-loss.win_pct, language))
    if loss.mistake in _MISTAKES:
        yield Text(_MISTAKES[loss.mistake])
    if note.judged.blew_endgame:
        yield Text("endgame blown")
    if not note.position.bag_count():
        yield Text(_ENDGAMES[loss.certainty])
