"""Win percentage: how often a player on turn wins, by spread and by the tiles that player cannot see.

The table holds P(win) + P(tie) / 2 of the player on turn, by own score less the other's and the number of
unseen tiles.  A move's win% is 100 less the other player's entry after it: an estimate, since it looks at the
expected spread alone.
Source: thesis 003, section 4.2.2 ('Bogowin'); systems.md W.
"""

from __future__ import annotations

from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import MissingTable
from engine.evaluation.few_chances import few_chances
from engine.evaluation.learned import find_learned, learned_meta
from engine.lexicon.store import write_table_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.position import Position

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
        if values.ndim != 2 or values.shape[1] != 2 * MIDDLE + 1 or values.shape[0] != len(counts):
            raise ValueError("a table has a row for each number of unseen tiles, a column for each spread")
        self.values = values
        self.counts = counts
        self.meta = meta
        self.name = name
        self.own = own

    def chance(self, spread: NDArray[np.float64], unseen: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return P(win) + P(tie) / 2 of the player on turn, between whole points by the straight line.

        `spread`: own score less the other's, points; `unseen`: tiles that player cannot see. Beyond the
        table's ends its last entries count.
        """
        rows = np.clip(unseen, 0, len(self.values) - 1)
        at = np.clip(np.asarray(spread, np.float64) + MIDDLE, 0, 2 * MIDDLE)
        low = np.minimum(at.astype(np.intp), 2 * MIDDLE - 1)
        part = at - low
        below, above = self.values[rows, low], self.values[rows, low + 1]
        chances: NDArray[np.float64] = (below * (1 - part) + above * part) / SCALE
        return chances

    def save(self, path: Path, lexicon: Lexicon) -> None:
        """Write the table, bound to a lexicon's word list, in one step."""
        meta = {**self.meta, **learned_meta(lexicon, KIND, VERSION)}
        write_table_file(path, meta, {"values": self.values, "counts": self.counts})


class WinChances:
    """Estimates win% of the moves of one position of two players."""

    def __init__(self, table: WinPctTable, position: Position) -> None:
        self._table = table
        self._rules = position.rules
        mover, other = position.players
        self._spread = mover.score - other.score
        self._bag = position.bag_count()
        self._held = len(position.rack.tiles)
        # Of use only to who goes out.
        self._other_points = 0 if self._bag else sum(map(mul, position.unseen(), position.tile_set.values))

    def after(self, scores: Any, equities: Any, placed: Any) -> NDArray[np.float64]:
        """Return win% (0 to 100) of the mover after each move; arrays of equal length.

        `scores`: points; `equities`: millipoints, the score and what the leave is worth; `placed`: tiles
        played. With tiles in the bag the spread to expect is that after the equity; with an empty bag it is
        that after the score, and a play that goes out decides the game: 100, 50 or 0.
        """
        scores, placed = np.asarray(scores, np.float64), np.asarray(placed, np.intp)
        gains = np.asarray(equities, np.float64) / 1000 if self._bag else scores
        unseen = self._bag + self._held - placed
        chances = 100 * (1 - self._table.chance(-(self._spread + gains), unseen))
        if not self._bag:
            final = self._spread + scores + 2 * self._other_points
            decided = 50 * (np.sign(final) + 1)
            chances = np.where(placed == self._held, decided, chances)
        return chances

    def after_few(self, moves: list[tuple[int, int, int, int]]) -> list[float]:
        """Return what `after` does, rounded to hundredths, of a few moves, for which arrays cost too much.

        Each is (points, equity in millipoints, tiles played, anything else), as `Plays.figures` gives them.
        """
        return few_chances(
            self._table.values, moves, self._spread, self._bag, self._held, 2 * self._other_points, SCALE
        )


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


def win_pct_table(lexicon: Lexicon) -> WinPctTable:
    """Return the win% table that serves a lexicon.

    Raises MissingTable (code "missing_win_pct") with the command that makes one, and as `find_win_pct_table`.
    """
    table = find_win_pct_table(lexicon)
    if table is None:
        raise MissingTable(
            f"there is no win% table for {lexicon.id}, nor for its tile set {lexicon.tile_set.id}; "
            f"run: kibitz train winpct --lexicon {lexicon.id}",
            code="missing_win_pct",
            params={"lexicon": lexicon.id, "tile_set": lexicon.tile_set.id},
        )
    return table
