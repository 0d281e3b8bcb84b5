"""Tiles for a language without a tile set: how many of each letter, and their values.

Both follow from how often the letters occur in the words of 2 to 8 letters. The three numbers below were
chosen on eight lists with official tile sets (docs/rules.md, *A language without tiles*).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from unicodedata import normalize

import numpy as np

from engine.errors import InvalidInput
from engine.lexicon.word_lists.word_list import read_word_list
from engine.lexicon.word_lists.word_list_text import decoded, decompressed, file_bytes, written_out
from engine.messages import Text
from engine.rules import Alphabet, TileSet

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MAX_WORD: Final = 8
"""Longer words count for nothing: a game has few of them."""

COUNT_POWER: Final = 0.7
"""Power of the share of a letter to which its tiles are in proportion: below 1 as few are rare in a game."""

VALUE_POWER: Final = 1.5
"""Power of the rarity of a letter, on a logarithmic scale from 0 to 1, that gives its value."""

TOP_VALUE: Final = 10
"""The value of the rarest letter; the most frequent one has 1."""

LATIN: Final = Alphabet([chr(code) for code in range(ord("A"), ord("Z") + 1)])


def letters_of(source: Path) -> list[str]:
    """Return the letters of a word list in upper case, those with an accent behind their plain letter.

    Raises WordListError as `read_word_list` does for a file that cannot be read.
    """
    text, _ = decoded(written_out(decompressed(file_bytes(source))), LATIN, None)
    letters = {letter for letter in set(normalize("NFC", text).upper()) if letter.isalpha()}
    return sorted(letters, key=lambda letter: (normalize("NFD", letter)[0], letter))


def suggest_tiles(source: Path, letters: Sequence[str], total: int = 100, blanks: int = 2) -> TileSet:
    """Return a tile set of `total` tiles for a word list; `letters` may be of two or three characters.

    A letter that no word of 2 to 8 letters has gets one tile of the highest value. Raises InvalidInput for
    letters that cannot be a tile set, or for fewer tiles than letters ("too_few_tiles"), WordListError as
    `read_word_list` does.
    """
    alphabet = Alphabet(letters)
    if total - blanks < alphabet.size:
        raise InvalidInput(
            Text(
                "{total} tiles with {blanks} blanks are too few for {letters} letters",
                total=total,
                blanks=blanks,
                letters=alphabet.size,
            ),
            code="too_few_tiles",
            field="count",
        )
    words = read_word_list(source, alphabet, max_length=MAX_WORD).words
    codes = words.view(np.uint8)
    found = np.bincount(codes[codes > 0], minlength=alphabet.size + 1)[1:]
    counts, values = _counts(found, total - blanks), _values(found)
    items = [{"letter": "?", "count": blanks, "value": 0}] if blanks else []
    for letter, count, value in zip(alphabet.letters, counts.tolist(), values.tolist(), strict=True):
        items.append({"letter": letter, "count": count, "value": value})
    return TileSet.from_letters(items)


def _counts(found: NDArray[np.int64], total: int) -> NDArray[np.int64]:
    """Return tiles in proportion to a power of the occurrences, at least one of each letter."""
    shares = found**COUNT_POWER
    due = total * shares / shares.sum()
    counts: NDArray[np.int64] = np.maximum(1, np.floor(due)).astype(np.int64)
    for _ in range(int(counts.sum()), total):
        counts[(due - counts).argmax()] += 1
    for _ in range(total, int(counts.sum())):
        counts[np.where(counts > 1, due - counts, np.inf).argmin()] -= 1
    return counts


def _values(found: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return values from 1 for the most frequent letter to TOP_VALUE for the rarest."""
    known = np.log(np.maximum(found, 1))
    spread = max(float(known.max() - known[found > 0].min()), 1e-9)
    rarity = np.where(found > 0, (known.max() - known) / spread, 1.0)
    values: NDArray[np.int64] = 1 + np.rint((TOP_VALUE - 1) * rarity**VALUE_POWER).astype(np.int64)
    return values
