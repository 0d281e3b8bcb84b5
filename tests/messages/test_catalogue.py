"""The catalogues of messages: complete, with the same placeholders, and numbers as a language writes them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import engine.messages
from engine.messages import number, translated
from tests.messages.catalogues import TRANSLATED, catalogue, check_complete, extracted

if TYPE_CHECKING:
    from tests.messages.catalogues import Key

ROOT = Path(__file__).parents[2]
LOCALES = Path(engine.messages.__file__).parent / "locales"


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> set[Key]:
    """Every message in the code."""
    keywords = [f"-k{name}" for name in ("message", "plural:1,2", "Text", "said", "said_of:2,3")]
    folders = [str(ROOT / name) for name in ("engine", "service", "service/templates/report")]
    return extracted(tmp_path_factory.mktemp("texts"), *keywords, "--ignore-dirs=static templates", *folders)


def test_there_is_a_catalogue_for_every_language_and_no_other() -> None:
    assert {path.name for path in LOCALES.iterdir()} == set(TRANSLATED)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_translates_every_message_and_no_other(language: str, texts: set[Key]) -> None:
    check_complete(catalogue(LOCALES / language / "LC_MESSAGES" / "kibitz.po", language), texts)


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


def test_a_message_without_a_translation_is_shown_in_english() -> None:
    assert translated("no such message", "fr") == "no such message"


def test_no_text_is_in_a_formatted_string_where_it_is_not_found() -> None:
    """Babel does not look for messages inside an f-string before Python 3.12."""
    markers = {"Text", "message", "plural", "said", "said_of"}
    hidden = []
    for path in (file for folder in ("engine", "service") for file in (ROOT / folder).rglob("*.py")):
        for formatted in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(formatted, ast.JoinedStr):
                calls = [one for one in ast.walk(formatted) if isinstance(one, ast.Call) and one.args]
                marked = [one for one in calls if isinstance(one.func, ast.Name) and one.func.id in markers]
                hidden += [f"{path}:{one.lineno}" for one in marked if isinstance(one.args[0], ast.Constant)]
    assert not hidden
