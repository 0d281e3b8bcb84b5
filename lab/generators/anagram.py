"""The Anagram Method, the generator of the program Heuri.

For every interval of the board and every sub-multiset of the rack that fills it, it looks up the rack's tiles
together with the letters on the board in an index of strings, and checks the anagrams found on the squares.
The strings may hold blanks, so a rack with blanks is looked up as it is. No interval is dropped because of
the words on the board: that is what the Internal-Words Method adds, and what the comparison measures.

The index holds strings of up to two blanks; a string with e letters more than the tile set has may hold 2 -
e. That covers every legal position of a tile set with up to two blanks. In other positions (three blanks on
the rack, or a board with more copies of a letter than the set has) the intervals concerned are answered by a
scan of all words of their length. Source: [Anagram2018, section 3]; [Heuri, chapter 6].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.movegen.plays import PLAY_DTYPE, PLAY_LIMIT, Plays, too_many_plays
from engine.movegen.simd import simd_level
from lab.generators import anagram_narrow, anagram_wide
from lab.tables.anagrams import open_anagrams
from lab.tables.stored import stored_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Rack
    from engine.rules import RuleSet

_KERNELS: Final = {"narrow": anagram_narrow, "wide": anagram_wide}


class Anagram:
    """Generates plays by the Anagram Method; owns its memory, so one thread may use it at a time."""

    name = "anagram"

    def __init__(self, lexicon: Lexicon, *, simd: int | None = None) -> None:
        """Open the anagram index of a lexicon.

        `simd`: a vector path other than the one in use.
        """
        strings = open_anagrams(stored_table(lexicon, "anagrams"), lexicon.geometry)
        level = simd_level() if simd is None else simd
        self._kernel = _KERNELS[lexicon.geometry].Generator(lexicon.tables, strings, level, PLAY_LIMIT)

    def generate(
        self, board: LoadedBoard, rack: Rack, rules: RuleSet, leave_values: NDArray[np.int32] | None = None
    ) -> Plays:
        """Return every legal play of a rack on a board.

        `leave_values`: the value of each leave in millipoints, in the order of `plays.leaves`; without it
        equity is the score. The statistics count `intervals`, `candidates` (anagrams checked on them),
        `strings` looked up, `unindexed` intervals, which the index does not answer, and the words `scanned`
        for those.
        Raises TooManyPlaysError, and ValueError for a rack or array of the wrong size.
        """
        try:
            array, intervals, candidates, strings, unindexed, scanned = self._kernel.generate(
                board.kernel, rack.tiles, rules.bingo_bonus, rules.bingo_tiles, leave_values, PLAY_DTYPE
            )
        except OverflowError:
            raise too_many_plays(rack) from None
        statistics = {
            "intervals": intervals,
            "candidates": candidates,
            "strings": strings,
            "unindexed": unindexed,
            "scanned": scanned,
        }
        return Plays(array, board, statistics)
