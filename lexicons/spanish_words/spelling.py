"""Join the root and the ending of a Spanish word: spelling changes and accents.

The sounds of a root stay the same before every ending, so its last letter changes: sacar, saqué.
Source: [Heuri, chapter 5], on verbs in car, gar, zar, ger, gir, guir, quir, cer and cir.
"""

from __future__ import annotations

import re
from typing import Final

_BEFORE_FRONT: Final = {"gu": "gü", "c": "qu", "g": "gu", "z": "c"}
"""Verbs in ar: the end of the root before e."""

_BEFORE_BACK: Final = {"gu": "g", "qu": "c", "c": "z", "g": "j"}
"""Verbs in er and ir: the end of the root before a and o."""

_STRONG: Final = "aeo"
_STRESSED_I: Final = frozenset({"ido", "imos", "iste", "isteis", "id"})
"""Endings whose first letter is stressed; others that begin with a stressed i have its accent anyway."""

_VOWELS: Final = "aeiouáéíóúü"
_ACUTE: Final = str.maketrans("áéíóú", "aeiou")
_DISTINGUISHED: Final = frozenset({"dé", "sé"})
"""Words of one syllable that have an accent, because they differ from words of the same letters."""


def spell_root(root: str, conjugation: str, ending: str) -> str:
    """Return the root of a verb of the conjugation "ar", "er" or "ir", spelled for the ending after it."""
    first = ending[:1].translate(_ACUTE)
    if conjugation == "ar":
        changes = _BEFORE_FRONT if first == "e" else {}
    else:
        changes = _BEFORE_BACK if first in {"a", "o"} else {}
    for letters, others in changes.items():
        if root.endswith(letters):
            return root[: -len(letters)] + others
    return root


def join(root: str, ending: str) -> str:
    """Return root and ending as one word, with the accents that it needs.

    A stressed i after a, e or o gets an accent (caído); a word of one syllable loses it (dio, guie).
    """
    if root and root[-1] in _STRONG and ending in _STRESSED_I:
        ending = "í" + ending[1:]
    word = root + ending
    return word if word in _DISTINGUISHED or syllables(word) > 1 else word.translate(_ACUTE)


def syllables(word: str) -> int:
    """Return the number of syllables of a word; a y between vowels and at the end counts as a consonant."""
    sounds = re.sub(r"(?<=q)u|(?<=g)u(?=[eiéí])", "", word)
    count, previous = 0, ""
    for letter in sounds:
        if letter in _VOWELS and not (previous in _VOWELS and previous and _one_syllable(previous, letter)):
            count += 1
        previous = letter
    return count


def _one_syllable(first: str, second: str) -> bool:
    """Return whether two vowels in a row are a diphthong: one is an i or u without an accent."""
    return first in "iuü" or second in "iuü"


def stress_weak_vowel(root: str) -> str:
    """Return the root with an accent on its last i or u, if it has one: envi, enví."""
    at = max(root.rfind("i"), root.rfind("u"))
    return root if at < 0 else root[:at] + {"i": "í", "u": "ú"}[root[at]] + root[at + 1 :]
