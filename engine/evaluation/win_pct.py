"""Win%: how often a player wins after a move, by the expected spread and the number of unseen tiles.

An entry of the table is P(win) + P(tie) / 2 of the player who made the move. Its column is the expected
spread after the move: the difference of the scores, plus the equity of the move while the bag has tiles, else
plus its score. Its row is the number of tiles that the player could not see: those in the bag and on the
other rack. It is the same for all moves of a position, so equal equity means equal win% while the bag has
tiles. Training counts by the same row and column. The table averages over what the other player holds.
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
    from engine.movegen.legal_moves import ValuedMove
    from engine.position import Position

KIND: Final = "win_pct"
VERSION: Final = 2
MIDDLE: Final = 400
"""Points: the largest spread, either way, that has a column of its own."""

AVERAGE_LEAVE: Final = 3.0
"""The mean value of the leave of a move of self-play, in points."""

AVERAGE_PLACED: Final = 4
"""Tiles that a move of self-play places on average, rounded."""

SCALE: Final = 50_000
"""The entry, of 16 bits, that stands for a certain win."""


class WinPctTable:
    """Hold chances by unseen tiles (rows) and expected spread + MIDDLE (columns), in parts of SCALE.

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
        """Return P(win) + P(tie) / 2 of the player who made a move, interpolated between whole points.

        `spread`: the expected spread (see the module), points; `unseen`: number of unseen tiles. Beyond the
        ends of the table its outermost entries are used.
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
        mover, other = position.players
        self._spread = mover.score - other.score
        self._bag = position.bag_count()
        self._unseen = position.unseen_count()
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
        chances = 100 * self._table.chance(self._spread + gains, np.array(self._unseen))
        if not self._bag:
            final = self._spread + scores + 2 * self._other_points
            decided = 50 * (np.sign(final) + 1)
            chances = np.where(placed == self._held, decided, chances)
        return chances

    def after_few(self, moves: list[ValuedMove]) -> list[float]:
        """Return the win% of a few moves as `after` does, to hundredths, without the cost of arrays."""
        values, spread, bag = self._table.values.data, self._spread, self._bag
        row = min(self._unseen, len(self._table.values) - 1)
        chances = []
        for move in moves:
            score, equity, placed = move.score, move.equity, move.placed
            if not bag and placed == self._held:
                final = spread + score + 2 * self._other_points
                chances.append(100.0 if final > 0 else 0.0 if final < 0 else 50.0)
                continue
            at = spread + (equity / 1000 if bag else score) + MIDDLE
            at = min(max(at, 0.0), 2.0 * MIDDLE)
            low = min(int(at), 2 * MIDDLE - 1)
            part = at - low
            entry = values[row, low] * (1 - part) + values[row, low + 1] * part
            chances.append(round(100 * (100 * (entry / SCALE))) / 100)
        return chances


def win_pct_before(table: WinPctTable, position: Position) -> float:
    """Return the win% (0 to 100) of the player on turn before a move, a game of two players.

    It depends on the last move, but only the spread after that move is known. The number of tiles that it
    placed and, while the bag has tiles, the value of its leave are assumed to be average. The rack may be
    known in part.
    """
    mover, other = position.players
    full, board = position.rules.rack_size, position.board
    held, other_held = (player.tile_count or len(player.held) or full for player in (mover, other))
    unseen = max(0, position.tile_set.total - board.tile_count - other_held)  # by the other player
    leave = 0.0
    if unseen > held and (position.zero_turns or not board.is_empty):
        leave, unseen = AVERAGE_LEAVE, unseen + AVERAGE_PLACED
    chance = table.chance(np.array([other.score - mover.score + leave]), np.array([unseen]))
    return 100 * (1 - float(chance[0]))


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
