"""The two-letter words of the open lists, compared with those that others list."""

from __future__ import annotations

import lzma
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.lexicon.lexicon import BUNDLED
from engine.lexicon.word_lists.front_coding import front_decoded
from engine.rules import tile_set
from lexicons.dictionaries import open_list, open_lists, open_words

if TYPE_CHECKING:
    from lexicons.dictionaries import OpenList

SYSTEM = Path("/usr/share")
LANGUAGES = sorted(open_lists().keys() - {"german", "spanish"})  # the file lacks these two
QUICK = ("dutch", "french", "portuguese")
ROMAN = {"portuguese": {"II", "IV", "IX"}, "danish": {"II", "IV", "IX"}, "romanian": {"IV", "IX", "XI"}}
BY_HAND = {"french": {"AB", "AC", "AD", "AE", "AL", "AV", "ED", "ID", "OE", "OP", "QU"}}
"""Words that are left out by hand."""
OFFICIAL_FRENCH = """
    AA AH AI AN AS AU AY BA BE BI BU CA CE CI DA DE DO DU EH EN ES ET EU EX FA FI GO HA HE HI HO IF IL IN JE
    KA LA LE LI LU MA ME MI MU NA NE NI NO NU OC OH OM ON OR OS OU PI PU QI RA RE RI RU SA SE SI SU TA TE TO
    TU UD UN US UT VA VE VS VU WU XI
"""
"""The two-letter words of L'Officiel du Scrabble, as lexicons/SOURCES.md found them."""
BY_BLANK = {"italian": {"BY", "EX", "OK"}, "romanian": {"OK"}}
"""Words with a letter that only a blank can be, which the other program left out."""
MAX_STEM = {"french": 7}
"""The length of the longest stem with a form of two letters, where it is more than 5 (pouvoir, pu)."""


def expected_words(path: Path, wanted: OpenList) -> tuple[set[str], str]:
    """Return the words of a list by the file and its rules, and what follows if the file has not all."""
    listed, end = listed_words(path, wanted.language)
    vowels = "AEIOUYÆØR" if wanted.id == "slovene" else "AEIOUYÆØ"
    abbreviations = {word for word in listed if not set(unicodedata.normalize("NFD", word)) & set(vowels)}
    chosen = f"{wanted.rules.without_vowel} {wanted.rules.added_words}".upper().split()
    left_out = abbreviations | ROMAN.get(wanted.id, set()) | BY_HAND.get(wanted.id, set())
    added = {word for word in chosen if len(word) == 2} | BY_BLANK.get(wanted.id, set())
    return {word for word in set(listed) - left_out | added if word < end}, end


def listed_words(path: Path, code: str) -> tuple[list[str], str]:
    """Return the words of a language in the file, and the first word after them, if the file has not all."""
    program = {"nb": "wnorwegian", "it": "noclitic"}.get(code, "hunspell")
    found = re.search(
        rf"^{code} {program}: .*? two: \d+ (?:dropped .*\n +)?(.*)$", path.read_text("utf-8"), re.M
    )
    assert found is not None
    words = found[1].split()
    if words[-1] != "...":
        return words, "\U0010ffff"
    return words[:-1], words[-2] + "\0"


def short_stems(wanted: OpenList, folder: Path) -> Path:
    """Write the installed files of a list with their short stems only; skip the test if one is missing."""
    longest = MAX_STEM.get(wanted.id, 5)
    for name in wanted.sources[0].files:
        found = [path for path in (SYSTEM / "hunspell" / name, SYSTEM / "dict" / name) if path.exists()]
        if not found:
            pytest.skip(f"{name} is not installed")
        data = found[0].read_bytes()
        if not name.endswith(".aff"):
            first, *lines = data.split(b"\n")
            short = [line for line in lines if len(re.split(rb"[/\t ]", line, maxsplit=1)[0]) <= longest]
            data = b"\n".join([first, *short])
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize(
    "language",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in LANGUAGES],
)
def test_two_letter_words(language: str, shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "open_lists" / "two_letter_lists.txt"
    if not path.exists():
        pytest.skip("needs open_lists/two_letter_lists.txt of ../shared/data")
    wanted = open_list(language)
    expected, end = expected_words(path, wanted)
    built = open_words(wanted, short_stems(wanted, tmp_path))
    alphabet = tile_set(wanted.tile_set).alphabet
    pairs = {alphabet.word(word) for word in built.word_list.words if len(word) == 2}
    assert {word for word in pairs if word < end} == expected


def bundled_words(language: str) -> set[str]:
    packed = (BUNDLED / language / "words.front.xz").read_bytes()
    return set(front_decoded(lzma.decompress(packed)).decode().upper().split())


@pytest.mark.long
def test_the_two_letter_words_of_french_are_the_official_ones() -> None:
    assert len(OFFICIAL_FRENCH.split()) == 81
    assert {word for word in bundled_words("french") if len(word) == 2} == set(OFFICIAL_FRENCH.split())


@pytest.mark.long
def test_the_words_of_two_tiles_of_spanish_are_those_of_file_2017(shared_data: Path) -> None:
    path = shared_data / "lexica" / "file2017.txt"
    if not path.exists():
        pytest.skip("needs lexica/file2017.txt of ../shared/data")
    official, ours = (
        {word for word in words if len(re.sub("CH|LL|RR", "1", word)) == 2}
        for words in (path.read_text("utf-8").split(), bundled_words("spanish"))
    )
    assert ours == official
