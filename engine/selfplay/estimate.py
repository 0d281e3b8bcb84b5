"""Estimates from games: means and shares with their 95 % confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NORMAL_95: Final = 1.959964
"""The 97.5th percentile of the normal distribution."""

FEWEST_GAMES: Final = 5
"""From fewer games no interval of a share is estimated."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Hold a mean or a share with its 95 % confidence interval; the bounds are NaN if there is none."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, samples: NDArray[np.float64]) -> Estimate:
        """Return the mean of independent samples; there is no interval for fewer than two."""
        mean = float(samples.mean()) if len(samples) else nan
        half = float(NORMAL_95 * samples.std(ddof=1) / sqrt(len(samples))) if len(samples) > 1 else nan
        return cls(mean, mean - half, mean + half)

    @classmethod
    def of_share(cls, samples: NDArray[np.float64], games: int) -> Estimate:
        """Return the mean of independent samples from 0 to 1, each the share won of one or more games.

        `games`: how many games all samples have. There is no interval for fewer than FEWEST_GAMES.
        """
        if games < FEWEST_GAMES:
            return cls(float(samples.mean()) if games else nan, nan, nan)
        share = float(samples.mean())
        return cls(
            share, *share_interval(share, float(NORMAL_95 * samples.std() / sqrt(len(samples))), games)
        )


def share_interval(share: float, half: float, trials: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share of `trials`, which lies within 0 to 1.

    `half`: half the interval of the share by its standard error, which is larger if the trials depend on
    each other. They count as the number of independent trials that have this interval. Source: [Wilson1927].
    """
    independent = NORMAL_95**2 * share * (1 - share) / half**2 if half else inf
    count = min(trials, max(independent, 1.0))
    weight = NORMAL_95**2 / count
    centre = (share + weight / 2) / (1 + weight)
    reach = sqrt(weight * share * (1 - share) + weight**2 / 4) / (1 + weight)
    return max(0.0, centre - reach), min(1.0, centre + reach)
