"""The schemas of answers: each field is present in every answer, and null only where its schema allows it.

orjson writes answers; the schemas document them, and the tests load answers by them. `answer` makes the
schema of an engine's record from the types of its fields and the texts beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from inspect import get_annotations
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args, get_origin, get_type_hints

import marshmallow as ma

from engine.errors import Params as MessageParams

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


def answer(record: type, name: str = "", **members: ma.fields.Field[Any] | None) -> type[ma.Schema]:
    """Return the schema of a record as answers write it.

    `name`: that of the schema in the OpenAPI document, by default the record's. `members`: fields that
    replace those of the record, or follow them; None for a field that answers leave out. A record of another
    module that a field holds must have its schema already.
    """
    own = get_annotations(record)
    # Only the types of these fields are evaluated: others may name what only a type checker imports.
    taken = {name: kind for name, kind in own.items() if name not in members}
    part = type(record.__name__, (), {"__module__": record.__module__, "__annotations__": taken})
    known = {one.__name__: one for one in _ANSWERS}
    hints = get_type_hints(part, localns={**known, "Params": MessageParams}, include_extras=True)
    found = {name: _field_of(hints[name]) if name in hints else members[name] for name in own}
    written = {name: one for name, one in {**found, **members}.items() if one is not None}
    schema = type(f"{name or record.__name__}Schema", (AnswerSchema,), written)
    _ANSWERS.setdefault(record, schema)
    return schema


_ANSWERS: Final[dict[type, type[ma.Schema]]] = {}
"""The schemas of the records that other records hold."""

_PLAIN: Final = {str: string, int: integer, float: number, bool: boolean}


def _field_of(hint: Any) -> Any:
    """Return the field for a type and its text, `Annotated[float | None, "points"]`."""
    if get_origin(hint) is not Annotated:
        raise TypeError(f"a field of an answer has no text: {hint}")
    kind, text = get_args(hint)
    null = NoneType in get_args(kind)
    if null:
        kind = get_args(kind)[0]
    if kind in _PLAIN:
        return _PLAIN[kind](text, null=null)
    if get_origin(kind) in (list, tuple):
        item = get_args(kind)[0]
        return strings(text, null=null) if item is str else list_of(text, _schema_of(item), null=null)
    if get_origin(kind) is Mapping:
        return params(text, null=null)
    return nested(text, _schema_of(kind), null=null)


def _schema_of(record: type) -> type[ma.Schema]:
    return _ANSWERS.get(record) or answer(record)
