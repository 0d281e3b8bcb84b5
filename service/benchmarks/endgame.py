"""Endgames of self-play games, solved one after the other."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any, Final

from engine import Budget, EndgameSolver, greedy_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine import EndgameResult, Lexicon, Position

LIMITS: Final = (0.1, 1.0, 10.0)
"""Seconds by which the report counts what was proven."""
PERCENTILES: Final = {"median": 0.5, "p90": 0.9, "most": 1.0}


def first_endgames(lexicon: Lexicon, games: int) -> Iterator[Position | None]:
    """Yield the first turn with an empty bag of each game of seeds 1, 2, 3, ...; None if a game has none."""
    for seed in range(1, games + 1):
        empty = (turn.position for turn in greedy_game(lexicon, seed, 1) if turn.bag_count == 0)
        yield next(empty, None)


def solve_all(
    lexicon: Lexicon,
    positions: Iterable[Position | None],
    budget: Budget,
    table_mb: int,
    progress: Callable[[int], None],
) -> list[EndgameResult | None]:
    """Solve endgames one after the other with one solver; a game without one has no result."""
    solver = EndgameSolver(lexicon, table_mb=table_mb)
    results: list[EndgameResult | None] = []
    for number, position in enumerate(positions, 1):
        results.append(None if position is None else solver.solve(position, budget))
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
            f"{limit:g}": round(sum(result.seconds <= limit for result in proven) / max(1, len(found)), 4)
            for limit in limits
        }
        | {"all": round(len(proven) / max(1, len(found)), 4)},
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


def spread(values: Iterable[float]) -> dict[str, float]:
    """Return median, 90th percentile and maximum of some values; nothing of none."""
    ranked = sorted(values)
    if not ranked:
        return {}
    figures = {name: ranked[int(share * (len(ranked) - 1))] for name, share in PERCENTILES.items()}
    figures["median"] = statistics.median(ranked)
    return {name: round(value, 6) for name, value in figures.items()}
