"""The bounds that the load test judges, for the service without Redis.

`kibitz bench compare --task http` compares the service with an earlier commit.
"""

from __future__ import annotations

from typing import Any, Final

from benchmarks.experiments.published import HEURI_MS
from benchmarks.load.phases import OVERLOAD

P99_MS: Final = 60.0
P99_CONNECTIONS: Final = 16
PSS_MB: Final = 150.0
REFUSED_MS: Final = 50.0
ACCEPTED_TIMES: Final = 2.0


def verdicts(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what is judged: a description, the value, its upper bound, and whether it holds.

    A missing value, such as the time of refusals if nothing was refused, does not hold.
    """
    found: list[dict[str, Any]] = []

    def judge(what: str, figure: float | None, bound: float) -> None:
        held = figure is not None and figure <= bound
        found.append({"what": what, "figure": figure, "bound": bound, "held": held})

    service = report["servers"]["embedded"]
    busy = report["overload"]
    judge("errors", report["errors"], 0)
    share, move = max(
        (row["engine_ms"] / HEURI_MS[row["move"] - 1], row["move"]) for row in service["by_move"]["moves"]
    )
    judge(f"board + gen by the published time, at the slowest move number ({move})", round(share, 3), 1.0)
    for load in service["throughput"]:
        if load["connections"] == P99_CONNECTIONS:
            what = f"p99 of computed answers at {P99_CONNECTIONS} connections, ms"
            judge(what, load["computed"]["p99_ms"], P99_MS)
    judge("PSS of master and one worker after load, MB", round(service["pss_bytes"] / 1e6, 1), PSS_MB)
    judge(
        "overload: slowest refusal, ms", busy["refused"]["max_ms"], REFUSED_MS
    )  # missed if none was refused
    usual, then = busy["at_capacity"]["p99_ms"], busy["accepted"]["p99_ms"]
    judge(
        f"overload: p99 of the accepted at {OVERLOAD} times the capacity, of that at capacity",
        round(then / usual, 2) if usual and then else None,
        ACCEPTED_TIMES,
    )
    return found
