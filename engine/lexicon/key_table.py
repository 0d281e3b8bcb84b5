"""Tables by key and filters of keys, as tables.h describes them: entries are found by a random 64-bit key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MIN_FILTER_BITS = 9


def key_table(entries: NDArray[Any], keys: NDArray[np.uint64], load: float, spare: int) -> NDArray[Any]:
    """Return the table of some entries with ascending keys.

    Each entry is at its home, or in the next free slot after it. `load` is the number of entries per home;
    `spare` slots follow the last home. Raises OverflowError if the last entries do not fit there, which
    random keys never cause.
    """
    homes = max(1, int(np.ceil(len(entries) / load)))
    number = np.arange(len(entries), dtype=np.int64)
    home = ((keys >> np.uint64(32)) * np.uint64(homes) >> np.uint64(32)).astype(np.int64)
    home -= number
    place = np.maximum.accumulate(home, out=home)
    place += number
    if len(place) and place[-1] >= homes + spare - 4:
        raise OverflowError("the last entries of a table by key do not fit after their homes")
    table = np.zeros(homes + spare, entries.dtype)
    table[place] = entries
    return table


def key_filter(keys: NDArray[np.uint64], bits: int) -> NDArray[np.uint32]:
    """Return a bit set of 1 << bits bits; a bit is set if its index is the top bits of some key."""
    present = np.zeros(1 << bits, bool)
    present[keys >> np.uint64(64 - bits)] = True
    return np.packbits(present, bitorder="little").view(np.uint32)


def filter_bits(keys: int, bits_per_key: int) -> int:
    """Return the `bits` of a filter with this number of keys and at least this number of bits for each."""
    return max(_MIN_FILTER_BITS, int(np.ceil(np.log2(max(1, keys * bits_per_key)))))
