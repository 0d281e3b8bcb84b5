"""The request and the answer of /hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import marshmallow as ma
import orjson

from engine import EVALUATORS, MOST_HINTS
from service.schemas.answers import LexiconReferenceSchema, MoveSchema, ProvenanceSchema
from service.schemas.fields import Boolean, Integer, Text, one_of
from service.schemas.position import PositionFields
from service.schemas.shapes import Shape, flag, items, part, text, whole

if TYPE_CHECKING:
    from engine import Hint


class HintBody(PositionFields):
    """The body of POST /hints."""

    level = Integer(
        1,
        MOST_HINTS,
        load_default=1,
        metadata={
            "description": "how much to tell: 1 what kind of play there is, 2 and the region, 3 and a band "
            "of scores, 4 and the tiles, 5 and where it begins"
        },
    )
    reveal = Boolean(load_default=False, metadata={"description": "tell the play itself"})
    evaluator = Text(
        16,
        validate=[one_of(*EVALUATORS)],
        load_default="auto",
        metadata={"description": "what decides which play is best, as in /analyze"},
    )


def dump_hint(hint: Hint) -> bytes:
    """Encode a hint as JSON, its fields in their fixed order."""
    return orjson.dumps(hint)


class HintPositionSchema(Shape):
    """The position that the hint is for."""

    cgp = text("as CGP; null unless the play is revealed, as a rack may happen to spell it", null=True)
    id = text("SHA-256 of the position in normal form")


class ScoreBandSchema(Shape):
    """The scores between which the play's lies."""

    low = whole("least points")
    high = whole("most points")


class HintSchema(Shape):
    """The answer of /hints; what a higher level tells is null."""

    level = whole("level of the hint")
    reveal = flag("true if the play is told")
    position = part("the position", HintPositionSchema)
    evaluator = text("evaluator used")
    kind = text("bingo, good_play (30 points or more), play, or none if there is no play")
    region = text("from level 2: a ninth of the board, such as top left or middle centre", null=True)
    score_band = part("from level 3: the ten points among which its score is", ScoreBandSchema, null=True)
    tiles = items(
        "from level 4: tiles of the rack it takes, in the order of the tile set, ? a blank",
        ma.fields.String(),
        null=True,
    )
    at = text("from level 5: where the main word begins, 8D across, D8 down", null=True)
    direction = text("from level 5: across or down", null=True)
    move = part("the play, if it is revealed", MoveSchema, null=True)
    lexicon = part("the lexicon", LexiconReferenceSchema)
    provenance = part("what the answer was made of", ProvenanceSchema)
