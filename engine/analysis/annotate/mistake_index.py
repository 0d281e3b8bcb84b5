"""The classes of mistakes, the Mistake Index of a game, and the rating that is estimated from it.

Source: [Macondo], `gameanalysis`: points for each class of mistake, and a table of ratings to interpolate.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MISTAKE_POINTS: Final = {"none": 0.0, "small": 0.2, "medium": 0.5, "large": 1.0}
"""What a turn adds to the Mistake Index, by its class of mistake, the smallest first."""

MISTAKES: Final = tuple(MISTAKE_POINTS)
"""The classes of mistakes."""

WIN_PCT_STEPS: Final = (0.25, 3.0, 7.0)
"""The largest loss of win% of a turn without a mistake, with a small one, with a medium one."""

SPREAD_STEPS: Final = (0.0, 7.0, 15.0)
"""The same with an empty bag, in points of spread."""

_RATINGS: Final = (
    (0.0, 2300), (0.2, 2250), (0.5, 2200), (0.8, 2150), (1.2, 2100), (1.5, 2050), (1.7, 2000), (1.9, 1950),
    (2.3, 1900), (2.6, 1850), (2.9, 1800), (3.3, 1750), (3.8, 1700), (4.2, 1650),
)  # fmt: skip
_POINTS_LOST: Final = 125  # of the rating for each point of the index above the last row


def mistake_class(lost: float, steps: Sequence[float]) -> str:
    """Return the class of mistake of a loss; `steps`: the largest loss of each class but the last."""
    return next((name for name, most in zip(MISTAKES, steps, strict=False) if lost <= most), MISTAKES[-1])


def sole_class(least: float, most: float, steps: Sequence[float]) -> str | None:
    """Return the class of a loss that lies between two values; None if more than one is possible."""
    first, last = (mistake_class(lost, steps) for lost in (least, most))
    return first if first == last else None


def mistake_index(counts: Mapping[str, int]) -> float:
    """Return the Mistake Index of a player: the points of the mistakes in a game, 0 for none.

    `counts`: the number of turns by class of mistake.
    """
    return round(sum([MISTAKE_POINTS[name] * count for name, count in counts.items()]), 1)


def estimated_rating(index: float) -> int:
    """Return the rating that is estimated from a Mistake Index."""
    for (least, upper), (most, lower) in pairwise(_RATINGS):
        if index <= most:
            return round(upper + (lower - upper) * (index - least) / (most - least))
    last, rating = _RATINGS[-1]
    return max(0, round(rating - _POINTS_LOST * (index - last)))
