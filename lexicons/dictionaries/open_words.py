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

import numpy as np

from engine.errors import WordListError
from engine.lexicon.word_lists.word_list import WordCollector, WordList
from engine.lexicon.word_lists.word_list_text import file_bytes
from engine.messages import Text
from engine.rules import tile_set
from lexicons.dictionaries.distinct import PARTS, distinct_lines
from lexicons.dictionaries.hunspell import Dictionary
from lexicons.dictionaries.open_list import find_files, pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon.word_lists.word_list import Progress
    from engine.rules import Alphabet
    from lexicons.dictionaries.hunspell import Affix, Entry
    from lexicons.dictionaries.open_list import OpenList, SourceFile, WordRules

MAX_LENGTH: Final = 15
"""Longer words do not fit the board of these languages."""

# Why words are left out.
_CHARACTERS: Final = Text("with other characters than lower-case letters")
_LENGTH: Final = Text("not 2 to 15 tiles")
_NO_TILE: Final = Text("with a letter that is not on a tile")
_NO_VOWEL: Final = Text("without a vowel")
_NO_WORD: Final = Text("no words, such as Roman numerals")

_DOT: Final = "·"  # part of a letter, the Catalan l·l
_MARKS: Final = f"{_DOT}'-"  # the others are left out in some languages
_LINE_END: Final = b"\xff"  # no tile code
_WORDS_AT_A_TIME: Final = 1 << 16  # as Python objects, which take a hundred bytes each


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
    collector = WordCollector(alphabet, MAX_LENGTH)
    if progress is not None:
        progress("read", 0.0)
    for number, words in enumerate(distinct_lines(_source_words(wanted, files, omitted, progress))):
        collector.add([*words])
        if progress is not None:
            progress("spell", number / PARTS)
    listed = collector.word_list("", "utf-8")
    report = listed.report
    omitted[_LENGTH] = report.too_short + report.too_long
    omitted[_NO_TILE] += sum(report.unplayable.values())
    text = _spelled(listed.words, alphabet)
    return OpenWords(
        text,
        replace(listed, sha256=hashlib.sha256(text).hexdigest()),
        +omitted,
        _source(wanted, files),
        all(file.measured for found in files for file in found),
    )


def _source_words(
    wanted: OpenList,
    files: Sequence[Sequence[SourceFile]],
    omitted: Counter[str],
    progress: Progress | None,
) -> Iterator[str]:
    """Yield the words of all sources that the rules admit, and count the others by reason."""
    alphabet = tile_set(wanted.tile_set).alphabet
    for source, found in zip(wanted.sources, files, strict=True):
        if len(found) == 1:
            forms = _plain_words(wanted.rules, found[0].path, source.encoding)
        else:
            forms = _expanded(wanted.rules, [file.path for file in found], progress)
        for part in distinct_lines(forms):
            yield from _selected(part, wanted.rules, alphabet, omitted)
    yield from wanted.rules.added_words.split()


def _source(wanted: OpenList, files: Sequence[Sequence[SourceFile]]) -> str:
    """Say where a list comes from: the packages, and the SHA-256 of each file."""
    parts = []
    for source, found in zip(wanted.sources, files, strict=True):
        same = all(file.measured for file in found)
        version = f"{source.package} {source.version}" if same else f"{source.package}, another version"
        sums = ", ".join(f"{file.path.name} sha256 {file.sha256}" for file in found)
        parts.append(f"Debian package {version} ({sums})")
    return "; ".join(parts)


def _expanded(rules: WordRules, paths: Sequence[Path], progress: Progress | None) -> Iterator[str]:
    """Yield the forms of a dictionary except names; some forms come more than once."""
    affix_path, dictionary_path = paths
    dictionary = Dictionary.open(affix_path, dictionary_path)
    names = frozenset(rules.name_flags)
    skipped = frozenset(rules.skipped_flags)
    by_hand = frozenset(rules.skipped_entries.split())
    without = pattern(rules.skipped_affixes) if rules.skipped_affixes else None
    marks = _MARKS if rules.left_out_marks else _DOT

    def entry_filter(entry: Entry) -> bool:
        if not _letters(entry.word, marks) or skipped & entry.flags or entry.word in by_hand:
            return False
        if entry.word[0].islower():
            return True
        return rules.nouns_capitalized and not entry.flags <= names

    def affix_filter(affix: Affix) -> bool:
        if affix.add and not _letters(affix.add, marks):
            return False
        return without is None or not without.fullmatch(f"{affix.flag} {affix.strip or 0} {affix.add or 0}")

    forms = dictionary.forms(
        entry_filter=entry_filter,
        affix_filter=affix_filter,
        progress=None if progress is None else lambda share: progress("expand", share),
    )
    return _without_enclitics(forms, dictionary, rules) if rules.enclitic_words else forms


