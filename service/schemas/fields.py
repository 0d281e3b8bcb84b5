"""Strict fields: each takes exactly one JSON type and says what is wrong as "code: detail"."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

import marshmallow as ma

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_UNKNOWN = "unknown_field: no such field"
_WRONG = "wrong_type: must be {}, not {}"


def json_type(value: Any) -> str:
    """Name the JSON type of a parsed value."""
    for kind, name in (
        (bool, "a boolean"),
        (str, "a string"),
        (int | float, "a number"),
        (dict, "an object"),
        (list, "a list"),
    ):
        if isinstance(value, kind):
            return name
    return "null"


class Strict(ma.Schema):
    """Refuse unknown fields and anything that is no object, in our own words."""

    class Meta:
        """Unknown fields are errors; the fields are kept in the order of declaration."""

        unknown = ma.RAISE

    error_messages = {  # noqa: RUF012 - as declared by marshmallow
        "unknown": _UNKNOWN,
        "type": "wrong_type: must be an object",
    }

    def handle_error(self, error: ma.ValidationError, data: Any, **kwargs: Any) -> None:
        """Say of each unknown field which ones are known here, and which of them may be meant."""
        if isinstance(error.messages, dict):
            known = list(self.load_fields)
            for name, said in error.messages.items():
                if said == [_UNKNOWN]:
                    near = get_close_matches(str(name), known, n=1)
                    near += [one for one in known if str(name) in one.split("_") and one not in near]
                    meant = f"; did you mean {' or '.join(near)}?" if near else ";"
                    error.messages[name] = [f"{_UNKNOWN}{meant} known here: {', '.join(known)}"]


class _Base(ma.fields.Field[Any]):
    default_error_messages = {  # noqa: RUF012 - as declared by marshmallow
        "required": "missing_field: this field is needed",
        "null": "wrong_type: must not be null",
    }


class Integer(_Base, ma.fields.Integer):
    """Take a JSON integer from `low` to `high`: no 10.0, no "10", no true."""

    def __init__(self, low: int, high: int, **kwargs: Any) -> None:
        super().__init__(validate=_between(low, high), strict=True, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ma.ValidationError(_WRONG.format("an integer", json_type(value)))
        return value


class Boolean(_Base, ma.fields.Boolean):
    """Take true or false: no 1, no "yes"."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ma.ValidationError(_WRONG.format("true or false", json_type(value)))
        return value


class Text(_Base, ma.fields.String):
    """Take a string of at most `longest` characters without control characters."""

    def __init__(self, longest: int, *, shortest: int = 0, **kwargs: Any) -> None:
        validate = [_length(shortest, longest, "characters"), *kwargs.pop("validate", [])]
        super().__init__(validate=validate, **kwargs)
        self._lengths = range(shortest, longest + 1)

    def is_good(self, value: str) -> bool:
        """Tell whether a string passes, sooner than `deserialize`, of a field without checks of its own."""
        return len(value) in self._lengths and _CONTROL.search(value) is None

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ma.ValidationError(_WRONG.format("a string", json_type(value)))
        if _CONTROL.search(value):
            raise ma.ValidationError("invalid_text: must not hold control characters")
        return value


class Lines(Text):
    """Take a text of many lines, which may hold anything."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        return value if isinstance(value, str) else super()._deserialize(value, attr, data, **kwargs)


class Items(_Base, ma.fields.List[Any]):
    """Take a list of `shortest` to `longest` items; `of` is what they are called."""

    def __init__(
        self,
        inner: ma.fields.Field[Any],
        longest: int,
        *,
        shortest: int = 0,
        of: str = "items",
        **kwargs: Any,
    ) -> None:
        super().__init__(inner, validate=_length(shortest, longest, of), **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ma.ValidationError(_WRONG.format("a list", json_type(value)))
        if len(value) > self._longest:  # before thousands of items are read one by one
            raise ma.ValidationError(f"out_of_range: must have at most {self._longest} items")
        return super()._deserialize(value, attr, data, **kwargs)

    @property
    def _longest(self) -> int:
        longest: int = self.validators[0].max  # type: ignore[attr-defined]
        return longest


class Part(_Base, ma.fields.Nested):
    """Take an object with a schema of its own."""


class Either(_Base):
    """Take one of two JSON types: a string by `text`, or the other by `other`."""

    def __init__(self, text: Text, other: ma.fields.Field[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.text = text
        self.other = other

    def _bind_to_schema(self, field_name: str, parent: Any) -> None:
        super()._bind_to_schema(field_name, parent)
        self.text._bind_to_schema(field_name, parent)
        self.other._bind_to_schema(field_name, parent)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        field = self.text if isinstance(value, str) else self.other
        return field.deserialize(value, attr, data, **kwargs)


def one_of(*choices: str) -> ma.validate.OneOf:
    """Accept the given strings only."""
    return ma.validate.OneOf(choices, error="unknown_choice: must be one of {choices}")


def _between(low: int, high: int) -> ma.validate.Range:
    return ma.validate.Range(low, high, error="out_of_range: must be from {min} to {max}")


def _length(low: int, high: int, what: str) -> ma.validate.Length:
    return ma.validate.Length(low, high, error=f"out_of_range: must have {{min}} to {{max}} {what}")
