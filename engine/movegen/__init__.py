"""Move generation: one interface, the Internal-Words kernels and a slow reference.

    lexicon tables, loaded board, rack  ->  MoveGenerator.generate  ->  Plays

Conventions: a one-tile play counts once, across if it makes an across word; on an empty board with a
symmetric layout only plays across are listed; a blank and the real letter are different plays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from engine.errors import NotFound, excerpt, quoted
from engine.movegen.internal_words import NO_LOW_LEVEL, InternalWords
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
    "GENERATOR_NAMES",
    "NO_LOW_LEVEL",
    "PLAY_DTYPE",
    "InternalWords",
    "MoveGenerator",
    "Plays",
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


# The rivals' kernels are loaded when one is asked for: a service that offers them stays as small as before.


def _anagram(lexicon: Lexicon) -> MoveGenerator:
    from engine.movegen.anagram import Anagram

    return Anagram(lexicon)


def _gordon(lexicon: Lexicon) -> MoveGenerator:
    from engine.movegen.gordon import Gordon

    return Gordon(lexicon)


def _appel_jacobson(lexicon: Lexicon) -> MoveGenerator:
    from engine.movegen.appel_jacobson import AppelJacobson

    return AppelJacobson(lexicon)


_GENERATORS: Final[Mapping[str, Callable[[Lexicon], MoveGenerator]]] = {
    "internal_words": InternalWords,
    "anagram": _anagram,
    "gordon": _gordon,
    "appel_jacobson": _appel_jacobson,
    "reference": Reference,
}
ALL_GENERATOR_NAMES: Final = tuple(_GENERATORS)
GENERATOR_NAMES: Final = ALL_GENERATOR_NAMES[:-1]  # fast enough to be offered by a service


def generator(name: str, lexicon: Lexicon) -> MoveGenerator:
    """Return a new generator, to be used by one thread; raises NotFound naming the known ones."""
    if name not in _GENERATORS:
        raise NotFound(
            f"there is no generator {quoted(name)}; known: {', '.join(ALL_GENERATOR_NAMES)}",
            code="unknown_generator",
            field="options/generator",
            params={"name": excerpt(name), "known": list(ALL_GENERATOR_NAMES)},
        )
    return _GENERATORS[name](lexicon)
