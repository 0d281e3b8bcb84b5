"""The part of a request that gives a position, in exactly one of four ways."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from engine import CHALLENGE_RULES
from service.schemas.fields import Boolean, Either, Integer, Items, Lines, Part, Strict, Text, one_of

WAYS = ("cgp", "rows", "tiles", "gcg")

LONGEST_CGP = 16_384
LONGEST_GCG = 262_144  # characters of a record; a whole game has about 2,000
MOST_TURNS = 10_000
LONGEST_ID = 64
LONGEST_RACK = 64


class TileAt(Strict):
    """A tile on a square: `{"at": "8D", "letter": "Q", "blank": false}`."""

    at = Text(3, shortest=2, required=True, metadata={"description": "square, such as 8D"})
    letter = Text(
        8,
        shortest=1,
        required=True,
        metadata={"description": "letter of the tile set; CH or [CH] for two characters"},
    )
    blank = Boolean(load_default=False, metadata={"description": "true if a blank stands for the letter"})


class PlayerGiven(Strict):
    """What is known of a player; the first of `players` is on turn, and its tiles stand in `rack`."""

    score = Integer(-99_999, 99_999, load_default=0, metadata={"description": "points so far"})
    rack = Text(LONGEST_RACK, metadata={"description": "whole rack, if it is known"})
    known_tiles = Text(LONGEST_RACK, metadata={"description": "tiles of the rack that are known"})
    tile_count = Integer(0, 7, metadata={"description": "number of tiles held"})
    last_move = Text(100, metadata={"description": "the player's last move"})


class Grid(Strict):
    """A board of one's own: a row of marks per row, and the squares of which a first play covers one."""

    rows = Items(
        Text(26, shortest=1),
        26,
        of="rows",
        shortest=10,
        required=True,
        metadata={"description": "T D Q triple, double, quadruple word; t d q letter; . plain; * a start"},
    )
    starts = Items(
        Text(3, shortest=2),
        64,
        load_default=list,
        metadata={"description": "start squares such as 8H; without any (and without *) the centre"},
    )


class Letter(Strict):
    """A letter of a tile set of one's own; `?` is the blank."""

    letter = Text(3, shortest=1, required=True, metadata={"description": "upper case; ? is the blank"})
    count = Integer(0, 63, required=True, metadata={"description": "tiles of it in the set"})
    value = Integer(0, 99, load_default=0, metadata={"description": "points of one tile"})
    is_vowel = Boolean(metadata={"description": "default: A E I O U and their accents"})


class Rules(Strict):
    """Rules that differ from those of `id`, or from those that go with the tile set."""

    id = Text(LONGEST_ID, metadata={"description": "rule set to start from"})
    bingo_bonus = Integer(0, 1000, metadata={"description": "points for a bingo"})
    bingo_tiles = Integer(1, 7, metadata={"description": "tiles played at once that make a bingo"})
    rack_size = Integer(1, 7, metadata={"description": "tiles of a full rack"})
    exchange_limit = Integer(1, 400, metadata={"description": "least tiles in the bag for an exchange"})
    zero_turn_limit = Integer(1, 99, metadata={"description": "turns without points that end the game"})
    passes_each = Integer(0, 99, metadata={"description": "passes of everyone in a row that end it; 0: none"})
    zero_turns_need_points = Boolean(
        metadata={"description": "true if turns without points count only once somebody has scored"}
    )
    ending = Text(
        10, validate=[one_of("double", "single")], metadata={"description": "what going out is worth"}
    )
    challenge_rule = Text(
        10,
        validate=[one_of(*CHALLENGE_RULES)],
        metadata={"description": "what a challenge costs"},
    )


class PositionFields(Strict):
    """A position; what stands beside `cgp` or `gcg` wins over what they say themselves."""

    cgp = Text(LONGEST_CGP, shortest=1, metadata={"description": "the position as a CGP string"})
    rows = Items(
        Text(200),
        26,
        of="rows",
        shortest=10,
        metadata={"description": "the board, a string per row: . empty, lower case a blank, [CH] one tile"},
    )
    tiles = Items(Part(TileAt), 400, metadata={"description": "the board as its tiles, in any order"})
    gcg = Lines(
        LONGEST_GCG,
        shortest=1,
        metadata={"description": "the record of a game, as GCG: the position before its event `turn`"},
    )
    turn = Integer(
        1,
        MOST_TURNS,
        metadata={
            "description": "which event of `gcg`, from 1; one more than there are is the end. What is wrong "
            "with the record before it is refused, what comes after it does not matter"
        },
    )
    rack = Text(LONGEST_RACK, metadata={"description": "rack of the player on turn; ? is a blank"})
    players = Items(
        Part(PlayerGiven), 4, shortest=2, metadata={"description": "players, the one on turn first"}
    )
    zero_turns = Integer(0, 99, metadata={"description": "consecutive turns without points before this one"})
    lexicon = Text(LONGEST_ID, shortest=1, metadata={"description": "id of a lexicon; see /lexicons"})
    board = Either(
        Text(LONGEST_ID),
        Part(Grid),
        metadata={"description": "id of a board (see /boards), or a grid of one's own"},
    )
    tile_set = Either(
        Text(LONGEST_ID),
        Items(Part(Letter), 64, shortest=1),
        metadata={"description": "id of a tile set (see /tile-sets), or its letters; default: the lexicon's"},
    )
    rules = Either(
        Text(LONGEST_ID), Part(Rules), metadata={"description": "id of a rule set, or rules of one's own"}
    )

    @ma.validates_schema
    def _one_way(self, data: dict[str, Any], **_: Any) -> None:
        self._check_way(data)

    def _check_way(self, data: dict[str, Any]) -> None:
        given = [way for way in WAYS if way in data]
        if len(given) != 1:
            said = " and ".join(given) if given else "none"
            raise ma.ValidationError(
                f"one_position_needed: give exactly one of cgp, rows, tiles, gcg with turn; given: {said}"
            )
        if "gcg" in data and "turn" not in data:
            raise ma.ValidationError("missing_field: gcg needs the number of an event", "turn")
        if "turn" in data and "gcg" not in data:
            raise ma.ValidationError("needs_a_record: turn goes with gcg", "turn")
        for name in ("rack", "known_tiles"):
            if name in (data.get("players") or [{}])[0]:
                message = "unknown_field: the tiles of the player on turn stand in rack"
                raise ma.ValidationError({"players": {0: {name: [message]}}})
