"""The request and the answer of /play."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from engine import MAX_LEVEL
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema
from service.schemas.answers import (
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
MAX_SEED = 2**53 - 1  # every number up to it is the same in every JSON reader


class PlayRequestSchema(PositionRequestSchema):
    """The body of POST /play: a position, and the move to make or the level of a computer player.

    The service stores no games. With `bag`, the tiles left in it, new tiles are drawn as seed, position and
    move determine; without it the caller draws, and gives the racks in the next request.
    """

    move = String(
        MAX_MOVE,
        min_length=1,
        metadata={"description": "the move made: 8D RE.sINA, -ABC an exchange, - a pass"},
    )
    level = Integer(
        1,
        MAX_LEVEL,
        metadata={
            "description": "instead of a move: the level of a computer player, which sees the board, its own "
            "rack and how many tiles the others hold. Level 10, the best, searches for up to about a second "
            "(503 if the server runs as many searches as it allows)"
        },
    )
    seed = Integer(
        0,
        MAX_SEED,
        load_default=0,
        metadata={"description": "of the tiles drawn and of the errors that a level makes"},
    )
    max_ms = Integer(
        1,
        MAX_MS,
        metadata={
            "description": "milliseconds after which the search of level 10 stops; without it only the work "
            "is bounded, and the same request has the same answer"
        },
    )
    bag = String(
        MAX_BAG,
        metadata={"description": "the tiles in the bag, in any order; without it the caller draws"},
    )
    passes = Integer(
        0,
        99,
        load_default=0,
        metadata={"description": "passes in a row before this turn: next.passes of the answer before"},
    )

    @ma.validates_schema
    def _check_move(self, data: dict[str, Any], **_: Any) -> None:
        if ("move" in data) == ("level" in data):
            raise ma.ValidationError(ErrorMessage("one_move_needed", "give either move or level"))


class NextPlayerSchema(AnswerSchema):
    """What is known of a player."""

    score = field.integer("points so far")
    rack = field.string("whole rack, if it is known", null=True)
    known_tiles = field.string("tiles left on the rack of a player who has yet to draw", null=True)
    tile_count = field.integer("number of tiles held, if it is known", null=True)
    last_move = field.string("the last move; of an exchange only how many tiles", null=True)


class NextTurnSchema(AnswerSchema):
    """The state after the move. The next request needs `cgp`, `passes` and, if it was given, `bag`."""

    cgp = field.string("the position as CGP, the next player first")
    id = field.string("SHA-256 of the position in normal form")
    players = field.list_of(
        "players, the next one first, who has moved last", ma.fields.Nested(NextPlayerSchema)
    )
    zero_turns = field.integer("turns without points in a row")
    passes = field.integer("passes in a row")
    bag = field.string("tiles left in the bag; null if it was not given", null=True)
    bag_count = field.integer("number of tiles left in the bag")
    to_draw = field.integer(
        "tiles that the caller has to draw for the player who moved; 0 if they were drawn"
    )


class SettledPlayerSchema(AnswerSchema):
    """A player at the end."""

    score = field.integer("points before the tiles left were counted")
    left = field.string("tiles left on the rack")
    adjustment = field.integer("points that the tiles left on all racks add")
    final = field.integer("points at the end")
    won = field.boolean("true if nobody has more")


class GameEndSchema(AnswerSchema):
    """How the game ended."""

    reason = field.string("went_out, zero_turns or all_passed")
    players = field.list_of("players in the order of next.players", ma.fields.Nested(SettledPlayerSchema))


class TurnSchema(AnswerSchema):
    """The answer of /play. An illegal move has a `fault`, and changes nothing."""

    position = field.nested("the position before the move, in normal form", PositionSchema)
    level = field.integer("the level asked for", null=True)
    asked = field.string("the move as the request writes it", null=True)
    legal = field.boolean("true if the move was made")
    move = field.nested("the move made", MoveSchema, null=True)
    fault = field.nested("why the move is not legal", MoveFaultSchema, null=True)
    drawn = field.string("tiles drawn from the bag given; null if the caller draws", null=True)
    next = field.nested("the state after the move", NextTurnSchema, null=True)
    over = field.nested("how the game ended; null if it has not ended", GameEndSchema, null=True)
    search = field.string(
        "how a level chose: equity, or by looking ahead simulate, preendgame or endgame, whose budget and "
        "work stand in the provenance",
        null=True,
    )
    warnings = field.list_of(WARNINGS, ma.fields.Nested(NoticeSchema))
    provenance = field.nested("what the answer was made of", ProvenanceSchema)
