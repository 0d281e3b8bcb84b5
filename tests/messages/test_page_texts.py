"""The page's texts: complete catalogues, and what the server sends of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from babel import Locale

from engine.messages import LANGUAGES
from service.page_texts import page_texts
from tests.messages.catalogues import TRANSLATED, catalogue, check_complete, extracted

if TYPE_CHECKING:
    from tests.messages.catalogues import Key

ROOT = Path(__file__).parents[2]
LOCALES = ROOT / "service" / "locales"


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> set[Key]:
    """Every text of the page's scripts and templates."""
    keywords = ["-k", "t", "-k", "tn:1,2"]
    folders = [str(ROOT / "service" / name) for name in ("static", "templates")]
    return extracted(tmp_path_factory.mktemp("texts"), "--ignore-dirs=report", *keywords, *folders)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_of_the_page_has_a_translation(language: str, texts: set[Key]) -> None:
    check_complete(catalogue(LOCALES / language / "LC_MESSAGES" / "page.po", language), texts)


def test_texts_of_scripts_and_templates_are_found(tmp_path: Path) -> None:
    (tmp_path / "page.js").write_text(
        'at("x").textContent = t("Undo"); tn("{count} move", "{count} moves", 2); other("Not a text");'
    )
    (tmp_path / "page.html").write_text("<p>Not a text</p><button title=\"{{ _('Redo') }}\"></button>")
    found = extracted(tmp_path, "-k", "t", "-k", "tn:1,2", str(tmp_path))
    assert found == {"Undo", ("{count} move", "{count} moves"), "Redo"}


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
def test_plural_forms_have_the_names_that_browsers_give_them(
    language: str, categories: set[str], texts: set[Key]
) -> None:
    found = page_texts(language)
    plurals = [key for key in texts if not isinstance(key, str)]
    assert found.keys() == {key if isinstance(key, str) else key[0] for key in texts}
    for one, _ in plurals:
        forms = found[one]
        assert isinstance(forms, dict)
        assert forms.keys() == categories
        assert all(forms.values())


def test_english_needs_no_translations() -> None:
    assert page_texts("en") == {}
