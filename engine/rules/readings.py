"""The ways to read a text as tiles, where a tile set has tiles of several letters.

`CHICO` in Spanish is the tiles CH, I, C, O or the tiles C, H, I, C, O. Brackets say which (`[CH]ICO`,
`[C][H]ICO`); without them a text has several readings, and what is known besides decides between them:

* a board row must be as wide as the board, a play must fit the board, and the rack if it is known;
* a word of a list, and a play that could still be either, takes the longest tiles: so are word lists read;
* a rack, which nothing else decides, takes the single letters: so are racks written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Value = TypeVar("Value")

MAX_JOINED: Final = 3
"""The most characters that one tile has."""
MAX_READINGS: Final = 64
"""The most readings that are tried; a real word has no more than four."""


def readings(
    tokens: Sequence[str], table: Mapping[str, Value], *, longest: bool
) -> Iterator[tuple[Value, ...]]:
    """Yield the ways to read a text, at most MAX_READINGS of them; none if it holds what is not a tile.

    `tokens` are its characters and what stands in brackets; `table` gives the value of each token, tiles of
    several letters being there in brackets. `longest` takes the longest tiles first, else single letters. A
    tile with a "." in it, which also means a tile of the board, comes last either way. Takes steps in
    proportion to the text, for each reading.
    """
    choices = _choices(tokens, table, longest=longest)
    if choices is None:
        return
    path: list[tuple[int, int]] = []  # the tokens where tiles begin, each with the choice taken
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
    """Return the first token that belongs to no tile, of a text that has no reading."""
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
    """List for each token the tiles that begin there and leave a rest that can be read: length and value."""
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
    """List the tiles of several letters that begin at a token, the longest first, those with a "." last."""
    found: list[tuple[int, Value]] = []
    dotted: list[tuple[int, Value]] = []
    for count in range(MAX_JOINED, 1, -1):
        text = "".join(tokens[at : at + count])
        if len(text) == count and f"[{text}]" in table:  # so long only if every token is one character
            (dotted if "." in text else found).append((count, table[f"[{text}]"]))
    return found + dotted
