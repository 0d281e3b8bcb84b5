"""Read the entries of hunspell-es, and those that its affixes derive from them, for `label_spanish.py`.

An affix flag of the dictionary is one of three kinds. Inflection: R, E, I and X mark conjugated verbs, D a
participle, S a plural, G a feminine form; the generator of kibitz inflects by itself. Derivation: prefixes
(des-, re-, ...) and suffixes with a plural (-ción, -ble, ...) make new entries. Enclitic pronouns (all flags
beyond ASCII) are ignored, because darme and dámelo are no words of the game.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERB_FLAGS: Final = frozenset("REIX")
PARTICIPLE: Final = "D"
PLURAL: Final = "S"
FEMININE: Final = "G"
INFLECTION: Final = VERB_FLAGS | {PARTICIPLE, PLURAL, FEMININE}

_RULE: Final = re.compile(r"(PFX|SFX) (\S) (\S+)\s+(\S+)\s+(\S+)")
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


@dataclass(frozen=True, slots=True)
class _Affix:
    strip: str
    add: str
    condition: re.Pattern[str]
    flags: frozenset[str]


class Dictionary:
    """Hold the entries of hunspell-es: `entries` as they stand, `derived` those of its derivations.

    Words with capitals, digits or hyphens (names, abbreviations) are left out, and so are the letters and
    abbreviations without a vowel.
    """

    def __init__(self, folder: Path) -> None:
        self._prefixes: dict[str, list[_Affix]] = defaultdict(list)
        self._suffixes: dict[str, list[_Affix]] = defaultdict(list)
        for line in (folder / "es_ES.aff").read_text("utf-8").splitlines():
            if (rule := _RULE.match(line)) and rule[2].isascii() and not rule[4].isdigit():
                self._read_rule(*rule.groups())
        self.entries: list[Entry] = []
        self.derived: list[Entry] = []
        for line in (folder / "es_ES.dic").read_text("utf-8").splitlines()[1:]:
            word, _, flags = line.strip().partition("/")
            if _WORD.fullmatch(word) and re.search("[aeiouáéíóúüy]", word):
                self.entries.append(Entry(word, frozenset(flags) & INFLECTION))
                self.derived.extend(self._derive(word, frozenset(flags)))

    def all_entries(self) -> Iterator[Entry]:
        """Yield the entries and what is derived from them."""
        yield from self.entries
        yield from self.derived

    def _read_rule(self, kind: str, flag: str, strip: str, add: str, condition: str) -> None:
        text, _, flags = add.partition("/")
        strip = "" if strip == "0" else strip
        text = "" if text == "0" else text
        if kind == "PFX":
            self._prefixes[flag].append(_Affix(strip, text, re.compile(condition), frozenset(flags)))
        elif flag not in INFLECTION:
            self._suffixes[flag].append(
                _Affix(strip, text, re.compile(f"(?:{condition})$"), frozenset(flags))
            )

    def _derive(self, word: str, flags: frozenset[str]) -> Iterator[Entry]:
        """Yield the words that prefixes, suffixes, or one of each make of an entry."""
        inflection = flags & INFLECTION
        suffixed = [Entry(word, inflection)]
        for flag in flags & self._suffixes.keys():
            suffixed.extend(
                Entry(word[: len(word) - len(affix.strip)] + affix.add, affix.flags & INFLECTION)
                for affix in self._suffixes[flag]
                if affix.condition.search(word) and word.endswith(affix.strip)
            )
        yield from suffixed[1:]
        for flag in flags & self._prefixes.keys():
            for affix in self._prefixes[flag]:
                for entry in suffixed:
                    if affix.condition.match(entry.word) and entry.word.startswith(affix.strip):
                        yield Entry(affix.add + entry.word[len(affix.strip) :], entry.flags)
