"""Messages of validation errors, each with a stable code and the values that it names."""

from __future__ import annotations

from difflib import get_close_matches
from string import Formatter
from typing import Any, Final, Self

from engine import Text, either, params_of

MAX_SHOWN: Final = 40
"""The most characters of a caller's text that a message repeats."""


class ErrorMessage(str):
    """A message for people, with a `code` and `params` (the values in the message) for programs.

    marshmallow passes messages on unchanged. It fills a template, such as the `error` of a validator, by
    `format`.
    """

    __slots__ = ("code", "params", "text")

    code: str
    params: dict[str, Any]
    text: str

    def __new__(cls, code: str, text: str, **params: Any) -> Self:
        """Return the message `text`; `params` are the values that it names, by default those of a Text."""
        message = super().__new__(cls, text)
        message.code = code
        message.params = params or dict(params_of(text))
        message.text = text
        return message

    def __deepcopy__(self, memo: object) -> Self:
        """Return the message itself: schemas are copied with their messages, which never change."""
        return self

    def format(self, *_: object, **values: Any) -> Self:
        """Return the message with its placeholders filled; `values` that it does not name are ignored."""
        named = [name for _, name, _, _ in Formatter().parse(self) if name]
        if not named:
            return self
        params = {name: values[name] for name in named}
        return type(self)(self.code, Text(str(self), **params), **self.params, **params)

    @property
    def detail(self) -> str:
        """The message to show, a Text unless it is a template."""
        return self.text


class UnknownField(ErrorMessage):
    """The message for a field that an object does not have."""

    __slots__ = ()

    @classmethod
    def named(cls, name: str, known: list[str]) -> Self:
        """Return the message for the field `name`, which names the `known` fields if there are any."""
        return cls("unknown_field", Text("no such field"), name=name[:MAX_SHOWN], known=known)

    @property
    def detail(self) -> str:
        """The message to show, with the fields that may be meant.

        They are searched only when the message is shown: comparing names is slow.
        """
        name, known = self.params["name"], self.params["known"]
        if not known:
            return self.text
        near = get_close_matches(name, known, n=1)
        near += [field for field in known if name in field.split("_") and field not in near]
        if not near:
            return Text("no such field; known here: {known}", known=known)
        return Text(
            "no such field; did you mean {meant}? known here: {known}", meant=either(near), known=known
        )
