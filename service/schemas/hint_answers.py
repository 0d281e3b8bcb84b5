"""The answer of /hints."""

from __future__ import annotations

from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema
from service.schemas.answers import (
    PROVENANCE,
    WARNINGS,
    LexiconReferenceSchema,
    MoveSchema,
    NoticeSchema,
    ProvenanceSchema,
)


class HintPositionSchema(AnswerSchema):
    """The position that the hint is for."""

    cgp = field.string("as CGP; null unless the move is revealed, because a rack may spell it", null=True)
    id = field.string("SHA-256 of the position in normal form")


class ScoreBandSchema(AnswerSchema):
    """The range in which the score of the play lies."""

    low = field.integer("lowest score")
    high = field.integer("highest score")


class HintLevelSchema(AnswerSchema):
    """The hint of one level; the fields are those of the answer."""

    level = field.integer("level of the hint")
    sentences = field.strings("what the hint reveals, in words, one sentence for each thing")
    region = field.string("from level 2: the region of the board", null=True)
    score_band = field.nested("from level 3: the range of the score", ScoreBandSchema, null=True)
    tiles = field.strings("from level 4: the tiles of the rack that it uses", null=True)
    at = field.string("from level 5: start of the main word", null=True)
    direction = field.string("from level 5: across or down", null=True)


class HintSchema(AnswerSchema):
    """The answer of /hints; fields that only a higher level reveals are null."""

    lang = field.string("language of the sentences")
    sentences = field.strings("what the hint reveals, in words, one sentence for each thing")
    level = field.integer("level of the hint")
    reveal = field.boolean("true if the move is revealed")
    position = field.nested("the position", HintPositionSchema)
    evaluator = field.string("evaluator used")
    kind = field.string(
        "bingo, good_play (30 points or more), play, exchange, pass if that is better than every play, or "
        "none if there is no play. Only a play has a region, a score and a start"
    )
    region = field.string(
        "from level 2: one of nine regions of the board, such as top left or middle centre", null=True
    )
    score_band = field.nested(
        "from level 3: a range of ten points that holds its score", ScoreBandSchema, null=True
    )
    tiles = field.strings(
        "from level 4: the tiles of the rack that it uses, in the order of the tile set, ? a blank", null=True
    )
    at = field.string("from level 5: start of the main word, 8D across, D8 down", null=True)
    direction = field.string("from level 5: across or down", null=True)
    move = field.nested("the move, if it is revealed", MoveSchema, null=True)
    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    warnings = field.list_of(WARNINGS, NoticeSchema)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)
    levels = field.list_of(
        "the hints of all levels, without the move, if the request asks for them; else null",
        HintLevelSchema,
        null=True,
    )
