"""The fields of requests: strict about types and limits, described for the documentation.

Each field takes exactly one JSON type, and every error has a code and params.
"""

from __future__ import annotations

import re
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

import marshmallow as ma

from engine import Text, message
from service.schemas.error_message import ErrorMessage, UnknownField
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

MAX_UNKNOWN: Final = 20
"""If an object has more unknown fields than this, one message counts them."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_UNKNOWN: Final = "unknown"
_EXPECTED: Final = {
    "boolean": message("true or false"),
    "integer": message("an integer"),
    "list": message("a list"),
    "number": message("a number"),
    "string": message("a string"),
}
_GIVEN: Final = {
    **_EXPECTED,
    "boolean": message("a boolean"),
    "object": message("an object"),
    "null": message("null"),
}
_CHARACTERS: Final = ErrorMessage("out_of_range", message("must have {min} to {max} characters"))
_ITEMS: Final = ErrorMessage("out_of_range", message("must have {min} to {max} items"))
_BETWEEN: Final = ErrorMessage("out_of_range", message("must be from {min} to {max}"))


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
    """Return the message for a value of the type `given` where `expected` is needed; names of `json_type`."""
    text = Text(
        "must be {expected}, not {given}", expected=Text(_EXPECTED[expected]), given=Text(_GIVEN[given])
    )
    return ErrorMessage("wrong_type", text, expected=expected, given=given)


class RequestSchema(ma.Schema):
    """An object of a request: unknown fields are errors."""

    class Meta:
        """Reject unknown fields."""

        unknown = ma.RAISE

    error_messages = {  # noqa: RUF012 - as declared by marshmallow
        "unknown": _UNKNOWN,
        "type": ErrorMessage("wrong_type", Text("must be an object"), expected="object"),
    }

    def handle_error(self, error: ma.ValidationError, data: Any, **kwargs: Any) -> None:
        """Name the known fields in the message about the first unknown one, or in one message about many.

        Unknown fields are listed in the order of the request: marshmallow's order is that of a set, which
        differs between processes.
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
                known = []  # named once: a batch repeats the messages for each of its items
            return
        many = ErrorMessage(
            "too_many_unknown_fields",
            Text("has {count} unknown fields; the known ones are {known}", count=len(unknown), known=known),
        )
        messages[ma.exceptions.SCHEMA] = [*messages.get(ma.exceptions.SCHEMA, []), many]


class _Base(ma.fields.Field[Any]):
    """Pass `description` and `example` on to the documentation."""

    default_error_messages = {  # noqa: RUF012 - as declared by marshmallow
        "required": ErrorMessage("missing_field", Text("this field is required")),
        "null": ErrorMessage("wrong_type", Text("must not be null"), given="null"),
    }

    def __init__(self, *, description: str = "", example: Any = None, **kwargs: Any) -> None:
        shown = {"description": description, "example": example}
        metadata = {name: value for name, value in shown.items() if value}
        super().__init__(metadata=metadata, **kwargs)


