"""Win%: how often the player on turn wins, by the spread and the number of unseen tiles.

An entry of the table is P(win) + P(tie) / 2 of the player on turn. The win% of a move is 100 less that of the
other player after it. It is an estimate, since it depends on the expected spread alone.
Source: [Heuri, section 4.2.2], where it is called Bogowin.
"""

from __future__ import annotations

from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import MissingTable
from engine.evaluation.learned import find_learned, learned_meta
from engine.lexicon.store import write_table_file
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.position import Position

KIND: Final = "win_pct"
VERSION: Final = 1
MIDDLE: Final = 400
"""Points: the largest spread, either way, that has a column of its own."""

SCALE: Final = 50_000
"""The entry, of 16 bits, that stands for a certain win."""


class WinPctTable:
    """Hold chances by unseen tiles (rows) and spread + MIDDLE (columns), in parts of SCALE.

    `counts`: the number of turns that each row was learned from; `name`: lexicon and checksum; `own`:
    whether it was learned with the lexicon it serves.
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
        """Return P(win) + P(tie) / 2 of the player on turn, interpolated between whole points.

        `spread`: own score less the other's, points; `unseen`: number of unseen tiles. Beyond the ends of the
        table its outermost entries are used.
        """
        rows = np.clip(unseen, 0, len(self.values) - 1)
        at = np.clip(np.asarray(spread, np.float64) + MIDDLE, 0, 2 * MIDDLE)
        low = np.minimum(at.astype(np.intp), 2 * MIDDLE - 1)
        part = at - low
        below, above = self.values[rows, low], self.values[rows, low + 1]
        chances: NDArray[np.float64] = (below * (1 - part) + above * part) / SCALE
        return chances

    def save(self, path: Path, lexicon: Lexicon) -> None:
        """Write the table to a file, atomically, bound to a lexicon's word list."""
        meta = {**self.meta, **learned_meta(lexicon, KIND, VERSION)}
        write_table_file(path, meta, {"values": self.values, "counts": self.counts})


class WinChances:
    """Estimate the win% of the moves of one position of two players."""

    def __init__(self, table: WinPctTable, position: Position) -> None:
        self._table = table
        self._rules = position.rules
        mover, other = position.players
        self._spread = mover.score - other.score
        self._bag = position.bag_count()
        self._held = len(position.rack.tiles)
        # Only who goes out scores these, twice.
        self._other_points = 0 if self._bag else sum(map(mul, position.unseen(), position.tile_set.values))

    def after(self, scores: Any, equities: Any, placed: Any) -> NDArray[np.float64]:
        """Return the win% (0 to 100) of the player on turn after each move; the arguments have equal lengths.

        `scores`: points; `equities`: millipoints, score and value of the leave; `placed`: tiles that each
        move puts on the board. While the bag has tiles, the expected spread includes the equity; with an
        empty bag it includes the score, and a play that goes out decides the game: 100, 50 or 0.
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
        """Return the win% of a few moves as `after` does, rounded to hundredths, without the cost of arrays.

        `moves`: (score, equity in millipoints, tiles placed, number of the leave), as of `Plays.figures`.
        """
        values, last = self._table.values.data, len(self._table.values) - 1
        spread, bag, unseen = self._spread, self._bag, self._bag + self._held
        chances = []
        for score, equity, placed, _ in moves:
            if not bag and placed == unseen:
                final = spread + score + 2 * self._other_points
                chances.append(100.0 if final > 0 else 0.0 if final < 0 else 50.0)
                continue
            row = min(max(unseen - placed, 0), last)
            at = -(spread + (equity / 1000 if bag else score)) + MIDDLE
            at = min(max(at, 0.0), 2.0 * MIDDLE)
            low = min(int(at), 2 * MIDDLE - 1)
            part = at - low
            entry = values[row, low] * (1 - part) + values[row, low + 1] * part
            chances.append(round(100 * (100 * (1 - entry / SCALE))) / 100)
        return chances


@lru_cache(maxsize=8)
def find_win_pct_table(lexicon: Lexicon) -> WinPctTable | None:
    """Return the win% table of a lexicon, else the default one of its tile set, else None.

    Raises DamagedTable for a table of the lexicon that is damaged or of another word list.
    """
    found = find_learned(lexicon, KIND, VERSION)
    if found is None:
        return None
    values, counts = found.file.section("values"), found.file.section("counts")
    return WinPctTable(values, counts, meta=found.file.meta, name=found.name, own=found.own)


def win_pct_table(lexicon: Lexicon) -> WinPctTable:
    """Return the win% table that serves a lexicon, as `find_win_pct_table` does.

    Raises MissingTable (code "missing_win_pct"), with the command that makes one, if there is none.
    """
    table = find_win_pct_table(lexicon)
    if table is None:
        raise MissingTable(
            Text(
                "there is no win% table for {lexicon}, nor for its tile set {tile_set}; run: "
                "kibitz train winpct --lexicon {lexicon}",
                lexicon=lexicon.id,
                tile_set=lexicon.tile_set.id,
            ),
            code="missing_win_pct",
        )
    return table
