"""The minimal DAWG of a word list, an optional part of a table file.

Built incrementally from the sorted words: the minimal automaton comes out without the trie in between
(automaton_build.h).  Source: systems.md G1 (002, section 3.2.1, after Daciuk 1998).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.lexicon.automaton import build_sections

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from engine.lexicon.tables_narrow import Tables


def build_dawg(
    tables: Tables, meta: Mapping[str, Any], progress: Callable[[str, float], None]
) -> dict[str, NDArray[Any]]:
    """Build the DAWG's sections from a lexicon's words."""
    return build_sections("dawg", tables, meta, progress, rotated=False)
