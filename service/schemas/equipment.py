"""The request and the answer of /equipment/check."""

from __future__ import annotations

from typing import Any, Final

import marshmallow as ma

from engine import Text, TextFault
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema, answer
from service.schemas.answers import BoardSchema, TileSetSchema
from service.schemas.error_message import ErrorMessage
from service.schemas.fields import MultilineString, RequestSchema

MAX_TEXT: Final = 8_192
"""Characters of a text; a board of 26 x 26 squares, all of them start squares, takes 3,500."""

MAX_FAULTS: Final = 200


class EquipmentRequestSchema(RequestSchema):
    """The body of POST /equipment/check: the files of `kibitz play --board` and `--tiles`, as texts."""

    board = MultilineString(
        MAX_TEXT,
        "the text of a board: a line of marks for each row, and if start squares are premium squares a last "
        "line such as starts 8H",
    )
    tile_set = MultilineString(
        MAX_TEXT, "the text of a tile set: the heading letter,count,value,is_vowel and a line for each tile"
    )

    @ma.validates_schema
    def _check_texts(self, data: dict[str, Any], **_: Any) -> None:
        if not data:
            raise ma.ValidationError(
                ErrorMessage("missing_field", Text("give board, tile_set or both")), "board"
            )


class EquipmentSchema(AnswerSchema):
    """What the texts of a board and a tile set hold."""

    board = field.nested("the board; null without its text, or if that has faults", BoardSchema, null=True)
    tile_set = field.nested(
        "the tile set; null without its text, or if that has faults", TileSetSchema, null=True
    )
    faults = field.list_of(f"the first {MAX_FAULTS} faults of each text", answer(TextFault))
