"""The answers of /games/annotate, and how they are written: as a document, or as lines of NDJSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import marshmallow as ma
import orjson

from engine import (
    AnnotationHeading,
    AnnotationSummary,
    EngineError,
    EventNote,
    LineNote,
    TurnNote,
    WordKnowledge,
    format_cgp,
    format_move,
)
from service.documents import explanation_members, fields_of, provenance_members, verdict_members, win_members
from service.schemas import answer_fields as field
from service.schemas.answer_fields import WIN_PCT_BY, WIN_PCT_LOW, AnswerSchema, answer
from service.schemas.answers import ExplanationSchema, NoticeSchema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine import AnnotationNote, Judged, Notice

_TYPES: Final = {
    AnnotationHeading: "game",
    TurnNote: "turn",
    EventNote: "event",
    AnnotationSummary: "summary",
}


def dump_document(notes: Iterable[AnnotationNote], warnings: Sequence[Notice] = ()) -> bytes:
    """Encode an annotation as one JSON document."""
    heading, *middle, summary = notes
    assert isinstance(heading, AnnotationHeading)  # noqa: S101 - for the type checker
    return orjson.dumps(
        {
            "warnings": warnings,
            "game": _heading_members(heading),
            "turns": [turn_members(note) for note in middle if isinstance(note, TurnNote)],
            "events": [note for note in middle if isinstance(note, EventNote)],
            "summary": summary,
        }
    )


def dump_notes(notes: Iterable[AnnotationNote], warnings: Sequence[Notice] = ()) -> Iterator[bytes]:
    """Encode an annotation line by line; the last line has the type "end" and says whether it is complete.

    The first line, of the type "game", has the warnings. An error of the engine becomes a line of the type
    "error".
    """
    count, complete = 0, True
    try:
        for note in notes:
            count += 1
            if isinstance(note, AnnotationHeading):
                yield _line({"type": "game", "warnings": warnings, **_heading_members(note)})
            else:
                yield _line({"type": _TYPES[type(note)], **_fields(note)})
    except EngineError as error:
        complete = False
        yield dump_refusal(error)
    yield _line({"type": "end", "lines": count, "complete": complete})


def dump_refusal(error: EngineError) -> bytes:
    """Encode the error that ends an annotation as a line of JSON."""
    return _line({"type": "error", "code": error.code, "params": error.params, "detail": str(error)})


def _heading_members(heading: AnnotationHeading) -> dict[str, Any]:
    return {**fields_of(heading), "provenance": provenance_members(heading.provenance)}


def _fields(note: AnnotationNote) -> dict[str, Any]:
    return turn_members(note) if isinstance(note, TurnNote) else fields_of(note)


def turn_members(note: TurnNote) -> dict[str, Any]:
    """Return the members of a turn."""
    position, judged, loss, luck = note.position, note.judged, note.loss, note.luck
    alphabet, tiles, seats = position.tile_set.alphabet, position.tile_set, position.players
    missed = judged.missed_bingo
    return {
        "number": note.number,
        "line": note.line,
        "player": note.player,
        "kind": note.kind,
        "rack": seats[0].held.text(alphabet),
        "rack_known": note.rack_known,
        "bag_count": position.bag_count(),
        "scores": [seats[(place - note.player) % len(seats)].score for place in range(len(seats))],
        "score": note.score,
        "points": note.points,
        "total": note.total,
        "challenge": note.challenge,
        "challenge_bonus": note.challenge_bonus,
        "ends_game": note.ends_game,
        "phonies": note.phonies,
        "bingo": note.bingo,
        "played": _move_members(note.played),
        "best": _move_members(note.best),
        "rank": judged.rank,
        "evaluator": judged.evaluator,
        "equity_loss": None if loss is None else loss.equity,
        "words_loss": None if loss is None else loss.words,
        "choice_loss": None if loss is None else loss.choice,
        **win_members("win_pct_before", note.win_before),
        **win_members("win_pct_after", None if note.played is None else note.played.win),
        "win_pct_error": None if note.played is None or note.played.win is None else note.played.win.error,
        "win_pct_loss": None if loss is None else loss.win_pct,
        "endgame_loss": None if loss is None or position.bag_count() else loss.equity,
        "certainty": None if loss is None else loss.certainty,
        "mistake": note.mistake,
        "missed_bingo": None if missed is None else format_move(missed, tiles),
        "not_judged": note.not_judged,
        "recorded": note.recorded,
        "note": note.note,
        "faults": note.faults,
        "cgp": format_cgp(position),
        "luck": None if luck is None else luck.value,
        "luck_error": None if luck is None else luck.error,
        "explanation": explanation_members(note.explanation),
        "seconds": note.seconds,
    }


def _move_members(one: Judged | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "move": one.text,
        "kind": one.kind,
        "score": one.score,
        "leave": str(one.leave),
        "leave_value": one.leave_value,
        "equity": one.equity,
        **verdict_members(one.win),
        "win_pct_error": None if one.win is None else one.win.error,
        "is_bingo": one.is_bingo,
    }


def _line(value: dict[str, Any]) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)


class NotedMoveSchema(AnswerSchema):
    """A move and its value."""

    move = field.string("8D RE.sINA a play, -ABC an exchange, - a pass")
    kind = field.string("play, exchange or pass")
    score = field.integer("points by the rules")
    leave = field.string("leave: the tiles that remain on the rack")
    leave_value = field.number("value of the leave, in points")
    equity = field.number("score plus the value of the leave, in points")
    win_pct = field.number(
        "chance to win after the move, 0 to 100; a tie counts half. With an empty bag it is proven, 0, 50 or "
        "100, and null if the proof takes too long",
        null=True,
    )
    win_pct_low = field.number(WIN_PCT_LOW, null=True)
    win_pct_high = field.number("the most, in the same way", null=True)
    win_pct_by = field.string(WIN_PCT_BY, null=True)
    win_pct_error = field.number("standard error of win_pct; null unless it comes from a sample", null=True)
    is_bingo = field.boolean("true if it is a bingo: all tiles of a full rack")


LineNoteSchema = answer(LineNote)
answer(WordKnowledge)
AnnotatedGameSchema = answer(AnnotationHeading, "AnnotatedGame")


class AnnotatedTurnSchema(AnswerSchema):
    """A play, an exchange or a pass, and its evaluation."""

    number = field.integer("number of the event, from 1")
    line = field.integer("line of the record")
    player = field.integer("player, from 0")
    kind = field.string("play, exchange or pass")
    rack = field.string("the known tiles of the rack")
    rack_known = field.string("known, inferred (from the move), partial or unknown")
    bag_count = field.integer("number of tiles in the bag before the turn")
    scores = field.list_of("scores before the turn, by player", ma.fields.Integer())
    score = field.integer("points as recorded")
    points = field.integer("points by the rules; null if they cannot be computed", null=True)
    total = field.integer("score of the player after the turn, including a challenge")
    challenge = field.string("taken_back, stood, or null without a challenge", null=True)
    challenge_bonus = field.integer("points for an unsuccessful challenge of the play")
    ends_game = field.string("went_out, zero_turns or all_passed if the turn ends the game", null=True)
    phonies = field.strings("words of the play that are not in the lexicon")
    bingo = field.boolean("true if a bingo was played and not taken back")
    played = field.nested(
        "the move played; a play that was taken back counts as a pass", NotedMoveSchema, null=True
    )
    best = field.nested("the best move by the evaluator", NotedMoveSchema, null=True)
    rank = field.integer(
        "rank of the move played, 1 is best; after an endgame search null unless it is 1", null=True
    )
    evaluator = field.string(
        "evaluator of this turn; endgame if an endgame search ranked the moves", null=True
    )
    equity_loss = field.number(
        "equity of the best move minus that of the move played, at least 0; endgame_loss if an endgame "
        "search ranked the moves",
        null=True,
    )
    words_loss = field.number(
        "part of equity_loss that is due to words that the player is not taken to know; null without "
        "`known_words`",
        null=True,
    )
    choice_loss = field.number(
        "the rest of equity_loss: lost by the choice among moves whose words are all known", null=True
    )
    win_pct_before = field.number(
        "chance of a player on turn to win from this spread, 0 to 100; proven with an empty bag where the "
        "rack is known, and null if the proof takes too long",
        null=True,
    )
    win_pct_before_low = field.number("the least that win_pct_before can be", null=True)
    win_pct_before_high = field.number("the most that win_pct_before can be", null=True)
    win_pct_after = field.number("win_pct of the move played", null=True)
    win_pct_after_low = field.number("win_pct_low of the move played", null=True)
    win_pct_after_high = field.number("win_pct_high of the move played", null=True)
    win_pct_error = field.number(
        "standard error of win_pct_after; null unless it comes from a sample", null=True
    )
    win_pct_loss = field.number(
        "win% of the best move minus that of the move played, at least 0; null unless both are known, with "
        "an empty bag proven",
        null=True,
    )
    endgame_loss = field.number("points of spread lost, if the bag is empty", null=True)
    certainty = field.string(
        "exact if an endgame search proved endgame_loss, bound if it proved a loss of at least so much, "
        "otherwise estimate",
        null=True,
    )
    mistake = field.string(
        "none, small, medium or large; null while an endgame search leaves more than one possible", null=True
    )
    missed_bingo = field.string(
        "the best bingo, if no bingo was played and it is better than the move played", null=True
    )
    not_judged = field.string("why the turn was not evaluated", null=True)
    recorded = field.string("the move as the record writes it")
    note = field.string("the note of the record")
    faults = field.list_of("faults of its lines", LineNoteSchema)
    cgp = field.string("the position before the turn")
    luck = field.number(
        "luck of the draw: equity of the best move with the tiles drawn for this turn, less the mean over "
        "all draws, in points; null unless `explain` is true, the rack is recorded, the player's last leave "
        "is known and tiles were drawn",
        null=True,
    )
    luck_error = field.number("standard error of luck, 0 if all draws were counted", null=True)
    explanation = field.nested(
        "why the best move is better than the one played; null if that is the best, or unless `explain` is "
        "true",
        ExplanationSchema,
        null=True,
    )
    seconds = field.number("seconds that the turn took; null if the record does not say it", null=True)


AnnotatedEventSchema = answer(EventNote, "AnnotatedEvent")
AnnotationSummarySchema = answer(AnnotationSummary)


class AnnotationSchema(AnswerSchema):
    """The annotation of a recorded game."""

    warnings = field.list_of("what differs from what the record assumes", NoticeSchema)
    game = field.nested("the game, and how it was annotated", AnnotatedGameSchema)
    turns = field.list_of("plays, exchanges and passes, in their order", AnnotatedTurnSchema)
    events = field.list_of(
        "the other events of the record, in its order: bonuses, penalties, challenges", AnnotatedEventSchema
    )
    summary = field.nested("summary of the game", AnnotationSummarySchema)


class _TypedLine(AnswerSchema):
    type = field.string("game, turn, event, summary or end")


class _FirstLine(_TypedLine):
    warnings = field.list_of("what differs from what the record assumes", NoticeSchema)


class EndLineSchema(AnswerSchema):
    """The last line of NDJSON; an answer without it was cut off."""

    type = field.string("end")
    lines = field.integer("number of lines before it")
    complete = field.boolean("false after a line of the type error")


LINES: Final = {
    "game": type("GameLineSchema", (AnnotatedGameSchema, _FirstLine), {}),
    "turn": type("TurnLineSchema", (AnnotatedTurnSchema, _TypedLine), {}),
    "event": type("EventLineSchema", (AnnotatedEventSchema, _TypedLine), {}),
    "summary": type("SummaryLineSchema", (AnnotationSummarySchema, _TypedLine), {}),
    "end": EndLineSchema,
}
"""The schema of each type of line of NDJSON."""
