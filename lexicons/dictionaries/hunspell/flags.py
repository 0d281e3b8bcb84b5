"""The flags of hunspell's files: the names of affixes and properties, in one of four formats."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.errors import excerpt
from engine.messages import Text, message

if TYPE_CHECKING:
    from collections.abc import Sequence

Flags: TypeAlias = AbstractSet[str]

FORMATS: Final = ("char", "long", "num", "UTF-8")
"""One byte, two characters, numbers separated by commas, one character."""

MAX_NUMBER: Final = 65535
NO_FLAGS: Final[Flags] = frozenset()


class FlagReader:
    """Read flags in the format of one affix file; equal texts give the same set object."""

    def __init__(self, flag_format: str = "char", encoding: str = "iso-8859-1") -> None:
        self._format = flag_format
        self._encoding = encoding
        self._known: dict[str, Flags] = {"": NO_FLAGS}
        self._aliases: Sequence[Flags] = ()

    @property
    def numeric(self) -> bool:
        """Whether flags are written as numbers."""
        return self._format == "num" or bool(self._aliases)

    def use_aliases(self, aliases: Sequence[Flags]) -> None:
        """Read every text as the number, from 1, of one of these sets (the lines AF of an affix file)."""
        self._known = {"": NO_FLAGS}
        self._aliases = aliases

    def one(self, text: str) -> str:
        """Return the flag that a text starts with; raise ValueError if it is not a flag."""
        names = self._split(text)
        if not names or (len(names) > 1 and self._format != "char"):
            raise ValueError(Text("'{text}' is not one flag", text=excerpt(text)))
        return names[0]

    def several(self, text: str) -> Flags:
        """Return the set of flags that a text names; raise ValueError if it cannot be read."""
        found = self._known.get(text)
        if found is None:
            found = self._alias(text) if self._aliases else frozenset(self._split(text))
            self._known[text] = found
        return found

    def _alias(self, text: str) -> Flags:
        if not text.isdecimal() or not 1 <= int(text) <= len(self._aliases):
            template = message("'{text}' is not the number of one of the {count} lines AF")
            raise ValueError(Text(template, text=excerpt(text), count=len(self._aliases)))
        return self._aliases[int(text) - 1]

    def _split(self, text: str) -> list[str]:
        if self._format == "long":
            if len(text) % 2:
                template = message("'{text}' has an odd number of characters, but a flag has two")
                raise ValueError(Text(template, text=excerpt(text)))
            return [text[i : i + 2] for i in range(0, len(text), 2)]
        if self._format == "num":
            numbers = text.split(",")
            for number in numbers:
                if not number.isdecimal() or not 1 <= int(number) <= MAX_NUMBER:
                    template = message("'{text}' is not a flag: a number from 1 to {most}")
                    raise ValueError(Text(template, text=excerpt(number), most=MAX_NUMBER))
            return [str(int(number)) for number in numbers]
        if self._format == "UTF-8":
            return list(text)
        # hunspell reads single bytes here even in UTF-8 files, where one character can be two flags.
        return list(text.encode(self._encoding).decode("iso-8859-1"))
