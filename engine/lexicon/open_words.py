"""Turn the sources of an open word list into the words that are played.

The steps: expand the dictionary by its affix file, leave out what its rules exclude (names, abbreviations,
anything with other characters than letters), and fold the letters to the tile set.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine.errors import WordListError
from engine.lexicon.hunspell import Dictionary
from engine.lexicon.open_list import find_files, pattern
from engine.lexicon.word_list import WordList, file_bytes, read_word_list
from engine.rules import tile_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from engine.lexicon.hunspell import Affix, Entry
    from engine.lexicon.open_list import OpenList, SourceFile, WordRules
    from engine.lexicon.word_list import Progress
    from engine.rules import Alphabet

MAX_LENGTH: Final = 15
"""Longer words do not fit the board of these languages."""

_LINE_END: Final = 255  # no tile code


@dataclass(frozen=True, slots=True)
class OpenWords:
    """The words of an open word list: its text, the words in tile codes, and what was left out by reason."""

    text: bytes
    word_list: WordList
    omitted: Mapping[str, int]
    source: str
    measured: bool  #: whether all files are those of the versions in the record


def open_words(wanted: OpenList, folder: Path, progress: Progress | None = None) -> OpenWords:
    """Build an open word list from the files of its packages below a folder.

    `text` has one lower-case word a line, in the spelling of the tile set, sorted. `progress` is called with
    the name of a stage and the completed share. Raises WordListError if a file is missing or faulty.
    """
    alphabet = tile_set(wanted.tile_set).alphabet
    files = find_files(wanted, folder)
    omitted: Counter[str] = Counter()
    text = _source_text(wanted, files, omitted, progress)
    listed = read_word_list(text, alphabet, encoding="utf-8", max_length=MAX_LENGTH, progress=progress)
    report = listed.report
    omitted["not 2 to 15 tiles"] = report.too_short + report.too_long
    omitted["with a letter that is not on a tile"] += sum(report.unplayable.values())
    text = _spelled(listed.words, alphabet)
    return OpenWords(
        text,
        replace(listed, sha256=hashlib.sha256(text).hexdigest()),
        +omitted,
        _source(wanted, files),
        all(file.measured for found in files for file in found),
    )


def _source_text(
    wanted: OpenList,
    files: Sequence[Sequence[SourceFile]],
    omitted: Counter[str],
    progress: Progress | None,
) -> bytes:
    """Return the words of all sources that the rules admit, one a line, and count the others by reason."""
    alphabet = tile_set(wanted.tile_set).alphabet
    words: set[str] = set()
    for source, found in zip(wanted.sources, files, strict=True):
        if len(found) == 1:
            forms: Iterable[str] = _plain_words(found[0].path, source.encoding)
        else:
            forms = _expanded(wanted.rules, [file.path for file in found], progress)
        words.update(_selected(forms, wanted.rules, alphabet, omitted))
    return "\n".join(words).encode()


def _source(wanted: OpenList, files: Sequence[Sequence[SourceFile]]) -> str:
    """Say where a list comes from: the packages, and the SHA-256 of each file."""
    parts = []
    for source, found in zip(wanted.sources, files, strict=True):
        same = all(file.measured for file in found)
        version = f"{source.package} {source.version}" if same else f"{source.package}, another version"
        sums = ", ".join(f"{file.path.name} sha256 {file.sha256}" for file in found)
        parts.append(f"Debian package {version} ({sums})")
    return "; ".join(parts)


def _expanded(rules: WordRules, paths: Sequence[Path], progress: Progress | None) -> set[str]:
    """Return the forms of a dictionary, names left out."""
    affix_path, dictionary_path = paths
    if progress is not None:
        progress("read", 0.0)
    dictionary = Dictionary.open(affix_path, dictionary_path)
    names = frozenset(rules.name_flags)
    skipped = frozenset(rules.skipped_flags)
    without = pattern(rules.skipped_affixes) if rules.skipped_affixes else None

    def entry_filter(entry: Entry) -> bool:
        if not _letters(entry.word) or skipped & entry.flags:
            return False
        if entry.word[0].islower():
            return True
        return rules.nouns_capitalized and not entry.flags <= names

    def affix_filter(affix: Affix) -> bool:
        if affix.add and not _letters(affix.add):
            return False
        return without is None or not without.fullmatch(f"{affix.flag} {affix.strip or 0} {affix.add or 0}")

    forms = dictionary.forms(
        entry_filter=entry_filter,
        affix_filter=affix_filter,
        progress=None if progress is None else lambda share: progress("expand", share),
    )
    if rules.enclitic_words:
        enclitic = pattern(rules.enclitic_words)
        forms.difference_update(
            [
                entry.word
                for entry in dictionary.entries
                if (match := enclitic.fullmatch(entry.word)) and _unaccented(match[1]) in forms
            ]
        )
    return forms


def _plain_words(path: Path, encoding: str) -> Iterator[str]:
    """Yield the words of a plain list in lower case; the others are names."""
    try:
        text = file_bytes(path).decode(encoding)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise WordListError(
            f"{path}, line {line}: is not text in {encoding.upper()}",
            code="undecodable_line",
            params={"line": line, "encoding": encoding, "byte": error.start},
        ) from None
    return (word for word in text.split() if word[0].islower())


def _selected(
    forms: Iterable[str], rules: WordRules, alphabet: Alphabet, omitted: Counter[str]
) -> Iterator[str]:
    """Yield the forms that the rules admit, in lower case; count the others by reason."""
    vowels = _with_accents(rules.vowels)
    syllabic = _with_accents(rules.vowels + rules.syllabic)
    letters = frozenset("".join(alphabet.letters).lower())
    skipped = pattern(rules.skipped_words)
    for form in forms:
        word = form.lower() if rules.nouns_capitalized and form[1:].islower() else form
        if not word.islower() or not _letters(word):
            omitted["with other characters than lower-case letters"] += 1
        elif (vowels if len(word) < 3 else syllabic).isdisjoint(word):
            omitted["without a vowel"] += 1
        elif rules.exact_letters and not letters.issuperset(word):
            omitted["with a letter that is not on a tile"] += 1
        elif rules.skipped_words and skipped.fullmatch(word):
            omitted["no words, such as Roman numerals"] += 1
        else:
            yield word


def _letters(text: str) -> bool:
    """Return whether a text has only letters; the dot of the Catalan l·l is part of a letter."""
    return text.replace("·", "").isalpha()


def _spelled(words: Sequence[bytes], alphabet: Alphabet) -> bytes:
    """Return words in tile codes as text, one lower-case word a line, sorted."""
    spellings = {code: letter.lower() for code, letter in enumerate(alphabet.letters, 1)}
    text = bytes([_LINE_END]).join(words).decode("latin-1").translate(spellings | {_LINE_END: "\n"})
    return "".join([f"{line}\n" for line in sorted(text.split("\n"))]).encode()


def _with_accents(letters: str) -> frozenset[str]:
    """Return the letters and all Latin letters that are one of them with an accent."""
    latin = map(chr, range(0x250))  # the Unicode blocks up to Latin Extended-B
    return frozenset(letters).union(char for char in latin if _unaccented(char) in tuple(letters))


def _unaccented(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))
