"""The report of the load test as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lab.experiments.published import HEURI_MS, QUACKLE_MS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NAMES: Final = {"embedded": "embedded", "redis": "with Redis"}
KINDS: Final = ("computed", "repeated")


def markdown(report: dict[str, Any]) -> str:
    """Return the tables of a report: latency by move number, throughput, overload, bounds."""
    servers = report["servers"]
    parts = [
        f"{report['positions']} positions of {report['games']} greedy games, lexicon {report['lexicon']}, "
        f"server on cores {_listed(report['cores']['server'])}, "
        f"client on {_listed(report['cores']['client'])}; "
        f"{report['errors']} errors.",
        "### By move number, one request at a time, medians in ms",
        _by_move(report["engine"], servers),
    ]
    for name, measured in servers.items():
        latency = measured["by_move"]
        ways = [f"{way} {_quantiles(latency[way])}" for way in KINDS if way in latency]
        label = NAMES[name][0].upper() + NAMES[name][1:]
        parts.append(f"{label}: {'; '.join(ways)}; {measured['pss_bytes'] / 1e6:.0f} MB PSS.")
    parts += [
        "### Answers a second of one worker, and as a share of a null Flask route",
        "The null route returns a constant under the same gunicorn. The shares are not judged.",
        _throughput(servers),
    ]
    busy = report["overload"]
    parts += [
        "### Simulations at three times the capacity",
        f"Capacity {busy['capacity_per_second']} a second with {busy['at_once']} at a time "
        f"({_quantiles(busy['at_capacity'])}); offered {busy['offered_per_second']} a second: "
        f"{busy['accepted']['answers']} accepted ({_quantiles(busy['accepted'])}), "
        f"{busy['refused']['answers']} refused ({_quantiles(busy['refused'])}, slowest "
        f"{_number(busy['refused']['max_ms'])} ms).",
        "### Bounds",
        "Of the service without Redis. To compare latencies with an earlier commit: "
        "`kibitz bench compare c0f2c4a HEAD --task http`.",
        _verdicts(report["verdicts"]),
    ]
    return "\n\n".join(parts) + "\n"


def _by_move(engine: dict[str, Any], servers: dict[str, Any]) -> str:
    heading = ["move", "positions", "Heuri", "Quackle", "board + gen"]
    for name in servers:
        heading += [f"{NAMES[name]}: computed", "p95", "p99", "repeated"]
    rows = []
    moves = (measured["by_move"]["moves"] for measured in servers.values())
    for times, *parts in zip(engine["moves"], *moves, strict=True):
        move = times["move"]
        row: list[Any] = [move, parts[0]["positions"], HEURI_MS[move - 1], QUACKLE_MS[move - 1]]
        row.append(times["engine_ms"])
        for part in parts:
            row += [part["computed"][name] for name in ("median_ms", "p95_ms", "p99_ms")]
            row.append(part["repeated"]["median_ms"])
        rows.append(row)
    return _table(heading, rows)


def _throughput(servers: dict[str, Any]) -> str:
    heading = ["server", "connections", "null route"]
    for kind in KINDS:
        heading += [kind, "of null", "of null, by processor time", "p99 ms"]
    rows = []
    for name, measured in servers.items():
        for load in measured["throughput"]:
            row: list[Any] = [NAMES[name], load["connections"], round(load["null"]["per_second"])]
            for kind in KINDS:
                part = load.get(kind)
                if part is None:
                    row += [None] * 4
                else:
                    row += [round(part["per_second"]), part["ratio"], part["cpu_ratio"], part["p99_ms"]]
            rows.append(row)
    return _table(heading, rows)


def _verdicts(verdicts: Sequence[dict[str, Any]]) -> str:
    rows = [
        [one["what"], one["figure"], f"at most {one['bound']:g}", "held" if one["held"] else "**missed**"]
        for one in verdicts
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
