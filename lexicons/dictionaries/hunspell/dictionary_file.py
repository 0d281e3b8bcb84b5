"""Read a dictionary file (`.dic`) of hunspell: stems with their flags.

Source: the manual page hunspell(5).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from engine.messages import Text
from lexicons.dictionaries.hunspell.affix_file import decoded_lines, fault, read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from lexicons.dictionaries.hunspell.affix_file import AffixFile
    from lexicons.dictionaries.hunspell.flags import Flags

_MORPHOLOGY = re.compile(r"\t|\s+[a-z]{2}:")  # notes on the word, such as "po:noun", follow
_FLAGS = re.compile(r"(?<=[^\\])/")
_NUMBERS = re.compile(r"(?<=[^\\])/(?=\d)")  # a slash without a number is part of the word, as in A/S


class Entry(NamedTuple):
    """A line of a dictionary file: a stem, its flags, and the number of the line from 1."""

    word: str
    flags: Flags
    line: int


def read_entries(path: Path, affixes: AffixFile) -> list[Entry]:
    """Read the entries of a dictionary file; raise WordListError naming the file and the line."""
    lines = decoded_lines(path, read_bytes(path), affixes.encoding)
    number, head = next(lines)
    if not head.split()[:1] or not head.split()[0].isdecimal():
        raise fault(path, number, Text("a dictionary begins with the number of its words"))
    before_flags = _NUMBERS if affixes.flags.numeric else _FLAGS
    entries = []
    for number, line in lines:
        text = _MORPHOLOGY.split(line, maxsplit=1)[0].strip()
        if not text:
            continue
        word, *rest = before_flags.split(text, maxsplit=1)
        try:
            flags = affixes.flags.several(rest[0].split()[0] if rest and rest[0].strip() else "")
        except (ValueError, UnicodeEncodeError) as error:
            raise fault(path, number, error) from None
        entries.append(Entry(word.replace("\\/", "/"), flags, number))
    return entries
