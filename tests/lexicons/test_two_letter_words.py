"""The two-letter words of the open lists, compared with a list that another program made."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.rules import tile_set
from lexicons.dictionaries import open_list, open_lists, open_words

if TYPE_CHECKING:
    from lexicons.dictionaries import OpenList

SYSTEM = Path("/usr/share")
LANGUAGES = sorted(open_lists().keys() - {"german", "spanish"})  # the file lacks these two
QUICK = ("dutch", "french", "portuguese")
ROMAN = {"portuguese": {"II", "IV", "IX"}, "danish": {"II", "IV", "IX"}, "romanian": {"IV", "IX", "XI"}}
FLAGGED = {"dutch": {"OV", "UV"}}
"""Words with the flag KEEPCASE, which the other program left out."""
BY_BLANK = {"italian": {"BY", "EX", "OK"}, "romanian": {"OK"}}
"""Words with a letter that only a blank can be, which the other program left out."""
MAX_STEM = {"french": 7}
"""The length of the longest stem with a form of two letters, where it is more than 5 (pouvoir, pu)."""


def expected_words(path: Path, code: str) -> tuple[list[str], str]:
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
    expected, end = expected_words(path, open_list(language).language)
    built = open_words(open_list(language), short_stems(open_list(language), tmp_path))
    vowels = "AEIOUYÆØR" if language == "slovene" else "AEIOUYÆØ"
    abbreviations = {word for word in expected if not set(unicodedata.normalize("NFD", word)) & set(vowels)}
    alphabet = tile_set(open_list(language).tile_set).alphabet
    pairs = {alphabet.word(word) for word in built.word_list.words if len(word) == 2}
    left_out = abbreviations | ROMAN.get(language, set())
    added = FLAGGED.get(language, set()) | BY_BLANK.get(language, set())
    assert {word for word in pairs if word < end} == set(expected) - left_out | added
