"""Rollouts a second of simulation plans, and the time of a position."""

from __future__ import annotations

import statistics
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from engine import AnalysisOptions, AnalysisRequest, analyze

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine import Lexicon, SimulationPlan
    from lab.measurements.samples import Sample


def simulation_rates(
    samples: Sequence[Sample],
    lexicon: Lexicon,
    plans: Mapping[str, SimulationPlan],
    threads: int,
    repeat: int,
    progress: Callable[[int, int], None],
) -> dict[str, dict[str, Any]]:
    """Simulate every position with every plan in turn; return rates and times of each plan.

    Rates are iterations a second of complete calls, from the request to the answer. The time of a position is
    the least of its passes. `microseconds`: mean time of an iteration over all positions.
    """
    times: dict[tuple[str, int], list[int]] = {}
    spent: dict[tuple[str, int], int] = {}
    for done in range(repeat):
        for at, sample in enumerate(samples):
            for name, plan in plans.items():
                options = AnalysisOptions(top_n=1, sort="equity", simulate=plan, threads=threads)
                began = perf_counter_ns()
                found = analyze(AnalysisRequest(sample.position, options), lexicon)
                times.setdefault((name, at), []).append(perf_counter_ns() - began)
                spent[name, at] = found.provenance.spent or 0
            progress(done * len(samples) + at + 1, repeat * len(samples))
    results = {}
    for name in plans:
        counts = [spent[name, at] for at in range(len(samples))]
        best = [min(times[name, at]) for at in range(len(samples))]
        rates = [count / time * 1e9 for count, time in zip(counts, best, strict=True)]
        results[name] = {
            "iterations": sum(counts),
            "iterations_per_second": round(sum(counts) / sum(best) * 1e9),
            "median_of_positions": round(statistics.median(rates)),
            "microseconds": round(sum(best) / max(sum(counts), 1) / 1000, 2),
            "seconds_a_position": round(statistics.mean(best) / 1e9, 3),
            "max_seconds": round(max(best) / 1e9, 3),
        }
    return results
