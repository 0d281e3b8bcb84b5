"""The part of a request that gives a position, in exactly one of four ways."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from engine import CHALLENGE_RULES
from service.schemas.error_message import ErrorMessage
from service.schemas.fields import (
    Boolean,
    Integer,
    List,
    MultilineString,
    Nested,
    RequestSchema,
    String,
    StringOr,
    one_of,
)

WAYS = ("cgp", "rows", "tiles", "gcg")

MAX_CGP = 8_192
MAX_QUERY_CGP = 8_000
"""What arrives in a query: a line of a request's head has at most 8,190 bytes."""

MAX_GCG = 60_000
"""Characters of a record: with its line breaks escaped it fits a body of 64 KiB. A game has about 2,000."""

MAX_TURN = 301
"""One more than the most events of a record: the end of the game."""

MAX_ID = 64
MAX_MOVE = 100
MAX_RACK = 64

EXAMPLE_CGP = "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/ 0/22 0"
"""The example in the documentation of the queries; the tests run it."""


class BoardTileSchema(RequestSchema):
    """A tile on a square: `{"at": "8D", "letter": "Q", "blank": false}`."""

    at = String(3, min_length=2, required=True, metadata={"description": "square, such as 8D"})
    letter = String(
        8,
        min_length=1,
        required=True,
        metadata={"description": "letter of the tile set; CH or [CH] for two characters"},
    )
    blank = Boolean(load_default=False, metadata={"description": "true if a blank stands for the letter"})


