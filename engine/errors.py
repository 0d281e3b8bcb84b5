"""The errors of the engine, each with a stable code and a message that names square, tile or line.

    EngineError
    |-- InvalidInput      a text cannot be read, or a position, rack, board or rule is impossible
    |   `-- WordListError   a word list cannot be read or built
    |-- IllegalMove       the rules do not allow a move in its position
    |-- AmbiguousMove     a text fits several legal plays
    |-- NotFound          no lexicon, board, tile set or rule set has that name
    |-- MissingTable      a table file does not exist
    |-- DamagedTable      a table file fails its checks
    `-- TableNotReady     a table is still being built

The service turns each class into an HTTP status and each `Fault` into an entry of its `errors` list.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast

from engine.messages import Text, joined

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

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
    "check_known",
    "excerpt",
    "known_names",
    "message_of",
    "params_of",
    "printable",
    "quoted",
    "unknown",
]

Params: TypeAlias = Mapping[str, str | int | float | list[str] | list[int]]
"""The values in a message, by stable names. Texts of users are shortened as in the message."""

QUOTE_LIMIT = 40
"""The largest number of characters of a user's text that a message repeats."""

MESSAGE_FAULTS = 5
"""The largest number of faults that a message describes; `faults` contains all of them."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Describe one thing that is wrong: a stable code, a sentence, and the place.

    `field` is a path such as "board/7/3", "rack", "players/1/rack" or "cgp". `params` are the values in the
    sentence, so that a client can write its own; by default those of `detail`, if it is a Text.
    """

    code: str
    detail: str
    field: str = ""
    params: Params = dataclasses.field(default_factory=dict, kw_only=True, hash=False)

    def __post_init__(self) -> None:
        if not self.params:
            object.__setattr__(self, "params", params_of(self.detail))


class EngineError(Exception):
    """The parent of all errors of the engine.

    `message` can be `rendered` in other languages. `params` are by default the values in it.
    """

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
        self.message = message
        self.code = code
        self.field = field
        self.params: Params = params_of(message) if params is None else params
        self.faults: tuple[Fault, ...] = tuple(faults) or (Fault(code, message, field, params=self.params),)

    def __reduce__(self) -> tuple[object, ...]:
        """Return the parts from which pickle makes a copy in another process."""
        parts = {"code": self.code, "field": self.field, "params": self.params, "faults": self.faults}
        return _rebuilt, (type(self), self.message, parts)

    @classmethod
    def collected(cls, faults: Sequence[Fault]) -> Self:
        """Return one error for several faults; its code is theirs if all agree, else "several_faults"."""
        codes = {fault.code for fault in faults}
        fields = {fault.field for fault in faults}
        message = joined([fault.detail for fault in faults[:MESSAGE_FAULTS]], "; ")
        if len(faults) > MESSAGE_FAULTS:
            message = Text("{faults}; and {count} more", faults=message, count=len(faults) - MESSAGE_FAULTS)
        return cls(
            message,
            code=codes.pop() if len(codes) == 1 else "several_faults",
            field=fields.pop() if len(fields) == 1 else "",
            params=faults[0].params if len(faults) == 1 else {},
            faults=faults,
        )


def _rebuilt(kind: type[EngineError], message: str, parts: dict[str, Any]) -> EngineError:
    return kind(message, **parts)


class InvalidInput(EngineError):  # noqa: N818 - the name says what happened, as in the field
    """A position, rack, move, tile set or board layout is impossible, or a text cannot be read as one."""


class IllegalMove(EngineError):  # noqa: N818
    """A move can be read, but the rules do not allow it in its position."""


class AmbiguousMove(EngineError):  # noqa: N818
    """A text fits several legal moves of a position; the message lists them."""


class NotFound(EngineError):  # noqa: N818
    """No lexicon, board, tile set, rule set or generator has the name; the message lists those that exist."""


class DamagedTable(EngineError):  # noqa: N818
    """A table file fails its checks; the message says which command repairs it."""


class MissingTable(EngineError):  # noqa: N818
    """A lexicon has no table file, or the file lacks a part; the message says which command builds it."""


class TableNotReady(EngineError):  # noqa: N818
    """A table is still being built when the time of the request ends; the same request works later."""


class WordListError(InvalidInput):
    """A word list cannot be read or built; the message names the line."""


def message_of(error: Exception) -> str:
    """Return the message of an exception: a Text, which can be rendered, or a plain str."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Text) else str(error)


def params_of(message: str) -> Params:
    """Return the values in a message; a plain str has none."""
    return cast("Params", message.values) if isinstance(message, Text) else {}


def printable(text: str) -> str:
    r"""Escape characters that a terminal executes or hides: control and direction characters, surrogates.

    "\x1b[2J" becomes the six characters "\\x1b[2J". The result can always be encoded as UTF-8 and has no
    line breaks.
    """
    if text.isprintable():
        return text
    return "".join(
        [char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text]
    )


def excerpt(text: str, limit: int = QUOTE_LIMIT) -> str:
    """Return a user's text as a message repeats it: printable, and shortened to `limit` characters."""
    return printable(text[:limit]) + "..." if len(text) > limit else printable(text)


def quoted(text: str) -> str:
    """Return the excerpt of a user's text in quotation marks."""
    return f"'{excerpt(text)}'"


def unknown(
    kind: str,
    name: str,
    known: Sequence[str],
    *,
    code: str,
    field: str,
    error: type[EngineError] = InvalidInput,
) -> EngineError:
    """Return the error for a name that does not exist; the message lists those that do.

    `kind`: what has the name, such as "evaluator", a Text if it is translated.
    """
    detail = Text(
        "there is no {kind} '{name}'; {names}", kind=kind, name=excerpt(name), names=known_names(name, known)
    )
    return error(detail, code=code, field=field, params={"name": excerpt(name), "known": list(known)})


def check_known(
    kind: str,
    name: str,
    known: Collection[str],
    *,
    code: str = "",
    field: str = "",
    error: type[EngineError] = InvalidInput,
) -> None:
    """Raise the error of `unknown` for a name that is not among the known ones.

    `code`, `field`: by default "unknown_" and the kind, and the kind.
    """
    if name not in known:
        code, field = code or f"unknown_{kind}", field or kind
        raise unknown(kind, name, list(known), code=code, field=field, error=error)


def known_names(name: str, known: Sequence[str]) -> Text:
    """Return what to say after "there is no ... NAME": the names that exist, and the one most like it.

    "known: english, french (did you mean english?)".
    """
    from difflib import get_close_matches  # rarely needed, and slow to import

    close = get_close_matches(name[:QUOTE_LIMIT].lower(), known, n=1)
    if not known:
        return Text("known: none")
    if not close:
        return Text("known: {known}", known=list(known))
    return Text("known: {known} (did you mean {meant}?)", known=list(known), meant=close[0])
