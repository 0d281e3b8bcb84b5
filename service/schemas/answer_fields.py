"""The fields of answers: each is always there, described, and null only where that is said."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import marshmallow as ma

if TYPE_CHECKING:
    from collections.abc import Callable


class AnswerSchema(ma.Schema):
    """Name every field of an object; there are no others."""

    class Meta:
        """A test loads answers: a field that is not documented is a mistake."""

        unknown = ma.RAISE


class Params(ma.fields.Dict):
    """The values that a message names: strings, numbers, booleans, or lists of strings or numbers."""


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
list_of = _field(ma.fields.List)
params = _field(Params)
any_of = _field(AnyOf)
