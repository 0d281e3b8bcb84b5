"""The request and the answer of /play."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from engine import MAX_LEVEL
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema
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
from service.schemas.fields import Integer, String
from service.schemas.position import MAX_MOVE, PositionRequestSchema

MAX_BAG = 2_000
MAX_MS = 60_000
MAX_SEED = 2**53 - 1  # the greatest integer that every JSON reader reads exactly


class PlayRequestSchema(PositionRequestSchema):
    """The body of POST /play: a position, and the move to make or the level of a computer player.

    The service stores no games. With `bag` the service draws new tiles from it, as seed, position and move
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
        "milliseconds after which the search of level 10 stops. Without it only the amount of work is "
        "limited, and the same request gets the same answer",
    )
    bag = String(MAX_BAG, "the tiles in the bag, in any order; without it the caller draws")
    passes = Integer(
        0, 99, "passes in a row before this turn: next.passes of the answer before", load_default=0
    )

    @ma.validates_schema
    def _check_move(self, data: dict[str, Any], **_: Any) -> None:
        if ("move" in data) == ("level" in data):
            raise ma.ValidationError(ErrorMessage("one_move_needed", "give either move or level"))


class NextPlayerSchema(AnswerSchema):
    """What is known about a player."""

    score = field.integer("points so far")
    rack = field.string("the complete rack, if it is known", null=True)
    known_tiles = field.string("tiles left on the rack of a player who has not drawn yet", null=True)
    tile_count = field.integer("number of tiles on the rack, if it is known", null=True)
    last_move = field.string("the last move; for an exchange only the number of tiles", null=True)


class NextTurnSchema(AnswerSchema):
    """The state after the move. The next request needs `cgp`, `passes` and, if it was given, `bag`."""

    cgp = field.string("the position as CGP, the next player first")
    id = field.string("SHA-256 of the position in normal form")
    players = field.list_of("players, the next one first, the one who has just moved last", NextPlayerSchema)
    zero_turns = field.integer("turns without points in a row")
    passes = field.integer("passes in a row")
    bag = field.string("tiles left in the bag; null if it was not given", null=True)
    bag_count = field.integer("number of tiles left in the bag")
    to_draw = field.integer(
        "number of tiles that the caller must draw for the player who moved; 0 if the service drew them"
    )


class SettledPlayerSchema(AnswerSchema):
    """A player at the end."""

    score = field.integer("points before the remaining tiles are counted")
    left = field.string("tiles left on the rack")
    adjustment = field.integer("points added or subtracted for the tiles left on all racks")
    final = field.integer("points at the end")
    won = field.boolean("true if no other player has more points")


class GameEndSchema(AnswerSchema):
    """How the game ended."""

    reason = field.string("went_out, zero_turns or all_passed")
    players = field.list_of("players in the order of next.players", SettledPlayerSchema)


class TurnSchema(AnswerSchema):
    """The answer of /play. For an illegal move `fault` says why, and `next` is null."""

    position = field.nested("the position before the move, in normal form", PositionSchema)
    level = field.integer("the level of the request", null=True)
    asked = field.string("the move as the request writes it", null=True)
    legal = field.boolean("true if the move is legal")
    move = field.nested("the move", MoveSchema, null=True)
    fault = field.nested("why the move is not legal", MoveFaultSchema, null=True)
    drawn = field.string("tiles drawn from the bag given; null if the caller draws", null=True)
    next = field.nested("the state after the move", NextTurnSchema, null=True)
    over = field.nested("how the game ended; null if it has not ended", GameEndSchema, null=True)
    search = field.string(
        "how a level chose: equity, or the search simulate, preendgame or endgame, whose budget and work are "
        "in the provenance",
        null=True,
    )
    warnings = field.list_of(WARNINGS, NoticeSchema)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)
