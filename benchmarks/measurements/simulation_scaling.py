"""Threads of one simulation compared with as many independent processes.

Both do the same work on a position: n threads share n times the iterations that each of n processes does
alone. The order alternates, so that other load on the machine disturbs both alike. Ratios are medians over
the pairs.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from engine import AnalysisOptions, AnalysisRequest, Catalogue, analyze, parse_cgp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.synchronize import Barrier
    from pathlib import Path

    from engine import Lexicon, SimulationPlan
    from lab.measurements.samples import Sample

_BARRIER_SECONDS = 600  # a process waits so long for the others at most


class _Side:
    """Hold the state of a worker process: the lexicon, and the barrier at which all start together."""

    lexicon: Lexicon
    together: Barrier


def _begin(data: Path, lexicon_id: str, together: Barrier) -> None:
    _Side.lexicon = Catalogue(data).open(lexicon_id)
    _Side.together = together


def _alone(cgp: str, plan: SimulationPlan) -> tuple[int, int, int]:
    """Simulate in this process when all are ready; return iterations, start and end in nanoseconds."""
    position = parse_cgp(cgp, tile_set=_Side.lexicon.tile_set)
    _Side.together.wait(_BARRIER_SECONDS)
    began = perf_counter_ns()
    spent = _simulate(position, _Side.lexicon, plan, 1)
    return spent, began, perf_counter_ns()


def _simulate(position: Any, lexicon: Lexicon, plan: SimulationPlan, threads: int) -> int:
    options = AnalysisOptions(top_n=1, sort="equity", simulate=plan, threads=threads)
    return analyze(AnalysisRequest(position, options), lexicon).provenance.spent or 0


def thread_ratios(
    samples: Sequence[Sample],
    lexicon: Lexicon,
    plan: SimulationPlan,
    counts: Sequence[int],
    repeat: int,
    progress: Callable[[int, int], None],
) -> dict[int, dict[str, Any]]:
    """Return, by number of threads, the median ratio of iterations a second of threads to processes, and both
    rates.

    `plan`: the share of one thread; `repeat`: pairs for each position. The load is the machine's over the
    last minute, this benchmark included.
    """
    results: dict[int, dict[str, Any]] = {}
    context = multiprocessing.get_context("spawn")
    for step, count in enumerate(counts):
        shared = replace(plan, iterations=plan.iterations * count)
        threads: list[float] = []
        processes: list[float] = []
        given = (lexicon.data_directory, lexicon.id, context.Barrier(count))
        with ProcessPoolExecutor(count, context, _begin, given) as pool:
            for done in range(-1, repeat):  # the first warms up
                for at, sample in enumerate(samples):
                    for turn in (done % 2, 1 - done % 2):
                        if turn:
                            began = perf_counter_ns()
                            spent = _simulate(sample.position, lexicon, shared, count)
                            rate = spent / (perf_counter_ns() - began)
                        else:
                            futures = [pool.submit(_alone, sample.cgp, plan) for _ in range(count)]
                            sides = [future.result() for future in futures]
                            rate = sum(side[0] for side in sides) / (
                                max(side[2] for side in sides) - min(side[1] for side in sides)
                            )
                        if done >= 0:
                            (threads if turn else processes).append(rate * 1e9)
                    share = (done + 1) * len(samples) + at + 1
                    progress(
                        step * (repeat + 1) * len(samples) + share, len(counts) * (repeat + 1) * len(samples)
                    )
        ratios = sorted(a / b for a, b in zip(threads, processes, strict=True))
        results[count] = {
            "ratio": round(statistics.median(ratios), 3),
            "ratio_quartiles": [round(ratios[len(ratios) // 4], 3), round(ratios[3 * len(ratios) // 4], 3)],
            "threads_per_second": round(statistics.median(threads)),
            "processes_per_second": round(statistics.median(processes)),
            "pairs": len(ratios),
            "load": [round(value, 1) for value in os.getloadavg()],
        }
    return results
