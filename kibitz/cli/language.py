"""The language of what commands print: that of --lang, else that of the environment, else English."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final, TypeAlias

import click

# `engine.messages` is imported in functions, because it would slow `kibitz --help` by a tenth of a second.

Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]

_KEY: Final = "kibitz.language"


class _Language(click.ParamType[str]):
    """Take one of the languages of messages."""

    name = "language"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the language; an unknown one is a usage error that names those that exist."""
        from engine.messages import LANGUAGES

        return click.Choice(LANGUAGES).convert(value, param, ctx)


def system_language() -> str:
    """Return the language that LC_ALL, LC_MESSAGES or LANG names, the first of them that is set."""
    from engine.messages import DEFAULT_LANGUAGE, LANGUAGES

    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    language = named.partition("_")[0].partition(".")[0].partition("@")[0].lower()
    return language if language in LANGUAGES else DEFAULT_LANGUAGE


def reader_language() -> str:
    """Return the language of the command that is running."""
    context = click.get_current_context(silent=True)
    chosen: str | None = None if context is None else context.meta.get(_KEY)
    return chosen or system_language()


def localized(text: str) -> str:
    """Return a text in the language of the command that is running; a plain str stays as it is."""
    from engine.messages import rendered

    return rendered(text, reader_language())


def said(template: str, /, **values: object) -> str:
    """Return the text of a template of the catalogues in the language of the command that is running."""
    from engine.messages import Text

    return localized(Text(template, **values))


def said_of(count: int, one: str, several: str, **values: object) -> str:
    """Return the form of a template that suits a number, which {count} stands for, as `said` does."""
    from engine.messages import translated

    return translated(one, reader_language(), plural=several, count=count).format(count=count, **values)


def _remember(context: click.Context, _: click.Parameter, chosen: str | None) -> None:
    if chosen is not None:
        context.meta[_KEY] = chosen


lang_option: Decorator = click.option(
    "--lang",
    type=_Language(),
    callback=_remember,
    is_eager=True,
    expose_value=False,
    help="The language of the answer: en, es, fr, de, pl, cs. [default: that of LC_ALL, LC_MESSAGES or LANG]",
)
"""Add --lang to a command; `reader_language` returns what it says."""
