"""The Internal-Words Method, the generator in use.

Which word already lies in an interval of the board? The words that contain it at that place are one short
list, and the rack chooses from it. docs/internal-words.md explains the method and what differs from the
thesis; internal_words_kernel.pyx is the method. Source: [Sanchez2025, chapters 4 and 5].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.movegen.plays import PLAY_DTYPE, PLAY_LIMIT, Plays, too_many_plays
from engine.movegen.simd import simd_level

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen.internal_words_kernel import Generator
    from engine.position import Rack
    from engine.rules import RuleSet

DEFAULT_THRESHOLD: Final = 16
"""Words of a list, for each look-up of the low level, beyond which the low level answers."""

NO_LOW_LEVEL: Final = 2**32 - 1
"""A threshold that no list exceeds."""


class InternalWords:
    """Generates plays by the Internal-Words Method.

    It owns its scratch memory, so one thread may use it at a time.
    """

    name = "internal_words"

    def __init__(
        self,
        lexicon: Lexicon,
        *,
        threshold: int = DEFAULT_THRESHOLD,
        fixed_threshold: int = 0,
        simd: int | None = None,
    ) -> None:
        """Prepare for the words of a lexicon.

        `threshold`, `fixed_threshold`: from 0 to NO_LOW_LEVEL. The low level (anagrams of the rack's
        sub-multisets) answers an interval whose list has more than `fixed_threshold` words and `threshold`
        for each look-up, if the rack has at most one blank. `simd`: a vector path other than the one in use
        (`use_simd`).
        """
        level = simd_level() if simd is None else simd
        self.kernel: Generator = lexicon.kernels.internal_words.Generator(
            lexicon.tables, threshold, fixed_threshold, level, PLAY_LIMIT
        )

    @property
    def simd(self) -> str:
        """The vector path in use: "plain", "avx2" or "avx512"."""
        return self.kernel.simd

    def generate(
        self, board: LoadedBoard, rack: Rack, rules: RuleSet, leave_values: NDArray[np.int32] | None = None
    ) -> Plays:
        """Return every legal play of a rack on a board.

        `leave_values`: the value of each leave in millipoints, in the order of `plays.leaves`; without it
        equity is the score. Raises TooManyPlaysError, and ValueError for a rack or array of the wrong size.
        """
        try:
            array, intervals, candidates, scanned = self.kernel.generate(
                board.kernel, rack.tiles, rules.kernel, leave_values, PLAY_DTYPE
            )
        except OverflowError:
            raise too_many_plays(rack) from None
        return Plays(array, board, {"intervals": intervals, "candidates": candidates, "scanned": scanned})

    def best(
        self, board: LoadedBoard, rack: Rack, rules: RuleSet, leave_values: NDArray[np.int32] | None = None
    ) -> Plays:
        """Return the best legal play by equity, as a list of one or none, without listing the others.

        It is the play of `generate(...).best(1, by="equity")`, also where plays tie. Raises ValueError for a
        rack or array of the wrong size.
        """
        array, intervals, candidates, scanned = self.kernel.generate(
            board.kernel, rack.tiles, rules.kernel, leave_values, PLAY_DTYPE, True
        )
        return Plays(array, board, {"intervals": intervals, "candidates": candidates, "scanned": scanned})
