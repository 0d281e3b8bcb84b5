"""The open word lists of many languages: where each comes from, its licence, and which words are played.

The records are in `lexicons/open_lists.toml`, a table for each lexicon id. The files come from packages of
Debian. kibitz bundles the lists whose licence allows that; the others are built where the files are.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Self

from engine.errors import NotFound, WordListError, unknown
from engine.lexicon.catalogue import OPEN_LISTS
from engine.lexicon.lexicon import BUNDLED
from engine.lexicon.word_lists.word_list_text import file_bytes
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

RECORDS: Final = BUNDLED / OPEN_LISTS
FOLDERS: Final = (".", "usr/share/hunspell", "usr/share/dict")
"""Where the files of a package are, below the folder that contains it."""


@dataclass(frozen=True, slots=True)
class SourcePackage:
    """Name a Debian package and its files with their SHA-256 in the version that was measured.

    The files are an affix file with a dictionary, or one plain word list in `encoding`. `notice` names the
    paragraph about them in the copyright file of a package that contains many dictionaries.
    """

    package: str
    version: str
    files: Mapping[str, str]
    encoding: str = "utf-8"
    notice: str = ""


@dataclass(frozen=True, slots=True)
class WordRules:
    """Say which words of the sources are played; regular expressions must match all of their text.

    A word needs one of `vowels`, with any accent, else it is an abbreviation; those of `syllabic` count in
    words of three letters or more. Capitalized words are names; with `nouns_capitalized` only those of
    entries whose flags are all among `name_flags`. With `exact_letters`, words with other letters than those
    of the tile set are left out, else their accents are dropped. The marks that `left_out_marks` matches are
    dropped: autos for auto's.

    `skipped_affixes` matches "FLAG STRIP ADD", `skipped_flags` are flags of entries, and `skipped_words`
    matches words in lower case, such as Roman numerals. `enclitic_words` matches an entry that is another
    word (its group 1, without accents) with pronouns at its end.

    Chosen by hand, separated by blanks: `skipped_entries` are entries that are left out with all their forms,
    `added_words` are words that the sources lack, and `without_vowel` are those without a vowel that are said
    as they are written and so no abbreviations, nearly all interjections: hm, pst.
    """

    vowels: str = "aeiouyæøœĳ"
    syllabic: str = ""
    without_vowel: str = ""
    left_out_marks: str = ""
    nouns_capitalized: bool = False
    name_flags: str = ""
    exact_letters: bool = False
    skipped_affixes: str = ""
    skipped_flags: tuple[str, ...] = ()
    skipped_words: str = ""
    enclitic_words: str = ""
    skipped_entries: str = ""
    added_words: str = ""


@dataclass(frozen=True, slots=True)
class OpenList:
    """Describe an open word list; `words` and `sha256` are those of the list that its sources give.

    `bundled_under`: the licence, of those offered, under which kibitz bundles the list; "" if it may not.
    """

    id: str
    name: str
    language: str
    tile_set: str
    licence: str
    source_url: str
    words: int
    sha256: str
    sources: tuple[SourcePackage, ...]
    rules: WordRules = field(repr=False)
    bundled_under: str = ""

    @classmethod
    def of_record(cls, id: str, record: Mapping[str, Any]) -> Self:  # noqa: A002
        """Make an open list of a table of the records."""
        rules: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in record.get("rules", {}).items()
        }
        others = {name: value for name, value in record.items() if name not in ("rules", "sources")}
        return cls(
            id=id,
            tile_set=others.pop("tile_set", id),
            rules=WordRules(**rules),
            sources=tuple(SourcePackage(**source) for source in record["sources"]),
            **others,
        )


@cache
def open_lists() -> Mapping[str, OpenList]:
    """Return the open word lists by id, in alphabetical order."""
    with RECORDS.open("rb") as file:
        records = tomllib.load(file)
    return {name: OpenList.of_record(name, records[name]) for name in sorted(records)}


def open_list(name: str) -> OpenList:
    """Return the open word list with an id such as "german"; raise NotFound naming those that exist."""
    lists = open_lists()
    if name.lower() not in lists:
        raise unknown(
            Text("open word list"),
            name,
            list(lists),
            code="unknown_open_list",
            field="language",
            error=NotFound,
        )
    return lists[name.lower()]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a source that was found, with its SHA-256; `measured` if it is the version of the record."""

    path: Path
    sha256: str
    measured: bool


def find_files(wanted: OpenList, folder: Path) -> list[list[SourceFile]]:
    """Return the files of each source of a list, in the order of the record.

    They are looked for in `folder` and in its folders usr/share/hunspell and usr/share/dict. Raises
    WordListError (code "missing_source") naming the packages that contain the missing files.
    """
    found = [
        [_find(folder, name, sha256) for name, sha256 in source.files.items()] for source in wanted.sources
    ]
    missing = [
        (name, source.package)
        for source, of_source in zip(wanted.sources, found, strict=True)
        for name, file in zip(source.files, of_source, strict=True)
        if file is None
    ]
    if missing:
        packages = sorted({package for _, package in missing})
        files = [name for name, _ in missing]
        raise WordListError(
            Text(
                "{lexicon} needs {files}, not found below {folder}; to install them on Debian or Ubuntu, "
                "run: {command}",
                lexicon=wanted.id,
                files=files,
                folder=str(folder),
                command=f"apt-get install {' '.join(packages)}",
            ),
            code="missing_source",
            params={
                "lexicon": wanted.id,
                "files": files,
                "folder": str(folder),
                "packages": packages,
            },
        )
    return [[file for file in one if file is not None] for one in found]


def _find(folder: Path, name: str, sha256: str) -> SourceFile | None:
    for below in FOLDERS:
        path = folder / below / name
        if path.is_file():
            found = hashlib.sha256(file_bytes(path)).hexdigest()
            return SourceFile(path, found, found == sha256)
    return None


@cache
def pattern(text: str) -> re.Pattern[str]:
    """Compile a regular expression of the records; blanks in it are layout."""
    return re.compile(text, re.VERBOSE)
