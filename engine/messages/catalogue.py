"""The catalogues of messages, read from their sources at the first use of a language."""

from __future__ import annotations

from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

DEFAULT_LANGUAGE: Final = "en"
"""The language of the texts in the code."""

LANGUAGES: Final = (DEFAULT_LANGUAGE, "es", "fr", "de", "pl", "cs")
"""The languages of messages."""

_DOMAIN: Final = "kibitz"


def message(text: str) -> str:
    """Mark an English text for the catalogues, and return it."""
    return text


def plural(one: str, several: str) -> tuple[str, str]:
    """Mark an English text with its plural for the catalogues, and return both."""
    return one, several


def translated(text: str, language: str, *, plural: str | None = None, count: int = 1) -> str:
    """Return a message in a language, in English if its catalogue lacks the message.

    `plural`: the English text for other numbers than one, of which `count` chooses the form.
    """
    catalogue = _catalogue(language)
    return catalogue.gettext(text) if plural is None else catalogue.ngettext(text, plural, count)


def number(
    value: float, language: str, *, digits: int = 1, signed: bool = False, percent: bool = False
) -> str:
    """Return a number in the notation of a language, with a fixed number of decimals.

    `signed`: whether a positive number gets a plus sign; `percent`: whether the percent sign follows. A
    number that is rounded to zero has no minus sign.
    """
    from babel import Locale  # 20 ms that only sentences need
    from babel.numbers import format_decimal

    pattern = "0." + "0" * digits if digits else "0"
    rounded = round(value, digits) or 0
    if percent:
        usual = Locale(language).percent_formats[None].pattern
        pattern, rounded = usual.replace("#,##0", pattern), rounded / 100
    return str(format_decimal(rounded, f"+{pattern};-{pattern}" if signed else pattern, locale=language))


def compiled(catalogue: Catalog) -> GNUTranslations:
    """Return the translations of a catalogue that Babel has read."""
    from babel.messages.mofile import write_mo

    data = BytesIO()
    write_mo(data, catalogue)
    data.seek(0)
    return GNUTranslations(data)


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(language: str) -> NullTranslations:
    """Return the translations of a language; those of English are none."""
    if language == DEFAULT_LANGUAGE:
        return NullTranslations()
    from babel.messages.pofile import read_po

    source = files(__package__).joinpath("locales", language, "LC_MESSAGES", f"{_DOMAIN}.po")
    with source.open("rb") as file:
        return compiled(read_po(file, locale=language, domain=_DOMAIN))
