"""Gordon's GADDAG of a word list, an optional part of a table file.

For every word and every way to cut it in two, x + y with x not empty: reverse(x), a separator, y; with y
empty the separator is left out.  So a word is entered at any of its letters, read to the left, then to the
right.  The automaton is minimal, built like the DAWG.
Source: systems.md G3 (001, section 2.3.2; 003, section 4.1.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.lexicon.automaton import build_sections

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from engine.lexicon.tables_narrow import Tables


def build_gaddag(
    tables: Tables, meta: Mapping[str, Any], progress: Callable[[str, float], None]
) -> dict[str, NDArray[Any]]:
    """Build the GADDAG's sections from a lexicon's words."""
    return build_sections("gaddag", tables, meta, progress, rotated=True)
