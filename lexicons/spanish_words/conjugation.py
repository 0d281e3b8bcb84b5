"""Conjugate Spanish verbs, regular and irregular. Source: [Heuri, chapter 5]."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, excerpt
from engine.messages import Text
from lexicons.spanish_words.endings import (
    REGULAR_ENDING,
    VERB_TENSES,
    VOS_TENSES,
    ending_set,
    regular_endings,
)
from lexicons.spanish_words.families import families_of, participles_of, stresses_weak_vowel
from lexicons.spanish_words.spelling import join, spell_root, stress_weak_vowel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexicons.spanish_words.endings import Cell
    from lexicons.spanish_words.families import Family

_LETTERS: Final = frozenset("abcdefghijklmnñopqrstuvwxyzáéíóúü")


@dataclass(frozen=True, slots=True)
class Paradigm:
    """Hold all forms of a verb: `forms` by tense and person, alternatives in the order of their families.

    Infinitive, gerund and participle have the person "". `pronominal` is the infinitive in -se if it was
    given.
    """

    infinitive: str
    pronominal: str | None
    families: tuple[Family, ...]
    forms: Mapping[Cell, tuple[str, ...]]

    @property
    def conjugation(self) -> str:
        """The regular conjugation that the verb follows: "ar", "er" or "ir"."""
        return conjugation_of(self.infinitive)

    def cell(self, tense: str, person: str = "") -> tuple[str, ...]:
        """Return the forms of a tense and person, empty where the verb has none (imperative, yo)."""
        return self.forms.get((tense, person), ())


def conjugation_of(infinitive: str) -> str:
    """Return "ar", "er" or "ir", the conjugation of an infinitive without -se."""
    return infinitive[-2:].replace("í", "i")


def conjugate(verb: str) -> Paradigm:
    """Return the paradigm of a verb, given by its infinitive, with or without -se; accents as in print.

    Raises InvalidInput if the text cannot be an infinitive; the message says why.
    """
    infinitive, pronominal = check_infinitive(verb)
    return _conjugate(infinitive, pronominal)


@cache
def _conjugate(infinitive: str, pronominal: str | None) -> Paradigm:
    families = families_of(infinitive)
    forms: dict[Cell, tuple[str, ...]] = {}
    for family in families:
        for cell, alternatives in _family_forms(infinitive, family).items():
            forms[cell] = tuple(dict.fromkeys((*forms.get(cell, ()), *alternatives)))
    if participles := participles_of(infinitive):
        forms["participle", ""] = participles
    _derive(forms)
    return Paradigm(infinitive, pronominal, families, forms)


def check_infinitive(verb: str) -> tuple[str, str | None]:
    """Return the infinitive without -se, and with it if given so; raise InvalidInput if it is none."""
    text = unicodedata.normalize("NFC", verb.strip().lower())
    bare = text.removesuffix("se") if text.endswith(("arse", "erse", "irse", "írse")) else text
    reason: Text | None = None
    if not text:
        reason = Text("it is empty")
    elif not _LETTERS.issuperset(text):
        other = next(letter for letter in text if letter not in _LETTERS)
        reason = Text("it contains '{letter}', which is not a Spanish letter", letter=excerpt(other))
    elif not bare.endswith(("ar", "er", "ir", "ír")):
        reason = Text("it does not end in ar, er, ir, arse, erse or irse")
    elif bare in {"ar", "er"}:
        reason = Text("it has no root before its ending")
    elif bare.endswith("ír") and not bare.endswith(("aír", "eír", "oír")):
        reason = Text("it has an accent that an infinitive does not have")
    if reason:
        raise InvalidInput(
            Text("'{text}' is not an infinitive: {reason}", text=excerpt(verb), reason=reason),
            code="not_an_infinitive",
            field="verb",
        )
    return bare, text if text != bare else None


def _family_forms(infinitive: str, family: Family) -> dict[Cell, tuple[str, ...]]:
    """Return the forms of a verb in a family, without those that `_derive` adds."""
    conjugation = conjugation_of(infinitive)
    root = infinitive[:-2]
    regular = regular_endings(conjugation)
    stressed = stresses_weak_vowel(infinitive)

    def form(stem: str, cell: Cell, ending: str, *, final: bool = False) -> str:
        if stressed and cell in ending_set("E2"):
            stem = stress_weak_vowel(stem)
        return join(stem if final else spell_root(stem, conjugation, ending), ending)

    irregular: dict[Cell, list[str]] = {}
    for stem in family.stems:
        if stem.only and infinitive not in stem.only:
            continue
        text, final = stem.of(root), stem.touches_end(root)
        for cell, ending in stem.endings.items():
            ending = regular[cell] if ending == REGULAR_ENDING else ending
            irregular.setdefault(cell, []).append(form(text, cell, ending, final=final))
    forms: dict[Cell, tuple[str, ...]] = {
        cell: (form(root, cell, ending),) for cell, ending in regular.items()
    }
    forms["infinitive", ""] = (infinitive,)
    forms |= {cell: tuple(dict.fromkeys(alternatives)) for cell, alternatives in irregular.items()}
    if ("imperative", "tú") not in irregular:
        forms["imperative", "tú"] = forms["present", "él"]
    return forms


def _derive(forms: dict[Cell, tuple[str, ...]]) -> None:
    """Add the forms that equal others: vos outside its two tenses, and the imperative of four persons."""
    for tense in VERB_TENSES:
        if tense not in VOS_TENSES:
            forms[tense, "vos"] = forms[tense, "tú"]
    for person in ("él", "nosotros", "ellos"):
        forms["imperative", person] = tuple(
            dict.fromkeys((*forms.get(("imperative", person), ()), *forms["subjunctive", person]))
        )
