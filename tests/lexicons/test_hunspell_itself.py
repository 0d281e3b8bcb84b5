"""The expander against hunspell itself, on samples of the dictionaries that are installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lexicons.dictionaries import open_lists
from lexicons.dictionaries.hunspell import Dictionary

HUNSPELL = shutil.which("hunspell")
SYSTEM = Path("/usr/share")
ENTRIES = 200
"""Entries of a sample."""

DICTIONARIES = {
    name: affixes.removesuffix(".aff")
    for name, wanted in open_lists().items()
    for affixes in wanted.sources[0].files
    if affixes.endswith(".aff")
} | {"norwegian": "nb_NO"}
PLAIN_LISTS = {
    "catalan": "catala",
    "danish": "danish",
    "dutch": "dutch",
    "french": "french",
    "german": "ngerman",
    "italian": "italian",
    "norwegian": "bokmaal",
    "portuguese": "portuguese",
    "spanish": "spanish",
    "swedish": "swedish",
}
QUICK = ("german", "spanish")


@pytest.fixture
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Write a dictionary with a sample of the entries of an installed one; return its path without suffix."""
    source = SYSTEM / "hunspell" / DICTIONARIES[request.param]
    if HUNSPELL is None or not source.with_suffix(".dic").exists():
        pytest.skip(f"hunspell or its dictionary for {request.param} is not installed")
    affixes = source.with_suffix(".aff").read_bytes()
    # hunspell would also accept compounds, which are not expanded
    affixes = re.sub(rb"(?m)^COMPOUND(FLAG|BEGIN|MIDDLE|END|LAST|RULE)\b.*\n", b"", affixes)
    lines = source.with_suffix(".dic").read_bytes().splitlines()[1:]
    chosen = lines[:: max(1, len(lines) // ENTRIES)]
    (tmp_path / "sample.aff").write_bytes(affixes)
    (tmp_path / "sample.dic").write_bytes(b"\n".join([b"%d" % len(chosen), *chosen, b""]))
    return tmp_path / "sample"


def rejected(words: set[str], dictionary: Path) -> set[str]:
    """Return the words that `hunspell -l` rejects."""
    result = subprocess.run(
        ["hunspell", "-i", "utf-8", "-d", str(dictionary), "-l"],
        input="\n".join(sorted(words)),
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    return set(result.stdout.split())


def forms(dictionary: Path) -> set[str]:
    return set(Dictionary.open(dictionary.with_suffix(".aff"), dictionary.with_suffix(".dic")).forms())


@pytest.mark.process
@pytest.mark.parametrize("sample", sorted(DICTIONARIES), indirect=True)
def test_hunspell_accepts_every_form(sample: Path) -> None:
    words = {form for form in forms(sample) if form.isalpha()}  # it would split the others
    assert len(words) > ENTRIES / 2
    assert not rejected(words, sample)


def plain_words(language: str) -> list[str]:
    """Return the words of an installed plain list; skip the test if there is none."""
    path = SYSTEM / "dict" / PLAIN_LISTS[language]
    if not path.exists():
        pytest.skip(f"the plain list {path} is not installed")
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8").split()
    except UnicodeDecodeError:
        return raw.decode("iso-8859-1").split()


@pytest.mark.process
@pytest.mark.parametrize(
    ("language", "sample"),
    [pytest.param(name, name, marks=() if name in QUICK else pytest.mark.slow) for name in PLAIN_LISTS],
    indirect=["sample"],
)
def test_no_word_of_a_plain_list_that_hunspell_accepts_is_missing(language: str, sample: Path) -> None:
    listed = plain_words(language)
    found = {form.replace("ĳ", "ij") for form in forms(sample)}  # hunspell reads both in Dutch
    beginnings = {form[:6].lower() for form in found}  # the other words cost time and are rejected
    likely = {word for word in listed if word[:6].lower() in beginnings}
    words = {word for word in likely if word.isalpha() and word[1:].islower()}
    accepted = words - rejected(words, sample)
    assert len(accepted) > ENTRIES / 4
    # a capitalized word is accepted, too, if the dictionary has it in lower case
    assert not {word for word in accepted if word not in found and word.lower() not in found}
