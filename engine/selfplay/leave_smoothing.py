"""Values of leaves from the gains of racks that hold them; rare leaves are shrunk to a prediction by smaller
leaves.

A leave of n tiles observed on r racks has a mean gain with standard error s / sqrt(r). Many leaves of six
tiles occur on a few racks only, so their means are mostly noise. Two facts help: leaves with one, two and
three tiles fewer occur far more often, and the value of a leave is mostly determined by its pairs and
triples of tiles. If it were determined by pairs alone, it would be an exact linear function of the mean
values of its subsets of n - 1 and n - 2 tiles (with triples, of n - 3 tiles too). So, size by size:

1. The prediction is a weighted least-squares fit of the observed means to those three means, already
   smoothed.
2. tau^2 is the variance of true values about the prediction: the mean squared distance minus the variance
   that the standard errors explain.
3. The value is prediction + (observed - prediction) r / (r + s^2 / tau^2), the usual empirical-Bayes weight
   (James and Stein 1961, Morris 1983), with standard error sqrt(1 / (r / s^2 + 1 / tau^2)).

A leave that never occurred takes the prediction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from engine.evaluation.leave_ranks import LeaveRanks

_DEPTH = 3  # a prediction uses subsets with up to 3 tiles fewer
_MIN_RACKS = 2  # a mean of fewer racks is ignored


@dataclass(frozen=True, slots=True)
class Smoothed:
    """Hold values and standard errors in points, by rank of the leave, and the mean equity of all racks."""

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    mean: float
    sizes: list[dict[str, Any]]  # of each size: statistics of the fit


def smoothed_leaves(
    sums: NDArray[np.int64], ranks: LeaveRanks, progress: Callable[[float], None] | None = None
) -> Smoothed:
    """Return the value of every leave; `sums`: by rank, as `LeaveSampler.sample` fills them.

    Values are gains over the mean of all racks, so that of the empty leave is 0.
    """
    total, squares, ways, racks = (sums[:, column].astype(np.float64) for column in range(4))
    mean = total[0] / ways[0] / 100
    variance = squares[0] / ways[0] / 1e4 - mean**2
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.where(ways > 0, total / ways / 100 - mean, 0.0)
    values = np.zeros(len(total))
    errors = np.zeros(len(total))
    report = []
    for size in range(1, len(ranks.leaves)):
        own = slice(int(ranks.base[size]), int(ranks.base[size + 1]))
        if own.start == own.stop:
            continue
        predictors = _predictors(ranks, size, values)
        seen = racks[own]
        weight = np.where(seen >= _MIN_RACKS, seen, 0.0)
        prediction, tau2 = _fit(predictors, observed[own], weight, variance)
        pull = np.where(weight > 0, weight / (weight + variance / tau2), 0.0)
        values[own] = prediction + pull * (observed[own] - prediction)
        errors[own] = np.sqrt(1 / (weight / variance + 1 / tau2))
        report.append(
            {
                "tiles": size,
                "leaves": own.stop - own.start,
                "unseen": int((seen == 0).sum()),
                "median_racks": float(np.median(seen)),
                "spread_about_prediction": round(float(np.sqrt(tau2)), 3),
                "mean_weight_of_own_mean": round(float(pull.mean()), 3),
            }
        )
        if progress is not None:
            progress(size / (len(ranks.leaves) - 1))
    return Smoothed(values, errors, mean, report)


def _predictors(ranks: LeaveRanks, size: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the predictors of each leave of a size.

    They are 1, and the mean values of the leaves that remain without one, two and three of its tiles.
    """
    columns = [np.ones(int(ranks.base[size + 1] - ranks.base[size]))]
    below = values[int(ranks.base[size - 1]) : int(ranks.base[size])]
    within = _within(ranks, size)
    columns.append(below[within].mean(axis=1))
    for depth in range(2, min(_DEPTH, size - 1) + 1):
        # The mean over all ways to drop k tiles is the mean, over all ways to drop one, of their means.
        lower = values[int(ranks.base[size - depth]) : int(ranks.base[size - depth + 1])]
        carried = lower
        for middle in range(size - depth + 1, size):
            carried = carried[_within(ranks, middle)].mean(axis=1)
        columns.append(carried[within].mean(axis=1))
    return np.column_stack(columns)


def _within(ranks: LeaveRanks, size: int) -> NDArray[np.intp]:
    """Return, for each leave of a size, the indices of the leaves without one of its tiles."""
    rows = ranks.leaves[size]
    places = [ranks.of(np.delete(rows, i, axis=1)).astype(np.intp) for i in range(size)]
    return np.column_stack(places) - int(ranks.base[size - 1])


def _fit(
    predictors: NDArray[np.float64],
    observed: NDArray[np.float64],
    weight: NDArray[np.float64],
    variance: float,
) -> tuple[NDArray[np.float64], float]:
    """Return the prediction and the variance of true values about it."""
    tau2 = 1.0
    prediction = np.zeros(len(observed))
    used = weight > 0
    if used.sum() <= 4 * predictors.shape[1]:
        return observed.mean() * np.ones(len(observed)), max(float(observed.var()), tau2)
    noise = variance / weight[used]
    for _ in range(4):
        w = 1 / (noise + tau2)
        scaled = predictors[used] * np.sqrt(w)[:, None]
        answer, *_ = np.linalg.lstsq(scaled, observed[used] * np.sqrt(w), rcond=None)
        prediction = predictors @ answer
        distance = (observed[used] - prediction[used]) ** 2
        tau2 = max(float(((distance - noise) * w**2).sum() / (w**2).sum()), 1e-3)
    return prediction, tau2
