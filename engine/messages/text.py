"""Texts that can be rendered in every language of the messages."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

from engine.messages.catalogue import DEFAULT_LANGUAGE, message, number, translated

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Value: TypeAlias = object
"""What a template may contain: a string, a number, another Text, or a list of them, which commas separate."""


class Text(str):
    """Hold an English text, made of a template and the values that its {names} stand for.

    It is a str: code that needs only English uses it as one. `rendered` returns it in another language.
    Templates are messages: `make messages` collects them.
    """

    template: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, /, **values: Value) -> Text:
        """Return the text of a template of the catalogues."""
        text = super().__new__(cls, _filled(template, values, DEFAULT_LANGUAGE))
        text.template = template
        text.values = values
        return text

    def __getnewargs_ex__(self) -> tuple[tuple[str], Mapping[str, Value]]:
        """Return the arguments with which copy and pickle make a new Text."""
        return (self.template,), self.values


def rendered(text: str, language: str) -> str:
    """Return a text in a language; a plain str, or one without a translation, stays English."""
    if language == DEFAULT_LANGUAGE or not isinstance(text, Text):
        return str(text)
    return _filled(translated(text.template, language), text.values, language)


def joined(texts: Iterable[str], separator: str) -> Text:
    """Return one text made of several, each of which is translated by itself."""
    parts = {f"part{index}": text for index, text in enumerate(texts)}
    return Text(separator.join([f"{{{name}}}" for name in parts]), **parts)


def either(texts: Sequence[str]) -> str:
    """Return texts as alternatives: "A or B or C"."""
    return _chained(message("{first} or {second}"), texts)


def both(texts: Sequence[str]) -> str:
    """Return texts as a list: "A and B and C"."""
    return _chained(message("{first} and {second}"), texts)


def _chained(template: str, texts: Sequence[str]) -> str:
    return reduce(lambda first, second: Text(template, first=first, second=second), texts)


def _filled(template: str, values: Mapping[str, Value], language: str) -> str:
    return template.format_map({name: _shown(value, language) for name, value in values.items()})


def _shown(value: Value, language: str) -> Value:
    """Return a value as a text contains it: lists with commas, decimals in the notation of the language."""
    if isinstance(value, Text):
        return rendered(value, language)
    if isinstance(value, list | tuple):
        return ", ".join([str(_shown(one, language)) for one in value])
    if isinstance(value, float) and language != DEFAULT_LANGUAGE:
        return number(value, language, digits=0 if value.is_integer() else 1)
    return value
