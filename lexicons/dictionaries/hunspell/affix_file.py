"""Read an affix file (`.aff`) of hunspell: encoding, flags, prefixes and suffixes.

Source: the manual page hunspell(5). Options that concern suggestions, compounds or the conversion of input do
not change which simple words exist, and are skipped.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from engine.errors import WordListError, excerpt, message_of
from engine.lexicon.word_lists.word_list_text import file_bytes
from engine.messages import Text
from lexicons.dictionaries.hunspell.flags import FORMATS, FlagReader, Flags

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEFAULT_ENCODING: Final = "iso-8859-1"
PROPERTIES: Final = {
    "NEEDAFFIX": "needaffix",
    "PSEUDOROOT": "needaffix",  # its older name
    "CIRCUMFIX": "circumfix",
    "FORBIDDENWORD": "forbidden",
    "ONLYINCOMPOUND": "only_in_compound",
}
"""Options that give a flag a meaning, and their names in `AffixFile`."""

UNSUPPORTED: Final = ("COMPLEXPREFIXES", "IGNORE")
"""Options that change which words exist, and that no dictionary for a game in kibitz uses."""

_CONDITION = re.compile(r"\[\^?[^\[\]]+\]|[^\[\]]")


@dataclass(frozen=True, slots=True)
class Affix:
    """Describe one line PFX or SFX: remove `strip` from a word that fits `condition`, then add `add`.

    `condition` has one regular expression per character. `flags` are the properties of the result and the
    affixes that it allows in turn; `cross` says whether a prefix and a suffix may meet.
    """

    flag: str
    strip: str
    add: str
    condition: tuple[str, ...] = ()
    flags: Flags = frozenset()
    cross: bool = True


@dataclass(slots=True)
class AffixFile:
    """Hold what an affix file says about simple words; `prefixes` and `suffixes` by flag."""

    encoding: str = DEFAULT_ENCODING
    full_strip: bool = False
    needaffix: str = ""
    circumfix: str = ""
    forbidden: str = ""
    only_in_compound: str = ""
    prefixes: dict[str, list[Affix]] = field(default_factory=dict)
    suffixes: dict[str, list[Affix]] = field(default_factory=dict)
    flags: FlagReader = field(default_factory=FlagReader)

    @classmethod
    def read(cls, path: Path) -> AffixFile:
        """Read an affix file; raise WordListError (code "bad_affix_file") naming the file and the line."""
        data = read_bytes(path)
        reader = _AffixReader(path, _encoding(path, data))
        reader.read(data)
        return reader.result


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file without a UTF-8 byte-order mark; raise WordListError."""
    return file_bytes(path).removeprefix(codecs.BOM_UTF8)


def fault(path: Path, line: int, reason: str | ValueError) -> WordListError:
    """Return the error for a line, counted from 1, of a file of hunspell."""
    said = message_of(reason) if isinstance(reason, ValueError) else reason
    return WordListError(
        Text("{path}, line {line}: {reason}", path=str(path), line=line, reason=said),
        code="bad_affix_file",
    )


