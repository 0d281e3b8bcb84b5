"""Strict fields: each takes exactly one JSON type, and every error has a code and params."""

from __future__ import annotations

import re
from typing import Any, Final

import marshmallow as ma

from service.schemas.error_message import ErrorMessage, UnknownField
from service.state import state

MAX_UNKNOWN: Final = 20
"""The most unknown fields of an object that are named one by one."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_UNKNOWN: Final = "unknown"
_EXPECTED: Final = {
    "boolean": "true or false",
    "integer": "an integer",
    "list": "a list",
    "string": "a string",
}
_BETWEEN: Final = ErrorMessage("out_of_range", "must be from {min} to {max}")
_GIVEN: Final = {"object": "an object", "null": "null"}


def json_type(value: Any) -> str:
    """Return the name of the JSON type of a parsed value."""
    for kind, name in (
        (bool, "boolean"),
        (str, "string"),
        (int | float, "number"),
        (dict, "object"),
        (list, "list"),
    ):
        if isinstance(value, kind):
            return name
    return "null"


def wrong_type(expected: str, given: str) -> ErrorMessage:
    """Return the message for a value of another type; both are names as in `json_type`, or "integer"."""
    text = f"must be {_EXPECTED[expected]}, not {_GIVEN.get(given, f'a {given}')}"
    return ErrorMessage("wrong_type", text, expected=expected, given=given)


class RequestSchema(ma.Schema):
    """Refuse unknown fields, and anything that is no object."""

    class Meta:
        """Unknown fields are errors."""

        unknown = ma.RAISE

    error_messages = {  # noqa: RUF012 - as declared by marshmallow
        "unknown": _UNKNOWN,
        "type": ErrorMessage("wrong_type", "must be an object", expected="object"),
    }

    def handle_error(self, error: ma.ValidationError, data: Any, **kwargs: Any) -> None:
        """Name the known fields in the message of the first unknown one, or of all if there are many.

        marshmallow lists unknown fields in the order of a set, which differs between processes; here they
        have the order of the request.
        """
        messages = error.messages
        if not isinstance(messages, dict):
            return
        known = list(self.load_fields)
        given = data if isinstance(data, dict) else {}
        unknown = [name for name in given if messages.get(name) == [_UNKNOWN]]
        for name in unknown:
            del messages[name]
        if len(unknown) <= MAX_UNKNOWN:
            for name in unknown:
                messages[name] = [UnknownField.named(str(name), known)]
                known = []  # once is enough: a batch repeats the messages for each of its items
            return
        many = ErrorMessage(
            "too_many_unknown_fields",
            f"has {len(unknown)} fields that are not known; known here: {', '.join(known)}",
            count=len(unknown),
            known=known,
        )
        messages[ma.exceptions.SCHEMA] = [*messages.get(ma.exceptions.SCHEMA, []), many]


class _Base(ma.fields.Field[Any]):
    default_error_messages = {  # noqa: RUF012 - as declared by marshmallow
        "required": ErrorMessage("missing_field", "this field is needed"),
        "null": ErrorMessage("wrong_type", "must not be null", given="null"),
    }


class Integer(_Base, ma.fields.Integer):
    """Take a JSON integer from `low` to `high`: no 10.0, no "10", no true.

    `setting` names a setting of the service that may lower the limit.
    """

    def __init__(self, low: int, high: int, *, setting: str | None = None, **kwargs: Any) -> None:
        self.range = ma.validate.Range(low, high, error=_BETWEEN)
        self.setting = setting
        super().__init__(validate=self.range, strict=True, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ma.ValidationError(wrong_type("integer", json_type(value)))
        if self.setting is not None:
            ma.validate.Range(self.range.min, _allowed(self.setting), error=_BETWEEN)(value)
        return value


class Boolean(_Base, ma.fields.Boolean):
    """Take true or false: no 1, no "yes"."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ma.ValidationError(wrong_type("boolean", json_type(value)))
        return value


class String(_Base, ma.fields.String):
    """Take a string of `min_length` to `max_length` characters, none of them a control character.

    The length is checked before anything looks into the string.
    """

    def __init__(self, max_length: int, *, min_length: int = 0, **kwargs: Any) -> None:
        self.length = _length(min_length, max_length, "characters")  # a validator, for the documentation
        super().__init__(validate=[self.length, *kwargs.pop("validate", [])], **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ma.ValidationError(wrong_type("string", json_type(value)))
        self.length(value)
        self.check_characters(value)
        return value

    def check_characters(self, value: str) -> None:
        """Raise ValidationError for a control character."""
        if _CONTROL.search(value):
            raise ma.ValidationError(ErrorMessage("invalid_text", "must not hold control characters"))


class MultilineString(String):
    """Take a text of many lines, which may hold any character."""

    def check_characters(self, value: str) -> None:
        """Accept every character."""


class List(_Base, ma.fields.List[Any]):
    """Take a list of `min_length` to `max_length` items; `of` is what messages call them.

    `setting` names a setting of the service that may lower the limit. The items are counted before the first
    of them is read.
    """

    def __init__(
        self,
        inner: ma.fields.Field[Any],
        max_length: int,
        *,
        min_length: int = 0,
        of: str = "items",
        setting: str | None = None,
        **kwargs: Any,
    ) -> None:
        self.length = _length(min_length, max_length, of)
        self.setting, self.of = setting, of
        super().__init__(inner, validate=self.length, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ma.ValidationError(wrong_type("list", json_type(value)))
        if self.setting is not None:
            _length(self.length.min or 0, _allowed(self.setting), self.of)(value)
        self.length(value)
        return super()._deserialize(value, attr, data, **kwargs)


class Nested(_Base, ma.fields.Nested):
    """Take an object with a schema of its own."""


class StringOr(_Base):
    """Take one of two JSON types: a string by `text`, or the other one by `other`.

    They are not bound to the schema, so that a nested schema in `other` must be an instance.
    """

    def __init__(self, text: String, other: ma.fields.Field[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.text = text
        self.other = other

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        field = self.text if isinstance(value, str) else self.other
        return field.deserialize(value, attr, data, **kwargs)


def one_of(*choices: str) -> ma.validate.OneOf:
    """Accept the given strings only."""
    message = ErrorMessage("unknown_choice", f"must be one of {', '.join(choices)}", choices=list(choices))
    return ma.validate.OneOf(choices, error=message)


def _allowed(setting: str) -> int:
    limit: int = getattr(state().settings, setting)
    return limit


def _length(low: int, high: int, of: str) -> ma.validate.Length:
    message = ErrorMessage("out_of_range", f"must have {{min}} to {{max}} {of}")
    return ma.validate.Length(low, high, error=message)
