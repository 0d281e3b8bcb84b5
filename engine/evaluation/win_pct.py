"""Win percentage: how often a player on turn wins, by spread and by the tiles that player cannot see.

The table holds P(win) + P(tie) / 2 of the player on turn, by own score less the other's and the number of
unseen tiles.  A move's win% is 100 less the other player's entry after it: an estimate, since it looks at the
expected spread alone.
Source: thesis 003, section 4.2.2 ('Bogowin'); systems.md W.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.evaluation.learned import find_learned, learned_meta
from engine.lexicon.store import write_table_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon

KIND: Final = "win_pct"
VERSION: Final = 1
MIDDLE: Final = 400
"""Points: the spread at which the table's rows are cut, either way."""

SCALE: Final = 50_000
"""Units of a certain win, in the 16 bits of an entry."""


class WinPctTable:
    """Chances by unseen tiles (rows) and spread + MIDDLE (columns), in parts of SCALE.

    `counts`: the turns that each row was learned from.
    """

    def __init__(
        self,
        values: NDArray[np.uint16],
        counts: NDArray[np.int64],
        *,
        meta: Mapping[str, Any],
        name: str = "",
        own: bool = True,
    ) -> None:
        if values.ndim != 2 or values.shape[1] != 2 * MIDDLE + 1 or values.shape[0] != len(counts):  # noqa: PLR2004
            raise ValueError("a table has a row for each number of unseen tiles, a column for each spread")
        self.values = values
        self.counts = counts
        self.meta = meta
        self.name = name
        self.own = own

    def chance(self, spread: NDArray[np.float64], unseen: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return P(win) + P(tie) / 2 of the player on turn, between whole points by the straight line.

        `spread`: own score less the other's, points; `unseen`: tiles that player cannot see. Beyond the table's
        ends its last entries count.
        """
        rows = np.clip(unseen, 0, len(self.values) - 1)
        at = np.clip(np.asarray(spread, np.float64) + MIDDLE, 0, 2 * MIDDLE)
        low = np.minimum(at.astype(np.intp), 2 * MIDDLE - 1)
        part = at - low
        below, above = self.values[rows, low], self.values[rows, low + 1]
        return (below * (1 - part) + above * part) / SCALE

    def save(self, path: Path, lexicon: Lexicon) -> None:
        """Write the table, bound to a lexicon's word list, in one step."""
        meta = {**self.meta, **learned_meta(lexicon, KIND, VERSION)}
        write_table_file(path, meta, {"values": self.values, "counts": self.counts})


@lru_cache(maxsize=8)
def find_win_pct_table(lexicon: Lexicon) -> WinPctTable | None:
    """Return the win% table that serves a lexicon: its own or the default one of its tile set; None if none.

    Raises DamagedTable for an own table that is unsound or of another word list.
    """
    found = find_learned(lexicon, KIND, VERSION)
    if found is None:
        return None
    values, counts = found.file.section("values"), found.file.section("counts")
    return WinPctTable(values, counts, meta=found.file.meta, name=found.name, own=found.own)
