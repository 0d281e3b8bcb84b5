"""The texts of the page in a language, from the catalogues `locales/LANGUAGE/LC_MESSAGES/page.po`.

`make messages` collects them from the scripts in `static`, where `t("...")` and `tn("...", "...", count)`
mark them, and from the templates, where `_("...")` does.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, TypeAlias

from babel import Locale
from babel.messages.pofile import read_po

from engine import DEFAULT_LANGUAGE, LANGUAGES
from engine.messages import compiled

if TYPE_CHECKING:
    from collections.abc import Mapping

PageTexts: TypeAlias = "Mapping[str, str | dict[str, str]]"

# Integers of every plural category: the rules repeat every hundred, but for a category of millions.
_SAMPLES: Final = (*range(200), 1_000_000)


@lru_cache(maxsize=len(LANGUAGES))
def page_texts(language: str) -> PageTexts:
    """Return the translations of the page's texts by their English, none for English itself.

    A text with plural forms is named by its singular, and its forms by their categories in Unicode's rules,
    such as "one" and "few", with "other" for all others.
    """
    if language == DEFAULT_LANGUAGE:
        return {}
    with files("service").joinpath("locales", language, "LC_MESSAGES", "page.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    translations = compiled(catalogue)
    category = Locale(language).plural_form
    texts: dict[str, str | dict[str, str]] = {}
    for entry in catalogue:
        if not entry.id or not entry.string or not all(entry.string):
            continue  # the header, or a text that the page shows in English
        if isinstance(entry.id, str):
            texts[entry.id] = translations.gettext(entry.id)
        else:
            one, several = entry.id
            forms = {category(count): translations.ngettext(one, several, count) for count in _SAMPLES}
            texts[one] = {"other": forms.get("many", ""), **forms}
    return texts
