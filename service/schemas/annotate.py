"""The request of /games/annotate, and the lines of its answer."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

import marshmallow as ma
import orjson

from engine import (
    ENDGAME_NODES,
    EVALUATORS,
    AnnotationHeading,
    AnnotationOptions,
    AnnotationSummary,
    EngineError,
    EventNote,
    TurnNote,
    annotation_simulation,
)
from service.schemas.answers import ProvenanceSchema
from service.schemas.fields import Integer, Lines, Part, Strict, Text, one_of
from service.schemas.position import LONGEST_GCG, LONGEST_ID
from service.schemas.searches import SimulateFields
from service.schemas.shapes import Shape
from service.schemas.shapes import flag as _flag
from service.schemas.shapes import items as _items
from service.schemas.shapes import number as _number
from service.schemas.shapes import part as _part
from service.schemas.shapes import text as _text
from service.schemas.shapes import whole as _whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from engine import AnnotationNote

_TYPES: Final = {
    AnnotationHeading: "game",
    TurnNote: "turn",
    EventNote: "event",
    AnnotationSummary: "summary",
}


class AnnotateBody(Strict):
    """The body of POST /games/annotate."""

    gcg = Lines(
        LONGEST_GCG,
        shortest=1,
        required=True,
        metadata={"description": "the record of a game, as GCG"},
    )
    lexicon = Text(
        LONGEST_ID,
        shortest=1,
        metadata={"description": "id of a lexicon; otherwise the record's, if it is at hand"},
    )
    evaluator = Text(
        16,
        validate=[one_of(*EVALUATORS)],
        load_default="auto",
        metadata={"description": "what decides which move is best, as in /analyze"},
    )
    endgame_nodes = Integer(
        0,
        20_000,
        load_default=ENDGAME_NODES,
        metadata={
            "description": "how long each position with an empty bag is searched; 0: the static rule instead"
        },
    )
    simulate = Part(
        SimulateFields,
        metadata={
            "description": "compare the best moves and the one played by simulation while there are tiles in "
            "the bag; 10 candidates and 2,000 iterations a turn unless said otherwise; with many more it is "
            "a job"
        },
    )
    seed = Integer(0, 2**63 - 1, load_default=1, metadata={"description": "of the random numbers"})


def read_annotation_options(data: Mapping[str, Any]) -> AnnotationOptions:
    """Make the engine's options out of a loaded request.

    Raises InvalidInput for a plan of simulation that does not fit its method.
    """
    simulate = data.get("simulate")
    plan = None if simulate is None else annotation_simulation(**simulate)
    # Without a simulation the seed changes nothing, not even the name of the result.
    return AnnotationOptions(data["evaluator"], data["endgame_nodes"], plan, data["seed"] if plan else 1)


def dump_note(note: AnnotationNote) -> bytes:
    """Encode one part of an annotation as a line of JSON, its type first."""
    names = [item.name for item in fields(note)]
    return _line({"type": _TYPES[type(note)], **{name: getattr(note, name) for name in names}})


def dump_notes(notes: Iterable[AnnotationNote]) -> Iterator[bytes]:
    """Encode an annotation line by line; the last line is of the type "end" and says whether it is whole.

    An error of the engine on the way becomes a line of its own, of the type "error".
    """
    count, complete = 0, True
    try:
        for note in notes:
            count += 1
            yield dump_note(note)
    except EngineError as error:
        complete = False
        yield dump_refusal(error)
    yield _line({"type": "end", "lines": count, "complete": complete})


def dump_refusal(error: EngineError) -> bytes:
    """Encode why there is no annotation, or no more of it, as a line of JSON."""
    return _line({"type": "error", "code": error.code, "detail": str(error)})


def _line(value: dict[str, Any]) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)


class NotedMoveSchema(Shape):
    """A move, and what it is worth."""

    move = _text("8D RE.sINA a play, -ABC an exchange, - a pass")
    kind = _text("play, exchange or pass")
    score = _whole("points by the rules")
    leave = _text("tiles that stay on the rack")
    leave_value = _number("value of the leave, in points")
    equity = _number("score and the value of what is left, in points")
    win_pct = _number("estimated chance to win after it, 0 to 100, ties half", null=True)
    win_pct_error = _number("its standard error; null where nothing was simulated", null=True)
    is_bingo = _flag("true if it plays a rackful")


class LineNoteSchema(Shape):
    """What is wrong with a line of the record."""

    line = _whole("line, from 1; 0 is the record as a whole")
    code = _text("stable code")
    detail = _text("what is wrong, for people")
    warning = _flag("true if the meaning was clear all the same")


class NotedPlayerSchema(Shape):
    """A player."""

    nick = _text("the name in the events")
    name = _text("full name, may be empty")


class GameLineSchema(Shape):
    """The first line of the answer of /games/annotate."""

    type = _text("game")
    players = _items("players, in the order of the record", ma.fields.Nested(NotedPlayerSchema))
    title = _text("title of the game", null=True)
    recorded_lexicon = _text("lexicon that the record names", null=True)
    lexicon = _text("lexicon by which it is annotated")
    tile_set = _text("tile set")
    board = _text("board")
    rules = _text("rule set")
    evaluator = _text("evaluator used")
    simulation = _text("method by which turns were simulated; null where none was", null=True)
    event_count = _whole("events of the record")
    faults = _items("what is wrong with lines that are no events", ma.fields.Nested(LineNoteSchema))
    provenance = _part("what the answer was made of", ProvenanceSchema)


class TurnLineSchema(Shape):
    """A line for a play, an exchange or a pass."""

    type = _text("turn")
    number = _whole("number of the event, from 1")
    line = _whole("line of the record")
    player = _whole("player, from 0")
    kind = _text("play, exchange or pass")
    rack = _text("what is known of the rack")
    rack_known = _text("known, inferred (from the move itself), partial or unknown")
    bag_count = _whole("tiles in the bag before it")
    scores = _items("scores before it, by player", ma.fields.Integer())
    score = _whole("points as recorded")
    points = _whole("points by the rules", null=True)
    total = _whole("the player's score after it, a challenge counted")
    challenge = _text("taken_back, stood, or null if nobody challenged", null=True)
    challenge_bonus = _whole("points for a play that was challenged in vain")
    ends_game = _text("went_out, zero_turns or all_passed if the game ends with it", null=True)
    phonies = _items("its words that are not in the lexicon", ma.fields.String())
    bingo = _flag("true if a rackful was played, and stood")
    played = _part("the move played; a play that was taken back is a pass", NotedMoveSchema, null=True)
    best = _part("the best move by the evaluator", NotedMoveSchema, null=True)
    rank = _whole(
        "one more than the number of moves worth more; in a searched endgame known if it is 1", null=True
    )
    evaluator = _text("evaluator of this turn; endgame where a search has looked to the end", null=True)
    equity_loss = _number("equity of the best move less that of the move played, at least 0", null=True)
    win_pct_before = _number("how often a player on turn wins from this spread, 0 to 100", null=True)
    win_pct_after = _number("estimated chance to win after the move played", null=True)
    win_pct_error = _number("its standard error; null where nothing was simulated", null=True)
    win_pct_loss = _number("win% of the best move less that of the one played, at least 0", null=True)
    endgame_loss = _number("points of spread lost, with an empty bag", null=True)
    certainty = _text("exact if an endgame search has proven it, else estimate", null=True)
    mistake = _text("none, small, medium or large", null=True)
    missed_bingo = _text("the best bingo, if none was played and it was worth more", null=True)
    not_judged = _text("why there is no judgement", null=True)
    recorded = _text("the move in the words of the record")
    note = _text("the note of the record")
    faults = _items("what is wrong with its lines", ma.fields.Nested(LineNoteSchema))
    cgp = _text("the position before it")


class EventLineSchema(Shape):
    """A line for an event that is no turn."""

    type = _text("event")
    number = _whole("number of the event, from 1")
    line = _whole("line of the record")
    player = _whole("player, from 0; -1 nobody")
    kind = _text("end_bonus, end_penalty, time, challenge, phony, pass, play, exchange or unreadable")
    text = _text("tiles, or the line itself")
    score = _whole("points as recorded")
    total = _whole("the player's score after it")
    faults = _items("what is wrong with it", ma.fields.Nested(LineNoteSchema))


class MistakeCountsSchema(Shape):
    """Turns by class of mistake."""

    none = _whole("no mistake")
    small = _whole("small")
    medium = _whole("medium")
    large = _whole("large")


class PlayerSummarySchema(Shape):
    """A player's turns summed up."""

    player = _whole("player, from 0")
    nick = _text("name")
    score = _whole("last score")
    turns = _whole("plays, exchanges and passes")
    judged = _whole("those that were judged")
    accuracy = _number("share of the turns with a class that were no mistake, in percent", null=True)
    best_moves = _whole("turns of rank 1")
    mistakes = _part("turns by class of mistake", MistakeCountsSchema)
    equity_loss = _number("sum, in points")
    average_equity_loss = _number("mean over the judged turns, in points", null=True)
    average_win_pct_loss = _number("mean over the turns with a win%", null=True)
    bingos = _whole("bingos that stood")
    missed_bingos = _whole("turns with a missed bingo")
    phonies = _whole("plays with a word that is not in the lexicon")
    phonies_taken_back = _whole("those that did not stand")
    exchanges = _whole("exchanges")
    passes = _whole("passes")


class SummaryLineSchema(Shape):
    """The line before the last."""

    type = _text("summary")
    over = _flag("true if the game came to its end")
    complete = _flag("true if every event could be played")
    turns = _whole("plays, exchanges and passes")
    judged = _whole("those that were judged")
    players = _items("players", ma.fields.Nested(PlayerSummarySchema))


class EndLineSchema(Shape):
    """The last line: without it the answer was cut off."""

    type = _text("end")
    lines = _whole("lines before it")
    complete = _flag("false if an error line stands before it")


LINES: Final = {
    "game": GameLineSchema,
    "turn": TurnLineSchema,
    "event": EventLineSchema,
    "summary": SummaryLineSchema,
    "end": EndLineSchema,
}
"""The shape of each type of line."""
