"""Expand the stems of a dictionary of hunspell into all their words, except compounds.

A suffix applies to the stem, a second suffix to the result if the first one allows it, and one prefix to the
front of these. The rules follow the manual page hunspell(5) and what `hunspell -l` accepts; where both differ
in cases that no dictionary contains, the stricter one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from lexicons.dictionaries.hunspell.affix_file import Affix, AffixFile
from lexicons.dictionaries.hunspell.dictionary_file import Entry, read_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from lexicons.dictionaries.hunspell.flags import Flags

PROGRESS_ENTRIES: Final = 4096
"""Progress is reported after this many entries."""


class Rule(NamedTuple):
    """An affix with its properties as the expansion asks for them."""

    flag: str
    strip: int  # characters
    add: str
    flags: Flags
    cross: bool
    needaffix: bool
    circumfix: bool


class _Suffixed(NamedTuple):
    """A stem with one or two suffixes, and the flags of the prefixes that may stand before it."""

    form: str
    prefixes: Flags
    needaffix: bool
    circumfix: bool


class Rules:
    """The affixes of one kind by flag; finds those that fit a word, remembered by its end or beginning."""

    def __init__(self, tables: Mapping[str, Sequence[Affix]], affixes: AffixFile, *, at_end: bool) -> None:
        """Prepare prefixes, or suffixes if `at_end`, of an affix file: `tables` may be some of its tables."""
        self._at_end = at_end
        self._full_strip = affixes.full_strip
        self._rules: dict[str, list[tuple[re.Pattern[str], str, list[Rule]]]] = {}
        self._widths: dict[str, int] = {}
        self._known: dict[tuple[str, str], tuple[Rule, ...]] = {}
        for flag, table in tables.items():
            groups: dict[tuple[tuple[str, ...], str], list[Rule]] = {}
            for affix in table:
                if affixes.only_in_compound not in affix.flags:
                    groups.setdefault((affix.condition, affix.strip), []).append(_rule(affix, affixes))
            self._rules[flag] = [
                (self._pattern(condition), strip, rules) for (condition, strip), rules in groups.items()
            ]
            # One character more than the rules read shows whether stripping leaves something.
            self._widths[flag] = 1 + max((max(map(len, key)) for key in groups), default=0)
        self.flags: Flags = frozenset(tables)
        """The flags of the affixes."""

    def _pattern(self, condition: tuple[str, ...]) -> re.Pattern[str]:
        text = "".join(condition)
        return re.compile(rf"{text}\Z" if self._at_end else text, re.DOTALL)

    def fitting(self, flag: str, word: str) -> tuple[Rule, ...]:
        """Return the rules of a flag that apply to a word."""
        width = self._widths[flag]
        part = word[-width:] if self._at_end else word[:width]
        found = self._known.get((flag, part))
        if found is None:
            found = self._known[flag, part] = tuple(self._find(flag, part))
        return found

    def _find(self, flag: str, part: str) -> Iterator[Rule]:
        for pattern, strip, rules in self._rules[flag]:
            stripped = part.endswith(strip) if self._at_end else part.startswith(strip)
            matches = pattern.search(part) if self._at_end else pattern.match(part)
            if stripped and matches and (self._full_strip or len(strip) < len(part)):
                yield from rules


def _rule(affix: Affix, affixes: AffixFile) -> Rule:
    return Rule(
        flag=affix.flag,
        strip=len(affix.strip),
        add=affix.add,
        flags=affix.flags,
        cross=affix.cross,
        needaffix=affixes.needaffix in affix.flags,
        circumfix=affixes.circumfix in affix.flags,
    )


class Dictionary:
    """Hold a dictionary of hunspell: its affixes and its entries."""

    def __init__(self, affixes: AffixFile, entries: Sequence[Entry]) -> None:
        self.affixes = affixes
        self.entries = entries

    @classmethod
    def open(cls, affix_file: Path, dictionary_file: Path) -> Self:
        """Read both files; raise WordListError naming the file and the line of a fault."""
        affixes = AffixFile.read(affix_file)
        return cls(affixes, read_entries(dictionary_file, affixes))

    def forms(
        self,
        *,
        entry_filter: Callable[[Entry], bool] | None = None,
        affix_filter: Callable[[Affix], bool] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Iterator[str]:
        """Yield all words, except compounds, in the spelling of the dictionary; some more than once.

        `entry_filter` and `affix_filter` say which entries and affixes to use, by default all. `progress` is
        called with the completed share, 0.0 to 1.0.
        """
        expansion = _Expansion(self.affixes, affix_filter)
        forbidden = self.affixes.forbidden
        never = {entry.word for entry in self.entries if forbidden in entry.flags}
        never.add("")  # FULLSTRIP can strip a whole word
        for index, entry in enumerate(self.entries):
            if progress is not None and index % PROGRESS_ENTRIES == 0:
                progress(index / len(self.entries))
            if forbidden not in entry.flags and (entry_filter is None or entry_filter(entry)):
                yield from expansion.words(entry.word, entry.flags) - never
        if progress is not None:
            progress(1.0)


class _Expansion:
    """Expand stems by the affixes of one file."""

    def __init__(self, affixes: AffixFile, affix_filter: Callable[[Affix], bool] | None) -> None:
        self._affixes = affixes
        self._prefixes = Rules(_filtered(affixes.prefixes, affix_filter), affixes, at_end=False)
        self._suffixes = Rules(_filtered(affixes.suffixes, affix_filter), affixes, at_end=True)
        self._suffixes_of_prefix = {
            flag: self._suffixes.flags & frozenset().union(*(affix.flags for affix in table))
            for flag, table in affixes.prefixes.items()
        }

    def words(self, stem: str, flags: Flags) -> set[str]:
        """Return every word of a stem."""
        return set(self._words(stem, flags))

    def _words(self, stem: str, flags: Flags) -> Iterator[str]:
        if self._affixes.only_in_compound in flags:
            return
        if self._affixes.needaffix not in flags:
            yield stem
        prefixes = flags & self._prefixes.flags
        for suffixed in self._suffixed(stem, flags & self._suffixes.flags, prefixes):
            if not suffixed.needaffix and not suffixed.circumfix:
                yield suffixed.form
            yield from self._prefixed(suffixed)
        for flag in prefixes:
            for prefix in self._prefixes.fitting(flag, stem):
                if not prefix.needaffix and not prefix.circumfix:
                    yield prefix.add + stem[prefix.strip :]
            yield from self._allowed_by_prefix(stem, flags, flag)

    def _suffixed(self, stem: str, flags: Flags, prefixes: Flags) -> Iterator[_Suffixed]:
        """Yield the stem with each suffix of `flags`, and with second suffixes that these allow."""
        for flag in flags:
            for first in self._suffixes.fitting(flag, stem):
                form = stem[: len(stem) - first.strip] + first.add
                before = prefixes | (first.flags & self._prefixes.flags) if first.cross else frozenset()
                yield _Suffixed(form, before, first.needaffix, first.circumfix)
                for second_flag in first.flags & self._suffixes.flags:
                    for second in self._suffixes.fitting(second_flag, form):
                        if second.circumfix:
                            continue  # hunspell looks for the other half at the first suffix
                        own = before | (second.flags & self._prefixes.flags)
                        yield _Suffixed(
                            form[: len(form) - second.strip] + second.add,
                            own if second.cross else frozenset(),
                            second.needaffix,
                            first.circumfix,
                        )

    def _prefixed(self, suffixed: _Suffixed) -> Iterator[str]:
        """Yield a suffixed word with each prefix that may stand before it and fits it."""
        for flag in suffixed.prefixes:
            for prefix in self._prefixes.fitting(flag, suffixed.form):
                yield from _joined(prefix, suffixed)

    def _allowed_by_prefix(self, stem: str, flags: Flags, prefix_flag: str) -> Iterator[str]:
        """Yield the stem with the prefixes of a flag and those suffixes that only the prefix allows."""
        for suffix_flag in self._suffixes_of_prefix[prefix_flag] - flags:
            for suffixed in self._suffixed(stem, {suffix_flag}, {prefix_flag}):
                for prefix in self._prefixes.fitting(prefix_flag, suffixed.form):
                    if suffix_flag in prefix.flags and prefix_flag in suffixed.prefixes:
                        yield from _joined(prefix, suffixed)


def _joined(prefix: Rule, suffixed: _Suffixed) -> Iterator[str]:
    """Yield the word with a prefix before a suffixed stem, if their properties allow it."""
    if (
        prefix.cross
        and prefix.circumfix == suffixed.circumfix
        and not (prefix.needaffix and suffixed.needaffix)
    ):
        yield prefix.add + suffixed.form[prefix.strip :]


def _filtered(
    tables: Mapping[str, Sequence[Affix]], affix_filter: Callable[[Affix], bool] | None
) -> dict[str, list[Affix]]:
    return {
        flag: [affix for affix in table if affix_filter is None or affix_filter(affix)]
        for flag, table in tables.items()
    }
