"""The catalogues of messages: the same placeholders, all plural forms, and numbers in local notation."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import engine.messages
from engine.messages import number, translated
from tests.messages.catalogues import TRANSLATED, catalogue, check_translations, translations

ROOT = Path(__file__).parents[2]
LOCALES = Path(engine.messages.__file__).parent / "locales"


def test_there_is_a_catalogue_for_every_language_and_no_other() -> None:
    assert {path.name for path in LOCALES.iterdir()} == set(TRANSLATED)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_usable_translations(language: str) -> None:
    check_translations(catalogue(LOCALES / language / "LC_MESSAGES" / "kibitz.po", language))


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", ["1.5", "-0.3", "+2.0", "0.0", "1200", "40.2%"]),
        ("es", ["1,5", "-0,3", "+2,0", "0,0", "1200", "40,2\xa0%"]),
        ("fr", ["1,5", "-0,3", "+2,0", "0,0", "1200", "40,2\xa0%"]),
        ("de", ["1,5", "-0,3", "+2,0", "0,0", "1200", "40,2\xa0%"]),
        ("pl", ["1,5", "-0,3", "+2,0", "0,0", "1200", "40,2%"]),
        ("cs", ["1,5", "-0,3", "+2,0", "0,0", "1200", "40,2\xa0%"]),
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
    assert ["płytkę" in form("pl", 1), "płytki" in form("pl", 22), "płytek" in form("pl", 12)] == [True] * 3
    assert ["kámen" in form("cs", 1), "kameny" in form("cs", 4), "kamenů" in form("cs", 22)] == [True] * 3


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_line_end_of_a_translation_is_not_escaped_twice(language: str) -> None:
    found = translations(catalogue(LOCALES / language / "LC_MESSAGES" / "kibitz.po", language))
    assert [form for forms in found.values() for form in forms if r"\n" in form] == []


def test_a_message_without_a_translation_is_shown_in_english() -> None:
    assert translated("no such message", "fr") == "no such message"


MARKERS = {"Text", "message", "plural", "said", "said_of"}


def in_formatted_strings(source: str) -> list[int]:
    """Return the lines where an f-string hides a text from Babel, or shows it what is not a text.

    Before Python 3.12, Babel does not see a text marked inside an f-string. From 3.12 on, it takes a string
    inside a marked f-string for a text.
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            calls = [one for one in ast.walk(node) if isinstance(one, ast.Call) and one.args]
            marked = [one for one in calls if isinstance(one.func, ast.Name) and one.func.id in MARKERS]
            found += [one.lineno for one in marked if isinstance(one.args[0], ast.Constant)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKERS:
            formatted = [part for part in node.args[:1] if isinstance(part, ast.JoinedStr)]
            values = [
                part.value for one in formatted for part in one.values if isinstance(part, ast.FormattedValue)
            ]
            inner = [part for value in values for part in ast.walk(value) if isinstance(part, ast.Constant)]
            found += [part.lineno for part in inner if isinstance(part.value, str)]
    return found


@pytest.mark.parametrize("source", ["f\"{said('a')} b\"", 'Text(f"  {\'pass\' if a else b:>5} {c}", "bold")'])
def test_a_text_in_a_formatted_string_is_found(source: str) -> None:
    assert in_formatted_strings(source) == [1]


def test_no_text_is_in_a_formatted_string() -> None:
    files = (file for folder in ("engine", "kibitz", "service") for file in (ROOT / folder).rglob("*.py"))
    assert {
        str(path): lines for path in files if (lines := in_formatted_strings(path.read_text("utf-8")))
    } == {}
