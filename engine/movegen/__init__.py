"""Move generation: every legal play of a rack on a loaded board.

    lexicon tables, loaded board, rack  ->  InternalWords.generate  ->  Plays

`InternalWords` is the generator in use, `Plays` is what it returns, `generator` makes any of the generators
by its name. `reference` is the same written slowly and readably, square by square; the package's tests
compare every generator with it. `rivals/` holds the generators that benchmarks compare with, among them the
method as its thesis has it (`literal`). `intervals` lists the intervals of a board.

Where to begin: docs/internal-words.md, then `internal_words_kernel.pyx`, which can be read from top to bottom
with the two files that it includes.

What counts as one play: a play of a single tile is listed once, across if it makes a word across; on an empty
board with a symmetric layout only plays across are listed; a blank and the letter itself are different plays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from engine.errors import NotFound, excerpt
from engine.messages import Text
from engine.movegen.internal_words import DEFAULT_THRESHOLD, NO_LOW_LEVEL, InternalWords
from engine.movegen.intervals import Interval, board_intervals
from engine.movegen.perft import perft
from engine.movegen.plays import PLAY_DTYPE, Plays, leaves
from engine.movegen.reference import Reference
from engine.movegen.simd import simd_level, simd_paths, use_simd

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Rack
    from engine.rules import RuleSet

__all__ = [
    "ALL_GENERATOR_NAMES",
    "DEFAULT_THRESHOLD",
    "GENERATOR_NAMES",
    "NO_LOW_LEVEL",
    "PLAY_DTYPE",
    "InternalWords",
    "Interval",
    "MoveGenerator",
    "Plays",
    "board_intervals",
    "generator",
    "leaves",
    "perft",
    "simd_level",
    "simd_paths",
    "use_simd",
]


class MoveGenerator(Protocol):
    """Lists every legal play of a rack on a loaded board."""

    @property
    def name(self) -> str:
        """The name in options and on the command line."""

    def generate(
        self, board: LoadedBoard, rack: Rack, rules: RuleSet, leave_values: NDArray[np.int32] | None = None
    ) -> Plays:
        """Return the plays, in any order."""


GENERATOR_NAMES: Final = ("internal_words", "anagram", "gordon", "appel_jacobson")
"""The generators that a service offers."""

ALL_GENERATOR_NAMES: Final = (*GENERATOR_NAMES, "literal", "reference")
"""Those, the Internal-Words Method as its thesis has it, and the reference: too slow for a service."""


def _generators(name: str) -> Mapping[str, Callable[[Lexicon], MoveGenerator]]:
    """Return generators by name, among them the one asked for; import the rivals' kernels only if needed."""
    if name in ("internal_words", "reference"):
        return {"internal_words": InternalWords, "reference": Reference}
    from engine.movegen.rivals import Anagram, AppelJacobson, Gordon, Literal

    return {"anagram": Anagram, "gordon": Gordon, "appel_jacobson": AppelJacobson, "literal": Literal}


def generator(name: str, lexicon: Lexicon) -> MoveGenerator:
    """Return a new generator for one thread.

    `name`: one of ALL_GENERATOR_NAMES. Raises NotFound (code "unknown_generator") for another name,
    MissingTable if the lexicon lacks the part of the tables that a rival needs.
    """
    if name not in ALL_GENERATOR_NAMES:
        raise NotFound(
            Text(
                "there is no generator '{name}'; known: {known}",
                name=excerpt(name),
                known=list(ALL_GENERATOR_NAMES),
            ),
            code="unknown_generator",
            field="options/generator",
        )
    return _generators(name)[name](lexicon)