class PlayerSchema(RequestSchema):
    """What is known of a player; the first of `players` is on turn. `next.players` of /play fits as it is."""

    score = Integer(-99_999, 99_999, load_default=0, metadata={"description": "points so far"})
    rack = String(MAX_RACK, allow_none=True, metadata={"description": "whole rack, if it is known"})
    known_tiles = String(
        MAX_RACK, allow_none=True, metadata={"description": "tiles of the rack that are known"}
    )
    tile_count = Integer(0, 7, allow_none=True, metadata={"description": "number of tiles on the rack"})
    last_move = String(MAX_MOVE, allow_none=True, metadata={"description": "the player's last move"})

    @ma.post_load
    def _drop_unknown(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the player without what is null, as `next.players` of /play has it."""
        return {name: value for name, value in data.items() if value is not None}


class BoardGridSchema(RequestSchema):
    """A custom board: its premium squares, row by row, and the squares of which a first play covers one."""

    rows = List(
        String(26, min_length=1),
        26,
        of="rows",
        min_length=10,
        required=True,
        metadata={"description": "T D Q triple, double, quadruple word; t d q letter; . plain; * a start"},
    )
    starts = List(
        String(3, min_length=2),
        64,
        load_default=list,
        metadata={"description": "start squares such as 8H; without any (and without *) the centre"},
    )


class LetterSchema(RequestSchema):
    """A letter of a custom tile set; `?` is the blank."""

    letter = String(3, min_length=1, required=True, metadata={"description": "upper case; ? is the blank"})
    count = Integer(0, 63, required=True, metadata={"description": "tiles of it in the set"})
    value = Integer(0, 99, load_default=0, metadata={"description": "points of one tile"})
    is_vowel = Boolean(metadata={"description": "default: A E I O U and their accents"})


class RulesSchema(RequestSchema):
    """Rules that differ from those of `id`, or from those that go with the tile set."""

    id = String(MAX_ID, metadata={"description": "rule set to start from"})
    bingo_bonus = Integer(0, 1000, metadata={"description": "points for a bingo"})
    bingo_tiles = Integer(1, 7, metadata={"description": "tiles played at once that make a bingo"})
    rack_size = Integer(1, 7, metadata={"description": "tiles of a full rack"})
    exchange_limit = Integer(1, 400, metadata={"description": "least tiles in the bag for an exchange"})
    zero_turn_limit = Integer(1, 99, metadata={"description": "turns without points that end the game"})
    passes_each = Integer(0, 99, metadata={"description": "passes of everyone in a row that end it; 0: none"})
    zero_turns_need_points = Boolean(
        metadata={"description": "true if turns without points count only once somebody has scored"}
    )
    ending = String(
        10,
        validate=[one_of("double", "single")],
        metadata={"description": "points for going out: double or single value of the other racks"},
    )
    challenge_rule = String(
        10,
        validate=[one_of(*CHALLENGE_RULES)],
        metadata={"description": "what a challenge costs"},
    )


class PositionRequestSchema(RequestSchema):
    """A position; the fields beside `cgp` or `gcg` win over what these say."""

    cgp = String(MAX_CGP, min_length=1, metadata={"description": "the position as a CGP string"})
    rows = List(
        String(200),
        26,
        of="rows",
        min_length=10,
        metadata={"description": "the board, a string per row: . empty, lower case a blank, [CH] one tile"},
    )
    tiles = List(
        Nested(BoardTileSchema), 400, metadata={"description": "the board as its tiles, in any order"}
    )
    gcg = MultilineString(
        MAX_GCG,
        min_length=1,
        metadata={"description": "the record of a game, as GCG: the position before its event `turn`"},
    )
    turn = Integer(
        1,
        MAX_TURN,
        metadata={
            "description": "which event of `gcg`, from 1; one more than there are is the end. Faults of the "
            "record before it are errors, later ones do not matter"
        },
    )
    rack = String(MAX_RACK, metadata={"description": "rack of the player on turn; ? is a blank"})
    players = List(
        Nested(PlayerSchema), 4, min_length=2, metadata={"description": "players, the one on turn first"}
    )
    zero_turns = Integer(0, 99, metadata={"description": "consecutive turns without points before this one"})
    lexicon = String(MAX_ID, min_length=1, metadata={"description": "id of a lexicon; see /lexicons"})
    board = StringOr(
        String(MAX_ID),
        Nested(BoardGridSchema()),
        metadata={"description": "id of a board (see /boards), or a custom grid"},
    )
    tile_set = StringOr(
        String(MAX_ID),
        List(Nested(LetterSchema()), 64, min_length=1),
        metadata={"description": "id of a tile set (see /tile-sets), or its letters; default: the lexicon's"},
    )
    rules = StringOr(
        String(MAX_ID),
        Nested(RulesSchema()),
        metadata={"description": "id of a rule set, or custom rules"},
    )

    @ma.validates_schema
    def _check_ways(self, data: dict[str, Any], **_: Any) -> None:
        self.check_position(data)

    def check_position(self, data: dict[str, Any]) -> None:
        """Raise ValidationError unless the position is given in exactly one way."""
        given = [way for way in WAYS if way in data]
        if len(given) != 1:
            raise ma.ValidationError(
                ErrorMessage(
                    "one_position_needed",
                    "give exactly one of cgp, rows, tiles, gcg with turn; given: "
                    + (" and ".join(given) or "none"),
                    given=given,
                )
            )
        if "gcg" in data and "turn" not in data:
            raise ma.ValidationError(
                ErrorMessage("missing_field", "gcg needs the number of an event"), "turn"
            )
        if "turn" in data and "gcg" not in data:
            raise ma.ValidationError(ErrorMessage("needs_a_record", "turn goes with gcg"), "turn")


class PositionQuerySchema(RequestSchema):
    """A position in a query, as CGP; the fields beside it win over what the CGP says."""

    cgp = String(
        MAX_QUERY_CGP,
        min_length=1,
        required=True,
        metadata={"description": "the position as a CGP string", "example": EXAMPLE_CGP},
    )
    rack = String(MAX_RACK, metadata={"description": "rack of the player on turn, instead of the CGP's"})
    zero_turns = Integer(
        0, 99, metadata={"description": "consecutive turns without points, instead of the CGP's"}
    )
    lexicon = String(MAX_ID, min_length=1, metadata={"description": "id of a lexicon, instead of the CGP's"})
    board = String(MAX_ID, metadata={"description": "id of a board, instead of the CGP's"})
    tile_set = String(MAX_ID, metadata={"description": "id of a tile set, instead of the CGP's"})
    rules = String(MAX_ID, metadata={"description": "id of a rule set"})
