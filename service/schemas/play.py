"""The request and the answer of /play."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from engine import (
    MAX_LEVEL,
    MAX_SECONDS,
    MAX_SEED,
    OVERTIMES,
    GameEnd,
    NextTurn,
    PlayerReport,
    Text,
    message,
)
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema, answer
from service.schemas.answers import (
    PROVENANCE,
    WARNINGS,
    MoveFaultSchema,
    MoveSchema,
    NoticeSchema,
    PositionSchema,
    ProvenanceSchema,
)
from service.schemas.error_message import ErrorMessage
from service.schemas.fields import Boolean, Choice, Integer, List, Nested, Number, RequestSchema, String
from service.schemas.position import MAX_MOVE, MAX_RACK, PositionRequestSchema

MAX_BAG = 2_000
MAX_MS = 60_000


class TimeSchema(RequestSchema):
    """The times of a turn, in seconds. The caller measures them; the service applies the limits."""

    taken = Number(0, MAX_SECONDS, "what the player on turn has taken for this move", required=True)
    left = List(
        Number(-MAX_SECONDS, MAX_SECONDS),
        4,
        "what each player had left for the game before this turn, the one on turn first: next.time_left of "
        "the answer before; without it the game has no limit",
        min_length=2,
        limits=ErrorMessage("out_of_range", message("must have {min} to {max} times")),
    )
    per_move = Number(
        0.001, MAX_SECONDS, "limit of a move: a player who has taken more passes, whatever the request says"
    )
    overtime = Choice(
        OVERTIMES,
        "what it costs to have less than 0 seconds left: points (10 for each minute that has begun, taken "
        "off at the end) or loss (of the game, at once)",
        load_default=OVERTIMES[0],
    )


class PlayRequestSchema(PositionRequestSchema):
    """The body of POST /play: a position, and the move to make or the level of a computer player.

    The service stores no games: the caller holds position, bag, passes and times, and takes a move back by
    going on from an earlier state. With `bag` the service draws new tiles from it, as seed, position and move
    determine. Without it the caller draws, and sends the new racks in the next request.
    """

    move = String(MAX_MOVE, "the move: 8D RE.sINA, -ABC an exchange, - a pass", min_length=1)
    level = Integer(
        1,
        MAX_LEVEL,
        "instead of a move: the level of a computer player, which sees the board, its own rack and the "
        "number of tiles of the others. Level 10, the best, searches for about a second (503 if the server "
        "already runs as many searches as it allows)",
    )
    seed = Integer(
        0, MAX_SEED, "seed of the tiles drawn and of the errors that a level makes", load_default=0
    )
    max_ms = Integer(
        1,
        MAX_MS,
        "milliseconds after which the search of level 10 stops. Without it the work is limited, and the same "
        "request gets the same answer unless the server's time limit (default 10 s) cuts the search",
    )
    bag = String(MAX_BAG, "the tiles in the bag, in any order; without it the caller draws")
    drawn = String(
        MAX_RACK,
        "the tiles drawn from `bag`, if they are known already, as in a game that is replayed; default: as "
        "the seed determines",
    )
    passes = Integer(
        0, 99, "passes in a row before this turn: next.passes of the answer before", load_default=0
    )
    time = Nested(TimeSchema, "the times of a game with a clock")
    allow_phonies = Boolean(
        "true if a play with a word that is not in the lexicon stands until it is challenged (/words/judge); "
        "otherwise it is refused",
        load_default=False,
    )

    @ma.validates_schema
    def _check_move(self, data: dict[str, Any], **_: Any) -> None:
        if ("move" in data) == ("level" in data):
            raise ma.ValidationError(ErrorMessage("one_move_needed", Text("give either move or level")))
        if "drawn" in data and "bag" not in data:
            raise ma.ValidationError(
                ErrorMessage("missing_field", Text("drawn needs bag, from which the tiles are taken")), "bag"
            )


answer(PlayerReport, "NextPlayer")
NextTurnSchema = answer(
    NextTurn,
    time_left=field.list_of(
        "seconds that each player has left for the game, in the order of players; null without that limit",
        ma.fields.Float(),
        null=True,
    ),
)
GameEndSchema = answer(GameEnd)


class TurnSchema(AnswerSchema):
    """The answer of /play. For an illegal move `fault` says why, and `next` is null.

    A move that comes too late is not made: the player passes, or loses the game (`time_up`).
    """

    position = field.nested("the position before the move, in normal form", PositionSchema)
    level = field.integer("the level of the request", null=True)
    asked = field.string("the move as the request writes it", null=True)
    legal = field.boolean("true if a legal move was made")
    move = field.nested("the move made", MoveSchema, null=True)
    fault = field.nested("why the move is not legal", MoveFaultSchema, null=True)
    drawn = field.string("tiles drawn from the bag given; null if the caller draws", null=True)
    time_up = field.string(
        "move: the time for the move is over, and the player passes; game: the player loses the game, and "
        "next is null; else null",
        null=True,
    )
    next = field.nested("the state after the move", NextTurnSchema, null=True)
    over = field.nested("how the game ended; null if it has not ended", GameEndSchema, null=True)
    search = field.string(
        "how a level chose: equity, or the search simulate, preendgame or endgame, whose budget and work are "
        "in the provenance",
        null=True,
    )
    warnings = field.list_of(WARNINGS, NoticeSchema)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)
