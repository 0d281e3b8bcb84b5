"""The words of a list, sorted for comparison with another list."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from engine.errors import InvalidInput
from engine.lexicon.queries.word_arrays import codes_of_length, spelled
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from engine.lexicon.lexicon import Lexicon
    from engine.lexicon.word_lists.word_list import WordList
    from engine.rules import TileSet


@dataclass(frozen=True, slots=True)
class ComparedList:
    """Hold the words of a list for a comparison: a sorted array for each length in tiles.

    `max_length` is the length, in tiles, of the longest words that the list could have.
    """

    id: str
    sha256: str
    tile_set: TileSet
    max_length: int
    words: Mapping[int, NDArray[np.bytes_]] = field(repr=False, compare=False)

    @classmethod
    def of_lexicon(cls, lexicon: Lexicon) -> ComparedList:
        """Return the words of an open lexicon; they are sorted once."""
        if (known := _of_lexicons.get(lexicon)) is not None:
            return known
        lengths = range(2, lexicon.max_length + 1)
        words = {n: np.sort(spelled(codes_of_length(lexicon, n))) for n in lengths}
        capacity: int = lexicon.kernels.tables.SIDE_CAPACITY
        listed = cls(lexicon.id, lexicon.sha256, lexicon.tile_set, capacity, words)
        return _of_lexicons.setdefault(lexicon, listed)

    @classmethod
    def of_word_list(cls, words: WordList, id: str, tile_set: TileSet, max_length: int) -> ComparedList:  # noqa: A002
        """Return the words of a list that was read from a file, with up to `max_length` tiles."""
        lengths = np.char.str_len(words.words)
        arrays = {n: words.words[lengths == n].astype(f"S{n}") for n in np.unique(lengths).tolist()}
        return cls(id, words.sha256, tile_set, max_length, arrays)

    def of_length(self, length: int) -> NDArray[np.bytes_]:
        """Return the sorted words of a length in tiles."""
        return self.words.get(length, np.zeros(0, f"S{length}"))


_of_lexicons: WeakKeyDictionary[Lexicon, ComparedList] = WeakKeyDictionary()


def check_same_tiles(old: ComparedList, new: ComparedList | Lexicon, field: str) -> None:
    """Raise InvalidInput (code "tile_set_mismatch") for lists of different tile sets."""
    if old.tile_set != new.tile_set:
        raise InvalidInput(
            Text(
                "{old} and {new} cannot be compared: their tile sets differ "
                "({old_tile_set} and {new_tile_set})",
                old=old.id,
                new=new.id,
                old_tile_set=old.tile_set.id,
                new_tile_set=new.tile_set.id,
            ),
            code="tile_set_mismatch",
            field=field,
        )
