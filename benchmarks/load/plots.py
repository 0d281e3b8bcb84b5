"""The plots of the load test: latency by move number beside published times, and throughput."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz.cli.plots import figure
from lab.experiments.published import HEURI_MS, QUACKLE_MS

if TYPE_CHECKING:
    from pathlib import Path


def draw(report: dict[str, Any], folder: Path) -> None:
    """Write load-by-move and load-throughput, as SVG and PNG, into `folder`.

    Raises InvalidInput (code "plots_missing") without matplotlib.
    """
    rows = report["servers"]["embedded"]["by_move"]["moves"]
    moves = [row["move"] for row in rows]
    title = f"One request at a time ({report['lexicon']}, medians)"
    with figure(folder, "load-by-move", title, "move number", "ms", log=True) as axes:
        axes.plot(moves, [QUACKLE_MS[move - 1] for move in moves], "k--", label="Quackle (2018)")
        axes.plot(moves, [HEURI_MS[move - 1] for move in moves], "k:", label="Heuri (2018)")
        for way in ("computed", "repeated"):
            axes.plot(
                moves, [row[way]["median_ms"] for row in rows], marker=".", label=f"whole answer, {way}"
            )
        engine = [row["engine_ms"] for row in report["engine"]["moves"]]
        axes.plot(moves, engine, marker=".", label="board + gen")
    loads = report["servers"]["embedded"]["throughput"]
    connections = [str(load["connections"]) for load in loads]
    with figure(folder, "load-throughput", "Answers a second", "connections", "answers / s") as axes:
        for kind, label in (("null", "null Flask route"), ("computed", "computed"), ("repeated", "repeated")):
            axes.plot(connections, [load[kind]["per_second"] for load in loads], marker="o", label=label)
        if "redis" in report["servers"]:
            rates = [load["computed"]["per_second"] for load in report["servers"]["redis"]["throughput"]]
            axes.plot(connections, rates, marker="s", linestyle="--", label="computed, with Redis")
        axes.set_ylim(bottom=0)
