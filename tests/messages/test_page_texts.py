"""The page's texts: their catalogues, and what the server sends of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from babel import Locale

from engine.messages import LANGUAGES
from service.page_texts import page_texts
from tests.messages.catalogues import TRANSLATED, catalogue, check_translations, extracted, translations

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ROOT = Path(__file__).parents[2]
LOCALES = ROOT / "service" / "locales"


def page_catalogue(language: str) -> Catalog:
    return catalogue(LOCALES / language / "LC_MESSAGES" / "page.po", language)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_usable_translations(language: str) -> None:
    check_translations(page_catalogue(language))


def test_texts_of_scripts_and_templates_are_found(tmp_path: Path) -> None:
    (tmp_path / "page.js").write_text(
        'at("x").textContent = t("Undo"); tn("{count} move", "{count} moves", 2); other("Not a text");'
    )
    (tmp_path / "page.html").write_text("<p>Not a text</p><button title=\"{{ _('Redo') }}\"></button>")
    found = extracted(tmp_path, "-k", "t", "-k", "tn:1,2", str(tmp_path))
    assert found == {"Undo", ("{count} move", "{count} moves"), "Redo"}


def test_no_text_of_a_script_is_missed(tmp_path: Path) -> None:
    """The collector misses calls inside template literals."""
    texts = extracted(tmp_path, "-k", "t", "-k", "tn:1,2", str(ROOT / "service" / "static"))
    scripts = "".join(path.read_text() for path in (ROOT / "service" / "static").rglob("*.js"))
    written = {json.loads(f'"{text}"') for text in re.findall(r'\btn?\("((?:[^"\\]|\\.)*)"', scripts)}
    assert written - {key if isinstance(key, str) else key[0] for key in texts} == set()


@pytest.mark.parametrize(
    ("language", "others"),
    [
        ("de", r"\bSpiele?s?\b|Mitschrift"),
        ("pl", r"\b(grę|grą|grze|gier)\b|\bwor(ek|k)"),
        ("cs", r"\b(hru|hře|hrou|her)\b|pytl"),
        ("fr", r"chevalet"),
    ],
)
def test_page_and_engine_have_one_word_for_a_game_its_record_the_bag_and_the_rack(
    language: str, others: str
) -> None:
    """They are Partie and Aufzeichnung, partia and woreczek, partie and sáček, and in French tirage."""
    engine = ROOT / "engine" / "messages" / "locales" / language / "LC_MESSAGES" / "kibitz.po"
    for path in (engine, LOCALES / language / "LC_MESSAGES" / "page.po"):
        for entry in catalogue(path, language):
            forms = [entry.string] if isinstance(entry.string, str) else entry.string
            assert not any(re.search(others, form, re.IGNORECASE) for form in forms), entry.string


def test_the_page_offers_the_languages_of_the_messages() -> None:
    script = (ROOT / "service" / "static" / "page" / "texts.js").read_text()
    offered = dict(re.findall(r'\["(\w+)", "(\w+)"\]', script))
    assert list(offered) == list(LANGUAGES)
    for language, name in offered.items():
        assert name.lower() == (Locale(language).display_name or "").lower()


@pytest.mark.parametrize(
    ("language", "categories"),
    [
        ("es", {"one", "many", "other"}),
        ("fr", {"one", "many", "other"}),
        ("de", {"one", "other"}),
        ("pl", {"one", "few", "many", "other"}),
        ("cs", {"one", "few", "other"}),
    ],
)
def test_plural_forms_have_the_names_that_browsers_give_them(language: str, categories: set[str]) -> None:
    found = page_texts(language)
    translated = {key for key, forms in translations(page_catalogue(language)).items() if all(forms)}
    assert found.keys() == {key if isinstance(key, str) else key[0] for key in translated}
    for one in (key[0] for key in translated if not isinstance(key, str)):
        forms = found[one]
        assert isinstance(forms, dict)
        assert forms.keys() == categories
        assert all(forms.values())


def test_english_needs_no_translations() -> None:
    assert page_texts("en") == {}
