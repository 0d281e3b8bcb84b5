"""Read the catalogues, and the texts that `make messages` collects for them."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, TypeAlias

from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po

from engine.messages import DEFAULT_LANGUAGE, LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

    from babel.messages.catalog import Catalog

TRANSLATED = [language for language in LANGUAGES if language != DEFAULT_LANGUAGE]

Key: TypeAlias = str | tuple[str, str]
"""A text, or a text with its plural."""


def extracted(folder: Path, *arguments: str) -> set[Key]:
    """Return the texts that `pybabel extract` finds."""
    template = folder / "texts.pot"
    command = ["pybabel", "-q", "extract", "-F", "pyproject.toml", "-o", str(template), *arguments]
    CommandLineInterface().run(command)
    with template.open("rb") as file:
        return set(translations(read_po(file)))


def catalogue(path: Path, language: str) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language)


def translations(catalogue: Catalog) -> dict[Key, list[str]]:
    """Return the translation of each text, one for each plural form."""
    return {
        entry.id if isinstance(entry.id, str) else (entry.id[0], entry.id[1]): (
            [entry.string] if isinstance(entry.string, str) else list(entry.string)
        )
        for entry in catalogue
        if entry.id
    }


def check_translations(catalogue: Catalog) -> None:
    """Check that no translation is fuzzy, and that each has the placeholders and plural forms it needs.

    A text without a translation is shown in English.
    """
    assert not [entry.id for entry in catalogue if entry.id and entry.fuzzy]
    for key, forms in translations(catalogue).items():
        assert len(forms) == (1 if isinstance(key, str) else catalogue.num_plurals), key
        assert all(forms) or not any(forms), f"{key} lacks a plural form"
        for form in filter(None, forms):
            assert names(form) == names(key if isinstance(key, str) else key[1]), key


def names(text: str) -> set[str]:
    """Return the names of the placeholders in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}
