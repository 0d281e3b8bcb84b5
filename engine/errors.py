"""The errors of the engine: one parent and its children, each with a stable code.

A message is one plain sentence that names the square, tile or line at fault. The service
turns each class into an HTTP status and each `Fault` into one entry of its `errors` list.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "AmbiguousMove",
    "DamagedTable",
    "EngineError",
    "Fault",
    "IllegalMove",
    "InvalidInput",
    "MissingTable",
    "NotFound",
    "TableNotReady",
    "WordListError",
    "excerpt",
    "printable",
    "quoted",
]

Params: TypeAlias = Mapping[str, str | int | float | list[str] | list[int]]
"""The values that a message names, by stable names; texts of users are cut as in the message."""

QUOTE_LIMIT = 40
"""The most characters of foreign text that a message repeats."""

MESSAGE_FAULTS = 5
"""The most faults whose details are joined into one message; `faults` still holds them all."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Name one thing that is wrong: a stable code, a sentence, and where it stands.

    `field` is a path in engine terms, such as "board/7/3", "rack", "players/1/rack" or "cgp". `params` are
    the values that the sentence names, so that a client can say it in another language.
    """

    code: str
    detail: str
    field: str = ""
    params: Params = dataclasses.field(default_factory=dict, kw_only=True, hash=False)


class EngineError(Exception):
    """Report what the engine refuses or cannot do; the parent of all its errors."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        field: str = "",
        params: Params | None = None,
        faults: Sequence[Fault] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.params: Params = params or {}
        self.faults: tuple[Fault, ...] = tuple(faults) or (Fault(code, message, field, params=self.params),)

    @classmethod
    def collected(cls, faults: Sequence[Fault]) -> Self:
        """Make one error out of several faults; its code is theirs if they agree, else "several_faults"."""
        codes = {fault.code for fault in faults}
        fields = {fault.field for fault in faults}
        message = "; ".join(fault.detail for fault in faults[:MESSAGE_FAULTS])
        if len(faults) > MESSAGE_FAULTS:
            message += f"; and {len(faults) - MESSAGE_FAULTS} more"
        return cls(
            message,
            code=codes.pop() if len(codes) == 1 else "several_faults",
            field=fields.pop() if len(fields) == 1 else "",
            params=faults[0].params if len(faults) == 1 else None,
            faults=faults,
        )


class InvalidInput(EngineError):  # noqa: N818 - the name says what happened, as in the field
    """Refuse an impossible position, rack, move, tile set or layout, or a text that is none of these."""


class IllegalMove(EngineError):  # noqa: N818
    """Refuse a move that can be read, but that the rules do not allow in its position."""


class AmbiguousMove(EngineError):  # noqa: N818
    """Refuse a text that stands for several legal moves of a position; the message lists them."""


class NotFound(EngineError):  # noqa: N818
    """Refuse the name of a lexicon, board, tile set, rule set or generator that does not exist."""


class DamagedTable(EngineError):  # noqa: N818
    """Refuse a table file that fails its checks; the message says which command repairs it."""


class MissingTable(EngineError):  # noqa: N818
    """Report that a known lexicon has no table yet; the message says which command builds it."""


class TableNotReady(EngineError):  # noqa: N818
    """Report that a table is being made, and was not ready within the time of the request; ask again."""


class WordListError(EngineError):
    """Refuse a word list that cannot be read; the message names the line."""


def printable(text: str) -> str:
    r"""Escape what a terminal would obey or hide: control characters, bidirectional overrides, surrogates.

    "\x1b[2J" becomes the six characters "\\x1b[2J". The result can always be encoded as UTF-8 and has no
    line breaks.
    """
    if text.isprintable():
        return text
    return "".join(
        [char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text]
    )


def excerpt(text: str, limit: int = QUOTE_LIMIT) -> str:
    """Return foreign text as a message repeats it: printable, and cut after `limit` characters."""
    return printable(text[:limit]) + "..." if len(text) > limit else printable(text)


def quoted(text: str, limit: int = QUOTE_LIMIT) -> str:
    """Return the excerpt of foreign text in quotation marks."""
    return f"'{excerpt(text, limit)}'"
