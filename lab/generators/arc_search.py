"""The base class of the generators that walk an automaton of the words."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from engine.movegen.plays import PLAY_DTYPE, PLAY_LIMIT, Plays, too_many_plays
from engine.movegen.simd import simd_level
from lab.tables.automaton import open_automaton
from lab.tables.stored import stored_table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    import numpy as np
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Rack
    from engine.rules import RuleSet

SEARCH_LEVELS: Final = (1, 0)  # bit instructions, plain C


class ArcSearch:
    """Generates plays by walking an automaton; one instance per thread, since it owns its scratch memory."""

    name: ClassVar[str]
    automaton: ClassVar[str]  #: the name of its table
    kernels: ClassVar[Mapping[str, ModuleType]]  #: by geometry

    def __init__(self, lexicon: Lexicon, *, simd: int | None = None) -> None:
        """Open the automaton of a lexicon.

        `simd`: 0 for plain C, 1 for bit instructions; None for the best that the processor has, or plain C if
        `use_simd` chose it.
        """
        module = self.kernels[lexicon.geometry]
        if simd is None:
            levels = SEARCH_LEVELS if simd_level() else (0,)
            simd = next(level for level in levels if module.simd_name(level))
        opened = open_automaton(self.automaton, stored_table(lexicon, self.automaton), lexicon.geometry)
        self._kernel = module.Generator(lexicon.tables, opened, simd, PLAY_LIMIT)

    @property
    def simd(self) -> str:
        """The kernel in use: "plain" or "bmi"."""
        return str(self._kernel.simd)

    def generate(
        self, board: LoadedBoard, rack: Rack, rules: RuleSet, leave_values: NDArray[np.int32] | None = None
    ) -> Plays:
        """Return every legal play of a rack on a board.

        `leave_values`: the value of each leave in millipoints, in the order of `plays.leaves`; without it
        equity is the score. The statistics count anchors searched from and arcs followed. Raises
        TooManyPlaysError, and ValueError for a rack or array of the wrong size.
        """
        try:
            array, anchors, arcs = self._kernel.generate(
                board.kernel, rack.tiles, rules.bingo_bonus, rules.bingo_tiles, leave_values, PLAY_DTYPE
            )
        except OverflowError:
            raise too_many_plays(rack) from None
        return Plays(array, board, {"anchors": anchors, "arcs": arcs})
