"""The operations of a CGP, which follow its fourth field, as names and values."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.errors import Fault, InvalidInput, excerpt
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Collection

Operations = tuple[tuple[str, str], ...]

MAX_CGP: Final = 8192
"""Maximum length of a CGP in characters; a full board of 26 x 26 is shorter."""
MAX_VALUE: Final = 1000
FIELDS: Final = 4
"""The number of fields before the operations: board, racks, scores, zero turns."""

# The operations that the format defines, and the extensions of kibitz. Each needs a value, and may occur
# once.
DEFINED: Final = frozenset(
    [
        *("lex", "ld", "bdn", "var", "bb", "etl", "mcnz", "cr", "tmr", "lm", "gid", "ti", "to", "oru"),
        *("rules", "ending", "passes_each", "zero_turns_need_points", "bingo_tiles", "rack_size"),
    ]
)

NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}\Z")
OPTION: Final = re.compile(r"(?:^|\s)-(?=[a-z])")
UNWRITABLE: Final = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x9f\ud800-\udfff]")


def read_operations(text: str) -> Operations:
    """Return the operations of a CGP as (name, value) pairs, without reading its board.

    They say which lexicon and tile set the rest of the text needs. Both "name value;" and the dialect
    "-name value" are read. Raises InvalidInput.
    """
    if len(text) > MAX_CGP:
        raise InvalidInput(
            Text("a CGP has at most {most} characters", most=MAX_CGP),
            code="cgp_too_long",
            field="cgp",
        )
    fields = text.split(None, FIELDS)
    return split_operations(fields[FIELDS]) if len(fields) > FIELDS else ()


def without_operations(text: str, names: Collection[str]) -> str:
    """Return a CGP without the operations of these names; raise InvalidInput as `read_operations`."""
    operations = read_operations(text)
    if not any(name in names for name, _ in operations):
        return text
    others = [f"{name} {value};" for name, value in operations if name not in names]
    return " ".join([*text.split(None, FIELDS)[:FIELDS], *others])


def unknown_operations(operations: Operations) -> list[str]:
    """List the names, each once, that neither the format nor kibitz defines."""
    return [name for name in dict(operations) if name not in DEFINED]


@lru_cache(maxsize=64)  # one request reads them three times
def split_operations(text: str) -> Operations:
    """Split "lex NWL20; bb 40;" and "-lex NWL20 -bb 40" into (name, value) pairs; raise InvalidInput."""
    if UNWRITABLE.search(text):
        raise InvalidInput(
            Text("the operations of the CGP contain a control character or a lone surrogate"),
            code="bad_operation",
            field="cgp",
        )
    faults: list[Fault] = []
    pairs: list[tuple[str, str]] = []
    for chunk in text.split(";"):
        for part in OPTION.split(chunk) if chunk.lstrip().startswith("-") else (chunk,):
            if part.strip():
                pairs.append(_pair(part, faults))
    names = [name for name, _ in pairs]
    faults += [
        Fault("operation_twice", Text("the operation {name} is given twice", name=name), "cgp")
        for name in sorted(DEFINED)
        if names.count(name) > 1
    ]
    if faults:
        raise InvalidInput.collected(faults)
    return tuple(pairs)


def _pair(part: str, faults: list[Fault]) -> tuple[str, str]:
    name, *words = part.split()
    value = " ".join(words)
    if not NAME.match(name):
        detail = Text("'{name}' is not a name of a CGP operation", name=excerpt(name))
        faults.append(Fault("bad_operation", detail, "cgp"))
    elif not value and name in DEFINED:
        detail = Text("the operation {name} has no value", name=name)
        faults.append(Fault("operation_without_value", detail, "cgp"))
    elif len(value) > MAX_VALUE:
        detail = Text(
            "the value of the operation {name} is longer than {most} characters", name=name, most=MAX_VALUE
        )
        faults.append(Fault("bad_operation", detail, "cgp"))
    return name, value
