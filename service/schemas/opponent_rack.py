"""The answer of /opponent-rack."""

from __future__ import annotations

from engine import OpponentRack
from service.schemas import answer_fields as field
from service.schemas.answer_fields import answer
from service.schemas.answers import PROVENANCE, WARNINGS, NoticeSchema, PositionSchema, ProvenanceSchema

OpponentRackSchema = answer(
    OpponentRack,
    position=field.nested("the position in normal form", PositionSchema),
    provenance=field.nested(PROVENANCE, ProvenanceSchema),
    warnings=field.list_of(WARNINGS, NoticeSchema),
)