def _without_enclitics(forms: Iterator[str], dictionary: Dictionary, rules: WordRules) -> Iterator[str]:
    """Yield the forms except those entries that are another form with pronouns at its end."""
    enclitic = pattern(rules.enclitic_words)
    hosts = {
        entry.word: _unaccented(match[1])
        for entry in dictionary.entries
        if (match := enclitic.fullmatch(entry.word))
    }
    known = frozenset(hosts.values()).union(hosts)
    found: set[str] = set()
    for form in forms:
        if form in known:
            found.add(form)
        if form not in hosts:
            yield form
    yield from (word for word, host in hosts.items() if word in found and host not in found)


def _plain_words(rules: WordRules, path: Path, encoding: str) -> Iterator[str]:
    """Yield the words of a plain list in lower case, without skipped entries; the others are names."""
    try:
        text = file_bytes(path).decode(encoding)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise WordListError(
            Text(
                "{path}, line {line}: is not text in {encoding}",
                path=str(path),
                line=line,
                encoding=encoding.upper(),
            ),
            code="undecodable_line",
            params={"line": line, "encoding": encoding, "byte": error.start},
        ) from None
    by_hand = frozenset(rules.skipped_entries.split())
    return (word for word in text.split() if word[0].islower() and word not in by_hand)


def _selected(
    forms: Iterable[str], rules: WordRules, alphabet: Alphabet, omitted: Counter[str]
) -> Iterator[str]:
    """Yield the forms that the rules admit, in lower case; count the others by reason."""
    vowels = _with_accents(rules.vowels)
    syllabic = _with_accents(rules.vowels + rules.syllabic)
    letters = frozenset("".join(alphabet.letters).lower())
    spoken = frozenset(rules.without_vowel.split())
    skipped = pattern(rules.skipped_words)
    marks = pattern(rules.left_out_marks) if rules.left_out_marks else None
    for form in forms:
        written = form.lower() if rules.nouns_capitalized and form[1:].islower() else form
        word = written if marks is None else marks.sub("", written)
        if not word.islower() or not _letters(word):
            omitted[_CHARACTERS] += 1
        elif word not in spoken and (vowels if len(word) < 3 else syllabic).isdisjoint(word):
            omitted[_NO_VOWEL] += 1
        elif rules.exact_letters and not letters.issuperset(word):
            omitted[_NO_TILE] += 1
        elif rules.skipped_words and skipped.fullmatch(written):
            omitted[_NO_WORD] += 1
        else:
            yield word


def _letters(text: str, marks: str = _DOT) -> bool:
    """Return whether a text has only letters and `marks`."""
    for mark in marks:
        text = text.replace(mark, "")
    return text.isalpha()


def _spelled(words: NDArray[np.bytes_], alphabet: Alphabet) -> bytes:
    """Return words in tile codes as text, one lower-case word a line, sorted."""
    spellings = {code: letter.lower() for code, letter in enumerate(alphabet.letters, 1)}
    # One byte for each character, in the order of the characters, so that sorting bytes sorts text.
    characters = dict(enumerate(sorted(set("".join(spellings.values()))), 1))
    byte_of = {character: chr(byte) for byte, character in characters.items()}
    bytes_of = {code: "".join(map(byte_of.__getitem__, spelling)) for code, spelling in spellings.items()}
    found = [
        np.array(_translated(part, bytes_of).encode("latin-1").split(_LINE_END)) for part in _parts(words)
    ]
    text_of = characters | {_LINE_END[0]: "\n"}
    return b"".join(
        [f"{_translated(part, text_of)}\n".encode() for part in _parts(np.sort(np.concatenate(found)))]
    )


def _parts(words: NDArray[np.bytes_]) -> list[NDArray[np.bytes_]]:
    return np.array_split(words, -(-len(words) // _WORDS_AT_A_TIME))


def _translated(words: NDArray[np.bytes_], table: Mapping[int, str]) -> str:
    """Join words by _LINE_END, and translate their bytes."""
    return _LINE_END.join(words.tolist()).decode("latin-1").translate(table)


def _with_accents(letters: str) -> frozenset[str]:
    """Return the letters and all Latin letters that are one of them with an accent."""
    latin = map(chr, range(0x250))  # the Unicode blocks up to Latin Extended-B
    return frozenset(letters).union(char for char in latin if _unaccented(char) in tuple(letters))


def _unaccented(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))
