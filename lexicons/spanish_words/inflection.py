"""Plurals and feminine forms of Spanish nouns and adjectives. Source: [Heuri, chapter 5, part II].

The thesis labels the words that have them and does not state how they are spelled; these are the rules of
Spanish.
"""

from __future__ import annotations

import re
from typing import Final

from lexicons.spanish_words.spelling import syllables

_ACCENTED: Final = "áéíóú"
_PLAIN: Final = str.maketrans(_ACCENTED, "aeiou")
_VOWEL_GROUP: Final = re.compile(r"[aeiouáéíóúü]+")


def plurals(word: str) -> tuple[str, ...]:
    """Return the plurals of a noun or adjective in the singular, often one; a word in -s may have none.

    Words in í and ú have two (rubíes, rubís). Words in s or x whose last syllable is not stressed do not
    change (lunes, tórax).
    """
    last = word[-1]
    if last in "aeoáéó":
        return (word + "s",)
    if last in "íú":
        return (word + "es", word + "s")
    if last in "iu":
        return (word + "s",)
    if last == "z":
        return (word[:-1] + "ces",)
    if last in "sx":
        return (_unaccented_end(word) + "es",) if ends_stressed(word) else ()
    if last == "y" and word[-2:-1] not in "aeiou":
        return (word[:-1] + "is",)
    if last in "bcfghkmpqtvw":
        return (word + "s",)
    return (_with_earlier_stress(_unaccented_end(word), word) + "es",)


def feminine(word: str) -> str | None:
    """Return the feminine form of a masculine noun or adjective, None if its ending has none (alegre)."""
    if word.endswith("o"):
        return word[:-1] + "a"
    if word.endswith(("ete", "ote")):
        return word[:-1] + "a"
    if word.endswith(("án", "ín", "ón", "és", "ús", "ás", "ós")):
        return _unaccented_end(word) + "a"
    if word.endswith(("or", "ol", "el", "al", "il", "ul", "ar", "er", "us", "az", "uz", "ez", "iz")):
        return word[:-1] + "za" if word.endswith("z") else word + "a"
    return None


def ends_stressed(word: str) -> bool:
    """Return whether the last syllable of a word in s or x is stressed, as in francés, mes and gas."""
    return syllables(word) == 1 or word[-2:-1] in tuple(_ACCENTED)


def _unaccented_end(word: str) -> str:
    """Return the word without the accent of its last vowel, which a further syllable makes superfluous.

    The accent stays where it separates two vowels: país, países.
    """
    if len(word) > 2 and word[-2] in "íú" and word[-3] in "aeo":
        return word
    return word[:-2] + word[-2:].translate(_PLAIN)


def _with_earlier_stress(word: str, singular: str) -> str:
    """Return a word in n that gets a further syllable with the accent that its stress now needs: jóvenes."""
    if not word.endswith("n") or any(letter in _ACCENTED for letter in singular):
        return word
    vowels = list(_VOWEL_GROUP.finditer(word))
    if len(vowels) < 2:
        return word
    stressed = vowels[-2]
    group = stressed[0]
    at = next((index for index, letter in enumerate(group) if letter in "aeo"), len(group) - 1)
    place = stressed.start() + at
    return word[:place] + word[place].translate(str.maketrans("aeiou", _ACCENTED)) + word[place + 1 :]
