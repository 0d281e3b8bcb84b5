"""The minimal automata of a word list, a DAWG and a GADDAG, and their stored form.

The DAWG accepts the words ([Cipra2006], section 3.2.1). Gordon's GADDAG accepts, for every word and every way
to cut it in two, x + y with x not empty, the string reverse(x), a separator, y; the separator is left out if
y is empty. So a word is entered at any of its letters, read to the left, then to the right ([Gordon1994];
[Sanchez2025], section 2.3.2; [Heuri], section 4.1.2). Both are built from sorted strings, without a trie
([Daciuk2000]; automaton_build.h).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lab.tables import automaton_narrow, automaton_wide

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon

KERNELS: Final[Mapping[str, ModuleType]] = {"narrow": automaton_narrow, "wide": automaton_wide}


def automaton_sections(name: str) -> tuple[str, str, str]:
    """Return the names of an automaton's sections.

    `_arcs` contains the arcs (automaton.h), `_words` the word id of each string by its number, and `_figures`
    three counts: states, transitions and strings.
    """
    return f"{name}_arcs", f"{name}_words", f"{name}_figures"


def build_dawg(lexicon: Lexicon, progress: Callable[[str, float], None]) -> dict[str, NDArray[Any]]:
    """Build the sections of the DAWG of a lexicon's words."""
    return _build("dawg", lexicon, progress, rotated=False)


def build_gaddag(lexicon: Lexicon, progress: Callable[[str, float], None]) -> dict[str, NDArray[Any]]:
    """Build the sections of the GADDAG of a lexicon's words."""
    return _build("gaddag", lexicon, progress, rotated=True)


def _build(
    name: str, lexicon: Lexicon, progress: Callable[[str, float], None], *, rotated: bool
) -> dict[str, NDArray[Any]]:
    kernel = KERNELS[lexicon.geometry]
    built = kernel.build_automaton(lexicon.tables, rotated, lambda share: progress(name, share))
    return dict(zip(automaton_sections(name), built, strict=True))


def open_automaton(
    name: str, sections: Mapping[str, NDArray[Any]], geometry: str
) -> automaton_narrow.Automaton:
    """Return the kernel's view of a stored automaton; raises ValueError if it has another geometry."""
    arcs, words, _ = automaton_sections(name)
    return KERNELS[geometry].Automaton(sections[arcs], sections[words])  # type: ignore[no-any-return]
