"""What the DAWG and the GADDAG share: kernels by geometry, sections of a table file, figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.lexicon import automaton_narrow, automaton_wide

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from numpy.typing import NDArray

    from engine.lexicon.tables_narrow import Tables

KERNELS: Final[Mapping[str, ModuleType]] = {"narrow": automaton_narrow, "wide": automaton_wide}


@dataclass(frozen=True, slots=True)
class AutomatonFigures:
    """Sizes of a minimal automaton: states, transitions, accepted strings, and bytes of its flat form."""

    states: int
    transitions: int
    strings: int
    bytes: int


def automaton_sections(name: str) -> tuple[str, str, str]:
    """Return the names of an automaton's sections.

    `_arcs`: the flat arcs (automaton.h); `_words`: word id by number of the string; `_figures`: states,
    transitions, strings.
    """
    return f"{name}_arcs", f"{name}_words", f"{name}_figures"


def build_sections(
    name: str,
    tables: Tables,
    meta: Mapping[str, Any],
    progress: Callable[[str, float], None],
    *,
    rotated: bool,
) -> dict[str, NDArray[Any]]:
    """Build the sections of the automaton of all words, or of all rotations of them."""
    built = KERNELS[meta["geometry"]].build_automaton(tables, rotated, lambda share: progress(name, share))
    return dict(zip(automaton_sections(name), built, strict=True))


def open_automaton(
    name: str, sections: Mapping[str, NDArray[Any]], geometry: str
) -> automaton_narrow.Automaton:
    """Return the kernels' view of a built automaton; raises ValueError if it is of the other geometry."""
    arcs, words, _ = automaton_sections(name)
    return KERNELS[geometry].Automaton(sections[arcs], sections[words])  # type: ignore[no-any-return]


def automaton_figures(name: str, sections: Mapping[str, NDArray[Any]]) -> AutomatonFigures:
    """Return the sizes of a built automaton; `bytes` counts arcs and word ids."""
    arcs, words, figures = (sections[section] for section in automaton_sections(name))
    states, transitions, strings = map(int, figures)
    return AutomatonFigures(states, transitions, strings, arcs.nbytes + words.nbytes)
