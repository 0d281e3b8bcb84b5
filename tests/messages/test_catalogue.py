"""The catalogues of messages: complete, with the same placeholders, and numbers as a language writes them."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import engine.messages
from engine.messages import DEFAULT_LANGUAGE, LANGUAGES, number, translated

ROOT = Path(__file__).parents[2]
LOCALES = Path(engine.messages.__file__).parent / "locales"
TRANSLATED = [language for language in LANGUAGES if language != DEFAULT_LANGUAGE]


def source_messages() -> set[str | tuple[str, str]]:
    """Return every message of the engine, a message with a plural as both texts."""
    keywords: dict[str, tuple[int, int] | None] = {"message": None, "plural": (1, 2)}
    found = extract_from_dir(str(ROOT / "engine"), keywords=keywords)
    return {text if isinstance(text, str) else (text[0], text[1]) for _, _, text, _, _ in found}


def names(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_there_is_a_catalogue_for_every_language_and_no_other() -> None:
    assert {path.name for path in LOCALES.iterdir()} == set(TRANSLATED)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_translates_every_message_and_no_other(language: str) -> None:
    with (LOCALES / language / "LC_MESSAGES" / "kibitz.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    entries = {
        entry.id if isinstance(entry.id, str) else (entry.id[0], entry.id[1]): entry
        for entry in catalogue
        if entry.id
    }
    assert len(entries) > 15
    assert entries.keys() == source_messages()
    assert not catalogue.obsolete
    for key, entry in entries.items():
        assert not entry.fuzzy
        texts = [entry.string] if isinstance(entry.string, str) else list(entry.string)
        assert len(texts) == (1 if isinstance(key, str) else catalogue.num_plurals)
        for text in texts:
            assert names(text) == names(key if isinstance(key, str) else key[1]), key


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", ["1.5", "-0.3", "+2.0", "0.0", "1200", "40.2%"]),
        ("es", ["1,5", "-0,3", "+2,0", "0,0", "1200", "40,2\xa0%"]),
        ("fr", ["1,5", "-0,3", "+2,0", "0,0", "1200", "40,2\xa0%"]),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(language: str, shown: list[str]) -> None:
    assert [
        number(1.5, language),
        number(-0.26, language),
        number(2.0, language, signed=True),
        number(-0.04, language),
        number(1200, language, digits=0),
        number(40.24, language, percent=True),
    ] == shown


def test_a_plural_is_chosen_by_the_rule_of_the_language() -> None:
    one = "{best} plays {tiles} tile, {other} {other_tiles}."
    several = "{best} plays {tiles} tiles, {other} {other_tiles}."

    def form(language: str, count: int) -> str:
        return translated(one, language, plural=several, count=count)

    assert (form("en", 0), form("en", 1), form("en", 2)) == (several, one, several)
    assert "fichas" in form("es", 0)
    assert "ficha;" in form("es", 1)
    assert "lettre," in form("fr", 0)  # French counts nothing as one
    assert "lettres," in form("fr", 2)


def test_a_message_without_a_translation_is_shown_in_english() -> None:
    assert translated("no such message", "fr") == "no such message"
