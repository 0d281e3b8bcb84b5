"""The generator in all its forms, and its plays in a form that can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.movegen import NO_LOW_LEVEL, PLAY_DTYPE, InternalWords

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.movegen import Plays

THRESHOLDS = ((NO_LOW_LEVEL, 0), (0, 0), (3, 0), (0, 5))
"""Lists always answered by the high level, always by the low level (blanks permitting), and between."""


def by_threshold(lexicon: Lexicon) -> dict[str, InternalWords]:
    """Return the generator at several thresholds, by a name for each."""
    return {
        f"internal_words, threshold {each}": InternalWords(
            lexicon, threshold=each[0], fixed_threshold=each[1]
        )
        for each in THRESHOLDS
    }


def in_order(plays: Plays) -> list[Any]:
    """Return every field of every play, in the documented order."""
    ordered = plays.array[plays.best(len(plays))]
    return list(zip(*(ordered[field].tolist() for field in PLAY_DTYPE.names or ()), strict=True))