def decoded_lines(path: Path, data: bytes, encoding: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers from 1; raise WordListError at one that is not text."""
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            yield number, line.decode(encoding).rstrip("\r")
        except UnicodeError:
            raise fault(path, number, Text("is not text in {encoding}", encoding=encoding.upper())) from None


def _encoding(path: Path, data: bytes) -> str:
    """Return the encoding that the line SET names."""
    for number, line in enumerate(data.split(b"\n"), 1):
        words = line.split()
        if words[:1] != [b"SET"]:
            continue
        name = words[1].decode("ascii", "replace") if len(words) > 1 else ""
        try:
            encoding = codecs.lookup(name.lower().removeprefix("microsoft-")).name
            b"    ".decode(encoding)  # raises LookupError for a codec of other data, such as hex
        except (LookupError, ValueError):
            reason = Text("there is no text encoding '{encoding}'", encoding=excerpt(name))
            raise fault(path, number, reason) from None
        return encoding
    return DEFAULT_ENCODING


class _AffixReader:
    """The state while an affix file is read: the tables of affixes and of aliases have counted lines."""

    def __init__(self, path: Path, encoding: str) -> None:
        self.path = path
        self.result = AffixFile(encoding=encoding, flags=FlagReader(encoding=encoding))
        self.aliases: list[Flags] = []
        self.aliases_left: int | None = None
        self.left = 0  # lines that the table of affixes still lacks
        self.table: tuple[str, str] = ("", "")  # PFX or SFX, and its flag
        self.cross = True
        self.table_line = 0

    def read(self, data: bytes) -> None:
        lines = [
            (number, words)
            for number, text in decoded_lines(self.path, data, self.result.encoding)
            if (words := text.split()) and not words[0].startswith("#")
        ]
        # The format and the aliases of flags come first: all other lines depend on them.
        first = ("FLAG", "AF")
        for number, words in [line for line in lines if line[1][0] in first]:
            self._line(number, words)
        if self.aliases_left:
            reason = Text("{count} lines AF are missing", count=self.aliases_left)
            raise fault(self.path, lines[-1][0], reason)
        if self.aliases:
            self.result.flags.use_aliases(self.aliases)
        for number, words in [line for line in lines if line[1][0] not in first]:
            self._line(number, words)
        self._end_table()

    def _line(self, number: int, words: list[str]) -> None:
        try:
            self._option(number, *words)
        except ValueError as error:
            raise fault(self.path, number, error) from None

    def _option(self, number: int, option: str, *values: str) -> None:
        if option in ("PFX", "SFX"):
            self._affix(number, option, values)
        elif option in UNSUPPORTED:
            raise ValueError(Text("{option} is not supported", option=option))
        elif option == "FULLSTRIP":
            self.result.full_strip = True
        elif option in PROPERTIES or option in ("FLAG", "AF"):
            if not values:
                raise ValueError(Text("{option} needs a value", option=option))
            if option == "FLAG":
                self._flag_format(values[0])
            elif option == "AF":
                self._alias(values[0])
            else:
                setattr(self.result, PROPERTIES[option], self.result.flags.one(values[0]))

    def _flag_format(self, name: str) -> None:
        if name not in FORMATS:
            raise ValueError(
                Text("FLAG {name} is unknown; known: {known}", name=excerpt(name), known=list(FORMATS))
            )
        self.result.flags = FlagReader(name, self.result.encoding)

    def _alias(self, value: str) -> None:
        if self.aliases_left is None:
            self.aliases_left = _count(value)
        elif not self.aliases_left:
            raise ValueError(Text("there are more lines AF than the first one says"))
        else:
            self.aliases_left -= 1
            self.aliases.append(self.result.flags.several(value))

    def _affix(self, number: int, kind: str, values: tuple[str, ...]) -> None:
        if len(values) < 3:
            raise ValueError(Text("{kind} needs a flag, what to strip and what to add", kind=kind))
        flag = self.result.flags.one(values[0])
        if self.left == 0:
            if values[1] not in ("Y", "N"):
                raise ValueError(
                    Text(
                        "expected the head of a table: {kind} {flag}, Y or N, number of lines",
                        kind=kind,
                        flag=excerpt(values[0]),
                    )
                )
            self.table, self.cross, self.table_line = (kind, flag), values[1] == "Y", number
            self.left = _count(values[2])
            return
        if (kind, flag) != self.table:
            raise ValueError(
                Text(
                    "the table of line {line} lacks {count} of its lines, but this is a line of another",
                    line=self.table_line,
                    count=self.left,
                )
            )
        self.left -= 1
        add, _, flags = values[2].partition("/")
        condition = values[3] if len(values) > 3 and not values[3].startswith("#") else "."
        affix = Affix(
            flag,
            strip="" if values[1] == "0" else values[1],
            add="" if add == "0" else add,
            condition=_condition(condition),
            flags=self.result.flags.several(flags),
            cross=self.cross,
        )
        tables: dict[str, Any] = self.result.prefixes if kind == "PFX" else self.result.suffixes
        tables.setdefault(flag, []).append(affix)

    def _end_table(self) -> None:
        if self.left:
            reason = Text("this table lacks {count} of its lines", count=self.left)
            raise fault(self.path, self.table_line, reason)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(Text("'{text}' is not a number of lines", text=excerpt(text)))
    return int(text)


def _condition(text: str) -> tuple[str, ...]:
    """Split a condition into a regular expression per character; raise ValueError if it is unreadable."""
    if text == ".":
        return ()
    parts = _CONDITION.findall(text)
    if "".join(parts) != text:
        raise ValueError(Text("the condition '{text}' has unpaired or empty brackets", text=excerpt(text)))
    return tuple(_character(part) for part in parts)


def _character(part: str) -> str:
    if part == ".":
        return "."
    if len(part) == 1:
        return re.escape(part)
    negated = part[1] == "^"
    letters = re.escape(part[2:-1] if negated else part[1:-1])
    return f"[^{letters}]" if negated else f"[{letters}]"