class Integer(_Base, ma.fields.Integer):
    """Take a JSON integer from `low` to `high`, not 10.0, "10" or true.

    `setting` names the setting of the service that lowers the limit.
    """

    def __init__(
        self, low: int, high: int, description: str = "", *, setting: str | None = None, **kwargs: Any
    ) -> None:
        self.range = ma.validate.Range(low, high, error=_BETWEEN)
        self.setting = setting
        super().__init__(description=description, validate=self.range, strict=True, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ma.ValidationError(wrong_type("integer", json_type(value)))
        if self.setting is not None:
            ma.validate.Range(self.range.min, _allowed(self.setting), error=_BETWEEN)(value)
        return value


class Number(_Base, ma.fields.Float):
    """Take a JSON number from `low` to `high`, not "1.5" or true."""

    def __init__(self, low: float, high: float, description: str = "", **kwargs: Any) -> None:
        self.range = ma.validate.Range(low, high, error=_BETWEEN)
        super().__init__(description=description, validate=self.range, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ma.ValidationError(wrong_type("number", json_type(value)))
        self.range(value)  # first, because not every integer has a float
        return float(value)


class Time(_Base, ma.fields.AwareDateTime):
    """Take a time from `earliest` to `latest` in ISO 8601, without a zone in UTC; it is loaded in UTC."""

    default_error_messages = {  # noqa: RUF012 - as declared by marshmallow
        "invalid": ErrorMessage("invalid_time", Text("must be a time such as 2026-01-31T12:00:00Z")),
    }

    def __init__(self, earliest: datetime, latest: datetime, description: str = "", **kwargs: Any) -> None:
        self.limits = (earliest, latest)
        super().__init__(description=description, format="iso", default_timezone=UTC, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        if not isinstance(value, str):
            raise ma.ValidationError(wrong_type("string", json_type(value)))
        read = super()._deserialize(value, attr, data, **kwargs)
        earliest, latest = self.limits
        if not earliest <= read <= latest:
            raise ma.ValidationError(_BETWEEN.format(min=earliest.isoformat(), max=latest.isoformat()))
        return read.astimezone(UTC)


class Boolean(_Base, ma.fields.Boolean):
    """Take true or false, not 1 or "yes"."""

    def __init__(self, description: str = "", **kwargs: Any) -> None:
        super().__init__(description=description, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ma.ValidationError(wrong_type("boolean", json_type(value)))
        return value


class String(_Base, ma.fields.String):
    """Take a string of `min_length` to `max_length` characters without control characters.

    The length is checked first.
    """

    def __init__(self, max_length: int, description: str = "", *, min_length: int = 0, **kwargs: Any) -> None:
        self.length = ma.validate.Length(min_length, max_length, error=_CHARACTERS)
        super().__init__(description=description, validate=self.length, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ma.ValidationError(wrong_type("string", json_type(value)))
        self.length(value)
        self.check_characters(value)
        return value

    def check_characters(self, value: str) -> None:
        """Raise ValidationError for a control character."""
        if _CONTROL.search(value):
            raise ma.ValidationError(ErrorMessage("invalid_text", Text("must not hold control characters")))


class MultilineString(String):
    """Take a text of several lines with any characters."""

    def check_characters(self, value: str) -> None:
        """Accept every character."""


class Choice(_Base, ma.fields.String):
    """Take one of the strings `choices`."""

    def __init__(self, choices: Iterable[str], description: str = "", **kwargs: Any) -> None:
        known = list(choices)
        refused = ErrorMessage("unknown_choice", Text("must be one of {choices}", choices=known))
        only = ma.validate.OneOf(known, error=refused)
        super().__init__(description=description, validate=only, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ma.ValidationError(wrong_type("string", json_type(value)))
        return value


class List(_Base, ma.fields.List[Any]):
    """Take a list of `min_length` to `max_length` items; messages call them `of`.

    `setting` names the setting of the service that lowers the limit. The items are counted before the first
    one is read.
    """

    def __init__(
        self,
        inner: ma.fields.Field[Any],
        max_length: int,
        description: str = "",
        *,
        min_length: int = 0,
        limits: ErrorMessage = _ITEMS,
        setting: str | None = None,
        **kwargs: Any,
    ) -> None:
        self.length = ma.validate.Length(min_length, max_length, error=limits)
        self.setting = setting
        super().__init__(cls_or_instance=inner, description=description, validate=self.length, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ma.ValidationError(wrong_type("list", json_type(value)))
        if self.setting is not None:
            ma.validate.Length(self.length.min, _allowed(self.setting), error=self.length.error)(value)
        self.length(value)
        return super()._deserialize(value, attr, data, **kwargs)


class Nested(_Base, ma.fields.Nested):
    """Take an object with a schema of its own."""

    def __init__(self, schema: Any, description: str = "", **kwargs: Any) -> None:
        super().__init__(nested=schema, description=description, **kwargs)


class StringOr(_Base):
    """Take a string by the field `text`, any other value by the field `other`.

    A nested schema in `other` must be an instance: marshmallow does not bind these fields to the schema.
    """

    def __init__(
        self, text: String, other: ma.fields.Field[Any], description: str = "", **kwargs: Any
    ) -> None:
        super().__init__(description=description, **kwargs)
        self.text = text
        self.other = other

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        field = self.text if isinstance(value, str) else self.other
        return field.deserialize(value, attr, data, **kwargs)


def _allowed(setting: str) -> int:
    limit: int = getattr(state().settings, setting)
    return limit
