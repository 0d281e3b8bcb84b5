"""The Internal-Words Method: the main generator.

For every interval of the board, what is the longest word already lying in it? All words that hold that word
at that place are one list; the rack picks from it.  docs/internal-words.md explains the method and what was
added.
Source: thesis 001, chapters 4 and 5; systems.md G5.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from engine.errors import EngineError, excerpt
from engine.movegen import internal_words_narrow, internal_words_wide
from engine.movegen.plays import PLAY_DTYPE, PLAY_LIMIT, Plays, too_many_plays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Rack
    from engine.rules import RuleSet

_KERNELS: Final = {"narrow": internal_words_narrow, "wide": internal_words_wide}
SIMD_LEVELS: Final = (2, 1, 0)  # AVX-512, AVX2, plain C
DEFAULT_THRESHOLD: Final = 16  # words of a list for each multiset to look up instead
NO_LOW_LEVEL: Final = 2**32 - 1  # a threshold that no list exceeds


def simd_level(forced: str | None = None) -> int:
    """Return the best vector path of this processor, or the forced one ("0", "1", "2").

    Raises EngineError (code "simd_unavailable") if the forced one is unknown or the processor lacks it.
    """
    if forced:
        if forced.isdecimal() and int(forced) in SIMD_LEVELS and internal_words_narrow.simd_name(int(forced)):
            return int(forced)
        here = [f"{n} ({name})" for n in (0, 1, 2) if (name := internal_words_narrow.simd_name(n))]
        raise EngineError(
            f"KIBITZ_SIMD={forced} is not to be had here; known: {', '.join(here)}",
            code="simd_unavailable",
            params={"name": excerpt(forced), "known": here},
        )
    return next(level for level in SIMD_LEVELS if internal_words_narrow.simd_name(level))


def simd_paths() -> dict[str, int]:
    """Return the vector paths of this processor, the best first: name and level."""
    names = ((internal_words_narrow.simd_name(level), level) for level in SIMD_LEVELS)
    return {name: level for name, level in names if name}


_LEVEL: Final = simd_level(os.environ.get("KIBITZ_SIMD"))


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
        level = _LEVEL if simd is None else simd
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
