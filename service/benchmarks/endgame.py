"""Endgames of self-play games, solved one after the other."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any, Final

from engine import EndgameSolver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine import Budget, EndgameResult, Lexicon, Position

LIMITS: Final = (0.1, 1.0, 10.0)
"""Seconds by which the report counts what was proven."""
PERCENTILES: Final = {"median": 0.5, "p90": 0.9, "most": 1.0}


def solve_all(
    lexicon: Lexicon,
    positions: Iterable[Position | None],
    budget: Callable[[], Budget],
    table_mb: int,
    progress: Callable[[int], None],
) -> list[EndgameResult | None]:
    """Solve endgames one after the other with one solver, each by a budget of its own; a game without one has
    no result."""
    solver = EndgameSolver(lexicon, table_mb=table_mb)
    results: list[EndgameResult | None] = []
    for number, position in enumerate(positions, 1):
        results.append(None if position is None else solver.solve(position, budget()))
        progress(number)
    return results


def summary(results: Iterable[EndgameResult | None], seconds: float) -> dict[str, Any]:
    """Return the share proven by each limit, and how nodes, widths of bounds and times are spread."""
    listed = list(results)
    found = [result for result in listed if result is not None]
    proven = [result for result in found if result.certainty == "exact"]
    limits = sorted({limit for limit in LIMITS if limit < seconds} | {seconds})
    open_ones = [result for result in found if result.certainty != "exact"]
    return {
        "endgames": len(found),
        "games_without": len(listed) - len(found),
        "proven": {
            f"{limit:g}": share(sum(result.seconds <= limit for result in proven), len(found))
            for limit in limits
        }
        | {"all": share(len(proven), len(found))},
        "bounds_width": spread([result.upper - result.lower for result in open_ones]),
        "nodes": spread([result.nodes for result in found]),
        "nodes_per_second": round(
            sum(result.nodes for result in found) / max(1e-9, sum(result.seconds for result in found))
        ),
        "seconds": spread([result.seconds for result in found]),
        "best_move_seconds": spread([result.best_seconds for result in found]),
        "best_move_seconds_where_proven": spread([result.best_seconds for result in proven]),
        "overshoot_seconds": spread([max(0.0, result.seconds - seconds) for result in found]),
        "table_filled": spread([result.table_entries / result.table_capacity for result in found]),
    }


def full_racks(
    positions: Iterable[Position | None], results: Iterable[EndgameResult | None]
) -> dict[str, float]:
    """Count the endgames of full racks on both sides (seven against seven), and the share of them proven."""
    full = [
        result
        for position, result in zip(positions, results, strict=True)
        if position is not None and result is not None
        if all(len(player.rack or ()) == position.rules.rack_size for player in position.players)
    ]
    proven = sum(result.certainty == "exact" for result in full)
    return {"endgames": len(full), "proven": share(proven, len(full))}


def share(part: int, whole: int) -> float:
    """Return a share to four digits; 0 of nothing."""
    return round(part / max(1, whole), 4)


def spread(values: Iterable[float]) -> dict[str, float]:
    """Return median, 90th percentile and maximum of some values; nothing of none."""
    ranked = sorted(values)
    if not ranked:
        return {}
    figures = {name: ranked[int(share * (len(ranked) - 1))] for name, share in PERCENTILES.items()}
    figures["median"] = statistics.median(ranked)
    return {name: round(value, 6) for name, value in figures.items()}
