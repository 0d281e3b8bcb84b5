"""The report of a soak as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def markdown(report: dict[str, Any]) -> str:
    """Return the tables of a report: endpoints, faults, jobs, memory, and what is judged."""
    jobs = report["jobs"]
    parts = [
        f"{report['seconds'] / 60:g} minutes, releases {' then '.join(report['releases'])}, "
        f"lexicon {report['lexicon']}, {report['processor']}. "
        f"The {report['recovery_seconds']:g} s after each fault count as part of it.",
        "### Requests",
        _endpoints(report["endpoints"]),
        "### Faults",
        _faults(report["faults"]),
        *(f"Left out: {name}: {why}." for name, why in report["left_out"].items()),
        "### Jobs and memory",
        f"{jobs['accepted']} jobs were accepted, {jobs['right']} ended with the right result, "
        f"{jobs['run_twice']} of them were started more than once. The slowest took "
        f"{jobs['slowest_seconds']} s.",
        f"Started again: {_restarts(report['restarts'])}.",
        _memory(report["memory"]),
        "### Objectives",
        _verdicts(report["verdicts"]),
    ]
    return "\n\n".join(parts) + "\n"


def _endpoints(rows: Iterable[dict[str, Any]]) -> str:
    heading = [
        "endpoint",
        "requests",
        "right outside faults",
        "p99 outside, ms",
        "right within",
        "p99 within, ms",
    ]
    lines = []
    for row in rows:
        cells = [row["endpoint"], row["requests"]]
        for part in (row["outside"], row["within"]):
            share = part["share_right"]
            cells += ["-" if share is None else f"{100 * share:.3f} % of {part['requests']}", part["p99_ms"]]
        lines.append(cells)
    return _table(heading, lines)


def _faults(rows: Iterable[dict[str, Any]]) -> str:
    heading = ["fault", "from, s", "to, s", "requests", "errors", "whole after, s"]
    keys = ("name", "begin", "end", "requests", "errors", "recovered_seconds")
    return _table(heading, ([row[key] for key in keys] for row in rows))


def _restarts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count) or "nothing"


def _memory(memory: dict[str, dict[str, Any]]) -> str:
    heading = ["memory (PSS)", "samples", "over, s", "median, MB", "growth, %"]
    keys = ("samples", "seconds", "median_mb", "growth_percent")
    return _table(heading, ([name, *(row[key] for key in keys)] for name, row in memory.items()))


def _verdicts(verdicts: Iterable[dict[str, Any]]) -> str:
    said = {True: "met", False: "**missed**", None: "not judged: the run is shorter"}
    return _table(
        ["what", "figure", "objective", ""],
        ([one["what"], one["figure"], one["bound"], said[one["held"]]] for one in verdicts),
    )


def _table(heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [
        heading,
        ["---"] * len(heading),
        *(["-" if cell is None else str(cell) for cell in row] for row in rows),
    ]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
