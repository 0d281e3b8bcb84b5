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
from service.schemas.answer_fields import AnswerSchema, boolean, integer, list_of, nested, number, string
from service.schemas.answers import ProvenanceSchema
from service.schemas.fields import Integer, MultilineString, Nested, RequestSchema, String, one_of
from service.schemas.position import MAX_GCG, MAX_ID
from service.schemas.searches import SimulationOptionsSchema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from engine import AnnotationNote

_TYPES: Final = {
    AnnotationHeading: "game",
    TurnNote: "turn",
    EventNote: "event",
    AnnotationSummary: "summary",
}


class AnnotateRequestSchema(RequestSchema):
    """The body of POST /games/annotate."""

    gcg = MultilineString(
        MAX_GCG,
        min_length=1,
        required=True,
        metadata={"description": "the record of a game, as GCG"},
    )
    lexicon = String(
        MAX_ID,
        min_length=1,
        metadata={"description": "id of a lexicon; otherwise the record's, if it is at hand"},
    )
    evaluator = String(
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
    simulate = Nested(
        SimulationOptionsSchema,
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


class NotedMoveSchema(AnswerSchema):
    """A move, and what it is worth."""

    move = string("8D RE.sINA a play, -ABC an exchange, - a pass")
    kind = string("play, exchange or pass")
    score = integer("points by the rules")
    leave = string("tiles that stay on the rack")
    leave_value = number("value of the leave, in points")
    equity = number("score and the value of what is left, in points")
    win_pct = number("estimated chance to win after it, 0 to 100, ties half", null=True)
    win_pct_error = number("its standard error; null where nothing was simulated", null=True)
    is_bingo = boolean("true if it plays a rackful")


class LineNoteSchema(AnswerSchema):
    """What is wrong with a line of the record."""

    line = integer("line, from 1; 0 is the record as a whole")
    code = string("stable code")
    detail = string("what is wrong, for people")
    warning = boolean("true if the meaning was clear all the same")


class NotedPlayerSchema(AnswerSchema):
    """A player."""

    nick = string("the name in the events")
    name = string("full name, may be empty")


class GameLineSchema(AnswerSchema):
    """The first line of the answer of /games/annotate."""

    type = string("game")
    players = list_of("players, in the order of the record", ma.fields.Nested(NotedPlayerSchema))
    title = string("title of the game", null=True)
    recorded_lexicon = string("lexicon that the record names", null=True)
    lexicon = string("lexicon by which it is annotated")
    tile_set = string("tile set")
    board = string("board")
    rules = string("rule set")
    evaluator = string("evaluator used")
    simulation = string("method by which turns were simulated; null where none was", null=True)
    event_count = integer("events of the record")
    faults = list_of("what is wrong with lines that are no events", ma.fields.Nested(LineNoteSchema))
    provenance = nested("what the answer was made of", ProvenanceSchema)


class TurnLineSchema(AnswerSchema):
    """A line for a play, an exchange or a pass."""

    type = string("turn")
    number = integer("number of the event, from 1")
    line = integer("line of the record")
    player = integer("player, from 0")
    kind = string("play, exchange or pass")
    rack = string("what is known of the rack")
    rack_known = string("known, inferred (from the move itself), partial or unknown")
    bag_count = integer("tiles in the bag before it")
    scores = list_of("scores before it, by player", ma.fields.Integer())
    score = integer("points as recorded")
    points = integer("points by the rules", null=True)
    total = integer("the player's score after it, a challenge counted")
    challenge = string("taken_back, stood, or null if nobody challenged", null=True)
    challenge_bonus = integer("points for a play that was challenged in vain")
    ends_game = string("went_out, zero_turns or all_passed if the game ends with it", null=True)
    phonies = list_of("its words that are not in the lexicon", ma.fields.String())
    bingo = boolean("true if a rackful was played, and stood")
    played = nested("the move played; a play that was taken back is a pass", NotedMoveSchema, null=True)
    best = nested("the best move by the evaluator", NotedMoveSchema, null=True)
    rank = integer(
        "one more than the number of moves worth more; in a searched endgame known if it is 1", null=True
    )
    evaluator = string("evaluator of this turn; endgame where a search has looked to the end", null=True)
    equity_loss = number("equity of the best move less that of the move played, at least 0", null=True)
    win_pct_before = number("how often a player on turn wins from this spread, 0 to 100", null=True)
    win_pct_after = number("estimated chance to win after the move played", null=True)
    win_pct_error = number("its standard error; null where nothing was simulated", null=True)
    win_pct_loss = number("win% of the best move less that of the one played, at least 0", null=True)
    endgame_loss = number("points of spread lost, with an empty bag", null=True)
    certainty = string("exact if an endgame search has proven it, else estimate", null=True)
    mistake = string("none, small, medium or large", null=True)
    missed_bingo = string("the best bingo, if none was played and it was worth more", null=True)
    not_judged = string("why there is no judgement", null=True)
    recorded = string("the move in the words of the record")
    note = string("the note of the record")
    faults = list_of("what is wrong with its lines", ma.fields.Nested(LineNoteSchema))
    cgp = string("the position before it")


class EventLineSchema(AnswerSchema):
    """A line for an event that is no turn."""

    type = string("event")
    number = integer("number of the event, from 1")
    line = integer("line of the record")
    player = integer("player, from 0; -1 nobody")
    kind = string("end_bonus, end_penalty, time, challenge, phony, pass, play, exchange or unreadable")
    text = string("tiles, or the line itself")
    score = integer("points as recorded")
    total = integer("the player's score after it")
    faults = list_of("what is wrong with it", ma.fields.Nested(LineNoteSchema))


class MistakeCountsSchema(AnswerSchema):
    """Turns by class of mistake."""

    none = integer("no mistake")
    small = integer("small")
    medium = integer("medium")
    large = integer("large")


class PlayerSummarySchema(AnswerSchema):
    """A player's turns summed up."""

    player = integer("player, from 0")
    nick = string("name")
    score = integer("last score")
    turns = integer("plays, exchanges and passes")
    judged = integer("those that were judged")
    accuracy = number("share of the turns with a class that were no mistake, in percent", null=True)
    best_moves = integer("turns of rank 1")
    mistakes = nested("turns by class of mistake", MistakeCountsSchema)
    equity_loss = number("sum, in points")
    average_equity_loss = number("mean over the judged turns, in points", null=True)
    average_win_pct_loss = number("mean over the turns with a win%", null=True)
    bingos = integer("bingos that stood")
    missed_bingos = integer("turns with a missed bingo")
    phonies = integer("plays with a word that is not in the lexicon")
    phonies_taken_back = integer("those that did not stand")
    exchanges = integer("exchanges")
    passes = integer("passes")


class SummaryLineSchema(AnswerSchema):
    """The line before the last."""

    type = string("summary")
    over = boolean("true if the game came to its end")
    complete = boolean("true if every event could be played")
    turns = integer("plays, exchanges and passes")
    judged = integer("those that were judged")
    players = list_of("players", ma.fields.Nested(PlayerSummarySchema))


class EndLineSchema(AnswerSchema):
    """The last line: without it the answer was cut off."""

    type = string("end")
    lines = integer("lines before it")
    complete = boolean("false if an error line stands before it")


LINES: Final = {
    "game": GameLineSchema,
    "turn": TurnLineSchema,
    "event": EventLineSchema,
    "summary": SummaryLineSchema,
    "end": EndLineSchema,
}
"""The shape of each type of line."""
