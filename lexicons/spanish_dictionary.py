"""Read the entries of hunspell-es, and those that its affixes derive from them, for `label_spanish.py`.

An affix flag of the dictionary is one of three kinds. Inflection: R, E, I and X mark conjugated verbs, D a
participle, S a plural, G a feminine form; the generator of kibitz inflects by itself. Derivation: prefixes
(des-, re-, ...) and suffixes with a plural (-ción, -ble, ...) make new entries. Enclitic pronouns (all flags
beyond ASCII) are ignored, because darme and dámelo are no words of the game. The expander of kibitz reads the
files and finds the affixes that fit a word; only which flags a derived entry has is decided here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexicons.dictionaries.hunspell import AffixFile, Rules, read_entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from lexicons.dictionaries.hunspell import Affix

VERB_FLAGS: Final = frozenset("REIX")
PARTICIPLE: Final = "D"
PLURAL: Final = "S"
FEMININE: Final = "G"
INFLECTION: Final = VERB_FLAGS | {PARTICIPLE, PLURAL, FEMININE}

_WORD: Final = re.compile(r"[a-zñáéíóúü]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold a word of the dictionary in print spelling, and its flags of inflection."""

    word: str
    flags: frozenset[str]

    @property
    def is_verb(self) -> bool:
        """Whether the dictionary conjugates the word."""
        return bool(self.flags & VERB_FLAGS) and self.word.endswith(("ar", "er", "ir", "ír"))


class Dictionary:
    """Hold the entries of hunspell-es: `entries` as they stand, `derived` those of its derivations.

    Words with capitals, digits or hyphens (names, abbreviations) are left out, and so are the letters and
    abbreviations without a vowel.
    """

    def __init__(self, folder: Path) -> None:
        affixes = AffixFile.read(folder / "es_ES.aff")
        self._prefixes = Rules(_derivations(affixes.prefixes), affixes, at_end=False)
        self._suffixes = Rules(_derivations(affixes.suffixes), affixes, at_end=True)
        self.entries: list[Entry] = []
        self.derived: list[Entry] = []
        for word, flags, _ in read_entries(folder / "es_ES.dic", affixes):
            if _WORD.fullmatch(word) and re.search("[aeiouáéíóúüy]", word):
                self.entries.append(Entry(word, INFLECTION & flags))
                self.derived.extend(self._derive(word, flags))

    def all_entries(self) -> Iterator[Entry]:
        """Yield the entries and what is derived from them."""
        yield from self.entries
        yield from self.derived

    def _derive(self, word: str, flags: AbstractSet[str]) -> Iterator[Entry]:
        """Yield the words that prefixes, suffixes, or one of each make of an entry."""
        suffixed = [Entry(word, INFLECTION & flags)]
        for flag in flags & self._suffixes.flags:
            suffixed.extend(
                Entry(word[: len(word) - rule.strip] + rule.add, INFLECTION & rule.flags)
                for rule in self._suffixes.fitting(flag, word)
            )
        yield from suffixed[1:]
        for flag in flags & self._prefixes.flags:
            for entry in suffixed:
                for rule in self._prefixes.fitting(flag, entry.word):
                    yield Entry(rule.add + entry.word[rule.strip :], entry.flags)


def _derivations(tables: Mapping[str, Sequence[Affix]]) -> dict[str, Sequence[Affix]]:
    """Return the tables of affixes that make new entries."""
    return {flag: table for flag, table in tables.items() if flag.isascii() and flag not in INFLECTION}
