"""The request and the answer of /play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import marshmallow as ma
import orjson

from engine import MOST_LEVELS
from service.schemas.analyze import LONGEST_MOVE
from service.schemas.answers import MoveFaultSchema, MoveSchema, PositionSchema, ProvenanceSchema
from service.schemas.fields import Integer, Text
from service.schemas.position import PositionFields
from service.schemas.shapes import Shape, flag, items, part, text, whole

if TYPE_CHECKING:
    from engine import PlayedTurn

LONGEST_BAG = 2_000
LONGEST_MS = 60_000
GREATEST_SEED = 2**53 - 1  # every number up to it is the same in every JSON reader


class PlayBody(PositionFields):
    """The body of POST /play: a position, and the move to make or the level of the player who makes one.

    The service remembers nothing. Give `bag`, the tiles left in it, and tiles are drawn from it as seed,
    position and move determine; without it draw them yourself and give the racks next time.
    """

    move = Text(
        LONGEST_MOVE,
        shortest=1,
        metadata={"description": "the move made: 8D RE.sINA, -ABC an exchange, - a pass"},
    )
    level = Integer(
        1,
        MOST_LEVELS,
        metadata={
            "description": "instead of a move, how strong a player makes one; it sees the board, its own "
            "rack and how many tiles the others hold. 10 is the best there is: it looks ahead, up to about a "
            "second (heavy work, 503 when as much as the server takes is under way)"
        },
    )
    seed = Integer(
        0,
        GREATEST_SEED,
        load_default=0,
        metadata={"description": "of the tiles drawn and of the errors that a level makes"},
    )
    max_ms = Integer(
        1,
        LONGEST_MS,
        metadata={
            "description": "milliseconds after which level 10 has thought enough; without it only its work "
            "is bounded, and the same request has the same answer"
        },
    )
    bag = Text(
        LONGEST_BAG,
        metadata={"description": "the tiles in the bag, in any order; without it the caller draws"},
    )
    passes = Integer(
        0,
        99,
        load_default=0,
        metadata={"description": "passes in a row before this turn: next.passes of the answer before"},
    )

    def _check_way(self, data: dict[str, Any]) -> None:
        super()._check_way(data)
        if ("move" in data) == ("level" in data):
            raise ma.ValidationError("one_move_needed: give either move or level")


def dump_turn(turn: PlayedTurn) -> bytes:
    """Encode a turn as JSON, its fields in their fixed order."""
    return orjson.dumps(turn)


class NextPlayerSchema(Shape):
    """What is known of a player."""

    score = whole("points so far")
    rack = text("whole rack, if it is known", null=True)
    known_tiles = text("tiles kept by a player who is yet to draw", null=True)
    tile_count = whole("number of tiles held, if it is known", null=True)
    last_move = text("the last move; of an exchange only how many tiles", null=True)


class NextTurnSchema(Shape):
    """The state after the move. The next request needs `cgp`, `passes` and, if it was given, `bag`."""

    cgp = text("the position as CGP, the next player first")
    id = text("SHA-256 of the position in normal form")
    players = items("players, the next one first, who has moved last", ma.fields.Nested(NextPlayerSchema))
    zero_turns = whole("turns without points in a row")
    passes = whole("passes in a row")
    bag = text("tiles left in the bag; null if it was not given", null=True)
    bag_count = whole("number of tiles left in the bag")
    to_draw = whole("tiles that the caller has to draw for the player who moved; 0 if they were drawn")


class SettledPlayerSchema(Shape):
    """A player at the end."""

    score = whole("points before the tiles left were counted")
    left = text("tiles left on the rack")
    adjustment = whole("points that the tiles left on all racks add")
    final = whole("points at the end")
    won = flag("true if nobody has more")


class GameEndSchema(Shape):
    """How the game ended."""

    reason = text("went_out, zero_turns or all_passed")
    players = items("players in the order of next.players", ma.fields.Nested(SettledPlayerSchema))


class TurnSchema(Shape):
    """The answer of /play. An illegal move is told by `fault`, and changes nothing."""

    position = part("the position before the move, in normal form", PositionSchema)
    level = whole("the level asked for", null=True)
    asked = text("the move as the request writes it", null=True)
    legal = flag("true if the move was made")
    move = part("the move made", MoveSchema, null=True)
    fault = part("why the move is not legal", MoveFaultSchema, null=True)
    drawn = text("tiles drawn from the bag given; null if the caller draws", null=True)
    next = part("the state after the move", NextTurnSchema, null=True)
    over = part("how the game ended; null while it goes on", GameEndSchema, null=True)
    search = text(
        "how a level chose: equity, or by looking ahead simulate, preendgame or endgame, whose budget and "
        "work stand in the provenance",
        null=True,
    )
    provenance = part("what the answer was made of", ProvenanceSchema)
