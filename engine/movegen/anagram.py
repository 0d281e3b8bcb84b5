"""The Anagram Method: Heuri's generator.

For every interval of the board, every sub-multiset of the rack that fills it is joined to the letters
already there and looked up in an index of strings; the anagrams found are tried on the interval. Strings
hold blanks, so a rack with blanks needs no letter in their place. Nothing is pruned by the words on the
board: that is what the Internal-Words Method adds, and what this generator is here to be compared with.

The index holds strings with one or two blanks, at most 2 - e(u) for a string with an excess of e(u) letters
beyond the tile set. That covers every position that a tile set with up to two blanks allows. Where it does
not reach (three blanks or more on the rack, or a board with more copies of a letter than the set holds), and
only on the intervals concerned, the words of the interval's length are scanned by their letter masks instead.
Source: systems.md G4; paper 000, section 3; thesis 003, chapter 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import DamagedTable
from engine.lexicon.rivals.anagrams import open_anagrams
from engine.lexicon.rivals.parts import sections_of
from engine.movegen import anagram_narrow, anagram_wide
from engine.movegen.plays import PLAY_DTYPE, PLAY_LIMIT, Plays, too_many_plays
from engine.movegen.simd import simd_level

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Rack
    from engine.rules import RuleSet

_KERNELS: Final = {"narrow": anagram_narrow, "wide": anagram_wide}


class Anagram:
    """Generates plays by the Anagram Method; one instance per thread, since it owns its scratch memory."""

    name = "anagram"

    def __init__(self, lexicon: Lexicon, *, simd: int | None = None) -> None:
        """Take the lexicon; `simd` chooses a vector path other than the best.

        Raises MissingTable (naming the command) if the lexicon was built without its part "anagrams",
        DamagedTable if the part is unsound.
        """
        sections = sections_of(lexicon, "anagrams")
        try:
            strings = open_anagrams(sections, lexicon.geometry)
        except ValueError as error:
            raise DamagedTable(
                f"{lexicon.id}: {error}; run: kibitz lexicon build {lexicon.id} --with anagrams",
                code="damaged_table",
                params={"lexicon": lexicon.id, "reason": str(error)},
            ) from error
        level = simd_level() if simd is None else simd
        self._kernel = _KERNELS[lexicon.geometry].Generator(lexicon.tables, strings, level, PLAY_LIMIT)

    def generate(
        self, board: LoadedBoard, rack: Rack, rules: RuleSet, leave_values: NDArray[np.int32] | None = None
    ) -> Plays:
        """Return every legal play of a rack on a board.

        `leave_values` gives the value of each leave in millipoints, in the order of `plays.leaves`; without
        it equity is the score. The statistics count Hand-Interval problems (`intervals`), anagrams tried on
        them (`candidates`), strings looked up (`strings`), and of the intervals beyond the index their number
        (`unindexed`) and the words read for them (`scanned`).
        Raises TooManyPlaysError, and ValueError for a rack or array that does not fit.
        """
        try:
            array, intervals, candidates, strings, unindexed, scanned = self._kernel.generate(
                board.kernel, rack.tiles, rules.bingo_bonus, rules.bingo_tiles, leave_values, PLAY_DTYPE
            )
        except OverflowError:
            raise too_many_plays(rack) from None
        figures = {
            "intervals": intervals,
            "candidates": candidates,
            "strings": strings,
            "unindexed": unindexed,
            "scanned": scanned,
        }
        return Plays(array, board, figures)
