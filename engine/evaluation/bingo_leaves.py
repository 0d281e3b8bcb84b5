"""R_n, the good leaves of n tiles: those that most probably become a bingo on an empty board with a full bag.

The opponent model assumes that an opponent's leave is one of them. On an empty board only words of seven
letters are bingos, so the probability of a leave is that of drawing the rest of any septet from the full bag
without the leave.

Source: [Heuri, section 8.3].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from engine.evaluation.bingo_table import TILES, BingoCounts, bingo_table, has_bingo_table
from engine.evaluation.derived import derived, made_within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon

SIZES: Final = (1, 8, 43, 168, 407, 856, 1769)
"""The number of leaves of 0 to 6 tiles that [Heuri] takes for English."""

_VERSION: Final = 1  # of the file; change it with the contents
_opened: WeakKeyDictionary[Lexicon, Mapping[str, NDArray[Any]]] = WeakKeyDictionary()

PRINTED: Final = {
    1: "? E A I S T R N",
    2: "?? ?E ?A ?I ?O ?U ?S ?R ?N AA AE AI AS AR AN AC AT AD AL EI ES ER EN EC ET ED IO IS IR IN IC IT ID "
    "OS OR ON OC OT OD OL OM SR RN",
}
"""R_1 and R_2 as [Heuri] prints them for English, in its order."""


def bingo_probabilities(lexicon: Lexicon, size: int) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Return every leave of a size (0 to 6 tiles) that a septet contains, with its probability of a bingo.

    A leave is a key: tile codes, ascending, a byte each, the first in the highest of `size` bytes. The most
    probable come first, equal ones by key. Takes up to two seconds for a tournament list.
    """
    table = bingo_table(lexicon)
    bag = np.array(lexicon.tile_set.counts, np.int64)
    rows = (table.keys[table.septet][:, None] >> (np.arange(TILES - 1, -1, -1) * 8).astype(np.uint64)).astype(
        np.uint8
    )
    copy = np.zeros(rows.shape, np.int64)  # how many of the same tile stand before it
    for i in range(1, TILES):
        copy[:, i] = np.where(rows[:, i] == rows[:, i - 1], copy[:, i - 1] + 1, 0)
    keys, ways = [], []
    for left in combinations(range(TILES), size):
        drawn = [i for i in range(TILES) if i not in left]
        # Of equal tiles the first stay in the leave, so that each leave of a septet comes up once.
        fresh = np.ones(len(rows), bool)
        for i in drawn:
            if i + 1 in left:
                fresh &= rows[:, i] != rows[:, i + 1]
        of, number = rows[fresh], copy[fresh]
        product = np.ones(len(of))
        for i in drawn:  # C(bag - leave, drawn) of each tile, factor by factor
            nth = 1 + sum((of[:, j] == of[:, i]).astype(np.int64) for j in drawn if j < i)
            product *= (bag[of[:, i]] - number[:, i]) / nth
        shifts = (np.arange(size - 1, -1, -1) * 8).astype(np.uint64)
        keys.append((of[:, list(left)].astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64))
        ways.append(product)
    leaves, which = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.bincount(which, np.concatenate(ways), len(leaves))
    draws = 1.0
    for i in range(TILES - size):
        draws = draws * (int(bag.sum()) - size - i) / (i + 1)
    order = np.lexsort([leaves, -total])
    return leaves[order], total[order] / draws


def good_leaves(lexicon: Lexicon, size: int, count: int | None = None) -> list[tuple[bytes, float]]:
    """Return R_n: the best leaves of n = `size` tiles (0 to 6) with their probability of a bingo, best first.

    `count`: the number of leaves; the default and maximum is the number that [Heuri] takes for English. Each
    leave is tile codes, ascending. The first call computes all R_n in some seconds and writes them to a file
    (`derived`).
    """
    arrays = _opened.get(lexicon)
    if arrays is None:
        _, arrays = derived(lexicon, "good_leaves", _VERSION, partial(good_leaf_arrays, lexicon))
        _opened[lexicon] = arrays
    chosen = zip(arrays[f"keys_{size}"].tolist(), arrays[f"probabilities_{size}"].tolist(), strict=True)
    return [(key.to_bytes(size), probability) for key, probability in chosen][:count]


def bingo_tables_within(lexicon: Lexicon, seconds: float, *, leaves: bool) -> bool:
    """Wait up to `seconds` for the bingo table, and with `leaves` for all R_n; return whether they are ready.

    Another thread opens or computes them, and continues after that time.
    """
    if lexicon in _opened or (not leaves and has_bingo_table(lexicon)):
        return True
    kind, make = ("good_leaves", make_bingo_files) if leaves else ("bingos", bingo_table)
    return made_within(lexicon, kind, partial(make, lexicon), seconds)


def make_bingo_files(lexicon: Lexicon) -> None:
    """Compute the files of the bingo table and of all R_n unless they exist, so that no answer waits for
    them."""
    bingo_table(lexicon)
    good_leaves(lexicon, 0)


def good_leaf_arrays(lexicon: Lexicon) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the figures (none) and the arrays for the file of all R_n."""
    arrays: dict[str, NDArray[Any]] = {}
    for size, count in enumerate(SIZES):
        keys, probabilities = bingo_probabilities(lexicon, size)
        arrays[f"keys_{size}"], arrays[f"probabilities_{size}"] = keys[:count], probabilities[:count]
    return {}, arrays


@dataclass(frozen=True, slots=True)
class BingoFigures:
    """Hold the bingo statistics of a lexicon; leaves are spelled out, the blank as "?".

    `good_leaves`: R_n by n as (leave, probability of a bingo), best first. `only_printed`: by n, the leaves
    of the R_1 and R_2 printed in [Heuri] that are not among them; None for other alphabets than English.
    """

    counts: BingoCounts
    good_leaves: dict[int, list[tuple[str, float]]]
    only_printed: dict[int, list[str]] | None


def bingo_figures(lexicon: Lexicon) -> BingoFigures:
    """Count the septets and reduced octets of a lexicon and find its R_n; takes a few seconds."""
    letters = ("?", *lexicon.tile_set.alphabet.letters)
    good = {
        size: [("".join(letters[code] for code in leave), p) for leave, p in good_leaves(lexicon, size)]
        for size in range(len(SIZES))
    }
    missing = None
    if lexicon.tile_set.id == "english":
        missing = {
            size: [
                leave
                for leave in printed.split()
                if sorted(leave) not in [sorted(ours) for ours, _ in good[size]]
            ]
            for size, printed in PRINTED.items()
        }
    return BingoFigures(bingo_table(lexicon).counts, good, missing)
