"""The Internal-Words Method: the main generator.

For every interval of the board, what is the longest word already lying in it? All words that hold that word
at that place are one list; the rack picks from it.  docs/internal-words.md explains the method and what was
added.
Source: thesis 001, chapters 4 and 5; systems.md G5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.movegen import internal_words_narrow, internal_words_wide
from engine.movegen.plays import PLAY_DTYPE, PLAY_LIMIT, Plays, too_many_plays
from engine.movegen.simd import simd_level

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Rack
    from engine.rules import RuleSet

_KERNELS: Final = {"narrow": internal_words_narrow, "wide": internal_words_wide}
DEFAULT_THRESHOLD: Final = 16  # words of a list for each multiset to look up instead
NO_LOW_LEVEL: Final = 2**32 - 1  # a threshold that no list exceeds


class InternalWords:
    """Generates plays with the kernels; one instance per thread, since it owns its scratch memory."""

    name = "internal_words"

    def __init__(
        self,
        lexicon: Lexicon,
        *,
        threshold: int = DEFAULT_THRESHOLD,
        fixed_threshold: int = 0,
        simd: int | None = None,
    ) -> None:
        """Take the lexicon.

        A list is answered by the low level (the anagrams of rack subsets) if it has more than `threshold`
        words for each subset to look up, `fixed_threshold` words apart, and at most one blank is held; both
        from 0 to NO_LOW_LEVEL. `simd` chooses a vector path other than the best.
        """
        level = simd_level() if simd is None else simd
        self.geometry = lexicon.geometry
        self.kernel = _KERNELS[lexicon.geometry].Generator(
            lexicon.tables, threshold, fixed_threshold, level, PLAY_LIMIT
        )

    @property
    def simd(self) -> str:
        """The vector path in use: "plain", "avx2" or "avx512"."""
        return str(self.kernel.simd)

    def generate(
        self, board: LoadedBoard, rack: Rack, rules: RuleSet, leave_values: NDArray[np.int32] | None = None
    ) -> Plays:
        """Return every legal play of a rack on a board.

        `leave_values` gives the value of each leave in millipoints, in the order of `plays.leaves`;
        without it equity is the score.  Raises TooManyPlaysError, and ValueError for a rack or array that
        does not fit.
        """
        try:
            array, intervals, candidates, scanned = self.kernel.generate(
                board.kernel, rack.tiles, rules.bingo_bonus, rules.bingo_tiles, leave_values, PLAY_DTYPE
            )
        except OverflowError:
            raise too_many_plays(rack) from None
        return Plays(array, board, {"intervals": intervals, "candidates": candidates, "scanned": scanned})

    def best(
        self, board: LoadedBoard, rack: Rack, rules: RuleSet, leave_values: NDArray[np.int32] | None = None
    ) -> Plays:
        """Return the best legal play by equity, or none if there is none, without listing the others.

        It is the first of `generate(...).best(1, by="equity")`, ties included.  Raises ValueError for a rack
        or array that does not fit.
        """
        array, intervals, candidates, scanned = self.kernel.generate(
            board.kernel, rack.tiles, rules.bingo_bonus, rules.bingo_tiles, leave_values, PLAY_DTYPE, True
        )
        return Plays(array, board, {"intervals": intervals, "candidates": candidates, "scanned": scanned})
