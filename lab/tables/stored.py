"""The stored tables by name: each is built at its first use, and then read from its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.evaluation.derived import derived
from lab.tables.anagrams import build_anagrams
from lab.tables.automaton import build_dawg, build_gaddag
from lab.tables.literal import build_literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon

    Progress = Callable[[str, float], None]
    Builder = Callable[[Lexicon, Progress], dict[str, NDArray[Any]]]

BUILDERS: Final[Mapping[str, Builder]] = {
    "dawg": build_dawg,
    "gaddag": build_gaddag,
    "anagrams": build_anagrams,
    "literal": build_literal,
}
"""By table: the function that builds its arrays for a lexicon and reports stages and completed shares."""

VERSION: Final = 1
"""Increase it when the meaning of an array changes; stored tables are then built again."""


def stored_table(
    lexicon: Lexicon, name: str, progress: Progress = lambda stage, share: None
) -> Mapping[str, NDArray[Any]]:
    """Return the arrays of a table by name, read-only; build and store them if there is no valid file.

    `progress` is called with a stage and its completed share. Raises WordListError if the words do not fit
    into the tables of the thesis.
    """
    return derived(lexicon, name, VERSION, lambda: ({}, BUILDERS[name](lexicon, progress)))[1]
