"""The bounds that the load test judges, for the service without Redis."""

from __future__ import annotations

from typing import Any, Final

from lab.experiments.published import HEURI_MS

PSS_MB: Final = 150.0


def verdicts(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what is judged: a description, the value, its upper bound, and whether it holds."""
    share, move = max(
        (row["engine_ms"] / HEURI_MS[row["move"] - 1], row["move"]) for row in report["engine"]["moves"]
    )
    judged = (
        ("failed requests", report["errors"], 0),
        (f"board + gen by the published time, at the slowest move number ({move})", round(share, 3), 1.0),
        (
            "PSS of master and one worker after load, MB",
            round(report["servers"]["embedded"]["pss_bytes"] / 1e6, 1),
            PSS_MB,
        ),
    )
    return [
        {"what": what, "figure": figure, "bound": bound, "held": figure <= bound}
        for what, figure, bound in judged
    ]
