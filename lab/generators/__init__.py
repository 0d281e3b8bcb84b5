"""The generators that the Internal-Words Method is compared with; each finds the same plays and scores.

`Anagram` looks up the letters of an interval with each part of the rack [Anagram2018]. `Gordon` [Gordon1994]
and `AppelJacobson` [AppelJacobson1988] walk an automaton of the words from square to square. `Literal` is the
Internal-Words Method exactly as its thesis has it, in Python [Sanchez2025]. Each has a table of its own,
built at its first use (`lab.tables`). `generator` makes any of them by its name, and those of the engine too.

Where to begin: `anagram.py` with `anagram_kernel.inc.h`; `arc_search.py` (what the two walks share) with
`gordon_kernel.inc.h` and `appel_jacobson_kernel.inc.h`; `literal.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from engine.errors import NotFound, check_known
from engine.movegen import InternalWords
from engine.movegen.reference import Reference
from lab.kernels import compiled_kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen import Plays
    from engine.position import Rack
    from engine.rules import RuleSet

__all__ = [
    "ALL_GENERATORS",
    "FAST_GENERATORS",
    "MoveGenerator",
    "build_tables",
    "generator",
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


FAST_GENERATORS: Final = ("internal_words", "anagram", "gordon", "appel_jacobson")
"""The generators that are kernels."""

ALL_GENERATORS: Final = (*FAST_GENERATORS, "literal", "reference")
"""Those, and two in Python: a tenth of a second a position."""

_TABLES: Final = {"anagram": "anagrams", "gordon": "gaddag", "appel_jacobson": "dawg", "literal": "literal"}
"""By generator: the table that it reads besides those of the lexicon."""


def generator(name: str, lexicon: Lexicon) -> MoveGenerator:
    """Return a new generator for one thread.

    `name`: one of ALL_GENERATORS. Raises NotFound (code "unknown_generator") for another name, EngineError
    (code "missing_kernels") if the laboratory's kernels are not compiled, and what `stored_table` raises.
    """
    check_known("generator", name, ALL_GENERATORS, error=NotFound)
    return _generators(name)[name](lexicon)


def _generators(name: str) -> Mapping[str, Callable[[Lexicon], MoveGenerator]]:
    """Return generators by name, `name` among them; those of the laboratory need its kernels."""
    if name in ("internal_words", "reference"):
        return {"internal_words": InternalWords, "reference": Reference}
    with compiled_kernels():
        from lab.generators.anagram import Anagram
        from lab.generators.appel_jacobson import AppelJacobson
        from lab.generators.gordon import Gordon
        from lab.generators.literal import Literal

    return {"anagram": Anagram, "gordon": Gordon, "appel_jacobson": AppelJacobson, "literal": Literal}


def build_tables(lexicon: Lexicon, names: Iterable[str], progress: Callable[[str, float], None]) -> None:
    """Build the tables that generators need, unless they are stored already.

    `progress` is called with a stage and its completed share.
    """
    if not (needed := [_TABLES[name] for name in names if name in _TABLES]):
        return
    with compiled_kernels():
        from lab.tables.stored import stored_table
    for table in needed:
        stored_table(lexicon, table, progress)
