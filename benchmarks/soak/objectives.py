"""The objectives of docs/operations.md, and how far what the users saw met them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from benchmarks.soak.questions import ANALYZE, ENDPOINTS, HINT, HINT_SEARCH, JUDGE, SEARCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.soak.users import AcceptedJob, Outcome

SHARE: Final = 0.999
"""The share of requests that are answered rightly outside of injected faults."""
P99_SECONDS: Final = {ANALYZE: 0.1, JUDGE: 0.1, HINT: 0.1, SEARCH: 15.0, HINT_SEARCH: 15.0}
"""The bound of the p99 of each endpoint that has one."""
GROWTH_PERCENT: Final = 1.0
"""The growth of memory that is allowed in an hour's run."""
JUDGED_SECONDS: Final = 2700.0
"""The shortest time of samples of which growth is judged: in an hour without its first ten minutes."""


@dataclass(frozen=True, slots=True)
class Window:
    """Hold the time of a fault with the time to recover: what is asked in it does not count."""

    begin: float
    end: float

    def touches(self, outcome: Outcome) -> bool:
        """Return whether a request was open at any time of the window."""
        return outcome.sent < self.end and outcome.ended > self.begin


def percentile(seconds: Sequence[float], share: float) -> float | None:
    """Return the least value that at least a share of the values do not exceed, None without values."""
    if not seconds:
        return None
    ordered = sorted(seconds)
    return ordered[max(ceil(len(ordered) * share) - 1, 0)]


def endpoint_rows(outcomes: Sequence[Outcome], windows: Sequence[Window]) -> list[dict[str, Any]]:
    """Return the figures of each endpoint, and of all together, within faults and outside."""
    marked = [(one, any(window.touches(one) for window in windows)) for one in outcomes]
    rows = []
    for endpoint in (*ENDPOINTS, None):
        mine = [(one, inside) for one, inside in marked if endpoint in (one.endpoint, None)]
        if not mine:
            continue
        outside = [one for one, inside in mine if not inside]
        within = [one for one, inside in mine if inside]
        rows.append(
            {
                "endpoint": endpoint or "all",
                "requests": len(mine),
                "outside": _figures(outside),
                "within": _figures(within),
                "p99_bound_ms": round(P99_SECONDS[endpoint] * 1e3) if endpoint in P99_SECONDS else None,
            }
        )
    return rows


def _figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    wrong = [one.error for one in outcomes if one.error]
    p99 = percentile([one.ended - one.sent for one in outcomes], 0.99)
    return {
        "requests": len(outcomes),
        "share_right": None if not outcomes else 1 - len(wrong) / len(outcomes),
        "p99_ms": None if p99 is None else round(p99 * 1e3, 1),
        "errors": dict(Counter(error[:80] for error in wrong).most_common(5)),
    }


def job_figures(jobs: Sequence[AcceptedJob], attempts: Sequence[int]) -> dict[str, Any]:
    """Return what became of the accepted jobs; `attempts` says how often each was started."""
    seconds = [round(job.ended - job.accepted, 1) for job in jobs if job.ended is not None]
    return {
        "accepted": len(jobs),
        "finished": sum(job.state == "done" for job in jobs),
        "right": sum(job.right is True for job in jobs),
        "slowest_seconds": max(seconds, default=None),
        "run_twice": sum(count > 1 for count in attempts),
        "states": dict(Counter(job.state for job in jobs)),
    }


def wrong_answers(outcomes: Sequence[Outcome]) -> int:
    """Return the number of answers 200 with other bytes than expected, within faults too."""
    return sum(one.error.startswith("200 ") for one in outcomes)


def verdicts(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what is judged: a description, the figure, its bound, and whether it holds.

    Memory is judged only in a run of an hour: `held` is None in a shorter one.
    """
    found: list[dict[str, Any]] = []

    def judge(what: str, figure: float | None, bound: str, held: bool | None) -> None:
        found.append({"what": what, "figure": figure, "bound": bound, "held": held})

    for row in report["endpoints"]:
        outside = row["outside"]
        share = outside["share_right"]
        if row["endpoint"] == "all":
            held = share is not None and share >= SHARE
            figure = None if share is None else round(100 * share, 3)
            judge("right answers outside of faults, %", figure, f"at least {100 * SHARE:g}", held)
        elif row["p99_bound_ms"] is not None:
            bound = row["p99_bound_ms"]
            held = outside["p99_ms"] is not None and outside["p99_ms"] <= bound
            judge(f"p99 of {row['endpoint']}, ms", outside["p99_ms"], f"at most {bound}", held)
    jobs = report["jobs"]
    lost = jobs["accepted"] - jobs["right"]
    judge("accepted jobs without the right result", lost, "0", lost == 0)
    judge("wrong answers, within faults too", report["wrong_answers"], "0", report["wrong_answers"] == 0)
    left = sum(fault["recovered_seconds"] is None for fault in report["faults"])
    judge("faults without recovery", left, "0", left == 0)
    for name, memory in report["memory"].items():
        growth = memory["growth_percent"]
        long_enough = memory["seconds"] >= JUDGED_SECONDS and growth is not None
        held = growth < GROWTH_PERCENT if long_enough else None
        judge(f"growth of memory, {name}, %", growth, f"under {GROWTH_PERCENT:g} in an hour", held)
    return found
