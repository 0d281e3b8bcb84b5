"""The part of a request that gives a position, in exactly one of four ways."""

from __future__ import annotations

from typing import Any, Final

import marshmallow as ma

from engine import CHALLENGE_RULES, PENALTIES_PER, Text, both, message
from service.schemas.error_message import ErrorMessage
from service.schemas.fields import (
    Boolean,
    Choice,
    Integer,
    List,
    MultilineString,
    Nested,
    RequestSchema,
    String,
    StringOr,
)

WAYS = ("cgp", "rows", "tiles", "gcg")
"""The fields that give a position."""

MAX_CGP = 8_192
MAX_QUERY_CGP = 8_000
"""Characters of a CGP in a query: the request line has at most 8,190 bytes."""

MAX_GCG = 60_000
"""Characters of a record: with its line breaks escaped it fits a body of 64 KiB. A game has about 2,000."""

MAX_TURN = 301
"""One more than the most events of a record: the end of the game."""

_ROWS: Final = ErrorMessage("out_of_range", message("must have {min} to {max} rows"))

MAX_ID = 64
MAX_MOVE = 100
MAX_RACK = 64

EXAMPLE_CGP = "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/ 0/22 0"
"""The example in the documentation of queries; the tests run it."""


class BoardTileSchema(RequestSchema):
    """A tile on a square: `{"at": "8D", "letter": "Q", "blank": false}`."""

    at = String(3, "square, such as 8D", min_length=2, required=True)
    letter = String(
        8, "letter of the tile set; CH or [CH] for a tile of two characters", min_length=1, required=True
    )
    blank = Boolean("true if a blank stands for the letter", load_default=False)


class PlayerSchema(RequestSchema):
    """What is known of a player; the first of `players` is on turn. `next.players` of /play has this form."""

    score = Integer(-99_999, 99_999, "points so far", load_default=0)
    rack = String(MAX_RACK, "the complete rack, if it is known", allow_none=True)
    known_tiles = String(MAX_RACK, "known tiles of the rack", allow_none=True)
    tile_count = Integer(0, 7, "number of tiles on the rack", allow_none=True)
    last_move = String(MAX_MOVE, "last move of the player", allow_none=True)

    @ma.post_load
    def _drop_null(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the player without the fields that are null."""
        return {name: value for name, value in data.items() if value is not None}


class BoardGridSchema(RequestSchema):
    """A custom board: its premium squares row by row, and the start squares."""

    rows = List(
        String(26, min_length=1),
        26,
        "premium squares: T D Q triple, double, quadruple word; t d q the same for a letter; . none; * a "
        "start square",
        limits=_ROWS,
        min_length=10,
        required=True,
    )
    starts = List(
        String(3, min_length=2),
        64,
        "start squares such as 8H, one of which the first play must cover; without any, those marked * or "
        "the center",
        load_default=list,
    )


class LetterSchema(RequestSchema):
    """A letter of a custom tile set; `?` is the blank."""

    letter = String(3, "upper case; ? is the blank", min_length=1, required=True)
    count = Integer(0, 63, "number of its tiles in the set", required=True)
    value = Integer(0, 99, "points of one tile", load_default=0)
    is_vowel = Boolean("default: true for A E I O U, with or without accents")


class RulesSchema(RequestSchema):
    """Rules that differ from those of `id`, or from the default rules of the tile set."""

    id = String(MAX_ID, "rule set to start from")
    bingo_bonus = Integer(0, 1000, "points for a bingo")
    bingo_tiles = Integer(1, 7, "number of tiles played at once that make a bingo")
    rack_size = Integer(1, 7, "number of tiles of a full rack")
    exchange_limit = Integer(1, 400, "least number of tiles in the bag that allows an exchange")
    zero_turn_limit = Integer(1, 99, "turns without points in a row that end the game")
    passes_each = Integer(0, 99, "passes in a row of every player that end the game; 0: they do not")
    zero_turns_need_points = Boolean("true to count turns without points only after somebody has scored")
    ending = Choice(
        ("double", "single"), "points for going out: the double or single value of the other racks"
    )
    challenge_rule = Choice(CHALLENGE_RULES, "what a challenge costs")
    penalty_per = Choice(PENALTIES_PER, "what the points of 5pt and 10pt count for")


class PositionRequestSchema(RequestSchema):
    """A position. A field beside `cgp` or `gcg` replaces what these say."""

    cgp = String(MAX_CGP, "the position as a CGP string", min_length=1)
    rows = List(
        String(200),
        26,
        "the board, a string per row: . an empty square, lower case a blank, [CH] one tile",
        limits=_ROWS,
        min_length=10,
    )
    tiles = List(Nested(BoardTileSchema), 400, "the tiles on the board, in any order")
    gcg = MultilineString(
        MAX_GCG, "a game record as GCG; the position is the one before its event `turn`", min_length=1
    )
    turn = Integer(
        1,
        MAX_TURN,
        "number of an event of `gcg`, from 1; one more than the last is the end of the game. Faults of the "
        "record before the event are errors, later ones are ignored",
    )
    rack = String(MAX_RACK, "rack of the player on turn; ? is a blank")
    players = List(Nested(PlayerSchema), 4, "players, the one on turn first", min_length=2)
    zero_turns = Integer(0, 99, "turns in a row without points before this one")
    lexicon = String(MAX_ID, "id of a lexicon; see /lexicons", min_length=1)
    board = StringOr(
        String(MAX_ID), Nested(BoardGridSchema()), "id of a board (see /boards), or a custom grid"
    )
    tile_set = StringOr(
        String(MAX_ID),
        List(Nested(LetterSchema()), 64, min_length=1),
        "id of a tile set (see /tile-sets), or its letters; default: the one of the lexicon",
    )
    rules = StringOr(
        String(MAX_ID), Nested(RulesSchema()), "id of a rule set (see /rule-sets), or custom rules"
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
                    Text(
                        "give exactly one of cgp, rows, tiles, gcg with turn; given: {given}",
                        given=both(given) if given else Text("none"),
                    ),
                    given=given,
                )
            )
        if "gcg" in data and "turn" not in data:
            raise ma.ValidationError(
                ErrorMessage("missing_field", Text("gcg needs turn, the number of an event")), "turn"
            )
        if "turn" in data and "gcg" not in data:
            raise ma.ValidationError(ErrorMessage("needs_a_record", Text("turn needs gcg")), "turn")


class PositionQuerySchema(RequestSchema):
    """A position in a query, as CGP. A field beside it replaces what the CGP says."""

    cgp = String(
        MAX_QUERY_CGP, "the position as a CGP string", min_length=1, required=True, example=EXAMPLE_CGP
    )
    rack = String(MAX_RACK, "rack of the player on turn")
    zero_turns = Integer(0, 99, "turns in a row without points before this one")
    lexicon = String(MAX_ID, "id of a lexicon; see /lexicons", min_length=1)
    board = String(MAX_ID, "id of a board; see /boards")
    tile_set = String(MAX_ID, "id of a tile set; see /tile-sets")
    rules = String(MAX_ID, "id of a rule set; see /rule-sets")
