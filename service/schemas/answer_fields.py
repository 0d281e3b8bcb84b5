"""The fields of answers: each is present in every answer, and null only where its schema allows it.

The views write answers with orjson; these schemas document them, and the tests load answers by them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import marshmallow as ma

if TYPE_CHECKING:
    from collections.abc import Callable


WIN_PCT_LOW: Final = (
    "the least that win_pct can be: a proven bound, or the end of the 95 % interval of a sample; equal to "
    "win_pct if that is proven, or comes from the win% table"
)
WIN_PCT_BY: Final = "what found win_pct or its range: table (the win% table), simulate, preendgame or endgame"


class AnswerSchema(ma.Schema):
    """An object of an answer: it has exactly these fields."""

    class Meta:
        """Reject undocumented fields when the tests load an answer."""

        unknown = ma.RAISE


class Params(ma.fields.Dict):
    """The values in a message: strings, numbers, booleans, or lists of strings or numbers."""


class AnyOf(ma.fields.Field[Any]):
    """A value of one of several types, each a field; a nested schema must be an instance."""

    def __init__(self, *choices: ma.fields.Field[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = choices

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        for choice in self.choices:
            try:
                return choice.deserialize(value, attr, data, **kwargs)
            except ma.ValidationError as error:
                failed = error
        raise failed


def list_of(description: str, item: ma.fields.Field[Any] | type[ma.Schema], *, null: bool = False) -> Any:
    """Return a field for a list of values of the field `item`, or of objects with the schema `item`."""
    inner = item if isinstance(item, ma.fields.Field) else ma.fields.Nested(item)
    metadata = {"description": description}
    return ma.fields.List(inner, required=True, allow_none=null, metadata=metadata)


def strings(description: str, *, null: bool = False) -> Any:
    """Return a field for a list of strings."""
    return list_of(description, ma.fields.String(), null=null)


def _field(make: Callable[..., ma.fields.Field[Any]]) -> Callable[..., Any]:
    def build(description: str, *args: Any, null: bool = False, required: bool = True, **kwargs: Any) -> Any:
        metadata = {"description": description}
        return make(*args, required=required, allow_none=null, metadata=metadata, **kwargs)

    return build


string = _field(ma.fields.String)
integer = _field(partial(ma.fields.Integer, strict=True))
number = _field(ma.fields.Float)
boolean = _field(ma.fields.Boolean)
nested = _field(ma.fields.Nested)
params = _field(Params)
any_of = _field(AnyOf)
