"""Messages of validation errors: each with a stable code and the values in it."""

from __future__ import annotations

from difflib import get_close_matches
from string import Formatter
from typing import Any, Final, Self

MAX_SHOWN: Final = 40
"""The most characters of a caller's text that a message repeats."""


class ErrorMessage(str):
    """A message for people, with a `code` and `params`, the values in it, for programs.

    Marshmallow passes messages on as they are. A template, as in `error_messages` or the `error` of a
    validator, it fills by `format`.
    """

    __slots__ = ("code", "params")

    code: str
    params: dict[str, Any]

    def __new__(cls, code: str, text: str, **params: Any) -> Self:
        """Return the message `text`; `params` are the values that it names."""
        message = super().__new__(cls, text)
        message.code = code
        message.params = params
        return message

    def __deepcopy__(self, memo: object) -> Self:
        """Return the message itself, which nothing changes; schemas are copied with their messages."""
        return self

    def format(self, *_: object, **values: Any) -> Self:
        """Return the message with its placeholders filled; of `values` it takes those that it names."""
        named = [name for _, name, _, _ in Formatter().parse(self) if name]
        params = {name: values[name] for name in named}
        return type(self)(self.code, super().format(**params), **self.params, **params)

    @property
    def detail(self) -> str:
        """The message as it is shown."""
        return str(self)


class UnknownField(ErrorMessage):
    """The message for a field that an object does not have."""

    __slots__ = ()

    @classmethod
    def named(cls, name: str, known: list[str]) -> Self:
        """Return the message for the field `name` of an object with the fields `known`."""
        return cls("unknown_field", "no such field", name=name[:MAX_SHOWN], known=known)

    @property
    def detail(self) -> str:
        """The message, with the fields that may be meant.

        They are looked for only when a message is shown: comparing names takes far longer than anything else
        that is done for a field.
        """
        name, known = self.params["name"], self.params["known"]
        near = get_close_matches(name, known, n=1)
        near += [field for field in known if name in field.split("_") and field not in near]
        meant = f"; did you mean {' or '.join(near)}?" if near else ";"
        return f"{self}{meant} known here: {', '.join(known)}"
