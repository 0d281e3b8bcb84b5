"""The report of the load test as Markdown, which is readable on a terminal too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.experiments.published import HEURI_MS, QUACKLE_MS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_NAMES = {"embedded": "embedded", "redis": "with Redis"}


def markdown(report: dict[str, Any]) -> str:
    """Write the tables of a report: by move number, throughput, overload, verdicts."""
    servers = report["servers"]
    parts = [
        f"{report['positions']} positions of {report['games']} greedy games, lexicon {report['lexicon']}, "
        f"server on cores {_listed(report['cores']['server'])}, "
        f"client on {_listed(report['cores']['client'])}; "
        f"{report['errors']} errors.",
        "### By move number, one request at a time, medians in ms",
        _by_move(servers),
    ]
    for name, figures in servers.items():
        whole = figures["by_move"]
        fetched = f"in Redis alone {_quantiles(whole['fetched'])}; " if "fetched" in whole else ""
        parts.append(
            f"{_NAMES[name][0].upper()}{_NAMES[name][1:]}: computed {_quantiles(whole['cold'])}; "
            f"kept {_quantiles(whole['warm'])}; {fetched}{figures['pss_bytes'] / 1e6:.0f} MB PSS."
        )
    parts += ["### Answers a second of one server process, beside a null Flask route", _throughput(servers)]
    busy = report["overload"]
    parts += [
        "### Simulations at three times the capacity",
        f"Capacity {busy['capacity_per_second']} a second with {busy['slots']} at a time "
        f"({_quantiles(busy['at_capacity'])}); offered {busy['offered_per_second']} a second: "
        f"{busy['accepted']['answers']} accepted ({_quantiles(busy['accepted'])}), "
        f"{busy['refused']['answers']} refused ({_quantiles(busy['refused'])}, slowest "
        f"{_number(busy['refused']['max_ms'])} ms).",
        "### Bounds",
        _verdicts(report["verdicts"]),
    ]
    return "\n\n".join(parts) + "\n"


def _by_move(servers: dict[str, Any]) -> str:
    heading = ["move", "positions", "Heuri", "Quackle"]
    for name in servers:
        heading += [f"{_NAMES[name]}: board + gen", "whole", "p95", "p99", "kept"]
        heading += ["in Redis alone"] * (name == "redis")
    rows = []
    for parts in zip(*(figures["by_move"]["moves"] for figures in servers.values()), strict=True):
        move = parts[0]["move"]
        row: list[Any] = [move, parts[0]["positions"], HEURI_MS[move - 1], QUACKLE_MS[move - 1]]
        for part in parts:
            cold = part["cold"]
            row += [
                part["engine_ms"],
                cold["median_ms"],
                cold["p95_ms"],
                cold["p99_ms"],
                part["warm"]["median_ms"],
            ]
            row += [part["fetched"]["median_ms"]] if "fetched" in part else []
        rows.append(row)
    return _table(heading, rows)


def _throughput(servers: dict[str, Any]) -> str:
    heading = ["server", "connections", "null"]
    kinds = {
        "same_bytes": "kept, same bytes again",
        "other_words": "kept, rack in another order",
        "cold": "computed",
        "fetched": "in Redis alone, rack in another order",
    }
    if "redis" not in servers:
        del kinds["fetched"]
    for name in kinds.values():
        heading += [name, "/ null", "/ null, by CPU", "p99 ms"]
    rows = []
    for name, figures in servers.items():
        for load in figures["throughput"]:
            row: list[Any] = [_NAMES[name], load["connections"], round(load["null"]["per_second"])]
            for kind in kinds:
                part = load.get(kind)
                row += (
                    [None] * 4
                    if part is None
                    else [round(part["per_second"]), part["ratio"], part["cpu_ratio"], part["p99_ms"]]
                )
            rows.append(row)
    return _table(heading, rows)


def _verdicts(verdicts: Sequence[dict[str, Any]]) -> str:
    rows = [
        [
            verdict["what"],
            verdict["figure"],
            f"{'at least' if verdict['least'] else 'at most'} {verdict['bound']:g}",
            "held" if verdict["held"] else "**missed**",
        ]
        for verdict in verdicts
    ]
    return _table(["what", "figure", "bound", ""], rows)


def _table(heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [heading, ["---"] * len(heading), *([_number(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _quantiles(times: dict[str, Any]) -> str:
    return "median {}, p95 {}, p99 {} ms".format(
        *(_number(times[name]) for name in ("median_ms", "p95_ms", "p99_ms"))
    )


def _number(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3g}" if isinstance(value, float) and value < 1000 else str(value)


def _listed(cores: Sequence[int]) -> str:
    return ", ".join(map(str, cores)) or "all"
