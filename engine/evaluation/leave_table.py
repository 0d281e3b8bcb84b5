"""Leave tables: the learned value of the tiles left in the rack, for every multiset of one to six tiles.

Source: [Heuri, section 4.2.2].
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import MissingTable
from engine.evaluation.learned import find_learned, learned_meta
from engine.evaluation.leave_ranks import LEAVE_TILES, LeaveRanks, leave_ranks
from engine.lexicon.store import write_table_file
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.rules import TileSet

KIND: Final = "leaves"
VERSION: Final = 1
LARGEST: Final = 327.67
"""Points: the largest value, since values are stored as hundredths of a point in 16 bits."""


class LeaveTable:
    """Hold the values of all leaves of a tile set, learned with one word list.

    `values`: hundredths of points by rank (`leave_ranks`), 0 for the empty leave; `plain`: the same for a
    player who never plays a bingo, for the evaluator "combined"; `plain_mean`: the average points of a turn
    of such a player; `errors`: standard errors, in hundredths; `racks`: how many racks each value was
    learned from. All but `values` may be missing.
    """

    def __init__(
        self,
        tile_set: TileSet,
        values: NDArray[np.int16],
        *,
        meta: Mapping[str, Any],
        plain: NDArray[np.int16] | None = None,
        errors: NDArray[np.uint16] | None = None,
        racks: NDArray[np.uint32] | None = None,
        name: str = "",
        own: bool = True,
    ) -> None:
        self.ranks: LeaveRanks = leave_ranks(tile_set)
        self.tile_set = tile_set
        self.values = values
        self.plain = plain
        self.errors = errors
        self.racks = racks
        self.meta = meta
        self.name = name
        self.own = own
        if any(
            array is not None and len(array) != len(self.ranks) for array in (values, plain, errors, racks)
        ):
            raise ValueError(f"a table of {tile_set.id} has {len(self.ranks)} leaves")

    @classmethod
    def of_named(cls, tile_set: TileSet, named: Sequence[tuple[NDArray[np.uint8], Sequence[float]]]) -> Self:
        """Return a table of the leaves that a file names, each group of one size, and their values in points.

        A single tile that is not named has the value 0. Any other leave of n tiles that is not named gets the
        mean of the leaves one tile smaller times n / (n - 1): exact if the value of a leave is the sum of the
        values of its tiles.
        """
        ranks = leave_ranks(tile_set)
        values: NDArray[np.float64] = np.full(len(ranks), np.nan)
        values[0] = 0.0
        for leaves, points in named:
            values[ranks.of(leaves)] = points
        for size in range(1, LEAVE_TILES + 1):
            own = np.arange(int(ranks.base[size]), int(ranks.base[size + 1]))
            missing = own[np.isnan(values[own])]
            if size == 1 or not len(missing):
                values[missing] = 0.0
                continue
            leaves = ranks.leaves[size][missing - int(ranks.base[size])]
            smaller = np.column_stack([values[ranks.of(np.delete(leaves, i, axis=1))] for i in range(size)])
            values[missing] = smaller.mean(axis=1) * size / (size - 1)
        hundredths = np.rint(100 * np.clip(values, -LARGEST, LARGEST)).astype(np.int16)
        return cls(tile_set, hundredths, meta={"imported": sum(len(points) for _, points in named)})

    @property
    def plain_mean(self) -> float:
        """The average points of a turn of a player without bingos."""
        return float(self.meta["plain_mean"])

    def value(self, leave: bytes) -> float:
        """Return the value of a leave in points; raises ValueError if the tile set cannot deal it."""
        return int(self.values[self.ranks.rank(leave)]) / 100

    def save(self, path: Path, lexicon: Lexicon) -> None:
        """Write the table to a file, atomically, bound to a lexicon's word list."""
        arrays = {"values": self.values, "plain": self.plain, "errors": self.errors, "racks": self.racks}
        meta = {**self.meta, **learned_meta(lexicon, KIND, VERSION)}
        write_table_file(path, meta, {name: array for name, array in arrays.items() if array is not None})


@lru_cache(maxsize=8)
def find_leave_table(lexicon: Lexicon) -> LeaveTable | None:
    """Return the leave table of a lexicon, else the default one of its tile set, else None.

    Raises DamagedTable for a table of the lexicon that is damaged or of another word list.
    """
    found = find_learned(lexicon, KIND, VERSION)
    if found is None:
        return None
    sections = {name: found.file.section(name) for name in found.file.sections}
    return LeaveTable(
        lexicon.tile_set,
        sections.pop("values"),
        meta=found.file.meta,
        name=found.name,
        own=found.own,
        **sections,
    )


def leave_table(lexicon: Lexicon) -> LeaveTable:
    """Return the leave table that serves a lexicon, as `find_leave_table` does.

    Raises MissingTable (code "missing_leaves"), with the command that makes one, if there is none.
    """
    table = find_leave_table(lexicon)
    if table is None:
        raise MissingTable(
            Text(
                "there is no leave table for {lexicon}, nor for its tile set {tile_set}; run: "
                "kibitz train leaves --lexicon {lexicon}",
                lexicon=lexicon.id,
                tile_set=lexicon.tile_set.id,
            ),
            code="missing_leaves",
        )
    return table
