"""The readings of a text as tiles, for tile sets that have tiles of several letters.

`CHICO` in Spanish is the tiles CH, I, C, O or the tiles C, H, I, C, O. Brackets decide (`[CH]ICO`,
`[C][H]ICO`). Without them a text has several readings, and its use decides:

* a board row must be as wide as the board, and a play must fit the board and the rack if it is known;
* a word of a list, and a play that fits both ways, is read with the longest tiles;
* a rack is read letter by letter, because in CGP an upper-case letter is a tile, and a tile of two characters
  is in brackets ([CGP]).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Value = TypeVar("Value")

MAX_JOINED: Final = 3
"""The largest number of characters of a tile."""
MAX_READINGS: Final = 64
"""The largest number of readings that are tried; a real word has at most four."""


def readings(
    tokens: Sequence[str], table: Mapping[str, Value], *, longest: bool
) -> Iterator[tuple[Value, ...]]:
    """Yield the readings of a text, at most MAX_READINGS of them; none if a part of it is not a tile.

    `tokens` are the characters and bracketed tiles of the text. `table` contains the value of each token,
    with tiles of several letters in brackets. If `longest`, readings with the longest tiles come first, else
    those with single letters. A tile with a "." comes last, because "." is also a tile of the board. The time
    of a reading is proportional to the text.
    """
    choices = _choices(tokens, table, longest=longest)
    if choices is None:
        return
    path: list[tuple[int, int]] = []  # the tokens where tiles begin, each with the index of its choice
    at = pick = 0
    for _ in range(MAX_READINGS):
        while at < len(tokens):
            path.append((at, pick))
            at, pick = at + choices[at][pick][0], 0
        yield tuple([choices[place][taken][1] for place, taken in path])
        while path and path[-1][1] + 1 == len(choices[path[-1][0]]):
            path.pop()
        if not path:
            return
        at, taken = path.pop()
        pick = taken + 1


def unreadable(tokens: Sequence[str], table: Mapping[str, object]) -> str:
    """Return the first token that is not part of a tile, for a text without readings."""
    furthest, reached = 0, [True] + [False] * len(tokens)
    for at, token in enumerate(tokens):
        if reached[at]:
            furthest = at
            reached[at + 1] = reached[at + 1] or token in table
            for count, _ in _joined(tokens, table, at):
                reached[at + count] = True
    return tokens[furthest]


def _choices(
    tokens: Sequence[str], table: Mapping[str, Value], *, longest: bool
) -> list[list[tuple[int, Value]]] | None:
    """List for each token the tiles (length, value) that begin there, if the rest can be read."""
    choices: list[list[tuple[int, Value]]] = [[] for _ in tokens]
    readable = [False] * len(tokens) + [True]
    for at in range(len(tokens) - 1, -1, -1):
        found = [one for one in _joined(tokens, table, at) if readable[at + one[0]]]
        if readable[at + 1] and tokens[at] in table:
            dotted = sum("." in tokens[at : at + count] for count, _ in found)
            found.insert(len(found) - dotted if longest else 0, (1, table[tokens[at]]))
        choices[at] = found
        readable[at] = bool(found)
    return choices if readable[0] else None


def _joined(tokens: Sequence[str], table: Mapping[str, Value], at: int) -> list[tuple[int, Value]]:
    """List the tiles of several letters that begin at a token: the longest first, those with "." last."""
    found: list[tuple[int, Value]] = []
    dotted: list[tuple[int, Value]] = []
    for count in range(MAX_JOINED, 1, -1):
        text = "".join(tokens[at : at + count])
        if len(text) == count and f"[{text}]" in table:  # true only if each token is one character
            (dotted if "." in text else found).append((count, table[f"[{text}]"]))
    return found + dotted
