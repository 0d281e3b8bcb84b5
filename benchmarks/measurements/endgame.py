"""Endgames of self-play games, solved one after the other."""

from __future__ import annotations

import itertools
import resource
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from engine import EndgameSolver, InvalidInput, first_endgames, parse_cgp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from engine import Budget, EndgameResult, GameSetup, Lexicon, Position

LIMITS: Final = (0.1, 1.0, 10.0)
"""Seconds by which the report counts what was proven."""
PERCENTILES: Final = {"median": 0.5, "p90": 0.9, "most": 1.0}
MAX_SEEDS: Final = 10**9


@dataclass(frozen=True, slots=True)
class Published:
    """Hold a published endgame: its name, the position, the value that was claimed, and a note."""

    name: str
    position: Position
    value: int
    note: str


def full_rack_endgames(setup: GameSetup, player: str) -> Iterator[Position]:
    """Yield the first empty-bag turns at which both racks are full, of games of seeds 1, 2, 3, ..."""
    for position in first_endgames(setup, player, MAX_SEEDS):
        if position is not None and has_full_racks(position):
            yield position


def has_full_racks(position: Position) -> bool:
    """Return whether both sides have a full rack (seven against seven)."""
    return all(len(player.rack or ()) == position.rules.rack_size for player in position.players)


def endgames(setup: GameSetup, player: str, count: int, full: bool) -> list[Position | None]:
    """Return the first empty-bag turn of `count` games, or so many with full racks on both sides."""
    if full:
        return [*itertools.islice(full_rack_endgames(setup, player), count)]
    return [*first_endgames(setup, player, count)]


def published_endgames(path: Path, lexicon: Lexicon, ending: str) -> list[Published]:
    """Read published endgames, a JSON object a line: name, cgp, value, note.

    `ending` are CGP operations appended to each position: by which rules its game ends. Raises InvalidInput
    for a line that is no such object, and what `parse_cgp` raises.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = orjson.loads(line)
            name, cgp, value = str(row["name"]), str(row["cgp"]), int(row["value"])
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"{path.name}, line {number}: no published endgame ({error})", code="bad_published"
            ) from error
        position = parse_cgp(f"{cgp} {ending}".strip(), tile_set=lexicon.tile_set, lexicon=lexicon.id)
        found.append(Published(name, position, value, str(row.get("note", ""))))
    return found


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
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
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
        if has_full_racks(position)
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
